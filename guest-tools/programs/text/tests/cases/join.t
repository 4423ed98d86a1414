# join: fields, orders, and what is said of lines that are not sorted.
% printf 'a 1\nb 2\nb 3\nd 4\n' > a; printf 'a x\nb y\nb z\nc w\n' > b; printf 'b 1\na 2\nc 3\n' > u

$ join a b
  a 1 x
  b 2 y
  b 2 z
  b 3 y
  b 3 z

$ join -a1 -a2 -e - -o 0,1.2,2.2 a b
  a 1 x
  b 2 y
  b 2 z
  b 3 y
  b 3 z
  c - w
  d 4 -

$ join -v1 -v2 a b
  c w
  d 4

$ join -o auto -a1 -a2 -e . a b
  a 1 x
  b 2 y
  b 2 z
  b 3 y
  b 3 z
  c . w
  d 4 .

$ join --header a b
  a 1 x
  b 2 y
  b 2 z
  b 3 y
  b 3 z

$ printf 'A 1\nb 2\n' > c; join -i c a; join -a1 c a
  A 1 1
  b 2 2
  b 2 3
  A 1
  b 2 2
  b 2 3

$ join u a 2>&1
  join: u:2: is not sorted: a 2
  b 1 2
  b 1 3
  join: input is not in sorted order
[1]

$ join a u 2>&1
  join: u:2: is not sorted: a 2
  b 2 1
  b 3 1
  join: input is not in sorted order
[1]

$ join --check-order u a 2>&1
  join: u:2: is not sorted: a 2
[1]

$ join --nocheck-order u a
  b 1 2
  b 1 3

$ printf 'x:1:\nx::2\n' > c; printf 'x:y\n' > d; join -t: c d; join -t: -12 -22 c d; join -t '' c c
  x:1::y
  x::2:y
  x:1:
  x::2

$ printf ' a  b \n\n  \na\n' > c; join -a1 -e E -o 0,1.1,1.2,1.3 c /dev/null; join -t ' ' -a1 c /dev/null
  a a b E
  E E E E
  E E E E
  a a E E
   a  b 
  
    
  a

$ printf 'a 1\0b 2\0' > z; printf 'a\nx\0b y' > y; join -z z y | tr '\0' '|'
  a 1 x|b 2 y|
\

$ join - b < a; join a - < b
  a 1 x
  b 2 y
  b 2 z
  b 3 y
  b 3 z
  a 1 x
  b 2 y
  b 2 z
  b 3 y
  b 3 z

$ join -o 1.1 a nosuch 2>&1; join a 2>&1; join a b a 2>&1; join 2>&1
  join: nosuch: No such file or directory
  join: missing operand after ‘a’
  Try 'join --help' for more information.
  join: extra operand 'a'
  Try 'join --help' for more information.
  join: missing operand
  Try 'join --help' for more information.
[1]

$ join -1 0 a b 2>&1; join -1 x a b 2>&1; join -a 3 a b 2>&1; join -o 3.1 a b 2>&1; join -o 1 a b 2>&1; join -t ab a b 2>&1
  join: invalid field number: ‘0’
  join: invalid field number: ‘x’
  join: invalid field number: ‘3’
  join: invalid file number in field spec: ‘3.1’
  join: invalid field specifier: ‘1’
  join: multi-character tab ‘ab’
[1]

$ join -1 1 -1 2 a b 2>&1; join -t : -t , a b 2>&1; join -e x -e y a b 2>&1; join -j 1 -1 1 a b
  join: incompatible join fields 1, 2
  join: incompatible tabs
  join: conflicting empty-field replacement strings
  a 1 x
  b 2 y
  b 2 z
  b 3 y
  b 3 z

$ printf 'k é\n' > c; join -t ' ' c c; seq 300 | sort > s; seq 100 400 | sort > t; join s t | cksum; join -v1 s t | cksum
  k é é
  4079624746 804
  3277166317 288
