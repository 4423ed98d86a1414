"""The standard library, imported from memory: it is in the component, compressed, as code and as source.

Modules are found at `/usr/lib/python3.14`, in their place on `sys.path`. Those that most programs use were
imported while the component was made; importing one of these takes it from there.
"""

import marshal
import sys
import zlib
from _frozen_importlib import ModuleSpec

HOME = "/usr/lib/python3.14"

# By the path below HOME without its ending: whether it is a package, code, source.
_modules = {}
# Other files of packages, by their path below HOME.
_data = {}
# Modules that were imported already, by name, and the names of those that they imported.
_warm = {}
_needs = {}
# What a package has under the name of a module in it, by package: an import of the module binds that name.
_covering = {}


def add_module(path, package, source):
    """Takes a module in, compiled."""
    filename = f"{HOME}/{path}/__init__.py" if package else f"{HOME}/{path}.py"
    code = compile(source, filename, "exec", dont_inherit=True, optimize=0)
    _modules[path] = package, zlib.compress(marshal.dumps(code), 9), zlib.compress(source, 9)


def add_data(path, content):
    """Takes another file in."""
    _data[path] = zlib.compress(content, 9)


def set_warm(names):
    """Hides imported modules until a program imports them; not those that are only another's second name."""
    for name in names:
        if name.replace(".", "/") in _modules:
            _warm[name] = sys.modules.pop(name)
    for name, module in _warm.items():
        _needs[name] = tuple(_imported(module) - {name})
    for name, module in _warm.items():
        package, _, last = name.rpartition(".")
        if package in _warm and getattr(_warm[package], last, module) is not module:
            _needs[package] = tuple({*_needs[package], name})
            _covering.setdefault(package, {})[last] = getattr(_warm[package], last)


def _imported(module):
    """The hidden modules that a module has, or has something of."""
    found = set()
    for value in vars(module).values():
        name = value.__name__ if isinstance(value, type(sys)) else getattr(value, "__module__", None)
        if isinstance(name, str) and name in _warm:
            found.add(name)
    return found


class Loader:
    """Loads one module."""

    def __init__(self, name, path):
        self.name = name
        self._path = path
        self.path = self.get_filename()

    def create_module(self, spec):
        return _warm.get(spec.name)

    def exec_module(self, module):
        if _warm.pop(module.__name__, None) is not None:
            for name in _needs.pop(module.__name__):
                if name in _warm:
                    __import__(name)
            vars(module).update(_covering.pop(module.__name__, ()))
            _awake(module)
        else:
            exec(self.get_code(), module.__dict__)
            if module.__name__ == "venv":
                _give_scripts(module.EnvBuilder)
            elif module.__name__ in _OVER_PROCESSES:
                import _processes

                _processes.adapt(module)

    def get_code(self, name=None):
        if sys.flags.optimize:
            return compile(self._source(), self.path, "exec", dont_inherit=True, optimize=sys.flags.optimize)
        return marshal.loads(zlib.decompress(_modules[self._path][1]))

    def _source(self):
        return zlib.decompress(_modules[self._path][2])

    def get_source(self, name=None):
        from importlib.util import decode_source

        return decode_source(self._source())

    def is_package(self, name=None):
        return _modules[self._path][0]

    def get_filename(self, name=None):
        return f"{HOME}/{self._path}/__init__.py" if self.is_package() else f"{HOME}/{self._path}.py"

    def get_data(self, path):
        found = _file(path)
        if found is None:
            raise FileNotFoundError(2, "No such file or directory", path)
        return found

    def get_resource_reader(self, name):
        if not self.is_package():
            return None
        from _resources import Reader

        return Reader(f"{HOME}/{self._path}")


# What `_processes` fits to the sandbox.
_OVER_PROCESSES = {
    "multiprocessing", "multiprocessing.connection", "multiprocessing.queues", "multiprocessing.pool",
    "multiprocessing.managers", "concurrent.futures.process",
}  # fmt: skip


def _awake(module):
    """What a module must not have kept from the time when the component was made."""
    if module.__name__ == "random":
        module.seed()
    if module.__name__ == "sysconfig":
        module._PREFIX, module._BASE_PREFIX = sys.prefix, sys.base_prefix
        module._EXEC_PREFIX, module._BASE_EXEC_PREFIX = sys.exec_prefix, sys.base_exec_prefix
        module._CONFIG_VARS, module._CONFIG_VARS_INITIALIZED = None, False


def _give_scripts(builder):
    """Lets environments have the scripts that are in memory, which are copied from a directory."""
    import os
    import tempfile

    install = builder.install_scripts

    def install_scripts(self, context, path):
        if os.path.isdir(path) or not path.startswith(HOME + "/"):
            return install(self, context, path)
        with tempfile.TemporaryDirectory() as folder:
            for inner in _data:
                source = f"{HOME}/{inner}"
                if source.startswith(path + "/"):
                    target = folder + source[len(path) :]
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                    with open(target, "wb") as file:
                        file.write(_file(source))
            return install(self, context, folder)

    builder.install_scripts = install_scripts


def _file(path):
    """The content of a file below HOME."""
    if not path.startswith(HOME + "/"):
        return None
    inner = path[len(HOME) + 1 :]
    if inner in _data:
        return zlib.decompress(_data[inner])
    stem = inner.removesuffix(".py").removesuffix("/__init__")
    if inner.endswith(".py") and stem in _modules:
        return zlib.decompress(_modules[stem][2])
    return None


def entries(path):
    """The names in a directory below HOME."""
    start = path[len(HOME) + 1 :].rstrip("/")
    start = start + "/" if start else ""
    names = set()
    for inner, (package, *_) in _modules.items():
        if inner.startswith(start):
            rest = inner[len(start) :]
            names.add(rest.split("/")[0] if package or "/" in rest else rest + ".py")
        elif package and inner + "/" == start:
            names.add("__init__.py")
    names.update(inner[len(start) :].split("/")[0] for inner in _data if inner.startswith(start))
    return sorted(names)


def _beside(path):
    from importlib import machinery

    return machinery.FileFinder(
        path,
        (machinery.SourceFileLoader, machinery.SOURCE_SUFFIXES),
        (machinery.SourcelessFileLoader, machinery.BYTECODE_SUFFIXES),
    )


class Finder:
    """Finds the modules of one directory."""

    def __init__(self, path):
        inner = path[len(HOME) + 1 :]
        if path != HOME and not (path.startswith(HOME + "/") and _modules.get(inner, (False,))[0]):
            raise ImportError("only the standard library is in memory")
        self.path = path
        self._start = inner
        # What somebody put there beside it.
        self._beside = _beside(path)

    def find_spec(self, fullname, target=None):
        tail = fullname.rpartition(".")[2]
        path = f"{self._start}/{tail}" if self._start else tail
        found = _modules.get(path)
        if found is None:
            return self._beside.find_spec(fullname, target)
        loader = Loader(fullname, path)
        spec = ModuleSpec(fullname, loader, origin=loader.path, is_package=found[0])
        spec.has_location = True
        if found[0]:
            spec.submodule_search_locations.append(f"{HOME}/{path}")
        return spec

    def iter_modules(self, prefix=""):
        for name in entries(self.path):
            path = f"{self._start}/{name}".lstrip("/").removesuffix(".py")
            if path in _modules and not name.startswith("__init__"):
                yield prefix + name.removesuffix(".py"), _modules[path][0]

    def invalidate_caches(self):
        self._beside.invalidate_caches()
