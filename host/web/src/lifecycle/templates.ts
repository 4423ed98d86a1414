// States that sandboxes are made from, by name and version.

import type { Store, Ref } from "../store/store.js";
import type { Keeper } from "./keeper.js";
import { checkName } from "./point.js";
import { changed, fresh, missing, next, TEMPLATE } from "./refs.js";

/** How often a change starts again because somebody else was faster. */
const ATTEMPTS = 100;

/** Keeps the present state of a sandbox as a new version; its number. */
export async function publish(keeper: Keeper, name: string, template: string): Promise<number> {
  checkName(template);
  const commit = await keeper.present(name, "publish");
  const { foreign } = await keeper.ref(name);
  const version = { commit, created: Date.now(), ...(foreign ? { foreign } : {}) };
  const key = TEMPLATE + template;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await keeper.store.read(key);
    const { last = 0, byNumber = {} } = before?.versions ?? {};
    const versions = { last: last + 1, byNumber: { ...byNumber, [last + 1]: version } };
    if (await keeper.store.swap(key, before, before ? next(before, { versions }) : fresh({ versions }))) return versions.last;
  }
  throw changed(template, "publish");
}

export async function templates(store: Store): Promise<string[]> {
  const all = (await store.list()).filter(([name]) => name.startsWith(TEMPLATE));
  return all.map(([name]) => name.slice(TEMPLATE.length));
}

/** What a sandbox from a version begins with; `text` is `NAME`, the newest, or `NAME@NUMBER`. */
export async function published(keeper: Keeper, text: string): Promise<Ref> {
  const [name = "", named] = text.split(/@(.*)/s);
  const { versions } = (await keeper.store.read(TEMPLATE + name)) ?? {};
  const number = named ?? String(Math.max(0, ...Object.keys(versions?.byNumber ?? {}).map(Number)));
  const version = /^[1-9]\d*$/.test(number) ? versions?.byNumber[number] : undefined;
  if (!version) throw missing(`${name} has no version${named === undefined ? "" : ` ${named}`}`, "template");
  const { commit, foreign } = version;
  const { bytes, files } = await keeper.commits.facts(commit);
  const facts = { commit, base: commit, bytes: Number(bytes), files: Number(files), template: `${name}@${number}` };
  return fresh(foreign ? { ...facts, foreign } : facts);
}
