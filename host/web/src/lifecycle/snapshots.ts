// States that are kept, and going back to them.

import type { Keeper } from "./keeper.js";
import { checkLabel, parsePoint } from "./point.js";
import { asleep, busy, changed, next } from "./refs.js";

export async function snapshot(keeper: Keeper, name: string, label: string): Promise<void> {
  checkLabel(label);
  const commit = await keeper.present(name, "snapshot");
  await keeper.amend(name, "snapshot", ({ snapshots }) => ({ snapshots: { ...snapshots, [label]: commit } }));
}

export async function restore(keeper: Keeper, name: string, text: string): Promise<string> {
  const point = parsePoint(text);
  const commit = await keeper.find(point, "restore");
  // What is awake here is stored first, so that nothing is lost by going back.
  if (keeper.awake.has(name)) await keeper.suspend(name);
  const before = await keeper.ref(name);
  if (!(await keeper.isFree(before))) throw busy(name, "restore");
  const foreign = before.foreign || (await keeper.ref(point.name)).foreign;
  const state = await keeper.commits.read(commit);
  const { trees } = keeper.engine;
  const now = keeper.commits.typed("restore", name, () => trees.restored(state, before.commit, `restored ${text}`, Date.now()));
  await keeper.store.put([now]);
  const { bytes, files } = keeper.commits.factsOf(now);
  const facts = { commit: now.id, bytes: Number(bytes), files: Number(files), epoch: before.epoch + 1 };
  const ref = asleep(next(before, foreign ? { ...facts, foreign } : facts));
  if (!(await keeper.store.swap(name, before, ref))) throw changed(name, "restore");
  return now.id;
}
