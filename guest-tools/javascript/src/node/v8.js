// v8: values as the bytes that V8 makes of them, and what this engine can say of itself.
const VERSION = 15;
const VIEWS = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, DataView, Buffer, BigInt64Array, BigUint64Array];
const FLAGS = 'gimyus';
const ERRORS = { EvalError: 'E', RangeError: 'R', ReferenceError: 'F', SyntaxError: 'S', TypeError: 'T', URIError: 'U' };
const viewOf = (value) => (Buffer.isBuffer(value) ? 10 : VIEWS.findIndex((View) => View !== Buffer && value.constructor === View));

class Serializer {
  #out = [];
  #known = new Map();
  writeHeader() { this.#out.push(0xff, VERSION); }
  releaseBuffer() { const made = Buffer.from(this.#out); this.#out = []; return made; }
  writeUint32(value) { let rest = value >>> 0; while (rest > 127) { this.#out.push((rest & 127) | 128); rest >>>= 7; } this.#out.push(rest); }
  writeUint64(high, low) { let rest = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0); while (rest > 127n) { this.#out.push(Number(rest & 127n) | 128); rest >>= 7n; } this.#out.push(Number(rest)); }
  writeDouble(value) { this.writeRawBytes(new Uint8Array(new Float64Array([value]).buffer)); }
  writeRawBytes(bytes) { const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength); for (let at = 0; at < plain.length; at++) this.#out.push(plain[at]); }
  transferArrayBuffer() {}
  #tag(letter) { this.#out.push(letter.charCodeAt(0)); }
  #string(text) {
    let isNarrow = true;
    for (let at = 0; isNarrow && at < text.length; at++) isNarrow = text.charCodeAt(at) < 256;
    // Wide letters begin at an even place.
    const length = isNarrow ? text.length : text.length * 2;
    if (!isNarrow && (this.#out.length + 1 + (length < 128 ? 1 : length < 16384 ? 2 : length < 2097152 ? 3 : 4)) & 1) this.#out.push(0);
    this.#tag(isNarrow ? '"' : 'c');
    this.writeUint32(length);
    for (let at = 0; at < text.length; at++) { const unit = text.charCodeAt(at); this.#out.push(unit & 255); if (!isNarrow) this.#out.push(unit >> 8); }
  }
  #bigint(value) {
    const isNegative = value < 0n, digits = [];
    for (let rest = isNegative ? -value : value; rest > 0n; rest >>= 64n) { const word = rest & 0xffffffffffffffffn; for (let at = 0n; at < 64n; at += 8n) digits.push(Number((word >> at) & 255n)); }
    this.writeUint32((digits.length << 1) | (isNegative ? 1 : 0));
    this.#out.push(...digits);
  }
  #number(value) {
    if (Number.isInteger(value) && !Object.is(value, -0) && value >= -0x40000000 && value < 0x40000000) { this.#tag('I'); this.writeUint32((value << 1) ^ (value >> 31)); } else { this.#tag('N'); this.writeDouble(value); }
  }
  #properties(value, keys) {
    let count = 0;
    for (const key of keys) {
      const index = Number(key);
      if (String(index) === key && index >= 0 && index < 0x40000000) this.#number(index); else this.#string(key);
      this.writeValue(value[key]);
      count++;
    }
    return count;
  }
  #array(value) {
    const { length } = value, more = Object.keys(value).filter((key) => !(String(Number(key)) === key && Number(key) < length));
    const isDense = Object.keys(value).length - more.length === length;
    this.#tag(isDense ? 'A' : 'a');
    this.writeUint32(length);
    if (isDense) for (let at = 0; at < length; at++) { if (at in value) this.writeValue(value[at]); else this.#tag('-'); }
    const count = this.#properties(value, isDense ? more : Object.keys(value));
    this.#tag(isDense ? '$' : '@');
    this.writeUint32(count);
    this.writeUint32(length);
  }
  #error(value) {
    this.#tag('r');
    if (ERRORS[value.name]) this.#tag(ERRORS[value.name]);
    if (value.message !== undefined) { this.#tag('m'); this.#string(String(value.message)); }
    if (value.stack !== undefined) { this.#tag('s'); this.#string(String(value.stack)); }
    this.#tag('.');
  }
  #object(value) {
    if (typeof value === 'function' || value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) throw this._getDataCloneError(`${typeof value === 'function' ? value : `#<${value.constructor.name}>`} could not be cloned.`);
    if (Array.isArray(value)) return this.#array(value);
    if (value instanceof Date) { this.#tag('D'); return this.writeDouble(Number(value)); }
    if (value instanceof Boolean) return this.#tag(value.valueOf() ? 'y' : 'x');
    if (value instanceof Number) { this.#tag('n'); return this.writeDouble(value.valueOf()); }
    if (value instanceof BigInt) { this.#tag('z'); return this.#bigint(value.valueOf()); }
    if (value instanceof String) { this.#tag('s'); return this.#string(value.valueOf()); }
    if (value instanceof RegExp) { this.#tag('R'); this.#string(value.source); return this.writeUint32([...value.flags].reduce((sum, flag) => sum | (1 << FLAGS.indexOf(flag)), 0)); }
    if (value instanceof Map) {
      this.#tag(';');
      for (const [key, item] of value) { this.writeValue(key); this.writeValue(item); }
      this.#tag(':');
      return this.writeUint32(value.size * 2);
    }
    if (value instanceof Set) { this.#tag("'"); for (const item of value) this.writeValue(item); this.#tag(','); return this.writeUint32(value.size); }
    if (value instanceof Error) return this.#error(value);
    if (value instanceof ArrayBuffer) { this.#tag('B'); this.writeUint32(value.byteLength); return this.writeRawBytes(new Uint8Array(value)); }
    this.#tag('o');
    const count = this.#properties(value, Object.keys(value));
    this.#tag('{');
    this.writeUint32(count);
  }
  writeValue(value) {
    if (value === undefined) return this.#tag('_');
    if (value === null) return this.#tag('0');
    if (typeof value === 'boolean') return this.#tag(value ? 'T' : 'F');
    if (typeof value === 'number') return this.#number(value);
    if (typeof value === 'bigint') { this.#tag('Z'); return this.#bigint(value); }
    if (typeof value === 'string') return this.#string(value);
    if (typeof value === 'symbol') throw this._getDataCloneError(`${String(value)} could not be cloned.`);
    const before = this.#known.get(value);
    if (before !== undefined) { this.#tag('^'); return this.writeUint32(before); }
    this.#known.set(value, this.#known.size);
    if (ArrayBuffer.isView(value)) { this.#tag('\\'); return this._writeHostObject(value); }
    this.#object(value);
  }
  _getDataCloneError(message) { return new Error(message); }
  _writeHostObject(value) {
    const index = viewOf(value);
    if (index < 0) throw this._getDataCloneError(`Unserializable host object: ${globalThis.__inspect.inspect(value)}`);
    this.writeUint32(index);
    this.writeUint32(value.byteLength);
    this.writeRawBytes(value);
  }
}

class Deserializer {
  #bytes; #at = 0; #known = [];
  constructor(buffer) { this.#bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength); this.buffer = buffer; }
  #fail() { throw new Error('Unable to deserialize cloned data.'); }
  #byte() { if (this.#at >= this.#bytes.length) this.#fail(); return this.#bytes[this.#at++]; }
  readHeader() {
    if (this.#byte() !== 0xff || this.#bytes[this.#at] > VERSION) throw new Error('Unable to deserialize cloned data due to invalid or unsupported version.');
    this.#at++;
    return true;
  }
  getWireFormatVersion() { return VERSION; }
  readUint32() { let value = 0, shift = 0, byte; do { byte = this.#byte(); if (shift < 32) value |= (byte & 127) << shift; shift += 7; } while (byte & 128); return value >>> 0; }
  readUint64() { let value = 0n, shift = 0n, byte; do { byte = this.#byte(); value |= BigInt(byte & 127) << shift; shift += 7n; } while (byte & 128); return [Number(value >> 32n), Number(value & 0xffffffffn)]; }
  readRawBytes(length) { const from = this.#at; this.#at += length; if (this.#at > this.#bytes.length) this.#fail(); return Buffer.from(this.#bytes.slice(from, this.#at)); }
  readDouble() { const bytes = this.readRawBytes(8); return bytes.readDoubleLE(0); }
  transferArrayBuffer() {}
  #keep(value) { this.#known.push(value); return value; }
  #peek(letter) { while (this.#bytes[this.#at] === 0) this.#at++; return this.#bytes[this.#at] === letter.charCodeAt(0); }
  #until(letter, each) { while (!this.#peek(letter)) each(); this.#at++; }
  #bigint() {
    const bits = this.readUint32(), bytes = this.readRawBytes(bits >> 1);
    let value = 0n;
    for (let at = bytes.length - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes[at]);
    return bits & 1 ? -value : value;
  }
  #error() {
    let Made = Error, message, stack, cause, isOver = false;
    const place = this.#known.push(undefined) - 1;
    while (!isOver) {
      const letter = String.fromCharCode(this.#byte());
      if (letter === '.') isOver = true;
      else if (letter === 'm') message = this.readValue();
      else if (letter === 's') stack = this.readValue();
      else if (letter === 'c') cause = this.readValue();
      else Made = globalThis[Object.keys(ERRORS).find((name) => ERRORS[name] === letter)] ?? this.#fail();
    }
    const made = this.#known[place] = new Made(message, cause === undefined ? undefined : { cause });
    Object.defineProperty(made, 'stack', { value: stack, writable: true, configurable: true });
    return made;
  }
  #array(made, isDense) {
    if (isDense) for (let at = 0; at < made.length; at++) { if (this.#peek('-')) this.#at++; else made[at] = this.readValue(); }
    this.#until(isDense ? '$' : '@', () => { made[this.readValue()] = this.readValue(); });
    this.readUint32();
    this.readUint32();
    return made;
  }
  readValue() {
    let letter;
    do letter = String.fromCharCode(this.#byte()); while (letter === '\0');
    switch (letter) {
      case '_': return undefined;
      case '0': return null;
      case 'T': return true;
      case 'F': return false;
      case 'I': { const bits = this.readUint32(); return (bits >>> 1) ^ -(bits & 1); }
      case 'U': return this.readUint32();
      case 'N': return this.readDouble();
      case 'Z': return this.#bigint();
      case '"': return this.readRawBytes(this.readUint32()).toString('latin1');
      case 'c': return this.readRawBytes(this.readUint32()).toString('utf16le');
      case 'S': return this.readRawBytes(this.readUint32()).toString('utf8');
      case '^': { const index = this.readUint32(); if (index >= this.#known.length) this.#fail(); return this.#known[index]; }
      case 'D': return this.#keep(new Date(this.readDouble()));
      case 'y': return this.#keep(Object(true));
      case 'x': return this.#keep(Object(false));
      case 'n': return this.#keep(Object(this.readDouble()));
      case 'z': return this.#keep(Object(this.#bigint()));
      case 's': return this.#keep(Object(this.readValue()));
      case 'R': { const place = this.#known.push(undefined) - 1, source = this.readValue(), bits = this.readUint32(); return (this.#known[place] = new RegExp(source, [...FLAGS].filter((_, at) => bits & (1 << at)).join(''))); }
      case 'B': { const bytes = this.readRawBytes(this.readUint32()); return this.#keep(new Uint8Array(bytes).buffer); }
      case ';': { const made = this.#keep(new Map()); this.#until(':', () => { const key = this.readValue(); made.set(key, this.readValue()); }); this.readUint32(); return made; }
      case "'": { const made = this.#keep(new Set()); this.#until(',', () => made.add(this.readValue())); this.readUint32(); return made; }
      case 'A': return this.#array(this.#keep(new Array(this.readUint32())), true);
      case 'a': return this.#array(this.#keep(new Array(this.readUint32())), false);
      case 'o': { const made = this.#keep({}); this.#until('{', () => { const key = this.readValue(); Object.defineProperty(made, key, { value: this.readValue(), writable: true, enumerable: true, configurable: true }); }); this.readUint32(); return made; }
      case 'r': return this.#error();
      case '\\': { const place = this.#known.push(undefined) - 1; return (this.#known[place] = this._readHostObject()); }
      default: return this.#fail();
    }
  }
  _readHostObject() {
    const View = VIEWS[this.readUint32()] ?? this.#fail(), bytes = this.readRawBytes(this.readUint32());
    if (View === Buffer) return bytes;
    const { buffer } = new Uint8Array(bytes);
    return View === DataView ? new View(buffer) : new View(buffer, 0, buffer.byteLength / View.BYTES_PER_ELEMENT);
  }
}
class DefaultSerializer extends Serializer {}
class DefaultDeserializer extends Deserializer {}
const serialize = (value) => { const made = new DefaultSerializer(); made.writeHeader(); made.writeValue(value); return made.releaseBuffer(); };
const deserialize = (buffer) => {
  if (!ArrayBuffer.isView(buffer)) throw Object.assign(new TypeError('buffer must be a TypedArray or a DataView'), { code: 'ERR_INVALID_ARG_TYPE' });
  const made = new DefaultDeserializer(buffer);
  made.readHeader();
  return made.readValue();
};
// The engine has a heap without a size of its own: what counts is the memory of the process.
const getHeapStatistics = () => {
  const used = host.memory();
  return {
    total_heap_size: used, total_heap_size_executable: 0, total_physical_size: used, total_available_size: Math.max(268435456 - used, 0), used_heap_size: used, heap_size_limit: 268435456, malloced_memory: used, peak_malloced_memory: used,
    does_zap_garbage: 0, number_of_native_contexts: 1, number_of_detached_contexts: 0, total_global_handles_size: 0, used_global_handles_size: 0, external_memory: 0,
  };
};
const missing = (name) => () => { throw Object.assign(new Error(`v8.${name} is not available here: the engine is Boa`), { code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' }); };
module.exports = {
  cachedDataVersionTag: () => 0, getHeapStatistics, getHeapSpaceStatistics: () => [], getHeapCodeStatistics: () => ({ code_and_metadata_size: 0, bytecode_and_metadata_size: 0, external_script_source_size: 0, cpu_profiler_metadata_size: 0 }),
  setFlagsFromString() {}, Serializer, Deserializer, DefaultSerializer, DefaultDeserializer, serialize, deserialize, takeCoverage() {}, stopCoverage() {},
  getHeapSnapshot: missing('getHeapSnapshot'), writeHeapSnapshot: missing('writeHeapSnapshot'), setHeapSnapshotNearHeapLimit() {},
};
