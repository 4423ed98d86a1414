% exec 2>&1

$ dc -e '3 4 + p'; dc -e '10 3 / p 2 k 10 3 / p'; dc -e '5 k 2 v p'; dc -e '2 100 ^ p'; dc -e '7 3 ~ f'; dc -e '17 5 % p'; dc -e '3 7 11 | p'
  7
  3
  3.33
  1.41421
  1267650600228229401496703205376
  1
  2
  2
  9

$ dc -e '_5 2 + p'; dc -e '1.5 2.25 * p'; dc -e '.5 p'; dc -e '_.5p'; dc -e '2 k 1 3 / p'; dc -e '0 p'; dc -e '1.50 p'
  -3
  3.37
  .5
  -.5
  .33
  0
  1.50

$ echo '2 3 * p' | dc; printf '1 2 3 f c z p' | dc; dc -e '1 2 r f'; dc -e '1 d f'; dc -e '5 n [ x] n 10 P'
  6
  3
  2
  1
  0
  1
  2
  1
  1
  5 x

$ dc -e '[hello] p'; dc -e '[hello] n [ ] P 10 P'; dc -e '65 P 10 P'; dc -e '4276803 P'; dc -e '65 a n 10 P'; dc -e '[abc] a p'; dc -e '[abc] Z p 12345 Z p 1.25 X p'
  hello
  hello 
  A
  ABCA
  a
  3
  5
  2

$ dc -e '5 sa la la * p'; dc -e '1 Sa 2 Sa La p La p'; dc -e '3 1 :a 4 2 :a 1 ;a 2 ;a + p'; dc -e 'lz p'
  25
  2
  1
  7
  0

$ dc -e '16 o 255 p'; dc -e '2 o 10 p'; dc -e '16 i FF p'; dc -e '2 i 1010 p'; dc -e '16 i A o 1F p'; dc -e 'I p O p K p'; dc -e '20 o 399 p'; dc -e '16 o 10.5 p'
  FF
  1010
  255
  10
  31
  10
  10
  0
   19 19
  A.8

$ dc -e '[la 1 - d sa p 0 <x] sx 5 sa lxx'; dc -e '[[yes] p] sy 1 2 >y 1 2 <y 2 2 =y 2 2 !=y 1 2 !>y'; dc -e '10 sn 1 sf [lf ln * sf ln 1 - d sn 1 <F] sF lFx lf p'
  4
  3
  2
  1
  0
  yes
  yes
  3628800

$ dc -e '[ [a] p 1 q [b] p ] x [c] p'; dc -e '[ [ [a] p 2 Q [b] p ] x [c] p ] x [d] p'; dc -e '[1p]x'; dc -e '1 p q 2 p'
  a
  a
  d
  1
  1

$ dc -e '+'; dc -e '1 0 / p'; dc -e '[a] 1 + p'; dc -e '_4 v'; dc -e 'p'; dc -e '1 0 %'
  dc: stack empty
  dc: divide by zero
  0
  dc: non-numeric value
  1
  dc: square root of negative number
  dc: stack empty
  dc: remainder by zero

$ dc -e '2 200 ^ 3 * 2 200 ^ * p' -e '1 p'; echo '1 2 + p # comment
> 3 p' | dc; printf '5 6 * p' > f; dc f; dc -f f -e '1 p'; dc nosuch 2>&1 | sed 's/.*://'
  774674963426072576896775751600903562298911737848767053849197806962194\
  2866050523583888936059840413494307709515918242480128
  1
  3
  3
  30
  30
  1
   Could not open file nosuch

$ dc -e '8 k 355 113 / p 1 3 / 3 * p 2 0.5 ^ p'; dc -e '3 _2 ^ p 4 k 3 _2 ^ p'; dc -e '100 k 2 v p'
  3.14159292
  .99999999
  Runtime warning: non-zero scale in exponent
  1
  0
  .1111
  1.4142135623730950488016887242096980785696718753769480731766797379907\
  324784621070388503875343276415727

$ printf '3\n4\n' | dc -e '? ? + p'; dc -e '1 2 3 4 R f' | head -3; dc -e '0 1 0 - p'
  7
  1
  3
  2
  1
