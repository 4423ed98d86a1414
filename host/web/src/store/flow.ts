// Calls to a store of the platform's: not too many at once, and again where it asks for that.

/** Connections that a Worker may have open. */
const AT_ONCE = 6;
/** Calls of one key that are refused for being too many, before the refusal is passed on. */
const ATTEMPTS = 6;
/** Milliseconds; the platform takes one write of a key in a second. */
const PAUSE = 400;

/** Runs a call for each item, in the order of the items, and gives the answers in that order. */
export async function each<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const answers = new Array<R>(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      answers[at] = await run(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  return answers;
}

/** Whether the platform refused a write because the same key was written a moment ago: it did nothing. */
const isBusy = (error: unknown): boolean => error instanceof Error && /\(10058\)|\b429\b/.test(error.message);

/** Runs a write, and runs it again while the platform refuses it as too fast. */
export async function patiently<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isBusy(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE * attempt));
    }
  }
}

export const groups = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
