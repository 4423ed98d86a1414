"""Adds functions to a component by which its host reaches the memory that its modules share, and interrupts it.

What is there is copied as it is: sections of a component only add to its index spaces. They get a module of a few
instructions, an instance of it over the shared memory, and `offshoot:sandbox/memory` as a further export:

    size: func() -> u32                           pages of 64 KiB
    grow: func(pages: u32) -> u32                 the size before, or 2^32 - 1
    read: func(offset: u32, length: u32) -> list<u8>
    stack: func() -> u32                          where the stack is, which tells whether it is empty
    identity: func() -> u64                       which component it is, by its content
    interrupt: func(number: u32) -> u32           one of seven words, by which a host interrupts it

To interrupt it, a host that has it stand still compares the word at the address `0` with `1`, which says that it may
be interrupted. If so, it writes `2` there, the word `4` to the address `3`, and sets the bits `6` in the word at the
address `5`. For CPython these are a slot of the object `armed` of `_cells.py`, which names it, True and False; the
exception that another thread would set in the thread's state, KeyboardInterrupt; and what the interpreter looks at in
loops and calls. Where the state has them is what it tells debuggers (`_Py_DebugOffsets` of CPython 3.14).
"""

import hashlib
import re

INTERFACE = "offshoot:sandbox/memory@0.1.0"
# Of a component's sections.
_CORE_MODULE, _CORE_INSTANCE, _CORE_TYPE, _COMPONENT, _INSTANCE, _ALIAS, _TYPE, _CANON, _IMPORT, _EXPORT = (
    1, 2, 3, 4, 5, 6, 7, 8, 10, 11,
)  # fmt: skip
_CORE_FUNCTION, _CORE_MEMORY = (0, 0), (0, 2)
_FUNCTION, _I32, _I64, _U64, _U32, _U8 = 1, b"\x7f", b"\x7e", b"\x77", b"\x79", b"\x7d"


class _Reader:
    def __init__(self, content, at=0):
        self.content, self.at = content, at

    def byte(self):
        self.at += 1
        return self.content[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def name(self):
        length = self.number()
        self.at += length
        return self.content[self.at - length : self.at].decode()

    def sort(self):
        """Of which index space something is: `(0, n)` for those of core modules."""
        sort = self.byte()
        return (0, self.byte()) if sort == 0 else (sort, 0)


def _number(value):
    out = b""
    while True:
        byte, value = value & 0x7F, value >> 7
        if not value:
            return out + bytes([byte])
        out += bytes([byte | 0x80])


def _signed(value):
    out = b""
    while True:
        byte, value = value & 0x7F, value >> 7
        if value == (-1 if byte & 0x40 else 0):
            return out + bytes([byte])
        out += bytes([byte | 0x80])


def _name(text):
    return _number(len(text)) + text.encode()


def _vector(items):
    return _number(len(items)) + b"".join(items)


def _section(number, content):
    return bytes([number]) + _number(len(content)) + content


# What CPython's table for debuggers begins with, the version that is known, and where it has what, in words of 64 bits.
_COOKIE, _VERSION = b"xdebugpy", 0x030E
_INTERPRETERS, _THREADS, _THREAD_ID, _BREAKER = 5, 9, 27, 89
# An exception was set from outside.
_ASYNC_EXCEPTION = 1 << 3
_ARMED = re.compile(rb"armed:([0-9a-f]{8}) yes:([0-9a-f]{8}) no:([0-9a-f]{8}) raised:([0-9a-f]{8})")


class _Data:
    """What the memory begins with: the data of the component's modules."""

    def __init__(self, component):
        self.component, self.segments = component, []
        sections = _Reader(component, 8)
        while sections.at < len(component):
            number, length = sections.byte(), sections.number()
            if number == _CORE_MODULE:
                self._module(sections.at, length)
            sections.at += length

    def _module(self, begin, length):
        sections = _Reader(self.component, begin + 8)
        while sections.at < begin + length:
            number, size = sections.byte(), sections.number()
            if number == 11:
                self._segments(_Reader(self.component, sections.at))
            sections.at += size

    def _segments(self, section):
        for _ in range(section.number()):
            if section.number() != 0 or section.byte() != 0x41:
                raise ValueError("data is not at a fixed place")
            address = section.number()
            section.at += 1
            length = section.number()
            self.segments.append((address, section.at, length))
            section.at += length

    def find(self, text):
        """The one address of a text."""
        found = {address + place - at for place in self._places(text) for address, at, length in self.segments
                 if at <= place < at + length}  # fmt: skip
        if len(found) != 1:
            raise ValueError(f"{text} is there {len(found)} times")
        return found.pop()

    def _places(self, text):
        place = -1
        while (place := self.component.find(text, place + 1)) >= 0:
            yield place

    def word(self, address):
        """The word at an address; what no data is for is zero."""
        bytes_ = bytearray(4)
        for begin, at, length in self.segments:
            for number in range(4):
                if 0 <= address + number - begin < length:
                    bytes_[number] = self.component[at + address + number - begin]
        return int.from_bytes(bytes_, "little")


def _interrupt(component):
    """The words by which it is interrupted."""
    armed = {found.groups() for found in _ARMED.finditer(component)}
    if len(armed) != 1:
        raise ValueError("what says that it may be interrupted was not found")
    armed, yes, no, raised = (int(word, 16) for word in armed.pop())
    data = _Data(component)
    runtime = data.find(_COOKIE)
    offset = lambda number: data.word(runtime + 8 * number)
    if offset(1) >> 16 != _VERSION:
        raise ValueError(f"CPython's version {offset(1):x} is not known")
    thread = data.word(data.word(runtime + offset(_INTERPRETERS)) + offset(_THREADS))
    # The exception is right before the thread's number.
    return armed, yes, no, thread + offset(_THREAD_ID) - 4, raised, thread + offset(_BREAKER), _ASYNC_EXCEPTION


class _Counts:
    """How many there are of each kind, and which instance has the memory."""

    def __init__(self, component):
        self.of = {}
        self.memory = None
        sections = _Reader(component, 8)
        while sections.at < len(component):
            number, length = sections.byte(), sections.number()
            self._section(number, _Reader(component, sections.at))
            sections.at += length

    def _add(self, kind, count=1):
        self.of[kind] = self.of.get(kind, 0) + count

    def _section(self, number, section):
        if number == _CORE_MODULE:
            self._add("core module")
        elif number == _CORE_INSTANCE:
            self._add("core instance", section.number())
        elif number == _INSTANCE:
            self._add(5, section.number())
        elif number == _TYPE:
            self._add(3, section.number())
        elif number == _ALIAS:
            for _ in range(section.number()):
                self._alias(section)
        elif number == _CANON:
            self._one(section)
            self._add(_FUNCTION if section.byte() == 0 else _CORE_FUNCTION)
        elif number == _IMPORT:
            self._one(section)
            section.byte()
            section.name()
            self._add(section.byte())
        elif number == _EXPORT:
            self._one(section)
            section.byte()
            section.name()
            self._add(section.sort()[0])
        elif number not in (0, _CORE_TYPE, _COMPONENT):
            raise ValueError(f"a section {number} is not understood")

    def _one(self, section):
        if section.number() != 1:
            raise ValueError("a section with several items is not understood")

    def _alias(self, section):
        sort, target = section.sort(), section.byte()
        if target == 2:
            section.number(), section.number()
        else:
            instance, name = section.number(), section.name()
            if sort == _CORE_MEMORY:
                if name != "memory" or self.memory not in (None, instance):
                    raise ValueError("there are several memories")
                self.memory = instance
        self._add(sort if sort[0] == 0 else sort[0])


def _module(identity, words):
    """The module: what it exports, in this order, are its functions."""
    types = [(b"", _I32), (_I32, _I32), (2 * _I32, _I32), (_I32, b""), (b"", _I64)]
    kind = lambda parameters, results: b"\x60" + _number(len(parameters)) + parameters + _number(len(results)) + results
    zero, get = b"\x41\x00", lambda n: b"\x23" + _number(n)
    put = lambda n: b"\x24" + _number(n)
    # Globals: the stack pointer, and what was where a list is answered.
    kept = 1
    answer = zero + b"\x20\x00\x36\x02\x00" + zero + b"\x20\x01\x36\x02\x04" + zero
    constant = lambda word: b"\x41" + _signed(word - (word >> 31 << 32))
    # The last word, and each one before it where its number is given.
    word = constant(words[-1])
    for number, value in enumerate(words[:-1]):
        word = constant(value) + word + b"\x20\x00" + constant(number) + b"\x46\x1b"
    functions = [
        ("size", 0, b"\x3f\x00"),
        ("grow", 1, b"\x20\x00\x40\x00"),
        # Where nothing is ever: at the address of nothing. What was there comes back when the host has the answer.
        ("read", 2, zero + b"\x29\x03\x00" + put(kept) + answer),
        ("done", 3, zero + get(kept) + b"\x37\x03\x00"),
        ("stack", 0, get(0)),
        ("identity", 4, b"\x42" + _signed(identity)),
        ("interrupt", 1, word),
    ]
    bodies = [b"\x00" + code + b"\x0b" for _, _, code in functions]
    imports = [
        _name("env") + _name("memory") + b"\x02\x00\x00",
        _name("env") + _name("__stack_pointer") + b"\x03" + _I32 + b"\x01",
    ]
    globals_ = [_I64 + b"\x01\x42\x00\x0b"]
    return b"\0asm\x01\0\0\0" + b"".join([
        _section(1, _vector([kind(*one) for one in types])),
        _section(2, _vector(imports)),
        _section(3, _vector([_number(of) for _, of, _ in functions])),
        _section(6, _vector(globals_)),
        _section(7, _vector([_name(name) + b"\x00" + _number(n) for n, (name, _, _) in enumerate(functions)])),
        _section(10, _vector([_number(len(body)) + body for body in bodies])),
    ])  # fmt: skip


def extended(component):
    """The component with the further export."""
    counts = _Counts(component)
    if counts.memory is None:
        raise ValueError("the component's memory was not found")
    of = lambda kind: counts.of.get(kind, 0)
    core, function = of(_CORE_FUNCTION), of(_FUNCTION)
    module, instance, types = of("core module"), of("core instance"), of(3)
    names = ["size", "grow", "read", "stack", "identity", "interrupt", "done"]
    at = {name: core + n for n, name in enumerate(names)}
    alias = lambda name: b"\x00\x00\x01" + _number(instance) + _name(name)
    parameters = lambda count, type_: _vector([_name(f"p{n}") + type_ for n in range(count)])
    signature = lambda given, result: b"\x40" + given + b"\x00" + result
    bytes_, no = _number(types), parameters(0, b"")
    # The list of bytes first, then functions.
    kinds = [
        b"\x70" + _U8, signature(no, _U32), signature(parameters(1, _U32), _U32), signature(parameters(2, _U32), bytes_),
        signature(no, _U64),
    ]  # fmt: skip
    # Of the memory, and what is called at the end.
    memory, done = b"\x03\x00", b"\x05" + _number(at["done"])
    lifted = [
        ("size", 1, []), ("grow", 2, []), ("read", 3, [memory, done]), ("stack", 1, []), ("identity", 4, []),
        ("interrupt", 2, []),
    ]  # fmt: skip
    lifts = [
        b"\x00\x00" + _number(at[name]) + _vector(options) + _number(types + type_) for name, type_, options in lifted
    ]
    inline = [b"\x00" + _name(name) + b"\x01" + _number(function + n) for n, (name, _, _) in enumerate(lifted)]
    identity = int.from_bytes(hashlib.sha256(component).digest()[:8], "little", signed=True)
    return component + b"".join([
        _section(_CORE_MODULE, _module(identity, _interrupt(component))),
        _section(
            _CORE_INSTANCE,
            _vector([b"\x00" + _number(module) + _vector([_name("env") + b"\x12" + _number(counts.memory)])]),
        ),
        _section(_ALIAS, _vector([alias(name) for name in names])),
        _section(_TYPE, _vector(kinds)),
        _section(_CANON, _vector(lifts)),
        _section(_INSTANCE, _vector([b"\x01" + _vector(inline)])),
        _section(_EXPORT, _vector([b"\x00" + _name(INTERFACE) + b"\x05" + _number(of(5)) + b"\x00"])),
    ])  # fmt: skip
