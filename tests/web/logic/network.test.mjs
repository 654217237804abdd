import "./node18.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, newKey, Problem } from "../../../service/web/logic/client.mjs";
import { follow, messagesIn } from "../../../service/web/logic/events.mjs";
import { Queue, waitAfter } from "../../../service/web/logic/queue.mjs";

const problem = (status, wait = 0, code = "x") =>
  new Problem({ type: "", title: "", status, detail: "", code, request_id: "" }, wait);
const json = (body, status = 200, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const queue = (log, slept) =>
  new Queue(
    ({ state }) => log.push(state),
    async (milliseconds) => void slept.push(milliseconds),
  );

test("a write is sent again, with the same key and body, until it is answered", async () => {
  const [log, slept, sent] = [[], [], []];
  const answers = [
    () => {
      throw new TypeError("no network");
    },
    () => json({ code: "store-unavailable" }, 503, { "Retry-After": "3" }),
    () => json({ game: 1 }),
  ];
  const client = new Client(
    async (path, options) => (
      sent.push([path, options.headers["Idempotency-Key"], options.body]),
      answers.shift()()
    ),
  );
  const command = { action: "moves", body: { version: 1, moves: ["t1t2"] }, key: newKey() };
  assert.deepEqual(await queue(log, slept).run(() => client.write("id", "token", command)), {
    game: 1,
  });
  assert.equal(new Set(sent.map(String)).size, 1);
  assert.deepEqual(slept, [1000, 3000]);
  assert.deepEqual(log, ["sending", "offline", "sending", "waiting", "sending", "idle"]);
});

test("writes are sent one after another", async () => {
  const order = [];
  const one = queue([], []);
  const first = one.run(async () => {
    await null;
    order.push("first");
  });
  await Promise.all([first, one.run(async () => order.push("second"))]);
  assert.deepEqual(order, ["first", "second"]);
});

test("a refusal is not repeated, and does not hold up what follows", async () => {
  const one = queue([], []);
  await assert.rejects(
    one.run(async () => {
      throw problem(409);
    }),
    Problem,
  );
  assert.equal(await one.run(async () => 7), 7);
});

test("how long to wait is told by the service, else it doubles up to a bound", () => {
  assert.equal(waitAfter(problem(429, 7), 1), 7);
  assert.deepEqual(
    [1, 2, 3, 9].map((attempt) => waitAfter(new TypeError(), attempt)),
    [1, 2, 4, 15],
  );
  assert.equal(waitAfter(problem(422), 1), null);
  assert.equal(waitAfter(problem(500), 1), 1);
  assert.equal(waitAfter(problem(500), 3), null);
});

test("a network that is back ends the wait", async () => {
  let attempts = 0;
  const one = new Queue(
    () => undefined,
    () => new Promise(() => undefined),
  );
  const done = one.run(async () => {
    if (attempts++ === 0) throw new TypeError("no network");
    return "sent";
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  one.retryNow();
  assert.equal(await done, "sent");
});

test("a problem that is no document is one all the same", async () => {
  const client = new Client(async () => new Response("<h1>Bad gateway", { status: 502 }));
  await assert.rejects(
    client.game("id", null),
    (error) => error.isTemporary && error.body.status === 502,
  );
});

test("messages are read however the stream is cut", async () => {
  const text =
    'retry: 2718\n\n: heartbeat\n\nid: 2\ndata: {"version":2}\n\nid: 3\ndata: {"version":3}\n\n';
  for (const size of [1, 7, 500]) {
    const chunks = (async function* () {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    })();
    const found = [];
    for await (const message of messagesIn(chunks)) found.push(message.version);
    assert.deepEqual(found, [2, 3]);
  }
});

const stream = (...events) =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));

test("an interrupted stream is resumed after the last version, with the token", async () => {
  const asked = [];
  const answers = [
    () => stream({ version: 4, kind: "moved" }),
    () => {
      throw new TypeError("no network");
    },
    () => stream({ version: 6, kind: "deleted" }),
  ];
  const heard = [];
  const followed = follow({
    id: "g",
    token: "secret",
    after: 3,
    signal: new AbortController().signal,
    onEvent: (event) => heard.push(event.version),
    pause: 1,
    send: async (url, { headers }) => (asked.push([url, headers.Authorization]), answers.shift()()),
  });
  await assert.rejects(followed, (error) => error.code === "game-not-found");
  assert.deepEqual(heard, [4, 6]);
  assert.deepEqual(
    asked.map(([url]) => url.split("after=")[1]),
    ["3", "4", "4"],
  );
  assert.equal(asked[0][1], "Bearer secret");
});

test("a stream that is refused for good is not asked for again", async () => {
  const send = async () => json({ code: "game-not-found", status: 404 }, 404);
  await assert.rejects(
    follow({
      id: "g",
      token: null,
      after: 1,
      signal: new AbortController().signal,
      onEvent: () => undefined,
      pause: 1,
      send,
    }),
    Problem,
  );
});
