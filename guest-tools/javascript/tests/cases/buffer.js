// Buffer and encodings.
console.log(Buffer.from('héllo €', 'utf8'), Buffer.from('ff00zz', 'hex'), Buffer.from('aGVsbG8', 'base64').toString(), Buffer.from('_-8', 'base64url'));
console.log(Buffer.from('héllo').toString('latin1'), Buffer.from('hé', 'latin1'), Buffer.from('aé', 'utf16le'), Buffer.from([104, 233]).toString('latin1'), Buffer.from('a b').toString('base64url'));
console.log(Buffer.alloc(5, 'ab').toString(), Buffer.alloc(3), Buffer.concat([Buffer.from('a'), Buffer.from('b')]).toString(), Buffer.byteLength('é'), Buffer.compare(Buffer.from('a'), Buffer.from('b')));
const buffer = Buffer.alloc(16);
buffer.writeUInt32BE(0xdeadbeef, 0); buffer.writeInt16LE(-2, 4); buffer.writeDoubleBE(1.5, 8);
console.log(buffer, buffer.readUInt32BE(0).toString(16), buffer.readInt16LE(4), buffer.readDoubleBE(8), buffer.readUIntBE(0, 3), buffer.readUint8(0));
console.log(buffer.indexOf(0xbe), Buffer.from('hello world').indexOf('o w'), Buffer.from('hello').lastIndexOf('l'), Buffer.from('abc').includes('bc'), Buffer.from('abc').equals(Buffer.from('abc')));
console.log(JSON.stringify(Buffer.from('ab')), Buffer.isBuffer(Buffer.alloc(1)), Buffer.from(new Uint16Array([1, 2])).length, Buffer.from('abcdef').subarray(2, 4).toString(), Buffer.from('abc').write('x', 1), Buffer.isEncoding('UTF8'));
for (const bad of [undefined, null, 5]) try { Buffer.from(bad); } catch (error) { console.log(error.code); }
console.log(new TextDecoder().decode(new TextEncoder().encode('€')), atob('aGk='), btoa('hi'), new TextDecoder().decode(Buffer.from([0xff, 0x61])));
const { StringDecoder } = require('string_decoder');
const decoder = new StringDecoder('utf8');
console.log([decoder.write(Buffer.from([0xe2, 0x82])), decoder.write(Buffer.from([0xac])), decoder.end()]);
const copy = Buffer.from('abc'); copy.fill('z', 1); console.log(copy.toString(), copy.swap16 ? 'swap' : '', [...copy.entries()]);
console.log(Buffer.from('test').toString('hex', 1, 3), Buffer.from('a').toString('ascii'), String(Buffer.from('s')), Buffer.from('x') + 'y');
console.log(structuredClone({ a: new Date(0), b: new Map([[1, new Set([2])]]), c: [undefined, null] }));
try { structuredClone(() => 1); } catch (error) { console.log(error.name); }
