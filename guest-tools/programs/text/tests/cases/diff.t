% printf '%s\n' one two three four five six seven eight nine ten > a
% sed 's/three/THREE/; /seven/d' a > b

$ diff a b
  3c3
  < three
  ---
  > THREE
  7d6
  < seven
[1]

$ diff -u a b | tail -n +3
  @@ -1,10 +1,9 @@
   one
   two
  -three
  +THREE
   four
   five
   six
  -seven
   eight
   nine
   ten

$ diff -y -W 40 a b
  one			one
  two			two
  three		   |	THREE
  four			four
  five			five
  six			six
  seven		   <
  eight			eight
  nine			nine
  ten			ten
[1]

$ sdiff -w 40 a b; echo $?
  one			one
  two			two
  three		   |	THREE
  four			four
  five			five
  six			six
  seven		   <
  eight			eight
  nine			nine
  ten			ten
  1

$ sdiff -s -w 40 a b
  three		   |	THREE
  seven		   <
[1]

$ sdiff -l -w 40 a b | head -3
  one		   (
  two		   (
  three		   |	THREE

$ sdiff a 2>/dev/null; echo $?
  2

& diff -y -W 40 a a | head -2; diff -y a a > /dev/null; echo $?
  one			one
  two			two
  0

$ echo a > aa; echo b > bb; ln -s aa la; ln -s bb lb; ln -s aa la2; mkfifo ff; : > e; mkdir d; t() { diff "$@"; echo $?; }; t --no-dereference la lb; t --no-dereference la la2; t -q --no-dereference la aa; t --no-dereference -L A -L B e la; t --no-dereference ff la; t --no-dereference -s la la2; t -q -L A -L B aa bb; t -N --no-dereference la nope
  Symbolic links la and lb differ
  1
  0
  File la is a symbolic link while file aa is a regular file
  1
  File A is a regular empty file while file B is a symbolic link
  1
  File ff is a fifo while file la is a symbolic link
  1
  Files la and la2 are identical
  0
  Files A and B differ
  1
  2

$ mkdir t1 t2; ln -s x t1/l; ln -s y t2/l; echo q > t1/z; ln -s z t2/z; echo 1 > t1/r; echo 2 > t2/r; mkdir t1/d; echo > t2/d; mkfifo t1/p t2/p; diff -r --no-dereference t1 t2; echo $?; rm t?/[lzp]; diff -r -L A -L B -U 1 t1 t2; echo $?; diff -s - - < t1/r; echo $?; diff -s t1/r t1/r; diff -y - - < t1/r | tr -s '\t '
  File t1/d is a directory while file t2/d is a regular file
  Symbolic links t1/l and t2/l differ
  File t1/p is a fifo while file t2/p is a fifo
  diff -r --no-dereference t1/r t2/r
  1c1
  < 1
  ---
  > 2
  File t1/z is a regular file while file t2/z is a symbolic link
  1
  File A is a directory while file B is a regular file
  diff -r -L A -L B -U 1 A B
  --- A
  +++ B
  @@ -1 +1 @@
  -1
  +2
  1
  Files - and - are identical
  0
  Files t1/r and t1/r are identical
  1	1

$ echo x > f; cmp -s f nope; echo $?; cmp f nope; echo $?; cmp -s nope f; echo $?
  2
  2
  2
