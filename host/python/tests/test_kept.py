"""Sandboxes that outlive the process."""

import asyncio
import subprocess
import sys

import pytest

from offshoot import AsyncSandboxes, ConflictError, NotFoundError, OffshootError, Sandboxes


@pytest.fixture
def kept(tmp_path):
    return Sandboxes(tmp_path / "store")


def test_a_branch_goes_home(kept):
    kept.create("main", files={"/home/user/notes": "one\n"}, title="The main one", tags=["a"])
    kept.fork("main", "idea")
    kept.exec("idea", "echo two >> notes", check=True)
    assert [(c.kind, c.path) for c in kept.diff("main", "idea")] == [("modified", "/home/user/notes")]
    assert kept.info("idea").parent == "main"
    promotion = kept.promote("idea")
    assert [c.path for c in promotion.changes] == ["/home/user/notes"] and not promotion.conflicts
    assert kept.exec("main", "cat notes").stdout == "one\ntwo\n"


def test_both_sides_of_a_conflict_stay(kept):
    kept.create("main", files={"/home/user/x": "0"})
    kept.fork("main", "idea")
    kept.exec("main", "echo 1 > x")
    kept.exec("idea", "echo 2 > x")
    promotion = kept.promote("idea")
    assert promotion.conflicts == ["/home/user/x"] and not promotion.changes
    assert kept.exec("main", "cat x").stdout == "1\n"


def test_snapshots_and_history(kept):
    kept.create("main")
    kept.exec("main", "echo 1 > x")
    kept.suspend("main")
    kept.snapshot("main", "good")
    kept.exec("main", "rm x")
    kept.restore("main", "main@good")
    assert kept.exec("main", "cat x").stdout == "1\n"
    kept.fork("main@good", "copy")
    assert kept.log("main")[0].created > 1_700_000_000
    assert {info.name for info in kept.list()} == {"main", "copy"}
    kept.delete("copy")
    with pytest.raises(NotFoundError):
        kept.info("copy")


def test_a_lease_keeps_it_awake(kept):
    kept.create("main")
    with kept.open("main") as sandbox:
        sandbox.exec("echo 1 > x")
        sandbox.files.write("y", "2")
    kept.suspend("main")
    assert kept.exec("main", "cat x y").stdout == "1\n2"
    with pytest.raises(ConflictError):
        kept.create("main")


def test_another_process_finds_them(tmp_path):
    store = tmp_path / "store"
    kept = Sandboxes(store, secret=b"a secret of 16 bytes and more")
    kept.create("main")
    kept.exec("main", "echo here > x")
    kept.suspend("main")
    script = (
        "import sys, offshoot\n"
        "kept = offshoot.Sandboxes(sys.argv[1], secret=b'a secret of 16 bytes and more')\n"
        "print(kept.exec('main', 'cat x').stdout, end='')\n"
    )
    done = subprocess.run([sys.executable, "-c", script, store], capture_output=True, text=True, check=True)
    assert done.stdout == "here\n"
    with pytest.raises(OffshootError):
        Sandboxes(store, secret=b"another secret, just as long").exec("main", "true")


def test_the_same_for_asyncio(tmp_path):
    async def main():
        kept = AsyncSandboxes(tmp_path / "store")
        await kept.create("main")
        await asyncio.gather(*(kept.exec("main", f"echo > f{n}") for n in range(5)))
        async with await kept.open("main") as sandbox:
            return len(await sandbox.files.list())

    assert asyncio.run(main()) == 5


def test_sandboxes_are_made_from_templates(kept):
    kept.create("draft")
    kept.exec("draft", "echo ready > state", check=True)
    assert kept.publish("draft", "base") == 1
    kept.exec("draft", "echo later > state", check=True)
    assert kept.publish("draft", "base") == 2
    assert kept.templates() == ["base"]
    kept.create("first", template="base@1")
    kept.create("newest", template="base")
    assert [kept.exec(name, "cat state").stdout for name in ("first", "newest")] == ["ready\n", "later\n"]
    with pytest.raises(NotFoundError):
        kept.create("none", template="nothing")
    with pytest.raises(ValueError, match="settings already"):
        kept.create("both", template="base", cwd="/tmp")
