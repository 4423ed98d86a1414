// Time and randomness of the engine that runs this.

/** The present, as `wasi:clocks/wall-clock` has it. */
export function wallClock(): { seconds: bigint; nanoseconds: number } {
  const now = performance.timeOrigin + performance.now();
  // Engines that hide the origin give 0.
  const milliseconds = now > 1e12 ? now : Date.now();
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds: BigInt(seconds), nanoseconds: Math.floor((milliseconds - seconds * 1000) * 1e6) };
}

/** Nanoseconds since some moment. */
export const monotonic = (): bigint => BigInt(Math.floor(performance.now() * 1e6));

const MOST = 65_536;

/** Bytes from the engine's generator. */
export function randomBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += MOST) crypto.getRandomValues(bytes.subarray(at, Math.min(at + MOST, length)));
  return bytes;
}

export function randomNumber(): bigint {
  return new DataView(randomBytes(8).buffer).getBigUint64(0, true);
}

/** Where time and randomness of a sandbox come from. */
export interface Sources {
  wall(): { seconds: bigint; nanoseconds: number };
  monotonic(): bigint;
  bytes(length: number): Uint8Array;
}

export const SYSTEM: Sources = { wall: wallClock, monotonic, bytes: randomBytes };

/** Random numbers that repeat with their seed (splitmix64); times stay the engine's. */
export function seeded(seed: number): Sources {
  let state = BigInt.asUintN(64, BigInt(Math.trunc(seed)));
  const next = () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  };
  const bytes = (length: number) => {
    const all = new Uint8Array(Math.ceil(length / 8) * 8);
    const view = new DataView(all.buffer);
    for (let at = 0; at < length; at += 8) view.setBigUint64(at, next(), true);
    return all.subarray(0, length);
  };
  return { ...SYSTEM, bytes };
}
