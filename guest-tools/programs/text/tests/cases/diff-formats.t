% exec 2>&1; printf 'a\nb\nc\nd\ne\n' > p; printf 'a\nB\nc\nnew\nd\n' > q; printf 'a\nb\nC\nd\ne\nf\n' > r

$ diff -D NAME p q; echo $?; diff -D NAME p p; echo $?; diff --ifdef=X q p | sed -n 1,4p; mkdir d; diff -D X d d; echo $?
  a
  #ifndef NAME
  b
  #else /* NAME */
  B
  #endif /* NAME */
  c
  #ifdef NAME
  new
  #endif /* NAME */
  d
  #ifndef NAME
  e
  #endif /* ! NAME */
  1
  a
  b
  c
  d
  e
  0
  a
  #ifndef X
  B
  #else /* X */
  diff: -D option not supported with directories
  2

$ diff --line-format='%L' p q; diff --old-line-format='-%l%c'"'\\012'" --new-line-format='+%dn %3xn %-3on|%L' --unchanged-line-format='' p q; diff --unchanged-line-format= --old-line-format='%.3dn:%L' --new-line-format='%5dn%%%L' p q
  a
  b
  B
  c
  new
  d
  e
  -b
  +2   2 2  |B
  +4   4 4  |new
  -e
  002:b
      2%B
      4%new
  005:e
[1]

$ diff --changed-group-format='%(n=1?one:%dn)|%(f=2?F:%<)%df,%dl %dF,%dL %dN %de-%dE %dm-%dM
> %>' --unchanged-group-format='' p q; diff --old-group-format='<%<>' --new-group-format='[%>]' --unchanged-group-format='%c'"'='"'%=' p q; diff --unchanged-group-format='' --changed-group-format='%>' p q; diff --changed-group-format='%%%z%q' p q | sed -n 1,3p
  one|F2,2 2,2 1 1-1 3-3
  B
  0|4,3 4,4 1 3-3 4-5
  new
  one|e
  5,5 6,5 0 4-5 6-6
  =a
  <b
  >[B
  ]=c
  [new
  ]=d
  <e
  >B
  new
  a
  %%z%qc
  %%z%qd

$ printf 'a\nb' > s; diff --line-format='%l|%L|' s p; diff -D X s p; diff -i -D X p q; diff -s --unchanged-group-format='u%=' p p
  a|a
  |b|b|b|b
  |c|c
  |d|d
  |e|e
  |a
  #ifndef X
  b
  #else /* X */
  b
  c
  d
  e
  #endif /* X */
  a
  b
  c
  #ifdef X
  new
  #endif /* X */
  d
  #ifndef X
  e
  #endif /* ! X */
  ua
  b
  c
  d
  e
  Files p and p are identical

$ diff3 p q r; echo $?; diff3 p p r; diff3 p r p; diff3 r p p; diff3 p q q; diff3 -T q p r; diff3 p p p; echo $?
  ====
  1:2,3c
    b
    c
  2:2,4c
    B
    c
    new
  3:2,3c
    b
    C
  ====
  1:5c
    e
  2:5a
  3:5,6c
    e
    f
  0
  ====3
  1:3c
  2:3c
    c
  3:3c
    C
  ====3
  1:5a
  2:5a
  3:6c
    f
  ====2
  1:3c
  3:3c
    c
  2:3c
    C
  ====2
  1:5a
  3:5a
  2:6c
    f
  ====1
  1:3c
    C
  2:3c
  3:3c
    c
  ====1
  1:6c
    f
  2:5a
  3:5a
  ====1
  1:2c
    b
  2:2c
  3:2c
    B
  ====1
  1:3a
  2:4c
  3:4c
    new
  ====1
  1:5c
    e
  2:5a
  3:5a
  ====
  1:2,4c
  	B
  	c
  	new
  2:2,3c
  	b
  	c
  3:2,3c
  	b
  	C
  ====
  1:5a
  2:5c
  	e
  3:5,6c
  	e
  	f
  0

$ diff3 -m q p r; echo $?; diff3 -m p q r; echo $?; diff3 -m p r q; echo $?; diff3 -m q p q; echo $?; diff3 -m -E q p q; echo $?; diff3 -m -e p q r; echo $?; diff3 -m -3 p q r; echo $?; diff3 -m -x p q r; echo $?; diff3 -m -X p q r; diff3 -m -A -L one -L two -L three p q r
  a
  <<<<<<< q
  B
  c
  new
  ||||||| p
  b
  c
  =======
  b
  C
  >>>>>>> r
  d
  <<<<<<< q
  ||||||| p
  e
  =======
  e
  f
  >>>>>>> r
  1
  a
  <<<<<<< p
  b
  c
  ||||||| q
  B
  c
  new
  =======
  b
  C
  >>>>>>> r
  d
  <<<<<<< p
  e
  ||||||| q
  =======
  e
  f
  >>>>>>> r
  1
  a
  <<<<<<< p
  b
  c
  ||||||| r
  b
  C
  =======
  B
  c
  new
  >>>>>>> q
  d
  <<<<<<< p
  e
  ||||||| r
  e
  f
  =======
  >>>>>>> q
  1
  a
  <<<<<<< p
  b
  =======
  B
  >>>>>>> q
  c
  <<<<<<< p
  =======
  new
  >>>>>>> q
  d
  <<<<<<< p
  e
  =======
  >>>>>>> q
  1
  a
  B
  c
  new
  d
  0
  a
  b
  C
  d
  e
  f
  0
  a
  b
  c
  d
  e
  0
  a
  b
  C
  d
  e
  f
  0
  a
  b
  C
  d
  e
  f
  a
  <<<<<<< one
  b
  c
  ||||||| two
  B
  c
  new
  =======
  b
  C
  >>>>>>> three
  d
  <<<<<<< one
  e
  ||||||| two
  =======
  e
  f
  >>>>>>> three
[1]

$ diff3 p q; echo $?; diff3 p q r p; echo $?; diff3 p q nope; echo $?; printf 'a' > t; diff3 p q t; diff3 -m p q t; printf 'a\r\nb\r\n' > u; diff3 --strip-trailing-cr u p q
  diff3: missing operand after 'q'
  diff3: Try 'diff3 --help' for more information.
  2
  diff3: extra operand 'p'
  diff3: Try 'diff3 --help' for more information.
  2
  diff3: nope: No such file or directory
  2
  ====
  1:1,5c
    a
    b
    c
    d
    e
  2:1,5c
    a
    B
    c
    new
    d
  3:1c
    a
  \ No newline at end of file
  <<<<<<< p
  a
  b
  c
  d
  e
  ||||||| q
  a
  B
  c
  new
  d
  =======
  a>>>>>>> t
  ====
  1:2c
    b
  2:2,5c
    b
    c
    d
    e
  3:2,5c
    B
    c
    new
    d

$ merge -p q p r; echo $?; merge -p p q r; echo $?; merge -q -p p q r; echo $?; merge -A -p p q r; merge q p r; cat q; merge -L x -L y -L z r p q; echo $?; cat r
  a
  <<<<<<< q
  B
  c
  new
  =======
  b
  C
  >>>>>>> r
  d
  <<<<<<< q
  =======
  e
  f
  >>>>>>> r
  merge: warning: conflicts during merge
  1
  a
  <<<<<<< p
  b
  c
  =======
  b
  C
  >>>>>>> r
  d
  <<<<<<< p
  e
  =======
  e
  f
  >>>>>>> r
  merge: warning: conflicts during merge
  1
  a
  <<<<<<< p
  b
  c
  =======
  b
  C
  >>>>>>> r
  d
  <<<<<<< p
  e
  =======
  e
  f
  >>>>>>> r
  1
  a
  <<<<<<< p
  b
  c
  ||||||| q
  B
  c
  new
  =======
  b
  C
  >>>>>>> r
  d
  <<<<<<< p
  e
  ||||||| q
  =======
  e
  f
  >>>>>>> r
  merge: warning: conflicts during merge
  merge: warning: conflicts during merge
  a
  <<<<<<< q
  B
  c
  new
  =======
  b
  C
  >>>>>>> r
  d
  <<<<<<< q
  =======
  e
  f
  >>>>>>> r
  merge: warning: conflicts during merge
  1
  a
  <<<<<<< q
  B
  c
  new
  =======
  b
  <<<<<<< x
  C
  =======
  C
  >>>>>>> r
  >>>>>>> z
  d
  <<<<<<< q
  =======
  e
  <<<<<<< x
  f
  =======
  f
  >>>>>>> r
  >>>>>>> z

$ merge -E -p q p r; echo $?; diff3 -a q p r | sed -n 1,4p; diff3 -m -i p q r; echo $?
  a
  <<<<<<< q
  B
  c
  new
  =======
  b
  C
  >>>>>>> r
  d
  <<<<<<< q
  =======
  e
  f
  >>>>>>> r
  merge: warning: conflicts during merge
  1
  ====
  1:2,4c
    B
    c
  diff3: incompatible options
  diff3: Try 'diff3 --help' for more information.
  2

$ exec 2>&1; printf 'a\nb\nc\n' > m; printf 'a\no\nc\n' > o; printf 'a\ny\nc\n' > y; merge -e m o y; echo $?; cat m; merge -e -p m o m; echo $?; for o in -e -E -A -x -X -3; do diff3 -m $o -L 1 -L 2 m o y; echo "$o $?"; done; diff3 -e -L 1 m o y; diff3 -L 1 m o y | sed -n 1,2p; diff3 -m -L 1 m o y
  /usr/bin/diff3: incompatible options
  /usr/bin/diff3: Try '/usr/bin/diff3 --help' for more information.
  1
  a
  b
  c
  /usr/bin/diff3: incompatible options
  /usr/bin/diff3: Try '/usr/bin/diff3 --help' for more information.
  1
  diff3: incompatible options
  diff3: Try 'diff3 --help' for more information.
  -e 2
  a
  <<<<<<< 1
  b
  =======
  y
  >>>>>>> y
  c
  -E 1
  a
  <<<<<<< 1
  b
  ||||||| 2
  o
  =======
  y
  >>>>>>> y
  c
  -A 1
  diff3: incompatible options
  diff3: Try 'diff3 --help' for more information.
  -x 2
  diff3: incompatible options
  diff3: Try 'diff3 --help' for more information.
  -X 2
  diff3: incompatible options
  diff3: Try 'diff3 --help' for more information.
  -3 2
  diff3: incompatible options
  diff3: Try 'diff3 --help' for more information.
  diff3: incompatible options
  diff3: Try 'diff3 --help' for more information.
  a
  <<<<<<< 1
  b
  ||||||| o
  o
  =======
  y
  >>>>>>> y
  c
[1]

$ printf 'x\ny\n' > a; printf 'a\n.\nb\n' > b; diff -e a b; diff -e b a; printf '.\n' > c; diff -e a c; printf 'x\n.\n.\nz\n' > e; diff -e a e; printf 'x\n..\n.\n' > g; diff -e a g
  1,2c
  a
  ..
  .
  s/.//
  a
  b
  .
  1,3c
  x
  y
  .
  1,2c
  ..
  .
  s/.//
  2c
  ..
  .
  s/.//
  a
  ..
  .
  s/.//
  a
  z
  .
  2c
  ..
  ..
  .
  s/.//
[1]

$ printf '1\n2\n3\n4\n5\n' > a; printf '1\nX\nZ\n3\nY\n6\n' > b; diff -f a b; diff --forward-ed b a; diff -f a a; echo . > c; diff -f a c
  c2
  X
  Z
  .
  c4 5
  Y
  6
  .
  c2 3
  2
  .
  c5 6
  4
  5
  .
  c1 5
  .
  .
[1]

$ exec 2>&1; printf '1\n2\n3\n4\n5\n' > a; printf '1\nX\nZ\n3\nY\n6\n' > b; diff -u -c a b; diff -u -e a b; diff -y -u a b; diff --normal -u a b;  diff -u -p a b | tail -1; diff -c -C 1 a b | tail -1; diff -e -f a b; diff -n -e a b; diff -e -q a b; diff -q -u a b; diff -D X -u a b; diff -u1 -c a b; diff -1 -u a b | wc -l; diff -y -y a b | wc -l; diff -c -2 a b | wc -l
  diff: conflicting output style options
  diff: Try 'diff --help' for more information.
  diff: conflicting output style options
  diff: Try 'diff --help' for more information.
  diff: conflicting output style options
  diff: Try 'diff --help' for more information.
  diff: conflicting output style options
  diff: Try 'diff --help' for more information.
  +6
  ! 6
  diff: conflicting output style options
  diff: Try 'diff --help' for more information.
  diff: conflicting output style options
  diff: Try 'diff --help' for more information.
  Files a and b differ
  Files a and b differ
  diff: conflicting output style options
  diff: Try 'diff --help' for more information.
  diff: conflicting output style options
  diff: Try 'diff --help' for more information.
  12
  6
  16
