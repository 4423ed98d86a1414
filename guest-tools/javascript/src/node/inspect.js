// util.inspect and util.format, as console.log prints.
(() => {
  'use strict';
  const CUSTOM = Symbol.for('nodejs.util.inspect.custom');
  const quote = (text) => {
    const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes('`') ? '`' : "'";
    let out = '';
    for (const letter of text) {
      if (letter === mark || letter === '\\') out += '\\' + letter;
      else if (letter === '\n') out += '\\n';
      else if (letter === '\t') out += '\\t';
      else if (letter === '\r') out += '\\r';
      else if (letter < ' ') out += '\\x' + letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
      else out += letter;
    }
    return mark + out + mark;
  };
  const key = (name) =>
    typeof name === 'symbol' ? `[${name.toString()}]` : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
  const className = (value) => {
    for (let at = value; at; at = Object.getPrototypeOf(at)) {
      const own = Object.getOwnPropertyDescriptor(at, 'constructor');
      if (own && typeof own.value === 'function' && own.value.name) return own.value.name;
    }
    return null;
  };
  // What Node's messages say of a value that they refuse.
  const received = (value) => {
    if (value === null || value === undefined) return String(value);
    if (typeof value === 'function') return `function ${value.name}`;
    if (typeof value === 'object') return value.constructor?.name ? `an instance of ${value.constructor.name}` : inspect(value);
    const text = inspect(value);
    return `type ${typeof value} (${text.length > 28 ? `${text.slice(0, 25)}...` : text})`;
  };
  const engineStack = Object.getOwnPropertyDescriptor(Error.prototype, 'stack').get;
  const headOf = (value) => { try { return String(Error.prototype.toString.call(value)); } catch { return 'Error'; } };
  // Files are wrapped into a function, whose head stands in their first line.
  const wrapped = { files: new Set(), head: 0 };
  // Frames as Node prints them, from those of the engine: "    at name (path:1:2)".
  const framesOf = (text) => {
    const lines = [];
    for (const line of text.split('\n')) {
      const [, name, place] = /^    at (.*) \((.*)\)$/.exec(line) || [];
      if (place === undefined || /^(unknown|node:compile|eval) ?/.test(place)) continue;
      const [, path, row, column] = /^(.*?)(?::(\d+):(\d+))?$/.exec(place);
      const isWrapped = wrapped.files.has(path);
      const named = /^native( |$)/.test(place) ? '<anonymous>' : path.replace(/^.*\/(?=\[(?:eval1?|cell \d+)\]$)/, '').replace(/^\//, isWrapped ? '/' : 'file:///');
      const shown = row === undefined ? named : `${named}:${row}:${isWrapped && row === '1' ? Math.max(column - wrapped.head, 1) : column}`;
      lines.push(name === '<anonymous>' || name === '<main>' || name === '' ? `    at ${shown}` : `    at ${name} (${shown})`);
    }
    // What called the program is of no interest.
    while (lines.length > 1 && /^    at [^(]*\(?(node:|<anonymous>)/.test(lines.at(-1))) lines.pop();
    return lines.slice(0, Math.max(Number(Error.stackTraceLimit) || 0, 0)).join('\n');
  };
  const stackOf = (value, frames) => {
    let all = frames ?? engineStack.call(value) ?? '';
    // The constructor of a class of the program's is not where it comes from.
    const made = typeof value?.constructor === 'function' && value.constructor.name;
    const own = made && !frames ? all.split('\n').findIndex((line) => line.startsWith(`    at ${made} (`)) : -1;
    if (own >= 0) all = all.split('\n').slice(own + 1).join('\n');
    const known = framesOf(all);
    return `${headOf(value)}\n${known || '    at <anonymous>'}`;
  };
  Object.defineProperty(Error.prototype, 'stack', {
    get() { return this instanceof Error ? stackOf(this) : undefined; },
    set(value) { Object.defineProperty(this, 'stack', { value, writable: true, configurable: true }); }, configurable: true,
  });
  // What stands for a frame to those who look at frames, such as `depd`.
  const nothing = () => null, no = () => false, one = () => 1;
  const frame = {
    getFileName: () => '<anonymous>', getScriptNameOrSourceURL: () => '<anonymous>', getLineNumber: one, getColumnNumber: one, getFunctionName: nothing, getTypeName: nothing, getMethodName: nothing,
    getThis: () => undefined, getFunction: () => undefined, getEvalOrigin: () => undefined, isEval: no, isNative: no, isConstructor: no, isAsync: no, isToplevel: () => true, toString: () => '<anonymous>',
  };
  Error.captureStackTrace ??= (value, above) => {
    const prepare = Error.prepareStackTrace;
    // Without this function, and without all up to the one that was named.
    const all = engineStack.call(new Error()).split('\n');
    const last = typeof above === 'function' && above.name ? all.findIndex((line) => line.startsWith(`    at ${above.name} (`)) : -1;
    const frames = all.slice(Math.max(last + 1, 1)).join('\n');
    const stack = typeof prepare === 'function' ? prepare(value, Array(Error.stackTraceLimit).fill(frame)) : stackOf(value, frames);
    Object.defineProperty(value, 'stack', { value: stack, writable: true, configurable: true });
  };
  Object.defineProperty(Error, 'captureStackTrace', { enumerable: false });
  Error.stackTraceLimit ??= 10;
  const error = (value) => {
    const stack = typeof value.stack === 'string' && value.stack ? value.stack : `[${Error.prototype.toString.call(value)}]`;
    const name = className(value);
    return name && name !== value.name && stack.startsWith(value.name) && value.name === 'Error' ? name + stack.slice(5) : stack;
  };
  const primitive = (value, nested) => {
    switch (typeof value) {
      case 'string': return nested ? quote(value) : value;
      case 'number': return Object.is(value, -0) ? '-0' : String(value);
      case 'bigint': return `${value}n`;
      case 'symbol': return value.toString();
      default: return String(value);
    }
  };
  // The entries in one line where they fit, otherwise one a line; long lists of short entries in columns.
  const layout = (open, entries, close, indent, listed, shallow) => {
    if (entries.length === 0) return `${open}${close}`;
    const total = entries.reduce((sum, entry) => sum + entry.length + 2, 0);
    const flat = !entries.some((entry) => entry.includes('\n'));
    if (listed && entries.length > 6 && flat) {
      const grouped = group(entries, indent.length);
      if (grouped.length < entries.length) return `${open}\n${indent}  ${grouped.join(`,\n${indent}  `)}\n${indent}${close}`;
    }
    if (flat && shallow && !open.includes('\n') && total + open.length + indent.length + 10 <= 80) {
      return `${open} ${entries.join(', ')} ${close}`;
    }
    return `${open}\n${indent}  ${entries.join(`,\n${indent}  `)}\n${indent}${close}`;
  };
  const group = (given, indent) => {
    const more = /^\.\.\. \d+ more item/.test(given.at(-1)) ? given.slice(-1) : [];
    const entries = more.length ? given.slice(0, -1) : given;
    const lengths = entries.map((entry) => entry.length + 2);
    const longest = Math.max(...lengths);
    if (longest * 3 + indent >= 80) return given;
    const total = lengths.reduce((sum, length) => sum + length, 0);
    if (!(total / longest > 5 || longest <= 8)) return given;
    const biased = Math.max(longest - 3 - Math.sqrt(longest - total / entries.length), 1);
    const columns = Math.min(Math.round(Math.sqrt(2.5 * biased * entries.length) / biased), Math.floor(80 / longest), 12, 15);
    if (columns <= 1) return given;
    const widths = [];
    for (let column = 0; column < columns; column++) {
      let widest = 0;
      for (let at = column; at < entries.length; at += columns) widest = Math.max(widest, lengths[at]);
      widths.push(widest);
    }
    const numbers = entries.every((entry) => /^-?[\d.]+(e[+-]?\d+)?n?$/.test(entry));
    const rows = [];
    for (let at = 0; at < entries.length; at += columns) {
      const end = Math.min(at + columns, entries.length);
      let row = '';
      for (let index = at; index < end; index++) {
        const last = index === end - 1;
        const cell = last ? entries[index] : `${entries[index]}, `;
        row += numbers ? cell.padStart(widths[index - at] - (last ? 2 : 0)) : last ? cell : cell.padEnd(widths[index - at]);
      }
      rows.push(row);
    }
    return [...rows, ...more];
  };
  let deepest = 0;
  const inspect = (value, options = {}, depth = 0, seen = [], indent = '') => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return primitive(value, true);
    const limit = options.depth === null ? Infinity : options.depth ?? 2;
    if (seen.includes(value)) return '[Circular *1]';
    const custom = value[CUSTOM];
    if (typeof custom === 'function' && custom !== inspect && options.customInspect !== false) {
      const left = limit - depth;
      const shown = custom.call(value, left, { ...options, depth: left }, (child, more) => inspect(child, more ?? options, 0, [...seen, value], indent));
      if (shown !== value) return typeof shown === 'string' ? shown.replace(/\n/g, `\n${indent}`) : inspect(shown, options, depth, seen, indent);
    }
    const name = className(value);
    // What is nested by more than three levels is not put in one line.
    let entered = false;
    const inner = (child) => { if (!entered) { entered = true; deepest = depth; } return within(child); };
    const within = (child) => inspect(child, options, depth + 1, [...seen, value], indent + '  ');
    const keys = Object.keys(value).concat(Object.getOwnPropertySymbols(value)
      .filter((symbol) => Object.prototype.propertyIsEnumerable.call(value, symbol)));
    const property = (name) => {
      const own = Object.getOwnPropertyDescriptor(value, name);
      if (own && own.get) return `${key(name)}: ${own.set ? '[Getter/Setter]' : '[Getter]'}`;
      if (own && own.set) return `${key(name)}: [Setter]`;
      return `${key(name)}: ${inner(value[name])}`;
    };
    const properties = (skip) => keys.filter((name) => !skip || !skip(name)).map(property);
    const body = (prefix, open, entries, close, listed) => {
      const out = layout(prefix + open, entries, close, indent, listed, deepest - depth < 3);
      return depth === 0 && /\[Circular \*1\]/.test(out) ? `<ref *1> ${out}` : out;
    };
    const tooDeep = depth > limit;
    if (typeof value === 'function') {
      const prototype = Object.getOwnPropertyDescriptor(value, 'prototype');
      const isClass = prototype !== undefined && !prototype.writable && prototype.value?.constructor === value && !Object.getOwnPropertyNames(globalThis).includes(value.name);
      const parent = isClass && Object.getPrototypeOf(value).name;
      const base = isClass
        ? `[class ${value.name || '(anonymous)'}${parent ? ` extends ${parent}` : ''}]`
        : `[${className(value) || 'Function'}${value.name ? `: ${value.name}` : ' (anonymous)'}]`;
      return keys.length ? body(`${base} `, '{', properties(), '}') : base;
    }
    if (Array.isArray(value)) {
      if (tooDeep && value.length) return '[Array]';
      const entries = [];
      for (let index = 0; index < Math.min(value.length, 100); index++) {
        if (index in value) entries.push(inner(value[index]));
        else {
          let end = index;
          while (end < value.length && !(end in value)) end++;
          entries.push(`<${end - index} empty item${end - index > 1 ? 's' : ''}>`);
          index = end - 1;
        }
      }
      if (value.length > 100) entries.push(`... ${value.length - 100} more item${value.length > 101 ? 's' : ''}`);
      const prefix = name === 'Array' ? '' : `${name}(${value.length}) `;
      return body(prefix, '[', entries.concat(properties((name) => /^\d+$/.test(String(name)))), ']', true);
    }
    if (value instanceof Error) {
      const cause = Object.getOwnPropertyDescriptor(value, 'cause');
      const more = cause && !cause.enumerable ? [`[cause]: ${inner(cause.value)}`] : [];
      // What the stack says already.
      const said = error(value);
      const isSaid = (name) => name === 'stack' || ((name === 'name' || name === 'message') && said.includes(value[name]));
      return keys.some((name) => !isSaid(name)) || more.length ? body(`${error(value)} `, '{', [...properties(isSaid), ...more], '}') : depth === 0 ? error(value) : error(value).replace(/\n/g, `\n${indent}`);
    }
    if (value instanceof Date) return isNaN(value) ? 'Invalid Date' : value.toISOString();
    if (value instanceof RegExp) return String(value);
    if (value instanceof Promise) return 'Promise { <pending> }';
    if (value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof BigInt || value instanceof Symbol) return `[${name}: ${inspect(value.valueOf())}]`;
    if (tooDeep && (keys.length || name !== 'Object')) return `[${name || 'Object: null prototype'}]`;
    if (value instanceof Map) {
      const entries = [...value].map(([key, item]) => `${inner(key)} => ${inner(item)}`);
      return body(`Map(${value.size}) `, '{', entries.concat(properties()), '}');
    }
    if (value instanceof Set) return body(`Set(${value.size}) `, '{', [...value].map(inner).concat(properties()), '}');
    if (globalThis.__bufferOf && value instanceof globalThis.__bufferOf) {
      const shown = [...value.subarray(0, 50)].map((byte) => byte.toString(16).padStart(2, '0'));
      return `<Buffer${shown.length ? ' ' : ''}${shown.join(' ')}${value.length > 50 ? ` ... ${value.length - 50} more bytes` : ''}>`;
    }
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      return body(`${name}(${value.length}) `, '[', [...value].slice(0, 100).map((item) => primitive(item, true)), ']', true);
    }
    const tag = value[Symbol.toStringTag];
    let prefix = name === null ? '[Object: null prototype] ' : name === 'Object' ? '' : `${name} `;
    if (typeof tag === 'string' && tag && tag !== name) prefix = `${name || 'Object'} [${tag}] `;
    return body(prefix, '{', properties(), '}');
  };
  const format = (...values) => {
    let out = '';
    if (typeof values[0] === 'string') {
      const template = values.shift();
      out = values.length === 0 ? template : template.replace(/%[sdifjoOc%]/g, (mark) => {
        if (mark === '%%') return '%';
        if (values.length === 0) return mark;
        const value = values.shift();
        switch (mark) {
          case '%s': return typeof value === 'object' && value !== null ? inspect(value, { depth: 0 }) : primitive(value, false);
          case '%d': return typeof value === 'bigint' ? `${value}n` : primitive(Number(value));
          case '%i': return typeof value === 'bigint' ? `${value}n` : primitive(parseInt(value, 10));
          case '%f': return primitive(parseFloat(value));
          case '%j': return JSON.stringify(value);
          case '%c': return '';
          default: return inspect(value);
        }
      });
      if (values.length) out += ' ';
    }
    return out + values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' ');
  };
  const outer = (value, options, depth) => inspect(value, typeof options === 'object' && options !== null ? options : { ...(typeof depth === 'number' || depth === null ? { depth } : {}) });
  outer.custom = CUSTOM;
  outer.defaultOptions = { depth: 2 };
  globalThis.__inspect = { inspect: outer, format, error, received, stackOf, wrapped };
})();
