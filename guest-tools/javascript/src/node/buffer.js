// Buffer, TextEncoder and TextDecoder.
(() => {
  'use strict';
  const host = globalThis.__host;
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const toBase64 = (bytes, url) => {
    let out = '';
    for (let at = 0; at < bytes.length; at += 3) {
      const [one, two = 0, three = 0] = bytes.subarray(at, at + 3);
      const word = (one << 16) | (two << 8) | three;
      const left = bytes.length - at;
      out += ALPHABET[word >> 18] + ALPHABET[(word >> 12) & 63];
      out += left > 1 ? ALPHABET[(word >> 6) & 63] : '=';
      out += left > 2 ? ALPHABET[word & 63] : '=';
    }
    return url ? out.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '') : out;
  };
  const fromBase64 = (text) => {
    const bytes = [];
    let word = 0, bits = 0;
    for (const letter of text.replace(/-/g, '+').replace(/_/g, '/')) {
      const value = ALPHABET.indexOf(letter);
      if (letter === '=') break;
      if (value < 0) continue;
      word = ((word << 6) | value) & 0xffffff;
      bits += 6;
      if (bits >= 8) bytes.push((word >> (bits -= 8)) & 255);
    }
    return bytes;
  };
  const encode = (text, encoding = 'utf8') => {
    switch (String(encoding).toLowerCase()) {
      case 'utf8': case 'utf-8': return host.encode(text);
      case 'hex': return (text.match(/[0-9a-f]{2}/gi) || []).map((pair) => parseInt(pair, 16));
      case 'base64': case 'base64url': return fromBase64(text);
      case 'latin1': case 'binary': case 'ascii': return [...text].map((letter) => letter.charCodeAt(0) & 255);
      case 'utf16le': case 'ucs2': return [...Array(text.length).keys()].flatMap((at) => [text.charCodeAt(at) & 255, text.charCodeAt(at) >> 8]);
      default: throw new TypeError(`Unknown encoding: ${encoding}`);
    }
  };
  class Buffer extends Uint8Array {
    static from(value, encoding, length) {
      if (typeof value === 'string') value = encode(value, encoding);
      else if (value instanceof ArrayBuffer) return new Buffer(value, encoding || 0, length ?? value.byteLength - (encoding || 0));
      else if (value && value.type === 'Buffer') value = value.data;
      const out = new Buffer(value.length);
      out.set(value);
      return out;
    }
    static alloc(size, fill, encoding) {
      const out = new Buffer(size);
      if (fill !== undefined) out.fill(typeof fill === 'string' ? encode(fill, encoding)[0] : fill);
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
    toString(encoding = 'utf8', start = 0, end = this.length) {
      const part = this.subarray(start, end);
      switch (String(encoding).toLowerCase()) {
        case 'utf8': case 'utf-8': return host.decode(part);
        case 'hex': return [...part].map((byte) => byte.toString(16).padStart(2, '0')).join('');
        case 'base64': return toBase64(part, false);
        case 'base64url': return toBase64(part, true);
        case 'latin1': case 'binary': return [...part].map((byte) => String.fromCharCode(byte)).join('');
        case 'ascii': return [...part].map((byte) => String.fromCharCode(byte & 127)).join('');
        case 'utf16le': case 'ucs2': return [...Array(part.length >> 1).keys()].map((at) => String.fromCharCode(part[2 * at] | (part[2 * at + 1] << 8))).join('');
        default: throw new TypeError(`Unknown encoding: ${encoding}`);
      }
    }
    toJSON() { return { type: 'Buffer', data: [...this] }; }
    equals(other) { return this.compare(other) === 0; }
    compare(other) {
      for (let at = 0; at < Math.min(this.length, other.length); at++) {
        if (this[at] !== other[at]) return this[at] < other[at] ? -1 : 1;
      }
      return Math.sign(this.length - other.length);
    }
    write(text, offset = 0) {
      const bytes = encode(text).slice(0, this.length - offset);
      this.set(bytes, offset);
      return bytes.length;
    }
    indexOf(value, from = 0) {
      if (typeof value === 'number') return super.indexOf(value, from);
      const bytes = Buffer.from(value);
      for (let at = from; at + bytes.length <= this.length; at++) {
        if (bytes.every((byte, index) => this[at + index] === byte)) return at;
      }
      return -1;
    }
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
  globalThis.Buffer = Buffer;
  globalThis.TextEncoder = class TextEncoder {
    get encoding() { return 'utf-8'; }
    encode(text = '') { return host.encode(String(text)); }
  };
  globalThis.TextDecoder = class TextDecoder {
    get encoding() { return 'utf-8'; }
    decode(bytes) { return bytes === undefined ? '' : host.decode(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)); }
  };
  globalThis.btoa = (text) => Buffer.from(String(text), 'latin1').toString('base64');
  globalThis.atob = (text) => Buffer.from(String(text), 'base64').toString('latin1');
})();
