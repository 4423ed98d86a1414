// url.
const path = require('path');
class URLSearchParams {
  #pairs = [];
  constructor(init = '') {
    if (typeof init === 'string') this._replace(init);
    else this.#pairs = [...(init[Symbol.iterator] ? init : Object.entries(init))].map(([name, value]) => [String(name), String(value)]);
  }
  // What a URL's own query says.
  _replace(init) {
    // What is no text in UTF-8 stays readable.
    const decode = (text) => { const plain = text.replace(/\+/g, ' '); try { return decodeURIComponent(plain); } catch { return Buffer.from(plain.replace(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(parseInt(code, 16))), 'latin1').toString(); } };
    this.#pairs = [];
    {
      for (const part of init.replace(/^\?/, '').split('&').filter(Boolean)) {
        const at = part.indexOf('=');
        this.#pairs.push(at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))]);
      }
    }
  }
  get(name) { const pair = this.#pairs.find((pair) => pair[0] === name); return pair ? pair[1] : null; }
  getAll(name) { return this.#pairs.filter((pair) => pair[0] === name).map((pair) => pair[1]); }
  has(name, value) { return this.#pairs.some((pair) => pair[0] === name && (value === undefined || pair[1] === String(value))); }
  append(name, value) { this.#pairs.push([String(name), String(value)]); this._changed?.(); }
  delete(name, value) { this.#pairs = this.#pairs.filter((pair) => pair[0] !== name || (value !== undefined && pair[1] !== String(value))); this._changed?.(); }
  set(name, value) {
    const first = this.#pairs.findIndex((pair) => pair[0] === name);
    if (first < 0) return this.append(name, value);
    this.#pairs = this.#pairs.filter((pair, at) => pair[0] !== name || at === first).map((pair) => (pair[0] === name ? [name, String(value)] : pair));
    this._changed?.();
    return undefined;
  }
  sort() { this.#pairs.sort((left, right) => (left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : 0)); this._changed?.(); }
  forEach(call) { this.#pairs.forEach(([name, value]) => call(value, name, this)); }
  keys() { return this.#pairs.map((pair) => pair[0])[Symbol.iterator](); }
  values() { return this.#pairs.map((pair) => pair[1])[Symbol.iterator](); }
  entries() { return this.#pairs[Symbol.iterator](); }
  [Symbol.iterator]() { return this.entries(); }
  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    const pairs = this.#pairs.map((pair) => pair.map((one) => inspect(one)).join(' => '));
    return pairs.length ? `URLSearchParams { ${pairs.join(', ')} }` : 'URLSearchParams {}';
  }
  get size() { return this.#pairs.length; }
  toString() { const encode = (text) => encodeURIComponent(text).replace(/%20/g, '+').replace(/[!'()~]/g, (mark) => '%' + mark.charCodeAt(0).toString(16).toUpperCase()); return this.#pairs.map((pair) => pair.map(encode).join('=')).join('&'); }
}
// The parts of a URL as the standard of the web splits them.
const PORTS = { 'http:': '80', 'https:': '443', 'ftp:': '21', 'ws:': '80', 'wss:': '443', 'file:': '' };
const isSpecial = (protocol) => Object.hasOwn(PORTS, protocol);
const encoded = (text, more) => [...text].map((letter) => {
  const code = letter.codePointAt(0);
  return code > 0x20 && code < 0x7f && !more.includes(letter) ? letter : encodeURIComponent(/^[\ud800-\udfff]$/.test(letter) ? '\ufffd' : letter).replace(/^[^%]$/, `%${code.toString(16).toUpperCase().padStart(2, '0')}`);
}).join('');
const ENCODED = { fragment: ' "<>`', query: ' "#<>', special: ' "#<>\'', path: ' "#<>?`{}', user: ' "#<>?`{}/:;=@[\\]^|' };
// Controls alone.
const plain = (text) => [...text].map((letter) => (letter <= '\x1f' || letter > '~' ? encoded(letter, '') : letter)).join('');
const invalid = (input, base) => Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input, ...(base === undefined ? {} : { base }) });
const numberOf = (text) => (/^0x[\da-f]*$/i.test(text) ? parseInt(text.slice(2) || '0', 16) : /^0[0-7]+$/.test(text) ? parseInt(text, 8) : /^\d+$/.test(text) ? Number(text) : NaN);
const ipv4 = (host) => {
  const parts = host.replace(/\.$/, '').split('.');
  if (!/^(\d+|0x[\da-f]*)$/i.test(parts.at(-1))) return host;
  const numbers = parts.map(numberOf), last = numbers.pop();
  if (parts.length > 4 || Number.isNaN(last) || numbers.some((one) => Number.isNaN(one) || one > 255) || last >= 256 ** (4 - numbers.length)) return null;
  const whole = numbers.reduce((sum, one, at) => sum + one * 256 ** (3 - at), last);
  return [24, 16, 8, 0].map((shift) => Math.floor(whole / 2 ** shift) % 256).join('.');
};
const ipv6 = (text) => {
  let given = text;
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(given);
  if (dotted) {
    const bytes = dotted.slice(2).map(Number);
    if (bytes.some((byte) => byte > 255)) return null;
    given = `${dotted[1]}${(bytes[0] * 256 + bytes[1]).toString(16)}:${(bytes[2] * 256 + bytes[3]).toString(16)}`;
  }
  const halves = given.split('::');
  if (halves.length > 2) return null;
  const [left, right] = halves.map((half) => (half ? half.split(':') : []));
  const groups = right === undefined ? left : [...left, ...Array(Math.max(8 - left.length - right.length, 0)).fill('0'), ...right];
  if (groups.length !== 8 || groups.some((group) => !/^[\da-f]{1,4}$/i.test(group))) return null;
  const short = groups.map((group) => parseInt(group, 16).toString(16));
  let best = [0, 0];
  for (let at = 0; at < 8; at++) { let end = at; while (end < 8 && short[end] === '0') end++; if (end - at > best[1]) best = [at, end - at]; }
  return best[1] < 2 ? short.join(':') : `${short.slice(0, best[0]).join(':')}::${short.slice(best[0] + best[1]).join(':')}`;
};
const hostOf = (text, special) => {
  if (text.startsWith('[')) { const found = text.endsWith(']') ? ipv6(text.slice(1, -1)) : null; return found === null ? null : `[${found}]`; }
  if (!special) return /[\0\t\n\r #/:<>?@[\\\]^|]/.test(text) ? null : plain(text);
  let host;
  try { host = decodeURIComponent(text); } catch { return null; }
  host = require('punycode').toASCII(host.normalize('NFKC').toLowerCase());
  if (!host || /[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/.test(host)) return null;
  return ipv4(host);
};
const DRIVE = /^[a-z][:|]$/i;
const pathOf = (text, protocol, before = []) => {
  const out = [...before], parts = text.split(isSpecial(protocol) ? /[\\/]/ : '/');
  const isOne = (part) => /^(\.|%2e)$/i.test(part), isTwo = (part) => /^(\.|%2e){2}$/i.test(part);
  parts.forEach((part, at) => {
    const isLast = at === parts.length - 1;
    if (isTwo(part)) { if (!(protocol === 'file:' && out.length === 1 && DRIVE.test(out[0]))) out.pop(); if (isLast) out.push(''); } else if (isOne(part)) { if (isLast) out.push(''); } else out.push(protocol === 'file:' && !out.length && DRIVE.test(part) ? `${part[0]}:` : encoded(part, ENCODED.path));
  });
  return out;
};
const authority = (own, text, special) => {
  const at = text.lastIndexOf('@');
  if (at >= 0) {
    const [, user, password] = /^([^:]*)(?::([\s\S]*))?$/.exec(text.slice(0, at));
    own.username = encoded(user, ENCODED.user);
    own.password = encoded(password ?? '', ENCODED.user);
  }
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(text.slice(at + 1)) ?? [];
  if (host === undefined || (special && !host) || Number(port) > 65535 || (!host && (port !== undefined || at >= 0))) return false;
  own.hostname = host === '' ? '' : hostOf(host, special);
  own.port = port === undefined || port === '' || String(Number(port)) === PORTS[own.protocol] ? '' : String(Number(port));
  return own.hostname !== null;
};
const split = (given, base) => {
  const text = given.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '').replace(/[\t\n\r]/g, '');
  const own = { protocol: '', username: '', password: '', hostname: null, port: '', path: [], opaque: null, query: null, fragment: null };
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text);
  let rest = scheme ? text.slice(scheme[0].length) : text;
  own.protocol = scheme ? scheme[0].toLowerCase() : base?.protocol ?? '';
  if (!scheme && base === undefined) return null;
  const take = (mark) => { const at = rest.indexOf(mark); if (at < 0) return null; const part = rest.slice(at + 1); rest = rest.slice(0, at); return part; };
  const fragment = take('#'), query = take('?'), special = isSpecial(own.protocol);
  if (fragment !== null) own.fragment = encoded(fragment, ENCODED.fragment);
  if (query !== null) own.query = encoded(query, special ? ENCODED.special : ENCODED.query);
  if (special) rest = rest.replace(/\\/g, '/');
  const isRelative = base !== undefined && base.opaque === null && (!scheme || (special && own.protocol === base.protocol && !rest.startsWith('/')));
  if (!scheme && base.opaque !== null) { if (rest || query !== null || fragment === null) return null; return { ...base, fragment: own.fragment }; }
  if (rest.startsWith('//') || (special && scheme && !isRelative && own.protocol !== 'file:')) {
    const [, host, tail] = /^\/*([^/]*)([\s\S]*)$/.exec(special && own.protocol !== 'file:' ? rest : rest.replace(/^\/\//, '')) ?? [];
    const isFile = own.protocol === 'file:', [, fileHost, fileTail] = isFile || !special ? /^([^/]*)([\s\S]*)$/.exec(rest.slice(2)) : [undefined, host, tail];
    if (isFile && DRIVE.test(fileHost)) { own.hostname = ''; own.path = pathOf(fileHost + fileTail, own.protocol); return own; }
    if (isFile) { own.hostname = fileHost === '' ? '' : hostOf(fileHost, true); if (own.hostname === null) return null; if (own.hostname === 'localhost') own.hostname = ''; } else if (!authority(own, fileHost, special)) return null;
    own.path = fileTail === '' ? (special ? [''] : []) : pathOf(fileTail.slice(1), own.protocol);
    return own;
  }
  if (isRelative) {
    Object.assign(own, { username: base.username, password: base.password, hostname: base.hostname, port: base.port });
    if (rest.startsWith('/')) own.path = pathOf(rest.slice(1), own.protocol, own.protocol === 'file:' && DRIVE.test(base.path[0] ?? '') && !DRIVE.test(rest.slice(1).split('/')[0]) ? base.path.slice(0, 1) : []);
    else if (rest === '') { own.path = base.path; own.query ??= query === null ? base.query : null; } else own.path = pathOf(rest, own.protocol, base.path.slice(0, -1));
    return own;
  }
  if (own.protocol === 'file:') { own.hostname = ''; own.path = pathOf(rest.replace(/^\//, ''), own.protocol); return own; }
  if (rest.startsWith('/')) own.path = pathOf(rest.slice(1), own.protocol);
  else own.opaque = plain(rest);
  return own;
};
class URL {
  #own; #parameters;
  constructor(text, base) {
    if (arguments.length === 0) throw Object.assign(new TypeError('The "url" argument must be specified'), { code: 'ERR_MISSING_ARGS' });
    const from = base === undefined ? undefined : split(String(base));
    const own = from === null ? null : split(String(text), from);
    if (own === null) throw invalid(String(text), base === undefined ? undefined : String(base));
    this.#own = own;
  }
  #set(change) { const made = { ...this.#own }; if (change(made) !== false) this.#own = made; }
  get [Symbol.toStringTag]() { return 'URL'; }
  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    const { href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams, hash } = this;
    if (typeof depth === 'number' && depth < 0) return this;
    return `URL ${inspect({ href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams, hash }, options)}`;
  }
  get protocol() { return this.#own.protocol; }
  set protocol(text) { const found = /^([a-z][a-z0-9+.-]*):?/i.exec(String(text)); if (found) this.#set((own) => { const protocol = `${found[1].toLowerCase()}:`; if (isSpecial(protocol) !== isSpecial(own.protocol)) return false; own.protocol = protocol; if (own.port === PORTS[protocol]) own.port = ''; return true; }); }
  get username() { return this.#own.username; }
  set username(text) { if (this.#own.hostname) this.#set((own) => { own.username = encoded(String(text), ENCODED.user); }); }
  get password() { return this.#own.password; }
  set password(text) { if (this.#own.hostname) this.#set((own) => { own.password = encoded(String(text), ENCODED.user); }); }
  get hostname() { return this.#own.hostname ?? ''; }
  set hostname(text) { if (this.#own.opaque === null) this.#set((own) => { const host = hostOf(String(text).replace(/[/?#][\s\S]*$/, ''), isSpecial(own.protocol)); if (host === null || /:\d*$/.test(String(text)) && !String(text).startsWith('[')) return false; own.hostname = host; return true; }); }
  get host() { return this.hostname + (this.port ? `:${this.port}` : ''); }
  set host(text) { if (this.#own.opaque === null) this.#set((own) => { const made = { ...own }; const [, host, port] = /^(\[[^\]]*\]|[^:/?#]*)(?::(\d+))?/.exec(String(text)); made.hostname = hostOf(host, isSpecial(own.protocol)); if (made.hostname === null) return false; own.hostname = made.hostname; if (port !== undefined) own.port = String(Number(port)) === PORTS[own.protocol] ? '' : String(Number(port)); return true; }); }
  get port() { return this.#own.port; }
  set port(text) { if (this.#own.hostname && this.#own.protocol !== 'file:') this.#set((own) => { const found = /^\d*/.exec(String(text))[0]; if (found === '' && String(text) !== '') return false; if (Number(found) > 65535) return false; own.port = found === '' || String(Number(found)) === PORTS[own.protocol] ? '' : String(Number(found)); return true; }); }
  get pathname() { return this.#own.opaque ?? this.#own.path.map((part) => `/${part}`).join(''); }
  set pathname(text) { if (this.#own.opaque === null) this.#set((own) => { const given = String(text), special = isSpecial(own.protocol); own.path = given === '' && !special ? [] : pathOf(given.replace(special ? /^[\\/]/ : /^\//, ''), own.protocol); }); }
  get search() { return this.#own.query ? `?${this.#own.query}` : ''; }
  set search(text) {
    this.#set((own) => { const given = String(text).replace(/^\?/, ''); own.query = String(text) === '' ? null : encoded(given, isSpecial(own.protocol) ? ENCODED.special : ENCODED.query); });
    this.#parameters?._replace(this.search);
  }
  get searchParams() {
    if (!this.#parameters) {
      this.#parameters = new URLSearchParams(this.search);
      this.#parameters._changed = () => { const text = this.#parameters.toString(); this.#own = { ...this.#own, query: text === '' ? null : text }; };
      Object.defineProperty(this.#parameters, '_changed', { enumerable: false });
    }
    return this.#parameters;
  }
  get hash() { return this.#own.fragment ? `#${this.#own.fragment}` : ''; }
  set hash(text) { this.#set((own) => { own.fragment = String(text) === '' ? null : encoded(String(text).replace(/^#/, ''), ENCODED.fragment); }); }
  get origin() {
    if (this.protocol === 'blob:') { try { return new URL(this.pathname).origin; } catch { return 'null'; } }
    return isSpecial(this.protocol) && this.protocol !== 'file:' ? `${this.protocol}//${this.host}` : 'null';
  }
  get href() {
    const own = this.#own, user = own.username || own.password ? `${own.username}${own.password ? `:${own.password}` : ''}@` : '';
    const head = own.hostname === null ? (own.opaque === null && own.path.length > 1 && own.path[0] === '' ? '/.' : '') : `//${user}${this.host}`;
    return `${own.protocol}${head}${this.pathname}${own.query === null ? '' : `?${own.query}`}${own.fragment === null ? '' : `#${own.fragment}`}`;
  }
  set href(text) { const own = split(String(text)); if (own === null) throw invalid(String(text)); this.#own = own; this.#parameters?._replace(this.search); }
  toString() { return this.href; }
  toJSON() { return this.href; }
  static canParse(text, base) { try { new URL(text, base); return true; } catch { return false; } }
  static parse(text, base) { try { return new URL(text, base); } catch { return null; } }
}
for (const name of ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'searchParams', 'hash', 'toString', 'toJSON']) Object.defineProperty(URL.prototype, name, { ...Object.getOwnPropertyDescriptor(URL.prototype, name), enumerable: true });
const domainToASCII = (text) => hostOf(String(text), true) ?? '';
const domainToUnicode = (text) => require('punycode').toUnicode(domainToASCII(text));
const urlToHttpOptions = (url) => ({
  ...url, protocol: url.protocol, hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'), hash: url.hash, search: url.search, pathname: url.pathname, path: `${url.pathname || ''}${url.search || ''}`, href: url.href,
  ...(url.port === '' ? {} : { port: Number(url.port) }), ...(url.username || url.password ? { auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` } : {}),
});
const fileURLToPath = (url) => {
  const found = typeof url === 'string' ? new URL(url) : url;
  if (found.protocol !== 'file:') throw Object.assign(new TypeError('The URL must be of scheme file'), { code: 'ERR_INVALID_URL_SCHEME' });
  return decodeURIComponent(found.pathname);
};
const pathToFileURL = (file) => new URL(`file://${encodeURI(path.resolve(file)).replace(/[?#]/g, encodeURIComponent)}`);
const parse = (text, withQuery) => {
  const [, protocol = null, slashes, auth = null, host = null, pathname = null, search = null, hash = null] = /^([a-z][\w+.-]*:)?(\/\/)?(?:([^@/?#]*)@)?((?<=\/\/[^/?#]*)[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(text.trim()) || [];
  const [, hostname = null, port = null] = host ? /^(.*?)(?::(\d+))?$/.exec(host) : [];
  const query = search ? search.slice(1) : null;
  return { protocol, slashes: !!slashes || null, auth, host: host || null, port, hostname, hash, search, query: withQuery ? require('querystring').parse(query || '') : query, pathname: pathname || null, path: (pathname || '') + (search || '') || null, href: text.trim() };
};
const format = (url) => (url instanceof URL ? url.href : `${url.protocol || ''}${url.slashes || /^https?:?$/.test(url.protocol || '') ? '//' : ''}${url.auth ? `${url.auth}@` : ''}${url.host || (url.hostname || '') + (url.port ? `:${url.port}` : '')}${url.pathname || ''}${url.search || (url.query ? `?${require('querystring').stringify(url.query)}` : '')}${url.hash || ''}`);
module.exports = { URL, URLSearchParams, domainToASCII, domainToUnicode, urlToHttpOptions, fileURLToPath, pathToFileURL, parse, format, resolve: (from, to) => { const made = new URL(to, new URL(from, 'resolve://')); return made.protocol === 'resolve:' ? `${made.pathname}${made.search}${made.hash}` : made.href; } };
