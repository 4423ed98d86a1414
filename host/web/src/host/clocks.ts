// `wasi:clocks`.

import type { Imports } from "../component.js";
import type { Guest } from "../kernel.js";
import { Pollable } from "./streams.js";

/** A timer that is ready after so many nanoseconds. */
function timer(nanoseconds: bigint): Pollable {
  const deadline = performance.now() + Number(nanoseconds > 0n ? nanoseconds : 0n) / 1e6;
  return new Pollable(() => performance.now() >= deadline, [], deadline);
}

export const CLOCKS: Imports<Guest> = {
  "wasi:clocks/monotonic-clock#now": (guest) => guest.kernel.sources.monotonic(),
  "wasi:clocks/monotonic-clock#resolution": () => 1000n,
  "wasi:clocks/monotonic-clock#subscribe-instant": (guest, when: bigint) => timer(when - guest.kernel.sources.monotonic()),
  "wasi:clocks/monotonic-clock#subscribe-duration": (_, duration: bigint) => timer(duration),
  "wasi:clocks/wall-clock#now": (guest) => guest.kernel.sources.wall(),
  "wasi:clocks/wall-clock#resolution": () => ({ seconds: 0n, nanoseconds: 1000 }),
};
