% printf 'a\nb\n' > a; printf '1\n2\n3' > b; : > e; mkdir d

$ exec 2>&1; paste a b; paste a e b; paste b a e; paste < b
  a	1
  b	2
  	3
  a		1
  b		2
  		3
  1	a	
  2	b	
  3		
  1
  2
  3

$ exec 2>&1; paste -d 'x\' a b; paste -d '\' a b; paste -d '' a b; paste -d '\0x' a b b; paste -d '\q\n\\' a b a b
  paste: delimiter list ends with an unescaped backslash: x\
  paste: delimiter list ends with an unescaped backslash: \
  a1
  b2
  3
  a1x1
  b2x2
  3x3
  aq1
  a\1
  bq2
  b\2
  q3
  \3

$ exec 2>&1; paste -s a b; paste -s e a; paste --serial -d 'ab\\' b a; paste -sd ', ' b; paste -s -d '\0' b a
  a	b
  1	2	3
  
  a	b
  1a2b3
  aab
  1,2 3
  123
  ab

$ exec 2>&1; paste a nosuch b; paste -s a nosuch b; paste d a; paste -s d a
  paste: nosuch: No such file or directory
  a	b
  paste: nosuch: No such file or directory
  1	2	3
  paste: d: Is a directory
  	a
  	b
  
  paste: d: Is a directory
  a	b
[1]

$ exec 2>&1; paste -z a b | tr '\0' '!'; printf 'a\0b\0' | paste --zero-terminated -s -d, | tr '\0' '!'
  a
  b
  	1
  2
  3!a,b!
\

$ exec 2>&1; paste a - b < b; seq 5 | paste - -; seq 7 | paste -d, - - -; seq 4 | paste -s - a -; paste --delimiters=: a b
  a	1	1
  b	2	2
  	3	3
  1	2
  3	4
  5	
  1,2,3
  4,5,6
  7,,
  1	2	3	4
  a	b
  
  a:1
  b:2
  :3

$ exec 2>&1; paste -q a; paste -d; paste --seriously a; paste -- a
  paste: invalid option -- 'q'
  Try 'paste --help' for more information.
  paste: option requires an argument -- 'd'
  Try 'paste --help' for more information.
  paste: unrecognized option '--seriously'
  Try 'paste --help' for more information.
  a
  b
