// Sandboxes from their making to their end, by the JavaScript SDK.

import assert from 'node:assert/strict'
import { NotFoundError, Sandbox } from 'e2b'

const box = await Sandbox.create({ timeoutMs: 100_000, metadata: { owner: 'me' }, envs: { V: 'kept' } })
const info = await box.getInfo()
assert.deepEqual([info.state, info.templateId, info.metadata.owner], ['running', 'base', 'me'])
await box.setTimeout(500_000)
assert((await box.getInfo()).endAt - info.startedAt > 400_000)
assert.equal(await box.isRunning(), true)

await box.files.write('state', 'kept')
assert.equal(await box.pause(), true)
assert.equal(await box.isRunning(), false)
const again = await Sandbox.connect(box.sandboxId)
assert.equal((await again.commands.run('cat state; echo $V')).stdout, 'keptkept\n')

const [branch] = await box.fork()
await branch.files.write('state', 'of the branch')
assert.equal(await box.files.read('state'), 'kept')
const snapshot = await branch.createSnapshot()
await branch.kill()
const made = await Sandbox.create(snapshot.snapshotId)
assert.equal(await made.files.read('state'), 'of the branch')
assert.equal(await Sandbox.deleteSnapshot(snapshot.snapshotId), true)

const pages = Sandbox.list({ query: { metadata: { owner: 'me' } } })
assert.deepEqual((await pages.nextItems()).map((item) => item.sandboxId), [box.sandboxId])
assert.equal(await box.kill(), true)
assert.equal(await box.kill(), false)
await assert.rejects(box.getInfo(), NotFoundError)
await made.kill()
