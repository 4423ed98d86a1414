// Readable, Writable, Transform, pipeline.
const { Readable, Writable, Transform, PassThrough, Duplex, pipeline, finished } = require('stream');
const { pipeline: piped } = require('stream/promises');
const upper = () => new Transform({ transform(chunk, encoding, done) { done(null, chunk.toString().toUpperCase()); }, flush(done) { this.push('!'); done(); } });
const sink = (name) => new Writable({ write(chunk, encoding, done) { console.log(name, chunk.toString()); done(); }, final(done) { console.log(name, 'final'); done(); } });
(async () => {
  await piped(Readable.from(['a', 'b']), upper(), sink('one'));
  const chunks = [];
  for await (const chunk of new Readable({ read() { this.count = (this.count ?? 0) + 1; this.push(this.count > 3 ? null : String(this.count)); } })) chunks.push(chunk.toString());
  console.log(chunks);
  const objects = [];
  for await (const one of Readable.from([1, { a: 2 }, [3]])) objects.push(one);
  console.log(objects);
  await new Promise((resolve) => pipeline(Readable.from(['x']), new Transform({ transform(chunk, encoding, done) { done(new Error('broken')); } }), sink('two'), (error) => { console.log(error.message); resolve(); }));
  const slow = new Writable({ highWaterMark: 3, write(chunk, encoding, done) { setTimeout(done, 1); } });
  console.log(slow.write('ab'), slow.write('cd'));
  await new Promise((resolve) => slow.once('drain', resolve));
  console.log('drained', slow.writableLength);
  slow.end();
  await new Promise((resolve) => finished(slow, resolve));
  try { slow.on('error', (error) => console.log(error.code)); slow.write('x'); } catch (error) { console.log(error.code); }
  const decoded = new PassThrough();
  decoded.setEncoding('utf8');
  decoded.write(Buffer.from([0xc3])); decoded.end(Buffer.from([0xa9]));
  let text = '';
  for await (const part of decoded) text += part;
  console.log(text);
  class Counter extends Readable { constructor(options) { super(options); this.n = 0; } _read() { this.push(this.n++ < 2 ? `${this.n}` : null); } }
  new Counter().on('data', (chunk) => console.log('data', `${chunk}`)).on('end', () => console.log('end')).on('close', () => console.log('close'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const reader = new Readable({ read() {} });
  reader.push('abcdef'); reader.push(null);
  reader.on('readable', () => { let part; while ((part = reader.read(4)) !== null) console.log('read', part.toString()); });
  await new Promise((resolve) => reader.on('end', resolve));
  const duplex = new Duplex({ read() { this.push('r'); this.push(null); }, write(chunk, encoding, done) { console.log('w', `${chunk}`); done(); } });
  duplex.on('data', (chunk) => console.log('d', `${chunk}`));
  duplex.end('x');
  await new Promise((resolve) => finished(duplex, resolve));
  try { await piped(async function* () { yield 'g'; yield 'h'; }, async function* (source) { for await (const one of source) yield `${one}${one}`; }, async function (source) { for await (const one of source) console.log('last', `${one}`); }); } catch (error) { console.log(error); }
  const broken = new Readable({ read() { this.destroy(new Error('no')); } });
  try { for await (const one of broken) console.log(one); } catch (error) { console.log('threw', error.message); }
})();
