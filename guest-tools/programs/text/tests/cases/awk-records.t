# The only rule asks for a pattern: records that it does not select are counted, and the last one is there at the end.
% seq 30000 > n; printf 'x y\nz w' > m

$ awk '/77$/ { n++ } END { print n, NR, FNR, $0, NF, FILENAME }' n
  300 30000 30000 30000 1 n

$ awk '/29999/ { print NR, FNR; getline; print NR, $0 } END { print NR, FNR }' n n
  29999 29999
  30000 30000
  59999 29999
  60000 30000
  60000 30000

$ awk '/^z/ { print NR, FNR, $2 } END { print NR, $0, NF }' n m n m
  30002 2 w
  60004 2 w
  60004 z w 2

$ awk '/nothing/; END { print NR, $0, NF }' n m
  30002 z w 2

$ awk '/5000$/ { NR = 7; print NR, FNR } END { print NR, FNR }' n
  7 5000
  7 15000
  7 25000
  5007 30000

$ awk '/999/ { if (FILENAME == "n") nextfile; print } END { print NR, FNR, $0 }' n m
  1001 2 z w

$ awk '/1/ { c++ } END { print c, NR }' n; awk '/./ { c++ } END { print c, NR }' n; awk '/^1.*[02468]$/ { c++ } END { print c, NR }' n
  16878 30000
  30000 30000
  5555 30000

$ printf 'a\n\nb' | awk '/^$/ { print NR } END { print NR, $0 }'; awk '/a|^$/ { print NR }' /dev/null
  2
  3 b

$ awk '/000$/ { $1 = "k"; print NR, $0 } END { print $0 }' n | cksum; awk 'BEGIN { while ((getline line < "m") > 0) k++ } /20000/ { print k, NR } END { print NR }' n
  599608684 233
  2 20000
  30000
