// Reads WIT: every function of every interface with its types resolved, as plain data for `src/abi.ts`.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const PRIMITIVE = new Set(["bool", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64", "char", "string"]);

/** All WIT files below a folder. */
function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return entry.name.endsWith(".wit") ? [path] : [];
  });
}

function tokens(text) {
  const plain = text.replace(/\/\/[^\n]*/g, "").replace(/@(since|unstable|deprecated)\([^)]*\)/g, "");
  return plain.match(/->|[%\w][\w:/@.-]*(?<![-:.])|[{}()<>,;:=.*_]/g) ?? [];
}

class Parser {
  constructor(text) {
    this.tokens = tokens(text);
    this.at = 0;
  }
  peek() {
    return this.tokens[this.at];
  }
  next() {
    return this.tokens[this.at++];
  }
  is(token) {
    if (this.peek() !== token) return false;
    this.at += 1;
    return true;
  }
  need(token) {
    const found = this.next();
    if (found !== token) throw new Error(`WIT: ${token} expected, found ${found}`);
  }
  name() {
    return this.next().replace(/^%/, "");
  }
  list(end, item) {
    const items = [];
    while (!this.is(end)) {
      items.push(item());
      this.is(",");
    }
    return items;
  }
  skipBlock() {
    for (let depth = 0; ; ) {
      const token = this.next();
      if (token === "{") depth += 1;
      if (token === "}" && --depth === 0) return;
    }
  }

  /** A type as written, names unresolved. */
  type() {
    const name = this.name();
    if (PRIMITIVE.has(name)) return name;
    const args = () => {
      this.need("<");
      return this.list(">", () => (this.is("_") ? null : this.type()));
    };
    switch (name) {
      case "list":
        return { list: args()[0] };
      case "option":
        return { option: args()[0] };
      case "tuple":
        return { tuple: args() };
      case "borrow":
        return { borrow: args()[0] };
      case "own":
        return { own: args()[0] };
      case "result": {
        if (this.peek() !== "<") return { result: [null, null] };
        const [ok = null, error = null] = args();
        return { result: [ok, error] };
      }
      default:
        return { name };
    }
  }

  signature() {
    this.need("func");
    this.need("(");
    const params = this.list(")", () => {
      this.name();
      this.need(":");
      return this.type();
    });
    const result = this.is("->") ? this.type() : null;
    this.need(";");
    return { params, result };
  }

  resource(name, functions) {
    if (this.is(";")) return;
    this.need("{");
    const self = { borrow: { name } };
    while (!this.is("}")) {
      const word = this.name();
      if (word === "constructor") {
        this.at -= 1;
        this.tokens[this.at] = "func";
        const { params } = this.signature();
        functions[`[constructor]${name}`] = { params, result: { own: { name } } };
        continue;
      }
      this.need(":");
      const isStatic = this.is("static");
      const { params, result } = this.signature();
      const full = `[${isStatic ? "static" : "method"}]${name}.${word}`;
      functions[full] = { params: isStatic ? params : [self, ...params], result };
    }
  }

  interface() {
    const types = {};
    const functions = {};
    this.need("{");
    while (!this.is("}")) {
      const word = this.name();
      const optional = (read) => this.list("}", () => read());
      const payload = () => {
        const name = this.name();
        if (!this.is("(")) return [name, null];
        const type = this.type();
        this.need(")");
        return [name, type];
      };
      const field = () => {
        const name = this.name();
        this.need(":");
        return [name, this.type()];
      };
      if (word === "use") {
        const from = this.next().replace(/\.$/, "").replace(/@.*$/, "");
        this.is(".");
        this.need("{");
        for (const name of this.list("}", () => this.name())) types[name] = { use: from, name };
        this.need(";");
      } else if (word === "type") {
        const name = this.name();
        this.need("=");
        types[name] = this.type();
        this.need(";");
      } else if (["record", "variant", "enum", "flags"].includes(word)) {
        const name = this.name();
        this.need("{");
        const read = { record: field, variant: payload, enum: () => this.name(), flags: () => this.name() }[word];
        types[name] = { [word]: optional(read) };
      } else if (word === "resource") {
        const name = this.name();
        types[name] = { resource: name };
        this.resource(name, functions);
      } else {
        this.need(":");
        functions[word] = this.signature();
      }
    }
    return { types, functions };
  }

  /** The interfaces of a file, by their names with the package and without the version. */
  file(known) {
    let prefix = "";
    while (this.peek() !== undefined) {
      const word = this.name();
      if (word === "package") {
        prefix = this.next().replace(/@.*$/, "");
        this.need(";");
      } else if (word === "interface") {
        known[`${prefix}/${this.name()}`] = this.interface();
      } else if (word === "world") {
        this.skipBlock();
      } else {
        throw new Error(`WIT: ${word} is no item of a package`);
      }
    }
  }
}

/** Types with every name replaced by what it stands for; a resource is named with its interface. */
function resolve(all, home, type) {
  const below = (inner) => (inner === null ? null : resolve(all, home, inner));
  if (type === null || typeof type === "string") return type;
  if (type.name !== undefined && type.use === undefined) {
    const found = lookup(all, home, type.name);
    return found.type.resource ? { own: `${found.home}/${found.type.resource}` } : resolve(all, found.home, found.type);
  }
  for (const kind of ["own", "borrow"]) {
    if (!type[kind]) continue;
    const found = lookup(all, home, type[kind].name);
    return { [kind]: `${found.home}/${found.type.resource}` };
  }
  if (type.list !== undefined) return { list: below(type.list) };
  if (type.option !== undefined) return { option: below(type.option) };
  if (type.tuple) return { tuple: type.tuple.map(below) };
  if (type.result) return { result: type.result.map(below) };
  if (type.record) return { record: type.record.map(([name, of]) => [camel(name), below(of)]) };
  if (type.variant) return { variant: type.variant.map(([name, of]) => [name, below(of)]) };
  return type;
}

function lookup(all, home, name) {
  const type = all[home]?.types[name];
  if (!type) throw new Error(`WIT: ${home} has no type ${name}`);
  if (!type.use) return { home, type };
  const from = type.use.includes("/") ? type.use : `${home.split("/")[0]}/${type.use}`;
  return lookup(all, from, type.name);
}

const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** Every function of the wanted interfaces below the folders: `{interface: {function: {params, result}}}`. */
export function interfaces(folders, wanted) {
  const all = {};
  for (const folder of folders) for (const path of files(folder)) new Parser(readFileSync(path, "utf8")).file(all);
  const result = {};
  for (const name of Object.keys(all).sort().filter(wanted)) {
    const functions = {};
    for (const [key, { params, result: answer }] of Object.entries(all[name].functions)) {
      functions[key] = [params.map((type) => resolve(all, name, type)), resolve(all, name, answer)];
    }
    if (Object.keys(functions).length > 0) result[name] = functions;
  }
  return result;
}
