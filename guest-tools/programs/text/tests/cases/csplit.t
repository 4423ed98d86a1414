# GNU csplit 9.1.
% seq 12 > n; printf 'intro\n# one\na\n# two\nb\nc\n# three\nd\n' > doc; printf 'a\377b\n\nsep\nlast' > bytes
% show() { for f in "$@"; do echo "$f:$(tr '\n' ,  < $f)"; done; }

$ csplit n 4 8; show xx*
  6
  8
  13
  xx00:1,2,3,
  xx01:4,5,6,7,
  xx02:8,9,10,11,12,

$ csplit n 1; show xx*; csplit n 12; show xx*
  0
  27
  xx00:
  xx01:1,2,3,4,5,6,7,8,9,10,11,12,
  24
  3
  xx00:1,2,3,4,5,6,7,8,9,10,11,
  xx01:12,

$ csplit n 13 2>&1; ls
  csplit: ‘13’: line number out of range
  27
  bytes
  doc
  n

$ csplit n 4 4 2>&1; show xx*
  csplit: warning: line number ‘4’ is the same as preceding line number
  6
  0
  21
  xx00:1,2,3,
  xx01:
  xx02:4,5,6,7,8,9,10,11,12,

$ csplit n 4 3 2>&1; csplit n 0 2>&1; csplit n x 2>&1; csplit n -- -1 2>&1; csplit n '' 2>&1
  csplit: line number ‘3’ is smaller than preceding line number, 4
  csplit: 0: line number must be greater than zero
  csplit: ‘x’: invalid pattern
  csplit: ‘-1’: invalid pattern
  csplit: ‘’: invalid pattern
[1]

$ csplit n 3 '{2}'; show xx*
  4
  6
  6
  11
  xx00:1,2,
  xx01:3,4,5,
  xx02:6,7,8,
  xx03:9,10,11,12,

$ csplit n 3 '{4}' 2>&1; ls
  csplit: ‘3’: line number out of range on repetition 4
  4
  6
  6
  8
  3
  bytes
  doc
  n

$ csplit -k n 3 '{4}' 2>&1; show xx*
  csplit: ‘3’: line number out of range on repetition 4
  4
  6
  6
  8
  3
  xx00:1,2,
  xx01:3,4,5,
  xx02:6,7,8,
  xx03:9,10,11,
  xx04:12,

$ csplit n 5 '{*}' 2>&1; ls
  csplit: ‘5’: line number out of range on repetition 2
  8
  10
  9
  bytes
  doc
  n

$ csplit doc '/^#/' '{*}'; show xx*
  6
  8
  10
  10
  xx00:intro,
  xx01:# one,a,
  xx02:# two,b,c,
  xx03:# three,d,

$ csplit -z doc '/^intro/' '/^#/' '{*}'; show xx*; csplit --elide-empty-files -s n 1 3; show xx0*
  6
  8
  10
  10
  xx00:intro,
  xx01:# one,a,
  xx02:# two,b,c,
  xx03:# three,d,
  xx00:1,2,
  xx01:3,4,5,6,7,8,9,10,11,12,
  xx02:# two,b,c,
  xx03:# three,d,

$ csplit doc '/^#/' '{1}'; show xx*; csplit doc '/^#/' '{3}' 2>&1; ls
  6
  8
  20
  xx00:intro,
  xx01:# one,a,
  xx02:# two,b,c,# three,d,
  csplit: ‘/^#/’: match not found on repetition 3
  6
  8
  10
  10
  bytes
  doc
  n

$ csplit doc '/two/+1' '/d/-1'; show xx*
  20
  4
  10
  xx00:intro,# one,a,# two,
  xx01:b,c,
  xx02:# three,d,

$ csplit doc '%^# two%' '/three/'; show xx*
  10
  10
  xx00:# two,b,c,
  xx01:# three,d,

$ csplit doc '%^#%' '{*}'; ls
  bytes
  doc
  n

$ csplit doc '/nothing/' 2>&1; ls; csplit -k doc '/nothing/' 2>&1; show xx*; csplit doc '%nothing%' 2>&1
  csplit: ‘/nothing/’: match not found
  34
  bytes
  doc
  n
  csplit: ‘/nothing/’: match not found
  34
  xx00:intro,# one,a,# two,b,c,# three,d,
  csplit: ‘%nothing%’: match not found
[1]

$ csplit doc '/intro/-1' 2>&1; csplit doc '/three/+9' 2>&1; ls
  csplit: ‘/intro/-1’: line number out of range
  0
  csplit: ‘/three/+9’: line number out of range
  34
  bytes
  doc
  n

$ csplit doc '/one/' '/two/' '{1}' 2>&1; ls
  csplit: ‘/two/’: match not found on repetition 1
  6
  8
  20
  bytes
  doc
  n

$ csplit --suppress-matched doc '/^#/' '{*}'; show xx*
  6
  2
  4
  2
  xx00:intro,
  xx01:a,
  xx02:b,c,
  xx03:d,

$ csplit --suppress-matched n 4 8; show xx*; csplit --suppress-matched n 4 '{2}' 2>&1; csplit --suppress-matched n '/5/+1' '/9/-1'; show xx*
  6
  6
  11
  xx00:1,2,3,
  xx01:5,6,7,
  xx02:9,10,11,12,
  6
  6
  8
  0
  10
  2
  11
  xx00:1,2,3,4,5,
  xx01:7,
  xx02:9,10,11,12,
  xx03:

$ csplit -s n 6; csplit -q n 6; csplit --quiet n 6; csplit --silent n 6; show xx*
  xx00:1,2,3,4,5,
  xx01:6,7,8,9,10,11,12,

$ csplit -f piece -n 3 n 6; csplit --prefix=p- --digits=1 n 6; show p*
  10
  17
  10
  17
  p-0:1,2,3,4,5,
  p-1:6,7,8,9,10,11,12,
  piece000:1,2,3,4,5,
  piece001:6,7,8,9,10,11,12,

$ csplit -b '%d.txt' n 6; csplit --suffix-format='-%03x-%%' n 6; csplit -b %#o -s n 2 '{3}'; csplit -b '%-4d|' -s n 6; csplit -b '%5.2u' -s n 6; ls
  10
  17
  10
  17
  bytes
  doc
  n
  xx   00
  xx   01
  xx-000-%
  xx-001-%
  xx0
  xx0   |
  xx0.txt
  xx01
  xx02
  xx03
  xx04
  xx1   |
  xx1.txt

$ csplit -b x n 6 2>&1; csplit -b %d%d n 6 2>&1; csplit -b %s n 6 2>&1; csplit -b % n 6 2>&1; csplit -b %#d n 6 2>&1; csplit -n x n 6 2>&1
  csplit: missing % conversion specification in suffix
  csplit: too many % conversion specifications in suffix
  csplit: invalid conversion specifier in suffix: s
  csplit: missing conversion specifier in suffix
  csplit: invalid flags in conversion specification: %#d
  csplit: invalid number: ‘x’
[1]

$ csplit bytes 2; od -An -c xx00; csplit -s bytes '/sep/' '{*}'; od -An -c xx01
  4
  9
     a 377   b  \n
     s   e   p  \n   l   a   s   t

$ csplit - 3 < n; cat n | csplit -s - '/7/'; show xx*
  4
  23
  xx00:1,2,3,4,5,6,
  xx01:7,8,9,10,11,12,

$ mkfifo pipe; cat n > pipe & csplit pipe 3; wait; show xx*
  4
  23
  xx00:1,2,
  xx01:3,4,5,6,7,8,9,10,11,12,

$ csplit -s <(cat n) '/7/' '{*}'; show xx*; cat n | csplit /dev/stdin 5; show xx*
  xx00:1,2,3,4,5,6,
  xx01:7,8,9,10,11,12,
  8
  19
  xx00:1,2,3,4,
  xx01:5,6,7,8,9,10,11,12,

$ csplit n '/1\{2\}/' '/\(1\)2/'; show xx*; csplit -s n '/^[5-7]\+$/' '{2}'; show xx*; csplit n '/x+/' 2>&1; csplit n '/a\(/' 2>&1; csplit n '/\(/' 2>&1
  21
  3
  3
  xx00:1,2,3,4,5,6,7,8,9,10,
  xx01:11,
  xx02:12,
  xx00:1,2,3,4,
  xx01:5,
  xx02:6,
  xx03:7,8,9,10,11,12,
  csplit: ‘/x+/’: match not found
  27
  csplit: ‘/a\\(/’: invalid regular expression: Unmatched ( or \(
  csplit: ‘/\\(/’: invalid regular expression: Unmatched ( or \(
[1]

$ csplit n '/1' 2>&1; csplit n '%1' 2>&1; csplit n '/' 2>&1; csplit n /1/x 2>&1; csplit n '/1/+' 2>&1; csplit n 3 '{x}' 2>&1; csplit n 3 '{2' 2>&1; csplit n 3 '{}' 2>&1
  csplit: /1: closing delimiter '/' missing
  csplit: %1: closing delimiter '%' missing
  csplit: /: closing delimiter '/' missing
  csplit: ‘/1/x’: integer expected after delimiter
  csplit: ‘/1/+’: integer expected after delimiter
  csplit: ‘{x’}: integer required between '{' and '}'
  csplit: ‘{2’: '}' is required in repeat count
  csplit: ‘{’}: integer required between '{' and '}'
[1]

$ csplit 2>&1; csplit n 2>&1; csplit nosuch 1 2>&1; csplit . 1 2>&1; csplit 'a b' 1 2>&1; csplit --nosuch n 1 2>&1; csplit -y n 1 2>&1
  csplit: missing operand
  Try 'csplit --help' for more information.
  csplit: missing operand after ‘n’
  Try 'csplit --help' for more information.
  csplit: cannot open 'nosuch' for reading: No such file or directory
  csplit: read error: Is a directory
  0
  csplit: cannot open 'a b' for reading: No such file or directory
  csplit: unrecognized option '--nosuch'
  Try 'csplit --help' for more information.
  csplit: invalid option -- 'y'
  Try 'csplit --help' for more information.
[1]

$ csplit -f none/x n 3 2>&1; : > empty; csplit empty 1 2>&1; csplit empty /x/ 2>&1; csplit -z empty '/x/' '{*}' 2>&1; ls
  csplit: none/x00: No such file or directory
  csplit: input disappeared
  csplit: ‘/x/’: match not found
  0
  bytes
  doc
  empty
  n

$ csplit -n 2 doc '/a/' '/b/' '/nothing/' '{*}'; show xx*; csplit -k n 3 '/nothing/' 2>&1; show xx*
  12
  8
  14
  xx00:intro,# one,
  xx01:a,# two,
  xx02:b,c,# three,d,
  csplit: ‘/nothing/’: match not found
  4
  23
  xx00:1,2,
  xx01:3,4,5,6,7,8,9,10,11,12,
  xx02:b,c,# three,d,
