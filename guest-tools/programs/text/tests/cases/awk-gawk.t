# gawk's own language: arrays of arrays, indirect calls, includes, namespaces, sorting, coprocesses.
% printf 'a 1\nb 2\nc 3\n' > f; printf 'function twice(x) { return 2 * x }\n' > lib.awk

$ gawk 'BEGIN { a[1][2] = 3; a[1][3] = 4; a["x"] = 5; for (i in a[1]) print i, a[1][i]; print a["x"], length(a), length(a[1]) }'
  2 3
  3 4
  5 2 2

$ gawk 'BEGIN { a[1][2][3] = "deep"; print a[1][2][3]; print isarray(a[1]), isarray(a[1][2]), isarray(a[1][2][3]) }'
  deep
  1 1 0

$ gawk '{ c[$1][$2]++ } END { for (k in c) for (v in c[k]) print k, v, c[k][v] }' f
  a 1 1
  b 2 1
  c 3 1

$ gawk 'BEGIN { a["x"] = 1; a["x"]["y"] = 2 }'
[2]

$ gawk 'BEGIN { a["x"]["y"] = 2; print a["x"] }'
[2]

$ gawk 'BEGIN { a[1][1] = 1; delete a[1][1]; print length(a[1]); delete a[1]; print length(a) }'
  0
  0

$ gawk 'function fill(x) { x["k"] = 1 } BEGIN { fill(a[5]); print typeof(a[5]), a[5]["k"] }'
  array 1

$ gawk 'BEGIN { split("p q r", a[3]); print a[3][2]; if (2 in a[3]) print "in"; if (!((9) in a[3])) print "out" }'
  q
  in
  out

$ gawk 'function walk(x, p,   k) { for (k in x) if (isarray(x[k])) walk(x[k], p k "."); else print p k, x[k] }
> BEGIN { a["b"]["c"] = 1; a["b"]["d"]["e"] = 2; walk(a, "") }'
  b.c 1
  b.d.e 2

$ gawk 'function f(x) { return "f" x } function g(x) { return "g" x } BEGIN { n = split("f g", a); for (i = 1; i <= n; i++) { h = a[i]; print @h(i) } }'
  f1
  g2

$ gawk 'BEGIN { f = "length"; print @f("four"); f = "toupper"; print @f("x") }'
  4
  X

$ gawk 'BEGIN { f = "nothing"; @f() }'
[2]

$ gawk '@include "lib"; BEGIN { print twice(21) }'
  42

$ gawk '@include "lib.awk"
> @include "lib.awk"
> BEGIN { print twice(1) }'
  2

$ gawk -i lib 'BEGIN { print twice(4) }'
  8

$ gawk -f lib.awk -e 'BEGIN { print twice(5) }'
  10

$ mkdir d; printf 'function d(x) { return x "d" }' > d/dd.awk; AWKPATH=d gawk '@include "dd"; BEGIN { print d("x") }'
  xd

$ gawk '@include "missing"; BEGIN { print 1 }'
[1]

$ gawk '@load "missing"; BEGIN { print 1 }'
[1]

$ gawk '@namespace "one"
> function f() { return "one" } BEGIN { x = 5 }
> @namespace "two"
> function f() { return "two" one::f() } BEGIN { x = 6; print f(), one::x, x, two::x; print NR }'
  twoone 5 6 6
  0

$ gawk -i inplace '{ print toupper($0) }' f; cat f
  A 1
  B 2
  C 3

$ gawk -i inplace -v INPLACE_SUFFIX=.bak '{ print "x" $0 }' f; cat f f.bak
  xa 1
  xb 2
  xc 3
  a 1
  b 2
  c 3

$ cp f g; gawk -i inplace 'FNR == 2 { print FILENAME }' f g; cat f g
  f
  g

$ gawk 'NR == 1 { "echo one two" | getline; print $2, NR, NF; "echo three" | getline x; print x, NR }' f
  two 1 2
  three 1

$ gawk 'BEGIN { while (("cat f" | getline line) > 0) n++; print n, NR; close("cat f"); "cat f" | getline; print }'
  3 0
  a 1

$ gawk 'BEGIN { getline x < "f"; print x, NR; getline < "f"; print $0, NR; print (getline y < "missing"), ERRNO }'
  a 1 0
  b 2 0
  -1 No such file or directory

$ gawk 'BEGIN { print substr("hello", 0, 2), substr("hello", -1, 3), substr("hello", 0), substr("hello", 1.5, 2), substr("hello", 4, 9) "|" substr("hello", 9) "|" }'
  he hel hello he lo||

$ gawk 'BEGIN { PROCINFO["sorted_in"] = "down"; a["x"] = 1; a["y"] = 3; a["z"] = 2; for (k in a) print k, a[k] } function down(i1, v1, i2, v2) { return v2 - v1 }'
  y 3
  z 2
  x 1

$ gawk 'BEGIN { PROCINFO["sorted_in"] = "@val_num_desc"; a["x"] = 1; a["y"] = 30; a["z"] = 2; for (k in a) print k; PROCINFO["sorted_in"] = "@ind_str_asc"; for (k in a) print k }'
  y
  z
  x
  x
  y
  z

$ gawk 'BEGIN { n = split("banana apple Cherry", a); m = asort(a, b, "by"); for (i = 1; i <= m; i++) print b[i] } function by(i1, v1, i2, v2) { v1 = tolower(v1); v2 = tolower(v2); return v1 < v2 ? -1 : v1 > v2 }'
  apple
  banana
  Cherry

$ gawk 'BEGIN { a["b"] = 2; a["a"] = 1; n = asorti(a, b); for (i = 1; i <= n; i++) print i, b[i]; n = asorti(a, b, "@ind_str_desc"); print b[1] }'
  1 a
  2 b
  b

$ gawk 'BEGIN { a[1] = 10; a[2] = 9; a[3] = "x"; a[4] = "10"; n = asort(a); for (i = 1; i <= n; i++) print a[i] }'
  9
  10
  10
  x

$ gawk -v IGNORECASE=1 'BEGIN { print ("ABC" == "abc"), ("abc" < "ABD"), "XYZ" ~ /y/; n = split("aXbxc", a, "x"); print n }'
  1 1 1
  2

$ gawk 'BEGIN { printf "%2$s %1$s|%3$*4$d|%1$5s|\n", "a", "b", 5, 7 }'
  b a|      5|    a|

$ gawk 'BEGIN { printf "%a %A %a %.2a %i %5%|%u %x %o %x %.0d|%+.3e|%#x|%05d|%-5d|% d|%c%c\n", 1.5, 255, 0, 1.999, 3.9, -1, -1, -8, 1e30, 0, 12345.678, 255, 42, 42, 42, 65, "xyz" }'
  0x1.8p+0 0X1.FEP+7 0x0p+0 0x2.00p+0 3 %|18446744073709551615 ffffffffffffffff 1777777777777777777770 1e+30 |+1.235e+04|0xff|00042|42   | 42|Ax

$ gawk 'BEGIN { printf "%d %d %s %s\n", 1e30, -1e18, 1e6, 0.1 + 0.2 }'
  1000000000000000019884624838656 -1000000000000000000 1000000 0.3

$ gawk 'BEGIN { printf "%s %s\n", "one" }'
[2]

$ gawk 'function f(f) { return 1 } BEGIN { print f(2) }'
[1]

$ gawk 'function f(x, x) { return 1 } BEGIN { print f(2) }'
[1]

$ gawk 'function f(NR) { return 1 } BEGIN { print f(2) }'
[1]

$ gawk 'BEGIN { NR = 10 } { print NR, FNR } NR == 12 { NR = 20 }' f
  11 1
  12 2
  21 3

$ gawk '{ NF = 1; print; NF = 3; print; $5 = "e"; print; print NF }' f
  a
  a  
  a    e
  5
  b
  b  
  b    e
  5
  c
  c  
  c    e
  5

$ gawk '{ switch ($2) { case 1: print "one"; case /[23]/: print "more"; break; default: print "none" } }' f
  one
  more
  more
  more

$ gawk 'BEGINFILE { print "begin", FILENAME } ENDFILE { print "end", FNR } FNR == 2 { nextfile } { print }' f f
  begin f
  a 1
  end 2
  begin f
  a 1
  end 2

$ gawk 'BEGINFILE { if (ERRNO) { print "skip", FILENAME; nextfile } } { print }' missing f
  skip missing
  a 1
  b 2
  c 3

$ gawk 'BEGIN { FPAT = "([^,]+)|(\"[^\"]+\")" } { print NF; print $2 }' <<< 'a,"b,c",d'
  3
  "b,c"

$ gawk 'BEGIN { FIELDWIDTHS = "2 1:3 *" } { print NF, $1 "|" $2 "|" $3 }' <<< 'abXcdeRest of it'
  3 ab|cde|Rest of it

$ printf 'a;b|c' | gawk 'BEGIN { RS = "[;|]" } { print $0, RT }'
  a ;
  b |
  c 

$ gawk 'BEGIN { print typeof(1), typeof("a"), typeof(x), typeof(@/r/), typeof(PROCINFO), typeof($1); y[1]; print typeof(y), typeof(y[1]), typeof(y[2]) } END { print typeof($1) }' f
  number string untyped regexp array unassigned
  array untyped untyped
  string

$ gawk 'BEGIN { r = @/b+/; print "abbb" ~ r, r, typeof(r); sub(r, "x"); s = "abb"; gsub(r, "-", s); print s; print split("1b2bb3", a, r), a[3] }'
  1 b+ regexp
  a-
  3 3

$ gawk 'BEGIN { n = split(" a  b ", a, " ", s); print n, length(s), "[" s[0] "][" s[1] "][" s[2] "]"; n = split("a1b22c", a, /[0-9]+/, s); print n, s[1], s[2]; n = patsplit("x1y22z", a, /[0-9]+/, s); print n, a[2], s[0] s[1] s[2] }'
  2 3 [ ][  ][ ]
  3 1 22
  2 22 xyz

$ gawk 'BEGIN { print gensub(/(a)(b)/, "\\2\\1", "g", "abab"), gensub(/a/, "x", 2, "aaa"), gensub(/b/, "[&]", 1, "abc") }'
  baba axa a[b]c

$ gawk 'BEGIN { print strtonum("0x1F"), strtonum("017"), strtonum("1e3"), strtonum(" 12x"), and(5, 3), or(5, 3), xor(5, 3), compl(0), lshift(1, 4), rshift(16, 2) }'
  31 15 1000 12 1 7 6 9007199254740991 16 4

$ gawk 'BEGIN { print and(-1, 3) }'
[2]

$ gawk 'BEGIN { print strftime("%Y-%m-%d %H:%M:%S", 86400, 1), mktime("2020 01 01 00 00 00", 1), mktime("2020 13 01 00 00 00"), mktime("bad"), strftime("%A", 0) }'
  1970-01-02 00:00:00 1577836800 1609459200 -1 Thursday

$ gawk 'BEGIN { c = "sort"; print "b" |& c; print "a" |& c; close(c, "to"); while ((c |& getline x) > 0) print "got", x; print close(c) }'
  got a
  got b
  0

$ gawk --csv '{ print NF; print $2 }' <<< 'a,"b ""q"", c",d'
  3
  b "q", c

$ gawk -n 'BEGIN { x = "0x1f" } { print $1 + 0, $2 + 0, x + 0 }' <<< '0x11 011'
  17 9 31

$ gawk -S 'BEGIN { system("echo no") }'
[2]

$ gawk -S 'BEGIN { print "no" > "out" }'
[2]

$ gawk -b 'BEGIN { print length("é"), substr("é", 1, 2) }'
  2 é

$ printf 'BEGIN { print ARGV[1], ARGC; x = 1 } { print x, $0 }' > e; gawk -E e x=5 2> /dev/null
  x=5 2
[2]

$ gawk 'BEGIN { x = 1; print SYMTAB["x"]; SYMTAB["x"] = 7; print x; print ("x" in SYMTAB), ("nope" in SYMTAB); print ("f" in FUNCTAB) } function f() { }'
  1
  7
  1 0
  1

$ gawk 'BEGIN { ENVIRON["NEW"] = "value"; system("echo $NEW"); "echo $NEW" | getline x; print x }'
  value
  value

$ gawk 'BEGIN { print length(); print -3 % 2, 2 ** 3 ** 2, -2 ^ 2, 1 == 1.0, "a" < "b", !x + 1 }'
  0
  -1 512 -4 1 1 2

$ gawk 'BEGIN { print index("abc", "c"), tolower("ÀB"), toupper("é"), length("é"), substr("éa", 2) }'
  3 àb É 1 a

$ gawk 'BEGIN { printf "%s %s\n", system("exit 3"), close("nothing") }'
  3 -1

$ gawk -f lib.awk -v 'x=a\tb' -F : -e '{ print x, $1 twice(2) }' <<< 'p:q'
  a	b p4

$ gawk -vx=1 -F: -vy=2 '{ print $2, x, y }' <<< 'p:q'
  q 1 2

$ gawk --field-separator=: --assign x=3 --source '{ print $2, x }' <<< 'p:q'
  q 3

$ gawk -d/dev/stdout 'BEGIN { zz = "s"; yy = 1; xx[1] }' | grep -E '^(xx|yy|zz|FS|OFMT|NR): '
  FS: " "
  NR: 0
  OFMT: "%.6g"
  xx: array, 1 elements
  yy: 1
  zz: "s"

$ gawk 'BEGIN { for (i = 0; i < 5000; i++) a[i] = i; for (i = 0; i < 4990; i++) delete a[i]; n = 0; for (k in a) n += k; print length(a), n }'
  10 49945

$ gawk 'function f(n) { return n <= 1 ? 1 : n * f(n - 1) } BEGIN { print f(10) }'
  3628800

$ gawk 'BEGIN { a = "x"; a = a a; a = a "y" a; print a; print 1 " " 2, 1 - 1 " " -1 }'
  xxyxx
  1 2 0-1

$ gawk '/a/, /b/ { print "r", $0 } END { print NR, $0 }' f
  r a 1
  r b 2
  3 c 3

$ gawk 'BEGIN { while (i++ < 5) { if (i == 2) continue; if (i == 4) break; print i } do print "once"; while (0) }'
  1
  3
  once

$ gawk 'BEGIN { getline; print "first", $0; getline x; print x, NR } { print "rest", $0 }' f
  first a 1
  b 2 2
  rest c 3

$ gawk 'BEGIN { printf "a\n" > "/dev/stderr"; print "b" > "/dev/stdout"; print "c" | "cat"; close("cat"); print "d" }' 2>&1
  a
  b
  c
  d

$ gawk 'function f() { return g() } BEGIN { print "no call, no failure" }'; gawk 'BEGIN { print 1; x = g(2); print 3 }' 2>&1; echo a | gawk '{ print; g() }' 2>&1; gawk 'function f(a) { return g(a) } BEGIN { f(1) }' 2>&1; gawk 'BEGIN { f(1) } function g() { }' 2>&1
  no call, no failure
  1
  gawk: cmd. line:1: fatal: function `g' not defined
  a
  gawk: cmd. line:1: (FILENAME=- FNR=1) fatal: function `g' not defined
  gawk: cmd. line:1: fatal: function `g' not defined
  gawk: cmd. line:1: fatal: function `f' not defined
[2]

$ gawk 'BEGIN { TEXTDOMAIN = "guide"; print bindtextdomain("dir"), bindtextdomain("dir", "guide"); print dcgettext("text"), dcgettext("text", "guide"), dcgettext("text", "guide", "LC_TIME"); for (n = 0; n < 3; n++) print dcngettext("one", "many", n); print dcngettext("a", "b", 1, "guide", "LC_TIME"); f = "dcgettext"; print _"x", @f("called") }'
  dir dir
  text text text
  many
  one
  many
  a
  x called

$ gawk 'BEGIN { PROCINFO["NONFATAL"]; print "a" > "none/file"; print ERRNO; printf "b" > "none/file"; print "on" }' 2>&1; gawk 'BEGIN { PROCINFO["none/x", "NONFATAL"] = 1; print "a" > "none/x"; print ERRNO; print "a" > "none/y"; print "no" }' 2>&1
  No such file or directory
  on
  No such file or directory
  gawk: cmd. line:1: fatal: cannot redirect to `none/y': No such file or directory
[2]

$ gawk -v v=1 'BEGIN { for (i = 1; i < length(PROCINFO["argv"]); i++) print i, PROCINFO["argv"][i]; print isarray(PROCINFO["argv"]) }' one -- two
  1 -v
  2 v=1
  3 BEGIN { for (i = 1; i < length(PROCINFO["argv"]); i++) print i, PROCINFO["argv"][i]; print isarray(PROCINFO["argv"]) }
  4 one
  5 --
  6 two
  1

$ gawk 'BEGIN { printf "%#7.0g|%#.1g|%#.1G|%#.1g|%#g|%#.2g\n", -3.4567, 0, 10, 0.25, 0, 3 }'
      -3.|0.|1.E+01|0.2|0.00000|3.0

$ awk 'BEGIN { n = split("abc", a, //); print n, a[1], a[3]; n = split("aXbXc", a, /X/); print n }'
  3 a c
  3

$ awk 'BEGIN { n = split("a bb ccc", f); i = 0; while (i < n) s = s length(f[++i]) " "; print s i; m["x"][1] = "long"; print length(m["x"]), length(m["x"][j++ + 1]), j, length(none[1]), (1 in none) }'
  1 2 3 3
  1 4 1 0 1

$ awk 'BEGIN { a[1] = 1; a[2]["x"] = 2; print typeof(a[++i]), typeof(a[++i]), typeof(a[++i]), i, isarray(a[i--]), i, length(a) }'
  number array untyped 3 0 2 3

$ awk 'BEGIN { print "b\na" | "sort"; print "first" }'
  a
  b
  first

$ awk 'BEGIN { print "0"; print "b\na" | "sort"; print "first"; print "z" | "cat"; print "last" }'
  0
  first
  z
  a
  b
  last

$ awk 'BEGIN { print "x" | "cat"; print "first"; close("cat"); print "after" }'
  first
  x
  after

$ awk 'BEGIN { print "b" | "sort"; print "first"; fflush(); print "second"; exit 3 }'
  first
  b
  second
[3]

$ awk 'BEGIN { print "b" | "cat"; for (i = 0; i < 3; i++) print i > "/dev/stdout" }'
  0
  1
  2
  b

$ echo x | awk 'BEGIN { printf "[%s]", FILENAME } { printf "<%s>", FILENAME } END { printf "{%s}\n", FILENAME }'
  []<->{-}

$ echo x | awk 'BEGIN { getline; printf "[%s]", FILENAME } END { printf "{%s}\n", FILENAME }' x=1
  [-]{-}

$ echo x | gawk 'BEGINFILE { printf "<%s>", FILENAME } ENDFILE { printf "<%s>", FILENAME }'
  <-><->
\

$ gawk 'BEGIN { print mktime("99999999999999999999 1 1 0 0 0") }'
  -1

$ for p in 'BEGIN { print 1,' '{' 'BEGIN { do' '/a/,' 'BEGIN { if }'; do gawk "$p" 2>&1; done
  gawk: cmd. line:1: BEGIN { print 1,
  gawk: cmd. line:1:                 ^ unexpected newline or end of string
  gawk: cmd. line:1: {
  gawk: cmd. line:1:  ^ unexpected newline or end of string
  gawk: cmd. line:1: BEGIN { do
  gawk: cmd. line:1:           ^ unexpected newline or end of string
  gawk: cmd. line:1: /a/,
  gawk: cmd. line:1:     ^ unexpected newline or end of string
  gawk: cmd. line:1: BEGIN { if }
  gawk: cmd. line:1:            ^ syntax error
[1]
