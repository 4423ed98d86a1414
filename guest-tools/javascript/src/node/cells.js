// Cells of a context: what they print, show and throw is told in frames; see `cells.rs`.
const { inspect } = globalThis.__inspect;
const DISPLAY = Symbol.for('Jupyter.display');
let count = 0, present = null, before = null;

globalThis.__output = (fd, chunk) => host.frame(fd === 2 ? 'e' : 'o', typeof chunk === 'string' ? chunk : new Uint8Array(chunk));
Object.defineProperty(globalThis, '__look', { value: host.look, configurable: true });
globalThis.__bare();
globalThis.require = require('module').createRequire(`${host.cwd()}/[cell]`);
globalThis.exports = {};
globalThis.module = { exports: globalThis.exports };

const isPlain = (value) => Array.isArray(value) || (value !== null && typeof value === 'object' && (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null));
// A value by media types.
const bundle = (value) => {
  const own = value !== null && typeof value === 'object' && typeof value[DISPLAY] === 'function' ? value[DISPLAY]() : null;
  const data = { ...own };
  data['text/plain'] ??= inspect(value);
  if (!own && isPlain(value)) {
    try { const text = JSON.stringify(value); if (text !== undefined) data['application/json'] = JSON.parse(text); } catch { /* It goes in circles. */ }
  }
  return data;
};
const show = (data, main) => host.frame('r', JSON.stringify({ main, data }));
const shown = (data) => (ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64') : data);
globalThis.display = (value, { raw = false } = {}) => show(raw ? Object.fromEntries(Object.entries(value).map(([kind, data]) => [kind, shown(data)])) : bundle(value), false);
Object.assign(globalThis.display, {
  html: (text) => display({ 'text/html': text, 'text/plain': text }, { raw: true }), markdown: (text) => display({ 'text/markdown': text, 'text/plain': text }, { raw: true }),
  svg: (text) => display({ 'image/svg+xml': text, 'text/plain': '[SVG]' }, { raw: true }), image: (bytes, kind = 'image/png') => display({ [kind]: bytes, 'text/plain': '[Image]' }, { raw: true }),
  json: (value) => display({ 'application/json': value, 'text/plain': inspect(value) }, { raw: true }),
});

// Declarations of imports, which a cell may have, as what it can run.
const imports = (code) => code.replace(/^[ \t]*import\s+(?:([\w$]+)\s*(?:,\s*)?)?(?:\*\s*as\s+([\w$]+)|\{([^}]*)\})?\s*(?:from\s*)?(['"])([^'"\n]+)\4[ \t]*;?/gm, (all, own, whole, names, mark, file) => {
  const from = `await import(${JSON.stringify(file)})`;
  if (whole) return `const ${whole} = ${from}${own ? `, { default: ${own} } = ${whole}` : ''};`;
  const parts = [own && `default: ${own}`, ...(names ?? '').split(',').map((name) => name.trim().replace(/\s+as\s+/, ': ')).filter(Boolean)].filter(Boolean);
  return parts.length ? `const { ${parts.join(', ')} } = ${from};` : `${from};`;
});
const interrupted = () => Object.defineProperty(new Error('the cell was interrupted'), 'name', { value: 'KeyboardInterrupt', configurable: true });
const raised = (error) => {
  const value = error instanceof Error && error.message === 'KeyboardInterrupt' && error.name === 'Error' ? interrupted() : error;
  const isError = value instanceof Error;
  host.frame('x', JSON.stringify({ name: isError ? String(value.name) : 'Error', value: isError ? String(value.message) : inspect(value), traceback: isError ? inspect(value) : `Uncaught ${inspect(value)}` }));
};
const finish = (cell, call) => { if (present !== cell || cell.over) return; cell.over = true; try { call(); } catch (error) { raised(error); } };
const value = (cell, given) => finish(cell, () => { if (given !== undefined) { globalThis._ = given; show(bundle(given), true); } });

globalThis.__cellToken = (line) => JSON.parse(line).token;
globalThis.__cellBegin = (line, watch) => {
  const { code, variables } = JSON.parse(line);
  const cell = { over: false };
  present = cell;
  before = { ...process.env };
  Object.assign(process.env, variables ?? {});
  host.frame('n', String(++count));
  const file = `${host.cwd()}/[cell ${count}]`;
  try {
    let made;
    try { made = host.rewrite(code, watch); } catch (error) {
      const changed = imports(code);
      if (changed === code) throw error;
      made = host.rewrite(changed, watch);
    }
    const result = globalThis.__compile(made.slice(1), file);
    if (made[0] === 'A') result.then((given) => value(cell, given?.[0]), (error) => finish(cell, () => raised(error)));
    else value(cell, made[0] === 'V' ? result : undefined);
  } catch (error) { finish(cell, () => raised(error)); }
};
globalThis.__cellIsOver = () => present.over;
globalThis.__cellInterrupt = () => finish(present, () => raised(interrupted()));
// What is nobody's: of the cell where it still runs, else a message.
globalThis.__cellFailed = (error) => {
  if (!present.over) return finish(present, () => raised(error));
  host.frame('e', `Uncaught ${inspect(error)}\n`);
};
globalThis.__cellEnd = () => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  host.frame('d', '');
};
