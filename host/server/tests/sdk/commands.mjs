// Commands by the JavaScript SDK.

import assert from 'node:assert/strict'
import { AuthenticationError, CommandExitError, InvalidArgumentError, Sandbox, TimeoutError } from 'e2b'

const box = await Sandbox.create({ timeoutMs: 120_000, envs: { A: 'from the sandbox' } })
const run = (command, options) => box.commands.run(command, options)

const done = await run('printf out; printf err >&2')
assert.deepEqual([done.stdout, done.stderr, done.exitCode], ['out', 'err', 0])
await assert.rejects(run('echo before; exit 3'), (error) => {
  assert(error instanceof CommandExitError)
  assert.deepEqual([error.exitCode, error.stdout], [3, 'before\n'])
  return true
})
let seen = ''
await run('for i in 1 2 3; do echo $i; sleep 0.02; done', { onStdout: (text) => (seen += text) })
assert.equal(seen, '1\n2\n3\n')
assert.equal((await run('seq 100000')).stdout.length, 588895)
assert.equal((await run('pwd; echo $A $B', { cwd: '/tmp', envs: { B: 'b' } })).stdout, '/tmp\nfrom the sandbox b\n')
await assert.rejects(run('pwd', { cwd: '/nowhere' }), InvalidArgumentError)
await assert.rejects(run('sleep 60', { timeoutMs: 300 }), TimeoutError)

// Many at once on few connections.
const many = await Promise.all(Array.from({ length: 40 }, (_, n) => run(`echo ${n}`)))
assert.deepEqual(many.map((result) => result.stdout), many.map((_, n) => `${n}\n`))

// In the background.
const handle = await run('while read -r line; do echo got $line; done', { background: true, stdin: true })
const other = await box.commands.connect(handle.pid)
assert.deepEqual((await box.commands.list()).map((process) => process.pid), [handle.pid])
await box.commands.sendStdin(handle.pid, 'one\n')
await box.commands.closeStdin(handle.pid)
assert.equal((await handle.wait()).stdout, 'got one\n')
assert.equal((await other.wait()).stdout, 'got one\n')
const sleeper = await run('sleep 60', { background: true })
assert.equal(await sleeper.kill(), true)
await assert.rejects(sleeper.wait(), CommandExitError)
assert.equal(await box.commands.kill(sleeper.pid), false)

// A terminal.
const shown = []
const terminal = await box.pty.create({ cols: 80, rows: 24, envs: { PS1: '$ ' }, onData: (data) => shown.push(data) })
await box.pty.sendInput(terminal.pid, new TextEncoder().encode('echo $((6 * 7))\r'))
await box.pty.resize(terminal.pid, { cols: 100, rows: 30 })
await box.pty.sendInput(terminal.pid, new TextEncoder().encode('exit\r'))
await terminal.wait()
assert.match(Buffer.concat(shown).toString(), /42\r\n/)

await assert.rejects(Sandbox.create({ apiKey: 'e2b_' + 'f'.repeat(40) }), AuthenticationError)
assert.equal(await box.kill(), true)
