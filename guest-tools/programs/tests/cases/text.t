% printf 'apple\nbanana\nbanjo\ncherry\n' > words; printf 'a\r\nb\r\nc\n' > dos; printf 'a\tbc\tdef\nxyz\n\tq\n' > tabs

$ colrm 3 < words
  ap
  ba
  ba
  ch

$ colrm 2 4 < words
  ae
  bna
  bo
  cry

$ colrm < words
  apple
  banana
  banjo
  cherry

$ colrm 4 6 < tabs | cat -A
  a    bc^Idef$
  xyz$
       q$

$ colrm 2 < tabs | cat -A
  a$
  x$
   $

$ colrm 1 1 < tabs | cat -A
  ^Ibc^Idef$
  yz$
         q$

$ printf 'héllo\n' | colrm 3 4
  héo

$ look ban words
  banana
  banjo

$ look zoo words; echo $?
  1

$ look -f BAN words
  banana
  banjo

$ look ban words nonsense 2>/dev/null; echo $?
  1

$ look -t n banjo words
  banana
  banjo

$ dos2unix < dos | od -c
  0000000   a  \n   b  \n   c  \n
  0000006

$ dos2unix dos 2>&1; od -c dos
  dos2unix: converting file dos to Unix format...
  0000000   a  \n   b  \n   c  \n
  0000006

$ dos2unix -q dos; od -c dos
  0000000   a  \n   b  \n   c  \n
  0000006

$ unix2dos -q words; od -c words | head -2
  0000000   a   p   p   l   e  \r  \n   b   a   n   a   n   a  \r  \n   b
  0000020   a   n   j   o  \r  \n   c   h   e   r   r   y  \r  \n

$ unix2dos -q dos; od -c dos
  0000000   a  \r  \n   b  \r  \n   c  \r  \n
  0000011

$ dos2unix -n dos out 2>&1; od -c out; od -c dos
  dos2unix: converting file dos to file out in Unix format...
  0000000   a  \n   b  \n   c  \n
  0000006
  0000000   a  \r  \n   b  \r  \n   c  \n
  0000010

$ dos2unix -q -l dos; od -c dos
  0000000   a  \n  \n   b  \n  \n   c  \n
  0000010

$ dos2unix -q nonexistent; echo $?
  0

$ dos2unix nonexistent 2>&1; echo $?
  dos2unix: nonexistent: No such file or directory
  dos2unix: Skipping nonexistent, not a regular file.
  2

$ dos2unix -i dos words
         2       1       0  no_bom    text    dos
         0       4       0  no_bom    text    words

$ dos2unix -ic dos words
  dos

$ dos2unix -id dos words
         2  dos
         0  words

$ mkdir d; dos2unix d 2>&1; echo $?
  dos2unix: Skipping d, not a regular file.
  0

$ printf 'a\r\n\0' > b; dos2unix b 2>&1; echo $?; od -c b
  dos2unix: Binary symbol 0x00 found at line 2
  dos2unix: Skipping binary file b
  0
  0000000   a  \r  \n  \0
  0000004

$ printf 'a\r\n\0' > b; dos2unix -q -f b; od -c b
  0000000   a  \n  \0
  0000003

$ printf '\357\273\277a\r\n' > b; dos2unix -q b; od -c b
  0000000   a  \n
  0000002

$ printf '\357\273\277a\n' > b; unix2dos -q b; od -c b
  0000000 357 273 277   a  \r  \n
  0000006

$ printf '\377\376a\0\r\0\n\0' > b; dos2unix -q b; od -c b
  0000000   a  \n
  0000002

$ printf 'a\rb\r' | mac2unix | od -c
  0000000   a  \n   b  \n
  0000004

$ printf 'a\nb\n' | unix2mac | od -c
  0000000   a  \r   b  \r
  0000004

$ export A=1 B='x y'; printf '$A ${B} $C ${D} $$ \\$A ${A:-x} $1 $A_B $A.b\n' | envsubst
  1 x y   $$ \1 ${A:-x} $1  1.b

$ export A=1 B=2; echo '$A $B ${A}${B}' | envsubst '$A'
  1 $B 1${B}

$ envsubst -v '$A ${B} $A'
  A
  B
  A

$ echo '$A' | envsubst a b 2>/dev/null; echo $?
  1

$ printf 'no newline $HOME_X' | envsubst
  no newline 
\

$ less words
  apple
  banana
  banjo
  cherry

$ less -R +3 -N words dos | od -c | head -3
  0000000   a   p   p   l   e  \n   b   a   n   a   n   a  \n   b   a   n
  0000020   j   o  \n   c   h   e   r   r   y  \n   a  \r  \n   b  \r  \n
  0000040   c  \n

$ cat words | less
  apple
  banana
  banjo
  cherry

$ more words tabs
  ::::::::::::::
  words
  ::::::::::::::
  apple
  banana
  banjo
  cherry
  ::::::::::::::
  tabs
  ::::::::::::::
  a	bc	def
  xyz
  	q

$ cat words | more
  apple
  banana
  banjo
  cherry

$ more nonexistent 2>&1; echo $?
  more: cannot open nonexistent: No such file or directory
  0

$ printf 'b\na\n' | sponge words; cat words
  b
  a

$ printf 'b\na\n' | sponge -a words; cat words
  apple
  banana
  banjo
  cherry
  b
  a

$ printf 'b\na\n' | sponge
  b
  a

$ sort -r words | sponge words; cat words
  cherry
  banjo
  banana
  apple

$ printf 'a\nb\n' | ts | grep -c '^[A-Z][a-z][a-z] [0-9][0-9] ..:..:.. [ab]$'
  2

$ printf 'a\nb\n' | ts -s
  00:00:00 a
  00:00:00 b

$ printf 'a\nb\n' | ts -i '%M:%S'
  00:00 a
  00:00 b

$ printf 'a\nb\n' | ts '%Y' | cut -c1-2
  20
  20

$ printf 'a\n' | ts '%.S' | grep -c '^[0-9][0-9]\.[0-9]\{6\} a$'
  1

$ getconf PATH
  /bin:/usr/bin

$ getconf ARG_MAX LONG_BIT 2>/dev/null; getconf LONG_BIT; getconf PAGE_SIZE; getconf NAME_MAX .; getconf PATH_MAX /; getconf HOST_NAME_MAX; getconf INT_MAX
  64
  4096
  255
  4096
  64
  2147483647

$ getconf NONSENSE; echo $?
  2
