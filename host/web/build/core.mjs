// Takes the core module out of a component. What `wit-component` adds for indirection is left behind: see
// `src/component.ts`.

/** The unsigned LEB128 number at `at`, and where it ends. */
function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
}

function leb(value) {
  const bytes = [];
  do {
    const byte = value & 0x7f;
    value >>>= 7;
    bytes.push(value > 0 ? byte | 0x80 : byte);
  } while (value > 0);
  return bytes;
}

function* sections(bytes) {
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at];
    const [length, start] = number(bytes, at + 1);
    yield { id, body: bytes.subarray(start, start + length) };
    at = start + length;
  }
}

const CORE_MODULE = 1;
const IMPORT = 2;
const MEMORY = 5;
const CUSTOM = 0;
/** What the module asks its host for a memory by: `src/component.ts` knows it. */
const HOST_MEMORY = "offshoot:memory";

/** The largest core module of a component: the program itself. */
export function coreModule(component) {
  const modules = [...sections(component)].filter(({ id }) => id === CORE_MODULE).map(({ body }) => body);
  if (modules.length === 0) throw new Error("no component: it has no core module");
  return modules.reduce((largest, module) => (module.length > largest.length ? module : largest));
}

const named = (text) => [...leb(Buffer.byteLength(text)), ...Buffer.from(text)];
const section = (id, content) => Buffer.concat([Uint8Array.from([id, ...leb(content.length)]), content]);

/**
 * The module without custom sections, and with a memory that its host gives: so many pages at most, and fewer where the host
 * says so, since no engine of JavaScript limits one. The name of the import says how many pages it begins with, and has at most.
 */
export function limited(module, pages) {
  const all = [...sections(module)].filter(({ id }) => id !== CUSTOM);
  const own = all.find(({ id }) => id === MEMORY);
  if (!own) return Buffer.concat([module.subarray(0, 8), ...all.map(({ id, body }) => section(id, body))]);
  const [memories, at] = number(own.body, 0);
  const [least] = number(own.body, at + 1);
  if (memories !== 1 || (own.body[at] & ~1) !== 0) throw new Error("a module with one memory of 32 bits is wanted");
  const memory = [...named(HOST_MEMORY), ...named(`${least}-${pages}`), 2, 1, ...leb(least), ...leb(pages)];
  const parts = [];
  let given = false;
  const give = (imports) => {
    const [count, from] = imports ? number(imports, 0) : [0, 0];
    parts.push(section(IMPORT, Buffer.concat([Uint8Array.from(leb(count + 1)), (imports ?? Buffer.alloc(0)).subarray(from), Uint8Array.from(memory)])));
    given = true;
  };
  for (const { id, body } of all) {
    if (!given && id > IMPORT) give(undefined);
    if (id === IMPORT) give(body);
    else if (id !== MEMORY) parts.push(section(id, body));
  }
  return Buffer.concat([module.subarray(0, 8), ...parts]);
}
