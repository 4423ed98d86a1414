// os.
const os = {
  EOL: '\n', platform: () => 'linux', type: () => 'Linux', arch: () => 'wasm32', release: () => '0', hostname: () => host.identify().hostname || 'sandbox',
  homedir: () => process.env.HOME || '/', tmpdir: () => process.env.TMPDIR || '/tmp', cpus: () => [{ model: 'wasm', speed: 0, times: {} }],
  totalmem: () => 0, freemem: () => 0, uptime: () => host.now() / 1000, loadavg: () => [0, 0, 0], endianness: () => 'LE', networkInterfaces: () => ({}),
  version: () => '', machine: () => 'wasm32', availableParallelism: () => 1, devNull: '/dev/null', constants: { signals: globalThis.__signals, errno: {}, priority: {} },
  userInfo: () => ({ username: host.identify().user || 'user', uid: process.getuid(), gid: process.getgid(), homedir: os.homedir(), shell: '/bin/bash' }),
};
module.exports = os;
