% mkdir -p src/lib .hidden node empty; printf hello > a.txt; printf x > B.TXT; seq 1000 > src/main.rs; touch src/lib/x.py .hidden/h node/i .dot; printf 'node/\n' > .ignore; ln -s a.txt link; chmod 755 src/lib/x.py

$ fdfind
  B.TXT
  a.txt
  empty/
  link
  src/
  src/lib/
  src/lib/x.py
  src/main.rs

$ fdfind txt; fdfind TXT; fdfind -s txt; fdfind -i TXT
  B.TXT
  a.txt
  B.TXT
  a.txt
  B.TXT
  a.txt

$ fdfind -e rs; fdfind -e txt; fdfind '^a'; fdfind '\.py$'
  src/main.rs
  B.TXT
  a.txt
  a.txt
  src/lib/x.py

$ fdfind -t d; fdfind -t f; fdfind -t l; fdfind -t x; fdfind -t e
  empty/
  src/
  src/lib/
  B.TXT
  a.txt
  src/lib/x.py
  src/main.rs
  link
  src/lib/x.py
  empty/
  src/lib/x.py

$ fdfind -H; fdfind -I; fdfind -u
  .dot
  .hidden/
  .hidden/h
  .ignore
  B.TXT
  a.txt
  empty/
  link
  src/
  src/lib/
  src/lib/x.py
  src/main.rs
  B.TXT
  a.txt
  empty/
  link
  node/
  node/i
  src/
  src/lib/
  src/lib/x.py
  src/main.rs
  .dot
  .hidden/
  .hidden/h
  .ignore
  B.TXT
  a.txt
  empty/
  link
  node/
  node/i
  src/
  src/lib/
  src/lib/x.py
  src/main.rs

$ fdfind . src; fdfind x src; fdfind lib .
  src/lib/
  src/lib/x.py
  src/main.rs
  src/lib/x.py
  ./src/lib/

$ fdfind -g '*.rs'; fdfind -g '*.{rs,py}'; fdfind -F '.py'
  src/main.rs
  src/lib/x.py
  src/main.rs
  src/lib/x.py

$ fdfind -d 1; fdfind --min-depth 2; fdfind --exact-depth 2
  B.TXT
  a.txt
  empty/
  link
  src/
  src/lib/
  src/lib/x.py
  src/main.rs
  src/lib/
  src/main.rs

$ fdfind -E src; fdfind -E '*.py' -t f
  B.TXT
  a.txt
  empty/
  link
  B.TXT
  a.txt
  src/main.rs

$ fdfind -p 'src/.*py'; fdfind -0 a.txt | od -c
  src/lib/x.py
  0000000   .   /   a   .   t   x   t  \0
  0000010

$ fdfind -S +1k; fdfind -S -3b -t f; fdfind -q txt; echo $?; fdfind -q nothing; echo $?; fdfind nothing; echo $?
  src/main.rs
  B.TXT
  src/lib/x.py
  0
  1
  0

$ fdfind -e txt -x echo | sort; fdfind -e rs -x echo '{} {.} {/} {//} {/.}'; fdfind -e rs -X echo X; fdfind -e rs -x wc -l
  ./B.TXT
  ./a.txt
  ./src/main.rs src/main main.rs ./src main
  X ./src/main.rs
  1000 ./src/main.rs

$ touch -d '3 days ago' a.txt; fdfind --changed-before 1d; fdfind -t f --changed-within 1h
  a.txt
  B.TXT
  src/lib/x.py
  src/main.rs

$ fdfind '[' 2>/dev/null; echo $?; fdfind x nonexistent 2>/dev/null; echo $?; fdfind --nonsense 2>/dev/null; echo $?
  1
  1
  2

$ fdfind --prune -t d; fdfind --max-results 1 -e rs; fdfind --base-directory src; fdfind -L -t f link
  empty/
  src/
  src/main.rs
  lib/
  lib/x.py
  main.rs
  link

$ touch -d 2020-01-01 past; ln -s past leads; fdfind --changed-before 2021-01-01; fdfind -L --changed-before 2021-01-01
  past
  leads
  past
