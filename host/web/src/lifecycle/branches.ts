// What branches differ in, and bringing their changes home.

import { InvalidError } from "../errors.js";
import { changesOf, type Change } from "../sandbox.js";
import type { Keeper } from "./keeper.js";
import { parsePoint } from "./point.js";

/** What bringing a branch home came to. With conflicts, nothing happened. */
export interface Promotion {
  changes: Change[];
  /** Paths that both sides changed, each in its own way. */
  conflicts: string[];
}

const decoder = new TextDecoder();

export async function diff(keeper: Keeper, before: string, after: string): Promise<Change[]> {
  const [one, other] = [parsePoint(before), parsePoint(after)];
  return keeper.files(one, "diff", (from) =>
    keeper.files(other, "diff", async (to) => keeper.commits.typed("diff", "/", () => changesOf(from.diff(to)))));
}

export async function promote(keeper: Keeper, branch: string): Promise<Promotion> {
  const { parent, base } = await keeper.ref(branch);
  if (parent === undefined || base === undefined) {
    throw new InvalidError(`${branch} is no branch`, { code: "INVALID", operation: "promote" });
  }
  const commit = await keeper.present(branch, "promote");
  const slept = !keeper.awake.has(parent);
  const sandbox = await keeper.wake(parent);
  try {
    const { changes, conflicts } = await keeper.checkouts([base, commit], async ([from, to]) =>
      keeper.commits.typed("promote", "/", () => sandbox.parts().tree.merge(from!, to!)));
    await keeper.keep(parent, slept ? "suspended" : "running");
    // From here on the two differ by what comes after this state of the branch.
    if (conflicts.length === 0) await keeper.amend(branch, "promote", () => ({ base: commit }));
    return { changes: changesOf(changes), conflicts: conflicts.map((path) => decoder.decode(path)) };
  } finally {
    if (slept && keeper.awake.has(parent)) await keeper.suspend(parent);
  }
}
