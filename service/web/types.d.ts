/** The objects of the public API that the page uses, from `openapi.yaml`, and those of its own. */
import type { components } from "asterism-api";

type Schemas = components["schemas"];

export type Game = Schemas["Game"];
export type Pile = Schemas["Pile"];
export type PileKind = Schemas["PileKind"];
export type Variant = Schemas["Variant"];
export type VariantName = Schemas["VariantName"];
export type VariantSummary = Schemas["VariantSummary"];
export type NewGame = Schemas["NewGame"];
export type CreatedGame = Schemas["CreatedGame"];
export type MovesAnswer = Schemas["MovesAnswer"];
export type HintAnswer = Schemas["HintAnswer"];
export type GameAnswer = Schemas["GameAnswer"];
export type Reveal = Schemas["Reveal"];
export type Event = Schemas["Event"];
export type Replay = Schemas["Replay"];
export type ReplayRequest = Schemas["ReplayRequest"];
export type DealReveal = Schemas["DealReveal"];
export type DailyDeals = Schemas["DailyDeals"];
export type DealList = Schemas["DealList"];
export type ResultList = Schemas["ResultList"];
export type Result = Schemas["Result"];
export type Stats = Schemas["Stats"];
export type Figures = Schemas["Figures"];
export type Commitment = Schemas["Commitment"];
export type ProblemBody = Schemas["Problem"] & { code: string };

/** What a pile is called, and what its group is. */
export interface PileName {
  id: string;
  kind: PileKind;
  label: string;
  number: number;
  alone: boolean;
}

/** A variant as the page draws it. */
export interface Layout {
  variant: Variant;
  names: Map<string, PileName>;
}

/** A move in parts; `to` is null if a row is dealt. */
export interface Move {
  from: string;
  to: string | null;
  count: number;
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The place of a pile, and of each of its cards from the bottom, relative to its top edge. */
export interface PilePlace extends Rect {
  offsets: number[];
}

export interface Geometry {
  card: { width: number; height: number };
  height: number;
  piles: Map<string, PilePlace>;
}

/** A card on the table; `face` is null if it is face down. */
export interface Place {
  pile: string;
  index: number;
  face: string | null;
}

/** A write to a game, as it is sent and sent again. */
export interface Command {
  action: "moves" | "undo" | "redo" | "hint" | "resignation";
  body: { version: number; moves?: string[]; steps?: number };
  key: string;
}

/** What is stored on this device about a game. */
export interface StoredGame {
  id: string;
  token: string | null;
  variant: VariantName;
  deal: Game["deal"];
  label: string | null;
  status: Game["status"];
  ply: number;
  counters: Game["counters"];
  created_at: string;
  updated_at: string;
  expires_at: string;
}

/** The answer to any write to a game. */
export type WriteAnswer = GameAnswer & Partial<MovesAnswer & HintAnswer>;

/** How requests fare: `seconds` until the next attempt, where it is known. */
export interface Traffic {
  state: "idle" | "sending" | "waiting" | "offline";
  seconds: number;
}
