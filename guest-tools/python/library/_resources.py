"""`importlib.resources` for packages that are in memory."""

import io

import _store
from importlib.resources.abc import Traversable, TraversableResources


class Reader(TraversableResources):
    """The files of one package."""

    def __init__(self, path):
        self._path = path

    def files(self):
        return Node(self._path)


class Node(Traversable):
    """A file or directory below the standard library's place."""

    def __init__(self, path):
        self._path = path

    @property
    def name(self):
        return self._path.rpartition("/")[2]

    def iterdir(self):
        return (Node(f"{self._path}/{name}") for name in _store.entries(self._path))

    def read_bytes(self):
        content = _store._file(self._path)
        if content is None:
            raise FileNotFoundError(2, "No such file or directory", self._path)
        return content

    def is_dir(self):
        return bool(_store.entries(self._path))

    def is_file(self):
        return _store._file(self._path) is not None

    def joinpath(self, *descendants):
        return Node("/".join([self._path, *(str(one) for one in descendants)]))

    def __truediv__(self, child):
        return self.joinpath(child)

    def open(self, mode="r", *arguments, **named):
        stream = io.BytesIO(self.read_bytes())
        return stream if "b" in mode else io.TextIOWrapper(stream, *arguments, **named)

    def __str__(self):
        return self._path
