// States that sandboxes are made from, by name and version.

import { InvalidError } from "../errors.js";
import type { Ref, Store, Versions } from "../store/store.js";
import type { Keeper } from "./keeper.js";
import { checkName, isName } from "./point.js";
import { changed, fresh, missing, next as after, TEMPLATE } from "./refs.js";

/** How often a change starts again because somebody else was faster. */
const ATTEMPTS = 100;

const LONGEST_ALIAS = 64;

/** A version of a template. */
export interface TemplateVersion {
  name: string;
  /** 1 for the first. */
  version: number;
  aliases: string[];
  createdMs: number;
}

/** Keeps the present state of a sandbox as a new version; its number. */
export async function publish(keeper: Keeper, name: string, template: string): Promise<number> {
  checkName(template);
  const commit = await keeper.present(name, "publish");
  const { foreign } = await keeper.ref(name);
  const version = { commit, created: Date.now(), ...(foreign ? { foreign } : {}) };
  const { last } = await change(keeper.store, template, "publish", (known = { last: 0, byNumber: {} }) => {
    const last = known.last + 1;
    return { ...known, last, byNumber: { ...known.byNumber, [last]: version } };
  });
  return last;
}

/** Gives a version another name, which a version that had it loses. */
export async function setAlias(store: Store, template: string, alias: string, version: number): Promise<void> {
  if (alias.length > LONGEST_ALIAS || /^\d+$/.test(alias) || !isName(alias)) {
    throw new InvalidError(`${JSON.stringify(alias)} cannot be an alias`, { code: "INVALID", operation: "setAlias" });
  }
  await change(store, template, "setAlias", (known) => {
    if (!known?.byNumber[version]) throw none(template, String(version));
    return { ...known, aliases: { ...known.aliases, [alias]: version } };
  });
}

/** Forgets a version and its aliases; whether there was one. */
export async function removeVersion(store: Store, template: string, version: number): Promise<boolean> {
  let was = false;
  await change(store, template, "removeTemplateVersion", (known) => {
    if (!known) throw none(template);
    const { [version]: gone, ...byNumber } = known.byNumber;
    was = gone !== undefined;
    if (!was) return known;
    const aliases = Object.entries(known.aliases ?? {}).filter(([, number]) => number !== version);
    return { ...known, byNumber, aliases: Object.fromEntries(aliases) };
  });
  return was;
}

/** The versions of a template, oldest first. */
export async function versions(store: Store, template: string): Promise<TemplateVersion[]> {
  const { versions: known } = (await store.read(TEMPLATE + template)) ?? {};
  if (!known) throw none(template);
  return Object.entries(known.byNumber).map(([number, { created }]) => {
    const aliases = Object.entries(known.aliases ?? {}).filter(([, version]) => String(version) === number);
    return { name: template, version: Number(number), aliases: aliases.map(([alias]) => alias).sort(), createdMs: created };
  });
}

/** The names of all templates that have a version. */
export async function templates(store: Store): Promise<string[]> {
  const all = (await store.list()).filter(([name]) => name.startsWith(TEMPLATE));
  const kept = all.filter(([, { versions }]) => Object.keys(versions?.byNumber ?? {}).length > 0);
  return kept.map(([name]) => name.slice(TEMPLATE.length));
}

/** What a sandbox from a version begins with; `text` is `NAME`, the newest, `NAME@NUMBER` or `NAME@ALIAS`. */
export async function published(keeper: Keeper, text: string): Promise<Ref> {
  const [name = "", named] = text.split(/@(.*)/s);
  const { versions } = (await keeper.store.read(TEMPLATE + name)) ?? {};
  const { byNumber = {}, aliases = {} } = versions ?? {};
  const newest = (): number => Math.max(0, ...Object.keys(byNumber).map(Number));
  const isNumber = /^[1-9]\d*$/.test(named ?? "");
  const number = named === undefined ? newest() : isNumber ? named : Object.hasOwn(aliases, named) ? aliases[named] : undefined;
  const version = number === undefined ? undefined : byNumber[number];
  if (!version) throw none(name, named);
  const { commit, foreign } = version;
  const { bytes, files } = await keeper.commits.facts(commit);
  const facts = { commit, base: commit, bytes: Number(bytes), files: Number(files), template: `${name}@${number}` };
  return fresh(foreign ? { ...facts, foreign } : facts);
}

const none = (template: string, named?: string): Error =>
  missing(`${template} has no version${named === undefined ? "" : ` ${named}`}`, "template");

/** Changes what is kept of a template, as often as somebody else was faster. */
async function change(
  store: Store, template: string, operation: string, next: (known: Versions | undefined) => Versions,
): Promise<Versions> {
  const key = TEMPLATE + template;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await store.read(key);
    const versions = next(before?.versions);
    if (versions === before?.versions) return versions;
    if (await store.swap(key, before, before ? after(before, { versions }) : fresh({ versions }))) return versions;
  }
  throw changed(template, operation);
}
