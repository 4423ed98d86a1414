// zlib.
const { Transform } = require('stream');
const CODES = { Z_DATA_ERROR: [-3, 'incorrect header check'], Z_BUF_ERROR: [-5, 'unexpected end of file'] };
const bytesOf = (data) => (typeof data === 'string' ? Buffer.from(data) : data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
const level = (options) => { const given = options?.level ?? -1; return given < 0 ? 6 : given; };
const compress = (format) => (data, options) => Buffer.from(host.compress(format, bytesOf(data), level(options)).buffer);
const expand = (format) => (data, options) => {
  let out;
  const bytes = bytesOf(data);
  const found = format ?? (bytes[0] === 31 && bytes[1] === 139 ? 'gzip' : 'deflate');
  try { out = Buffer.from(host.expand(found, bytes).buffer); } catch (error) {
    if (!(error.message in CODES)) throw error;
    const [errno, text] = CODES[error.message];
    throw Object.assign(new Error(text), { errno, code: error.message });
  }
  if (options?.maxOutputLength !== undefined && out.length > options.maxOutputLength) throw Object.assign(new RangeError(`Cannot create a Buffer larger than ${options.maxOutputLength} bytes`), { code: 'ERR_BUFFER_TOO_LARGE' });
  return out;
};
const crcs = Array.from({ length: 256 }, (_, byte) => { let value = byte; for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1; return value >>> 0; });
const crc32 = (data, start = 0) => { let value = ~start; for (const byte of bytesOf(data)) value = crcs[(value ^ byte) & 255] ^ (value >>> 8); return ~value >>> 0; };
const KINDS = { gzip: ['Gzip', compress('gzip')], gunzip: ['Gunzip', expand('gzip')], deflate: ['Deflate', compress('deflate')], inflate: ['Inflate', expand('deflate')], deflateRaw: ['DeflateRaw', compress('raw')], inflateRaw: ['InflateRaw', expand('raw')], unzip: ['Unzip', expand()] };
for (const [name, [title, call]] of Object.entries(KINDS)) {
  exports[`${name}Sync`] = call;
  exports[name] = (data, options, done) => {
    if (typeof options === 'function') [options, done] = [undefined, options];
    setImmediate(() => { let out; try { out = call(data, options); } catch (error) { return done(error); } done(null, out); });
  };
  // What went in is worked on at its end.
  exports[title] = class extends Transform {
    constructor(options = {}) { super(options); this.parts = []; this.options = options; }
    _transform(chunk, encoding, done) { this.parts.push(chunk); done(); }
    _flush(done) { try { done(null, call(Buffer.concat(this.parts), this.options)); } catch (error) { done(error); } }
  };
  Object.defineProperty(exports[title], 'name', { value: title });
  exports[`create${title}`] = (options) => new exports[title](options);
}
exports.crc32 = crc32;
exports.constants = { Z_NO_COMPRESSION: 0, Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: -1, Z_FINISH: 4, Z_SYNC_FLUSH: 2, Z_OK: 0 };
