# GNU ed 1.19.
% seq 10 > n; printf 'one\ntwo words\n\nthe end of two\n' > t

$ for c in '2,n' ';n' '%n' '1,2,3n' '2-n' '3;+1n' '-,+n' '$-1n' '2 1n' '/5/+1n' '^n' '//n'; do echo "[$c]"; printf '3\n%s\n.n\nh\nQ\n' "$c" | ed -s n; done
  [2,n]
  3
  2	2
  2	2
  [;n]
  3
  3	3
  4	4
  5	5
  6	6
  7	7
  8	8
  9	9
  10	10
  10	10
  [%n]
  3
  1	1
  2	2
  3	3
  4	4
  5	5
  6	6
  7	7
  8	8
  9	9
  10	10
  10	10
  [1,2,3n]
  3
  2	2
  3	3
  3	3
  [2-n]
  3
  1	1
  1	1
  [3;+1n]
  3
  3	3
  4	4
  4	4
  [-,+n]
  3
  2	2
  3	3
  4	4
  4	4
  [$-1n]
  3
  9	9
  9	9
  [2 1n]
  3
  3	3
  3	3
  [/5/+1n]
  3
  6	6
  6	6
  [^n]
  3
  ?
  3	3
  Unknown command
  [//n]
  3
  ?
  3	3
  No previous pattern
[1]

$ for c in '?5?n' '1,2;3n' ',,n' '0n' '0,2n' '/5/,/7/n' '5,+2n' '3 - 1n' '3 -1 n' '3 4' '/5' '/5/;//n'; do echo "[$c]"; printf '3\n%s\n.n\nh\nQ\n' "$c" | ed -s n; done
  [?5?n]
  3
  5	5
  5	5
  [1,2;3n]
  3
  2	2
  3	3
  3	3
  [,,n]
  3
  10	10
  10	10
  [0n]
  3
  ?
  3	3
  Invalid address
  [0,2n]
  3
  ?
  3	3
  Invalid address
  [/5/,/7/n]
  3
  5	5
  6	6
  7	7
  7	7
  [5,+2n]
  3
  5	5
  5	5
  [3 - 1n]
  3
  3	3
  3	3
  [3 -1 n]
  3
  2	2
  2	2
  [3 4]
  3
  7
  7	7
  [/5]
  3
  5
  5	5
  [/5/;//n]
  3
  5	5
  5	5

$ for c in '12n' ''\''an' '2p3' '2pp' '2pnl' '2pq' '2x' '3=' '=' '5' '' '3z'; do echo "[$c]"; printf '3\n%s\n.n\nh\nQ\n' "$c" | ed -s n; done
  [12n]
  3
  ?
  3	3
  Invalid address
  ['an]
  3
  ?
  3	3
  Invalid address
  [2p3]
  3
  ?
  3	3
  Invalid command suffix
  [2pp]
  3
  2
  2	2
  [2pnl]
  3
  2	2$
  2	2
  [2pq]
  3
  ?
  3	3
  Invalid command suffix
  [2x]
  3
  ?
  3	3
  Nothing to put
  [3=]
  3
  3
  3	3
  [=]
  3
  10
  3	3
  [5]
  3
  5
  5	5
  []
  3
  4
  4	4
  [3z]
  3
  3
  4
  5
  6
  7
  8
  9
  10
  10	10

$ for c in '3z2' '3r' '3f' 'q x' '2q' 'a x' '2k' '2kab' '2kA' '1,2t5' '1t$p' '5,3p'; do echo "[$c]"; printf '3\n%s\n.n\nh\nQ\n' "$c" | ed -s n; done
  [3z2]
  3
  3
  4
  4	4
  [3r]
  3
  13	10
  [3f]
  3
  ?
  3	3
  Unexpected address
  [q x]
  3
  ?
  3	3
  Invalid command suffix
  [2q]
  3
  ?
  3	3
  Unexpected address
  [a x]
  3
  ?
  3	3
  Invalid command suffix
  [2k]
  3
  ?
  3	3
  Invalid command suffix
  [2kab]
  3
  ?
  3	3
  Invalid command suffix
  [2kA]
  3
  ?
  3	3
  Invalid mark character
  [1,2t5]
  3
  7	2
  [1t$p]
  3
  1
  11	1
  [5,3p]
  3
  ?
  3	3
  Invalid address
[1]

$ for c in '3,1m5' '1,3m3n' '1,3m0n' '1,3m1' '1,3m7n' '7,8m2n' 'j' '3j' '10j' '2,4jn' 'h' 'H'; do echo "[$c]"; printf '3\n%s\n.n\nh\nQ\n' "$c" | ed -s n; done
  [3,1m5]
  3
  ?
  3	3
  Invalid address
  [1,3m3n]
  3
  3	3
  3	3
  [1,3m0n]
  3
  3	3
  3	3
  [1,3m1]
  3
  ?
  3	3
  Invalid destination
  [1,3m7n]
  3
  7	3
  7	3
  [7,8m2n]
  3
  4	8
  4	8
  [j]
  3
  3	34
  [3j]
  3
  3	3
  [10j]
  3
  3	3
  [2,4jn]
  3
  2	234
  2	234
  [h]
  3
  3	3
  [H]
  3
  3	3

$ for c in 'y' '2,3y' 'x' 'l' '2lp' 'u' '#foo' '2#foo' 'v/x/d' '1g/1/n' 'g/[159]/n' 'g/1/'; do echo "[$c]"; printf '3\n%s\n.n\nh\nQ\n' "$c" | ed -s n; done
  [y]
  3
  3	3
  [2,3y]
  3
  3	3
  [x]
  3
  ?
  3	3
  Nothing to put
  [l]
  3
  3$
  3	3
  [2lp]
  3
  2$
  2	2
  [u]
  3
  ?
  3	3
  Nothing to undo
  [#foo]
  3
  3	3
  [2#foo]
  3
  3	3
  [v/x/d]
  3
  ?
  Invalid address
  [1g/1/n]
  3
  1	1
  1	1
  [g/[159]/n]
  3
  1	1
  5	5
  9	9
  10	10
  10	10
  [g/1/]
  3
  1
  10
  10	10

$ for c in 'g/x/p' 'V' '!true' '2!true' '!!' 'D' 'g//p' '1,3s/./x/gn' 's/5/x' '5s/5/&&/p' '5s/5/a\/b/p' '5s,5,x,p'; do echo "[$c]"; printf '3\n%s\n.n\nh\nQ\n' "$c" | ed -s n; done
  [g/x/p]
  3
  3	3
  [V]
  3
  ?
  3	3
  Invalid pattern delimiter
  [!true]
  3
  3	3
  [2!true]
  3
  ?
  3	3
  Unexpected address
  [!!]
  3
  ?
  3	3
  No previous command
  [D]
  3
  ?
  3	3
  Unknown command
  [g//p]
  3
  ?
  3	3
  No previous pattern
  [1,3s/./x/gn]
  3
  3	x
  3	x
  [s/5/x]
  3
  ?
  3	3
  No match
  [5s/5/&&/p]
  3
  55
  5	55
  [5s/5/a\/b/p]
  3
  a/b
  5	a/b
  [5s,5,x,p]
  3
  x
  5	x

$ for c in '5s5x5' '5s 5 x ' '5s/\(.\)/<\1>/n' '5s/5/x/3' '10s/[01]/x/2n' '10s/[01]/x/2gn' '5s/5/x/I' '/\(/' '5&' '5d5' '3,5dn' '10dp'; do echo "[$c]"; printf '3\n%s\n.n\nh\nQ\n' "$c" | ed -s n; done
  [5s5x5]
  3
  ?
  3	3
  Invalid command suffix
  [5s 5 x ]
  3
  ?
  3	3
  Invalid pattern delimiter
  [5s/\(.\)/<\1>/n]
  3
  5	<5>
  5	<5>
  [5s/5/x/3]
  3
  ?
  3	3
  No match
  [10s/[01]/x/2n]
  3
  10	1x
  10	1x
  [10s/[01]/x/2gn]
  3
  ?
  3	3
  Invalid command suffix
  [5s/5/x/I]
  3
  5	x
  [/\(/]
  3
  ?
  3	3
  Unmatched ( or \(
  [5&]
  3
  ?
  3	3
  Unknown command
  [5d5]
  3
  ?
  3	3
  Invalid command suffix
  [3,5dn]
  3
  3	6
  3	6
  [10dp]
  3
  9
  9	9

$ for c in 'r nosuch' 'r !echo a' '0r !echo a' 'w !cat' '2w !cat' 'w out' '2,3w out' '2,3W t' 'wq out' '-0n' '3+0n' '/[/]/n'; do echo "[$c]"; printf '3\n%s\n.n\nh\nQ\n' "$c" | ed -s n; done
  [r nosuch]
  3
  ?
  3	3
  Cannot open input file
  [r !echo a]
  3
  11	a
  [0r !echo a]
  3
  1	a
  [w !cat]
  3
  1
  2
  3
  4
  5
  6
  7
  8
  9
  10
  3	3
  [2w !cat]
  3
  2
  3	3
  [w out]
  3
  3	3
  [2,3w out]
  3
  3	3
  [2,3W t]
  3
  3	3
  [wq out]
  3
  [-0n]
  3
  3	3
  3	3
  [3+0n]
  3
  3	3
  3	3
  [/[/]/n]
  3
  ?
  3	3
  No match
[1]

$ for c in ''; do echo "[$c]"; printf '3\n%s\n.n\nh\nQ\n' "$c" | ed -s n; done
  []
  3
  4
  4	4

$ printf '3c\n.\n.n\nh\nQ\n' | ed -s n
  3	4

$ printf '9,10c\n.\n.n\nh\nQ\n' | ed -s n
  8	8

$ printf '0i\nx\n.\n.n\nh\nQ\n' | ed -s n
  1	x

$ printf '3i\nx\ny\n.\n.n\nh\nQ\n' | ed -s n
  4	y

$ printf '3i\n.\n.n\nh\nQ\n' | ed -s n
  3	3

$ printf '3a\n.\n.n\nh\nQ\n' | ed -s n
  3	3

$ printf '3,4d\n.n\nu\n.n\n,n\nh\nQ\n' | ed -s n
  3	5
  10	10
  1	1
  2	2
  3	3
  4	4
  5	5
  6	6
  7	7
  8	8
  9	9
  10	10

$ printf '10d\n.n\nh\nQ\n' | ed -s n
  9	9

$ printf 's/1/\\\nx/\n.n\nh\nQ\n' | ed -s n
  11	x0

$ printf '5,6s/./&\\\nx/\n,n\nh\nQ\n' | ed -s n
  1	1
  2	2
  3	3
  4	4
  5	5
  6	x
  7	6
  8	x
  9	7
  10	8
  11	9
  12	10

$ printf '2,3y\n5x\n.n\nh\nQ\n' | ed -s n
  7	3

$ printf '2,3d\n5x\n,n\nh\nQ\n' | ed -s n
  1	1
  2	4
  3	5
  4	6
  5	7
  6	2
  7	3
  8	8
  9	9
  10	10

$ printf '2ka\n2s/2/x/\n'\''an\nh\nQ\n' | ed -s n
  ?
  Invalid address
[1]

$ printf 'g/[12]/s/1/x/\\\na\\\nnew\\\n.\n,n\nu\n.n\nh\nQ\n' | ed -s n
  1	x
  2	new
  3	2
  4	new
  5	3
  6	4
  7	5
  8	6
  9	7
  10	8
  11	9
  12	x0
  13	new
  10	10

$ printf 'g/1/a\\\nhi\n,n\nh\nQ\n' | ed -s n
  1	1
  2	hi
  3	2
  4	3
  5	4
  6	5
  7	6
  8	7
  9	8
  10	9
  11	10
  12	hi

$ printf '5s/5/a b/\ns/a/c/\n6s\n1,7s//z/\n.n\nh\nQ\n' | ed -s n
  ?
  ?
  5	c b
  No match
[1]

$ printf '3s/3/x/\n4s/./%%/\n.n\nh\nQ\n' | ed -s n
  4	x

$ printf '9s/9/&&&/\ns/9/y/2\n.n\nsp\nsg\n.n\nh\nQ\n' | ed -s n
  9	9y9
  9yy
  yyy
  9	yyy

$ printf 'G/1/\ns/1/x/\n&\n,n\nh\nQ\n' | ed -s n
  1
  10
  1	x
  2	2
  3	3
  4	4
  5	5
  6	6
  7	7
  8	8
  9	9
  10	x0

$ printf 'e !seq 3\n,n\n!echo %%\nf\nh\nQ\n' | ed -s n
  1	1
  2	2
  3	3
  echo n
  n
  n

$ printf '!exit 3\nh\nQ\n' | ed -s n

$ printf '!echo hi\n!!\nf zz\n!echo %%\nr\nh\nQ\n' | ed -s n
  hi
  echo hi
  hi
  zz
  echo zz
  zz
  ?
  Cannot open input file
[1]

$ printf 'E\nE nosuch\n.n\n,n\nf\nh\nQ\n' | ed -s n
  ?
  ?
  ?
  nosuch
  Invalid address
[1]

$ printf '1d\ne\nh\ne\n,p\nh\nQ\n' | ed -s n
  ?
  Warning: buffer modified
  ?
  2
  3
  4
  5
  6
  7
  8
  9
  10
  Warning: buffer modified
[1]

$ printf '1d\ne\nh\ne\n,p\n' | ed n
  21
  ?
  Warning: buffer modified
  ?
  2
  3
  4
  5
  6
  7
  8
  9
  10
  ?
[2]

$ printf '3ka\n1,5j\n'\''an\nh\nQ\n' | ed -s n
  ?
  Invalid address
[1]

$ printf '1,3m5\n,n\nu\n.n\nh\nQ\n' | ed -s n
  1	4
  2	5
  3	1
  4	2
  5	3
  6	6
  7	7
  8	8
  9	9
  10	10
  10	10

$ printf '1,3t5\n.n\nh\nQ\n' | ed -s n
  8	3

$ printf 'u\nu\nh\nQ\n' | ed -s n
  ?
  ?
  Nothing to undo
[1]

$ printf '3d\nu\nu\n,n\nq\nq\nh\nQ\n' | ed -s n
  1	1
  2	2
  3	4
  4	5
  5	6
  6	7
  7	8
  8	9
  9	10
  ?
[1]

$ printf 'g/x/\nh\nv/x/p\nh\nQ\n' | ed -s n
  1
  2
  3
  4
  5
  6
  7
  8
  9
  10

$ printf '1,$d\n,p\nh\n=\n0a\nx\n.\n.=\nh\nQ\n' | ed -s n
  ?
  Invalid address
  0
  1
  Invalid address
[1]

$ printf 'g/./m0\n,p\nh\nQ\n' | ed -s n
  10
  9
  8
  7
  6
  5
  4
  3
  2
  1

$ printf 'g/[24680]/d\n,p\nh\nQ\n' | ed -s n
  1
  3
  5
  7
  9

$ printf 'v/[24680]/d\n,p\nu\n,p\nh\nQ\n' | ed -s n
  2
  4
  6
  8
  10
  1
  2
  3
  4
  5
  6
  7
  8
  9
  10

$ printf 'g/5/-1,+1n\nh\nQ\n' | ed -s n
  4	4
  5	5
  6	6

$ printf '3ka\n5kb\n'\''a,'\''bn\nh\nQ\n' | ed -s n
  3	3
  4	4
  5	5

$ printf '/3/,/6/s/^/> /\n,p\nh\nQ\n' | ed -s n
  1
  2
  > 3
  > 4
  > 5
  > 6
  7
  8
  9
  10

$ printf '1,3d\nw\nq\nh\nQ\n' | ed -s n

$ printf 'P\n1p\nP\nh\nQ\n' | ed -s n
  *1
  *
\

$ printf 'H\nfoo\n99p\ng/\nh\nQ\n' | ed -s n
  ?
  Unexpected command suffix
  ?
  Invalid address
  ?
  No previous pattern
  No previous pattern
[1]

$ printf '2i\nabc\n.\n2s/b/\n.p\nh\nQ\n' | ed -s n
  ac
  ac

$ printf '$a\ntail\n.\nw\nq\nh\nQ\n' | ed -s n

$ printf '1m$\n,p\nh\nQ\n' | ed -s n
  2
  3
  4
  5
  6
  7
  8
  9
  10
  1

$ printf '2,4t0\n,p\nh\nQ\n' | ed -s n
  2
  3
  4
  1
  2
  3
  4
  5
  6
  7
  8
  9
  10

$ printf 'g/1/s/$/!/p\nh\nQ\n' | ed -s n
  1!
  10!

$ printf ',s/[0-9]$/(&)/\n,p\nh\nQ\n' | ed -s n
  (1)
  (2)
  (3)
  (4)
  (5)
  (6)
  (7)
  (8)
  (9)
  1(0)

$ printf 's/.*/\\//p\n\nh\nQ\n' | ed -s n
  /
  ?
  Invalid address
[1]

$ printf '1s/1/a\\&b/p\nh\nQ\n' | ed -s n
  a&b

$ printf '1,5g/[24]/t.\n,p\nh\nQ\n' | ed -s n
  1
  2
  2
  3
  4
  4
  5
  6
  7
  8
  9
  10

$ printf '5r n\n.=\nh\nQ\n' | ed -s n
  15

$ printf '1k a\n'\''ap\nh\nQ\n' | ed -s n
  ?
  ?
  Invalid address
[1]

$ ed --bad n; ed -x n
[1]

$ printf 'q\n' | ed; printf 'f\nh\nw\nh\nw !cat\nr\nh\na\nx\n.\nw new\nf\n' | ed
  ?
  No current filename
  ?
  No current filename
  0
  ?
  No current filename
  2
  new
[1]

$ printf '1d\nx\nq\n1p\n' > s; ed n < s
  21
  ?
[1]

$ printf '1d\nx\nq\n1p\n' > s; ed -l n < s
  21
  ?

$ printf 'x\n1p\nQ\n' | ed -ls n
  ?
  1

$ printf '1p\nQ\n' | ed -p '* ' n
  21
  * 1
  * 
\

$ printf 'x\n1p\nQ\n' | ed -v n
  21
  ?
  Nothing to put
  1
[1]

$ printf '1d\n' | ed n
  21
  ?
[2]

$ printf '1d\nq\nq\n' | ed n
  21
  ?
[1]

$ printf ',p\nQ\n' | ed -E -s t
  one
  two words
  
  the end of two

$ printf '/(two|end) w/p\ns/(t)(w)/\2\1/p\nQ\n' | ed -E -s t
  two words
  o words

$ printf 'x' > nonl; printf 'w\nq\n' | ed nonl; printf ',p\nq\n' | ed -s nonl
  Newline appended
  2
  2
  x

$ printf 'a\r\nb\r\n' > cr; printf ',l\nw\nq\n' | ed --strip-trailing-cr cr; printf ',l\nq\n' | ed -s cr
  4
  a$
  b$
  4
  a$
  b$

$ seq -s, 60 > long; printf 'a\tb\\ $ \001 \303\251\n' >> long; printf ',l\n1n\n2nl\nq\n' | ed -s long
  1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,\
  28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,\
  52,53,54,55,56,57,58,59,60$
  a\tb\\ \$ \001 \303\251$
  1	1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60
  2	a\tb\\ \$ \001 \303\251$

$ printf '1p\nq\n' | ed - n; printf '2p\n' | ed -s - n
  1
  2

$ printf '%s\n' 'g/two/s/two/TWO/g' ',p' w q | ed -s t; cat t
  one
  TWO words
  
  the end of TWO
  one
  TWO words
  
  the end of TWO

$ printf '%s\n' '/end' d '$a' 'more text' . ',s/o/0/g' wq | ed t
  30
  the end of two
  25

$ printf '%s\n' H '/\<two\>/p' '/nosuch' 's/x/y' 'g/a/g/b/p' ',g' 'kZ' '1,' '1,p' 'p p' Q | ed -s t
  two words
  ?
  No match
  ?
  No match
  ?
  Invalid pattern delimiter
  ?
  Invalid mark character
  one
  one
  ?
  Invalid command suffix
[1]

$ printf '%s\n' '1,2w! x' 'h' 'W' 'w x y' '!ls' Q | ed -s t
  ?
  Unexpected command suffix
  n
  t
  x y
[1]

$ ed - n <<< 'w !tr 0-9 a-j'
  b
  c
  d
  e
  f
  g
  h
  i
  j
  ba

$ printf 'w !exit 3\nh\nQ\n' | ed -q nosuch; printf 'Q\n' | ed --quiet nosuch; printf 'Q\n' | ed --silent nosuch
  ?
  Cannot close output file

$ printf 'x\n1p\nQ\n' | ed --verbose --script n; printf 'x\nQ\n' | ed --loose-exit-status n; printf '1p\nQ\n' | ed --prompt=: n; printf '/(o)/p\nQ\n' | ed --extended-regexp t; printf '!ls\nh\nQ\n' | ed --restricted n; printf '!ls\nh\nQ\n' | red n; printf '1p\nQ\n' | ed -G n; printf '1p\nQ\n' | ed --traditional n
  ?
  Nothing to put
  1
  21
  ?
  21
  :1
  :30
  one
  21
  ?
  Shell access restricted
  21
  ?
  Shell access restricted
  21
  1
  21
  1
