// dns: the names of the sandbox itself; there is no server to ask for others.
const net = require('net');
const NUMBERS = { ENOTFOUND: -3008, EAI_AGAIN: -3001 };
const invalid = (name, kind, value) => Object.assign(new TypeError(`The "${name}" argument must be ${kind}. Received ${globalThis.__inspect.received(value)}`), { code: 'ERR_INVALID_ARG_TYPE' });
const missing = (syscall, hostname) => Object.assign(new Error(`${syscall} ENOTFOUND ${hostname}`), { errno: syscall === 'getaddrinfo' ? NUMBERS.ENOTFOUND : undefined, code: 'ENOTFOUND', syscall, hostname });
const isOwn = (name) => /^(localhost|.*\.localhost)\.?$/i.test(name) || name === host.identify().hostname;
const find = (hostname, given) => {
  const options = typeof given === 'number' ? { family: given } : given || {};
  const family = { IPv4: 4, IPv6: 6 }[options.family] ?? options.family ?? 0;
  if (![0, 4, 6].includes(family)) throw Object.assign(new TypeError(`The property 'options.family' must be one of: 0, 4, 6. Received ${globalThis.__inspect.inspect(family)}`), { code: 'ERR_INVALID_ARG_VALUE' });
  if (hostname && typeof hostname !== 'string') throw invalid('hostname', 'of type string', hostname);
  if (!hostname) return options.all ? [] : { address: null, family: family === 6 ? 6 : 4 };
  const literal = net.isIP(hostname);
  if (!literal && !isOwn(hostname)) throw missing('getaddrinfo', hostname);
  const found = literal ? { address: hostname, family: literal } : family === 6 ? { address: '::1', family: 6 } : { address: '127.0.0.1', family: 4 };
  return options.all ? [found] : found;
};
const lookup = (hostname, options, done) => {
  if (typeof options === 'function') [done, options] = [options, {}];
  if (typeof done !== 'function') throw invalid('callback', 'of type function', done);
  let found;
  try { found = find(hostname, options); } catch (error) {
    if (error.syscall === undefined) throw error;
    return void setImmediate(done, error);
  }
  if (Array.isArray(found)) setImmediate(done, null, found);
  else setImmediate(done, null, found.address, found.family);
};
const SERVICES = { 22: 'ssh', 25: 'smtp', 53: 'domain', 80: 'http', 443: 'https', 5432: 'postgresql', 3306: 'mysql', 8080: 'http-alt' };
const service = (address, port) => {
  if (!net.isIP(address)) throw Object.assign(new TypeError(`The argument 'address' is invalid. Received '${address}'`), { code: 'ERR_INVALID_ARG_VALUE' });
  if (!/^127\.|^::1$/.test(address)) throw missing('getnameinfo', address);
  return { hostname: 'localhost', service: SERVICES[port] ?? String(port) };
};
const RECORDS = { resolve4: 'A', resolve6: 'Aaaa', resolveAny: 'Any', resolveCaa: 'Caa', resolveCname: 'Cname', resolveMx: 'Mx', resolveNaptr: 'Naptr', resolveNs: 'Ns', resolvePtr: 'Ptr', resolveSoa: 'Soa', resolveSrv: 'Srv', resolveTxt: 'Txt' };
const query = (type, hostname) => {
  if (typeof hostname !== 'string') throw invalid('name', 'of type string', hostname);
  if (isOwn(hostname) && type === 'A') return ['127.0.0.1'];
  if (isOwn(hostname) && type === 'Aaaa') return ['::1'];
  throw missing(`query${type}`, hostname);
};
const reverse = (address) => {
  if (!net.isIP(address)) throw Object.assign(new Error(`getHostByAddr EINVAL ${address}`), { errno: -22, code: 'EINVAL', syscall: 'getHostByAddr', hostname: address });
  if (/^127\.|^::1$/.test(address)) return ['localhost'];
  throw missing('getHostByAddr', address);
};
const withCallback = (call) => (...rest) => {
  const done = rest.pop();
  if (typeof done !== 'function') throw invalid('callback', 'of type function', done);
  let value;
  try { value = call(...rest); } catch (error) {
    if (error instanceof TypeError) throw error;
    return void setImmediate(done, error);
  }
  setImmediate(done, null, value);
};
const later = (call) => async (...rest) => call(...rest);
const resolve = (hostname, type = 'A') => {
  const name = RECORDS[type === 'A' ? 'resolve4' : type === 'AAAA' ? 'resolve6' : `resolve${String(type)[0]}${String(type).slice(1).toLowerCase()}`];
  if (name === undefined) throw Object.assign(new TypeError(`The argument 'rrtype' is invalid. Received '${type}'`), { code: 'ERR_INVALID_ARG_VALUE' });
  return query(name, hostname);
};
const CALLS = { resolve, reverse, ...Object.fromEntries(Object.entries(RECORDS).map(([name, type]) => [name, (hostname) => query(type, hostname)])) };
let servers = ['127.0.0.1'], order = 'verbatim';
const settings = {
  getServers: () => [...servers], setServers(list) { servers = [...list]; },
  getDefaultResultOrder: () => order, setDefaultResultOrder(given) { order = given; },
};
const each = (wrap) => Object.fromEntries(Object.entries(CALLS).map(([name, call]) => [name, wrap(call)]));
class Resolver { constructor() { Object.assign(this, each(withCallback)); } cancel() {} getServers() { return settings.getServers(); } setServers(list) { settings.setServers(list); } setLocalAddress() {} }
const ERRORS = ['NODATA', 'FORMERR', 'SERVFAIL', 'NOTFOUND', 'NOTIMP', 'REFUSED', 'BADQUERY', 'BADNAME', 'BADFAMILY', 'BADRESP', 'CONNREFUSED', 'TIMEOUT', 'EOF', 'FILE', 'NOMEM', 'DESTRUCTION', 'BADSTR', 'BADFLAGS', 'NONAME', 'BADHINTS', 'NOTINITIALIZED', 'LOADIPHLPAPI', 'ADDRGETNETWORKPARAMS', 'CANCELLED'];
const constants = { ADDRCONFIG: 32, ALL: 16, V4MAPPED: 8, ...Object.fromEntries(ERRORS.map((name) => [name, `E${name}`])) };
module.exports = { lookup, lookupService: (address, port, done) => withCallback((...given) => service(...given))(address, port, (error, found) => (error ? done(error) : done(null, found.hostname, found.service))), Resolver, ...each(withCallback), ...settings, ...constants };
module.exports.promises = { lookup: later(find), lookupService: later(service), Resolver: class { constructor() { Object.assign(this, each(later)); } cancel() {} }, ...each(later), ...settings, ...constants };
