// Digests and random values.
const crypto = require('node:crypto');
for (const name of ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512']) console.log(name, crypto.createHash(name).update('héllo').update(Buffer.from([1, 2])).digest('hex'), crypto.createHmac(name, 'key').update('data').digest('base64'));
console.log(crypto.createHash('SHA256').update('').digest());
console.log(crypto.createHash('sha1').update('616263', 'hex').digest('base64url'));
console.log(crypto.randomBytes(8).length, crypto.randomBytes(4).toString('hex').length, crypto.randomUUID().length, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()));
console.log(crypto.timingSafeEqual(Buffer.from('abc'), Buffer.from('abc')), crypto.timingSafeEqual(Buffer.from('abc'), Buffer.from('abd')));
try { crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('ab')); } catch (error) { console.log(error.name, error.code); }
try { crypto.createHash('nope'); } catch (error) { console.log(error.message); }
const hash = crypto.createHash('md5').update('a');
const other = hash.copy();
console.log(hash.digest('hex'), other.update('b').digest('hex'));
try { hash.update('c'); } catch (error) { console.log(error.code); }
console.log(globalThis.crypto.getRandomValues(new Uint32Array(3)).length, crypto.getRandomValues(new Uint8Array(2)).length, crypto.randomInt(5) < 5, crypto.randomInt(3, 4));
console.log(crypto.pbkdf2Sync('pw', 'salt', 10, 20, 'sha256').toString('hex'), Buffer.from(crypto.hkdfSync('sha256', 'key', 'salt', 'info', 20)).toString('hex'));
setTimeout(() => crypto.subtle.digest('SHA-256', new TextEncoder().encode('x')).then((bytes) => console.log(Buffer.from(bytes).toString('hex'))), 200);
require('stream').pipeline(require('stream').Readable.from(['a', 'b']), crypto.createHash('sha1'), (error) => console.log(error)).on('data', (digest) => console.log(digest.toString('hex')));
crypto.randomBytes(3, (error, bytes) => console.log(error, bytes.length));
