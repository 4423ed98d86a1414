What `python3` prints, as CPython 3.11 of Debian 12 printed it; `guest-tools/programs/recorded` has the format, and
records it anew with `OFFSHOOT_RECORD_CASES` set to this file's absolute path.
% printf 'one\ntwo\nthree\n' > a.txt; printf 'name,n\n"x, y",1\nz,2\n' > t.csv; printf '{"b": [1, 2.5, null], "a": "é"}\n' > j.json
% printf 'import sys\nprint(__name__, sys.argv)\n' > argv.py; printf 'def double(x):\n    return x * 2\n' > lib.py

$ python3 -c 'print(1)'
  1

$ python3 argv.py a 'b c' -x; python3 -c 'import sys; print(sys.argv)' x -c y; echo 'import sys; print(sys.argv)' | python3 - 1 2; python3 -m argv z | sed 's|/.*/||'
  __main__ ['argv.py', 'a', 'b c', '-x']
  ['-c', 'x', '-c', 'y']
  ['-', '1', '2']
  __main__ ['argv.py', 'z']

$ echo 'print("from stdin")' | python3; python3 < argv.py
  from stdin
  __main__ ['']

$ python3 -c 'import sys; sys.exit(3)'
[3]

$ python3 -c 'import sys; sys.exit("bye")' 2>&1
  bye
[1]

$ python3 -c 'raise SystemExit'; echo $?; python3 -c 'exit(4)'; echo $?; python3 -c 'import os; os._exit(5)'; echo $?
  0
  4
  5

$ python3 -c 'raise ValueError("bad")' 2>&1
  Traceback (most recent call last):
    File "<string>", line 1, in <module>
      raise ValueError("bad")
  ValueError: bad
[1]

$ printf 'def f():\n    return 1 / 0\n\nf()\n' > e.py; python3 e.py 2>&1 | sed 's|"/.*/|"|' | grep -v '\^'
  Traceback (most recent call last):
    File "e.py", line 4, in <module>
      f()
    File "e.py", line 2, in f
      return 1 / 0
  ZeroDivisionError: division by zero

$ python3 -c 'x = (' 2>/dev/null
[1]

$ python3 -c 'def f(): f()
> f()' 2>&1 | tail -1 | sed 's/ $//'
  RecursionError: maximum recursion depth exceeded

$ python3 -c 'import json
> x = []
> for _ in range(200000): x = [x]
> try: json.dumps(x)
> except RecursionError: print("deep")
> try: json.loads("[" * 100000)
> except RecursionError: print("deep")
> import pickle, copy
> for f in pickle.dumps, copy.deepcopy, str:
>     try: f(x)
>     except RecursionError: print("deep")'
  deep
  deep
  deep
  deep
  deep

$ python3 -c 'x = []
> for _ in range(200000): x = [x]
> try: repr(x)
> except RecursionError: print("deep")'
  deep

$ python3 -c 'import sys; print("out"); print("err", file=sys.stderr)' 2>/dev/null
  out

$ printf 'Ann\n' | python3 -c 'print("hello", input("name? "))'
  name? hello Ann

$ python3 -c 'input()' < /dev/null 2>&1 | tail -1
  EOFError: EOF when reading a line

$ python3 nofile.py 2>&1 | sed "s|'/.*/|'|"; python3 -z 2>&1 | head -1; python3 -c 2>&1 | head -1
  python3: can't open file 'nofile.py': [Errno 2] No such file or directory
  Unknown option: -z
  Argument expected for the -c option

$ python3 -z 2>/dev/null
[2]

$ python3 -Bc 'print(2)'; python3 -uc 'print(3)'; python3 -Ic 'import sys; print(sys.flags.isolated)'; python3 -Oc 'assert False; print(__debug__)'
  2
  3
  1
  False

$ printf '#!/usr/bin/env python3\nimport sys\nprint("script", sys.argv[1:])\n' > s; chmod +x s; ./s 1 2
  script ['1', '2']

$ mkdir app; printf 'import lib\nprint(lib.double(21))\n' > app/__main__.py; cp lib.py app/; python3 app
  42

$ python3 -c 'import lib; print(lib.double(4), lib.__file__.split("/")[-1])'; mkdir -p d/e; printf 'x = 1\n' > d/e/m.py; PYTHONPATH=d python3 -c 'from e import m; print(m.x)'; python3 -c 'import nothing' 2>&1 | tail -1
  8 lib.py
  1
  ModuleNotFoundError: No module named 'nothing'

$ python3 -c 'with open("a.txt") as f: print(f.read().split(), f.name)
> with open("b.txt", "w") as f: print(f.write("héllo\n"))
> with open("b.txt", "a") as f: f.write("more\n")
> print(open("b.txt", "rb").read(), [line.strip() for line in open("b.txt", encoding="utf-8")])
> with open("b.txt", "r+") as f: f.seek(3); f.truncate(); print(f.tell())
> print(open("b.txt").read())'; cat b.txt
  ['one', 'two', 'three'] a.txt
  6
  b'h\xc3\xa9llo\nmore\n' ['héllo', 'more']
  3
  hé
  hé
\

$ { python3 -c 'open("missing")' 2>&1 | tail -1; python3 -c 'import os; os.rename("a", "b")' 2>&1 | tail -1; python3 -c 'import os; os.mkdir("lib.py")' 2>&1 | tail -1; python3 -c 'raise OSError(999, "odd", "f")' 2>&1 | tail -1; python3 -c 'import os; os.chmod("none", 0)' 2>&1 | tail -1; } | sed 's/Errno [0-9]*/Errno N/'
  FileNotFoundError: [Errno N] No such file or directory: 'missing'
  FileNotFoundError: [Errno N] No such file or directory: 'a' -> 'b'
  FileExistsError: [Errno N] File exists: 'lib.py'
  OSError: [Errno N] odd: 'f'
  FileNotFoundError: [Errno N] No such file or directory: 'none'

$ python3 -c 'try: open("missing")
> except FileNotFoundError as e: print(type(e).__name__, e.filename, e.strerror)
> try: open(".", "w")
> except IsADirectoryError as e: print(e.strerror)
> try: open("a.txt", "x")
> except FileExistsError as e: print(e.strerror, e.filename)'
  FileNotFoundError missing No such file or directory
  Is a directory
  File exists a.txt

$ python3 -c 'import os
> os.makedirs("x/y/z"); open("x/f", "w").close(); print(sorted(os.listdir("x")), os.path.isdir("x/y"), os.path.exists("no"))
> print([(r, sorted(d), sorted(f)) for r, d, f in os.walk("x")])
> os.rename("x/f", "x/g"); os.remove("x/g"); os.removedirs("x/y/z"); print(os.path.exists("x"))
> print(os.path.getsize("a.txt"), os.path.basename(os.getcwd()), os.path.join("a", "..", "b"), os.path.abspath("q").endswith("/q"))
> os.mkdir("n"); os.chdir("n"); print(sorted(os.listdir("..")))' | sed 's/, /\n/g' | sort
  'argv.py'
  'j.json'
  'lib.py'
  'n'
  't.csv']
  'y'] True False
  ('x/y'
  ('x/y/z'
  14 case a/../b True
  False
  ['a.txt'
  ['f'
  ['f'])
  ['y']
  ['z']
  [('x'
  []
  [])
  [])]

$ FOO=bar python3 -c 'import os; print(os.environ["FOO"], os.getenv("NO", "none")); os.environ["X"] = "1"; os.system("echo $X $FOO")'
  1 bar
  bar none

$ umask 022; python3 -c 'import os, stat
> open("m", "w").close(); os.chmod("m", 0o640); print(oct(os.stat("m").st_mode), stat.filemode(os.stat("m").st_mode), os.access("m", os.R_OK), os.access("no", os.F_OK))
> os.symlink("m", "l"); print(os.readlink("l"), os.path.islink("l"), os.path.realpath("l").endswith("/m"), stat.S_ISLNK(os.lstat("l").st_mode))
> os.link("m", "h"); print(os.stat("m").st_nlink); os.utime("m", (1, 2)); print(os.stat("m").st_mtime, os.path.getatime("m"))'
  0o100640 -rw-r----- True False
  m True True True
  2
  2.0 1.0

$ python3 -c 'import shutil, os
> os.makedirs("s/t"); shutil.copy("a.txt", "s/t/b"); shutil.copytree("s", "u"); print(open("u/t/b").read().split()); shutil.move("u", "v"); shutil.rmtree("s"); print(os.path.exists("s"), os.listdir("v")); print(shutil.which("sh") is not None)
> shutil.make_archive("arch", "zip", "v"); import zipfile; print(zipfile.ZipFile("arch.zip").namelist())'
  ['one', 'two', 'three']
  False ['t']
  True
  ['t/', 't/b']

$ python3 -c 'from pathlib import Path
> p = Path("p/q"); p.mkdir(parents=True); (p / "f.txt").write_text("hi\n"); print((p / "f.txt").read_text(), p.name, (p / "f.txt").suffix, sorted(map(str, Path(".").rglob("*.txt"))), Path("a.txt").stat().st_size, Path("no").exists())
> (p / "f.txt").unlink(); p.rmdir(); print(list(Path("p").iterdir()))'
  hi
   q .txt ['a.txt', 'p/q/f.txt'] 14 False
  []

$ python3 -c 'import glob, fnmatch; print(sorted(glob.glob("*.txt")), sorted(glob.glob("**/*.py", recursive=True)), fnmatch.filter(["a.c", "b.h"], "*.c"))'
  ['a.txt'] ['argv.py', 'lib.py'] ['a.c']

$ python3 -c 'import tempfile, os
> with tempfile.NamedTemporaryFile("w+", delete=False) as f: f.write("x"); f.flush(); print(os.path.getsize(f.name), f.name.startswith("/tmp/"))
> with tempfile.TemporaryDirectory() as d: open(d + "/a", "w").close(); print(os.listdir(d))
> print(os.path.exists(d))
> with tempfile.TemporaryFile() as f: f.write(b"abc"); f.seek(1); print(f.read())'
  1 True
  ['a']
  False
  b'bc'

$ python3 -m json.tool j.json; python3 -m json.tool --compact < j.json; echo '{' | python3 -m json.tool; echo $?
  {
      "b": [
          1,
          2.5,
          null
      ],
      "a": "\u00e9"
  }
  {"b":[1,2.5,null],"a":"\u00e9"}
  1

$ echo hello | python3 -m base64 -e; echo aGVsbG8K | python3 -m base64 -d; python3 -m this | head -1; python3 -m calendar 2024 2 | head -3
  aGVsbG8K
  hello
  The Zen of Python, by Tim Peters
     February 2024
  Mo Tu We Th Fr Sa Su
            1  2  3  4

$ python3 -c 'import json; d = json.load(open("j.json")); print(d, json.dumps(d, sort_keys=True), json.dumps(d, indent=2, ensure_ascii=False)); json.loads("[1,")' 2>&1 | grep -v '^ *File\|\^\|^    '
  Traceback (most recent call last):
  json.decoder.JSONDecodeError: Expecting value: line 1 column 4 (char 3)
  {'b': [1, 2.5, None], 'a': 'é'} {"a": "\u00e9", "b": [1, 2.5, null]} {
    "b": [
    ],
    "a": "é"
  }

$ python3 -c 'import csv, io
> rows = list(csv.DictReader(open("t.csv"))); print(rows, sum(int(r["n"]) for r in rows))
> o = io.StringIO(); w = csv.writer(o, lineterminator="\n"); w.writerow(["a", "b,c", "d\"e"]); print(o.getvalue())'
  [{'name': 'x, y', 'n': '1'}, {'name': 'z', 'n': '2'}] 3
  a,"b,c","d""e"
  

$ python3 -c 'import re; print(re.findall(r"(\w+)=(\d+)", "a=1 b=22"), re.sub(r"(?P<x>\d)", r"<\g<x>>", "a1b2"), re.split(r"[,;]\s*", "a, b;c"), re.match(r"(?i)HE(l+)o", "hello").group(1), bool(re.fullmatch(r"\S+@\S+", "a@b")), re.compile("^t", re.M).sub("T", "two\nthree"))'
  [('a', '1'), ('b', '22')] a<1>b<2> ['a', 'b', 'c'] ll True Two
  Three

$ python3 -c 'import math, random, statistics; print(math.sqrt(2), math.pi, math.factorial(20), math.gcd(12, 18), math.isclose(0.1 + 0.2, 0.3), math.comb(5, 2)); random.seed(42); print(random.randint(1, 100), random.random(), random.sample(range(100), 3), random.choice("abc")); print(statistics.mean([1, 2, 3, 4]), statistics.median([3, 1, 2]), round(statistics.stdev([1, 2, 3, 4]), 6))'
  1.4142135623730951 3.141592653589793 2432902008176640000 6 True 10
  82 0.11133106816568039 [94, 35, 31] a
  2.5 2 1.290994

$ python3 -c 'import datetime as d; t = d.datetime(2024, 2, 29, 13, 5, 7); print(t, t.isoformat(), t.strftime("%Y-%m-%d %a %j %U"), t + d.timedelta(days=1, hours=2), d.date(2024, 3, 1) - d.date(2024, 2, 1), d.datetime.strptime("01/02/2023", "%d/%m/%Y"), d.datetime.fromtimestamp(0, d.timezone.utc), d.datetime.fromisoformat("2024-01-02T03:04:05+02:00"))'
  2024-02-29 13:05:07 2024-02-29T13:05:07 2024-02-29 Thu 060 08 2024-03-01 15:05:07 29 days, 0:00:00 2023-02-01 00:00:00 1970-01-01 00:00:00+00:00 2024-01-02 03:04:05+02:00

$ python3 -c 'import time; print(time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(86400)), time.time() > 1e9, time.monotonic() >= 0); t = time.perf_counter(); time.sleep(0.01); print(time.perf_counter() - t >= 0.01)'
  1970-01-02 00:00:00 True True
  True

$ python3 -c 'from collections import Counter, defaultdict, OrderedDict, deque, namedtuple, ChainMap; print(Counter("abracadabra").most_common(2)); d = defaultdict(list); d["a"].append(1); print(dict(d), deque([1, 2, 3], maxlen=2), namedtuple("P", "x y")(1, 2), ChainMap({"a": 1}, {"b": 2})["b"])'
  [('a', 5), ('b', 2)]
  {'a': [1]} deque([2, 3], maxlen=2) P(x=1, y=2) 2

$ python3 -c 'import itertools as i, functools as f, operator as o; print(list(i.permutations("abc", 2))[:3], list(i.combinations(range(4), 2)), [(k, list(g)) for k, g in i.groupby("aabbc")], list(i.islice(i.count(5, 5), 3)), f.reduce(o.add, [1, 2, 3]), list(i.chain([1], [2])), list(i.accumulate([1, 2, 3])), list(i.zip_longest("ab", "c")))
> @f.lru_cache(None)
> def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
> print(fib(80), fib.cache_info(), f.partial(int, base=2)("101"))'
  [('a', 'b'), ('a', 'c'), ('b', 'a')] [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] [('a', ['a', 'a']), ('b', ['b', 'b']), ('c', ['c'])] [5, 10, 15] 6 [1, 2] [1, 3, 6] [('a', 'c'), ('b', None)]
  23416728348467685 CacheInfo(hits=78, misses=81, maxsize=None, currsize=81) 5

$ python3 -c 'import string, textwrap; print(string.ascii_lowercase, string.Template("$a-${b}").substitute(a=1, b=2)); print(textwrap.fill("the quick brown fox jumps over", 12)); print(textwrap.dedent("  a\n   b"))'
  abcdefghijklmnopqrstuvwxyz 1-2
  the quick
  brown fox
  jumps over
  a
   b

$ printf 'import argparse\np = argparse.ArgumentParser(prog="tool", description="Does it.")\np.add_argument("file")\np.add_argument("-n", "--number", type=int, default=3, help="how many")\np.add_argument("-v", action="store_true")\na = p.parse_args()\nprint(a.file, a.number, a.v)\n' > ap.py; python3 ap.py x -n 5 -v; python3 ap.py 2>&1; echo $?; python3 ap.py x -n q 2>&1 | tail -1; python3 ap.py -h | head -3
  x 5 True
  usage: tool [-h] [-n NUMBER] [-v] file
  tool: error: the following arguments are required: file
  2
  tool: error: argument -n/--number: invalid int value: 'q'
  usage: tool [-h] [-n NUMBER] [-v] file
  
  Does it.

$ python3 -c 'import hashlib, base64, struct, zlib, binascii, hmac; print(hashlib.md5(b"a").hexdigest(), hashlib.sha256(b"a").hexdigest(), hashlib.sha1(b"").hexdigest(), hashlib.new("sha512", b"x").hexdigest()[:16], hashlib.blake2b(b"a").hexdigest()[:16]); print(base64.b64encode(b"hi\xff"), base64.urlsafe_b64decode("aGn_"), struct.pack("<IhB", 1, -2, 3), struct.unpack(">I", b"\0\0\1\0"), zlib.crc32(b"abc"), zlib.decompress(zlib.compress(b"x" * 1000)) == b"x" * 1000, binascii.hexlify(b"ab"), hmac.new(b"k", b"m", "sha256").hexdigest()[:16])'
  0cc175b9c0f1b6a831c399e269772661 ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb da39a3ee5e6b4b0d3255bfef95601890afd80709 a4abd4448c49562d 333fcb4ee1aa7c11
  b'aGn/' b'hi\xff' b'\x01\x00\x00\x00\xfe\xff\x03' (256,) 891568578 True b'6162' b60090e3052297ae

$ python3 -c 'import gzip, zlib, zipfile, tarfile, io
> with gzip.open("g.gz", "wt") as f: f.write("zipped\n")
> print(gzip.open("g.gz", "rt").read(), zlib.decompress(zlib.compress(b"b" * 99))[:3])
> with zipfile.ZipFile("z.zip", "w", zipfile.ZIP_DEFLATED) as z: z.write("a.txt"); z.writestr("d/x", "in")
> z = zipfile.ZipFile("z.zip"); print(z.namelist(), z.read("a.txt"), z.testzip())
> with tarfile.open("t.tgz", "w:gz") as t: t.add("a.txt")
> print(tarfile.open("t.tgz").getnames())'; gunzip -c g.gz; tar tzf t.tgz
  zipped
   b'bbb'
  ['a.txt', 'd/x'] b'one\ntwo\nthree\n' None
  ['a.txt']
  zipped
  a.txt

$ python3 -c 'from decimal import Decimal as D, getcontext; from fractions import Fraction as F; getcontext().prec = 30; print(D(1) / D(7), D("0.1") + D("0.2"), D("2.675").quantize(D("0.01")), F(1, 3) + F(1, 6), F("0.125"), round(F(7, 2)))'
  0.142857142857142857142857142857 0.3 2.68 1/2 1/8 4

$ printf 'from dataclasses import dataclass, field, asdict\nfrom enum import Enum, auto, IntFlag\nfrom typing import Optional, List\n@dataclass(order=True)\nclass P:\n    x: int\n    y: List[int] = field(default_factory=list)\nclass C(Enum):\n    RED = auto()\n    BLUE = 7\nclass F(IntFlag):\n    A = 1\n    B = 2\nprint(P(1), asdict(P(2, [3])), P(1) < P(2), C.RED, C(7).name, list(C), (F.A | F.B).value)\n' > dc.py; python3 dc.py
  P(x=1, y=[]) {'x': 2, 'y': [3]} True C.RED BLUE [<C.RED: 1>, <C.BLUE: 7>] 3

$ python3 -c 'import copy, heapq, bisect, uuid, urllib.parse as u, html, pprint; a = [[1]]; b = copy.deepcopy(a); b[0].append(2); print(a, b, heapq.nsmallest(2, [3, 1, 2]), bisect.bisect([1, 3, 5], 3), uuid.uuid5(uuid.NAMESPACE_DNS, "a.b"), len(str(uuid.uuid4())), u.quote("a b/ü"), u.parse_qs("a=1&b=2&a=3"), u.urlparse("http://h:80/p?q#f").netloc, u.urljoin("http://a/b/c", "../d"), html.escape("<a&b>"), html.unescape("&lt;&eacute;")); pprint.pprint({"k" * 30: list(range(20)), "j": 1}, width=60)'
  [[1]] [[1, 2]] [1, 2] 2 0e7af403-ee0d-594b-ab31-08b1c687f2fa 36 a%20b/%C3%BC {'a': ['1', '3'], 'b': ['2']} h:80 http://a/d &lt;a&amp;b&gt; <é
  {'j': 1,
   'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkk': [0,
                                      1,
                                      2,
                                      3,
                                      4,
                                      5,
                                      6,
                                      7,
                                      8,
                                      9,
                                      10,
                                      11,
                                      12,
                                      13,
                                      14,
                                      15,
                                      16,
                                      17,
                                      18,
                                      19]}

$ python3 -c 'import xml.etree.ElementTree as E; r = E.fromstring("<a x=\"1\"><b>t</b><b/>tail</a>"); print(r.tag, r.attrib, [b.text for b in r.iter("b")], r.find("b").text); E.SubElement(r, "c").text = "<"; print(E.tostring(r).decode())'
  a {'x': '1'} ['t', None] t
  <a x="1"><b>t</b><b />tail<c>&lt;</c></a>

$ printf 'import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(1 + 1, 2)\nif __name__ == "__main__":\n    unittest.main()\n' > t.py; python3 t.py 2>&1 | sed 's/in [0-9.]*s/in Ns/'; python3 -c 'from unittest import main; print(main)'; python3 -c 'import unittest.main; print(unittest.main)'
  .
  ----------------------------------------------------------------------
  Ran 1 test in Ns
  
  OK
  <class 'unittest.main.TestProgram'>
  <class 'unittest.main.TestProgram'>

$ printf 'import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(1 + 1, 2)\n    def test_b(self): self.assertEqual(1, 2)\n    def test_c(self):\n        with self.assertRaises(ZeroDivisionError): 1 / 0\n' > test_x.py; python3 -m unittest test_x 2>&1 | sed 's/in [0-9.]*s/in Ns/; s|"/.*/|"|' | grep -v '\^'; python3 -m unittest -q test_x.T.test_a 2>/dev/null; echo $?
  .F.
  ======================================================================
  FAIL: test_b (test_x.T.test_b)
  ----------------------------------------------------------------------
  Traceback (most recent call last):
    File "test_x.py", line 4, in test_b
      def test_b(self): self.assertEqual(1, 2)
  AssertionError: 1 != 2
  
  ----------------------------------------------------------------------
  Ran 3 tests in Ns
  
  FAILED (failures=1)
  0

$ python3 -c 'import contextlib, traceback, io
> @contextlib.contextmanager
> def cm():
>     print("in")
>     try: yield 5
>     finally: print("out")
> with cm() as v, contextlib.suppress(KeyError): print(v); {}["x"]
> o = io.StringIO()
> with contextlib.redirect_stdout(o): print("caught")
> print(repr(o.getvalue()))
> try: raise ValueError("v") from KeyError("k")
> except ValueError as e: print(traceback.format_exception_only(e), type(e.__cause__).__name__)'
  in
  5
  out
  'caught\n'
  ['ValueError: v\n'] KeyError

$ python3 -c 'import subprocess as s, sys
> r = s.run(["sh", "-c", "echo out; echo err >&2; exit 3"], capture_output=True, text=True); print(r)
> print(s.check_output("echo $((1+2))", shell=True), s.run(["cat"], input="data", capture_output=True, text=True).stdout)
> try: s.run(["false"], check=True)
> except s.CalledProcessError as e: print(e, e.returncode)
> try: s.run(["no-such-command"])
> except FileNotFoundError as e: print(e.strerror, e.filename)
> p = s.Popen(["sort"], stdin=s.PIPE, stdout=s.PIPE, text=True); print(p.communicate("b\na\n"), p.returncode)
> try: s.run(["sleep", "5"], timeout=0.05)
> except s.TimeoutExpired as e: print("late", e.cmd)
> print(s.getoutput("echo x; echo y"), s.getstatusoutput("exit 2"), s.call(["true"]))
> with open("o.txt", "w") as f: s.run(["echo", "to file"], stdout=f)
> print(open("o.txt").read(), end="")
> s.run("pwd; echo $K", shell=True, cwd="/tmp", env={"K": "v", "PATH": "/bin:/usr/bin"})
> print(s.run(["cat"], stdin=open("a.txt"), stdout=s.PIPE, stderr=s.STDOUT).stdout); p = s.Popen(["sleep", "9"]); print(p.poll()); p.kill(); print(p.wait())'
  /tmp
  v
  CompletedProcess(args=['sh', '-c', 'echo out; echo err >&2; exit 3'], returncode=3, stdout='out\n', stderr='err\n')
  b'3\n' data
  Command '['false']' returned non-zero exit status 1. 1
  No such file or directory no-such-command
  ('a\nb\n', None) 0
  late ['sleep', '5']
  x
  y (2, '') 0
  to file
  b'one\ntwo\nthree\n'
  None
  -9

$ python3 -c 'import subprocess
> p1 = subprocess.Popen(["cat", "a.txt"], stdout=subprocess.PIPE); p2 = subprocess.Popen(["wc", "-l"], stdin=p1.stdout, stdout=subprocess.PIPE); p1.stdout.close(); print(p2.communicate()[0].strip())
> p = subprocess.Popen(["sh", "-c", "while read l; do echo got $l; done"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
> p.stdin.write("one\n"); p.stdin.flush(); print(p.stdout.readline().strip()); p.stdin.close(); print(p.wait())'; python3 -c 'import os; print(os.popen("echo pop").read(), os.system("exit 3") >> 8)'
  b'3'
  got one
  0
  pop
   3

$ printf 'class A:\n    def __init__(self): self.v = 1\n    def __enter__(self): return self\n    def __exit__(self, *a): print("bye")\n    @property\n    def w(self): return self.v * 2\n    @staticmethod\n    def s(): return "s"\n    @classmethod\n    def c(cls): return cls.__name__\nwith A() as a: print(a.w, a.s(), a.c())\nmatch {"k": [1, 2, 3]}:\n    case {"k": [first, *rest]}: print(first, rest)\nprint(f"{3.14159:.2f} {1000000:,} {255:#x} {a.w=} {chr(233)!r:>6}", (n := 5) + n, [*range(3)], {**{"a": 1}}, 7 // 2, -7 %% 3, 2 ** 100, 1e16, 0.1 + 0.2, 1j * 1j)\nasync def co(): return 9\nimport asyncio\nprint(asyncio.run(co()))\ndef g():\n    x = yield 1\n    print("sent", x)\n    yield from [2, 3]\nit = g(); print(next(it), it.send("s"), list(it))\nprint(sorted({"b": 1, "a": 2}.items(), key=lambda t: -t[1]), "%%s|%%5.1f|%%-4d|" %% ("x", 2.55, 3), "a-b".partition("-"), b"\\xe9".decode("latin-1"), "é".encode())\n' > lang.py; python3 lang.py
  2 s A
  bye
  1 [2, 3]
  3.14 1,000,000 0xff a.w=2    'é' 10 [0, 1, 2] {'a': 1} 3 2 1267650600228229401496703205376 1e+16 0.30000000000000004 (-1+0j)
  9
  sent s
  1 2 [3]
  [('a', 2), ('b', 1)] x|  2.5|3   | ('a', '-', 'b') é b'\xc3\xa9'

$ umask 022; python3 -c 'import os, stat, time, signal
> os.close(os.open("o", os.O_CREAT | os.O_WRONLY, 0o600)); os.mkdir("p", 0o700); print([oct(os.stat(n).st_mode) for n in ("o", "p", "a.txt")])
> signal.signal(signal.SIGUSR1, lambda n, f: print("signal", n)); os.kill(os.getpid(), signal.SIGUSR1); print(time.strftime("%Z %z %%Z", time.gmtime(0)), time.tzname)
> os.execvp("echo", ["echo", "exec"])'; python3 -c 'import os, signal; os.kill(os.getpid(), signal.SIGTERM)'; echo $?
  exec
  143

$ python3 -c 'import asyncio
> async def w(n): await asyncio.sleep(0.001 * n); return n
> async def main(): print(await asyncio.gather(w(3), w(1), w(2))); 
> asyncio.run(main())'
  [3, 1, 2]

$ python3 -c 'import threading
> try: threading.Thread(target=print).start()
> except RuntimeError as e: print("refused")' | sed 's/^$/refused/'
  refused

$ python3 -c 'import pickle, shelve, configparser, io, logging, sys, platform, inspect, types, weakref, difflib, secrets, ipaddress, getpass, locale, shlex, colorsys, array, queue, signal, select
> print(pickle.loads(pickle.dumps({"a": (1, [2])})), shlex.split("a \"b c\""), ipaddress.ip_network("10.0.0.0/30").num_addresses, array.array("i", [1, 2]), list(difflib.unified_diff(["a"], ["b"], lineterm="")))
> c = configparser.ConfigParser(); c.read_string("[s]\nk = v\n"); print(c["s"]["k"]); logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s"); logging.warning("w %d", 1)'
  {'a': (1, [2])} ['a', 'b c'] 4 array('i', [1, 2]) ['--- ', '+++ ', '@@ -1 +1 @@', '-a', '+b']
  v
  WARNING w 1

$ seq 1 5 | python3 -c 'import sys; print(sum(int(line) for line in sys.stdin))'; printf 'a b\nc\n' | python3 -c 'import sys; print([l.split() for l in sys.stdin.readlines()])'; printf 'x\0y' | python3 -c 'import sys; print(sys.stdin.buffer.read())'; python3 -c 'import sys; sys.stdout.buffer.write(b"\xff\n"); sys.stdout.write("é\n")' | od -An -tx1
  15
  [['a', 'b'], ['c']]
  b'x\x00y'
   ff 0a c3 a9 0a

$ python3 -c 'import atexit; atexit.register(print, "last"); print("first"); raise SystemExit(2)'
  first
  last
[2]

$ python3 -c 'for i in range(1000000): print(i)' | head -2
  0
  1

$ python3 -W error -c 'import warnings; warnings.warn("w")' 2>&1 | tail -1; python3 -c 'import warnings; warnings.warn("w")' 2>&1 | head -1
  UserWarning: w
  <string>:1: UserWarning: w

$ python3 -c 'import tomllib, zoneinfo; print(tomllib.loads("a = 1\n[b]\nc = [true]"))'; python3 -c 'import timeit; print(timeit.timeit("1", number=10) >= 0)'; python3 -m timeit -n 1 -r 1 pass | cut -d, -f1; python3 -m zipfile -c q.zip a.txt; python3 -m zipfile -l q.zip | awk '{print $1}'; python3 -m tarfile -c q.tar a.txt && tar tf q.tar; python3 -m gzip a.txt; zcat a.txt.gz | head -1; python3 -m py_compile lib.py && ls __pycache__ | wc -l
  {'a': 1, 'b': {'c': [True]}}
  True
  1 loop
  File
  a.txt
  a.txt
  one
  1

$ mkdir -p s/d; echo 1 > s/d/f; chmod 750 s/d; chmod 640 s/d/f; python3 -c 'import os, shutil; shutil.copytree("s", "t"); f = open("t/d/f"); print([oct(x.st_mode) for x in (os.stat("t/d"), os.fstat(f.fileno()), next(os.scandir("t/d")).stat())])'; python3 -c 'import os; os.stat("a\0")' 2>&1 | tail -1; python3 -c 'import os; os.chown("s", 1.5, 0)' 2>&1 | tail -1
  ['0o40750', '0o100640', '0o100640']
  ValueError: embedded null byte
  TypeError: uid should be integer, not float

$ python3 -X utf8=0 -c 'import sys; print(sys.flags.utf8_mode)'; PYTHONUTF8=1 python3 -c 'import sys; print(sys.flags.utf8_mode)'; printf 'a=1\nb' > m; python3 -c 'import mmap; f = open("m", "rb"); m = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ); print(m[:3], m.readline(), m.find(b"b"), len(m))'
  0
  1
  b'a=1' b'a=1\n' 4 5

$ python3 -c 'import os, time, timeit
> a = time.process_time(); sum(range(100000)); b = time.process_time()
> print(0 <= a < b < 60, time.process_time_ns() > 0, 0 < os.times().user < 60, os.times()[1:4])'
  True True True (0.0, 0.0, 0.0)

$ python3 -c 'import resource as r
> print(r.getrlimit(r.RLIMIT_CORE), r.getrlimit(r.RLIMIT_CPU), 0 < r.getrlimit(r.RLIMIT_NOFILE)[0] < 10**6)
> r.setrlimit(r.RLIMIT_STACK, (2**24, r.RLIM_INFINITY)); print(r.getrlimit(r.RLIMIT_STACK))
> used = r.getrusage(r.RUSAGE_SELF); print(used.ru_maxrss > 1000, used.ru_utime > 0, used.ru_nswap)
> for bad in lambda: r.getrlimit(99), lambda: r.setrlimit(r.RLIMIT_CPU, (2, 1)), lambda: r.getrusage(7), lambda: r.setrlimit(r.RLIMIT_NOFILE, (1, 10**7)):
>     try: bad()
>     except ValueError as error: print(error)'
  (0, 0) (-1, -1) True
  (16777216, -1)
  True True 0
  invalid resource specified
  current limit exceeds maximum limit
  invalid who parameter
  not allowed to raise maximum limit

$ python3 -c 'import bz2, lzma
> text = b"one two three\n" * 9000
> for module in bz2, lzma:
>     packed = module.compress(text); half = len(packed) // 2
>     print(len(packed) < 1000, module.decompress(packed) == text, module.decompress(packed * 2) == text * 2)
>     some = module.BZ2Decompressor() if module is bz2 else module.LZMADecompressor()
>     first = some.decompress(packed, 10); print(first, some.eof, some.needs_input)
>     rest = some.decompress(b"after"); print(first + rest == text, some.eof, some.unused_data, some.needs_input)
>     try: some.decompress(b"more")
>     except EOFError as error: print(type(error).__name__)
>     for bad in b"no such data", packed[:half] + b"\xff" * 40 + packed[half:]:
>         try: module.decompress(bad)
>         except (OSError, ValueError, lzma.LZMAError) as error: print(type(error).__name__)
>     try: module.decompress(packed[:half])
>     except (ValueError, lzma.LZMAError) as error: print(type(error).__name__)'
  True True True
  b'one two th' False False
  True True b'after' False
  EOFError
  OSError
  OSError
  ValueError
  True True True
  b'one two th' False False
  True True b'after' False
  EOFError
  LZMAError
  LZMAError
  LZMAError

$ python3 -c 'import lzma
> f = [{"id": lzma.FILTER_DELTA, "dist": 4}, {"id": lzma.FILTER_LZMA2, "preset": 1}]
> x = lzma.compress(bytes(range(256)) * 40, check=lzma.CHECK_SHA256, filters=f); d = lzma.LZMADecompressor(); print(len(d.decompress(x)), d.check)
> a = lzma.compress(b"alone", format=lzma.FORMAT_ALONE); print(a[:5], lzma.decompress(a))
> r = [{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16, "lc": 2}]; print(lzma.decompress(lzma.compress(b"raw" * 9, lzma.FORMAT_RAW, filters=r), lzma.FORMAT_RAW, filters=r))
> for wrong in dict(preset=99), dict(preset=1, filters=r), dict(format=9), dict(check=7), dict(filters=[{"id": 5000}]):
>     try: lzma.compress(b"", **wrong)
>     except (ValueError, lzma.LZMAError) as error: print(type(error).__name__)'
  10240 10
  b']\x00\x00\x80\x00' b'alone'
  b'rawrawrawrawrawrawrawrawraw'
  LZMAError
  ValueError
  ValueError
  LZMAError
  ValueError

$ python3 -c 'import bz2, lzma, tarfile, zipfile, shutil
> for kind in "bz2", "xz":
>     with tarfile.open("p." + kind, "w:" + kind) as tar: tar.add("a.txt")
> for kind in zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA:
>     with zipfile.ZipFile("p.zip", "w", kind) as zip: zip.writestr("n", "text" * 999)
>     with zipfile.ZipFile("p.zip") as zip: print(len(zip.read("n")), zip.testzip())
> with bz2.open("l.bz2", "wt") as f: print("a\nb", file=f)
> with lzma.open("l.xz", "wt") as f: print("c\nd", file=f)
> print(list(bz2.open("l.bz2", "rt")), lzma.open("l.xz").readlines(), sorted(name for name, _ in shutil.get_archive_formats()))'; tar xOf p.bz2; tar xOf p.xz | tail -1; bzcat l.bz2; xzcat l.xz; printf 'x\ny\n' | xz | python3 -c 'import lzma, sys; print(lzma.open(sys.stdin.buffer).read())'
  3996 None
  3996 None
  ['a\n', 'b\n'] [b'c\n', b'd\n'] ['bztar', 'gztar', 'tar', 'xztar', 'zip']
  one
  two
  three
  three
  a
  b
  c
  d
  b'x\ny\n'

$ python3 -c 'import asyncio, concurrent.futures as cf
> with cf.ThreadPoolExecutor(4) as pool:
>     print(list(pool.map(lambda x: x * x, range(5))), pool.submit(pow, 2, 9).result())
>     bad = pool.submit(lambda: 1 / 0); print(type(bad.exception()).__name__, bad.done())
>     futures = [pool.submit(str, n) for n in range(3)]; print(sorted(f.result() for f in cf.as_completed(futures)))
>     print(pool.submit(lambda: pool.submit(len, "inner").result()).result())
> try: pool.submit(print)
> except RuntimeError as error: print(error)
> seen = []
> with cf.ThreadPoolExecutor(1, initializer=seen.append, initargs=("once",)) as pool: pool.submit(seen.append, 1).result(); pool.submit(seen.append, 2).result()
> print(seen)
> async def main():
>     print(await asyncio.to_thread(sum, [1, 2]), await asyncio.get_running_loop().run_in_executor(None, max, 3, 4))
>     print(await asyncio.gather(*(asyncio.to_thread(abs, -n) for n in range(3))))
> asyncio.run(main())'
  [0, 1, 4, 9, 16] 512
  ZeroDivisionError True
  ['0', '1', '2']
  5
  cannot schedule new futures after shutdown
  ['once', 1, 2]
  3 4
  [0, 1, 2]

$ cat > mp.py <<'P'
> import multiprocessing as mp, os, sys
> from concurrent.futures import ProcessPoolExecutor
> from multiprocessing.pool import ThreadPool
> def square(x): return x * x
> def init(base): global BASE; BASE = base
> def add(x): return BASE + x
> def answer(conn, queue, lock):
>     with lock: queue.put(conn.recv() * 2)
>     conn.send("sent"); conn.close()
> def count(lock, path):
>     for _ in range(20):
>         with lock:
>             n = int(open(path).read()); open(path, "w").write(str(n + 1))
> def wait(condition, event, queue):
>     with condition: queue.put("waiting"); condition.wait()
>     event.wait(); queue.put("done")
> if __name__ == "__main__":
>     mp.set_start_method("spawn", force=True)
>     child = mp.Process(target=sys.exit, args=(7,)); child.start(); child.join(); print(child.exitcode, child.is_alive())
>     ours, theirs = mp.Pipe(); queue, lock = mp.Queue(), mp.Lock()
>     child = mp.Process(target=answer, args=(theirs, queue, lock)); child.start(); theirs.close()
>     ours.send("x" * 100000); print(len(queue.get()), ours.recv()); child.join()
>     try: ours.recv()
>     except EOFError: print("the end")
>     open("n", "w").write("0"); children = [mp.Process(target=count, args=(lock, "n")) for _ in range(2)]
>     for child in children: child.start()
>     for child in children: child.join()
>     print(open("n").read(), lock.acquire(False), lock.acquire(timeout=0.01))
>     condition, event = mp.Condition(), mp.Event(); child = mp.Process(target=wait, args=(condition, event, queue)); child.start(); print(queue.get())
>     with condition: condition.notify()
>     event.set(); print(queue.get()); child.join()
>     with mp.Pool(2, init, (100,)) as pool:
>         print(pool.map(add, range(4)), pool.apply_async(square, (5,)).get(), list(pool.imap(square, [3, 4])), pool.starmap(pow, [(2, 3)]))
>         try: pool.apply(int, ("no",))
>         except ValueError as error: print(error)
>     with ProcessPoolExecutor(2) as pool: print(list(pool.map(square, range(3))), pool.submit(square, 9).result(), type(pool.submit(int, "no").exception()).__name__)
>     with ThreadPool(3) as pool: print(pool.map(lambda x: -x, range(3)))
>     jobs = mp.JoinableQueue(); jobs.put(1); jobs.get(); jobs.task_done(); jobs.join(); print(jobs.empty(), mp.active_children())
> P
> python3 mp.py; cat > boom.py <<'P'
> import multiprocessing as mp, time
> def boom(): raise SystemExit("boom")
> if __name__ == "__main__":
>     child = mp.get_context("spawn").Process(target=boom); child.start(); child.join(); print(child.exitcode)
>     child = mp.get_context("spawn").Process(target=time.sleep, args=(100,)); child.start(); child.kill(); child.join(); print(child.exitcode)
> P
> python3 boom.py 2>&1
  7 False
  200000 sent
  the end
  40 True False
  waiting
  done
  [100, 101, 102, 103] 25 [9, 16] [8]
  invalid literal for int() with base 10: 'no'
  [0, 1, 4] 81 ValueError
  [0, -1, -2]
  True []
  boom
  1
  -9

$ python3 -c 'from datetime import datetime as d, timezone as t; from zoneinfo import ZoneInfo as Z, available_timezones as a; print(d(2026, 7, 1, 12, tzinfo=t.utc).astimezone(Z("America/New_York")), Z("Asia/Kolkata").utcoffset(d(2026, 1, 1)), len(a()) > 500)'; python3 -c 'import zoneinfo; zoneinfo.ZoneInfo("Mars/Base")' 2>&1 | tail -1
  2026-07-01 08:00:00-04:00 5:30:00 True
  zoneinfo._common.ZoneInfoNotFoundError: 'No time zone found with key Mars/Base'
