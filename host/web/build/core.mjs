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
const MEMORY = 5;
const CUSTOM = 0;

/** The largest core module of a component: the program itself. */
export function coreModule(component) {
  const modules = [...sections(component)].filter(({ id }) => id === CORE_MODULE).map(({ body }) => body);
  if (modules.length === 0) throw new Error("no component: it has no core module");
  return modules.reduce((largest, module) => (module.length > largest.length ? module : largest));
}

/** The module with a maximum of so many pages of memory, and without custom sections: no engine of JavaScript limits it. */
export function limited(module, pages) {
  const parts = [module.subarray(0, 8)];
  for (const { id, body } of sections(module)) {
    if (id === CUSTOM) continue;
    let content = body;
    if (id === MEMORY) {
      const [count, at] = number(body, 0);
      const [least] = number(body, at + 1);
      if (count !== 1 || (body[at] & ~1) !== 0) throw new Error("a module with one memory of 32 bits is wanted");
      content = Uint8Array.from([1, 1, ...leb(least), ...leb(pages)]);
    }
    parts.push(Uint8Array.from([id, ...leb(content.length)]), content);
  }
  return Buffer.concat(parts);
}
