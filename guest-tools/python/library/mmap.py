"""`mmap` where files are not mapped: a copy of what a file holds, or memory of one's own. What would have to be written
back to the file is refused."""

import os as _os

ACCESS_DEFAULT, ACCESS_READ, ACCESS_WRITE, ACCESS_COPY = 0, 1, 2, 3
PROT_READ, PROT_WRITE, PROT_EXEC, MAP_SHARED, MAP_PRIVATE, MAP_ANONYMOUS = 1, 2, 4, 1, 2, 32
PAGESIZE = ALLOCATIONGRANULARITY = 4096
error = OSError


class mmap(bytearray):
    """What was asked for, with the methods of a file."""

    def __init__(self, fileno, length, flags=MAP_SHARED, prot=PROT_READ | PROT_WRITE, access=ACCESS_DEFAULT, offset=0):
        self._at, self.closed = 0, False
        self._fixed = access == ACCESS_READ or access == ACCESS_DEFAULT and not prot & PROT_WRITE
        if fileno == -1:
            super().__init__(length)
            return
        if access == ACCESS_WRITE or access == ACCESS_DEFAULT and prot & PROT_WRITE and flags & MAP_SHARED:
            raise OSError("a sandbox's python3 cannot map a file to write to it: use ACCESS_READ or ACCESS_COPY")
        size = _os.fstat(fileno).st_size
        if not length and size <= offset:
            raise ValueError("cannot mmap an empty file")
        if length and offset + length > size:
            raise ValueError("mmap length is greater than file size")
        super().__init__()
        before = _os.lseek(fileno, 0, _os.SEEK_CUR)
        try:
            _os.lseek(fileno, offset, _os.SEEK_SET)
            left = length or size - offset
            while left and (piece := _os.read(fileno, left)):
                self.extend(piece)
                left -= len(piece)
        finally:
            _os.lseek(fileno, before, _os.SEEK_SET)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __getitem__(self, key):
        found = super().__getitem__(key)
        return bytes(found) if isinstance(key, slice) else found

    def __setitem__(self, key, value):
        if self._fixed:
            raise TypeError("mmap can't modify a readonly memory map.")
        if isinstance(key, slice) and len(value) != len(self[key]):
            raise IndexError("mmap slice assignment is wrong size")
        super().__setitem__(key, value)

    def close(self):
        self.closed = True

    def flush(self, *_):
        pass

    def size(self):
        return len(self)

    def tell(self):
        return self._at

    def seek(self, position, whence=0):
        start = (0, self._at, len(self))[whence]
        if not 0 <= start + position <= len(self):
            raise ValueError("seek out of range")
        self._at = start + position
        return self._at

    def read(self, count=None):
        end = len(self) if count is None or count < 0 else self._at + count
        found = self[self._at : end]
        self._at += len(found)
        return found

    def read_byte(self):
        if self._at >= len(self):
            raise ValueError("read byte out of range")
        return self.read(1)[0]

    def readline(self):
        end = super().find(b"\n", self._at)
        return self.read(-1 if end < 0 else end + 1 - self._at)

    def write(self, content):
        if self._at + len(content) > len(self):
            raise ValueError("data out of range")
        self[self._at : self._at + len(content)] = content
        self._at += len(content)
        return len(content)

    def find(self, sub, start=None, end=None):
        return super().find(sub, self._at if start is None else start, len(self) if end is None else end)
