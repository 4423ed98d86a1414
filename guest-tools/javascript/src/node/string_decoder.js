// string_decoder: texts whose bytes arrive in pieces.
class Decoder {
  begin(encoding) {
    if (!Buffer.isEncoding(encoding)) throw Object.assign(new TypeError(`Unknown encoding: ${encoding}`), { code: 'ERR_UNKNOWN_ENCODING' });
    this.encoding = encoding.toLowerCase().replace('utf-8', 'utf8');
    this.rest = Buffer.alloc(0);
  }
  // How many bytes at the end belong to something that is not whole.
  open(bytes) {
    const length = bytes.length;
    if (this.encoding === 'utf8') {
      for (let back = 1; back <= Math.min(3, length); back++) {
        const byte = bytes[length - back];
        if (byte < 128) return 0;
        if (byte >= 192) return back < (byte >= 240 ? 4 : byte >= 224 ? 3 : 2) ? back : 0;
      }
      return 0;
    }
    if (/^(utf-?16le|ucs-?2)$/.test(this.encoding)) return length % 2;
    return this.encoding === 'base64' ? length % 3 : 0;
  }
  write(chunk) {
    if (typeof chunk === 'string') return chunk;
    const bytes = this.rest.length ? Buffer.concat([this.rest, chunk]) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const open = this.open(bytes);
    this.rest = Buffer.from(bytes.subarray(bytes.length - open));
    return bytes.toString(this.encoding, 0, bytes.length - open);
  }
  end(chunk) {
    const text = chunk === undefined ? '' : this.write(chunk);
    const rest = this.rest.toString(this.encoding);
    this.rest = Buffer.alloc(0);
    return text + rest;
  }
}
// Old programs call it on an object of theirs.
function StringDecoder(encoding = 'utf8') { Decoder.prototype.begin.call(this, encoding); }
StringDecoder.prototype = Object.create(Decoder.prototype, { constructor: { value: StringDecoder, writable: true, configurable: true } });
module.exports = { StringDecoder };
