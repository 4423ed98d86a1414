// querystring.
const escape = (text) => encodeURIComponent(text);
const unescape = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
const shown = (value) => (['string', 'boolean', 'bigint'].includes(typeof value) || (typeof value === 'number' && isFinite(value)) ? String(value) : '');
const stringify = (object, separator = '&', equals = '=', options = {}) => {
  const encode = options.encodeURIComponent ?? exports.escape;
  return Object.entries(object ?? {}).flatMap(([name, value]) => [value].flat().map((one) => encode(name) + equals + encode(shown(one)))).join(separator);
};
const parse = (text, separator = '&', equals = '=', options = {}) => {
  const decode = options.decodeURIComponent ?? exports.unescape;
  const out = Object.create(null);
  if (typeof text !== 'string' || !text) return out;
  for (const part of text.split(separator).slice(0, options.maxKeys === 0 ? undefined : options.maxKeys ?? 1000)) {
    if (!part) continue;
    const at = part.indexOf(equals);
    const [name, value] = (at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + equals.length)]).map((one) => decode(one.replace(/\+/g, ' ')));
    if (!(name in out)) out[name] = value;
    else if (Array.isArray(out[name])) out[name].push(value);
    else out[name] = [out[name], value];
  }
  return out;
};
Object.assign(exports, { escape, unescape, stringify, encode: stringify, parse, decode: parse });
