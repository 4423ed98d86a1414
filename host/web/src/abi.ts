// The canonical ABI of the component model, as far as the interfaces here need it: how values of WIT types lie in
// the memory of a module and in the arguments of its functions.
//
// Values: integers of 64 bits are `bigint`, other numbers `number`; `list<u8>` is `Uint8Array`; flags are a number
// with a bit for each; an enum is its name; a variant `{ tag, val }`; an option the value or `undefined`; a record
// an object; resources of the host are objects, those of a guest a `GuestHandle`.

/** A type of an interface, as `build/wit.mjs` writes it. */
export type WitType =
  | string
  | { list: WitType }
  | { option: WitType }
  | { tuple: WitType[] }
  | { result: [WitType | null, WitType | null] }
  | { record: [string, WitType][] }
  | { variant: [string, WitType | null][] }
  | { enum: string[] }
  | { flags: string[] }
  | { own: string }
  | { borrow: string };

/** Parameters and result of a function. */
export type Signature = [WitType[], WitType | null];

type Flat = "i32" | "i64" | "f32" | "f64";
/** A value of a core module's function. */
export type Core = number | bigint;

/** A resource that a guest implements: the number that it knows it by. */
export class GuestHandle {
  constructor(readonly rep: number) {}
}

/** What the functions here know of an instance. */
export interface Context {
  /** Its memory, as it is now. */
  bytes(): Uint8Array;
  view(): DataView;
  /** Room in its memory. */
  allocate(size: number, align: number): number;
  /** Handles on resources of the host. */
  readonly handles: Handles;
  /** Handles on resources of the instance itself. */
  readonly own: Handles;
  /** The interface whose resources are the instance's own. */
  readonly exported: string | undefined;
}

/** Numbers that stand for objects; the lowest free one is given out. */
export class Handles {
  private slots: unknown[] = [undefined];
  private free: number[] = [];
  add(value: unknown): number {
    const number = this.free.pop() ?? this.slots.length;
    this.slots[number] = value;
    return number;
  }
  get(number: number): unknown {
    const value = this.slots[number];
    if (value === undefined) throw new TypeError(`handle ${number} is not open`);
    return value;
  }
  remove(number: number): unknown {
    const value = this.get(number);
    this.slots[number] = undefined;
    this.free.push(number);
    return value;
  }
  /** Everything that is open. */
  *values(): Iterable<unknown> {
    for (const value of this.slots) if (value !== undefined) yield value;
  }
}

/** A compiled type. */
export interface Codec {
  readonly size: number;
  readonly align: number;
  readonly flat: readonly Flat[];
  /** Reads a value from memory. */
  load(cx: Context, at: number): unknown;
  /** Writes a value to memory. */
  store(cx: Context, value: any, at: number): void;
  /** Reads a value from arguments. */
  lift(cx: Context, from: Iterator<Core>): unknown;
  /** Writes a value to arguments. */
  lower(cx: Context, value: any, to: Core[]): void;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const round = (at: number, align: number) => Math.ceil(at / align) * align;
const next = (from: Iterator<Core>) => from.next().value as Core;

function scalar(
  size: number,
  flat: Flat,
  load: (view: DataView, at: number) => unknown,
  store: (view: DataView, at: number, value: any) => void,
  lift: (core: any) => unknown = (core) => core,
  lower: (value: any) => Core = (value) => value,
): Codec {
  return {
    size,
    align: size,
    flat: [flat],
    load: (cx, at) => load(cx.view(), at),
    store: (cx, value, at) => store(cx.view(), at, value),
    lift: (_, from) => lift(next(from)),
    lower: (_, value, to) => void to.push(lower(value)),
  };
}

const SCALARS: Record<string, Codec> = {
  bool: scalar(1, "i32", (v, at) => v.getUint8(at) !== 0, (v, at, x) => v.setUint8(at, x ? 1 : 0), (x) => x !== 0, (x) => (x ? 1 : 0)),
  u8: scalar(1, "i32", (v, at) => v.getUint8(at), (v, at, x) => v.setUint8(at, x), (x) => x & 0xff),
  s8: scalar(1, "i32", (v, at) => v.getInt8(at), (v, at, x) => v.setInt8(at, x), (x) => (x << 24) >> 24),
  u16: scalar(2, "i32", (v, at) => v.getUint16(at, true), (v, at, x) => v.setUint16(at, x, true), (x) => x & 0xffff),
  s16: scalar(2, "i32", (v, at) => v.getInt16(at, true), (v, at, x) => v.setInt16(at, x, true), (x) => (x << 16) >> 16),
  u32: scalar(4, "i32", (v, at) => v.getUint32(at, true), (v, at, x) => v.setUint32(at, x, true), (x) => x >>> 0),
  s32: scalar(4, "i32", (v, at) => v.getInt32(at, true), (v, at, x) => v.setInt32(at, x, true)),
  u64: scalar(8, "i64", (v, at) => v.getBigUint64(at, true), (v, at, x) => v.setBigUint64(at, x, true), (x) => BigInt.asUintN(64, x)),
  s64: scalar(8, "i64", (v, at) => v.getBigInt64(at, true), (v, at, x) => v.setBigInt64(at, x, true)),
  f32: scalar(4, "f32", (v, at) => v.getFloat32(at, true), (v, at, x) => v.setFloat32(at, x, true)),
  f64: scalar(8, "f64", (v, at) => v.getFloat64(at, true), (v, at, x) => v.setFloat64(at, x, true)),
};

/** A pointer and a length. */
function pair(read: (cx: Context, at: number, length: number) => unknown, write: (cx: Context, value: any) => [number, number]): Codec {
  return {
    size: 8,
    align: 4,
    flat: ["i32", "i32"],
    load(cx, at) {
      const view = cx.view();
      return read(cx, view.getUint32(at, true), view.getUint32(at + 4, true));
    },
    store(cx, value, at) {
      const [start, length] = write(cx, value);
      const view = cx.view();
      view.setUint32(at, start, true);
      view.setUint32(at + 4, length, true);
    },
    lift(cx, from) {
      const start = (next(from) as number) >>> 0;
      return read(cx, start, (next(from) as number) >>> 0);
    },
    lower(cx, value, to) {
      to.push(...write(cx, value));
    },
  };
}

function writeBytes(cx: Context, bytes: Uint8Array): [number, number] {
  const start = cx.allocate(bytes.length, 1);
  cx.bytes().set(bytes, start);
  return [start, bytes.length];
}

const STRING = pair(
  (cx, at, length) => decoder.decode(cx.bytes().subarray(at, at + length)),
  (cx, text: string) => writeBytes(cx, encoder.encode(text)),
);
const BYTES = pair((cx, at, length) => cx.bytes().slice(at, at + length), writeBytes);

function listOf(item: Codec): Codec {
  return pair(
    (cx, at, length) => {
      const items = new Array(length);
      for (let n = 0; n < length; n++) items[n] = item.load(cx, at + n * item.size);
      return items;
    },
    (cx, items: unknown[]) => {
      const start = cx.allocate(items.length * item.size, item.align);
      items.forEach((value, n) => item.store(cx, value, start + n * item.size));
      return [start, items.length];
    },
  );
}

/** Fields one after the other; `names` makes an object of them, without it they are an array. */
function fields(codecs: Codec[], names?: string[]): Codec {
  const align = Math.max(1, ...codecs.map((codec) => codec.align));
  let end = 0;
  const offsets = codecs.map((codec) => {
    const at = round(end, codec.align);
    end = at + codec.size;
    return at;
  });
  const made = (values: unknown[]) => {
    if (!names) return values;
    const object: Record<string, unknown> = {};
    names.forEach((name, n) => (object[name] = values[n]));
    return object;
  };
  const parts = (value: any): any[] => (names ? names.map((name) => value[name]) : value);
  return {
    size: round(end, align),
    align,
    flat: codecs.flatMap((codec) => codec.flat),
    load: (cx, at) => made(codecs.map((codec, n) => codec.load(cx, at + offsets[n]!))),
    store: (cx, value, at) => parts(value).forEach((part, n) => codecs[n]!.store(cx, part, at + offsets[n]!)),
    lift: (cx, from) => made(codecs.map((codec) => codec.lift(cx, from))),
    lower: (cx, value, to) => parts(value).forEach((part, n) => codecs[n]!.lower(cx, part, to)),
  };
}

function join(one: Flat, other: Flat): Flat {
  if (one === other) return one;
  return (one === "i32" && other === "f32") || (one === "f32" && other === "i32") ? "i32" : "i64";
}

function discriminant(cases: number): Codec {
  return SCALARS[cases <= 256 ? "u8" : "u16"]!;
}

const zero = (flat: Flat): Core => (flat === "i64" ? 0n : 0);

/** Cases with a number in front; `enter` and `leave` say how a case looks in JavaScript. */
function cases(
  codecs: (Codec | null)[],
  enter: (value: any) => [number, unknown],
  leave: (index: number, value: unknown) => unknown,
): Codec {
  const tag = discriminant(codecs.length);
  const align = Math.max(tag.align, ...codecs.map((codec) => codec?.align ?? 1));
  const payload = round(tag.size, Math.max(1, ...codecs.map((codec) => codec?.align ?? 1)));
  const size = round(payload + Math.max(0, ...codecs.map((codec) => codec?.size ?? 0)), align);
  const joined: Flat[] = [];
  for (const codec of codecs) {
    codec?.flat.forEach((flat, n) => (joined[n] = joined[n] ? join(joined[n], flat) : flat));
  }
  const checked = (index: number) => {
    if (index >= codecs.length) throw new TypeError(`no case ${index}`);
    return codecs[index];
  };
  return {
    size,
    align,
    flat: ["i32", ...joined],
    load(cx, at) {
      const index = tag.load(cx, at) as number;
      return leave(index, checked(index)?.load(cx, at + payload));
    },
    store(cx, value, at) {
      const [index, inner] = enter(value);
      tag.store(cx, index, at);
      codecs[index]?.store(cx, inner, at + payload);
    },
    lift(cx, from) {
      const index = (next(from) as number) >>> 0;
      const codec = checked(index);
      const raw = joined.map(() => next(from));
      if (!codec) return leave(index, undefined);
      const narrowed = codec.flat.map((flat, n) => {
        const core = raw[n]!;
        return flat === "i32" && typeof core === "bigint" ? Number(BigInt.asIntN(32, core)) : core;
      });
      return leave(index, codec.lift(cx, narrowed.values()));
    },
    lower(cx, value, to) {
      const [index, inner] = enter(value);
      to.push(index);
      const own: Core[] = [];
      codecs[index]?.lower(cx, inner, own);
      joined.forEach((flat, n) => {
        const core = own[n] ?? zero(flat);
        to.push(flat === "i64" && typeof core === "number" ? BigInt(core >>> 0) : core);
      });
    },
  };
}

function flagsOf(names: string[]): Codec {
  if (names.length > 32) throw new TypeError("more than 32 flags");
  return SCALARS[names.length <= 8 ? "u8" : names.length <= 16 ? "u16" : "u32"]!;
}

function enumOf(names: string[]): Codec {
  const numbers = new Map(names.map((name, n) => [name, n]));
  const known = (name: string) => {
    const number = numbers.get(name);
    if (number === undefined) throw new TypeError(`no case ${name}`);
    return number;
  };
  return cases(
    names.map(() => null),
    (name) => [known(name), undefined],
    (index) => names[index],
  );
}

function resource(name: string, owned: boolean): Codec {
  const home = name.slice(0, name.lastIndexOf("/"));
  const lift = (cx: Context, number: number) => {
    const table = cx.exported === home ? cx.own : cx.handles;
    return owned ? table.remove(number) : table.get(number);
  };
  const lower = (cx: Context, value: any): number => {
    if (cx.exported !== home) return cx.handles.add(value);
    // A guest is given its own number for what it lends, and a handle for what it owns from now on.
    return owned ? cx.own.add(value) : (value as GuestHandle).rep;
  };
  return {
    size: 4,
    align: 4,
    flat: ["i32"],
    load: (cx, at) => lift(cx, cx.view().getUint32(at, true)),
    store: (cx, value, at) => cx.view().setUint32(at, lower(cx, value), true),
    lift: (cx, from) => lift(cx, (next(from) as number) >>> 0),
    lower: (cx, value, to) => void to.push(lower(cx, value)),
  };
}

const compiled = new Map<WitType, Codec>();

/** The compiled form of a type. */
export function codec(type: WitType): Codec {
  let known = compiled.get(type);
  if (!known) compiled.set(type, (known = compile(type)));
  return known;
}

function compile(type: WitType): Codec {
  if (typeof type === "string") {
    if (type === "string") return STRING;
    const known = SCALARS[type];
    if (!known) throw new TypeError(`no type ${type}`);
    return known;
  }
  if ("list" in type) return type.list === "u8" ? BYTES : listOf(codec(type.list));
  if ("tuple" in type) return fields(type.tuple.map(codec));
  if ("record" in type) {
    return fields(type.record.map(([, of]) => codec(of)), type.record.map(([name]) => name));
  }
  if ("option" in type) {
    const some = (value: unknown) => (value === undefined ? 0 : 1);
    return cases([null, codec(type.option)], (value) => [some(value), value], (_, value) => value);
  }
  if ("result" in type) {
    const [ok, error] = type.result.map((of) => (of === null ? null : codec(of)));
    return cases(
      [ok ?? null, error ?? null],
      (value: Outcome) => [value.ok ? 0 : 1, value.val],
      (index, val): Outcome => ({ ok: index === 0, val }),
    );
  }
  if ("variant" in type) {
    const names = type.variant.map(([name]) => name);
    return cases(
      type.variant.map(([, of]) => (of === null ? null : codec(of))),
      (value: { tag: string; val?: unknown }) => [names.indexOf(value.tag), value.val],
      (index, val) => ({ tag: names[index], val }),
    );
  }
  if ("enum" in type) return enumOf(type.enum);
  if ("flags" in type) return flagsOf(type.flags);
  return "own" in type ? resource(type.own, true) : resource(type.borrow, false);
}

/** A `result` of WIT. */
export interface Outcome {
  ok: boolean;
  val: unknown;
}

const MOST_PARAMS = 16;

/** A compiled function. */
export interface Callable {
  readonly params: Codec;
  readonly count: number;
  readonly result: Codec | undefined;
  /** Parameters that are too many go through memory. */
  readonly indirect: boolean;
  /** Whether the result goes through memory. */
  readonly returned: boolean;
  /** The result is a `result`. */
  readonly fallible: boolean;
}

/** The compiled form of a function. */
export function callable([params, result]: Signature): Callable {
  const tuple = codec({ tuple: params });
  const answer = result === null ? undefined : codec(result);
  return {
    params: tuple,
    count: params.length,
    result: answer,
    indirect: tuple.flat.length > MOST_PARAMS,
    returned: answer !== undefined && answer.flat.length > 1,
    fallible: result !== null && typeof result === "object" && "result" in result,
  };
}
