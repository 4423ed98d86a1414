% seq 30000 > f; seq 5 > g

$ ( sed 1q; head -n 1 ) < f

$ ( sed -u 2q; sed -n '$p' ) < g

$ ( sed -n '3{p;q}'; wc -l ) < f

$ ( sed 2Q; cat ) < g

$ ( grep -m1 2; cat ) < g

$ ( grep -m2 -c 7; head -n 1 ) < f

$ ( grep -m1 -A1 2; cat ) < g

$ { env head -n 2; cat; } < g

$ cat g | ( sed 1q; cat )

$ ( head -c 3; sed 1q; grep -m1 .; cat ) < g
