// tls: what reads its names works; the host speaks TLS, for HTTPS alone.
const net = require('net');
const refuse = (name) => Object.assign(new Error(`tls.${name} is not available here: connections within a sandbox are plain, and other hosts are reached by https, fetch or curl`), { code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' });
class TLSSocket extends net.Socket { constructor() { super(); this.encrypted = true; this.authorized = false; } }
const connect = (...given) => {
  const done = given.find((one) => typeof one === 'function');
  const socket = new TLSSocket();
  if (done) socket.once('secureConnect', done);
  process.nextTick(() => socket.destroy(refuse('connect')));
  return socket;
};
module.exports = {
  connect, TLSSocket, createServer() { throw refuse('createServer'); }, createSecureContext: (options = {}) => ({ context: options }), checkServerIdentity: () => undefined,
  getCiphers: () => ['tls_aes_256_gcm_sha384', 'tls_chacha20_poly1305_sha256', 'tls_aes_128_gcm_sha256'], rootCertificates: Object.freeze([]),
  DEFAULT_MIN_VERSION: 'TLSv1.2', DEFAULT_MAX_VERSION: 'TLSv1.3', DEFAULT_ECDH_CURVE: 'auto', DEFAULT_CIPHERS: 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256', CLIENT_RENEG_LIMIT: 3, CLIENT_RENEG_WINDOW: 600,
};
