"""A sandbox in a Python program, with wasmtime-py: example.py SANDBOX_WASM"""

import sys
from types import SimpleNamespace

from wasmtime import Engine, Store, WasiConfig
from wasmtime.component import Component, Linker, ResourceAny, Variant

INTERFACE = "offshoot:sandbox/sandbox@0.1.0"


class SandboxError(Exception):
    """`error` of the interface: `tag` is its case, `payload` what comes with it."""

    def __init__(self, error: Variant):
        super().__init__(f"{error.tag}: {error.payload}")
        self.tag, self.payload = error.tag, error.payload


class Sandboxes:
    """An instance of the component. All its sandboxes share one linear memory."""

    def __init__(self, path: str):
        engine = Engine()
        linker = Linker(engine)
        linker.add_wasip2()
        self._store = Store(engine)
        self._store.set_wasi(WasiConfig())  # No file, no variable, no stream of this process.
        self._instance = linker.instantiate(self._store, Component.from_file(engine, path))
        self._interface = self._instance.get_export_index(self._store, INTERFACE)

    def call(self, name: str, *arguments):
        index = self._instance.get_export_index(self._store, name, self._interface)
        result = self._instance.get_func(self._store, index)(self._store, *arguments)
        if isinstance(result, Variant):
            raise SandboxError(result)
        return result

    def create(self, environment: dict[str, str]) -> "Sandbox":
        options = {"environment": list(environment.items())}
        for default in ("directory", "max-bytes", "max-inodes", "budgets", "seed"):
            options[default] = None
        return Sandbox(self, self.call("[static]sandbox.create", SimpleNamespace(**options)))

    def drop(self, resource: ResourceAny) -> None:
        resource.drop(self._store)


class Sandbox:
    def __init__(self, sandboxes: Sandboxes, resource: ResourceAny):
        self._sandboxes, self._resource = sandboxes, resource

    def _call(self, name: str, *arguments):
        return self._sandboxes.call(f"[method]sandbox.{name}", self._resource, *arguments)

    def exec(self, script: str, stdin: bytes = b"", timeout_ms: int | None = None):
        options = {"directory": None, "environment": [], "stdin": stdin, "timeout-ms": timeout_ms}
        return self._call("exec", script, SimpleNamespace(**options))

    def write_file(self, path: str, data: bytes) -> None:
        self._call("write-file", path, data)

    def read_file(self, path: str) -> bytes:
        return self._call("read-file", path)

    def fork(self) -> "Sandbox":
        return Sandbox(self._sandboxes, self._call("fork"))

    def drop(self) -> None:
        self._sandboxes.drop(self._resource)


sandboxes = Sandboxes(sys.argv[1])
sandbox = sandboxes.create({"LEVEL": "error"})
sandbox.write_file(
    "log.jsonl",
    b"""\
{"level": "error", "service": "search"}
{"level": "info", "service": "search"}
{"level": "error", "service": "billing"}
{"level": "error", "service": "search"}
""",
)
result = sandbox.exec('grep "$LEVEL" log.jsonl | jq -r .service | sort | uniq -c | sort -rn')
print(result.stdout.decode(), end="")
print("status", result.status)

fork = sandbox.fork()
fork.exec("head -n 1 log.jsonl >> log.jsonl; cat > note", stdin=b"of the fork\n")
for name, which in ("sandbox", sandbox), ("fork", fork):
    print(name, "has", which.exec("wc -l < log.jsonl").stdout.decode().strip(), "lines")
print("note", fork.read_file("note").decode(), end="")
try:
    sandbox.read_file("note")
except SandboxError as error:
    print(error)

print("endless", sandbox.exec("while :; do :; done", timeout_ms=50).status)
fork.drop()
sandbox.drop()
