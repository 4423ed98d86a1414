// node --test: each file of tests in a process of its own, and what they find as one.
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');
const isTest = (file) => /(^|\/)(test(-.+)?|[^/]+[._-]test)\.[cm]?js$/.test(file) || /(^|\/)test\/.*\.[cm]?js$/.test(file);
const below = (folder, within) => fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) => {
  const file = path.join(folder, entry.name);
  if (entry.name === 'node_modules') return [];
  if (entry.isDirectory()) return below(file, within);
  return isTest(path.relative(within, file)) ? [file] : [];
});
const named = (name) => {
  if (!fs.existsSync(name)) { process.stderr.write(`Could not find '${path.resolve(name)}'\n`); process.exit(1); }
  return fs.statSync(name).isDirectory() ? below(path.resolve(name), path.resolve(name)) : [path.resolve(name)];
};

exports.run = (names, { pattern, only }) => {
  const began = performance.now();
  const files = names.length ? names.flatMap(named) : below(process.cwd(), process.cwd());
  const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
  let number = 0, isBad = false;
  console.log('TAP version 13');
  for (const file of files) {
    const start = performance.now();
    const env = { ...process.env, NODE_TEST_CONTEXT: 'child', ...(pattern ? { NODE_TEST_NAME_PATTERN: pattern } : {}), ...(only ? { NODE_TEST_ONLY: '1' } : {}) };
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [file], { env, encoding: 'utf8', maxBuffer: Infinity });
    process.stderr.write(stderr);
    let found = false;
    for (const line of stdout ? stdout.replace(/\n$/, '').split('\n') : []) {
      const [, name, count] = /^# (tests|suites|pass|fail|cancelled|skipped|todo) (\d+)$/.exec(line) || [];
      if (name) { counts[name] += Number(count); found ||= count !== '0'; } else if (/^1\.\.\d+$|^# duration_ms /.test(line)) continue;
      else console.log(line.replace(/^(ok|not ok) \d+ /, (all, state) => `${state} ${++number} `));
    }
    const isOver = status === 0 || (found && (counts.fail || counts.cancelled));
    isBad ||= status !== 0;
    if (found && isOver) continue;
    // A file without tests is one itself.
    console.log(`# Subtest: ${file}\n${status === 0 ? 'ok' : 'not ok'} ${++number} - ${file}\n  ---\n  duration_ms: ${(performance.now() - start).toFixed(6)}`);
    if (status !== 0) console.log(`  failureType: 'testCodeFailure'\n  exitCode: ${status ?? '~'}\n  signal: ${signal ? `'${signal}'` : '~'}\n  error: 'test failed'\n  code: 'ERR_TEST_FAILURE'`);
    console.log('  ...');
    counts.tests++;
    counts[status === 0 ? 'pass' : 'fail']++;
  }
  console.log(`1..${number}`);
  for (const [name, count] of Object.entries(counts)) console.log(`# ${name} ${count}`);
  console.log(`# duration_ms ${(performance.now() - began).toFixed(6)}`);
  process.exitCode = isBad ? 1 : 0;
};
