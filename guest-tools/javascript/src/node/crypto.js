// crypto: digests, signatures by a shared key, and random values.
const { Transform } = require('stream');
const ALGORITHMS = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];
const fail = (Kind, code, message) => { throw Object.assign(new Kind(message), { code }); };
const algorithmOf = (name) => {
  const known = String(name).toLowerCase().replace(/^(rsa-)?sha-?(\d+)$/, 'sha$2');
  if (!ALGORITHMS.includes(known)) fail(Error, 'ERR_OSSL_EVP_UNSUPPORTED', 'Digest method not supported');
  return known;
};
const bytesOf = (data, encoding) => {
  if (typeof data === 'string') return Buffer.from(data, encoding);
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  if (data instanceof KeyObject) return data.export();
  return fail(TypeError, 'ERR_INVALID_ARG_TYPE', `The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received ${globalThis.__inspect.received(data)}`);
};
const shown = (bytes, encoding) => { const buffer = Buffer.from(bytes.buffer); return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer; };
class KeyObject {
  #bytes;
  constructor(bytes) { this.#bytes = bytes; this.type = 'secret'; this.symmetricKeySize = bytes.length; }
  export() { return this.#bytes; }
}
class Hash extends Transform {
  constructor(finish) { super(); Object.defineProperties(this, { finish: { value: finish }, parts: { value: [], writable: true }, done: { value: false, writable: true } }); }
  update(data, encoding) {
    if (this.done) fail(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
    this.parts.push(Buffer.from(bytesOf(data, encoding)));
    return this;
  }
  digest(encoding) {
    if (this.done) fail(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
    this.done = true;
    return shown(this.finish(Buffer.concat(this.parts)), encoding);
  }
  copy() { const made = new this.constructor(this.finish); made.parts = [...this.parts]; return made; }
  _transform(chunk, encoding, done) { this.update(chunk, encoding === 'buffer' ? undefined : encoding); done(); }
  _flush(done) { done(null, this.digest()); }
}
class Hmac extends Hash {}
const createHash = (name) => { const algorithm = algorithmOf(name); return new Hash((content) => host.digest(algorithm, content)); };
const createHmac = (name, key) => {
  if (!ALGORITHMS.includes(String(name).toLowerCase())) fail(Error, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${name}`);
  const [algorithm, bytes] = [algorithmOf(name), bytesOf(key)];
  return new Hmac((content) => host.hmac(algorithm, bytes, content));
};
const withCallback = (call) => (...rest) => {
  if (typeof rest.at(-1) !== 'function') return call(...rest);
  const done = rest.pop();
  let value;
  try { value = call(...rest); } catch (error) { return void process.nextTick(done, error); }
  return void setImmediate(done, null, value);
};
const random = (count) => { const parts = []; for (let left = count; left > 0; left -= 1 << 20) parts.push(Buffer.from(host.random(Math.min(left, 1 << 20)).buffer)); return Buffer.concat(parts); };
const randomFillSync = (target, offset = 0, size) => {
  const bytes = ArrayBuffer.isView(target) ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength) : new Uint8Array(target);
  bytes.set(random(size ?? bytes.length - offset), offset);
  return target;
};
const randomInt = (low, high) => {
  if (high === undefined) [low, high] = [0, low];
  if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || high <= low) fail(RangeError, 'ERR_OUT_OF_RANGE', `The value of "max" is out of range. It must be greater than the value of "min" (${low}). Received ${high}`);
  const range = high - low, limit = 2 ** 48 - (2 ** 48 % range);
  for (;;) { const value = random(6).readUIntBE(0, 6); if (value < limit) return low + (value % range); }
};
const randomUUID = () => {
  const bytes = host.random(16);
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  return host.toText(bytes, 'hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};
const timingSafeEqual = (left, right) => {
  const [one, two] = [bytesOf(left), bytesOf(right)];
  if (one.length !== two.length) fail(RangeError, 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH', 'Input buffers must have the same byte length');
  let differs = 0;
  for (let at = 0; at < one.length; at++) differs |= one[at] ^ two[at];
  return differs === 0;
};
const pbkdf2Sync = (password, salt, rounds, length, name = 'sha1') => {
  const [key, base, out, algorithm] = [bytesOf(password), bytesOf(salt), [], algorithmOf(name)];
  for (let block = 1, size = 0; size < length; block++) {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(block);
    let last = host.hmac(algorithm, key, Buffer.concat([base, number]));
    const sum = Buffer.from(last);
    for (let round = 1; round < rounds; round++) { last = host.hmac(algorithm, key, last); for (let at = 0; at < sum.length; at++) sum[at] ^= last[at]; }
    out.push(sum);
    size += sum.length;
  }
  return Buffer.concat(out, length);
};
const hkdfSync = (name, secret, salt, info, length) => {
  const algorithm = algorithmOf(name);
  const key = host.hmac(algorithm, bytesOf(salt), bytesOf(secret));
  let last = Buffer.alloc(0), out = Buffer.alloc(0);
  for (let block = 1; out.length < length; block++) { last = Buffer.from(host.hmac(algorithm, key, Buffer.concat([last, bytesOf(info), Buffer.from([block])]))); out = Buffer.concat([out, last]); }
  return new Uint8Array(out.subarray(0, length)).buffer;
};
const later = (call) => (...rest) => { const done = rest.pop(); let value; try { value = call(...rest); } catch (error) { return void process.nextTick(done, error); } setImmediate(done, null, value); };
const getRandomValues = (array) => {
  if (!ArrayBuffer.isView(array) || array.byteLength > 65536) throw new DOMException('The requested length exceeds 65,536 bytes', 'QuotaExceededError');
  return randomFillSync(array);
};
const subtle = {
  async digest(algorithm, data) { return new Uint8Array(host.digest(algorithmOf(algorithm.name ?? algorithm), bytesOf(data))).buffer; },
  async importKey(format, data, algorithm, extractable, usages) {
    if (format !== 'raw' || algorithm.name !== 'HMAC') throw new DOMException('Only raw HMAC keys are supported', 'NotSupportedError');
    return { type: 'secret', algorithm: { name: 'HMAC', hash: { name: algorithm.hash.name ?? algorithm.hash } }, extractable, usages, data: Buffer.from(bytesOf(data)) };
  },
  async sign(_, key, data) { return new Uint8Array(host.hmac(algorithmOf(key.algorithm.hash.name), key.data, bytesOf(data))).buffer; },
  async verify(_, key, signature, data) { return timingSafeEqual(host.hmac(algorithmOf(key.algorithm.hash.name), key.data, bytesOf(data)), bytesOf(signature)); },
};
const webcrypto = { getRandomValues, randomUUID, subtle };
module.exports = {
  Hash, Hmac, KeyObject, createHash, createHmac, getHashes: () => ALGORITHMS, getRandomValues, webcrypto, subtle, timingSafeEqual, randomUUID, randomFillSync, pbkdf2Sync, hkdfSync,
  hash: (algorithm, data, encoding = 'hex') => createHash(algorithm).update(data).digest(encoding), createSecretKey: (key, encoding) => new KeyObject(bytesOf(key, encoding)),
  randomBytes: withCallback(random), randomInt: withCallback(randomInt), randomFill: later(randomFillSync), pbkdf2: later(pbkdf2Sync), hkdf: later(hkdfSync), constants: {},
};
for (const name of ['createCipheriv', 'createDecipheriv', 'createSign', 'createVerify', 'generateKeyPairSync', 'scryptSync', 'publicEncrypt', 'createDiffieHellman']) {
  module.exports[name] = () => fail(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', `crypto.${name} is not available here: use the command openssl, or a package of JavaScript`);
}
