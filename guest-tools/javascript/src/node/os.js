// os.
const meminfo = (name) => {
  try { return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(host.read('/proc/meminfo', true))[1]) * 1024; } catch { return 268435456 - (name === 'MemTotal' ? 0 : host.memory()); }
};
const ERRNO = { E2BIG: 7, EACCES: 13, EADDRINUSE: 98, EADDRNOTAVAIL: 99, EAGAIN: 11, EBADF: 9, EBUSY: 16, ECANCELED: 125, ECHILD: 10, ECONNABORTED: 103, ECONNREFUSED: 111, ECONNRESET: 104, EEXIST: 17, EFAULT: 14, EFBIG: 27, EHOSTUNREACH: 113, EINTR: 4, EINVAL: 22, EIO: 5, EISDIR: 21, ELOOP: 40, EMFILE: 24, ENAMETOOLONG: 36, ENETUNREACH: 101, ENOENT: 2, ENOMEM: 12, ENOSPC: 28, ENOSYS: 38, ENOTCONN: 107, ENOTDIR: 20, ENOTEMPTY: 39, ENOTSUP: 95, EPERM: 1, EPIPE: 32, ERANGE: 34, EROFS: 30, ESPIPE: 29, ESRCH: 3, ETIMEDOUT: 110, EXDEV: 18 };
const os = {
  EOL: '\n', platform: () => 'linux', type: () => 'Linux', arch: () => 'wasm32', release: () => '0', hostname: () => host.identify().hostname || 'sandbox',
  homedir: () => process.env.HOME || '/', tmpdir: () => process.env.TMPDIR || '/tmp', cpus: () => [{ model: 'wasm', speed: 0, times: {} }],
  totalmem: () => meminfo('MemTotal'), freemem: () => meminfo('MemAvailable'), uptime: () => host.now() / 1000, loadavg: () => [0, 0, 0], endianness: () => 'LE', networkInterfaces: () => ({ lo: [{ address: '127.0.0.1', netmask: '255.0.0.0', family: 'IPv4', mac: '00:00:00:00:00:00', internal: true, cidr: '127.0.0.1/8' }] }), getPriority: () => 0, setPriority() {},
  version: () => '', machine: () => 'wasm32', availableParallelism: () => 1, devNull: '/dev/null', constants: { signals: globalThis.__signals, errno: ERRNO, priority: { PRIORITY_LOW: 19, PRIORITY_BELOW_NORMAL: 10, PRIORITY_NORMAL: 0, PRIORITY_ABOVE_NORMAL: -7, PRIORITY_HIGH: -14, PRIORITY_HIGHEST: -20 } },
  userInfo: () => ({ username: host.identify().user || 'user', uid: process.getuid(), gid: process.getgid(), homedir: os.homedir(), shell: '/bin/bash' }),
};
module.exports = os;
