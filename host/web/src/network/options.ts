// The options of a command, from a table.

/** One option: a short name (one letter, or `nv` and the like), a long one, and whether a value follows. */
export type Flag = [short: string, long: string, takesValue?: true];
export type Item = { option: string; value: string } | { operand: string };

/** What is wrong with a command line. */
export class Mistake {
  constructor(readonly option: string, readonly isUnknown: boolean) {}
}

/** A table from texts such as `A,user-agent=` or `fail`; `=` says that a value follows. */
export const table = (text: string): Flag[] =>
  text.trim().split(/\s+/).map((one): Flag => {
    const [, short = "", long = "", value] = /^(?:([^,]*),)?([^=]*)(=?)$/.exec(one) ?? [];
    return value ? [short, long, true] : [short, long];
  });

/** Reads a command line; options may stand anywhere before `--`. */
export function parse(flags: Flag[], words: string[]): Item[] {
  const items: Item[] = [];
  const rest = [...words];
  const value = (name: string) => {
    const next = rest.shift();
    if (next === undefined) throw new Mistake(name, false);
    return next;
  };
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") return [...items, ...rest.map((operand) => ({ operand }))];
    if (word.startsWith("--")) items.push(long(flags, word.slice(2), value));
    else if (word.startsWith("-") && word.length > 1) items.push(...short(flags, word.slice(1), value));
    else items.push({ operand: word });
  }
  return items;
}

function long(flags: Flag[], text: string, next: (name: string) => string): Item {
  const at = text.indexOf("=");
  const name = at < 0 ? text : text.slice(0, at);
  const alike = flags.filter(([, long]) => long.startsWith(name));
  const found = flags.find(([, long]) => long === name) ?? (alike.length === 1 && name !== "" ? alike[0] : undefined);
  if (!found || (at >= 0 && !found[2])) throw new Mistake(`--${name}`, true);
  const value = !found[2] ? "" : at >= 0 ? text.slice(at + 1) : next(`--${name}`);
  return { option: found[1], value };
}

function* short(flags: Flag[], text: string, next: (name: string) => string): Iterable<Item> {
  while (text !== "") {
    const fitting = flags.filter(([short]) => short !== "" && text.startsWith(short));
    const found = fitting.sort(([one], [other]) => other.length - one.length)[0];
    if (!found) throw new Mistake(`-${text[0]}`, true);
    text = text.slice(found[0].length);
    if (!found[2]) {
      yield { option: found[1], value: "" };
      continue;
    }
    yield { option: found[1], value: text === "" ? next(`-${found[0]}`) : text };
    text = "";
  }
}
