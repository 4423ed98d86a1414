// console.
(() => {
  'use strict';
  const host = globalThis.__host;
  const { inspect, formatWith } = globalThis.__inspect;
  // Where a cell runs, what it prints goes elsewhere.
  globalThis.__output = host.writeDescriptor;
  const wide = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\ud83c-\ud83e][\udc00-\udfff]/g;
  const widthOf = (text) => { const plain = text.replace(/\x1b\[\d+m|[\u0300-\u036f\u200b-\u200f\ufe0f]/g, ''); return plain.replace(wide, '').length + 2 * (plain.match(wide)?.length ?? 0); };
  // A table of columns, each with its name.
  const drawn = (names, columns) => {
    const count = columns.reduce((most, column) => Math.max(most, column.length), 0), rows = [];
    for (let at = 0; at < count; at++) rows.push(columns.map((column) => column[at] ?? ''));
    const widths = names.map((name, at) => Math.max(...[names, ...rows].map((row) => widthOf(row[at]))) + 2);
    const line = (row) => `│${row.map((cell, at) => ` ${cell}${' '.repeat(widths[at] - widthOf(cell) - 1)}`).join('│')}│\n`;
    const rule = (left, middle, right) => left + widths.map((width) => '─'.repeat(width)).join(middle) + right;
    return `${rule('┌', '┬', '┐')}\n${line(names)}${rule('├', '┼', '┤')}\n${rows.map(line).join('')}${rule('└', '┴', '┘')}`;
  };
  const isPlain = (value) => value === null || (typeof value !== 'object' && typeof value !== 'function');
  const cell = (value) => inspect(value, { depth: value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 2 ? -1 : 0, maxArrayLength: 3, breakLength: Infinity });
  const counted = (list) => list.map((_, index) => String(index));
  const tableOf = (rows, wanted) => {
    if (rows instanceof Map) { const all = [...rows]; return drawn(['(iteration index)', 'Key', 'Values'], [counted(all), all.map(([key]) => cell(key)), all.map(([, value]) => cell(value))]); }
    if (rows instanceof Set) { const all = [...rows]; return drawn(['(iteration index)', 'Values'], [counted(all), all.map(cell)]); }
    const indices = Object.keys(rows), columns = Object.create(null), values = [];
    let hasValues = false;
    for (const [at, index] of indices.entries()) {
      const row = rows[index];
      if (isPlain(row)) { hasValues = true; values[at] = cell(row); } else for (const name of wanted || Object.keys(row)) (columns[name] ??= [])[at] = Object.prototype.hasOwnProperty.call(row, name) ? cell(row[name]) : '';
    }
    const names = Object.keys(columns);
    return drawn(['(index)', ...names, ...(hasValues ? ['Values'] : [])], [indices, ...names.map((name) => columns[name]), ...(hasValues ? [values] : [])]);
  };
  const shown = (milliseconds) => {
    const seconds = milliseconds / 1000, minutes = seconds / 60, hours = minutes / 60;
    const two = (number) => String(Math.floor(number)).padStart(2, '0');
    if (hours >= 1) return `${Math.floor(hours)}:${two(minutes % 60)}:${two(seconds % 60)} (h:mm:ss)`;
    if (minutes >= 1) return `${Math.floor(minutes)}:${(seconds % 60).toFixed(3).padStart(6, '0')} (m:ss.mmm)`;
    return seconds >= 1 ? `${seconds.toFixed(3)}s` : `${Number(milliseconds.toFixed(3))}ms`;
  };
  // The functions of a console that prints through `put(isError, text)`.
  const methodsOf = (put, optionsOf, indentation) => {
    const counts = new Map(), started = new Map();
    let indent = '';
    const print = (isError, text) => put(isError, `${indent ? indent + text.replace(/\n/g, `\n${indent}`) : text}\n`);
    const say = (isError, values) => print(isError, formatWith(optionsOf(isError), ...values));
    const timed = (label, name) => {
      if (!started.has(label)) process.emitWarning(`No such label '${label}' for console.${name}()`);
      return started.get(label);
    };
    return {
      log(...values) { say(false, values); },
      warn(...values) { say(true, values); },
      dir(value, options) { print(false, inspect(value, { customInspect: false, ...optionsOf(false), ...options })); },
      time(label = 'default') {
        label = `${label}`;
        if (started.has(label)) return process.emitWarning(`Label '${label}' already exists for console.time()`);
        started.set(label, host.now());
      },
      timeEnd(label = 'default') {
        const from = timed(label = `${label}`, 'timeEnd');
        if (from === undefined) return;
        say(false, ['%s: %s', label, shown(host.now() - from)]);
        started.delete(label);
      },
      timeLog(label = 'default', ...values) {
        const from = timed(label = `${label}`, 'timeLog');
        if (from !== undefined) say(false, ['%s: %s', label, shown(host.now() - from), ...values]);
      },
      trace: function trace(...values) {
        const error = { name: 'Trace', message: formatWith(optionsOf(true), ...values) };
        Error.captureStackTrace(error, trace);
        print(true, `Trace${error.message ? `: ${error.message}` : ''}\n${String(error.stack).split('\n').filter((line) => line.startsWith('    at ')).join('\n')}`);
      },
      assert(condition, ...values) {
        if (condition) return;
        if (typeof values[0] === 'string') values[0] = `Assertion failed: ${values[0]}`;
        else values.unshift(values.length ? 'Assertion failed:' : 'Assertion failed');
        say(true, values);
      },
      clear() {},
      count(label = 'default') {
        counts.set(label = `${label}`, (counts.get(label) ?? 0) + 1);
        say(false, [`${label}: ${counts.get(label)}`]);
      },
      countReset(label = 'default') {
        if (!counts.delete(`${label}`)) process.emitWarning(`Count for '${label}' does not exist`);
      },
      group(...values) { if (values.length) say(false, values); indent += ' '.repeat(indentation); },
      groupEnd() { indent = indent.slice(0, -indentation); },
      table(rows, wanted) {
        if (wanted !== undefined && !Array.isArray(wanted)) throw Object.assign(new TypeError(`The "properties" argument must be an instance of Array. Received ${globalThis.__inspect.received(wanted)}`), { code: 'ERR_INVALID_ARG_TYPE' });
        if (rows === null || typeof rows !== 'object') return say(false, [rows]);
        print(false, tableOf(rows, wanted));
      },
    };
  };
  const ALIASES = { debug: 'log', info: 'log', dirxml: 'log', error: 'warn', groupCollapsed: 'group' };
  const fill = (target, methods) => {
    Object.assign(target, methods);
    for (const [name, other] of Object.entries(ALIASES)) target[name] = name === 'dirxml' || name === 'groupCollapsed' ? methods[other] : Object.defineProperty((...values) => methods[other](...values), 'name', { value: name });
    return target;
  };
  globalThis.console = fill({}, methodsOf((isError, text) => globalThis.__output(isError ? 2 : 1, text), () => undefined, 2));
  Object.defineProperty(console, Symbol.toStringTag, { value: 'console', configurable: true });
  console.Console = class Console {
    constructor(given, stderr) {
      const { stdout, stderr: errors = stderr ?? stdout, colorMode, inspectOptions, groupIndentation = 2 } = typeof given?.write === 'function' ? { stdout: given } : given ?? {};
      if (typeof stdout?.write !== 'function') throw Object.assign(new TypeError('Console expects a writable stream instance for stdout'), { code: 'ERR_CONSOLE_WRITABLE_STREAM' });
      const options = { ...inspectOptions, ...(colorMode === true ? { colors: true } : {}) };
      fill(this, methodsOf((isError, text) => { (isError ? errors : stdout).write(text); }, () => options, groupIndentation));
    }
  };
  const { log } = console;
  globalThis.__print = (value) => log(typeof value === 'string' ? '%s' : '%O', value);
})();
