# What gawk warns of and refuses, and values at the edges of its functions.
% printf '1 2\nab 3b\n10 9\n' > f; printf 'BEGIN {\r\n\tprint "hello \\\r\nworld"\r\n\tprint \\\r\n\t\t"hi"\r\n}\r\n' > crlf.awk

$ gawk -f crlf.awk 2>&1
  hello world
  hi

$ gawk 'BEGIN { print "a\.b", "\q", "a+b" ~ "a\+b" }' 2>&1
  gawk: cmd. line:1: warning: escape sequence `\.' treated as plain `.'
  gawk: cmd. line:1: warning: escape sequence `\q' treated as plain `q'
  gawk: cmd. line:1: warning: escape sequence `\+' treated as plain `+'
  a.b q 0

$ gawk -F '\|' -v 'x=a\.b' 'BEGIN { print x, FS }' 2>&1
  gawk: warning: escape sequence `\|' treated as plain `|'
  gawk: warning: escape sequence `\.' treated as plain `.'
  a.b |

$ gawk 'BEGIN { print "b" ~ /\"/, "q" ~ "\\q", "8" ~ /\8/ }' 2>&1
  gawk: cmd. line:1: warning: regexp escape sequence `\"' is not a known regexp operator
  gawk: cmd. line:1: warning: regexp escape sequence `\8' treated as plain `8'
  gawk: cmd. line:1: warning: regexp escape sequence `\q' is not a known regexp operator
  0 1 1

$ gawk 'BEGIN { print log(-1), sqrt(-4), exp(1000), gensub(/a/, "x", 0, "aa") }' 2>&1
  gawk: cmd. line:1: warning: log: received negative argument -1
  gawk: cmd. line:1: warning: sqrt: received negative argument -4
  gawk: cmd. line:1: warning: exp: argument 1000 is out of range
  gawk: cmd. line:1: warning: gensub: third argument `0' treated as 1
  -nan -nan +inf xa

$ gawk 'BEGIN { print compl(0), compl(1), compl(255), xor(1, compl(0)), lshift(1, 63) }' 2>&1
  9007199254740991 18014398509481982 2305843009213693696 9007199254740990 9223372036854775808

$ gawk 'BEGIN { print strtonum("0x1F"), strtonum("017"), strtonum(" 0x10"), strtonum("-0x10"), strtonum("017abc"), strtonum("08") }' 2>&1
  31 15 0 0 15 8

$ TZ=UTC gawk 'BEGIN { print mktime("2020 01 01 00 00 00 1"), strftime("%c|%x|%X|%r|%Z|%%c", 0, 1) }' 2>&1
  1577833200 Thu Jan  1 00:00:00 1970|01/01/70|00:00:00|12:00:00 AM|GMT|%c

$ gawk 'BEGIN { while ((getline a[++c] < "f") > 0); print c, length(a), a[1] }' 2>&1
  4 4 1 2

$ gawk 'BEGIN { print typeof($0); $0 = ""; print typeof($0) }' 2>&1
  unassigned
  string

$ gawk 'BEGIN { RS = ""; FS = ":"; print split("a:b\nc:d", a), length(a[2]) }' 2>&1
  3 3

$ gawk 'BEGIN { IGNORECASE = 1; print index("ABC", "b"), index("xÉé", "é"), index("", ""), index("abc", "") }' 2>&1
  2 2 1 1

$ gawk 'BEGIN { print toupper("straße"), tolower("ÀÉ") }' 2>&1
  STRAßE àé

$ gawk 'BEGIN { printf "%2$s %s\n", "a", "b" }' 2>&1
  gawk: cmd. line:1: fatal: must use `count$' on all formats or none
[2]

$ gawk 'BEGIN { printf "%s and %d\n", "a" }' 2>&1
  gawk: cmd. line:1: fatal: not enough arguments to satisfy format string
  	`%s and %d
  '
  	        ^ ran out for this one
[2]

$ gawk 'BEGIN { printf "%#.0o|%.0o|\n", 0, 0 }' 2>&1
  0||

$ gawk 'BEGIN { if (0) print (4)/0 }' 2>&1
  gawk: cmd. line:1: error: division by zero attempted
[1]

$ gawk 'BEGIN { print 4 % 0 }' 2>&1
  gawk: cmd. line:1: error: division by zero attempted in `%'
[1]

$ gawk 'BEGIN { x /= 0 }' 2>&1
  gawk: cmd. line:1: fatal: division by zero attempted in `/='
[2]

$ gawk 'BEGIN { next }' 2>&1
  gawk: cmd. line:1: error: `next' used in BEGIN action
[1]

$ gawk 'function f() { nextfile } END { f() }' f 2>&1
  gawk: cmd. line:1: (FILENAME=f FNR=3) fatal: `nextfile' cannot be called from a `END' rule
[2]

$ gawk 'BEGIN { return 1 }' 2>&1
  gawk: cmd. line:1: BEGIN { return 1 }
  gawk: cmd. line:1:         ^ `return' used outside function context
[1]

$ gawk 'BEGIN { NF = -1 }' 2>&1
  gawk: cmd. line:1: fatal: NF set to negative value
[2]

$ gawk 'function f(NR) { }' 2>&1
  gawk: cmd. line:1: error: function `f': cannot use special variable `NR' as a function parameter
[1]

$ gawk 'function v(a) { return a } BEGIN { print v(1, x = 2), x }' 2>&1
  gawk: cmd. line:1: warning: function `v' called with more arguments than declared
  1 2

$ gawk 'BEGIN { print "a" ~ /(/ }' 2>&1
  gawk: cmd. line:1: error: Unmatched ( or \(: /(/
[1]

$ gawk 'BEGIN { print 1 +* 2 }' 2>&1
  gawk: cmd. line:1: BEGIN { print 1 +* 2 }
  gawk: cmd. line:1:                  ^ syntax error
[1]

$ gawk 'BEGIN { print index("abc", /b/) }' 2>&1
  gawk: cmd. line:1: fatal: index: regexp constant as second argument is not allowed
[2]

$ gawk 'BEGIN { delete FUNCTAB["length"] }' 2>&1
  gawk: cmd. line:1: fatal: `delete' is not allowed with FUNCTAB
[2]

$ gawk 'BEGIN { FUNCTAB["x"] = 1 }' 2>&1
  gawk: cmd. line:1: fatal: cannot assign to elements of FUNCTAB
[2]

$ gawk 'BEGIN { SYMTAB["nosuch"] = 1 }' 2>&1
  gawk: cmd. line:1: fatal: cannot assign to arbitrary elements of SYMTAB
[2]

$ gawk 'BEGIN { print SYMTAB["PREC"], SYMTAB["ROUNDMODE"] }' 2>&1
  53 N

$ gawk -v 'x=@/a+/' 'BEGIN { print typeof(x), "caat" ~ x; sub(/a/, "e", x); print typeof(x), x }' 2>&1
  regexp 1
  regexp e+

$ gawk 'BEGIN { FS = @/./; $0 = "abc"; print NF; RS = @/[0-9]/ } { n++ } END { print n }' f 2>&1
  4
  7

$ gawk 'BEGIN { print 1; printf; print 2 }' 2>&1
  1
  gawk: cmd. line:1: fatal: printf: no arguments
[2]

$ gawk 'BEGIN { switch (5) { case "5": print "s"; break; case 5: print "n" } }' 2>&1
  gawk: cmd. line:1: error: duplicate case values in switch body: 5
[1]

$ gawk 'BEGIN { switch (1) { default: print 1; default: print 2 } }' 2>&1
  gawk: cmd. line:1: error: duplicate `default' detected in switch body
[1]

$ gawk 'BEGIN { print "x" ~ /[/ }' 2>&1
  gawk: cmd. line:1: BEGIN { print "x" ~ /[/ }
  gawk: cmd. line:1:                      ^ unterminated regexp
[1]
