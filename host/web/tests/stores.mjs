// What every store of the package does, and sandboxes on it, in any engine.

import { equal, ok, rejects } from "./behaviour.mjs";

const REF = { state: "suspended", commit: "aa", epoch: 1, seq: 1, bytes: 0, files: 0, created: 1, changed: 1 };
const id = (n) => n.toString(16).padStart(64, "0");

/** Cases by name. `make` gives an empty store, `again` one more handle on the same. */
export function storeCases(offshoot, label, make, again = async (store) => store) {
  const { ConflictError, CorruptError, FencedError, InvalidError, NotFoundError, Sandboxes } = offshoot;
  const all = {};

  all["objects"] = async () => {
    const store = await make();
    const large = new Uint8Array(400_000).map((_, n) => n % 251);
    const objects = [3, 1, 2].map((n) => ({ id: id(n), kind: n, payload: Uint8Array.of(n) }));
    await store.put([...objects, { id: id(4), kind: 6, payload: large }, { id: id(5), kind: 1, payload: new Uint8Array() }]);
    await store.put(objects);
    const other = await again(store);
    const [four, none, one, five] = await other.get([4, 9, 1, 5].map(id));
    equal([four.kind, four.id, four.payload.length, none, one.kind, [...one.payload]], [6, id(4), 400_000, undefined, 1, [1]], "get");
    ok(four.payload.every((byte, n) => byte === large[n]), "a large one");
    equal([five.kind, five.payload.length], [1, 0], "an empty one");
    equal((await other.ids()).sort(), [1, 2, 3, 4, 5].map(id), "ids");
    const many = Array.from({ length: 300 }, (_, n) => ({ id: id(1000 + n), kind: 1, payload: Uint8Array.of(n) }));
    await store.put(many);
    equal((await store.get(many.map((object) => object.id))).filter((object) => object).length, 300, "many");
    await store.remove([4, 1, 9].map(id));
    equal((await store.get([4, 1, 2].map(id))).map((object) => object?.kind), [undefined, undefined, 2], "removed");
    equal((await store.ids()).length, 303, "ids of many");
  };

  all["refs"] = async () => {
    const store = await make();
    const odd = ["b", "a/..", "ü*. x", ".", "A"];
    for (const name of odd) equal(await store.swap(name, undefined, { ...REF, parent: name }), true, name);
    equal(await store.swap("b", undefined, REF), false, "it exists");
    equal(await store.swap("none", REF, REF), false, "it does not exist");
    equal((await (await again(store)).list()).map(([name, ref]) => [name, ref.parent]), [...odd].sort().map((name) => [name, name]), "list");
    const next = { ...REF, seq: 2, owner: "me" };
    const swaps = await Promise.all([1, 2, 3].map(() => store.swap("b", REF, next)));
    equal(swaps.filter((done) => done).length, 1, "one of three at once");
    equal(await store.read("b"), next, "read");
    equal([await store.swap("b", REF, undefined), await store.swap("b", next, undefined)], [false, true], "remove");
    equal([await store.read("b"), await store.read("c")], [undefined, undefined], "removed");
  };

  all["writers that race"] = async () => {
    const store = await make();
    await store.swap("box", undefined, REF);
    const write = async (store, owner) => {
      for (let done = 0; done < 10; ) {
        const ref = await store.read("box");
        if (await store.swap("box", ref, { ...ref, seq: ref.seq + 1, owner })) done += 1;
      }
    };
    const handles = [store, await again(store)];
    await Promise.all(handles.map((store, n) => write(store, `writer ${n}`)));
    equal((await store.read("box")).seq, REF.seq + 20, "no change is lost");
  };

  all["a sandbox sleeps and wakes"] = async () => {
    const store = await make();
    const first = new Sandboxes(store);
    const made = await first.create("main", { files: { words: "pear\nfig\n", big: "x".repeat(300_000) }, env: { A: "1" }, cwd: "/work" });
    equal([made.name, made.state, made.parent], ["main", "suspended", undefined], "made");
    await rejects(first.create("main"), (e) => e instanceof ConflictError, "twice");
    await rejects(first.create(""), (e) => e.code === "INVALID", "no name");
    await rejects(first.open("none"), (e) => e instanceof NotFoundError, "none");
    const sandbox = await first.open("main");
    equal((await sandbox.exec("sort words | head -n 1; pwd; echo $A")).stdout, "fig\n/work\n1\n", "exec");
    await first.session("main").exec("f() { echo kept; }; B=2");
    ok(sandbox === (await first.open("main")), "the same one");
    await sandbox.exec("echo three > words");
    await first.suspend("main");
    await rejects(sandbox.exec("true"), (e) => e.code === "SANDBOX_UNAVAILABLE", "asleep");
    equal((await first.info("main")).state, "suspended", "asleep");

    const second = new Sandboxes(await again(store), { commands: { hello: () => "hello\n" } });
    const woken = await second.open("main");
    equal((await woken.exec("cat words; hello; wc -c < big; cat /proc/self/comm")).stdout, "three\nhello\n300000\ncat\n", "woken");
    equal((await second.session("main").exec("f; echo $B")).stdout, "kept\n2\n", "its session");
    await woken.exec("echo four > words");
    const branch = await second.fork("main", "branch");
    equal([branch.parent, branch.state], ["main", "suspended"], "a branch");
    await woken.exec("echo five > words");
    await woken.close();
    equal((await second.exec("branch", "cat words; echo six > words")).stdout, "four\n", "the branch");
    equal((await second.exec("main", "cat words")).stdout, "five\n", "the other");
    equal((await second.list()).map(({ name, state }) => [name, state]), [["branch", "suspended"], ["main", "suspended"]], "list");

    // Only what changed is new.
    const before = (await store.ids()).length;
    await second.exec("main", "echo seven > words");
    ok((await store.ids()).length - before < 12, "a small change is small");
    await second.delete("branch");
    ok((await second.collect()) > 0, "something was left over");
    equal(await second.collect(), 0, "once");
    equal((await second.exec("main", "cat words; wc -c < big")).stdout, "seven\n300000\n", "what is reached stays");
  };

  all["a fenced owner"] = async () => {
    const store = await make();
    const [first, second] = [new Sandboxes(store), new Sandboxes(await again(store))];
    await first.create("main");
    const [one, other] = [await first.open("main"), await second.open("main", { takeOver: true })];
    await one.exec("echo one > who");
    await other.exec("echo two > who");
    await rejects(first.checkpoint("main"), (e) => e instanceof FencedError && e.code === "FENCED", "the first");
    equal((await one.exec("cat who")).stdout, "one\n", "what it had can be read");
    await rejects(first.suspend("main"), (e) => e instanceof ConflictError, "it has it no more");
    await one.close();
    await second.suspend("main");
    equal((await first.exec("main", "cat who")).stdout, "two\n", "the second");
    // One that is found to be taken when it is opened again.
    const lost = await first.open("main");
    await second.open("main", { takeOver: true });
    await rejects(first.open("main"), (e) => e instanceof FencedError, "opened again");
    await rejects(lost.exec("true"), (e) => e.code === "SANDBOX_UNAVAILABLE", "the lost one");
    await second.suspend("main");
    const last = await first.open("main");
    await second.delete("main");
    await rejects(last.close(), (e) => e instanceof FencedError, "deleted");
    await rejects(last.exec("true"), (e) => e.code === "SANDBOX_UNAVAILABLE", "closed");
  };

  all["leases"] = async () => {
    const store = await make();
    const refused = (e) => e instanceof ConflictError && e.retryable;
    const [first, second] = [new Sandboxes(store, { leaseMs: 200 }), new Sandboxes(await again(store), { patienceMs: 5000 })];
    const impatient = new Sandboxes(store, { leaseMs: 0 });
    await first.create("main");
    const sandbox = await first.open("main");
    await rejects(impatient.exec("main", "true"), refused, "it is awake");
    await new Promise((resolve) => setTimeout(resolve, 500));
    await rejects(impatient.open("main"), refused, "its lease was renewed");
    await sandbox.exec("echo one > who");
    const waiting = second.exec("main", "cat who");
    await new Promise((resolve) => setTimeout(resolve, 100));
    await sandbox.close();
    equal((await waiting).stdout, "one\n", "one that waits");
    equal([(await store.read("main")).owner, (await store.read("main")).leaseUntil], [undefined, undefined], "asleep");

    // An owner that is no more.
    const before = await store.read("main");
    const gone = { ...before, seq: before.seq + 1, state: "running", owner: crypto.randomUUID(), leaseUntil: Date.now() + 300 };
    await store.swap("main", before, gone);
    if (!store.isGone) await rejects(impatient.open("main"), refused, "nobody knows that it is gone");
    equal((await second.exec("main", "cat who")).stdout, "one\n", "it is gone");
    await impatient.open("main");
    equal((await second.exec("main", "cat who")).stdout, "one\n", "no lease");
    await rejects(impatient.close(), (e) => e instanceof FencedError, "fenced");
    await rejects((async () => new Sandboxes(store, { leaseMs: -1 }))(), (e) => e.code === "INVALID", "no time");
  };

  all["a branch comes home"] = async () => {
    const store = await make();
    const sandboxes = new Sandboxes(store);
    const text = async (name, script) => (await sandboxes.exec(name, script, { check: true })).stdout;
    const notes = { kind: "modified", path: "/home/user/notes" };
    await sandboxes.create("main", { files: { notes: "one\n", other: "x\n" }, title: "The main one", tags: ["a", "b"] });
    const { title, tags } = await sandboxes.info("main");
    equal([title, tags], ["The main one", ["a", "b"]], "described");
    await rejects(sandboxes.create("tags", { tags: Array(11).fill("t") }), (e) => e instanceof InvalidError, "eleven tags");
    await sandboxes.fork("main", "idea");
    await text("idea", "echo two >> notes");
    equal(await sandboxes.diff("main", "idea"), [notes], "diff");
    equal(await sandboxes.promote("idea"), { changes: [notes], conflicts: [] }, "promoted");
    equal([await text("main", "cat notes"), (await sandboxes.info("main")).state], ["one\ntwo\n", "suspended"], "home");
    equal(await sandboxes.diff("main", "idea"), [], "the same");

    // Again: what came since, into what has moved on.
    await text("idea", "echo three > new");
    await text("main", "rm other");
    equal(await sandboxes.promote("idea"), { changes: [{ kind: "added", path: "/home/user/new" }], conflicts: [] }, "since");
    equal(await text("main", "echo *"), "new notes\n", "both");

    // Both sides: nothing happens, and there is no new state.
    await text("idea", "echo idea > notes; echo 1 > more");
    await text("main", "echo main > notes");
    const before = await sandboxes.log("main");
    equal(await sandboxes.promote("idea"), { changes: [], conflicts: ["/home/user/notes"] }, "conflicts");
    equal(await sandboxes.log("main"), before, "no state");
    equal(await text("main", "cat notes; echo *"), "main\nnew notes\n", "as it was");

    // Awake, both of them, and by somebody else.
    const [main, idea] = [await sandboxes.open("main"), await sandboxes.open("idea")];
    await idea.exec("echo main > notes");
    equal((await sandboxes.promote("idea")).changes, [{ kind: "added", path: "/home/user/more" }], "awake");
    equal((await main.exec("cat notes more")).stdout, "main\n1\n", "in what runs");
    const other = new Sandboxes(await again(store));
    await rejects(other.promote("idea"), (e) => e instanceof ConflictError && e.retryable, "awake elsewhere");
    await rejects(other.snapshot("main", "x"), (e) => e instanceof ConflictError, "a snapshot of what is awake elsewhere");
    await rejects(sandboxes.promote("main"), (e) => e instanceof InvalidError, "no branch");
    await rejects(sandboxes.promote("none"), (e) => e instanceof NotFoundError, "none");
    await sandboxes.close();
    await sandboxes.delete("main");
    await sandboxes.delete("main");
    await rejects(sandboxes.promote("idea"), (e) => e instanceof NotFoundError, "no parent");
    equal(await text("idea", "cat notes"), "main\n", "it is still there");
  };

  all["earlier states"] = async () => {
    const store = await make();
    const sandboxes = new Sandboxes(store, { commands: { hello: () => "hello\n" } });
    const text = async (name, script) => (await sandboxes.exec(name, script, { check: true })).stdout;
    await sandboxes.create("main");
    for (const n of [1, 2, 3]) await text("main", `echo ${n} > n`);
    equal(await text("main", "cat n; hello"), "3\nhello\n", "read");
    const log = await sandboxes.log("main");
    equal(log.length, 4, "reading makes no state");
    ok(log.every(({ commit, createdMs, bytes, files }) => /^[0-9a-f]{64}$/.test(commit) && createdMs > 0 && bytes > 0 && files > 0), "facts");
    equal((await sandboxes.log("main", 2)).map(({ commit }) => commit), log.slice(0, 2).map(({ commit }) => commit), "the last two");
    await sandboxes.snapshot("main", "good");
    equal(await sandboxes.restore("main", "main~2"), (await sandboxes.log("main"))[0].commit, "back");
    equal((await sandboxes.log("main")).map(({ label }) => label), ["restored main~2", ...Array(4).fill(undefined)], "labels");
    equal([await text("main", "cat n"), (await sandboxes.log("main")).length], ["1\n", 5], "as it was");

    // What is awake is stored before it goes back.
    const awake = await sandboxes.open("main");
    await awake.exec("echo 4 > n");
    await sandboxes.restore("main", "main@good");
    await rejects(awake.exec("true"), (e) => e.code === "SANDBOX_UNAVAILABLE", "ended");
    equal([await text("main", "cat n"), (await sandboxes.info("main")).state], ["3\n", "suspended"], "the snapshot");
    equal(await sandboxes.diff("main~1", "main"), [{ kind: "modified", path: "/home/user/n" }], "of two states");
    const branches = [["before", "main~1", "4\n"], ["first", "main~", "4\n"], ["kept", "main@good", "3\n"]];
    for (const [name, point, wanted] of branches) {
      equal([(await sandboxes.fork(point, name)).parent, await text(name, "cat n")], ["main", wanted], point);
    }
    await rejects(sandboxes.restore("main", "main@none"), (e) => e instanceof NotFoundError, "no label");
    await rejects(sandboxes.fork("main~99", "none"), (e) => e instanceof NotFoundError, "no state");
    await rejects(sandboxes.diff("main~x", "main"), (e) => e instanceof InvalidError, "no point");
    for (const label of ["", "a/b", "a@b", "a~b", "x".repeat(101)]) {
      await rejects(sandboxes.snapshot("main", label), (e) => e instanceof InvalidError, `label ${label}`);
    }
    for (const name of ["", "a@b", "a~", "~template/x", "x".repeat(129)]) {
      await rejects(sandboxes.create(name), (e) => e instanceof InvalidError, `name ${name}`);
    }

    // What is before the last state goes, and what has a name stays.
    for (const [name] of branches) await sandboxes.delete(name);
    ok((await sandboxes.collect({ history: 0 })) > 0, "earlier states are gone");
    equal((await sandboxes.log("main")).length, 1, "the last one");
    await text("main", "echo 5 > n");
    await sandboxes.restore("main", "main@good");
    equal(await text("main", "cat n"), "3\n", "the snapshot is there");
    equal(await sandboxes.collect(), 0, "some history stays");
    equal((await sandboxes.log("main")).length, 3, "with the default");
    await sandboxes.delete("main");
    ok((await sandboxes.collect()) > 0, "nothing leads there");
    equal(await store.ids(), [], "empty");
  };

  all["templates"] = async () => {
    const store = await make();
    const sandboxes = new Sandboxes(store);
    const text = async (name, script) => (await sandboxes.exec(name, script, { check: true })).stdout;
    await sandboxes.create("draft", { env: { A: "1" }, cwd: "/work" });
    await text("draft", "echo ready > state");
    equal(await sandboxes.publish("draft", "base"), 1, "the first");
    await text("draft", "echo other > state");
    equal(await new Sandboxes(await again(store)).publish("draft", "base"), 2, "the second");
    await sandboxes.publish("draft", "a.b-c");
    equal(await sandboxes.templates(), ["a.b-c", "base"], "their names");
    equal((await sandboxes.list()).map(({ name }) => name), ["draft"], "no sandboxes");
    const { parent, template } = await sandboxes.create("one", { template: "base@1", title: "One" });
    equal([parent, template], [undefined, "base@1"], "where it is from");
    equal((await sandboxes.create("two", { template: "base" })).template, "base@2", "the newest");
    await sandboxes.delete("draft");
    await sandboxes.collect({ history: 0 });
    equal([await text("one", "cat state; pwd; echo $A"), await text("two", "cat state")], ["ready\n/work\n1\n", "other\n"], "made");
    await sandboxes.delete("one");
    await sandboxes.collect({ history: 0 });
    await sandboxes.create("three", { template: "base@1" });
    equal(await text("three", "cat state"), "ready\n", "a version is kept");
    for (const none of ["none", "base@3", "base@0", "base@x", "base@"]) {
      await rejects(sandboxes.create("four", { template: none }), (e) => e instanceof NotFoundError, none);
    }
    await rejects((async () => sandboxes.create("four", { template: "base", cwd: "/" }))(), (e) => e instanceof TypeError, "both");
    await sandboxes.setAlias("base", "stable", 1);
    equal((await sandboxes.create("five", { template: "base@stable" })).template, "base@1", "an alias");
    await new Sandboxes(await again(store)).setAlias("base", "stable", 2);
    await sandboxes.setAlias("base", "next", 2);
    const known = (await sandboxes.templateVersions("base")).map(({ version, aliases }) => [version, aliases]);
    equal(known, [[1, []], [2, ["next", "stable"]]], "moved");
    for (const alias of ["", "7", "a@b", "x".repeat(65)]) {
      await rejects(sandboxes.setAlias("base", alias, 1), (e) => e instanceof InvalidError, `alias ${alias}`);
    }
    await rejects(sandboxes.setAlias("base", "stable", 3), (e) => e instanceof NotFoundError, "no version");
    await rejects(sandboxes.templateVersions("none"), (e) => e instanceof NotFoundError, "no template");
    equal([await sandboxes.removeTemplateVersion("base", 2), await sandboxes.removeTemplateVersion("base", 2)], [true, false], "removed");
    await rejects(sandboxes.create("six", { template: "base@stable" }), (e) => e instanceof NotFoundError, "with its aliases");
    equal((await sandboxes.create("six", { template: "base" })).template, "base@1", "the newest that is left");
    await sandboxes.removeTemplateVersion("a.b-c", 1);
    equal(await sandboxes.templates(), ["base"], "one without versions");
    equal(await sandboxes.publish("three", "a.b-c"), 2, "a number is given once");
    await rejects(sandboxes.publish("three", "a@b"), (e) => e instanceof InvalidError, "no name");
    await rejects(sandboxes.publish("none", "base"), (e) => e instanceof NotFoundError, "none");
    const published = await Promise.all([1, 2, 3].map(async () => new Sandboxes(await again(store)).publish("three", "many")));
    equal(published.sort(), [1, 2, 3], "at once");
  };

  all["containers"] = async () => {
    const sandboxes = new Sandboxes(await make());
    await sandboxes.create("main", { files: { a: "one" }, limits: { processes: 1 } });
    const container = await sandboxes.export("main");
    await sandboxes.import("other", container);
    equal((await sandboxes.exec("other", "cat a | cat")).stdout, "one", "its limits are not believed");
    for (const at of [0, 100, container.length - 1]) {
      const damaged = container.slice();
      damaged[at] ^= 1;
      await rejects(sandboxes.import("damaged", damaged), (e) => e instanceof CorruptError, `damaged at ${at}`);
    }
    equal((await sandboxes.list()).map(({ name }) => name), ["main", "other"], "nothing of it");
  };

  return Object.fromEntries(Object.entries(all).map(([name, run]) => [`${label}: ${name}`, run]));
}
