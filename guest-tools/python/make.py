"""Makes the component `python3.wasm`: CPython and its standard library from the package `componentize-py`, pip, the zones
of `zoneinfo`, and `library/`, with a way for its host to its memory (`reach.py`).

    python3 make.py FOLDER

installs the packages below FOLDER with pip and leaves `python3.wasm` there. Python 3.10 or later with pip is needed;
statuses: 0 made, 3 where this machine lacks what is needed.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import reach

COMPONENTIZE = "componentize-py==0.25.0"
# What is there beside the standard library. `zoneinfo` takes its zones from `tzdata` where the system has no files of them.
PACKAGES = ["pip==26.0", "tzdata==2026.6"]

here = pathlib.Path(__file__).resolve().parent


def install(folder):
    """The packages, unless they are there; None where pip or the registry is missing."""
    tool, wheels = folder / "tool", folder / "wheels"
    mark = folder / "installed"
    wanted = " ".join([COMPONENTIZE, *PACKAGES])
    if mark.exists() and mark.read_text() == wanted:
        return tool, wheels
    shutil.rmtree(tool, ignore_errors=True)
    shutil.rmtree(wheels, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    commands = [
        [*pip, "install", "--no-deps", "--only-binary", ":all:", "--target", str(tool), COMPONENTIZE],
        [*pip, "download", "--no-deps", "--only-binary", ":all:", "--dest", str(wheels), *PACKAGES],
        # Whether what is native in it runs here.
        [sys.executable, "-c", "import componentize_py"],
    ]
    environment = os.environ | {"PYTHONPATH": str(tool)}
    for command in commands:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        if done.returncode != 0:
            sys.stderr.write(done.stdout)
            return None
    mark.write_text(wanted)
    return tool, wheels


def make(folder):
    """Makes the component, and says whether it could."""
    folder.mkdir(parents=True, exist_ok=True)
    installed = install(folder)
    if installed is None:
        return False
    tool, wheels = installed
    app = folder / "app"
    shutil.rmtree(app, ignore_errors=True)
    shutil.copytree(here / "library", app, ignore=shutil.ignore_patterns("__pycache__"))
    store = app / "store"
    store.mkdir()
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(store)
    # As in systems that have the zones as files, it is no package that pip lists.
    for about in store.glob("tzdata-*.dist-info"):
        shutil.rmtree(about)
    # A progress bar is drawn by a thread, and there is one thread.
    options = store / "pip/_internal/cli/cmdoptions.py"
    bar = 'choices=["auto", "on", "off", "raw"],\n    default="auto",'
    text = options.read_text()
    if bar not in text:
        raise SystemExit("pip's option --progress-bar is not what it was")
    options.write_text(text.replace(bar, bar.replace('default="auto"', 'default="off"')))
    own = (
        "pwd.py grp.py mmap.py resource.py _bz2.py _coder.py _lzma.py _ssl.py _relay.py _cells.py _posixsubprocess.py "
        "_multiprocessing.py _pools.py _posixshmem.py _processes.py _resources.py ensurepip"
    )
    for name in own.split():
        shutil.move(app / name, store / name)
    draft = folder / "draft.wasm"
    command = [
        sys.executable, "-c", "import componentize_py; componentize_py.script()",
        "--wit-path", str(here.parents[1] / "wit"), "--world", "program",
        "componentize", "--python-path", str(app), "--output", str(draft), "launcher",
    ]  # fmt: skip
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # An environment that is named and not there keeps this machine's own packages out.
    environment |= {"PYTHONPATH": str(tool), "VIRTUAL_ENV": str(folder / "none"), "RUST_BACKTRACE": "0"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stdout)
    (folder / "python3.wasm").write_bytes(reach.extended(draft.read_bytes()))
    draft.unlink()
    return True


if __name__ == "__main__":
    if sys.version_info < (3, 10):
        sys.stderr.write("this one is " + sys.version.split()[0] + "\n")
        sys.exit(3)
    sys.exit(0 if make(pathlib.Path(sys.argv[1])) else 3)
