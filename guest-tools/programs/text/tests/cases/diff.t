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
