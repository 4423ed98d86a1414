// console.
(() => {
  'use strict';
  const host = globalThis.__host;
  const { inspect, format } = globalThis.__inspect;
  const counts = {}, started = {};
  let indent = '';
  // Where a cell runs, what it prints goes elsewhere.
  globalThis.__output = host.writeDescriptor;
  const print = (fd, text) => globalThis.__output(fd, (indent ? indent + text.replace(/\n/g, `\n${indent}`) : text) + '\n');
  const table = (rows, wanted) => {
    if (rows === null || typeof rows !== 'object') return print(1, format(rows));
    const names = [], values = [];
    let plain = false;
    const lines = Object.keys(rows).map((index) => {
      const row = rows[index];
      const cells = {};
      if (row !== null && typeof row === 'object') {
        for (const name of wanted || Object.keys(row)) {
          if (!names.includes(name)) names.push(name);
          if (name in row) cells[name] = inspect(row[name], { depth: 0 });
        }
      } else plain = true, values[index] = inspect(row);
      return [index, cells];
    });
    const header = ['(index)', ...names, ...(plain ? ['Values'] : [])];
    const body = lines.map(([index, cells]) => [index, ...names.map((name) => cells[name] ?? ''), ...(plain ? [values[index] ?? ''] : [])]);
    const widths = header.map((name, at) => Math.max(...[header, ...body].map((row) => row[at].length)) + 2);
    const line = (row) => `│${row.map((cell, at) => ` ${cell}`.padEnd(widths[at])).join('│')}│`;
    const rule = (left, middle, right) => left + widths.map((width) => '─'.repeat(width)).join(middle) + right;
    print(1, [rule('┌', '┬', '┐'), line(header), rule('├', '┼', '┤'), ...body.map(line), rule('└', '┴', '┘')].join('\n'));
  };
  globalThis.console = {
    log: (...values) => print(1, format(...values)), info: (...values) => print(1, format(...values)),
    debug: (...values) => print(1, format(...values)), error: (...values) => print(2, format(...values)),
    warn: (...values) => print(2, format(...values)), trace: (...values) => print(2, `Trace: ${format(...values)}\n    at <anonymous>`),
    dir: (value, options) => print(1, inspect(value, options)), table,
    assert: (condition, ...values) => condition || print(2, values.length ? `Assertion failed: ${format(...values)}` : 'Assertion failed'),
    count: (label = 'default') => print(1, `${label}: ${(counts[label] = (counts[label] || 0) + 1)}`),
    countReset: (label = 'default') => { counts[label] = 0; },
    group: (...values) => { if (values.length) print(1, format(...values)); indent += '  '; },
    groupEnd: () => { indent = indent.slice(2); },
    time: (label = 'default') => { started[label] = host.now(); },
    timeLog: (label = 'default') => print(1, `${label}: ${(host.now() - started[label]).toFixed(3)}ms`),
    timeEnd: (label = 'default') => { print(1, `${label}: ${(host.now() - started[label]).toFixed(3)}ms`); delete started[label]; },
  };
  console.groupCollapsed = console.group;
  console.dirxml = console.log;
  console.Console = class Console {
    constructor(stdout, stderr) {
      const out = stdout.stdout ? stdout : { stdout, stderr };
      const to = (stream) => (...values) => { stream.write(`${format(...values)}\n`); };
      Object.assign(this, console, { log: to(out.stdout), info: to(out.stdout), debug: to(out.stdout), error: to(out.stderr || out.stdout), warn: to(out.stderr || out.stdout) });
    }
  };
  globalThis.__print = (value) => print(1, typeof value === 'string' ? value : inspect(value));
})();
