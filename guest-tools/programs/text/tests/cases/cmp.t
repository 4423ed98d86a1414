# cmp of GNU diffutils 3.8: sizes with units, and strings of GNU Binutils: wide characters.

$ seq 1000 > a; (seq 500; seq 501 1000 | tr 5 6) > b; for n in 1K 1kB 2KiB 10 0 1k 1MB 0x10 010 1b 1Z 1x -1 '' 99999999999999999999; do cmp -n "$n" a b 2>&1; echo $?; done; for i in 1K:1K 1K 1x 1x:3 10:1x 1:2:3; do cmp -i $i a b 2>&1; done; cmp a b 1K 1K; cmp a b 1K 1x 2>&1
  0
  0
  a b differ: byte 1893, line 501
  1
  0
  0
  0
  a b differ: byte 1893, line 501
  1
  0
  0
  cmp: invalid --bytes value '1b'
  cmp: Try 'cmp --help' for more information.
  2
  cmp: invalid --bytes value '1Z'
  cmp: Try 'cmp --help' for more information.
  2
  cmp: invalid --bytes value '1x'
  cmp: Try 'cmp --help' for more information.
  2
  cmp: invalid --bytes value '-1'
  cmp: Try 'cmp --help' for more information.
  2
  cmp: invalid --bytes value ''
  cmp: Try 'cmp --help' for more information.
  2
  cmp: invalid --bytes value '99999999999999999999'
  cmp: Try 'cmp --help' for more information.
  2
  a b differ: byte 869, line 218
  a b differ: byte 869, line 218
  cmp: invalid --ignore-initial value '1x'
  cmp: Try 'cmp --help' for more information.
  cmp: invalid --ignore-initial value '1x:3'
  cmp: Try 'cmp --help' for more information.
  cmp: invalid --ignore-initial value '1x'
  cmp: Try 'cmp --help' for more information.
  cmp: invalid --ignore-initial value '2:3'
  cmp: Try 'cmp --help' for more information.
  a b differ: byte 869, line 218
  cmp: invalid --ignore-initial value '1x'
  cmp: Try 'cmp --help' for more information.
[2]

$ printf 'h\0e\0l\0l\0o\0\n\0\0\0w\0o\0r\0l\0d\0\0\0abcdefgh\0\0h\0\0\0e\0\0\0l\0\0\0l\0\0\0\0h\0e\0l\0l\0o' > u; for e in l b L B s S; do echo $e; strings -e$e u; done; strings -tx -el u; strings -n3 -td -eL u; strings -ex u >/dev/null 2>&1; echo $?; printf 'ab\351cd\0' | strings -eS | od -c; strings -fel u
  l
  hello
  world
  hell
  b
  ello
  world
  hello
  L
  hell
  B
  s
  abcdefgh
  S
  abcdefgh
        0 hello
        e world
       35 hell
       36 hell
  1
  0000000   a   b 351   c   d  \n
  0000006
  u: hello
  u: world
  u: hell

$ printf 'Äb\nA\n' > a; printf 'äB\na\n' > b; diff -i a b
  1c1
  < Äb
  ---
  > äB
[1]

$ printf '0x1F\n10\n0x1.8p3\n-0x5\n0X2\n1e1\n0xg\ninf\n-inf\n0x\n+3\n 7\n.5\n1e\n1e+\nx\nINF\n0x1p-2\n0x.8\n1e400\n-1e400\n0x1p\n0x.p1\n' > g; sort -g g; sort -gs g
  x
  -inf
  -1e400
  -0x5
  0x
  0x.p1
  0xg
  0x1p-2
  .5
  0x.8
  0x1p
  1e
  1e+
  0X2
  +3
   7
  10
  1e1
  0x1.8p3
  0x1F
  1e400
  INF
  inf
  x
  -inf
  -1e400
  -0x5
  0xg
  0x
  0x.p1
  0x1p-2
  .5
  0x.8
  1e
  1e+
  0x1p
  0X2
  +3
   7
  10
  1e1
  0x1.8p3
  0x1F
  1e400
  inf
  INF

$ (echo late > f) & tail -f --retry --pid=$! -s .01 f 2>/dev/null; wait; tail -f --retry f --pid=$! 2>&1
  late
  tail: warning: --retry only effective for the initial open
  late
