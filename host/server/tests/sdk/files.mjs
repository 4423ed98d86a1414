// Files by the JavaScript SDK.

import assert from 'node:assert/strict'
import { FileNotFoundError, FilesystemEventType, FileType, Sandbox } from 'e2b'

const box = await Sandbox.create({ timeoutMs: 120_000 })
const { files } = box
const everyByte = Uint8Array.from({ length: 70_000 }, (_, n) => n % 256)

const info = await files.write('notes/a.txt', 'hällo\n')
assert.equal(info.path, '/home/user/notes/a.txt')
assert.equal(await files.read('notes/a.txt'), 'hällo\n')
await files.write('/tmp/b', everyByte.buffer)
assert.deepEqual(await files.read('/tmp/b', { format: 'bytes' }), everyByte)
assert.equal((await files.read('/tmp/b', { format: 'blob' })).size, everyByte.length)
let length = 0
for await (const chunk of await files.read('/tmp/b', { format: 'stream' })) length += chunk.length
assert.equal(length, everyByte.length)
await files.write('/tmp/z', 'zipped', { gzip: true })
assert.equal(await files.read('/tmp/z'), 'zipped')
await files.write([{ path: '/tmp/m/1', data: 'one' }, { path: '/tmp/m/2', data: 'two' }])
assert.equal(await files.read('/tmp/m/2'), 'two')
await assert.rejects(files.read('/tmp/missing'), FileNotFoundError)

assert.equal(await files.makeDir('d/e'), true)
assert.equal(await files.makeDir('d/e'), false)
await files.write('d/f', 'x')
const listed = await files.list('d')
assert.deepEqual(listed.map((entry) => [entry.name, entry.type]), [['e', FileType.DIR], ['f', FileType.FILE]])
const fact = await files.getInfo('d/f')
assert.deepEqual([fact.size, fact.mode, fact.owner], [1, 0o644, 'user'])
assert(Math.abs(fact.modifiedTime.getTime() - Date.now()) < 600_000)
assert.equal((await files.rename('d/f', 'd/g')).path, '/home/user/d/g')
assert.equal(await files.exists('d/f'), false)
await files.remove('d')
assert.equal(await files.exists('d'), false)

// Events arrive by themselves.
await files.makeDir('w')
const seen = []
let both
const complete = new Promise((resolve) => (both = resolve))
const watch = await files.watchDir('w', (event) => seen.push(event) === 2 && both())
await files.write('w/a', '1')
await complete
assert.deepEqual(seen.map((event) => [event.name, event.type]), [['a', FilesystemEventType.CREATE], ['a', FilesystemEventType.WRITE]])
await watch.stop()

const answer = await fetch(await box.downloadUrl('/tmp/b'))
assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), everyByte)
const form = new FormData()
form.append('file', new Blob(['by url']), 'x')
assert.equal((await fetch(await box.uploadUrl('/tmp/u'), { method: 'POST', body: form })).status, 200)
assert.equal(await files.read('/tmp/u'), 'by url')
await box.kill()
