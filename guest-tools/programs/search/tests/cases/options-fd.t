# fd 8.6.0 of Debian 12.
% mkdir -p src/lib .hidden empty deep/a/b sub/src; printf hello > a.txt; printf x > B.TXT; seq 1000 > src/main.rs; touch src/lib/x.py src/lib/main_test.py .hidden/h deep/a/b/c.txt sub/src/z.rs .dot; printf '*.log\n' > .fdignore; touch x.log; ln -s src link; ln -s nope broken; chmod 755 src/lib/x.py
% unset LS_COLORS NO_COLOR; find . -exec touch -h -d 2020-02-03T04:05:06 {} +; touch -d 2021-01-01T00:00:00 src/main.rs; touch -d 2023-06-07T08:09:10 a.txt

$ fdfind main --and test; fdfind --and rs --and main ''; fdfind -g --and '*_test*' 'main*'; fdfind --and '^m' -e py; fdfind a --and B; fdfind --and '(' x 2>&1 | head -1
  src/lib/main_test.py
  src/main.rs
  src/lib/main_test.py
  src/lib/main_test.py
  [fd error]: regex parse error:

$ fdfind --changed-after 2021-06-01; fdfind --newer 2020-12-31T00:00:00 -t f; fdfind --changed-within 2021-01-01 -t f; fdfind --changed-after '2023-06-07 08:09:09'; fdfind --changed-after '2023-06-07 08:09:10'; fdfind --newer a.txt; fdfind --changed-after bogus 2>&1; fdfind --changed-within 100weeks; fdfind --changed-after=2021-01-01T00:00:00Z
  a.txt
  a.txt
  a.txt
  [fd error]: 'bogus' is not a valid date or duration. See 'fd --help'.
  a.txt

$ fdfind --older 2020-12-31 -e py; fdfind --changed-before 2021-06-01 -t f main; fdfind --older 2019-01-01; fdfind --older src/main.rs -t f; fdfind --changed-before 1h -t f src; fdfind --older nope 2>&1; fdfind --newer @1600000000 -t f
  src/lib/main_test.py
  src/lib/x.py
  src/lib/main_test.py
  src/main.rs
  [fd error]: 'nope' is not a valid date or duration. See 'fd --help'.
[1]

$ fdfind -H --no-hidden h; fdfind -H h; fdfind --no-hidden -H h; fdfind -H -t f; fdfind -u log; fdfind --unrestricted dot; fdfind -I log; fdfind --no-ignore --ignore log
  .hidden/
  .hidden/h
  .hidden/
  .hidden/h
  .dot
  .fdignore
  .hidden/h
  B.TXT
  a.txt
  deep/a/b/c.txt
  src/lib/main_test.py
  src/lib/x.py
  src/main.rs
  sub/src/z.rs
  x.log
  .dot
  x.log

$ mkdir .git; printf 'a.txt\n' > .gitignore; printf 'c.txt\n' > .ignore; fdfind txt; fdfind --no-ignore-vcs txt; fdfind -I txt; fdfind --no-ignore-vcs --ignore-vcs txt; cd deep; fdfind txt; fdfind --no-ignore-parent txt; fdfind --no-ignore txt
  B.TXT
  B.TXT
  a.txt
  B.TXT
  a.txt
  deep/a/b/c.txt
  B.TXT
  a/b/c.txt
  a/b/c.txt

$ printf 'a.txt\n' > .gitignore; fdfind txt; cd src; fdfind . ..; fdfind rs . ../sub
  B.TXT
  a.txt
  deep/a/b/c.txt
  ../B.TXT
  ../a.txt
  ../broken
  ../deep/
  ../deep/a/
  ../deep/a/b/
  ../deep/a/b/c.txt
  ../empty/
  ../link
  ../src/
  ../src/lib/
  ../src/lib/main_test.py
  ../src/lib/x.py
  ../src/main.rs
  ../sub/
  ../sub/src/
  ../sub/src/z.rs
  ./main.rs
  ../sub/src/z.rs

$ fdfind --one-file-system txt; fdfind --xdev txt; fdfind --mount txt src; fdfind --one-file-system
  B.TXT
  a.txt
  deep/a/b/c.txt
  B.TXT
  a.txt
  deep/a/b/c.txt
  B.TXT
  a.txt
  broken
  deep/
  deep/a/
  deep/a/b/
  deep/a/b/c.txt
  empty/
  link
  src/
  src/lib/
  src/lib/main_test.py
  src/lib/x.py
  src/main.rs
  sub/
  sub/src/
  sub/src/z.rs

$ fdfind -g --regex '^a\.'; fdfind --regex -g '*.rs'; fdfind -F --regex 'a.t'; fdfind --regex 'a.t'; fdfind -g '*.txt'; fdfind -g '**/lib/*' -p; fdfind -g 'src'; fdfind -g '[ab].*'; fdfind -F '.txt'; fdfind --literal '.'; fdfind --fixed-strings '['; fdfind -g '['  2>&1 | head -1; fdfind '[' 2>&1 | head -3
  a.txt
  src/main.rs
  sub/src/z.rs
  a.txt
  a.txt
  B.TXT
  a.txt
  deep/a/b/c.txt
  src/lib/main_test.py
  src/lib/x.py
  src/
  sub/src/
  B.TXT
  a.txt
  B.TXT
  a.txt
  deep/a/b/c.txt
  B.TXT
  a.txt
  deep/a/b/c.txt
  src/lib/main_test.py
  src/lib/x.py
  src/main.rs
  sub/src/z.rs
  [fd error]: error parsing glob '[': unclosed character class; missing ']'
  [fd error]: regex parse error:
      [
      ^

$ fdfind --search-path src; fdfind rs --search-path src --search-path sub; fdfind --search-path nope x 2>&1; fdfind --search-path ./src py; fdfind py src/; fdfind py ./src; fdfind py nope src 2>&1; fdfind . nope 2>&1
  src/lib/
  src/lib/main_test.py
  src/lib/x.py
  src/main.rs
  src/main.rs
  sub/src/z.rs
  [fd error]: Search path 'nope' is not a directory.
  [fd error]: No valid search paths given.
  ./src/lib/main_test.py
  ./src/lib/x.py
  src/lib/main_test.py
  src/lib/x.py
  ./src/lib/main_test.py
  ./src/lib/x.py
  [fd error]: Search path 'nope' is not a directory.
  src/lib/main_test.py
  src/lib/x.py
  [fd error]: Search path 'nope' is not a directory.
  [fd error]: No valid search paths given.
[1]

$ mkdir private; fdfind --show-errors -t d priv; fdfind -L --show-errors loop; ln -s .. src/loop; fdfind -L --show-errors loop src 2>&1 | sort; fdfind -L loop src 2>&1
  private/
  [fd error]: File system loop found: src/loop/link points to an ancestor src
  [fd error]: File system loop found: src/loop/src/loop points to an ancestor src/loop
  src/loop/
  src/loop/

$ fdfind -0 txt | tr '\0' '\n' | sort; fdfind -0 --strip-cwd-prefix txt | tr '\0' '\n' | sort; fdfind --print0 . src | tr '\0' '|'; fdfind --strip-cwd-prefix txt; fdfind txt -x echo | sort; fdfind --strip-cwd-prefix txt -x echo | sort; fdfind txt -X echo | tr ' ' '\n' | sort; fdfind --strip-cwd-prefix txt -X printf '%s\n' | sort
  ./B.TXT
  ./a.txt
  ./deep/a/b/c.txt
  B.TXT
  a.txt
  deep/a/b/c.txt
  src/lib/|src/lib/main_test.py|src/lib/x.py|src/main.rs|B.TXT
  a.txt
  deep/a/b/c.txt
  ./B.TXT
  ./a.txt
  ./deep/a/b/c.txt
  B.TXT
  a.txt
  deep/a/b/c.txt
  ./B.TXT
  ./a.txt
  ./deep/a/b/c.txt
  B.TXT
  a.txt
  deep/a/b/c.txt

$ fdfind -1 rs src; fdfind --max-results=1 -q rs; fdfind -1 nosuch; fdfind -1 -q txt; fdfind -1 main.rs; fdfind --max-results 0 -e py; fdfind --max-results x 2>&1 | head -1
  src/main.rs
  src/main.rs
  src/lib/main_test.py
  src/lib/x.py
  error: Invalid value 'x' for '--max-results <count>': invalid digit found in string

$ fdfind -a rs | sed "s|/.*/case|PWD|"; fdfind --absolute-path rs sub | sed "s|/.*/case|PWD|"; fdfind -a rs ./src ../case/sub | sed "s|/.*/case|PWD|"; fdfind -a --search-path src x.py -x echo | sed "s|/.*/case|PWD|"; cd src; fdfind -a z ../sub | sed "s|/.*/case|PWD|"
  PWD/src/main.rs
  PWD/sub/src/z.rs
  PWD/sub/src/z.rs
  PWD/src/main.rs
  PWD/sub/src/z.rs
  PWD/src/lib/x.py
  PWD/sub/src/z.rs

$ export LS_COLORS='di=01;34:ln=01;36:ex=01;32:*.txt=00;33:or=31'; fdfind --color always -t d; fdfind -c always txt; fdfind --color=always . src; fdfind -c never txt; fdfind -c auto txt; fdfind --color=always -t l; fdfind -c some txt 2>&1 | head -1; NO_COLOR=1 fdfind --color=always txt; fdfind -c always -0 txt | tr '\0' '\n'
  [1;34mdeep[0m[1;34m/[0m
  [1;34mdeep/[0m[1;34ma[0m[1;34m/[0m
  [1;34mdeep/a/[0m[1;34mb[0m[1;34m/[0m
  [1;34mempty[0m[1;34m/[0m
  [1;34msrc[0m[1;34m/[0m
  [1;34msrc/[0m[1;34mlib[0m[1;34m/[0m
  [1;34msub[0m[1;34m/[0m
  [1;34msub/[0m[1;34msrc[0m[1;34m/[0m
  [33mB.TXT[0m
  [33ma.txt[0m
  [1;34mdeep/a/b/[0m[33mc.txt[0m
  [1;34msrc/[0m[1;34mlib[0m[1;34m/[0m
  [1;34msrc/lib/[0mmain_test.py
  [1;34msrc/lib/[0m[1;32mx.py[0m
  [1;34msrc/[0mmain.rs
  B.TXT
  a.txt
  deep/a/b/c.txt
  B.TXT
  a.txt
  deep/a/b/c.txt
  [31mbroken[0m
  [1;36mlink[0m
  error: 'some' isn't a valid value for '--color <when>'
  [33mB.TXT[0m
  [33ma.txt[0m
  [1;34mdeep/a/b/[0m[33mc.txt[0m
  [1;34m./[0m[33mB.TXT[0m
  [1;34m./[0m[33ma.txt[0m
  [1;34m./deep/a/b/[0m[33mc.txt[0m

$ unset LS_COLORS; fdfind --color always . src; fdfind --color always -t l; fdfind --color always txt deep
  [38;5;81msrc/[0m[38;5;81mlib[0m[38;5;81m/[0m
  [38;5;81msrc/lib/[0m[38;5;48mmain_test.py[0m
  [38;5;81msrc/lib/[0m[1;38;5;203mx.py[0m
  [38;5;81msrc/[0m[38;5;48mmain.rs[0m
  [48;5;203;38;5;16mbroken[0m
  [38;5;203mlink[0m
  [38;5;81mdeep/a/b/[0m[38;5;185mc.txt[0m

$ fdfind -j 1 rs; fdfind --threads=3 txt; fdfind -j 0 rs 2>&1 | head -1; fdfind -j x rs 2>&1 | head -1; fdfind --threads=-1 rs 2>&1 | head -1
  src/main.rs
  sub/src/z.rs
  B.TXT
  a.txt
  deep/a/b/c.txt
  error: Invalid value '0' for '--threads <num>': 0 is not in 1..=4294967295
  error: Invalid value 'x' for '--threads <num>': invalid digit found in string
  error: Invalid value '-1' for '--threads <num>': -1 is not in 1..=4294967295

$ fdfind -t d -t l; fdfind --type file --type symlink --max-depth 1; fdfind -t e; fdfind -t x; fdfind -t s; fdfind -t p; fdfind -t q 2>&1 | head -2; fdfind -tx -td; fdfind -t e -t f; fdfind -td -te
  broken
  deep/
  deep/a/
  deep/a/b/
  empty/
  link
  src/
  src/lib/
  sub/
  sub/src/
  B.TXT
  a.txt
  broken
  link
  deep/a/b/c.txt
  empty/
  src/lib/main_test.py
  src/lib/x.py
  sub/src/z.rs
  src/lib/x.py
  error: 'q' isn't a valid value for '--type <filetype>'
    [possible values: file, directory, symlink, executable, empty, socket, pipe]
  deep/
  deep/a/
  deep/a/b/
  empty/
  src/
  src/lib/
  src/lib/x.py
  sub/
  sub/src/
  deep/a/b/c.txt
  src/lib/main_test.py
  src/lib/x.py
  sub/src/z.rs
  empty/

$ fdfind -S +1k; fdfind -S -2b -t f; fdfind --size 5b; fdfind -S 1b; fdfind -S +0b -S -10b; fdfind -S 1 2>&1; fdfind -S +1x 2>&1; fdfind -S +3ki; fdfind -S+3KB
  src/main.rs
  B.TXT
  deep/a/b/c.txt
  src/lib/main_test.py
  src/lib/x.py
  sub/src/z.rs
  a.txt
  B.TXT
  B.TXT
  a.txt
  deep/a/b/c.txt
  src/lib/main_test.py
  src/lib/x.py
  sub/src/z.rs
  error: Invalid value '1' for '--size <size>': '1' is not a valid size constraint. See 'fd --help'.
  
  For more information try '--help'
  error: Invalid value '+1x' for '--size <size>': '+1x' is not a valid size constraint. See 'fd --help'.
  
  For more information try '--help'
  src/main.rs
  src/main.rs

$ fdfind --min-depth 3; fdfind -d 1; fdfind --exact-depth 2; fdfind --min-depth 2 --max-depth 2 -t f; fdfind --maxdepth 1 -t d; fdfind -d 0; fdfind -d x 2>&1 | head -1; fdfind --exact-depth 2 --min-depth 1 2>&1 | head -1
  deep/a/b/
  deep/a/b/c.txt
  src/lib/main_test.py
  src/lib/x.py
  sub/src/z.rs
  B.TXT
  a.txt
  broken
  deep/
  empty/
  link
  src/
  sub/
  deep/a/
  src/lib/
  src/main.rs
  sub/src/
  src/main.rs
  deep/
  empty/
  src/
  sub/
  error: Invalid value 'x' for '--max-depth <depth>': invalid digit found in string
  error: The argument '--exact-depth <depth>' cannot be used with '--min-depth <depth>'

$ fdfind -E src; fdfind -E '*.py' . src; fdfind --exclude lib --exclude '*.txt'; fdfind -E '/src' main; fdfind -E 'src/lib'; fdfind --prune src; fdfind --prune '^(src|lib)$'
  B.TXT
  a.txt
  broken
  deep/
  deep/a/
  deep/a/b/
  deep/a/b/c.txt
  empty/
  link
  sub/
  src/lib/
  src/main.rs
  B.TXT
  broken
  deep/
  deep/a/
  deep/a/b/
  empty/
  link
  src/
  src/main.rs
  sub/
  sub/src/
  sub/src/z.rs
  B.TXT
  a.txt
  broken
  deep/
  deep/a/
  deep/a/b/
  deep/a/b/c.txt
  empty/
  link
  src/
  src/main.rs
  sub/
  sub/src/
  sub/src/z.rs
  src/
  sub/src/
  src/
  sub/src/

$ fdfind -p 'src/.*py'; fdfind -p '/case/a'; fdfind --full-path -g '**/src/*.rs'; fdfind -p '^src'; fdfind 'src/lib' 2>&1 | head -2; fdfind -e .py; fdfind -e PY; fdfind -e '' ; fdfind -e tar.gz; fdfind -e py -e rs; fdfind -e txt '^a'; fdfind -q txt; fdfind -q zzz; fdfind --has-results txt; fdfind --quiet --max-results 1 txt 2>&1 | head -1
  src/lib/main_test.py
  src/lib/x.py
  a.txt
  src/main.rs
  sub/src/z.rs
  [fd error]: The search pattern 'src/lib' contains a path-separation character ('/') and will not lead to any search results.
  
  src/lib/main_test.py
  src/lib/x.py
  src/lib/main_test.py
  src/lib/x.py
  src/lib/main_test.py
  src/lib/x.py
  src/main.rs
  sub/src/z.rs
  a.txt
  error: The argument '--quiet' cannot be used with '--max-results <count>'

$ fdfind -x echo {} {/} {//} {.} {/.} \; -e py | sort; fdfind -e py -x printf '%s\n' 'x{}y' | sort; fdfind a.txt -X printf '%s,' {/}; fdfind . src/lib -x echo {//}; fdfind a.txt -x false; fdfind zzz -x false; fdfind a.txt -x nosuchcommand 2>&1; fdfind -e rs -x; fdfind a.txt -x echo 1 \; -x echo 2; fdfind a.txt -x cat; fdfind -e txt -X false; fdfind txt --batch-size=1 -X echo | sort; fdfind txt --batch-size=2 -X echo | wc -l; fdfind zzz -X echo none; fdfind a.txt --exec-batch ls; fdfind a.txt --exec ls {} {/}
  ./src/lib/main_test.py main_test.py ./src/lib src/lib/main_test main_test
  ./src/lib/x.py x.py ./src/lib src/lib/x x
  x./src/lib/main_test.pyy
  x./src/lib/x.pyy
  a.txt,src/lib
  src/lib
  [fd error]: Command not found: nosuchcommand
  1 ./a.txt
  2 ./a.txt
  hello./B.TXT
  ./a.txt
  ./deep/a/b/c.txt
  2
  ./a.txt
  ./a.txt
  a.txt

$ fdfind --base-directory src; fdfind --base-directory src -e py -x echo | sort; fdfind --base-directory nope 2>&1; fdfind --base-directory src -a x.py | sed "s|/.*/case|PWD|"; fdfind --base-directory src . lib; fdfind -C src rs
  lib/
  lib/main_test.py
  lib/x.py
  main.rs
  ./lib/main_test.py
  ./lib/x.py
  [fd error]: The '--base-directory' path 'nope' is not a directory.
  PWD/src/lib/x.py
  lib/main_test.py
  lib/x.py
[2]

$ fdfind -s TXT; fdfind -i B.txt; fdfind B; fdfind b; fdfind -s -i TXT; fdfind -i -s TXT; fdfind --ignore-case MAIN; fdfind -g '*.TXT'; fdfind -g -i '*.TXT'; fdfind -V | cut -d' ' -f1; fdfind x.py | cat -A
  B.TXT
  B.TXT
  B.TXT
  B.TXT
  broken
  deep/a/b/
  src/lib/
  sub/
  B.TXT
  a.txt
  deep/a/b/c.txt
  B.TXT
  src/lib/main_test.py
  src/main.rs
  B.TXT
  B.TXT
  a.txt
  deep/a/b/c.txt
  fdfind
  src/lib/x.py$

$ fdfind -l a.txt | cut -d' ' -f1,5-; fdfind --list-details -e py | tr -s ' ' | cut -d' ' -f1,5-; fdfind -l zzz; printf 'a.txt\n' > ign; fdfind txt --ignore-file ign; fdfind --path-separator=+ py src; fdfind --relative-path -a x.py | sed 's|/.*/case|PWD|'; fdfind --change-newer-than 2021-06-01; fdfind --change-older-than 2021-06-01 -e rs; fdfind -h | grep -c -i usage; fdfind -V x | grep -c txt; fdfind 'src/lib' 2>&1 | head -3
  -rw-r--r-- 5 Jun  7  2023 ./a.txt
  -rw-r--r-- 0 Feb 3 2020 ./src/lib/main_test.py
  -rwxr-xr-x 0 Feb 3 2020 ./src/lib/x.py
  B.TXT
  deep/a/b/c.txt
  src+lib+main_test.py
  src+lib+x.py
  PWD/src/lib/x.py
  a.txt
  ign
  src/main.rs
  sub/src/z.rs
  1
  0
  [fd error]: The search pattern 'src/lib' contains a path-separation character ('/') and will not lead to any search results.
  
  If you want to search for all files inside the 'src/lib' directory, use a match-all pattern:

$ fdfind -L -t l; fdfind -L -t d --max-depth 1; fdfind -L -t f --max-depth 2; fdfind --no-follow -L -t l; fdfind -L --no-follow -t l
  broken
  deep/
  empty/
  link/
  src/
  sub/
  B.TXT
  a.txt
  link/main.rs
  src/main.rs
  broken
  broken
  link
