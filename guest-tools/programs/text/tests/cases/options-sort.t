# Options of `sort` and of what dumps bytes.
% exec 2>&1
% printf 'banana 3 x\napple 10 y\ncherry 2 z\napple 9 y\n' > f; printf 'b 2\na 1\nc 3\n' > n; printf '10K\n2M\n3\n1G\n-5\n' > h; printf 'Mar\njan\nDEC\nxx\n' > m; printf 'a b\nA-B\na_b\nAb\n' > d; printf '1.5e3\n0x10\n-inf\n2\nnan\n' > g; printf 'v1.10\nv1.9\nv1.9~rc\n' > v; printf 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve\n' > t

$ sort f; sort -r f; sort -k2,2n f; sort -k2n -k1r f; sort -k 2,2 f; sort -k1,1 -k2,2nr f; sort -u -k1,1 f; sort -s -k1,1 f; sort -t ' ' -k3 f; sort -b -k2 f; sort -k2b,2 f; sort -k1.2,1.3 f; sort -t a -k2 f; sort --key=3 --field-separator=' ' f
  apple 10 y
  apple 9 y
  banana 3 x
  cherry 2 z
  cherry 2 z
  banana 3 x
  apple 9 y
  apple 10 y
  cherry 2 z
  banana 3 x
  apple 9 y
  apple 10 y
  cherry 2 z
  banana 3 x
  apple 9 y
  apple 10 y
  apple 10 y
  cherry 2 z
  banana 3 x
  apple 9 y
  apple 10 y
  apple 9 y
  banana 3 x
  cherry 2 z
  apple 10 y
  banana 3 x
  cherry 2 z
  apple 10 y
  apple 9 y
  banana 3 x
  cherry 2 z
  banana 3 x
  apple 10 y
  apple 9 y
  cherry 2 z
  apple 10 y
  cherry 2 z
  banana 3 x
  apple 9 y
  apple 10 y
  cherry 2 z
  banana 3 x
  apple 9 y
  banana 3 x
  cherry 2 z
  apple 10 y
  apple 9 y
  cherry 2 z
  banana 3 x
  apple 10 y
  apple 9 y
  banana 3 x
  apple 10 y
  apple 9 y
  cherry 2 z

$ sort -n n h; sort -h h; sort -rh h; sort -M m; sort -g g; sort -V v; sort -f d; sort -d d; sort -i d; sort -df d; sort --sort=numeric h; sort --sort=month m; sort --sort=version v; sort --sort=human-numeric h; sort --sort=general-numeric g; sort --sort=x f; sort -R f | wc -l; sort -R f f | uniq -d | wc -l; sort --sort=random n | wc -l
  -5
  a 1
  b 2
  c 3
  1G
  2M
  3
  10K
  -5
  3
  10K
  2M
  1G
  1G
  2M
  10K
  3
  -5
  xx
  jan
  Mar
  DEC
  nan
  -inf
  2
  0x10
  1.5e3
  v1.9~rc
  v1.9
  v1.10
  a b
  A-B
  Ab
  a_b
  A-B
  Ab
  a b
  a_b
  A-B
  Ab
  a b
  a_b
  a b
  A-B
  Ab
  a_b
  -5
  1G
  2M
  3
  10K
  xx
  jan
  Mar
  DEC
  v1.9~rc
  v1.9
  v1.10
  -5
  3
  10K
  2M
  1G
  nan
  -inf
  2
  0x10
  1.5e3
  sort: invalid argument ‘x’ for ‘--sort’
  Valid arguments are:
    - ‘general-numeric’
    - ‘human-numeric’
    - ‘month’
    - ‘numeric’
    - ‘random’
    - ‘version’
  Try 'sort --help' for more information.
  4
  4
  3

$ sort -c f; echo $?; sort -c n; sort -C f; echo $?; sort --check=quiet f; echo $?; sort --check=diagnose-first f; sort --check f; sort -cu n n; sort -c n f; sort -cC f; sort -c -o x f; sort --check=foo f
  sort: f:2: disorder: apple 10 y
  1
  sort: n:2: disorder: a 1
  1
  1
  sort: f:2: disorder: apple 10 y
  sort: f:2: disorder: apple 10 y
  sort: extra operand 'n' not allowed with -c
  sort: extra operand 'f' not allowed with -c
  sort: options '-cC' are incompatible
  sort: options '-co' are incompatible
  sort: invalid argument ‘foo’ for ‘--check’
  Valid arguments are:
    - ‘quiet’, ‘silent’
    - ‘diagnose-first’
  Try 'sort --help' for more information.
[1]

$ sort -o f f; cat f; sort -m n f; sort -m f n; sort -m -u f f; sort --merge f t n; sort -m f < /dev/null; printf 'z\0a\0' | sort -z | tr '\0' '!'; echo; sort -nu h; sort -u f f; printf 'f\0n\0' | sort --files0-from=-; sort -S 10M -T /tmp --parallel=2 --batch-size=4 n; sort --compress-program=gzip n; sort --random-source=f -R n | wc -l; sort --output=o n; cat o; sort --stable -k1,1 f; sort --numeric-sort --reverse h; sort --ignore-case --unique d; sort --ignore-leading-blanks n; sort --dictionary-order d; sort --ignore-nonprinting d; sort --month-sort m; sort --general-numeric-sort h; sort --human-numeric-sort h; sort --version-sort v; sort --zero-terminated < /dev/null; sort --temporary-directory=/tmp --buffer-size=50% n
  apple 10 y
  apple 9 y
  banana 3 x
  cherry 2 z
  apple 10 y
  apple 9 y
  b 2
  a 1
  banana 3 x
  c 3
  cherry 2 z
  apple 10 y
  apple 9 y
  b 2
  a 1
  banana 3 x
  c 3
  cherry 2 z
  apple 10 y
  apple 9 y
  banana 3 x
  cherry 2 z
  apple 10 y
  apple 9 y
  b 2
  a 1
  banana 3 x
  c 3
  cherry 2 z
  one
  two
  three
  four
  five
  six
  seven
  eight
  nine
  ten
  eleven
  twelve
  apple 10 y
  apple 9 y
  banana 3 x
  cherry 2 z
  a!z!
  -5
  1G
  2M
  3
  10K
  apple 10 y
  apple 9 y
  banana 3 x
  cherry 2 z
  a 1
  apple 10 y
  apple 9 y
  b 2
  banana 3 x
  c 3
  cherry 2 z
  a 1
  b 2
  c 3
  a 1
  b 2
  c 3
  3
  a 1
  b 2
  c 3
  apple 10 y
  apple 9 y
  banana 3 x
  cherry 2 z
  10K
  3
  2M
  1G
  -5
  a b
  A-B
  Ab
  a_b
  a 1
  b 2
  c 3
  A-B
  Ab
  a b
  a_b
  A-B
  Ab
  a b
  a_b
  xx
  jan
  Mar
  DEC
  -5
  1G
  2M
  3
  10K
  -5
  3
  10K
  2M
  1G
  v1.9~rc
  v1.9
  v1.10
  a 1
  b 2
  c 3

$ sort -nd f; sort -Mn f; sort -k1,1nd f; sort -nhd f; sort -t ab f; sort -t '' f; sort -t a -t b f; sort -t '\0' n; sort -k 0 f; sort -k1.0 f; sort -k 1x f; sort -k 1,0 f; sort -k a f; sort nosuch; sort .; sort -o /nosuch/x f; sort -o a -o b f; sort -S x f; sort --parallel=0 f; sort --batch-size=1 f; sort --files0-from=n f; sort --files0-from=nosuch; sort --random-source=nosuch -R f; sort -k; sort --nope f; sort n nosuch
  sort: options '-dn' are incompatible
  sort: options '-Mn' are incompatible
  sort: options '-dn' are incompatible
  sort: options '-dhn' are incompatible
  sort: multi-character tab ‘ab’
  sort: empty tab
  sort: incompatible tabs
  a 1
  b 2
  c 3
  sort: field number is zero: invalid field specification ‘0’
  sort: character offset is zero: invalid field specification ‘1.0’
  sort: stray character in field spec: invalid field specification ‘1x’
  sort: field number is zero: invalid field specification ‘1,0’
  sort: invalid number at field start: invalid count at start of ‘a’
  sort: cannot read: nosuch: No such file or directory
  sort: read failed: .: Is a directory
  sort: open failed: /nosuch/x: No such file or directory
  sort: multiple output files specified
  sort: invalid -S argument 'x'
  sort: number in parallel must be nonzero
  sort: invalid --batch-size argument ‘1’
  sort: minimum --batch-size argument is ‘2’
  sort: extra operand 'f'
  file operands cannot be combined with --files0-from
  Try 'sort --help' for more information.
  sort: open failed: nosuch: No such file or directory
  sort: open failed: nosuch: No such file or directory
  sort: option requires an argument -- 'k'
  Try 'sort --help' for more information.
  sort: unrecognized option '--nope'
  Try 'sort --help' for more information.
  sort: cannot read: nosuch: No such file or directory
[2]

$ hexdump n; hexdump -C n; hexdump -b n; hexdump -c n; hexdump -d n; hexdump -o n; hexdump -x n; hexdump -n 4 -s 2 -C n; hexdump -e '4/1 "%02x " "\n"' n; hexdump -v -e '/1 "%u,"' n; echo; hexdump --canonical --length 3 --skip 1 n; printf '%0100d' 0 | hexdump -C; printf '%0100d' 0 | hexdump -Cv | wc -l; hexdump nosuch; hexdump --one-byte-octal -n2 n; hexdump --one-byte-char -n2 n; hexdump --two-bytes-decimal -n2 n; hexdump --two-bytes-octal -n2 n; hexdump --two-bytes-hex -n2 n; hexdump --no-squeezing -n2 n; echo '"%07_ax " 2/1 "%02x" "\n"' > fmtf; hexdump -f fmtf n
  0000000 2062 0a32 2061 0a31 2063 0a33          
  000000c
  00000000  62 20 32 0a 61 20 31 0a  63 20 33 0a              |b 2.a 1.c 3.|
  0000000c
  0000000 142 040 062 012 141 040 061 012 143 040 063 012                
  000000c
  0000000   b       2  \n   a       1  \n   c       3  \n                
  000000c
  0000000   08290   02610   08289   02609   08291   02611                
  000000c
  0000000  020142  005062  020141  005061  020143  005063                
  000000c
  0000000    2062    0a32    2061    0a31    2063    0a33                
  000000c
  00000002  32 0a 61 20                                       |2.a |
  00000006
  62 20 32 0a
  61 20 31 0a
  63 20 33 0a
  98,32,50,10,97,32,49,10,99,32,51,10,
  00000001  20 32 0a                                          | 2.|
  00000004
  00000000  30 30 30 30 30 30 30 30  30 30 30 30 30 30 30 30  |0000000000000000|
  *
  00000060  30 30 30 30                                       |0000|
  00000064
  8
  hexdump: nosuch: No such file or directory
  hexdump: all input file arguments failed
  0000000 142 040                                                        
  0000002
  0000000   b                                                            
  0000002
  0000000   08290                                                        
  0000002
  0000000  020142                                                        
  0000002
  0000000    2062                                                        
  0000002
  0000000 2062                                   
  0000002
  0000000 6220
  0000002 320a
  0000004 6120
  0000006 310a
  0000008 6320
  000000a 330a

$ xxd n; xxd -p n; xxd -l 4 n; xxd -s 3 n; xxd -c 4 n; xxd -g 1 n; xxd -u n; xxd -b n; xxd -i n; xxd -p n | xxd -r -p; xxd n | xxd -r; xxd -e n; xxd -a n; xxd -s -4 n; xxd -i < n; xxd -C -i n; xxd -n name -i n; xxd -o 16 n; xxd -ps -c 3 n; xxd -d n; xxd nosuch
  00000000: 6220 320a 6120 310a 6320 330a            b 2.a 1.c 3.
  6220320a6120310a6320330a
  00000000: 6220 320a                                b 2.
  00000003: 0a61 2031 0a63 2033 0a                   .a 1.c 3.
  00000000: 6220 320a  b 2.
  00000004: 6120 310a  a 1.
  00000008: 6320 330a  c 3.
  00000000: 62 20 32 0a 61 20 31 0a 63 20 33 0a              b 2.a 1.c 3.
  00000000: 6220 320A 6120 310A 6320 330A            b 2.a 1.c 3.
  00000000: 01100010 00100000 00110010 00001010 01100001 00100000  b 2.a 
  00000006: 00110001 00001010 01100011 00100000 00110011 00001010  1.c 3.
  unsigned char n[] = {
    0x62, 0x20, 0x32, 0x0a, 0x61, 0x20, 0x31, 0x0a, 0x63, 0x20, 0x33, 0x0a
  };
  unsigned int n_len = 12;
  b 2
  a 1
  c 3
  b 2
  a 1
  c 3
  00000000: 0a322062 0a312061 0a332063           b 2.a 1.c 3.
  00000000: 6220 320a 6120 310a 6320 330a            b 2.a 1.c 3.
  00000008: 6320 330a                                c 3.
    0x62, 0x20, 0x32, 0x0a, 0x61, 0x20, 0x31, 0x0a, 0x63, 0x20, 0x33, 0x0a
  unsigned char N[] = {
    0x62, 0x20, 0x32, 0x0a, 0x61, 0x20, 0x31, 0x0a, 0x63, 0x20, 0x33, 0x0a
  };
  unsigned int N_LEN = 12;
  unsigned char name[] = {
    0x62, 0x20, 0x32, 0x0a, 0x61, 0x20, 0x31, 0x0a, 0x63, 0x20, 0x33, 0x0a
  };
  unsigned int name_len = 12;
  00000010: 6220 320a 6120 310a 6320 330a            b 2.a 1.c 3.
  622032
  0a6120
  310a63
  20330a
  00000000: 6220 320a 6120 310a 6320 330a            b 2.a 1.c 3.
  xxd: nosuch: No such file or directory
[2]

$ seq 1 20000 | awk '{print ($1 * 7919) % 20011, $1 % 97}' > big; for o in -n -rn '-k2,2n' '-k2,2n -s' '-k2,2nr -k1,1' -u '-u -k2,2' '-z' -V '-s -k2,2'; do sort -S 16k $o big | cksum; sort $o big > x; cksum < x; done; sort -S 20k -T . -o big -n big; head -n 2 big; ls; seq 5000 | sort -S 1b -R | sort -n | cksum; sort -S 16k big - < x | cksum; printf 'b\na' | sort -S 16k; TMPDIR=/nosuch sort -S 16k big > /dev/null; echo $?; sort -T /nosuch -S 16k big x > /dev/null; echo $?
  3057723549 166833
  3057723549 166833
  2550572357 166833
  2550572357 166833
  517181630 166833
  517181630 166833
  671124010 166833
  671124010 166833
  3952549905 166833
  3952549905 166833
  1149314694 166833
  1149314694 166833
  1604613466 810
  1604613466 810
  132500710 166834
  132500710 166834
  3057723549 166833
  3057723549 166833
  3127275815 166833
  3127275815 166833
  1 61
  2 25
  big
  d
  f
  g
  h
  m
  n
  t
  v
  x
  1163661111 23893
  751303748 333666
  a
  b
  sort: cannot create temporary file in '/nosuch': No such file or directory
  2
  sort: cannot create temporary file in '/nosuch': No such file or directory
  2

$ exec 2>&1; printf 'b 1\na 3\nc 2\n' > f; sort +1 f; sort +1 -2 f; sort +0 -1 f; sort -r +1n f; sort +1.0 -1.1 f; sort f +1
  b 1
  c 2
  a 3
  b 1
  c 2
  a 3
  a 3
  b 1
  c 2
  b 1
  c 2
  a 3
  a 3
  b 1
  c 2
  b 1
  c 2
  a 3

$ exec 2>&1; printf 'b 1 x\na 3 z\nc 2 y\n' > f; sort +2 -3 +0 f; sort +0.0 -0 f; sort -t ' ' +1 -2n f; sort -- +1; sort +x; sort -1 f; printf 'b\na\n' | sort -o +1; cat ./+1
  b 1 x
  c 2 y
  a 3 z
  a 3 z
  b 1 x
  c 2 y
  b 1 x
  c 2 y
  a 3 z
  sort: cannot read: +1: No such file or directory
  sort: cannot read: +x: No such file or directory
  sort: invalid option -- '1'
  Try 'sort --help' for more information.
  a
  b
