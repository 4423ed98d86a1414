// child_process, with commands that both have.
const { spawnSync, execSync, execFileSync, spawn, exec, execFile } = require('child_process');
const util = require('util');
const show = ({ status, signal, stdout, stderr, error }) => console.log(status, signal, stdout && `${stdout}`, stderr && `${stderr}`, error && [error.code, error.syscall, error.message]);
show(spawnSync('echo', ['a b', '$HOME']));
show(spawnSync('sh', ['-c', 'echo out; echo err >&2; exit 3']));
show(spawnSync('cat', { input: 'given\n', encoding: 'utf8' }));
show(spawnSync('no-such-command', ['x']));
show(spawnSync('pwd', { cwd: '/tmp', encoding: 'utf8' }));
show(spawnSync('printenv', ['A'], { env: { A: '1', PATH: process.env.PATH } }));
show(spawnSync('echo $((1 + 2)) | cat', { shell: true }));
show(spawnSync('sleep', ['5'], { timeout: 50 }));
show(spawnSync('echo', ['x'], { stdio: 'ignore' }));
show(spawnSync('echo', ['inherited'], { stdio: ['ignore', 'inherit', 'pipe'] }));
const big = spawnSync('sh', ['-c', 'head -c 300000 /dev/zero'], { maxBuffer: 1000 });
console.log(big.error?.code, big.stdout.length >= 1000);
console.log(spawnSync('head', ['-c', '200000', '/dev/zero']).stdout.length, spawnSync('wc', ['-c'], { input: 'x'.repeat(300000) }).stdout.toString().trim());
console.log(execSync('echo sync; cat', { input: 'in', encoding: 'utf8' }), execFileSync('basename', ['/a/b.txt']).toString());
try { execSync('echo bad >&2; exit 4', { stdio: 'pipe' }); } catch (error) { console.log(error.status, error.message, `${error.stderr}`); }
try { execFileSync('missing'); } catch (error) { console.log(error.code, error.syscall); }
(async () => {
  await new Promise((resolve) => exec('echo one; echo two >&2; exit 2', (error, stdout, stderr) => { console.log(error.code, error.cmd, stdout, stderr); resolve(); }));
  await new Promise((resolve) => execFile('echo', ['x', 'y'], (error, stdout) => { console.log(error, stdout); resolve(); }));
  console.log(await util.promisify(exec)('echo promised'), await util.promisify(execFile)('false').catch((error) => error.code));
  const cat = spawn('cat');
  let text = '';
  cat.stdout.setEncoding('utf8').on('data', (chunk) => { text += chunk; });
  cat.stdin.write('first '); setTimeout(() => cat.stdin.end('second'), 10);
  await new Promise((resolve) => cat.on('close', (code, signal) => { console.log('cat', code, signal, text); resolve(); }));
  const sleeper = spawn('sleep', ['10']);
  sleeper.on('exit', (code, signal) => console.log('exit', code, signal)).on('spawn', () => { console.log('spawned', sleeper.kill(), sleeper.killed); });
  await new Promise((resolve) => sleeper.on('close', resolve));
  await new Promise((resolve) => spawn('no-such-command').on('error', (error) => { console.log(error.code, error.syscall, error.path); resolve(); }));
  const lines = [];
  for await (const line of require('readline').createInterface({ input: spawn('printf', ['a\\nb\\nc']).stdout })) lines.push(line);
  console.log(lines);
  const both = await Promise.all(['1', '2', '3'].map((name) => util.promisify(exec)(`sleep 0.0${name}; echo ${name}`)));
  console.log(both.map((one) => one.stdout.trim()));
  console.log(await util.promisify(execFile)('sleep', ['5'], { timeout: 30 }).catch((error) => [error.killed, error.signal, error.code]));
  await new Promise((resolve) => { const child = spawn('sh', ['-c', 'exit 7'], { stdio: 'inherit' }); child.on('close', (code) => { console.log(child.stdout, code); resolve(); }); });
})();
