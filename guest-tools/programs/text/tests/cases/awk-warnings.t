# What gawk warns of and refuses, and values at the edges of its functions.
% printf '1 2\nab 3b\n10 9\n' > f; printf 'BEGIN {\r\n\tprint "hello \\\r\nworld"\r\n\tprint \\\r\n\t\t"hi"\r\n}\r\n' > crlf.awk

$ gawk -f crlf.awk

$ gawk 'BEGIN { print "a\.b", "\q", "a+b" ~ "a\+b" }'

$ gawk -F '\|' -v 'x=a\.b' 'BEGIN { print x, FS }'

$ gawk 'BEGIN { print "b" ~ /\"/, "q" ~ "\\q", "8" ~ /\8/ }'

$ gawk 'BEGIN { print log(-1), sqrt(-4), exp(1000), gensub(/a/, "x", 0, "aa") }'

$ gawk 'BEGIN { print compl(0), compl(1), compl(255), xor(1, compl(0)), lshift(1, 63) }'

$ gawk 'BEGIN { print strtonum("0x1F"), strtonum("017"), strtonum(" 0x10"), strtonum("-0x10"), strtonum("017abc"), strtonum("08") }'

$ TZ=UTC gawk 'BEGIN { print mktime("2020 01 01 00 00 00 1"), strftime("%c|%x|%X|%r|%Z|%%c", 0, 1) }'

$ gawk 'BEGIN { while ((getline a[++c] < "f") > 0); print c, length(a), a[1] }'

$ gawk 'BEGIN { print typeof($0); $0 = ""; print typeof($0) }'

$ gawk 'BEGIN { RS = ""; FS = ":"; print split("a:b\nc:d", a), length(a[2]) }'

$ gawk 'BEGIN { IGNORECASE = 1; print index("ABC", "b"), index("xÉé", "é"), index("", ""), index("abc", "") }'

$ gawk 'BEGIN { print toupper("straße"), tolower("ÀÉ") }'

$ gawk 'BEGIN { printf "%2$s %s\n", "a", "b" }'

$ gawk 'BEGIN { printf "%s and %d\n", "a" }'

$ gawk 'BEGIN { printf; printf "%#.0o|%.0o|\n", 0, 0 }'

$ gawk 'BEGIN { if (0) print (4)/0 }'

$ gawk 'BEGIN { print 4 % 0 }'

$ gawk 'BEGIN { x /= 0 }'

$ gawk 'BEGIN { next }'

$ gawk 'function f() { nextfile } END { f() }' f

$ gawk 'BEGIN { return 1 }'

$ gawk 'BEGIN { NF = -1 }'

$ gawk 'function f(NR) { }'

$ gawk 'function v(a) { return a } BEGIN { print v(1, x = 2), x }'

$ gawk 'BEGIN { print "a" ~ /(/ }'

$ gawk 'BEGIN { print 1 +* 2 }'

$ gawk 'BEGIN { print index("abc", /b/) }'

$ gawk 'BEGIN { delete FUNCTAB["length"] }'

$ gawk 'BEGIN { FUNCTAB["x"] = 1 }'

$ gawk 'BEGIN { SYMTAB["nosuch"] = 1 }'

$ gawk 'BEGIN { print SYMTAB["PREC"], SYMTAB["ROUNDMODE"] }'

$ gawk -v 'x=@/a+/' 'BEGIN { print typeof(x), "caat" ~ x; sub(/a/, "e", x); print typeof(x), x }'

$ gawk 'BEGIN { FS = @/./; $0 = "abc"; print NF; RS = @/[0-9]/ } { n++ } END { print n }' f
