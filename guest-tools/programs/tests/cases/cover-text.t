# Options of what turns texts into others.
% exec 2> /dev/null
% printf 'one\r\ntwo\nthree\r\n' > mixed; printf 'a\nb' > unix; printf 'a\r\nb\r\n' > dos; printf 'a\rb\r' > mac; printf '\357\273\277bom\r\n' > bom; printf 'bin\0ary\r\n' > binary

$ dos2unix -b bom; od -c bom; unix2dos -b bom; od -c bom; printf '\357\273\277x\n' | dos2unix -b | od -c; printf '\357\273\277x\r\n' | dos2unix | od -c; printf '\357\273\277x\n' | unix2dos | od -c
  0000000 357 273 277   b   o   m  \n
  0000007
  0000000 357 273 277   b   o   m  \r  \n
  0000010
  0000000 357 273 277   x  \n
  0000005
  0000000   x  \n
  0000002
  0000000 357 273 277   x  \r  \n
  0000006

$ dos2unix --keep-bom bom; od -An -c bom; dos2unix -r bom; od -An -c bom; unix2dos -r bom; od -An -c bom; unix2dos --remove-bom < unix | od -An -c
   357 273 277   b   o   m  \n
     b   o   m  \n
     b   o   m  \r  \n
     a  \r  \n   b

$ dos2unix -m unix; od -An -c unix; unix2dos -m mac; od -An -c mac; dos2unix --add-bom dos; od -An -c dos; unix2dos -m bom; od -An -c bom
   357 273 277   a  \n   b
   357 273 277   a  \r   b  \r
   357 273 277   a  \n   b  \n
   357 273 277   b   o   m  \r  \n

$ touch -d 2001-02-03 dos mac; dos2unix -k dos; date -r dos +%F; unix2dos --keepdate dos; date -r dos +%F; mac2unix -k mac; date -r mac +%F; touch -d 2001-02-03 dos; dos2unix dos; [ "$(date -r dos +%F)" = 2001-02-03 ]
  2001-02-03
  2001-02-03
  2001-02-03
[1]

$ dos2unix -o dos mixed; od -An -c dos; od -An -c mixed; dos2unix -n bom new -o mixed; od -An -c new; unix2dos --oldfile unix; od -An -c unix; dos2unix -n mac
     a  \n   b  \n
     o   n   e  \n   t   w   o  \n   t   h   r   e   e  \n
     b   o   m  \n
     a  \r  \n   b
[1]

$ dos2unix -s binary; echo $?; od -An -c binary; dos2unix -f binary; od -An -c binary; dos2unix --safe binary; unix2dos -s binary; od -An -c binary; unix2dos -f binary; od -An -c binary
  0
     b   i   n  \0   a   r   y  \r  \n
     b   i   n  \0   a   r   y  \n
     b   i   n  \0   a   r   y  \n
     b   i   n  \0   a   r   y  \r  \n

$ dos2unix -v dos 2>&1; unix2dos -v dos 2>&1; dos2unix -v mixed 2>&1; mac2unix -v mac 2>&1; unix2mac -v mac 2>&1; dos2unix --verbose bom 2>&1; dos2unix -v binary 2>&1; dos2unix -v -n dos new 2>&1; dos2unix -v < mixed 2>&1; unix2dos -v -m dos 2>&1; dos2unix -v -r dos 2>&1
  dos2unix: Converted 2 out of 2 line breaks.
  dos2unix: converting file dos to Unix format...
  unix2dos: Converted 2 out of 2 line breaks.
  unix2dos: converting file dos to DOS format...
  dos2unix: Converted 2 out of 3 line breaks.
  dos2unix: converting file mixed to Unix format...
  mac2unix: Converted 2 out of 2 line breaks.
  mac2unix: converting file mac to Unix format...
  unix2mac: Converted 2 out of 2 line breaks.
  unix2mac: converting file mac to Mac format...
  dos2unix: Input file bom has UTF-8 BOM.
  dos2unix: Converted 1 out of 1 line breaks.
  dos2unix: converting file bom to Unix format...
  dos2unix: Binary symbol 0x00 found at line 1
  dos2unix: Skipping binary file binary
  dos2unix: Converted 2 out of 2 line breaks.
  dos2unix: converting file dos to file new in Unix format...
  dos2unix: Converted 0 out of 3 line breaks.
  one
  two
  three
  unix2dos: Writing UTF-8 BOM.
  unix2dos: Converted 0 out of 2 line breaks.
  unix2dos: converting file dos to DOS format...
  dos2unix: Input file dos has UTF-8 BOM.
  dos2unix: Converted 2 out of 2 line breaks.
  dos2unix: converting file dos to Unix format...

$ dos2unix dos 2>&1; dos2unix nosuch 2>&1; echo $?; mkdir d; dos2unix d 2>&1; echo $?; dos2unix binary 2>&1; echo $?; dos2unix -q nosuch 2>&1; echo $?; ln -s dos link; dos2unix link 2>&1; echo $?; dos2unix -z > /dev/null; echo $?; dos2unix -e > /dev/null; echo $?; dos2unix -n dos > /dev/null; echo $?; dos2unix -c nope dos 2>&1; echo $?
  dos2unix: converting file dos to Unix format...
  dos2unix: nosuch: No such file or directory
  dos2unix: Skipping nosuch, not a regular file.
  2
  dos2unix: Skipping d, not a regular file.
  0
  dos2unix: Binary symbol 0x00 found at line 1
  dos2unix: Skipping binary file binary
  0
  0
  dos2unix: Skipping symbolic link link.
  0
  1
  1
  1
  dos2unix: invalid nope conversion mode specified
  1

$ dos2unix -c mac mac 2>&1; od -An -c mac; dos2unix -c 7bit < dos; unix2dos -l unix; od -An -c unix; dos2unix -l dos; od -An -c dos; mac2unix -l mac; od -An -c mac; dos2unix -i dos mixed mac bom binary unix; dos2unix -id *; dos2unix -iu *; dos2unix -im *; dos2unix -ib *; dos2unix -it *; dos2unix -ic *; unix2dos -ic *; dos2unix -ih dos; dos2unix -ip ./dos; dos2unix -i0 dos | od -An -c; dos2unix --info=e unix dos
  dos2unix: converting file mac to Unix format...
     a  \n   b  \n
  a
  b
     a  \r  \n  \r  \n   b
     a  \n  \n   b  \n  \n
     a  \n   b  \n
         0       4       0  no_bom    text    dos
         2       1       0  no_bom    text    mixed
         0       2       0  no_bom    text    mac
         1       0       0  UTF-8     text    bom
         1       0       0  no_bom    binary  binary
         2       0       0  no_bom    text    unix
         1  binary
         1  bom
         0  dos
         0  mac
         2  mixed
         2  unix
         0  binary
         0  bom
         4  dos
         2  mac
         1  mixed
         0  unix
         0  binary
         0  bom
         0  dos
         0  mac
         0  mixed
         0  unix
    no_bom    binary
    UTF-8     bom
    no_bom    dos
    no_bom    mac
    no_bom    mixed
    no_bom    unix
    binary  binary
    text    bom
    text    dos
    text    mac
    text    mixed
    text    unix
  bom
  mixed
  unix
  dos
  mac
  mixed
       DOS    UNIX     MAC  BOM       TXTBIN  FILE
         0       4       0  no_bom    text    dos
         0       4       0  no_bom    text    dos
                                 0                               4
                                 0           n   o   _   b   o   m
                     t   e   x   t                   d   o   s  \0
[1]

$ unix2dos < mixed | od -An -c; dos2unix < mac | od -An -c; unix2mac < dos | od -An -c; mac2unix < dos | od -An -c; printf 'a\r\r\nb' | dos2unix | od -An -c; printf 'a\r\n\nb' | unix2dos | od -An -c; printf '\r' | dos2unix | od -An -c; printf 'a\r\nb\n' | unix2mac | od -An -c; printf 'a\rb\r\n' | mac2unix | od -An -c
     o   n   e  \r  \n   t   w   o  \r  \n   t   h   r   e   e  \r
    \n
     a  \r   b  \r
     a  \r  \n   b  \r  \n
     a  \r  \n   b  \r  \n
     a  \r  \n   b
     a  \r  \n  \r  \n   b
    \r
     a  \r  \n   b  \r
     a  \n   b  \r  \n

$ printf 'abc\0de\0fghij\0k\tlmnop\n\001qrstuvwx' > s; strings -1 s; echo; strings -2 s; echo; strings -3 s; echo; strings -4 s; echo; strings -5 s; echo; strings -6 s; echo; strings -7 s; echo; strings -8 s; echo; strings -9 s; echo; strings -12 s; strings -n 3 -t x s; strings --bytes=6 s
  abc
  de
  fghij
  k	lmnop
  qrstuvwx
  
  abc
  de
  fghij
  k	lmnop
  qrstuvwx
  
  abc
  fghij
  k	lmnop
  qrstuvwx
  
  fghij
  k	lmnop
  qrstuvwx
  
  fghij
  k	lmnop
  qrstuvwx
  
  k	lmnop
  qrstuvwx
  
  k	lmnop
  qrstuvwx
  
  qrstuvwx
  
  
        0 abc
        7 fghij
        d k	lmnop
       16 qrstuvwx
  k	lmnop
  qrstuvwx

$ printf 'x one\nx two\n' | column -t -N A,B -e | cat -A; column --table -N A,B --table-header-repeat < unix
  A  B$
  x  one$
  x  two$
  A  B
  a  
  b  

$ printf 'abcdef' | hexdump -L -C; printf 'ab' | hexdump --color=never -C; printf 'ab' | hexdump --color=always -e '1/1 "%02x_L[red] "'; echo; printf 'abc' | hexdump -L=always -e '"%08_ax_L[green]" 3/1 " %02x" "\n"'; printf 'ab\n' | hexdump -L -e '1/1 "%02x_L[red:0x61,blue:0x62]\n"'
  00000000  61 62 63 64 65 66                                 |abcdef|
  00000006
  00000000  61 62                                             |ab|
  00000002
  [31m61[0m [31m62[0m 
  [32m00000000[0m 61 62 63
  61
  62
  0a

$ echo x | ts -m %Y | wc -w; echo x | ts -m -i '%S' ; echo x | ts -m -s %H:%M:%S
  2
  00 x
  00:00:00 x

$ enable -n echo pwd; echo -e 'a\tb\x41\0101\c'; echo; echo -E 'a\tb'; echo -n x; echo -ne 'y\n'; echo -en '\e[1m' | od -An -c; echo -x; echo -; echo --; echo -e 'a\\b\q\060'; echo -nE 'a\n'; echo; mkdir d; ln -s d l; cd l; pwd -L | sed 's,.*/,,'; pwd -P | sed 's,.*/,,'; pwd --logical | sed 's,.*/,,'; pwd --physical | sed 's,.*/,,'; pwd | sed 's,.*/,,'; pwd -LP | sed 's,.*/,,'; pwd -PL | sed 's,.*/,,'; pwd x | sed 's,.*/,,'; pwd -x
  a	bAA
  a\tb
  xy
   033   [   1   m
  -x
  -
  --
  a\b\q0
  a\n
  l
  d
  l
  d
  d
  d
  l
  d
[1]

$ printf 'aGVsbG8K' | base64 -d; printf 'NB*SWY#3DP\nBI====\n' | base32 -d -i; printf 'NB*SWY' | base32 -d; echo $?; echo -n hello | base32 -w 3; echo 'NBSW!Y3DP' | base32 --decode --ignore-garbage; echo
  hello
  hello1
  NBS
  WY3
  DP
  hello

$ printf 'a\nb\n' > u; for a in sysv bsd crc md5 sha1 sha224 sha256 sha384 sha512 blake2b sm3; do cksum -a $a u; done; cksum --algorithm=blake2b -l 128 u; cksum -a md5 --untagged u; cksum -a md5 -z u | od -An -c | head -3; cksum -a md5 u > m; cksum -c m; cksum -a sha1 u nosuch; cksum --check --status m; echo $?; cksum --debug u; cksum -a nope u; echo $?; cksum < u
  215 1 u
  41033     1 u
  2174511615 4 u
  MD5 (u) = dd8c6a395b5dd36c56d23275028f526c
  SHA1 (u) = 05dec960e24d918b8a73a1c53bcbbaac2ee5c2e0
  SHA224 (u) = a731744d7568d59607f9937462dc63386f09b3e1089dd191fec9edcf
  SHA256 (u) = 911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2
  SHA384 (u) = 9b59a5ae79f802eeedecc1f778efc5f8f07dad418561853daea31a54c0b40907b4a562a7dbec5e53dbbba8bd8994a0cb
  SHA512 (u) = a10ae0008f11be0760dd55ac8236209da415d12a6208f8e2c340e41db45685b429868b2325f2bdd7334c3297253aca7475379943d7cf004941553aa734ac839e
  BLAKE2b (u) = 91a8ddd76f36a9f2d4cfbfd8a52dc5af0b7da8891f79888f94269bd4fbac0fbb2acc06dc1f48f94508c888e75c3026c58aa4c7e66c5015ec9d72c21fb5796f1d
  SM3 (u) = c7510cee96af791e6a7adafc6461260d45f3ab44d58479da4a9eb61add71bbc1
  BLAKE2b-128 (u) = 8d020eb46fdee76eed11c25c3c809ede
  dd8c6a395b5dd36c56d23275028f526c  u
     M   D   5       (   u   )       =       d   d   8   c   6   a
     3   9   5   b   5   d   d   3   6   c   5   6   d   2   3   2
     7   5   0   2   8   f   5   2   6   c  \0
  u: OK
  SHA1 (u) = 05dec960e24d918b8a73a1c53bcbbaac2ee5c2e0
  0
  2174511615 4 u
  1
  2174511615 4

$ export TERM=xterm; dircolors --print-ls-colors | head -2 | od -An -c; dircolors --print-database | head -1; dircolors -b -p; echo $?; printf 'TERM *\n.foo 01;31\n' | dircolors -c -; printf 'TERM *\n.foo 01;31\nDIR 1\n' | dircolors --print-ls-colors - | cat -v
   033   [   0   m   r   s  \t   0 033   [   0   m  \n 033   [   0
     1   ;   3   4   m   d   i  \t   0   1   ;   3   4 033   [   0
     m  \n
  # Configuration file for dircolors, a utility to help you set the
  1
  setenv LS_COLORS '*.foo=01;31:'
  ^[[01;31m*.foo	01;31^[[0m
  ^[[1mdi	1^[[0m

$ dos2unix -z > out; echo $?; dos2unix -e > out; echo $?; dos2unix -O dos > out; echo $?; od -An -c dos
  1
  1
  1
     a  \r  \n   b  \r  \n

$ hexdump --color=nope unix 2>&1; echo $?
  hexdump: unsupported color mode: 'nope'
  1

$ cat > long <<'EOF'
> The optimal line breaking algorithm looks at a whole paragraph before it decides where lines end. It weighs how far each line is from the goal (93 % of the width), and how much neighbours differ. Sentences end with a period.  Two blanks follow it, or a newline. See "quotes" and (parentheses), too; e.g. this one.
>   An indented paragraph, which has a first line that stands apart
> from the lines that follow it here, and which goes on for a while, so that it is filled again and again.
>  * a list item that is longer than the width of the line that it is put into, of course, as always
>    with a second line that is indented further
> short
> EOF
> fmt long; echo; fmt -w 40 long; fmt -40 long | head -5; fmt -c long; fmt -t long; fmt -s -w 50 long; fmt -u -w 60 long; fmt -g 50 long; fmt -w 60 -g 40 long; fmt --crown-margin -w 50 long; fmt --tagged-paragraph --width=50 long; fmt --split-only --goal=30 --width=45 long; fmt --uniform-spacing long | tail -3
  The optimal line breaking algorithm looks at a whole paragraph before it
  decides where lines end. It weighs how far each line is from the goal
  (93 % of the width), and how much neighbours differ. Sentences end
  with a period.  Two blanks follow it, or a newline. See "quotes" and
  (parentheses), too; e.g. this one.
    An indented paragraph, which has a first line that stands apart
  from the lines that follow it here, and which goes on for a while,
  so that it is filled again and again.
   * a list item that is longer than the width of the line that it is put
   into, of course, as always
     with a second line that is indented further
  short
  
  The optimal line breaking algorithm
  looks at a whole paragraph before it
  decides where lines end. It weighs how
  far each line is from the goal (93 %
  of the width), and how much neighbours
  differ. Sentences end with a period.
  Two blanks follow it, or a newline. See
  "quotes" and (parentheses), too;
  e.g. this one.
    An indented paragraph, which has a
    first line that stands apart
  from the lines that follow it here,
  and which goes on for a while, so that
  it is filled again and again.
   * a list item that is longer than the
   width of the line that it is put into,
   of course, as always
     with a second line that is indented
     further
  short
  The optimal line breaking algorithm
  looks at a whole paragraph before it
  decides where lines end. It weighs how
  far each line is from the goal (93 %
  of the width), and how much neighbours
  The optimal line breaking algorithm looks at a whole paragraph before it
    decides where lines end. It weighs how far each line is from the goal
    (93 % of the width), and how much neighbours differ. Sentences end
    with a period.  Two blanks follow it, or a newline. See "quotes" and
    (parentheses), too; e.g. this one.  An indented paragraph, which has
    a first line that stands apart
  from the lines that follow it here, and which goes on for a while, so
   that it is filled again and again.  * a list item that is longer than
   the width of the line that it is put into, of course, as always
     with a second line that is indented further short
  The optimal line breaking algorithm looks at a whole paragraph before it
    decides where lines end. It weighs how far each line is from the goal
    (93 % of the width), and how much neighbours differ. Sentences end
    with a period.  Two blanks follow it, or a newline. See "quotes" and
    (parentheses), too; e.g. this one.  An indented paragraph, which has
    a first line that stands apart
  from the lines that follow it here, and which goes on for a while, so
   that it is filled again and again.  * a list item that is longer than
   the width of the line that it is put into, of course, as always
     with a second line that is indented further short
  The optimal line breaking algorithm looks
  at a whole paragraph before it decides where
  lines end. It weighs how far each line is from
  the goal (93 % of the width), and how much
  neighbours differ. Sentences end with a period.
  Two blanks follow it, or a newline. See "quotes"
  and (parentheses), too; e.g. this one.
    An indented paragraph, which has a first line
    that stands apart
  from the lines that follow it here, and which
  goes on for a while, so that it is filled again
  and again.
   * a list item that is longer than the width
   of the line that it is put into, of course,
   as always
     with a second line that is indented further
  short
  The optimal line breaking algorithm looks at a whole
  paragraph before it decides where lines end. It weighs how
  far each line is from the goal (93 % of the width), and
  how much neighbours differ. Sentences end with a period.
  Two blanks follow it, or a newline. See "quotes" and
  (parentheses), too; e.g. this one.
    An indented paragraph, which has a first line that
    stands apart
  from the lines that follow it here, and which goes on for
  a while, so that it is filled again and again.
   * a list item that is longer than the width of the line
   that it is put into, of course, as always
     with a second line that is indented further
  short
  The optimal line breaking algorithm looks at a whole
  paragraph before it decides where lines end. It weighs
  how far each line is from the goal (93 % of the width),
  and how much neighbours differ. Sentences end with
  a period.  Two blanks follow it, or a newline. See
  "quotes" and (parentheses), too; e.g. this one.
    An indented paragraph, which has a first line that
    stands apart
  from the lines that follow it here, and which goes
  on for a while, so that it is filled again and again.
   * a list item that is longer than the width of the
   line that it is put into, of course, as always
     with a second line that is indented further
  short
  The optimal line breaking algorithm looks
  at a whole paragraph before it decides
  where lines end. It weighs how far each
  line is from the goal (93 % of the width),
  and how much neighbours differ. Sentences
  end with a period.  Two blanks follow it,
  or a newline. See "quotes" and (parentheses),
  too; e.g. this one.
    An indented paragraph, which has a first
    line that stands apart
  from the lines that follow it here, and which
  goes on for a while, so that it is filled again and again.
   * a list item that is longer than the width
   of the line that it is put into, of course, as always
     with a second line that is indented further
  short
  The optimal line breaking algorithm looks
    at a whole paragraph before it decides
    where lines end. It weighs how far each
    line is from the goal (93 % of the width),
    and how much neighbours differ. Sentences
    end with a period.  Two blanks follow it,
    or a newline. See "quotes" and (parentheses),
    too; e.g. this one.  An indented paragraph,
    which has a first line that stands apart
  from the lines that follow it here, and which
   goes on for a while, so that it is filled again
   and again.  * a list item that is longer than
   the width of the line that it is put into,
   of course, as always
     with a second line that is indented further
  short
  The optimal line breaking algorithm looks
    at a whole paragraph before it decides
    where lines end. It weighs how far each
    line is from the goal (93 % of the width),
    and how much neighbours differ. Sentences
    end with a period.  Two blanks follow it,
    or a newline. See "quotes" and (parentheses),
    too; e.g. this one.  An indented paragraph,
    which has a first line that stands apart
  from the lines that follow it here, and which
   goes on for a while, so that it is filled again
   and again.  * a list item that is longer than
   the width of the line that it is put into,
   of course, as always
     with a second line that is indented further
  short
  The optimal line breaking algorithm
  looks at a whole paragraph before it
  decides where lines end. It weighs
  how far each line is from the goal
  (93 % of the width), and how much
  neighbours differ. Sentences end
  with a period.  Two blanks follow
  it, or a newline. See "quotes"
  and (parentheses), too; e.g. this one.
    An indented paragraph, which
    has a first line that stands apart
  from the lines that follow it
  here, and which goes on for a
  while, so that it is filled again and again.
   * a list item that is longer
   than the width of the line that
   it is put into, of course, as always
     with a second line that is
     indented further
  short
   into, of course, as always
     with a second line that is indented further
  short

$ printf '# a comment that\n# is on\n# short lines\nx = 1\n  # another one\n  # here\n#nospace\n' > c; fmt -p '# ' c; fmt -p '#' -w 20 c; fmt --prefix='# ' -w 30 c; fmt -p '  #' c; printf '\ta b\n\tc d\n' | fmt | cat -A; printf '\ta b\n\tc d\n' | fmt -w 12 | cat -A; printf 'a\tb   c\td\n' | fmt | cat -A; printf 'a  b.  c.\nd\n' | fmt; printf 'no newline' | fmt; printf '' | fmt; printf '\n\n\n' | fmt; printf 'a\n\n\n\nb\n' | fmt; printf '  \nx\n' | fmt | cat -A
  # a comment that is on short lines
  x = 1
    # another one here
  #nospace
  # a comment that is
  # on short lines
  x = 1
    # another one
    # here
  #nospace
  # a comment that is on short
  # lines
  x = 1
    # another one here
  #nospace
  # a comment that
  # is on
  # short lines
  x = 1
    # another one here
  #nospace
  ^Ia b c d$
  ^Ia b$
  ^Ic d$
  a^Ib   c^Id$
  a  b.  c.  d
  no newline
  
  
  
  a
  
  
  
  b
  $
  x$

$ seq 2000 | fmt -w 60 | cksum; seq -s ' ' 3000 | fmt | cksum; seq -s '. ' 3000 | fmt -w 72 | cksum; seq 500 | sed 's/$/./' | fmt -u | cksum; yes word | head -3000 | fmt | cksum; yes abcdefghijklmnopqrstuvwxyz | head -400 | tr -d '\n' | fmt -w 20 | wc; printf '%0100d a b c' 0 | fmt -w 20; seq 300 | sed 'n;s/$/  /' | fmt -t -w 30 | cksum; seq 1500 | fmt -s | cksum; seq 1500 | sed 's/^/  /;1s/^ *//' | fmt -c -w 50 | cksum; printf 'Mr. Smith went. to (the) "shop".  He bought; milk!\nAnd   more? Yes.\n' | fmt -w 25
  83722421 8893
  1872246033 13893
  4074007430 16892
  3175435415 2852
  1476793657 15000
        1       1   10401
  0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
  a b c
  1351575678 1092
  1381317568 6393
  2599028663 6940
  Mr. Smith went. to (the)
  "shop".  He bought;
  milk!  And   more? Yes.

$ fmt nosuch 2>&1; echo $?; fmt . 2>&1; echo $?; fmt -w x long 2>&1; echo $?; fmt -w 2501 long 2>&1; echo $?; fmt -g 80 -w 70 long 2>&1; echo $?; fmt -x 2>&1; echo $?; fmt -w 2>&1; fmt -w 0 unix; printf 'a b c\n' | fmt -w 1; printf 'a b c d e f g\n' | fmt -5; printf 'a b\nc\n' | fmt - unix
  fmt: cannot open 'nosuch' for reading: No such file or directory
  1
  fmt: read error
  1
  fmt: invalid width: ‘x’
  1
  fmt: invalid width: ‘2501’: Numerical result out of range
  1
  fmt: invalid width: ‘80’: Numerical result out of range
  1
  fmt: invalid option -- 'x'
  Try 'fmt --help' for more information.
  1
  fmt: option requires an argument -- 'w'
  Try 'fmt --help' for more information.
  a
  b
  a
  b
  c
  a
  b c
  d e
  f g
  a b c
  a b

$ printf '1\n2\n3\n' > l; tail +2 l; tail -2 l; tail -1c l; tail +3c l; tail -2l l; tail -n +0 l; tail -n +4 l; tail -c +0 l; tail -c 1K l; tail -n 1KB l; tail -n 1kB l | wc -l; tail -n 1x l 2>&1; tail -c -2 l; tail -c +7 l; tail -n 2 < l; cat l | tail -n 2; cat l | tail -c 3; cat l | tail -n +2; cat l | tail -c +3; tail -n 1 l l; tail -qn1 l l; tail -vn1 < l; tail -n1 - l < unix; tail nosuch l 2>&1; echo $?; tail . 2>&1; echo $?; tail -n 2>&1; tail --nope 2>&1; tail -zn 1 binary | od -An -c; printf 'a\0b\0' | tail -z -n 1 | od -An -c; tail -n 0 l; tail -c 0 l; tail --retry -n 1 l 2>&1; tail --pid=1 -n 1 l 2>&1; tail --pid=x l 2>&1; tail -s x l 2>&1; tail -f -s 1x l 2>&1; tail --follow=x l 2>&1; tail --max-unchanged-stats=x l 2>&1; seq 100000 | tail -n 2; seq 100000 > big; tail -n 3 big; tail -n 99999 big | head -1; tail -c 6 big; tail -n +99999 big; seq 100000 | tail -c 7; printf 'a' | tail -n 1; printf 'a\nb' | tail -n 1; printf '\n' | tail -n 1
  2
  3
  2
  3
  
  2
  3
  2
  3
  1
  2
  3
  1
  2
  3
  1
  2
  3
  1
  2
  3
  3
  tail: invalid number of lines: ‘1x’
  3
  2
  3
  2
  3
  
  3
  2
  3
  2
  3
  ==> l <==
  3
  
  ==> l <==
  3
  3
  3
  ==> standard input <==
  3
  ==> standard input <==
  b
  ==> l <==
  3
  tail: cannot open 'nosuch' for reading: No such file or directory
  ==> l <==
  1
  2
  3
  1
  tail: error reading '.': Is a directory
  1
  tail: option requires an argument -- 'n'
  Try 'tail --help' for more information.
  tail: unrecognized option '--nope'
  Try 'tail --help' for more information.
     a   r   y  \r  \n
     b  \0
  tail: warning: --retry ignored; --retry is useful only when following
  3
  tail: warning: PID ignored; --pid=PID is useful only when following
  3
  tail: invalid PID: ‘x’
  tail: invalid number of seconds: ‘x’
  tail: invalid number of seconds: ‘1x’
  tail: invalid argument ‘x’ for ‘--follow’
  Valid arguments are:
    - ‘descriptor’
    - ‘name’
  Try 'tail --help' for more information.
  tail: invalid maximum number of unchanged stats between opens: ‘x’
  99999
  100000
  99998
  99999
  100000
  2
  00000
  99999
  100000
  100000
  ab

$ printf '1\n2\n3\n' > l; tail -2 l l 2>&1; echo $?; tail -1 -q l l 2>&1; echo $?; tail -1 -- l; tail -2c l; tail +2 -- l; tail -q -n 1 l l; tail +1 l l 2>&1 | tail -3
  tail: option used in invalid context -- 2
  1
  tail: option used in invalid context -- 1
  1
  3
  3
  2
  3
  3
  3
  1
  2
  3

$ rev -0 2>&1; echo $?; stdbuf -w 2>&1; echo $?
  rev: invalid option -- '0'
  Try 'rev --help' for more information.
  1
  stdbuf: invalid option -- 'w'
  Try 'stdbuf --help' for more information.
  125

$ for o in '-F 1' -M -w --whitespace-delimited; do echo 'a b' | cut $o -f 1; echo $?; done; echo x | expand -U; echo $?; echo x | unexpand --no-utf8; echo $?; factor -h 8; echo $?; factor --exponents 8; echo $?; echo x | fold -c; echo $?; echo x | fold --characters; echo $?; seq -t x 2; echo $?; seq --terminator=x 2; echo $?; shuf --random-seed=1 -i 1-3; echo $?; wc --total=never unix; echo $?; echo x | rev -0; echo $?; realpath -E x; echo $?; realpath --canonicalize x; echo $?; echo x | basenc --base58; echo $?; cksum --raw unix; echo $?; cksum --base64 unix; echo $?; numfmt --unit-separator=' ' --to=si 1000; echo $?; tail --debug unix; echo $?; stdbuf -w true; echo $?
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  125

$ cut --nosuch 2>&1; cut -w -f 1 2>&1; shuf --random-seed=1 2>&1; wc --total=never 2>&1; seq -t x 1 2>&1; tail --debug 2>&1; expand -U 2>&1; rev -0 2>&1; stdbuf -w 2>&1
  cut: unrecognized option '--nosuch'
  Try 'cut --help' for more information.
  cut: invalid option -- 'w'
  Try 'cut --help' for more information.
  shuf: unrecognized option '--random-seed=1'
  Try 'shuf --help' for more information.
  wc: unrecognized option '--total=never'
  Try 'wc --help' for more information.
  seq: invalid option -- 't'
  Try 'seq --help' for more information.
  tail: unrecognized option '--debug'
  Try 'tail --help' for more information.
  expand: invalid option -- 'U'
  Try 'expand --help' for more information.
  rev: invalid option -- '0'
  Try 'rev --help' for more information.
  stdbuf: invalid option -- 'w'
  Try 'stdbuf --help' for more information.
[125]
