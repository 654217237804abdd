/** Debian's Node.js has no global `crypto` yet. */

import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;
