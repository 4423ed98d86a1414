"""The component: takes the standard library in while it is made, and is `python3` when it runs."""

import os
import sys

PLACE = "/python"


def _take_in(root, into=""):
    """Gives the store all modules and data below a directory."""
    import _store

    left_out = {"__pycache__", "idlelib", "tkinter", "turtledemo", "config-3.14-wasm32-wasi", "site-packages", "test"}
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(set(folders) - left_out)
        inside = folder[len(root) :].lstrip("/")
        for file in sorted(files):
            path = "/".join(part for part in (into, inside, file) if part)
            with open(os.path.join(folder, file), "rb") as stream:
                content = stream.read()
            if path.endswith("/__init__.py"):
                _store.add_module(path.removesuffix("/__init__.py"), True, content)
            elif path.endswith(".py"):
                _store.add_module(path.removesuffix(".py"), False, content)
            elif not path.endswith((".exe", ".so", ".a", ".o", ".pyi")):
                _store.add_data(path, content)


# Imported while the component is made: what programs use most, and what these need.
_COMMON = (
    "abc argparse ast asyncio base64 bisect calendar collections collections.abc concurrent.futures configparser "
    "contextlib copy csv dataclasses datetime decimal difflib email email.message enum fnmatch fractions functools "
    "getpass glob gzip hashlib heapq hmac html html.parser http http.client http.server importlib.metadata "
    "importlib.resources importlib.util inspect io itertools json keyword linecache locale logging math mimetypes "
    "operator os pathlib pickle pkgutil platform pprint queue random re reprlib runpy secrets select selectors shlex "
    "shutil signal site socket socketserver sqlite3 stat statistics string struct subprocess sysconfig tarfile "
    "tempfile textwrap threading time timeit token tokenize tomllib traceback types typing unittest urllib.error "
    "urllib.parse urllib.request uuid warnings weakref xml.etree.ElementTree zipfile zipimport zlib zoneinfo _cells"
).split()


# What fills the gaps.
_filled = []


def _close_gaps():
    """Fills what is free between objects, so that what a program makes lies together: the system copies each page that
    is written to."""
    for size in (*range(4096, 1024, -256), *range(1024, 256, -32), *range(256, 0, -8)):
        last = row = 0
        enough = 16 if size > 256 else 64
        while row < enough:
            filling = bytes(size)
            row = row + 1 if 0 < id(filling) - last < size + 64 else 0
            last = id(filling)
            _filled.append(filling)
        del _filled[-row:]


def _prepare():
    import importlib
    import gc

    import _store
    import wit_world.exports
    import wit_world.imports

    # All that is imported later would be young.
    for name in sorted(os.listdir(wit_world.imports.__path__[0])):
        if name.endswith(".py") and not name.startswith("_"):
            importlib.import_module("wit_world.imports." + name.removesuffix(".py"))
    _take_in(PLACE)
    for folder in sys.path:
        library = os.path.join(folder, "store")
        if os.path.isdir(library):
            _take_in(library)
    sys.path_hooks.insert(0, _store.Finder)
    kept = {"_store", "launcher", "codecs", "encodings", "importlib"}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if file.startswith(PLACE + "/") and name.partition(".")[0] not in kept:
            del sys.modules[name]
    own = [folder for folder in sys.path if not folder.startswith(PLACE)]
    sys.path[:] = [*own, _store.HOME]
    sys.path_importer_cache.clear()
    before = set(sys.modules)
    sys.prefix = sys.exec_prefix = sys.base_prefix = sys.base_exec_prefix = "/usr"
    import _clocks
    import _complete
    import _command

    platform, sys.platform = sys.platform, "linux"
    import subprocess

    sys.platform = platform
    subprocess._can_fork_exec = True
    for name in _COMMON:
        importlib.import_module(name)
    _command.adapt()
    for name, module in list(sys.modules.items()):
        for attribute in ("__file__", "__cached__"):
            value = getattr(module, attribute, None)
            if isinstance(value, str) and value.startswith(PLACE):
                setattr(module, attribute, _store.HOME + value[len(PLACE) :])
        folders = getattr(module, "__path__", None)
        if isinstance(folders, list):
            folders[:] = [folder.replace(PLACE, _store.HOME) if folder.startswith(PLACE) else folder for folder in folders]
    hidden = set(sys.modules) - before - set(sys.builtin_module_names) - {"_clocks", "_complete", "_command"}
    start = {"os", "io", "abc", "site", "stat", "posixpath", "genericpath", "codecs", "encodings", "_sitebuiltins"}
    _store.set_warm(name for name in hidden if name.partition(".")[0] not in start)
    sys.path_importer_cache.clear()
    gc.collect()
    _close_gaps()
    gc.freeze()
    _command.begin()


import wit_world.exports


class Run(wit_world.exports.Run):
    """`wasi:cli/run`, which a context calls again for each cell."""

    def run(self):
        import _command

        _command.call()


try:
    _prepare()
except BaseException as error:
    import traceback

    raise SystemExit("".join(traceback.format_exception(error)))
