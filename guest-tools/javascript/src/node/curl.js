// Requests to any host, by the sandbox's curl: policy, secrets and TLS stay with the host.
const { spawn } = require('child_process');
const OWN = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'keep-alive', 'upgrade', 'te']);
const CODES = { 6: 'ENOTFOUND', 7: 'ECONNREFUSED', 28: 'ETIMEDOUT', 35: 'EPROTO', 52: 'ECONNRESET', 56: 'ECONNRESET', 60: 'CERT_HAS_EXPIRED' };
const failed = (code, said, url) => {
  const text = said.trim().split('\n').at(-1)?.replace(/^curl: \(\d+\) /, '') || `curl ended with ${code}`;
  const name = /policy|no network|not allowed/i.test(text) ? 'EACCES' : CODES[code] ?? 'ECONNRESET';
  return Object.assign(new Error(text), { code: name, syscall: 'connect', hostname: url.hostname });
};
// Begins a request; `fields` are pairs. `events`: head(parsed), data(chunk), end(), error(error). The body is
// written to what this returns: `stdin`, and `kill` ends it.
exports.request = (method, url, fields, hasBody, events) => {
  const words = ['-sS', '-i', '--globoff', ...(method === 'HEAD' ? ['--head'] : ['-X', method])];
  const given = new Set(fields.map(([name]) => name.toLowerCase()));
  for (const [name, value] of fields) if (!OWN.has(name.toLowerCase())) words.push('-H', value === '' ? `${name};` : `${name}: ${value}`);
  const named = fields.find(([name]) => name.toLowerCase() === 'host');
  if (named && named[1] !== url.host) words.push('-H', `Host: ${named[1]}`);
  for (const name of ['Accept', 'User-Agent', 'Content-Type']) if (!given.has(name.toLowerCase())) words.push('-H', `${name}:`);
  if (hasBody) words.push('--data-binary', '@-');
  words.push(url.href.replace(/#.*$/, ''));
  const child = spawn('curl', words, { stdio: [hasBody ? 'pipe' : 'ignore', 'pipe', 'pipe'] });
  let rest = Buffer.alloc(0), head = null, said = '', over = false;
  const stop = (error) => { if (over) return; over = true; if (error) events.error(error); else events.end(); };
  child.on('error', stop);
  child.stdin?.on('error', () => {});
  child.stderr.on('data', (chunk) => { said += chunk; });
  child.stdout.on('data', (chunk) => {
    if (over) return;
    if (head) return void events.data(chunk);
    rest = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    try {
      let found;
      while (!head && (found = host.parseHead(rest, false))) {
        rest = rest.subarray(found.length);
        if (found.number >= 200) head = found;
      }
    } catch (error) { child.kill(); return void stop(Object.assign(new Error('Parse Error'), { code: 'EPROTO' })); }
    if (!head) return;
    events.head(head);
    if (rest.length) events.data(rest);
  });
  child.on('close', (code) => stop(code === 0 && head ? null : failed(code, said, url)));
  child.stop = (error) => { stop(error); child.kill('SIGKILL'); };
  return child;
};
