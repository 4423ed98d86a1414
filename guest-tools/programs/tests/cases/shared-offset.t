% seq 30000 > f; seq 5 > g

$ ( sed 1q; head -n 1 ) < f
  1
  2

$ ( sed -u 2q; sed -n '$p' ) < g
  1
  2
  5

$ ( sed -n '3{p;q}'; wc -l ) < f
  3
  29997

$ ( sed 2Q; cat ) < g
  1
  3
  4
  5

$ ( grep -m1 2; cat ) < g
  2
  3
  4
  5

$ ( grep -m2 -c 7; head -n 1 ) < f
  2
  18

$ ( grep -m1 -A1 2; cat ) < g
  2
  3
  3
  4
  5

$ cat g | ( sed 1q; cat )
  1

$ ( head -c 3; sed 1q; grep -m1 .; cat ) < g
  1
  2
  3
  4
  5
