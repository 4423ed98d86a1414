% printf 'one\ntwo\nthree\nfour\nfive\n' > f; printf 'hello world\nfoo bar\n' > g; seq 10 > n; printf 'a,b,c\n1,2,3\n' > csv; printf 'no newline' > nn

$ sed -n '2p' f
  two

$ sed -n '$p' f nn
  no newline
\

$ sed '2,4d' f
  one
  five

$ sed '/two/,/four/d' f
  one
  five

$ sed '2~2d' n | tr '\n' ' '
  1 3 5 7 9 
\

$ sed -n '0~3p' n | tr '\n' ' '
  3 6 9 
\

$ sed '2,~4d' n | tr '\n' ' '
  1 5 6 7 8 9 10 
\

$ sed '/3/,+2d' n | tr '\n' ' '
  1 2 6 7 8 9 10 
\

$ sed '0,/one/d' f
  two
  three
  four
  five

$ sed '1,/one/d' f

$ sed '2!d' f
  two

$ sed '/t/!s/^/-/' f
  -one
  two
  three
  -four
  -five

$ sed -n '/two/,3p' f; sed -n '3,1p' f
  two
  three
  three

$ sed 's/o/0/2' g
  hello w0rld
  fo0 bar

$ sed 's/o/0/2g' g
  hello w0rld
  fo0 bar

$ sed -n 's/o/0/gp' g
  hell0 w0rld
  f00 bar

$ sed 's/O/0/I' g; sed 's/O/0/ig' g
  hell0 world
  f0o bar
  hell0 w0rld
  f00 bar

$ sed 's/\(.*\) \(.*\)/\2 \1/' g
  world hello
  bar foo

$ sed -E 's/(\w+) (\w+)/\2 \1/' g
  world hello
  bar foo

$ sed 's/[^ ]*/[&]/g' g
  [hello] [world]
  [foo] [bar]

$ sed 's/x*/-/g' g
  -h-e-l-l-o- -w-o-r-l-d-
  -f-o-o- -b-a-r-

$ sed 's/b*/X/2' g
  hXello world
  fXoo bar

$ sed -E 's/(^|[^a])o/\1_/g' g
  hell_ w_rld
  f_o bar

$ sed 's/\bw/W/; s/\bf/F/' g
  hello World
  Foo bar

$ sed -E 's/\w+/\u&/g' g; sed -E 's/.*/\U&/' g; sed -E 's/(\w+) (\w+)/\U\1\E \2/' g; sed -E 's/(.)(.*)/\u\1\L\2/' g
  Hello World
  Foo Bar
  HELLO WORLD
  FOO BAR
  HELLO world
  FOO bar
  Hello world
  Foo bar

$ sed 's/o/\n/' g; sed 's/ /\t/' g
  hell
   world
  f
  o bar
  hello	world
  foo	bar

$ sed 's/o/\x41/; s/l/\o102/; s/e/\d067/' g
  hCBlA world
  fAo bar

$ sed 's/\x6f/O/' g
  hellO world
  fOo bar

$ sed 's,/,|,g; s|o|/|g' g
  hell/ w/rld
  f// bar

$ sed 's/a\|o/X/g' g; sed -E 's/a|o/X/g' g
  hellX wXrld
  fXX bXr
  hellX wXrld
  fXX bXr

$ sed 's/o\+/X/; s/l\{2\}/L/; s/x\?y*//' g
  heLX world
  fX bar

$ sed 's/./&&/3' g
  helllo world
  fooo bar

$ sed 'y/abc/xyz/' csv; sed 'y/\n,/ ;/' csv; sed 'y,a\,,x-,' csv
  x,y,z
  1,2,3
  a;b;c
  1;2;3
  x-b-c
  1-2-3

$ sed '1i\before' f | head -2; sed '1i before' f | head -2; sed '1i\  before' f | head -1
  before
  one
  before
  one
    before

$ sed '2a after' f; sed '$a last' f | tail -1; sed 'a\' -e 'x' f | head -2
  one
  two
  after
  three
  four
  five
  last
  
  one

$ sed '2c changed' f; sed '2,3c changed' f; sed '$!c x' f; sed '2!c x' f
  one
  changed
  three
  four
  five
  one
  changed
  four
  five
  x
  x
  x
  x
  five
  x
  two
  x
  x
  x

$ sed '/two/c\
> line1\
> line2' f
  one
  line1
  line2
  three
  four
  five

$ sed '1{i\
> a
> p
> }' f | head -3
  a
  one
  one

$ sed -n '/two/{p;p}' f
  two
  two

$ sed -n '/two/{n;p}' f; sed -n '/two/{N;p}' f; sed '$!N;s/\n/ /' f
  three
  two
  three
  one two
  three four
  five

$ sed 'N;P;D' f; sed '$!N;P;D' f; sed 'N;N;s/\n/,/g' f
  one
  two
  three
  four
  five
  one
  two
  three
  four
  five
  one,two,three
  four
  five

$ sed -n 'H;${x;s/\n/,/g;p}' f; sed 'G' f | head -4; sed -n '1!G;h;$p' f; sed 'x' f
  ,one,two,three,four,five
  one
  
  two
  
  five
  four
  three
  two
  one
  
  one
  two
  three
  four

$ sed ':a;N;$!ba;s/\n/,/g' f
  one,two,three,four,five

$ sed -e ':a' -e '$!{N;ba' -e '}' -e 's/\n/+/g' f
  one+two+three+four+five

$ sed ':a;s/^\(\s*\)x/\1y/;ta' g
  hello world
  foo bar

$ sed -n '/one/b;p' f; sed '/two/bend;s/^/x/;:end' f; sed 's/o/0/;T;s/^/>/' f
  two
  three
  four
  five
  xone
  two
  xthree
  xfour
  xfive
  >0ne
  >tw0
  three
  >f0ur
  five

$ sed '3q' f; echo $?; sed '3q5' f; echo $?; sed '3Q' f; echo $?; sed 'Q7' f; echo $?
  one
  two
  three
  0
  one
  two
  three
  5
  one
  two
  0
  7

$ sed -n '=' f; sed '=' f | head -4; sed -n '$=' f
  1
  2
  3
  4
  5
  1
  one
  2
  two
  5

$ sed -n 'l' g; printf 'a\tb\\\033\303\251\n' | sed -n l; sed -n 'l 5' g; sed -l 8 -n l g
  hello world$
  foo bar$
  a\tb\\\033\303\251$
  hell\
  o wo\
  rld$
  foo \
  bar$
  hello w\
  orld$
  foo bar$

$ sed 'r g' f | head -4; sed '$r nn' f; sed '2r nonexistent' f; sed 'R g' f
  one
  hello world
  foo bar
  two
  one
  two
  three
  four
  five
  no newlineone
  two
  three
  four
  five
  one
  hello world
  two
  foo bar
  three
  four
  five

$ sed -n '/o/w out' f; cat out; sed -n 's/o/0/w out2' f; cat out2; sed 'w /dev/stdout' g
  one
  two
  four
  0ne
  tw0
  f0ur
  hello world
  hello world
  foo bar
  foo bar

$ sed -s -n '$p' f g; sed -n '$p' f g; sed -n 'F' g | head -1; sed -s '1d' f g
  five
  foo bar
  foo bar
  g
  two
  three
  four
  five
  foo bar

$ cp f t; sed -i 's/o/0/' t; cat t; sed -i.bak 's/0/o/' t; ls t*; sed -i -e '1d' t; cat t; sed -n -i p t; cat t; sed --in-place=.x '1d' t; ls
  0ne
  tw0
  three
  f0ur
  five
  t
  t.bak
  two
  three
  four
  five
  two
  three
  four
  five
  csv
  f
  g
  n
  nn
  t
  t.bak
  t.x

$ mkdir b; cp f t; sed -i'b/*.old' 1d t; ls b
  t.old

$ cp f t; cp g u; sed -i '1d' t u; cat t u
  two
  three
  four
  five
  foo bar

$ sed -z 's/\n/,/g' f; printf 'a\0b\0' | sed -z 's/^/x/' | tr '\0' '|'
  one,two,three,four,five,xa|xb|
\

$ sed 's/o/0/' nn; echo; sed -n p nn nn; echo; sed '$a x' nn; sed 'a x' nn; sed G nn | od -c | tail -2
  n0 newline
  no newline
  no newline
  no newline
  x
  no newline
  x
  0000000   n   o       n   e   w   l   i   n   e  \n  \n
  0000014

$ sed --expression='s/o/0/' --quiet --expression=p f | head -1
  0ne

$ printf 's/o/0/\n1d\n' > s.sed; sed -f s.sed f; printf '#n\np\n' > q.sed; sed -f q.sed g; printf '#!/bin/sed -f\ns/a/b/ # comment\n' > c.sed; sed -f c.sed csv
  tw0
  three
  f0ur
  five
  hello world
  foo bar
  b,b,c
  1,2,3

$ sed -e 'i\' -e 'text' g; sed -e 'a hello\' -e 'world' g
  text
  hello world
  text
  foo bar
  hello world
  hello
  world
  foo bar
  hello
  world

$ sed 's/a/b/;# comment' csv; sed '# comment
> s/a/b/' csv
  b,b,c
  1,2,3
  b,b,c
  1,2,3

$ sed '1~3d' n | tr '\n' ' '; sed -n '2{p;q}' f; sed '/^$/d;/a/d' csv
  2 3 5 6 8 9 two
  1,2,3

$ sed -n '/o/,/o/p' f; sed '2,2d' f; sed '5,2d' n | tr '\n' ' '; sed '/5/,3d' n | tr '\n' ' '
  one
  two
  four
  five
  one
  three
  four
  five
  1 2 3 4 6 7 8 9 10 1 2 3 4 6 7 8 9 10 
\

$ sed 's/\//x/; s/\./y/' csv; sed 's/[/]/x/' csv; sed 's/[]]/x/; s/[^]]/z/' csv; sed 's/a[[:alpha:]]*/X/; s/[[:space:]]/_/' g
  a,b,c
  1,2,3
  a,b,c
  1,2,3
  z,b,c
  z,2,3
  hello_world
  foo_bX

$ sed 's/.*/"&"/' csv; sed "s/'/x/" csv; sed 's/,/\
> /g' csv
  "a,b,c"
  "1,2,3"
  a,b,c
  1,2,3
  a
  b
  c
  1
  2
  3

$ sed 's/\(a\),\(b\)/\2,\1,\0/' csv; sed -E 's/(a)(x)?/[\1\2]/' csv
  b,a,a,b,c
  1,2,3
  [a],b,c
  1,2,3

$ sed -E 's/a{1}/X/; s/[0-9]+/N/g; s/^(.)(.)/\2\1/' csv
  ,Xb,c
  ,NN,N

$ sed -E 's/(.)\1/<\1\1>/g' g; sed 's/\(.\)\1/D/g' g
  he<ll>o world
  f<oo> bar
  heDo world
  fD bar

$ sed 's/o/&\&/g' g; sed 's/\*/x/' g; sed 's/^*/x/' g; sed -E 's/a|^f/X/' g
  hello& wo&rld
  fo&o& bar
  hello world
  foo bar
  hello world
  foo bar
  hello world
  Xoo bar

$ sed 's/\Bo/0/g; s/\<w/W/; s/d\>/D/' g; sed "s/\`h/H/; s/r\\'/R/" g; sed 's/\W/_/; s/\w/X/2; s/\S/Y/' g
  hell0 W0rlD
  f00 bar
  hello world
  foo baR
  YXllo_world
  YXo_bar

$ printf 'a\nb\nc\n' | sed 'N;s/^b/X/M;s/a$/Y/M'; printf 'a\nb\n' | sed 'N;s/\`b/X/M;s/$/E/Mg'
  Y
  X
  c
  aE
  bE

$ sed 's/one/echo hi/e' f | head -1; sed '1e echo first' f | head -2; echo 'echo ran' | sed e
  hi
  first
  one
  ran

$ sed 's/\n//' f | head -1; sed 'N;l;D' g; sed 'v' g | head -1; sed 'z;s/^$/empty/' g
  one
  hello world\nfoo bar$
  foo bar
  hello world
  empty
  empty

$ sed 'W out' g; cat out; sed '1!G;$!h;$!d' f
  hello world
  foo bar
  hello world
  foo bar
  five
  four
  three
  two
  one

$ sed -u 1q f; sed -b 1q f; sed --line-length=5 -n l g
  one
  one
  hell\
  o wo\
  rld$
  foo \
  bar$

$ sed p f g | wc -l; sed '' f; sed -n '' f; cat f | sed 1d -; sed 5q < n | tail -1
  14
  one
  two
  three
  four
  five
  two
  three
  four
  five
  5

$ sed '$!d' f; sed -n '$!p' f | tail -1; sed '1d;$d' f; sed '$d' nn; sed -n '2,$p' f
  five
  four
  two
  three
  four
  two
  three
  four
  five

$ sed 'n;d' f; sed '$!n;s/^/x/' f; sed -n 'n;n;p' n | tr '\n' ' '
  one
  three
  five
  one
  xtwo
  three
  xfour
  xfive
  3 6 9 
\

$ sed '/one/{s//X/;s/X/Y/}' f | head -1; sed 's/two/X/;s//Y/' f | head -2
  Y
  one
  X

$ sed -n '\,one,p; \|two|p; /thr\/ee/p; \xfourxp' f; sed 's,a\,b,X,' csv; sed 's|a\|b|X|' csv
  one
  two
  four
  X,c
  1,2,3
  a,b,c
  1,2,3

$ sed 2>/dev/null; echo $?; sed k f 2>&1; echo $?; sed 's/a' f 2>&1; echo $?; sed 's/a/b/k' f 2>&1; echo $?; sed '{p' f 2>&1; echo $?; sed 'p}' f 2>&1; echo $?; sed 'b nolabel' f 2>&1; echo $?; sed 's/\(/x/' f 2>&1; echo $?; sed 's/a/\1/' f 2>&1; echo $?
  1
  sed: -e expression #1, char 1: unknown command: `k'
  1
  sed: -e expression #1, char 3: unterminated `s' command
  1
  sed: -e expression #1, char 7: unknown option to `s'
  1
  sed: -e expression #1, char 0: unmatched `{'
  1
  sed: -e expression #1, char 2: unexpected `}'
  1
  sed: can't find label for jump to `nolabel'
  4
  sed: -e expression #1, char 7: Unmatched ( or \(
  1
  sed: -e expression #1, char 7: invalid reference \1 on `s' command's RHS
  1

$ sed p nonexistent 2>&1; echo $?; sed p nonexistent f 2>/dev/null | wc -l; sed -n '1p' . 2>&1; echo $?; sed --nonsense f >/dev/null 2>&1; echo $?; sed -i p nonexistent 2>&1; echo $?
  sed: can't read nonexistent: No such file or directory
  2
  10
  sed: read error on .: Is a directory
  4
  1
  sed: can't read nonexistent: No such file or directory
  2

$ sed 'y/abc/d/' f 2>&1; echo $?; sed '3,p' f 2>&1; echo $?; sed ':' f 2>&1; echo $?; sed 'r' f 2>&1; echo $?; sed 'a' f 2>&1; echo $?; sed '0p' f 2>&1; echo $?; sed '0,5p' f 2>&1; echo $?; sed 'pp' f 2>&1; echo $?; sed '=x' f 2>&1; echo $?; sed ',p' f 2>&1; echo $?; sed '1,2=' f | head -1; sed '1!!p' f 2>&1; echo $?
  sed: -e expression #1, char 8: strings for `y' command are different lengths
  1
  sed: -e expression #1, char 3: unexpected `,'
  1
  sed: -e expression #1, char 1: ":" lacks a label
  1
  sed: -e expression #1, char 1: missing filename in r/R/w/W commands
  1
  sed: -e expression #1, char 1: expected \ after `a', `c' or `i'
  1
  sed: -e expression #1, char 2: invalid usage of line address 0
  1
  sed: -e expression #1, char 4: invalid usage of line address 0
  1
  sed: -e expression #1, char 2: extra characters after command
  1
  sed: -e expression #1, char 2: extra characters after command
  1
  sed: -e expression #1, char 1: unknown command: `,'
  1
  1
  sed: -e expression #1, char 3: multiple `!'s
  1

$ sed 's/a\{1/x/' f 2>&1; echo $?; sed -E 's/a{1/x/' f 2>&1; echo $?; sed -E 's/(a/x/' f 2>&1; echo $?; sed -E 's/a)/x/' f 2>&1; echo $?; sed -E 's/*a/x/' csv 2>&1; echo $?; sed 's/x\{2,1\}//' f 2>&1; echo $?
  sed: -e expression #1, char 9: Unmatched \{
  1
  sed: -e expression #1, char 8: Unmatched \{
  1
  sed: -e expression #1, char 7: Unmatched ( or \(
  1
  sed: -e expression #1, char 7: Unmatched ) or \)
  1
  sed: -e expression #1, char 7: Invalid preceding regular expression
  1
  sed: -e expression #1, char 12: Invalid content of \{\}
  1

$ sed 's/a/b/pw out' csv; cat out; sed 's/a/b/gg' csv 2>&1; echo $?; sed 's/a/b/0' csv 2>&1; echo $?; sed 's/a/b/1p2' csv 2>&1; echo $?
  b,b,c
  b,b,c
  1,2,3
  b,b,c
  sed: -e expression #1, char 8: multiple `g' options to `s' command
  1
  sed: -e expression #1, char 7: number option to `s' command may not be zero
  1
  sed: -e expression #1, char 9: multiple number options to `s' command
  1

$ sed -n '/a/I,/3/p' csv; sed -n '/A/Ip' csv; sed '/b/s/,/;/g' csv; sed -e '/1/ s/,/ /g' csv; sed '1 ! s/,/ /' csv; sed ' 1 d' csv; sed '1,2 { s/,/-/ ; }' csv; sed '1{;p;}' csv; sed -e 1{ -e p -e } csv
  a,b,c
  1,2,3
  a,b,c
  a;b;c
  1,2,3
  a,b,c
  1 2 3
  a,b,c
  1 2,3
  1,2,3
  a-b,c
  1-2,3
  a,b,c
  a,b,c
  1,2,3
  a,b,c
  a,b,c
  1,2,3

$ sed 's/a/b/ ; s/b/c/' csv; sed 'a\ttab' nn; sed 'a\\ttab' nn; sed 'a foo\nbar' nn; sed 'i\
>   indented' nn; sed '1i\\tx' nn; sed 'a\
> one\
> two' nn; sed '$!{$!N};P' f | head -2; sed 'c\' nn; sed '2i\' f 2>&1 | head -3
  c,b,c
  1,2,3
  no newline
  ttab
  no newline
  	tab
  no newline
  foo
  bar
    indented
  no newline	x
  no newlineno newline
  one
  two
  one
  one
  one
  two
  three

$ sed '/a/,/b/{//!d}' csv; seq 9 | sed '/2/,/5/{//!d}' | tr '\n' ' '; seq 12 | sed -n '/1/,/2/p' | tr '\n' ' '; seq 3 | sed '2,1!d'; seq 10 | sed -n '2,4!p' | tr '\n' ' '; seq 5 | sed -n '2,+1p;4,~2p' | tr '\n' ' '
  a,b,c
  1 2 5 6 7 8 9 1 2 10 11 12 2
  1 5 6 7 8 9 10 2 3 4 5 
\

$ seq 3 | sed 's/2/&\n/;P;D'; seq 3 | sed -n 'x;p;x'; seq 3 | sed 'x;$G;1d'; seq 6 | sed -n '2~2{=;p}' | tr '\n' ' '; seq 3 | sed 'h;s/./x/;G'; seq 4 | sed 'N;N;D' ; seq 3 | sed '$!{h;d};H;x'
  1
  2
  
  3
  
  
  
  1
  2
  3
  2 2 4 4 6 6 x
  1
  x
  2
  x
  3
  2
  3
  4
  2
  3

$ echo aaa | sed 's/a/b/3'; echo aaa | sed 's/a/b/4'; echo abcabc | sed 's/b/[&]/2g'; echo 'a.b.c' | sed 's/\./-/g'; echo 'foo123' | sed 's/[0-9]\{2,\}/N/'; echo '  x  ' | sed 's/^ *//;s/ *$//' | cat -A; echo 'a b' | sed 's/\s\+/\n/'; echo x | sed 's/x/a\tb\\n/'; echo hello | sed 's/l*/X/g'; echo baaac | sed 's/a*/x/g'; echo abc | sed 's/x*$/!/g'; echo 'caf\303\251' | sed 's/./X/g'
  aab
  aaa
  abca[b]c
  a-b-c
  fooN
  x$
  a
  b
  a	b\n
  XhXeXoX
  xbxcx
  abc!
  XXXXXXXXXXX

$ printf 'caf\303\251 \303\251t\303\251\n' | sed 's/\xc3\xa9/e/g'; printf 'caf\303\251\n' | sed 's/.$/X/; s/\w/Y/g'; printf '\303\251\n' | sed 'y/\o303/x/' 2>&1 | od -c | head -1; printf 'é\n' | sed 'y/é/e/; s/.*/\U&\Lé/'; printf 'ÉA\n' | sed 's/.*/\L&/'; printf '\377x\n' | sed 's/./Q/g' | od -c | head -1
  cafe ete
  YYYY
  0000000 303 251  \n
  Eé
  éa
  0000000 377   Q  \n

$ echo 'a/b' | sed 's/\//\\\//'; echo 'x' | sed 's/x/\//'; echo 'a&b' | sed 's/&/and/'; echo x | sed 's/x/\cA/' | od -c | head -1; echo x | sed 's/x/\a\f\v/' | od -c | head -1; echo 'a]b' | sed 's/[]]/X/'; echo 'a\b' | sed 's/\\/X/'; echo 'a\nb' | sed 's/[\n]/X/'; printf 'a\nb\n' | sed 'N;s/[\n]/X/'; echo 'a.b' | sed 's/[.]/X/'; echo 'a-b' | sed 's/[a\-z]/X/g'; echo 'tab	x' | sed 's/[\t]/T/'; echo '^a' | sed 's/\^a/X/'; echo 'a$b' | sed 's/a$b/X/'; echo 'a^b' | sed 's/a^b/X/'; echo 'x{1}' | sed 's/x{1}/Y/'; echo 'a+b?' | sed 's/a+b?/Y/'; echo '(a)' | sed 's/(a)/Y/'
  a\/b
  /
  aandb
  0000000 001  \n
  0000000  \a  \f  \v  \n
  aXb
  aXb
  a\nb
  aXb
  aXb
  X-X
  tabTx
  X
  X
  X
  Y
  Y
  Y

$ for s in 2q q 'p;q' 'n;q' 2Q '$!N;q' 'N;N;q' '2{p;Q}' '$q' 'G;q' '=;q' 'P;Q' 'a x' '$!N;P;D'; do echo "== $s"; printf 'a\nb' | sed "$s" | od -An -c; printf 'a' | sed -n "$s" | od -An -c; done
  == 2q
     a  \n   b  \n
  == q
     a  \n
  == p;q
     a  \n   a  \n
     a  \n
  == n;q
     a  \n   b  \n
  == 2Q
     a  \n
  == $!N;q
     a  \n   b  \n
  == N;N;q
     a  \n   b
  == 2{p;Q}
     a  \n   b
  == $q
     a  \n   b  \n
  == G;q
     a  \n  \n
  == =;q
     1  \n   a  \n
     1  \n
  == P;Q
     a  \n
     a
  == a x
     a  \n   x  \n   b  \n   x  \n
     x  \n
  == $!N;P;D
     a  \n   b
     a

$ printf 'a\nb' > s; printf 'c\nd' > t; sed 2q s t | od -An -c; sed 4q s t | od -An -c; sed -s 2q s t | od -An -c; sed -n '2p;2q' s t | od -An -c; sed -z 1q s | od -An -c; sed 2q5 s | od -An -c; sed '2{r s
> q}' s | od -An -c; sed 'R t
> q' s | od -An -c; sed '2i x
> 2q' s | od -An -c
     a  \n   b  \n
     a  \n   b  \n   c  \n   d  \n
     a  \n   b  \n
     b  \n
     a  \n   b  \0
     a  \n   b  \n
     a  \n   b  \n   a  \n   b
     a  \n   c  \n
     a  \n   x  \n   b  \n

$ seq 5 > s; seq 3 > t; sed -i 2q s t; cat s; cat t; sed -i.bak 1Q s; cat s s.bak; seq 20000 > s; sed -i 3q s; wc -l < s; printf 'a\nb' > s; sed -i 2q s; od -An -c s; printf 'a\nb' > s; sed -i 'N;N' s; od -An -c s
  1
  2
  1
  2
  3
  1
  2
  3
     a  \n   b  \n
     a  \n   b

$ printf 'a\nb' > s; sed -n 'w o' s; od -An -c o; sed -n 'w o
> W o
> s/b/c/w o' s; od -An -c o; sed -n 'w /dev/stdout
> p' s | od -An -c
     a  \n   b
     a  \n   a  \n   b  \n   b  \n   c
     a  \n   a  \n   b   b

$ seq 8 > f; for s in '1d;1,3p' '1,2d;1,5p' '2{n;n};2,5p' '1d;1,/4/p' '1,5d;1,3p' '1,5d;1,+2p' '1,4d;3,~4p' '2,3p;4{n};5,2p' '1d;1,3!p' '/2/d;1,3p;5,6{n};5,7p' '2,3d;3,3p' '2d;2,1p'; do echo "$s:" $(sed -n "$s" f); done
  1d;1,3p: 2 3
  1,2d;1,5p: 3 4 5
  2{n;n};2,5p: 4 5
  1d;1,/4/p: 2 3 4
  1,5d;1,3p:
  1,5d;1,+2p: 6 7 8
  1,4d;3,~4p: 5 6 7 8
  2,3p;4{n};5,2p: 2 3 5
  1d;1,3!p: 4 5 6 7 8
  /2/d;1,3p;5,6{n};5,7p: 1 3 6 7
  2,3d;3,3p:
  2d;2,1p:

$ seq 3 > f; seq 4 > g; seq 5 > h; for s in '0,/2/p' '2,3p' '2,/9/p' '2,$p' '3,+1p' '1,2d;1,3p'; do echo "$s:" $(sed -s -n "$s" f g h); done
  0,/2/p: 1 2 1 2 1 2
  2,3p: 2 3 2 3 2 3
  2,/9/p: 2 3 2 3 4 2 3 4 5
  2,$p: 2 3 2 3 4 2 3 4 5
  3,+1p: 3 3 4 3 4
  1,2d;1,3p: 3 3 3

$ echo '9+8=17 n&a' > f; t() { sed "$@" f; }; t 's1\(9\)1X\11'; t 'sn9nX\nYn'; t 's&9&X\&&'; t 'sU9UX\UaU'; t 'sa9aX\aYa'; t 'sE9EX\EYE'; t 's2\(9\).\(8\)2\2\12'; t 'sn\nnX n'
  X1+8=17 n&a
  XnY+8=17 n&a
  X&+8=17 n&a
  XUa+8=17 n&a
  XaY+8=17 n&a
  XEY+8=17 n&a
  29=17 n&a
  9+8=17 X &a

$ exec 2>&1; printf 'a\nb\n' > f; printf 'new\n' > r; sed '0r r' f; echo $?; sed '0,/a/d' f; sed '0d' f; sed '0,2p' f; sed '0r /dev/stdin' f < r; sed -n '0r r' f; sed -i '0r r' f; cat f; sed -s '0r r' f f; sed '0R r' f; sed '0r r' /dev/null
  new
  a
  b
  0
  b
  sed: -e expression #1, char 2: invalid usage of line address 0
  sed: -e expression #1, char 4: invalid usage of line address 0
  new
  a
  b
  new
  new
  a
  b
  new
  new
  a
  b
  new
  new
  a
  b
  sed: -e expression #1, char 2: invalid usage of line address 0

$ exec 2>&1; sed 'v 9.0' /dev/null; echo $?; sed 'v 4.2' /dev/null; echo $?; sed 'v 4.9' /dev/null; sed 'v 4.10' /dev/null; sed 'v x' /dev/null; sed v /dev/null; echo $?
  sed: -e expression #1, char 5: expected newer version of sed
  1
  0
  sed: -e expression #1, char 6: expected newer version of sed
  sed: -e expression #1, char 3: expected newer version of sed
  0

$ exec 2>&1; echo 'a+b aab' | sed --posix 's/a\+b/X/'; printf 'a\nb\nc\n' | sed --posix '$!N;s/\n/-/'; printf 'a\nb\nc\n' | sed --posix 'N;s/\n/-/'; printf 'a\nb\nc\n' | sed 'N;s/\n/-/'; echo 'a|b' | sed --posix 's/a\|b/X/g'; POSIXLY_CORRECT=1 sed N <<< a; echo 'ab' | sed --posix 's/a\?b/X/'
  X aab
  a-b
  c
  a-b
  a-b
  c
  X
  ab

$ exec 2>&1; echo abcdefghij | sed -n 'l 1'; echo abcdefghij | sed -n 'l 2'; echo abcdefghij | sed -n 'l 5'; echo abcdefghij | sed -n 'l 0'; echo abcdefghij | sed -l 1 -n l;  echo abcdefghij | sed -l 3 -n l; echo abcdefghij | sed -l 0 -n l
  \
  a\
  b\
  c\
  d\
  e\
  f\
  g\
  h\
  i\
  j$
  a\
  b\
  c\
  d\
  e\
  f\
  g\
  h\
  i\
  j$
  abcd\
  efgh\
  ij$
  abcdefghij$
  \
  a\
  b\
  c\
  d\
  e\
  f\
  g\
  h\
  i\
  j$
  ab\
  cd\
  ef\
  gh\
  ij$
  abcdefghij$

$ exec 2>&1; sed 's/[/x/' /dev/null; sed '/[/p' /dev/null; sed 's/[[:a/x/' /dev/null; sed 's/a\(/x/' /dev/null; sed '/a[b/,/c/p' /dev/null; sed 'y/[/x/' /dev/null; sed 's/[/]/x/' /dev/null; sed '\,[,p' /dev/null; sed 's/a[^/x/' /dev/null; sed 's/[a/]/x' /dev/null
  sed: -e expression #1, char 6: unterminated `s' command
  sed: -e expression #1, char 4: unterminated address regex
  sed: -e expression #1, char 9: unterminated `s' command
  sed: -e expression #1, char 8: Unmatched ( or \(
  sed: -e expression #1, char 10: unterminated address regex
  sed: -e expression #1, char 5: unterminated address regex
  sed: -e expression #1, char 8: unterminated `s' command
  sed: -e expression #1, char 8: unterminated `s' command
[1]

$ exec 2>&1; printf 'a b\n' | sed 's/[:space:]/X/'; echo $?; printf 'a b\n' | sed -E '/[:space:]/d'; echo $?
  sed: character class syntax is [[:space:]], not [:space:]
  4
  sed: character class syntax is [[:space:]], not [:space:]
  4

$ printf '1\n2\n' | sed -n 'N;P;D'; printf 'x1\nx2\nx3\n' | sed -n 's/x/y/;N;tz;s/^/no:/;P;D;:z;s/^/yes:/;P;D'; printf 'foo\nbar\n' | sed -n '1{N;s/f/F/;D};ta;s/^/no /p;b;:a;s/^/yes /p'; printf '1\n2\n3\n' | sed '/1/{N;D};t e;s/^/n/;:e'; printf 'a\nb\n' | sed 's/a/x/;n;t e;s/^/no/;:e'
  1
  no:y1
  no:y2
  yes bar
  n2
  n3
  x
  nob

$ printf 'a\nb\nc\n' > f; seq 4 > n; sed -i 'w /dev/stdout' f; cat f; sed -i 's/a/b/w /dev/stdout' f; cat f; sed -i -s 'p;w /dev/stdout' f n; cat f n; printf x > u; sed -i 'w /dev/stdout' u n; od -c u
  a
  b
  c
  a
  b
  c
  b
  b
  b
  c
  b
  b
  c
  1
  2
  3
  4
  b
  b
  b
  b
  c
  c
  1
  1
  2
  2
  3
  3
  4
  4
  x
  1
  1
  2
  2
  3
  3
  4
  4
  0000000   x
  0000001

$ printf 'a?b\na.b\naxb\na^b\na*b\n' > g; for e in '/a\x3fb/p' '/a\x2eb/p' 's/a\x2ab/Q/p' 's/\x5e/C/p' 's/a\x5eb/D/p' 's/\o77/R/p;s/\d63/S/p' 's/x/\x26\x26/p' 's/b\x24/Z/p' 's/[a\x2db]/Z/p' 's/\x61*/Z/p' 's/a\(\x5e\)b/Z/p'; do echo "$e"; sed -n "$e" g; sed -nE "$e" g; done 2>&1; sed 's/a/\x5cn/' <<< a
  /a\x3fb/p
  a?b
  a?b
  a.b
  axb
  a^b
  a*b
  /a\x2eb/p
  a?b
  a.b
  axb
  a^b
  a*b
  a?b
  a.b
  axb
  a^b
  a*b
  s/a\x2ab/Q/p
  a?Q
  a.Q
  axQ
  a^Q
  a*Q
  a?Q
  a.Q
  axQ
  a^Q
  a*Q
  s/\x5e/C/p
  Ca?b
  Ca.b
  Caxb
  Ca^b
  Ca*b
  Ca?b
  Ca.b
  Caxb
  Ca^b
  Ca*b
  s/a\x5eb/D/p
  D
  s/\o77/R/p;s/\d63/S/p
  aRb
  sed: -e expression #1, char 11: Invalid preceding regular expression
  s/x/\x26\x26/p
  a&&b
  a&&b
  s/b\x24/Z/p
  a?Z
  a.Z
  axZ
  a^Z
  a*Z
  a?Z
  a.Z
  axZ
  a^Z
  a*Z
  s/[a\x2db]/Z/p
  Z?b
  Z.b
  Zxb
  Z^b
  Z*b
  Z?b
  Z.b
  Zxb
  Z^b
  Z*b
  s/\x61*/Z/p
  Z?b
  Z.b
  Zxb
  Z^b
  Z*b
  Z?b
  Z.b
  Zxb
  Z^b
  Z*b
  s/a\(\x5e\)b/Z/p
  \n
