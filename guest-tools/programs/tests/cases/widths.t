# Widths of numbers and of tabs, and pieces without the lines between them.

$ printf 'a\tb\tc\td\n' > t; for l in +3 /3 2,+3 2,/3 '2 -t +3' '1,/5'; do expand -t $l t; done; expand --tabs +3 t; expand --tabs=+3 t; expand -t /3 t; printf '            b       c\n' > s; for l in +2 /2 3,/4 3,+4; do unexpand -t $l s | od -An -c; unexpand --tabs $l s | od -An -c; done; expand -t 2>/dev/null; echo $?; expand -t +3,4 t 2>/dev/null; echo $?
  a  b  c  d
  a  b  c  d
  a b  c  d
  a b   c  d
  a b  c  d
  a    b    c    d
  a  b  c  d
  a  b  c  d
  a  b  c  d
    \t  \t  \t  \t  \t  \t   b  \t  \t  \t  \t   c  \n
    \t  \t  \t  \t  \t  \t   b  \t  \t  \t  \t   c  \n
    \t  \t  \t  \t  \t  \t   b  \t  \t  \t  \t   c  \n
    \t  \t  \t  \t  \t  \t   b  \t  \t  \t  \t   c  \n
    \t  \t  \t  \t   b  \t  \t   c  \n
    \t  \t  \t  \t   b  \t  \t   c  \n
    \t  \t  \t       b  \t  \t       c  \n
    \t  \t  \t       b  \t  \t       c  \n
  1
  1

$ for a in '8.5 10' '8.5 100' '8 0.5 10' '-1.5 0.5 1' '9.75 0.25 10.5' '1 10.5' '0.1 0.3 1' '8 3 10' '008 10' '1 -1 -0.5' '1.50 0.5 3' '99.5 100.5' '10 -0.5 8.5' '.5 3' '-5 5' '1e1 12' '1 33.25 100.5'; do seq -w $a | paste -sd' '; done; seq -s, -w 8.5 10; seq -w -s : 9 11; seq --equal-width 9.5 10; seq -f %05.1f 8.5 10; seq -w 10
  08.5 09.5
  008.5 009.5 010.5 011.5 012.5 013.5 014.5 015.5 016.5 017.5 018.5 019.5 020.5 021.5 022.5 023.5 024.5 025.5 026.5 027.5 028.5 029.5 030.5 031.5 032.5 033.5 034.5 035.5 036.5 037.5 038.5 039.5 040.5 041.5 042.5 043.5 044.5 045.5 046.5 047.5 048.5 049.5 050.5 051.5 052.5 053.5 054.5 055.5 056.5 057.5 058.5 059.5 060.5 061.5 062.5 063.5 064.5 065.5 066.5 067.5 068.5 069.5 070.5 071.5 072.5 073.5 074.5 075.5 076.5 077.5 078.5 079.5 080.5 081.5 082.5 083.5 084.5 085.5 086.5 087.5 088.5 089.5 090.5 091.5 092.5 093.5 094.5 095.5 096.5 097.5 098.5 099.5
  08.0 08.5 09.0 09.5 10.0
  -1.5 -1.0 -0.5 00.0 00.5 01.0
  09.75 10.00 10.25 10.50
  01 02 03 04 05 06 07 08 09 10
  0.1 0.4 0.7 1.0
  08
  008 009 010
  01 00
  1.50 2.00 2.50 3.00
  099.5 100.5
  10.0 09.5 09.0 08.5
  0.5 1.5 2.5
  -5 -4 -3 -2 -1 00 01 02 03 04 05
  10 11 12
  001.00 034.25 067.50
  08.5,09.5
  09:10:11
  09.5
  008.5
  009.5
  01
  02
  03
  04
  05
  06
  07
  08
  09
  10

$ seq 10 > n; csplit -s --suppress-matched n 4 7; head xx*; csplit --suppress-matched -z n '%5%' /8/; head xx*; csplit -s --suppress-matched n '/3/+1'; head xx*; csplit -q --suppress-matched n '/[36]/' '{*}'; head xx*; rm xx*; csplit -s --suppress-matched -f p -b %03d n '/5/-1'; head p0*; csplit -q -k n /3/ '{1}' 2> /dev/null; echo $?; head xx*
  ==> xx00 <==
  1
  2
  3
  
  ==> xx01 <==
  5
  6
  
  ==> xx02 <==
  8
  9
  10
  4
  5
  ==> xx00 <==
  6
  7
  
  ==> xx01 <==
  9
  10
  
  ==> xx02 <==
  8
  9
  10
  ==> xx00 <==
  1
  2
  3
  
  ==> xx01 <==
  5
  6
  7
  8
  9
  10
  
  ==> xx02 <==
  8
  9
  10
  ==> xx00 <==
  1
  2
  
  ==> xx01 <==
  4
  5
  
  ==> xx02 <==
  7
  8
  9
  10
  ==> p000 <==
  1
  2
  3
  
  ==> p001 <==
  5
  6
  7
  8
  9
  10
  1
  ==> xx00 <==
  1
  2
  
  ==> xx01 <==
  3
  4
  5
  6
  7
  8
  9
  10
