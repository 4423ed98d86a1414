// Compression, there and back.
const zlib = require('zlib');
const text = 'hello '.repeat(1000);
for (const [one, two] of [['gzipSync', 'gunzipSync'], ['deflateSync', 'inflateSync'], ['deflateRawSync', 'inflateRawSync'], ['gzipSync', 'unzipSync'], ['deflateSync', 'unzipSync']]) {
  const packed = zlib[one](text);
  console.log(one, packed.length < 200, zlib[two](packed).toString() === text);
}
console.log(zlib.gunzipSync(Buffer.from('H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==', 'base64')).toString());
for (const bad of [Buffer.from('nonsense'), zlib.gzipSync('abc').subarray(0, 12)]) try { zlib.gunzipSync(bad); } catch (error) { console.log(error.code, error.errno, error.message); }
const gzip = zlib.createGzip();
const parts = [];
gzip.on('data', (part) => parts.push(part)).on('end', () => {
  console.log('stream', zlib.gunzipSync(Buffer.concat(parts)).toString());
  zlib.gzip('later', (error, packed) => zlib.gunzip(packed, (error, out) => {
    console.log(out.toString());
    require('util').promisify(zlib.deflate)('p').then((packed) => console.log(zlib.inflateSync(packed).toString()));
  }));
});
gzip.write('one '); gzip.end('two');
