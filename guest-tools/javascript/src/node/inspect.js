// util.inspect and util.format, as console.log prints.
(() => {
  'use strict';
  const host = globalThis.__host;
  const CUSTOM = Symbol.for('nodejs.util.inspect.custom');
  const { hasOwnProperty, propertyIsEnumerable } = Object.prototype;
  const escaped = (letter) => {
    const code = letter.charCodeAt(0);
    const short = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 39: "\\'", 92: '\\\\' }[code];
    return short ?? (code > 255 ? `\\u${code.toString(16)}` : `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`);
  };
  const quote = (text) => {
    const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes('`') && !text.includes('${') ? '`' : "'";
    if (!/[\x00-\x1f\x27\x5c\x7f-\x9f\ud800-\udfff]/.test(text)) return mark + text + mark;
    const bad = mark === "'" ? /[\x00-\x1f\x27\x5c\x7f-\x9f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g : /[\x00-\x1f\x5c\x7f-\x9f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
    return mark + text.replace(bad, escaped) + mark;
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
  const STYLES = { special: [36, 39], number: [33, 39], bigint: [33, 39], boolean: [33, 39], undefined: [90, 39], null: [1, 22], string: [32, 39], symbol: [32, 39], date: [35, 39], regexp: [31, 39], module: [4, 24] };
  const stripped = (text) => text.replace(/\x1b\[\d+m/g, '');
  const styled = (of, text, kind) => (of.colors && STYLES[kind] ? `\x1b[${STYLES[kind][0]}m${text}\x1b[${STYLES[kind][1]}m` : text);
  const isA = (value, Class) => { try { return value instanceof Class; } catch { return false; } };
  const classOf = (value, of, depth) => {
    let first;
    for (let at = value; at;) {
      const own = Object.getOwnPropertyDescriptor(at, 'constructor');
      if (own !== undefined && typeof own.value === 'function' && own.value.name !== '' && isA(value, own.value)) return String(own.value.name);
      at = Object.getPrototypeOf(at);
      if (first === undefined) first = at;
    }
    if (first === null || first === undefined) return null;
    const name = Object.prototype.toString.call(value).slice(8, -1);
    if (depth > of.depth && of.depth !== null) return `${name} <Complex prototype>`;
    const above = classOf(first, of, depth + 1);
    return `${name} <${above === null ? inspect(first, { ...of, customInspect: false, depth: -1 }) : above}>`;
  };
  const prefixOf = (name, tag, otherwise, size = '') => {
    if (name === null) return `[${otherwise}${size}: null prototype] ${tag !== '' && otherwise !== tag ? `[${tag}] ` : ''}`;
    return `${name}${size} ${tag !== '' && name !== tag ? `[${tag}] ` : ''}`;
  };
  const keysOf = (value, hidden) => {
    const symbols = Object.getOwnPropertySymbols(value);
    if (hidden) return [...Object.getOwnPropertyNames(value), ...symbols];
    let names;
    // What a module has not made yet cannot be asked for.
    try { names = Object.keys(value); } catch { names = Object.getOwnPropertyNames(value); }
    return symbols.length ? [...names, ...symbols.filter((name) => propertyIsEnumerable.call(value, name))] : names;
  };
  const isIndex = (name) => typeof name === 'string' && /^(0|[1-9]\d{0,9})$/.test(name);
  const numeral = (of, value) => {
    if (!of.numericSeparator) return styled(of, Object.is(value, -0) ? '-0' : `${value}`, typeof value);
    const [, sign, whole, rest] = /^(-?)(\d+)(.*)$/.exec(String(value)) ?? [];
    return styled(of, whole === undefined ? String(value) : sign + whole.replace(/\B(?=(\d{3})+$)/g, '_') + rest.replace(/(\d{3})(?=\d)/g, '$1_'), typeof value);
  };
  const primitive = (of, value) => {
    switch (typeof value) {
      case 'string': {
        let more = '', text = value;
        if (text.length > of.maxStringLength) {
          const left = text.length - of.maxStringLength;
          text = text.slice(0, of.maxStringLength);
          more = `... ${left} more character${left > 1 ? 's' : ''}`;
        }
        if (of.compact !== true && text.length > 16 && text.length > of.breakLength - of.indent - 4) return text.split(/(?<=\n)/).map((line) => styled(of, quote(line), 'string')).join(` +\n${' '.repeat(of.indent + 2)}`) + more;
        return styled(of, quote(text), 'string') + more;
      }
      case 'number': return numeral(of, value);
      case 'bigint': return styled(of, `${of.numericSeparator ? stripped(numeral({ ...of, colors: false }, value)) : value}n`, 'bigint');
      case 'symbol': return styled(of, value.toString(), 'symbol');
      default: return styled(of, String(value), value === null ? 'null' : typeof value);
    }
  };
  const functionBase = (value, name, tag) => {
    const prototype = Object.getOwnPropertyDescriptor(value, 'prototype');
    if (prototype !== undefined && !prototype.writable && /^class\b/.test(Function.prototype.toString.call(value))) {
      const own = (hasOwnProperty.call(value, 'name') && value.name) || '(anonymous)';
      const above = name === null ? null : Object.getPrototypeOf(value).name;
      return `[class ${own}${name !== 'Function' && name !== null ? ` [${name}]` : ''}${tag !== '' && name !== tag ? ` [${tag}]` : ''}${above === null ? ' extends null' : above ? ` extends ${above}` : ''}]`;
    }
    const kind = /^(Async)?(Generator)?Function$/.exec(Object.prototype.toString.call(value).slice(8, -1))?.[0] ?? 'Function';
    const shown = `[${kind}${name === null ? ' (null prototype)' : ''}${value.name === '' ? ' (anonymous)' : `: ${typeof value.name === 'symbol' ? String(value.name) : value.name}`}]`;
    return `${shown}${name !== kind && name !== null ? ` ${name}` : ''}${tag !== '' && name !== tag ? ` [${tag}]` : ''}`;
  };
  const stackText = (value) => { try { return value.stack ? String(value.stack) : Error.prototype.toString.call(value); } catch { return Error.prototype.toString.call(value); } };
  // The stack, with the name of the class, and without what the properties say.
  const errorBase = (of, value, className, tag, keys) => {
    const name = value.name === undefined || value.name === null ? 'Error' : String(value.name);
    let stack = stackText(value);
    if (!of.showHidden) {
      for (const said of ['name', 'message', 'stack']) {
        const at = keys.indexOf(said);
        if (at >= 0 && (typeof value[said] !== 'string' || stack.includes(value[said]))) keys.splice(at, 1);
      }
    }
    if ('cause' in value && !keys.includes('cause')) keys.push('cause');
    if (Array.isArray(value.errors) && !keys.includes('errors')) keys.push('errors');
    const isNamed = name.endsWith('Error') && stack.startsWith(name) && (stack.length === name.length || ':\n'.includes(stack[name.length]));
    if (className === null || isNamed) {
      let { length } = name, otherwise = 'Error';
      if (className === null) {
        const found = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n\s+at)/.exec(stack) || /^([a-z_A-Z0-9-]*Error)$/.exec(stack);
        otherwise = found?.[1] || '';
        ({ length } = otherwise);
        otherwise ||= 'Error';
      }
      const prefix = prefixOf(className, tag, otherwise).slice(0, -1);
      if (name !== prefix) stack = prefix.includes(name) ? (length === 0 ? `${prefix}: ${stack}` : prefix + stack.slice(length)) : `${prefix} [${name}]${stack.slice(length)}`;
    }
    const at = value.message ? stack.indexOf(value.message) : -1;
    if (stack.indexOf('\n    at', at === -1 ? 0 : at + value.message.length) === -1) stack = `[${stack}]`;
    return of.indent ? stack.replace(/\n/g, `\n${' '.repeat(of.indent)}`) : stack;
  };
  const OBJECT = 0, ITEM = 1, EXTRA = 2;
  const property = (of, value, depth, name, kind, given) => {
    const own = given ?? Object.getOwnPropertyDescriptor(value, name) ?? { value: value[name], configurable: true, enumerable: true };
    let shown, between = ' ';
    if (own.value !== undefined) {
      const step = of.compact !== true || kind !== OBJECT ? 2 : 3;
      of.indent += step;
      shown = whole(of, own.value, depth);
      if (step === 3 && of.breakLength < stripped(shown).length) between = `\n${' '.repeat(of.indent)}`;
      of.indent -= step;
    } else if (own.get !== undefined) {
      const label = own.set !== undefined ? 'Getter/Setter' : 'Getter';
      shown = styled(of, `[${label}]`, 'special');
      if (of.getters === true || (of.getters === 'get' && own.set === undefined) || (of.getters === 'set' && own.set !== undefined)) {
        of.indent += 2;
        try {
          const got = own.get.call(value);
          shown = got === null || typeof got !== 'object' ? `[${label}: ${primitive(of, got)}]` : `[${label}] ${whole(of, got, depth)}`;
        } catch (error) { shown = `[${label}: <Inspection threw (${error.message})>]`; }
        of.indent -= 2;
      }
    } else shown = own.set !== undefined ? styled(of, '[Setter]', 'special') : styled(of, 'undefined', 'undefined');
    if (kind === ITEM) return shown;
    const key = typeof name === 'symbol' ? `[${styled(of, name.toString(), 'symbol')}]` : name === '__proto__' ? "['__proto__']" : own.enumerable === false ? `[${name}]` : /^[A-Za-z_]\w*$/.test(name) ? name : styled(of, quote(name), 'string');
    return `${key}:${between}${shown}`;
  };
  const more = (left) => `... ${left} more item${left > 1 ? 's' : ''}`;
  const most = (of, length) => Math.min(Math.max(0, of.maxArrayLength), length);
  const gaps = (count) => `<${count} empty item${count > 1 ? 's' : ''}>`;
  const listItems = (of, value, depth) => {
    const { length } = value, end = most(of, length), out = [];
    for (let at = 0; at < end; at++) {
      if (!hasOwnProperty.call(value, at)) return sparseItems(of, value, depth, end, out, at);
      out.push(property(of, value, depth, at, ITEM));
    }
    if (length > end) out.push(more(length - end));
    return out;
  };
  const sparseItems = (of, value, depth, end, out, from) => {
    const keys = Object.keys(value);
    let index = from;
    for (let at = from; at < keys.length && out.length < end; at++) {
      if (!isIndex(keys[at])) break;
      if (`${index}` !== keys[at]) {
        out.push(gaps(keys[at] - index));
        index = Number(keys[at]);
        if (out.length === end) break;
      }
      out.push(property(of, value, depth, keys[at], ITEM));
      index++;
    }
    const left = value.length - index;
    if (left > 0) out.push(out.length === end ? more(left) : gaps(left));
    return out;
  };
  const within = (of, items, show) => {
    const out = [], end = most(of, items.length);
    of.indent += 2;
    for (let at = 0; at < end; at++) out.push(show(items[at]));
    of.indent -= 2;
    if (items.length > end) out.push(more(items.length - end));
    return out;
  };
  const setItems = (of, value, depth) => within(of, [...value], (item) => whole(of, item, depth));
  const mapItems = (of, value, depth) => within(of, [...value], ([key, item]) => `${whole(of, key, depth)} => ${whole(of, item, depth)}`);
  const typedItems = (of, value, depth) => {
    const end = most(of, value.length), out = [];
    for (let at = 0; at < end; at++) out.push(primitive(of, value[at]));
    if (value.length > end) out.push(more(value.length - end));
    if (of.showHidden) {
      of.indent += 2;
      for (const name of ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer']) out.push(`[${name}]: ${whole(of, value[name], depth, true)}`);
      of.indent -= 2;
    }
    return out;
  };
  const promiseItems = (of, value, depth) => {
    const [state, result] = host.promise(value) ?? ['pending'];
    if (state === 'pending') return [styled(of, '<pending>', 'special')];
    of.indent += 2;
    const shown = whole(of, result, depth);
    of.indent -= 2;
    return [state === 'rejected' ? `${styled(of, '<rejected>', 'special')} ${shown}` : shown];
  };
  const bytesItems = (of, value) => {
    let bytes;
    try { bytes = new Uint8Array(value); } catch { return [styled(of, '(detached)', 'special')]; }
    const end = most(of, bytes.length), left = bytes.length - end;
    const shown = [...bytes.subarray(0, end)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    return [`[Uint8Contents]: <${shown}${left > 0 ? ` ... ${left} more byte${left > 1 ? 's' : ''}` : ''}>`];
  };
  const unknown = (of) => [styled(of, '<items unknown>', 'special')];
  const none = () => [];
  const boxed = (of, value, name, tag, keys) => {
    const kind = ['Number', 'String', 'Boolean', 'BigInt', 'Symbol'].find((one) => isA(value, globalThis[one]));
    // The letters of a text are its own properties.
    if (kind === 'String') keys.splice(0, value.length);
    const head = `[${kind}${name !== kind ? (name === null ? ' (null prototype)' : ` (${name})`) : ''}`;
    const shown = `${head}: ${primitive({ ...DEFAULTS, indent: 0 }, globalThis[kind].prototype.valueOf.call(value))}]${tag !== '' && tag !== name ? ` [${tag}]` : ''}`;
    return keys.length || of.colors === false ? shown : styled(of, shown, kind.toLowerCase());
  };
  const isArguments = (value) => Object.prototype.toString.call(value) === '[object Arguments]';
  // What an object is: the text that says it all, or a text before its braces, these, and how to show what is in it.
  const shapeOf = (of, value, depth, name, tag, isInView) => {
    const extras = () => keysOf(value, of.showHidden).filter((key) => !isIndex(key));
    const all = () => keysOf(value, of.showHidden);
    const shape = (keys, prefix, items, open = '{', close = '}', kind = OBJECT, base = '') => ({ keys, braces: [`${prefix}${open}`, close], items, kind, base });
    if (value[Symbol.iterator] || name === null) {
      if (Array.isArray(value)) {
        const keys = extras().filter((key) => of.showHidden || key !== 'length');
        const prefix = name !== 'Array' || tag !== '' ? prefixOf(name, tag, 'Array', `(${value.length})`) : '';
        return value.length === 0 && keys.length === 0 ? `${prefix}[]` : shape(keys, prefix, listItems, '[', ']', EXTRA);
      }
      if (isA(value, Set) || isA(value, Map)) {
        const isSet = isA(value, Set), keys = all(), prefix = prefixOf(name, tag, isSet ? 'Set' : 'Map', `(${value.size})`);
        return value.size === 0 && keys.length === 0 ? `${prefix}{}` : shape(keys, prefix, isSet ? setItems : mapItems);
      }
      if (ArrayBuffer.isView(value) && !isA(value, DataView)) {
        const keys = extras(), prefix = prefixOf(name, tag, value[Symbol.toStringTag] ?? '', `(${value.length})`);
        return value.length === 0 && keys.length === 0 && !of.showHidden ? `${prefix}[]` : shape(keys, prefix, typedItems, '[', ']', EXTRA);
      }
    }
    const keys = all();
    if (isArguments(value)) return shape(extras(), '[Arguments] ', listItems, '[', ']', EXTRA);
    if (typeof value === 'function') {
      const base = functionBase(value, name, tag);
      return keys.length === 0 ? styled(of, base, 'special') : shape(keys, '', none, '{', '}', OBJECT, base);
    }
    if (isA(value, RegExp)) {
      const prefix = prefixOf(name, tag, 'RegExp'), base = `${prefix === 'RegExp ' ? '' : prefix}${RegExp.prototype.toString.call(value)}`;
      return keys.length === 0 || (depth > of.depth && of.depth !== null) ? styled(of, base, 'regexp') : shape(keys, '', none, '{', '}', OBJECT, base);
    }
    if (isA(value, Date)) {
      const prefix = prefixOf(name, tag, 'Date');
      const base = `${prefix === 'Date ' ? '' : prefix}${Number.isNaN(Date.prototype.getTime.call(value)) ? 'Invalid Date' : Date.prototype.toISOString.call(value)}`;
      return keys.length === 0 ? styled(of, base, 'date') : shape(keys, '', none, '{', '}', OBJECT, base);
    }
    if (isA(value, Error)) {
      const base = errorBase(of, value, name, tag, keys);
      return keys.length === 0 ? base : shape(keys, '', none, '{', '}', OBJECT, base);
    }
    if (isA(value, ArrayBuffer) || (typeof SharedArrayBuffer !== 'undefined' && isA(value, SharedArrayBuffer))) {
      const prefix = prefixOf(name, tag, isA(value, ArrayBuffer) ? 'ArrayBuffer' : 'SharedArrayBuffer');
      if (isInView && keys.length === 0) return `${prefix}{ byteLength: ${primitive(of, value.byteLength)} }`;
      return shape(['byteLength', ...keys], prefix, isInView ? none : bytesItems);
    }
    if (isA(value, DataView)) return shape(['byteLength', 'byteOffset', 'buffer', ...keys], prefixOf(name, tag, 'DataView'), none);
    if (isA(value, Promise)) return shape(keys, prefixOf(name, tag, 'Promise'), promiseItems);
    if (isA(value, WeakSet) || isA(value, WeakMap)) return shape(keys, prefixOf(name, tag, isA(value, WeakSet) ? 'WeakSet' : 'WeakMap'), unknown);
    if (isA(value, WeakRef)) return shape(keys, prefixOf(name, tag, 'WeakRef'), () => { const held = value.deref(); return [held === undefined ? '<cleared>' : whole(of, held, depth + 1)]; });
    if (['String', 'Number', 'Boolean', 'BigInt', 'Symbol'].some((one) => isA(value, globalThis[one]))) {
      const base = boxed(of, value, name, tag, keys);
      return keys.length === 0 ? base : shape(keys, '', none, '{', '}', OBJECT, base);
    }
    const isModule = name === null && tag === 'Module';
    const prefix = name === 'Object' && tag === '' ? '' : prefixOf(name, tag, isModule ? 'Module' : 'Object');
    return keys.length === 0 ? `${prefix}{}` : shape(keys, prefix, none);
  };
  const raw = (of, value, depth, isInView) => {
    const name = classOf(value, of, depth);
    let tag = value[Symbol.toStringTag];
    if (typeof tag !== 'string' || (tag !== '' && (of.showHidden ? hasOwnProperty : propertyIsEnumerable).call(value, Symbol.toStringTag))) tag = '';
    const shape = shapeOf(of, value, depth, name, tag, isInView);
    if (typeof shape === 'string') return shape;
    if (depth > of.depth && of.depth !== null) {
      const short = prefixOf(name, tag, Array.isArray(value) ? 'Array' : 'Object').slice(0, -1);
      return styled(of, name === null ? short : `[${short}]`, 'special');
    }
    const { keys, braces, items, kind } = shape;
    let { base } = shape;
    of.seen.push(value);
    of.deepest = depth + 1;
    const out = items(of, value, depth + 1);
    for (const key of keys) out.push(property(of, value, depth + 1, key, kind));
    of.seen.pop();
    const reference = of.circular?.get(value);
    if (reference !== undefined) {
      if (of.compact === true) braces[0] = `<ref *${reference}> ${braces[0]}`;
      else base = base === '' ? styled(of, `<ref *${reference}>`, 'special') : `${styled(of, `<ref *${reference}>`, 'special')} ${base}`;
    }
    if (of.sorted) {
      const order = of.sorted === true ? undefined : of.sorted;
      if (kind === OBJECT) out.sort(order);
      else if (keys.length > 1) out.push(...out.splice(out.length - keys.length).sort(order));
    }
    return joined(of, out, base, braces, kind, depth + 1, value);
  };
  const fits = (of, out, start, base) => {
    let total = out.length + start;
    if (total + out.length > of.breakLength) return false;
    for (const entry of out) {
      total += of.colors ? stripped(entry).length : entry.length;
      if (total > of.breakLength) return false;
    }
    return base === '' || !base.includes('\n');
  };
  // The entries in one line where they fit, otherwise one a line; long lists of short entries in columns.
  const joined = (of, given, base, braces, kind, depth, value) => {
    let out = given;
    const start = base ? `${base} ` : '', line = `\n${' '.repeat(of.indent)}`;
    if (of.compact === true) {
      if (fits(of, out, 0, base)) return `${braces[0]}${base ? ` ${base}` : ''} ${out.join(', ')} ${braces[1]}`;
      const head = base === '' && braces[0].length === 1 ? ' ' : `${base ? ` ${base}` : ''}${line}  `;
      return `${braces[0]}${head}${out.join(`,${line}  `)} ${braces[1]}`;
    }
    if (typeof of.compact === 'number' && of.compact >= 1) {
      if (kind === EXTRA && out.length > 6) out = grouped(of, out, value);
      if (of.deepest - depth < of.compact && given.length === out.length) {
        const room = out.length + of.indent + braces[0].length + base.length + 10;
        if (fits(of, out, room, base)) {
          const text = out.join(', ');
          if (!text.includes('\n')) return `${start}${braces[0]} ${text} ${braces[1]}`;
        }
      }
    }
    return `${start}${braces[0]}${line}  ${out.join(`,${line}  `)}${line}${braces[1]}`;
  };
  const grouped = (of, out, value) => {
    const count = of.maxArrayLength < out.length ? out.length - 1 : out.length;
    const lengths = [];
    let total = 0, longest = 0;
    for (let at = 0; at < count; at++) {
      const { length } = of.colors ? stripped(out[at]) : out[at];
      lengths.push(length);
      total += length + 2;
      if (longest < length) longest = length;
    }
    const width = longest + 2;
    if (!(width * 3 + of.indent < of.breakLength && (total / width > 5 || longest <= 6))) return out;
    const biased = Math.max(width - 3 - Math.sqrt(width - total / out.length), 1);
    const columns = Math.min(Math.round(Math.sqrt(2.5 * biased * count) / biased), Math.floor((of.breakLength - of.indent) / width), of.compact * 4, 15);
    if (columns <= 1) return out;
    const widths = [];
    for (let column = 0; column < columns; column++) {
      let widest = 0;
      for (let at = column; at < out.length; at += columns) if (lengths[at] > widest) widest = lengths[at];
      widths.push(widest + 2);
    }
    let isNumbers = true;
    if (value !== undefined) for (let at = 0; isNumbers && at < out.length; at++) isNumbers = typeof value[at] === 'number' || typeof value[at] === 'bigint';
    const rows = [];
    for (let from = 0; from < count; from += columns) {
      const end = Math.min(from + columns, count);
      let row = '', at = from;
      for (; at < end - 1; at++) {
        const width = widths[at - from] + out[at].length - lengths[at];
        row += isNumbers ? `${out[at]}, `.padStart(width) : `${out[at]}, `.padEnd(width);
      }
      row += isNumbers ? out[at].padStart(widths[at - from] + out[at].length - lengths[at] - 2) : out[at];
      rows.push(row);
    }
    return of.maxArrayLength < out.length ? [...rows, out[count]] : rows;
  };
  const OPTIONS = ['showHidden', 'depth', 'colors', 'customInspect', 'showProxy', 'maxArrayLength', 'maxStringLength', 'breakLength', 'compact', 'sorted', 'getters', 'numericSeparator'];
  const whole = (of, value, depth, isInView) => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return primitive(of, value);
    const custom = of.customInspect ? value[CUSTOM] : undefined;
    if (typeof custom === 'function' && custom !== outer && !(value.constructor && value.constructor.prototype === value)) {
      const left = of.depth === null ? null : of.depth - depth;
      const options = { ...of.user, stylize: (text, kind) => styled(of, String(text), kind) };
      for (const name of OPTIONS) options[name] ??= of[name];
      options.depth = left;
      const shown = custom.call(value, left, options, outer);
      if (shown !== value) return typeof shown !== 'object' ? `${shown}` : whole(of, shown, depth).replace(/\n/g, `\n${' '.repeat(of.indent)}`);
    }
    if (of.seen.includes(value)) {
      of.circular ??= new Map();
      if (!of.circular.has(value)) of.circular.set(value, of.circular.size + 1);
      return styled(of, `[Circular *${of.circular.get(value)}]`, 'special');
    }
    if (globalThis.__bufferOf && value instanceof globalThis.__bufferOf) return bufferText(of, value, depth);
    return raw(of, value, depth, isInView);
  };
  const bufferText = (of, value, depth) => {
    const shown = [...value.subarray(0, 50)].map((byte) => byte.toString(16).padStart(2, '0')), left = value.length - 50;
    const more = left > 0 ? ` ... ${left} more byte${left > 1 ? 's' : ''}` : '';
    const own = Object.keys(value).filter((key) => !isIndex(key)).map((key) => `, ${property(of, value, depth + 1, key, OBJECT)}`);
    return `<${value.constructor.name}${shown.length ? ' ' : ''}${shown.join(' ')}${more}${own.join('')}>`;
  };
  const DEFAULTS = { showHidden: false, depth: 2, colors: false, customInspect: true, showProxy: false, maxArrayLength: 100, maxStringLength: 10000, breakLength: 80, compact: 3, sorted: false, getters: false, numericSeparator: false };
  const inspect = (value, options) => {
    const of = { ...DEFAULTS, indent: 0, seen: [], deepest: 0, circular: undefined, user: options };
    if (options) for (const name of OPTIONS) if (options[name] !== undefined) of[name] = options[name];
    if (of.maxArrayLength === null) of.maxArrayLength = Infinity;
    if (of.maxStringLength === null) of.maxStringLength = Infinity;
    return whole(of, value, 0);
  };
  const BUILT_IN = new Set(Object.getOwnPropertyNames(globalThis).filter((name) => /^[A-Z][A-Za-z\d]+$/.test(name)));
  const hasOwnText = (value) => {
    if (hasOwnProperty.call(value, 'toString') || hasOwnProperty.call(value, Symbol.toPrimitive)) return true;
    let at = value;
    do at = Object.getPrototypeOf(at); while (at !== null && !hasOwnProperty.call(at, 'toString'));
    if (at === null) return false;
    const made = Object.getOwnPropertyDescriptor(at, 'constructor');
    return !(made !== undefined && typeof made.value === 'function' && BUILT_IN.has(made.value.name));
  };
  const number = (value) => (Object.is(value, -0) ? '-0' : `${value}`);
  const json = (value) => { try { return JSON.stringify(value); } catch (error) { if (/circular/.test(error.message)) return '[Circular]'; throw error; } };
  const MARKS = {
    s: (value, options) => (typeof value === 'number' ? number(value) : typeof value === 'bigint' ? `${value}n` : typeof value !== 'object' || value === null || hasOwnText(value) ? String(value) : inspect(value, { ...options, depth: 0, colors: false, compact: 3 })),
    j: json,
    d: (value) => (typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : number(Number(value))),
    i: (value) => (typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : number(parseInt(value))),
    f: (value) => (typeof value === 'symbol' ? 'NaN' : number(parseFloat(value))),
    o: (value, options) => inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 }),
    O: (value, options) => inspect(value, options),
    c: () => '',
  };
  const formatWith = (options, ...values) => {
    const [first] = values;
    let at = 0, out = '', between = '';
    if (typeof first === 'string') {
      if (values.length === 1) return first;
      out = first.replace(/%(.)/gs, (mark, letter) => {
        if (letter === '%') { between = ' '; return '%'; }
        if (at + 1 === values.length || !hasOwnProperty.call(MARKS, letter)) return mark;
        between = ' ';
        return MARKS[letter](values[++at], options);
      });
      between = ' ';
      at++;
    }
    for (; at < values.length; at++) {
      out += between + (typeof values[at] === 'string' ? values[at] : inspect(values[at], options));
      between = ' ';
    }
    return out;
  };
  const format = (...values) => formatWith(undefined, ...values);
  function outer(value, options, depth, colors) {
    if (typeof options === 'object' && options !== null) return inspect(value, options);
    const given = {};
    if (typeof options === 'boolean') given.showHidden = options;
    if (depth !== undefined) given.depth = depth;
    if (colors !== undefined) given.colors = colors;
    return inspect(value, given);
  }
  Object.defineProperty(outer, 'name', { value: 'inspect' });
  outer.custom = CUSTOM;
  outer.defaultOptions = DEFAULTS;
  outer.styles = { special: 'cyan', number: 'yellow', bigint: 'yellow', boolean: 'yellow', undefined: 'grey', null: 'bold', string: 'green', symbol: 'green', date: 'magenta', regexp: 'red', module: 'underline' };
  outer.colors = { reset: [0, 0], bold: [1, 22], dim: [2, 22], italic: [3, 23], underline: [4, 24], inverse: [7, 27], black: [30, 39], red: [31, 39], green: [32, 39], yellow: [33, 39], blue: [34, 39], magenta: [35, 39], cyan: [36, 39], white: [37, 39], gray: [90, 39], grey: [90, 39] };
  const error = (value) => inspect(value);
  globalThis.__inspect = { inspect: outer, format, formatWith, error, received, stackOf, wrapped };
})();
