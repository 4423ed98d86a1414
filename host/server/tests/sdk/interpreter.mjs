// Code by the JavaScript SDK of the code interpreter.

import assert from 'node:assert/strict'
import { NotFoundError, Sandbox, SandboxError, TimeoutError } from '@e2b/code-interpreter'

const box = await Sandbox.create({ timeoutMs: 120_000, envs: { A: 'of the sandbox' } })
const run = (code, options) => box.runCode(code, options)

const first = await run("x = 41\nprint('hi')\nimport sys; print('oh', file=sys.stderr)\nx + 1")
assert.deepEqual([first.text, first.logs.stdout, first.logs.stderr], ['42', ['hi\n'], ['oh\n']])
assert.deepEqual([first.executionCount, first.error], [1, undefined])
assert.equal((await run("import os; x, os.environ['A'], os.environ['B']", { envs: { B: 'b' } })).text, "(41, 'of the sandbox', 'b')")

const heard = []
const failed = await run("print('out')\ndisplay({'text/html': '<b>'}, raw=True)\nimport sys; print('err', file=sys.stderr)\n1/0", {
  onStdout: (message) => heard.push(message.line),
  onStderr: (message) => heard.push(message.line),
  onResult: (result) => heard.push(result.html),
  onError: (error) => heard.push(error.name),
})
assert.deepEqual(heard, ['out\n', '<b>', 'err\n', 'ZeroDivisionError'])
assert.equal(failed.error.value, 'division by zero')
assert.match(failed.error.traceback, /line 4, in <module>/)

const rich = await run(`
class Rich:
    def _repr_png_(self): return b"1"
    def _repr_mimebundle_(self, include=None, exclude=None): return {"e2b/chart": {"type": "line", "title": "T"}}
    def __repr__(self): return "Rich"
Rich()`)
assert.deepEqual([rich.results[0].isMainResult, rich.results[0].png], [true, 'MQ=='])
assert.equal(rich.results[0].chart.title, 'T')

const other = await box.createCodeContext({ cwd: '/tmp' })
assert.deepEqual([other.language, other.cwd], ['python', '/tmp'])
assert.equal((await run('import os; os.getcwd()', { context: other })).text, '/tmp')
await run('x = 1', { context: other })
assert.deepEqual([(await run('x', { context: other })).text, (await run('x')).text], ['1', '41'])
assert.equal((await box.listCodeContexts()).length, 2)
await box.restartCodeContext(other)
assert.equal((await run('x', { context: other })).error.name, 'NameError')
await box.removeCodeContext(other.id)
await assert.rejects(run('x', { context: other }), NotFoundError)

assert.deepEqual((await run('echo $((6 * 7))', { language: 'bash' })).logs.stdout, ['42\n'])
await run('const shout = word => word.toUpperCase() + "!"', { language: 'javascript' })
const shouted = await run('console.log(1); shout(await Promise.resolve("late"))', { language: 'js' })
assert.deepEqual([shouted.text, shouted.logs.stdout], ['LATE!', ['1\n']])
assert.equal((await run('null.x', { language: 'javascript' })).error.name, 'TypeError')
await assert.rejects(run('1', { language: 'r' }), SandboxError)
await assert.rejects(run('while True: pass', { timeoutMs: 1_000 }), TimeoutError)
assert.equal((await run('x')).text, '41')
await box.kill()
// The SDK's timers of calls that were refused would go on for a minute.
process.exit(0)
