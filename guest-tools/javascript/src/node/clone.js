// structuredClone.
const refuse = (value) => { throw new DOMException(`${typeof value === 'symbol' ? String(value) : typeof value === 'function' ? String(value) : '#<Object>'} could not be cloned.`, 'DataCloneError'); };
const copy = (value, seen) => {
  if (typeof value === 'function' || typeof value === 'symbol') refuse(value);
  if (value === null || typeof value !== 'object') return value;
  if (seen.has(value)) return seen.get(value);
  const keep = (made) => { seen.set(value, made); return made; };
  if (value instanceof Date) return keep(new Date(value));
  if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
  if (value instanceof ArrayBuffer) return keep(value.slice(0));
  if (ArrayBuffer.isView(value)) {
    const buffer = copy(value.buffer, seen);
    return keep(value instanceof DataView ? new DataView(buffer, value.byteOffset, value.byteLength) : new (value instanceof globalThis.__bufferOf ? Uint8Array : value.constructor)(buffer, value.byteOffset, value.length));
  }
  if (value instanceof Map) { const made = keep(new Map()); for (const [key, item] of value) made.set(copy(key, seen), copy(item, seen)); return made; }
  if (value instanceof Set) { const made = keep(new Set()); for (const item of value) made.add(copy(item, seen)); return made; }
  if (value instanceof Error) {
    const made = keep(new ({ EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }[value.name] ?? Error)(value.message));
    if ('cause' in value) made.cause = copy(value.cause, seen);
    return made;
  }
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) refuse(value);
  if (value instanceof String || value instanceof Number || value instanceof Boolean) return keep(Object(value.valueOf()));
  const made = keep(Array.isArray(value) ? new Array(value.length) : {});
  for (const key of Object.keys(value)) made[key] = copy(value[key], seen);
  return made;
};
module.exports = { structuredClone: (value) => copy(value, new Map()) };
