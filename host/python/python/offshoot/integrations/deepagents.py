"""LangChain Deep Agents: `create_deep_agent(backend=OffshootBackend())`.

File operations run outside of the sandbox's shell: no interpreter is needed inside.
"""

from __future__ import annotations

import base64
import uuid
from datetime import datetime, timezone
from importlib.metadata import version
from typing import Any, Union

from deepagents.backends.protocol import (
    EditResult,
    ExecuteResponse,
    FileDownloadResponse,
    FileInfo,
    FileUploadResponse,
    GlobResult,
    GrepMatch,
    GrepResult,
    LsResult,
    ReadResult,
    SandboxBackendProtocol,
    WriteResult,
)
from typing_extensions import override
from wcmatch import glob as patterns

from ..errors import LimitError, OffshootError
from ..results import FileInfo as Info
from ..sandbox import Sandbox

__all__ = ["OffshootBackend"]

PREVIEW = 500 * 1024
"""The most bytes of a binary file that `read` gives."""

_PATTERNS = patterns.GLOBSTAR | patterns.BRACE | patterns.DOTGLOB
# Matches of `glob` were relative to its directory before 0.7, absolute since.
_ABSOLUTE = tuple(int(part) for part in version("deepagents").split(".")[:2]) >= (0, 7)


class OffshootBackend(SandboxBackendProtocol):
    """A virtual sandbox as a backend of an agent; `settings` are those of `Sandbox` where none is given."""

    def __init__(self, sandbox: Union[Sandbox, None] = None, **settings: Any) -> None:
        self.sandbox = Sandbox(**settings) if sandbox is None else sandbox
        self._id = uuid.uuid4().hex

    @property
    @override
    def id(self) -> str:
        return self._id

    @override
    def execute(self, command: str, *, timeout: Union[int, None] = None) -> ExecuteResponse:
        try:
            # One stream, in the order of writing.
            result = self.sandbox.exec('exec 2>&1; eval "$1"', command, timeout=timeout or None)
        except LimitError as error:
            output = error.output.stdout if error.output else ""
            return ExecuteResponse(f"{output}\n{error}", 1, truncated=True)
        return ExecuteResponse(result.stdout, result.exit_code, truncated=result.truncated)

    @override
    def ls(self, path: str) -> LsResult:
        try:
            found = self.sandbox.files.list(path)
        except OffshootError as error:
            return LsResult(error=str(error))
        return LsResult(entries=[_info(f"{path.rstrip('/')}/{info.name}", info) for info in found])

    @override
    def read(self, file_path: str, offset: int = 0, limit: int = 2000) -> ReadResult:
        try:
            content = self.sandbox.files.read_bytes(file_path)
        except OffshootError as error:
            return ReadResult(error=_refusal(file_path, error))
        try:
            lines = content.decode().removesuffix("\n").split("\n") if content else []
        except UnicodeDecodeError:
            if len(content) > PREVIEW:
                return ReadResult(
                    error=f"File '{file_path}': Binary file exceeds maximum preview size of {PREVIEW} bytes"
                )
            return ReadResult(file_data={"content": base64.b64encode(content).decode(), "encoding": "base64"})
        if lines and offset >= len(lines):
            return ReadResult(error=f"File '{file_path}': line offset {offset} exceeds its {len(lines)} lines")
        return ReadResult(file_data={"content": "\n".join(lines[offset : offset + limit]), "encoding": "utf-8"})

    @override
    def write(self, file_path: str, content: str) -> WriteResult:
        if self.sandbox.files.exists(file_path):
            return WriteResult(error=f"Error: File already exists: '{file_path}'")
        try:
            self.sandbox.files.write(file_path, content)
        except OffshootError as error:
            return WriteResult(error=_refusal(file_path, error))
        return WriteResult(path=file_path)

    @override
    def edit(self, file_path: str, old_string: str, new_string: str, replace_all: bool = False) -> EditResult:
        try:
            content = self.sandbox.files.read(file_path)
            count = content.count(old_string) if old_string else 0
            if count == 0:
                return EditResult(error=f"Error: String not found in file: '{old_string}'")
            if count > 1 and not replace_all:
                return EditResult(
                    error=f"Error: String '{old_string}' appears multiple times. Use replace_all=True to replace all"
                )
            self.sandbox.files.write(file_path, content.replace(old_string, new_string))
        except OffshootError as error:
            return EditResult(error=_refusal(file_path, error))
        return EditResult(path=file_path, occurrences=count)

    @override
    def grep(self, pattern: str, path: Union[str, None] = None, glob: Union[str, None] = None) -> GrepResult:
        root = path or self.sandbox.cwd
        result = self.sandbox.exec('grep -rHnIZF -e "$1" -- "$2"', pattern, root)
        if result.exit_code > 1:
            return GrepResult(error=result.stderr.strip())
        matches: list[GrepMatch] = []
        for row in result.stdout.split("\n"):
            name, zero, rest = row.partition("\0")
            line, _, text = rest.partition(":")
            if zero and (glob is None or _matches(_below(name, root), glob)):
                matches.append(GrepMatch(path=name, line=int(line), text=text))
        return GrepResult(matches=matches)

    @override
    def glob(self, pattern: str, path: Union[str, None] = None) -> GlobResult:
        root = path or self.sandbox.cwd
        result = self.sandbox.exec(r'find "$1" -mindepth 1 -printf "%y/%P\0"', root)
        if result.exit_code != 0:
            return GlobResult(error=result.stderr.strip())
        matches: list[FileInfo] = []
        for row in sorted(result.stdout.split("\0")):
            kind, slash, name = row.partition("/")
            if slash and patterns.globmatch(name, pattern.lstrip("/"), flags=_PATTERNS):
                at = f"{root.rstrip('/')}/{name}" if _ABSOLUTE else name
                matches.append(FileInfo(path=at, is_dir=kind == "d"))
        return GlobResult(matches=matches)

    @override
    def upload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        return [FileUploadResponse(path, self._upload(path, content)) for path, content in files]

    def _upload(self, path: str, content: bytes) -> Union[str, None]:
        if not path.startswith("/"):
            return "invalid_path"
        try:
            self.sandbox.files.write(path, content)
        except OffshootError as error:
            return _code(error)
        return None

    @override
    def download_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        return [self._download(path) for path in paths]

    def _download(self, path: str) -> FileDownloadResponse:
        if not path.startswith("/"):
            return FileDownloadResponse(path, error="invalid_path")
        try:
            return FileDownloadResponse(path, self.sandbox.files.read_bytes(path))
        except OffshootError as error:
            return FileDownloadResponse(path, error=_code(error))


_CODES = {"ENOENT": "file_not_found", "EACCES": "permission_denied", "EPERM": "permission_denied", "EISDIR": "is_directory"}


def _code(error: OffshootError) -> str:
    return _CODES.get(error.errno or "", "invalid_path")


def _refusal(path: str, error: OffshootError) -> str:
    missing = error.errno == "ENOENT"
    return f"Error: File '{path}' not found" if missing else f"Error: {error}"


def _info(path: str, info: Info) -> FileInfo:
    entry = FileInfo(path=path, is_dir=info.kind == "directory", size=info.size)
    if info.modified is not None:
        entry["modified_at"] = datetime.fromtimestamp(info.modified, timezone.utc).isoformat()
    return entry


def _below(name: str, root: str) -> str:
    return name.removeprefix(root.rstrip("/") + "/")


def _matches(name: str, glob: str) -> bool:
    """As `rg --glob`: a pattern without a slash is one of the last name."""
    subject = name if "/" in glob else name.rpartition("/")[2]
    return patterns.globmatch(subject, glob.lstrip("/"), flags=_PATTERNS)
