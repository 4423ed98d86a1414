// fs: synchronous, with callbacks, promises and streams.
const fs = require('fs'), path = require('path'), os = require('os'), fsp = require('fs/promises');
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'files-'));
process.chdir(root);
(async () => {
  await fsp.writeFile('a.txt', 'one\ntwo\n'); await fsp.appendFile('a.txt', 'three');
  console.log(await fsp.readFile('a.txt', 'utf8'), (await fsp.stat('a.txt')).size, fs.existsSync('no'));
  await fsp.mkdir('d/e', { recursive: true }); await fsp.copyFile('a.txt', 'd/b.txt'); await fsp.rename('d/b.txt', 'd/c.txt');
  console.log(fs.readdirSync('.', { recursive: true }).sort(), (await fsp.readdir('d', { withFileTypes: true })).map((one) => [one.name, one.isDirectory()]));
  const handle = await fsp.open('a.txt', 'r'); const { bytesRead, buffer } = await handle.read(Buffer.alloc(3), 0, 3, 4); console.log(bytesRead, buffer.toString()); await handle.close();
  for (const call of [() => fs.readFileSync('no'), () => fs.mkdirSync('d'), () => fs.rmdirSync('d'), () => fs.readdirSync('a.txt'), () => fs.readFileSync('d'), () => fs.writeFileSync('no/x', '')]) try { call(); } catch (error) { console.log(error.code, error.syscall, error.message); }
  const out = fs.createWriteStream('s.txt'); out.write('x'.repeat(10)); out.end('end'); await new Promise((resolve) => out.on('finish', resolve));
  let text = ''; for await (const chunk of fs.createReadStream('s.txt', { encoding: 'utf8', start: 8 })) text += chunk; console.log(text, out.bytesWritten);
  fs.chmodSync('s.txt', 0o755); console.log((fs.statSync('s.txt').mode & 0o777).toString(8), fs.accessSync('s.txt', fs.constants.X_OK));
  fs.symlinkSync('s.txt', 'link'); console.log(fs.readlinkSync('link'), fs.lstatSync('link').isSymbolicLink(), fs.readFileSync('link', 'utf8').length, path.basename(fs.realpathSync('link')));
  const lines = []; for await (const line of require('readline').createInterface({ input: fs.createReadStream('a.txt') })) lines.push(line); console.log(lines);
  fs.readFile('no', (error) => console.log('callback', error.code));
  await new Promise((resolve) => setTimeout(resolve, 10));
  fs.truncateSync('a.txt', 3); console.log(fs.readFileSync('a.txt', 'latin1')); fs.rmSync('d', { recursive: true }); console.log(fs.readdirSync('.').sort());
  const fd = fs.openSync('w', 'w'); fs.writeSync(fd, 'abc'); fs.writeSync(fd, Buffer.from('def')); fs.closeSync(fd); console.log(fs.readFileSync('w', 'utf8'));
  try { fs.closeSync(99); } catch (error) { console.log(error.code); }
  fs.rmSync(root, { recursive: true, force: true });
})();
