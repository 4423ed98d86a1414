// Buffer, TextEncoder, TextDecoder and Blob.
const NAMES = { utf8: 'utf8', 'utf-8': 'utf8', hex: 'hex', base64: 'base64', base64url: 'base64url', latin1: 'latin1', binary: 'latin1', ascii: 'ascii', utf16le: 'utf16le', 'utf-16le': 'utf16le', ucs2: 'utf16le', 'ucs-2': 'utf16le' };
const named = (encoding) => {
  const name = NAMES[String(encoding ?? 'utf8').toLowerCase()];
  if (!name) throw Object.assign(new TypeError(`Unknown encoding: ${encoding}`), { code: 'ERR_UNKNOWN_ENCODING' });
  return name;
};
const encode = (text, encoding) => host.toBytes(text, named(encoding));
const bytesOf = (value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
class Buffer extends Uint8Array {
  static from(value, encoding, length) {
    if (typeof value === 'string') { value = encode(value, encoding); return new Buffer(value.buffer, value.byteOffset, value.length); }
    if (value instanceof ArrayBuffer) return new Buffer(value, encoding || 0, length ?? value.byteLength - (encoding || 0));
    if (value && value.type === 'Buffer' && Array.isArray(value.data)) value = value.data;
    if (value && typeof value === 'object' && typeof value.valueOf() === 'string') return Buffer.from(value.valueOf(), encoding);
    if (value === null || typeof value !== 'object' || value.length === undefined) throw Object.assign(new TypeError(`The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object. Received ${globalThis.__inspect.received(value)}`), { code: 'ERR_INVALID_ARG_TYPE' });
    const out = new Buffer(value.length);
    out.set(value);
    return out;
  }
  static alloc(size, fill, encoding) {
    const out = new Buffer(size);
    if (fill !== undefined) out.fill(fill, 0, size, encoding);
    return out;
  }
  static allocUnsafe(size) { return new Buffer(size); }
  static isBuffer(value) { return value instanceof Buffer; }
  static byteLength(value, encoding) { return typeof value === 'string' ? encode(value, encoding).length : value.byteLength; }
  static concat(list, total = list.reduce((sum, part) => sum + part.length, 0)) {
    const out = new Buffer(total);
    let at = 0;
    for (const part of list) {
      out.set(part.subarray(0, Math.max(0, total - at)), at);
      at += part.length;
    }
    return out;
  }
  static compare(left, right) { return Buffer.from(left).compare(right); }
  static allocUnsafeSlow(size) { return new Buffer(size); }
  static isEncoding(name) { return typeof name === 'string' && name.toLowerCase() in NAMES; }
  toString(encoding = 'utf8', start = 0, end = this.length) {
    return host.toText(start === 0 && end >= this.length ? this : this.subarray(Math.max(0, start), Math.max(0, end)), named(encoding));
  }
  toLocaleString(...rest) { return this.toString(...rest); }
  fill(value, start = 0, end = this.length, encoding = 'utf8') {
    if (typeof start === 'string') [start, end, encoding] = [0, this.length, start];
    if (typeof value === 'number') return super.fill(value, start, end);
    const bytes = typeof value === 'string' ? encode(value, encoding) : value;
    if (!bytes.length) return super.fill(0, start, end);
    if (bytes.length === 1) return super.fill(bytes[0], start, end);
    for (let at = start; at < end; at += bytes.length) this.set(bytes.subarray(0, Math.min(bytes.length, end - at)), at);
    return this;
  }
  toJSON() { return { type: 'Buffer', data: [...this] }; }
  equals(other) { return this.compare(other) === 0; }
  compare(other) {
    for (let at = 0; at < Math.min(this.length, other.length); at++) {
      if (this[at] !== other[at]) return this[at] < other[at] ? -1 : 1;
    }
    return Math.sign(this.length - other.length);
  }
  write(text, offset = 0, length = this.length - offset, encoding = 'utf8') {
    if (typeof offset === 'string') [offset, length, encoding] = [0, this.length, offset];
    if (typeof length === 'string') [length, encoding] = [this.length - offset, length];
    const bytes = encode(text, encoding).subarray(0, Math.min(length, this.length - offset));
    this.set(bytes, offset);
    return bytes.length;
  }
  indexOf(value, from = 0, encoding) {
    if (typeof value === 'number') return super.indexOf(value & 255, from);
    const bytes = typeof value === 'string' ? encode(value, encoding) : value;
    if (from < 0) from = Math.max(0, this.length + from);
    for (let at = super.indexOf(bytes[0], from); at >= 0 && at + bytes.length <= this.length; at = super.indexOf(bytes[0], at + 1)) {
      let same = 1;
      while (same < bytes.length && this[at + same] === bytes[same]) same++;
      if (same >= bytes.length) return at;
    }
    return bytes.length ? -1 : from;
  }
  lastIndexOf(value, from = this.length, encoding) {
    if (typeof value === 'number') return super.lastIndexOf(value & 255, from);
    const bytes = typeof value === 'string' ? encode(value, encoding) : value;
    for (let at = Math.min(from, this.length - bytes.length); at >= 0; at--) if (bytes.every((byte, index) => this[at + index] === byte)) return at;
    return -1;
  }
  get parent() { return this.buffer; }
  get offset() { return this.byteOffset; }
  swap16() { for (let at = 0; at + 1 < this.length; at += 2) [this[at], this[at + 1]] = [this[at + 1], this[at]]; return this; }
  includes(value, from) { return this.indexOf(value, from) >= 0; }
  slice(start, end) { return this.subarray(start, end); }
  copy(target, at = 0, start = 0, end = this.length) {
    const part = this.subarray(start, Math.min(end, start + target.length - at));
    target.set(part, at);
    return part.length;
  }
}
const views = { UInt8: 'Uint8', Int8: 'Int8', UInt16: 'Uint16', Int16: 'Int16', UInt32: 'Uint32', Int32: 'Int32', Float: 'Float32', Double: 'Float64', BigUInt64: 'BigUint64', BigInt64: 'BigInt64' };
for (const [name, view] of Object.entries(views)) {
  for (const order of name.endsWith('8') ? [''] : ['LE', 'BE']) {
    const at = (buffer) => new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    const define = (name, value) => Object.defineProperty(Buffer.prototype, name, { value, writable: true, configurable: true });
    define(`read${name}${order}`, function (offset = 0) { return at(this)[`get${view}`](offset, order === 'LE'); });
    define(`write${name}${order}`, function (value, offset = 0) {
      at(this)[`set${view}`](offset, value, order === 'LE');
      return offset + parseInt(view.match(/\d+/)[0], 10) / 8;
    });
  }
}

for (const order of ['LE', 'BE']) {
  const define = (name, value) => Object.defineProperty(Buffer.prototype, name, { value, writable: true, configurable: true });
  const at = (buffer, offset, index, length) => offset + (order === 'LE' ? index : length - 1 - index);
  define(`readUInt${order}`, function (offset, length) { let sum = 0; for (let index = length - 1; index >= 0; index--) sum = sum * 256 + this[at(this, offset, index, length)]; return sum; });
  define(`readInt${order}`, function (offset, length) { const sum = this[`readUInt${order}`](offset, length); return sum >= 2 ** (8 * length - 1) ? sum - 2 ** (8 * length) : sum; });
  for (const name of [`writeUInt${order}`, `writeInt${order}`]) {
    define(name, function (value, offset, length) {
      if (value < 0) value += 2 ** (8 * length);
      for (let index = 0; index < length; index++) { this[at(this, offset, index, length)] = value % 256; value = Math.floor(value / 256); }
      return offset + length;
    });
  }
}
for (const name of Object.getOwnPropertyNames(Buffer.prototype)) {
  if (/^(read|write)(Big)?U[iI]nt/.test(name)) Object.defineProperty(Buffer.prototype, name.replace(/UI/, 'Ui'), { value: Buffer.prototype[name], writable: true, configurable: true });
}
// It can be called without `new`, as old programs do.
const Callable = new Proxy(Buffer, { apply: (_, __, rest) => (typeof rest[0] === 'number' ? Buffer.alloc(rest[0]) : Buffer.from(...rest)) });
class TextEncoder {
  get encoding() { return 'utf-8'; }
  encode(text = '') { return host.toBytes(String(text), 'utf8'); }
  encodeInto(text, target) { const bytes = this.encode(text).subarray(0, target.length); target.set(bytes); return { read: text.length, written: bytes.length }; }
}
class TextDecoder {
  constructor(label = 'utf-8', { fatal = false } = {}) { this.encoding = label.toLowerCase().replace(/^utf8$/, 'utf-8'); this.fatal = fatal; this.rest = null; }
  decode(given, { stream = false } = {}) {
    let bytes = given === undefined ? new Uint8Array(0) : bytesOf(given);
    if (this.encoding === 'utf-8') {
      const decoder = (this.rest ??= new (require('string_decoder').StringDecoder)('utf8'));
      const text = stream ? decoder.write(Buffer.from(bytes)) : decoder.end(Buffer.from(bytes));
      if (!stream) this.rest = null;
      if (this.fatal && text.includes('\ufffd')) throw Object.assign(new TypeError('The encoded data was not valid for encoding utf-8'), { code: 'ERR_ENCODING_INVALID_ENCODED_DATA' });
      return text.replace(/^\ufeff/, '');
    }
    return host.toText(bytes, /16/.test(this.encoding) ? 'utf16le' : 'latin1');
  }
}
class Blob {
  #bytes;
  constructor(parts = [], { type = '' } = {}) {
    this.#bytes = Buffer.concat(parts.map((part) => (part instanceof Blob ? part.#bytes : typeof part === 'string' ? Buffer.from(part) : Buffer.from(bytesOf(part)))));
    this.type = type;
  }
  get size() { return this.#bytes.length; }
  async text() { return this.#bytes.toString(); }
  async arrayBuffer() { return new Uint8Array(this.#bytes).buffer; }
  slice(start, end, type) { return new Blob([this.#bytes.subarray(start, end)], { type }); }
}
module.exports = {
  Buffer: Callable, TextEncoder, TextDecoder, Blob, constants: { MAX_LENGTH: 2 ** 31 - 1, MAX_STRING_LENGTH: 2 ** 29 - 24 }, kMaxLength: 2 ** 31 - 1,
  btoa: (text) => host.toText(encode(String(text), 'latin1'), 'base64'), atob: (text) => host.toText(encode(String(text), 'base64'), 'latin1'),
};
Object.defineProperty(globalThis, '__bufferOf', { value: Buffer, configurable: true });
