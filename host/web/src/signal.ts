// Waiting: whoever waits is woken whenever something may have changed, and looks again.

/** Wakes whoever waits on it. */
export class Wakers {
  // Most objects are never waited for.
  private waiting: Set<() => void> | undefined;
  add(wake: () => void): void {
    (this.waiting ??= new Set()).add(wake);
  }
  remove(wake: () => void): void {
    this.waiting?.delete(wake);
  }
  wake(): void {
    const woken = this.waiting;
    if (!woken) return;
    this.waiting = undefined;
    for (const wake of woken) wake();
  }
}

/** Longest wait of a timer: what `setTimeout` can hold. */
const LONGEST = 2 ** 31 - 1;

/** Waits until one of the wakers wakes, or until `deadline` on the clock of `performance`. */
export function woken(wakers: Wakers[], deadline?: number): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wake = () => {
      if (timer !== undefined) clearTimeout(timer);
      for (const one of wakers) one.remove(wake);
      resolve();
    };
    for (const one of wakers) one.add(wake);
    if (deadline !== undefined) {
      timer = setTimeout(wake, Math.max(0, Math.min(LONGEST, Math.ceil(deadline - performance.now()))));
    }
  });
}

/**
 * A signal that aborts with the first of these. It is not `AbortSignal.any`, whose signal Node may collect while a
 * request still waits for it (nodejs/node#57736).
 */
export function firstOf(...signals: AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason);
    else signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true, signal: controller.signal });
  }
  return controller.signal;
}

const immediate = (globalThis as { setImmediate?: (run: () => void) => void }).setImmediate;

/** Lets the engine do something else: timers, requests, other sandboxes. */
export const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    if (immediate) immediate(resolve);
    else setTimeout(resolve, 0);
  });

/** Milliseconds after which a guest lets others run. */
const SLICE = 10;
let last = performance.now();

/** Whether it is time to `breathe`. */
export function isLong(): boolean {
  const now = performance.now();
  if (now - last < SLICE) return false;
  last = now;
  return true;
}

/** Lets this turn of the engine pass without anything else. */
export function sleepNow(milliseconds: number): void {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  } catch {
    // A page must not block; it spins.
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  }
}
