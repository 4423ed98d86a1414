# Options of what searches, compares and packs.
% exec 2>&1
% printf 'Hello world\nfoo bar\nhello again\nfoobar\nx.y\n' > f; printf 'foo\nbar\n' > p; mkdir -p d/s; printf 'foo in c\n' > d/a.c; printf 'foo in h\n' > d/s/b.h; printf 'bin\0foo\n' > b; printf 'one\ntwo\nthree\n' > x; printf 'one\n2\nthree\nfour\n' > y; touch -d '2020-01-01' f p x y d/a.c d/s/b.h b

$ grep foo f; grep -i hello f; grep -v foo f; grep -c foo f; grep -n foo f; grep -o 'fo*' f; grep -w foo f; grep -x foobar f; grep -E 'foo|x' f; grep -F x.y f; grep -G 'fo\{2\}' f; grep -P 'fo(?=o)' f; grep -e foo -e x f; grep -f p f; grep -q foo f; echo $?; grep -q zzz f; echo $?; grep -m 1 foo f; grep -b foo f; grep -ob foo f; grep -H foo f; grep -h foo f p; grep -l foo f p x; grep -L foo f p x; grep -s foo nosuch; echo $?; grep foo nosuch; grep -y HELLO f; grep --no-ignore-case -i hello f
  foo bar
  foobar
  Hello world
  hello again
  Hello world
  hello again
  x.y
  2
  2:foo bar
  4:foobar
  foo
  foo
  foo bar
  foobar
  foo bar
  foobar
  x.y
  x.y
  foo bar
  foobar
  foo bar
  foobar
  foo bar
  foobar
  x.y
  foo bar
  foobar
  0
  1
  foo bar
  12:foo bar
  32:foobar
  12:foo
  32:foo
  f:foo bar
  f:foobar
  foo bar
  foobar
  foo
  f
  p
  x
  2
  grep: nosuch: No such file or directory
  Hello world
  hello again
  Hello world
  hello again

$ grep -A1 bar f; grep -B1 again f; grep -C1 again f; grep -1 again f; grep -A 1 -n hello f; grep --group-separator=xx -A0 foo f; grep --no-group-separator -A0 foo f; grep -T foo f; grep -Tn foo f; grep -Z -l foo f p | tr '\0' '!'; echo; grep -z foo b | tr '\0' '!'; echo; grep foo b; grep -a foo b | tr '\0' '!'; grep --binary-files=without-match foo b; echo $?; grep -I foo b; grep --binary-files=text -c foo b; grep -U foo f; grep -nb foo f; grep --label=in -H foo < f; grep --color=always foo f; grep --colour=always -n o p; grep --color=never foo f; grep --line-buffered foo f; grep --null -c foo f | tr '\0' '!'
  foo bar
  hello again
  foobar
  x.y
  foo bar
  hello again
  foo bar
  hello again
  foobar
  foo bar
  hello again
  foobar
  3:hello again
  4-foobar
  foo bar
  xx
  foobar
  foo bar
  foobar
  foo bar
  foobar
   2:	foo bar
   4:	foobar
  f!p!
  foo
  !
  grep: b: binary file matches
  bin!foo
  1
  1
  foo bar
  foobar
  2:12:foo bar
  4:32:foobar
  in:foo bar
  in:foobar
  [01;31m[Kfoo[m[K bar
  [01;31m[Kfoo[m[Kbar
  [32m[K1[m[K[36m[K:[m[Kf[01;31m[Ko[m[K[01;31m[Ko[m[K
  foo bar
  foobar
  foo bar
  foobar
  2

$ grep -r foo d | sort; grep -R foo d | sort; grep -rl foo d | sort; grep -r --include='*.c' foo .; grep -r --exclude='*.c' foo d; grep -r --exclude-dir=s foo d; grep -rn foo d/s; grep -rc foo d | sort; grep -rh foo d | sort; echo '*.c' > ex; grep -r --exclude-from=ex foo d; grep foo d; grep -d skip foo d f; grep -d read foo d; grep -d recurse foo d | sort; grep -D skip foo f; grep --directories=skip foo d; grep -s foo d; grep foo d f; echo $?; grep -ro foo d | sort; cd d; grep -r foo | sort; grep -rL foo . ; grep -rZl foo . | tr '\0' '\n' | sort; grep -r nosuchpattern .; echo $?
  d/a.c:foo in c
  d/s/b.h:foo in h
  d/a.c:foo in c
  d/s/b.h:foo in h
  d/a.c
  d/s/b.h
  ./d/a.c:foo in c
  d/s/b.h:foo in h
  d/a.c:foo in c
  d/s/b.h:1:foo in h
  d/a.c:1
  d/s/b.h:1
  foo in c
  foo in h
  d/s/b.h:foo in h
  grep: d: Is a directory
  f:foo bar
  f:foobar
  grep: d: Is a directory
  d/a.c:foo in c
  d/s/b.h:foo in h
  foo bar
  foobar
  grep: d: Is a directory
  f:foo bar
  f:foobar
  2
  d/a.c:foo
  d/s/b.h:foo
  a.c:foo in c
  s/b.h:foo in h
  ./a.c
  ./s/b.h
  1

$ grep -E '(' f; grep 'a\{1' f; grep --nope f; grep -m x foo f; grep -A x foo f; grep '' x; grep -c '' x; grep -v '' x; echo $?; grep '^' x; grep '$' x | wc -l; grep 'o\b' f; grep '\<foo\>' f; grep '\w\+' -o p; grep '[[:upper:]]' f; grep -o '[[:digit:]]' y; grep -E 'o{2}' f; grep -E '^(foo|x)' f; grep '\(o\)\1' f; grep -E '(.)\1' f; grep -w '' x; grep -x '' x; grep --max-count=1 --line-number --with-filename foo f; grep -m0 foo f; echo $?; grep -Eo '[a-z]+' x; grep --binary-files=x foo f
  grep: Unmatched ( or \(
  grep: Unmatched \{
  grep: unrecognized option '--nope'
  Usage: grep [OPTION]... PATTERNS [FILE]...
  Try 'grep --help' for more information.
  grep: invalid max count
  grep: x: invalid context length argument
  one
  two
  three
  3
  1
  one
  two
  three
  3
  Hello world
  foo bar
  hello again
  foo bar
  foo
  bar
  Hello world
  2
  foo bar
  foobar
  foo bar
  foobar
  x.y
  foo bar
  foobar
  Hello world
  foo bar
  hello again
  foobar
  f:2:foo bar
  1
  one
  two
  three
  grep: unknown binary-files type
[2]

$ egrep 'foo|x' f; fgrep 'x.y' f; gzip -k f; zcat f.gz | head -1; grep -on '' x; grep -c foo f p; grep -vc foo f p; grep -e 'a' -- f; grep -- -x f; grep -ie HELLO f; grep -nir foo d | sort; grep -Fx 'foo bar' f; grep -Fw foo f; grep -Ff p f; grep -oE 'o+' f | sort | uniq -c; grep -L zzz x; echo $?; grep -lv foo f; grep -oi hello f; grep -ow foo f; grep -vn foo f; grep -xv foobar f; grep -P '\d' y; grep -P '^\s*$' x; grep -oP 'f\Koo' f; grep -Pi HELLO f; grep -Po '(?<=f)o+' f
  foo bar
  foobar
  x.y
  x.y
  Hello world
  f:2
  p:1
  f:3
  p:1
  foo bar
  hello again
  foobar
  Hello world
  hello again
  d/a.c:1:foo in c
  d/s/b.h:1:foo in h
  foo bar
  foo bar
  foo bar
  foobar
        3 o
        2 oo
  x
  1
  f
  Hello
  hello
  foo
  1:Hello world
  3:hello again
  5:x.y
  Hello world
  foo bar
  hello again
  x.y
  2
  oo
  oo
  Hello world
  hello again
  oo
  oo

$ diff x y; diff -q x y; diff -s x x; diff -u x y | tail -n +3; diff -c x y | tail -n +3; diff -e x y; diff -n x y; diff -y -W 30 x y; diff -y --left-column -W 30 x y; diff -y --suppress-common-lines -W 30 x y; diff --normal x y; diff -U 0 x y | tail -n +3; diff -C 1 x y | tail -n +3; diff -u --label A --label B x y; diff -uL A -L B x y; diff --brief x y; diff -i <(echo A) <(echo a); diff -w <(echo 'a  b') <(echo ab); diff -b <(echo 'a  b') <(echo 'a b'); diff -B <(printf 'a\n\nb\n') <(printf 'a\nb\n'); diff -E <(printf 'a\tb\n') <(echo 'a       b'); diff -Z <(echo 'a ') <(echo a); diff -I '^t' <(echo t1) <(echo t2); diff -a b b; diff --strip-trailing-cr <(printf 'a\r\n') <(echo a); diff -t <(printf 'a\tb\n') <(echo c); diff -T x y; diff --tabsize=4 -t <(printf 'a\tb\n') <(echo c); diff -d x y; diff -H x y > /dev/null; echo $?; diff --horizon-lines=1 x y > /dev/null; echo $?
  2c2
  < two
  ---
  > 2
  3a4
  > four
  Files x and y differ
  Files x and x are identical
  @@ -1,3 +1,4 @@
   one
  -two
  +2
   three
  +four
  ***************
  *** 1,3 ****
    one
  ! two
    three
  --- 1,4 ----
    one
  ! 2
    three
  + four
  3a
  four
  .
  2c
  2
  .
  d2 1
  a2 1
  2
  a3 1
  four
  one		one
  two	      |	2
  three		three
  	      >	four
  one	      (
  two	      |	2
  three	      (
  	      >	four
  two	      |	2
  	      >	four
  2c2
  < two
  ---
  > 2
  3a4
  > four
  @@ -2 +2 @@
  -two
  +2
  @@ -3,0 +4 @@
  +four
  ***************
  *** 1,3 ****
    one
  ! two
    three
  --- 1,4 ----
    one
  ! 2
    three
  + four
  --- A
  +++ B
  @@ -1,3 +1,4 @@
   one
  -two
  +2
   three
  +four
  --- A
  +++ B
  @@ -1,3 +1,4 @@
   one
  -two
  +2
   three
  +four
  Files x and y differ
  1c1
  < a       b
  ---
  > c
  2c2
  <	two
  ---
  >	2
  3a4
  >	four
  1c1
  < a   b
  ---
  > c
  2c2
  < two
  ---
  > 2
  3a4
  > four
  1
  1

$ cp -r d e; echo changed > e/a.c; echo new > e/n; diff d e; diff -r d e; diff -rq d e; diff -N d/n e/n; diff -rN d e; diff -r --unidirectional-new-file d e | head -3; diff -rx '*.c' d e; echo n > xx; diff -rX xx d e; diff -rS b.h d e; diff nosuch x; diff x; diff x y z; diff -r d nosuch; diff d x; diff b x; diff -p <(printf 'f() {\na\nb\nc\nd\ne\n') <(printf 'f() {\na\nb\nc\nd\nE\n') | tail -n +3; diff -F '^f' -u <(printf 'f1\na\nb\nc\nd\ne\n') <(printf 'f1\na\nb\nc\nd\nE\n') | tail -n +3; diff --color=always x y; diff --color=never x y; diff -l x x; diff --no-dereference x x; diff --suppress-blank-empty -u x x; diff --ignore-file-name-case -r d d; diff --nope x y; diff -u x <(printf 'one\ntwo\nthree') | tail -n +3; diff --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-tab-expansion --ignore-trailing-space --text --minimal --speed-large-files --expand-tabs x x; diff --side-by-side --width=20 x y; diff --rcs x y; diff --ed x y; diff --context=0 x y | tail -n +3; diff --unified=1 x y | tail -n +3
  diff d/a.c e/a.c
  1c1
  < foo in c
  ---
  > changed
  Only in e: n
  Common subdirectories: d/s and e/s
  diff -r d/a.c e/a.c
  1c1
  < foo in c
  ---
  > changed
  Only in e: n
  Files d/a.c and e/a.c differ
  Only in e: n
  0a1
  > new
  diff -rN d/a.c e/a.c
  1c1
  < foo in c
  ---
  > changed
  diff -rN d/n e/n
  0a1
  > new
  diff -r --unidirectional-new-file d/a.c e/a.c
  1c1
  < foo in c
  Only in e: n
  diff -rX xx d/a.c e/a.c
  1c1
  < foo in c
  ---
  > changed
  Only in e: n
  diff: nosuch: No such file or directory
  diff: missing operand after 'x'
  diff: Try 'diff --help' for more information.
  diff: extra operand 'z'
  diff: Try 'diff --help' for more information.
  diff: nosuch: No such file or directory
  diff: d/x: No such file or directory
  Binary files b and x differ
  *************** a
  *** 3,6 ****
    b
    c
    d
  ! e
  --- 3,6 ----
    b
    c
    d
  ! E
  @@ -3,4 +3,4 @@ f1
   b
   c
   d
  -e
  +E
  [36m2c2[0m
  [31m< two[0m
  ---
  [32m> 2[0m
  [36m3a4[0m
  [32m> four[0m
  2c2
  < two
  ---
  > 2
  3a4
  > four
  diff: unrecognized option '--nope'
  diff: Try 'diff --help' for more information.
  @@ -1,3 +1,3 @@
   one
   two
  -three
  +three
  \ No newline at end of file
  one	one
  two   |	2
  three	three
        >	four
  d2 1
  a2 1
  2
  a3 1
  four
  3a
  four
  .
  2c
  2
  .
  ***************
  *** 2 ****
  ! two
  --- 2 ----
  ! 2
  ***************
  *** 3 ****
  --- 4 ----
  + four
  @@ -1,3 +1,4 @@
   one
  -two
  +2
   three
  +four

$ cmp x y; cmp -l x y 2>/dev/null; cmp -lb x y 2>/dev/null; cmp -s x y; echo $?; cmp -b x y; cmp -n 3 x y; cmp -i 4 x y; cmp x x; cmp x nosuch; cmp --bytes=5 x y; cmp --ignore-initial=2:3 x y; cmp --verbose x y 2>/dev/null | head -1; cmp --silent x x; echo $?; cmp --print-bytes x y; cmp x; cmp x - < x; cmp --quiet x y; echo $?; cmp x <(head -c 3 x); sdiff -w 30 x y; sdiff -s x y; sdiff -i -w 30 x x
  x y differ: byte 5, line 2
   5 164  62
   6 167  12
   7 157 164
   8  12 150
   9 164 162
  10 150 145
  11 162 145
  12 145  12
  13 145 146
  14  12 157
   5 164 t     62 2
   6 167 w     12 ^J
   7 157 o    164 t
   8  12 ^J   150 h
   9 164 t    162 r
  10 150 h    145 e
  11 162 r    145 e
  12 145 e     12 ^J
  13 145 e    146 f
  14  12 ^J   157 o
  1
  x y differ: byte 5, line 2 is 164 t  62 2
  x y differ: byte 1, line 1
  cmp: nosuch: No such file or directory
  x y differ: byte 5, line 2
  x y differ: byte 1, line 1
   5 164  62
  0
  x y differ: byte 5, line 2 is 164 t  62 2
  cmp: EOF on - which is empty
  1
  cmp: EOF on /dev/fd/63 after byte 3, in line 1
  one		one
  two	      |	2
  three		three
  	      >	four
  two							      |	2
  							      >	four
  one		one
  two		two
  three		three

$ xargs < x; xargs -n 1 < x; xargs -I {} echo '[{}]' < x; xargs -L 2 < x; printf 'a\0b c\0' | xargs -0 -n1; xargs -d '\n' -n 2 echo < x; xargs -t echo < x; xargs -r echo none < /dev/null; xargs echo some < /dev/null; xargs -a x echo; xargs -E two < x; xargs -s 20 echo < x; xargs -P 2 -n 1 < x | sort; xargs -x -n 2 -s 30 echo < x; xargs -i echo '<{}>' < x; xargs --null < /dev/null; xargs --max-args=1 --verbose echo < p; xargs sh -c 'exit 3' < x; echo $?; xargs sh -c 'exit 255' < x; echo $?; xargs nosuchcmd < x; echo $?; echo "a 'b c' d\\ e" | xargs -n1; printf 'a b\n' | xargs -I% echo %-%; xargs --replace=R echo R < p; xargs --delimiter=o < p; xargs --eof=bar < p; xargs --max-lines=1 < p; xargs --max-procs=1 --no-run-if-empty < p; xargs --arg-file=p --process-slot-var=S sh -c 'echo $S' ; xargs -l < p; xargs -e < p; xargs --max-chars=30 < p; xargs --exit -n 1 < p; xargs -0 nosuch < p; xargs --nope
  one two three
  one
  two
  three
  [one]
  [two]
  [three]
  one two
  three
  a
  b c
  one two
  three
  echo one two three
  one two three
  some
  one two three
  one
  one two three
  one
  three
  two
  one two
  three
  <one>
  <two>
  <three>
  
  echo foo
  foo
  echo bar
  bar
  123
  xargs: sh: exited with status 255; aborting
  124
  xargs: nosuchcmd: No such file or directory
  127
  a
  b c
  d e
  a b-a b
  foo
  bar
  f  
  bar
  
  foo
  foo
  bar
  foo bar
  0
  foo
  bar
  foo bar
  foo bar
  foo
  bar
  xargs: nosuch: No such file or directory
  xargs: unrecognized option '--nope'
  Try 'xargs --help' for more information.
[1]

$ find d | sort; find d -name '*.c'; find d -iname '*.C'; find d -type f | sort; find d -type d | sort; find d -maxdepth 1 | sort; find d -mindepth 1 | sort; find d -path '*s*' | sort; find . -empty | sort; find d -size -1k; find d -size +0 -type f | sort; find d -newer nosuch; find d -name '*.h' -print0 | tr '\0' '!'; echo; find d -printf '%p %f %h %y %d %s\n' | sed 's/d \([0-9]\) [0-9]*$/d \1/' | sort; find d -exec echo {} \; | sort; find d -type f -exec echo {} + | tr ' ' '\n' | sort | head -1; find d -name s -prune -o -print | sort; find d ! -name '*.c' | sort; find d -not -type d | sort; find d \( -name a.c -o -name b.h \) | sort; find d -name a.c -a -type f; find d -regex '.*\.[ch]' | sort; find d -iregex '.*\.C'; find d -regextype posix-extended -regex '.*(a|b)\.[ch]' | sort; find d -perm 644 | sort; find d -perm -444 -type f | sort; find d -perm /111 | sort; find d -links 1 | sort; find d -nouser; find d -newermt 2019-01-01 -type f | sort; find d -newermt 2021-01-01 -type f; find d -mtime +1 -type f | sort; find d -mmin +1 -type f | sort; find d -depth | tail -1; find d -type f -delete; find d | sort; find d -quit; find d -ls | wc -l; find d -samefile d; find d -inum 1; find d -readable | wc -l; find d -writable | wc -l; find d -executable | wc -l; find nosuch; find d -nope; find d -name; find d -type z; find d -exec; find d -true -o -false; find -L d -type d | sort; find d -xdev -name s; find d -daystart -mtime 0 -name s; find d -fprint o; cat o | sort; find d -fprintf o2 '%f\n'; sort o2; find d -wholename d/s; find d -lname x; find d -fstype nosuch; find d -maxdepth x; find d -ok echo {} \; < /dev/null; find d -execdir echo {} \; | sort; find d -anewer f -name s | wc -l; find d -cnewer f -name s; find d -amin -5 -name s; find d -ctime 0 -name s; find d -cmin -5 -name s; find d -atime 0 -name s; find d -noleaf -name s; find d -ignore_readdir_race -name s; find d -mount -name s
  d
  d/a.c
  d/s
  d/s/b.h
  d/a.c
  d/a.c
  d/a.c
  d/s/b.h
  d
  d/s
  d
  d/a.c
  d/s
  d/a.c
  d/s
  d/s/b.h
  d/s
  d/s/b.h
  d/a.c
  d/s/b.h
  find: ‘nosuch’: No such file or directory
  d/s/b.h!
  d d . d 0
  d/a.c a.c d f 1 9
  d/s s d d 1
  d/s/b.h b.h d/s f 2 9
  d
  d/a.c
  d/s
  d/s/b.h
  d/a.c
  d
  d/a.c
  d
  d/s
  d/s/b.h
  d/a.c
  d/s/b.h
  d/a.c
  d/s/b.h
  d/a.c
  d/a.c
  d/s/b.h
  d/a.c
  d/a.c
  d/s/b.h
  d/a.c
  d/s/b.h
  d/a.c
  d/s/b.h
  d
  d/s
  d/a.c
  d/s/b.h
  d/a.c
  d/s/b.h
  d/a.c
  d/s/b.h
  d/a.c
  d/s/b.h
  d
  d
  d/s
  2
  d
  2
  2
  2
  find: ‘nosuch’: No such file or directory
  find: unknown predicate `-nope'
  find: missing argument to `-name'
  find: Unknown argument to -type: z
  find: missing argument to `-exec'
  d
  d/s
  d
  d/s
  d/s
  d/s
  d
  d/s
  d
  s
  d/s
  find: Expected a positive decimal integer argument to -maxdepth, but got ‘x’
  < echo ... d > ? < echo ... d/s > ? ./d
  ./s
  1
  d/s
  d/s
  d/s
  d/s
  d/s
  d/s
  d/s
  d/s

$ tar cf a.tar d x; tar tf a.tar | sort; mkdir o; tar xf a.tar -C o; find o | sort; tar czf a.tgz x y; tar tzf a.tgz; tar cjf a.tbz x; tar tjf a.tbz; tar cJf a.txz x; tar tJf a.txz; tar --zstd -cf a.tzst x; tar --zstd -tf a.tzst; tar -tf a.tgz; tar rf a.tar y; tar tf a.tar | tail -1; tar --exclude='*.c' -cf e.tar d; tar tf e.tar | sort; tar -xOf a.tar x; tar xf a.tar --strip-components=1 -C o d/a.c; ls o; tar -cvf v.tar x y; tar -xvf v.tar; tar uf a.tar x; tar -cf t.tar --transform='s,^,pre/,' x; tar tf t.tar; tar xf t.tar --transform 's/x/z/' ; ls pre; tar xf v.tar --wildcards 'x*'; tar -caf auto.tar.gz x; tar tf auto.tar.gz; tar xf nosuch.tar; tar; tar -cf z.tar nosuch; tar xf a.tar nosuch; tar --nope; tar -tf x; tar cf k.tar -T p; tar cf - x | tar tf -; tar -cf m.tar --mtime=2021-01-01 --owner=1 --group=2 --numeric-owner x; tar tvf m.tar; tar xkf v.tar; tar xf v.tar --keep-newer-files; tar xf v.tar --overwrite; tar cf h.tar -h x; tar -C d -cf c.tar a.c; tar tf c.tar; tar tf a.tar d/s; tar --list --file=v.tar; tar --extract --file v.tar --to-stdout y; tar --create --gzip --file=g.tgz x; tar -zxf g.tgz; tar --xform='s/x/w/' -cf w.tar x; tar tf w.tar; tar cf n.tar --no-recursion d; tar tf n.tar; tar cf s.tar --sort=name d; tar tf s.tar; tar -xf v.tar --one-top-level=top; ls top; tar --remove-files -cf r.tar y; ls y
  d/
  d/a.c
  d/s/
  d/s/b.h
  x
  o
  o/d
  o/d/a.c
  o/d/s
  o/d/s/b.h
  o/x
  x
  y
  x
  x
  x
  x
  y
  y
  d/
  d/s/
  d/s/b.h
  one
  two
  three
  a.c
  d
  x
  x
  y
  x
  y
  pre/x
  z
  x
  tar: nosuch.tar: Cannot open: No such file or directory
  tar: Error is not recoverable: exiting now
  tar: You must specify one of the '-Acdtrux', '--delete' or '--test-label' options
  Try 'tar --help' or 'tar --usage' for more information.
  tar: nosuch: Cannot stat: No such file or directory
  tar: Exiting with failure status due to previous errors
  tar: nosuch: Not found in archive
  tar: Exiting with failure status due to previous errors
  tar: unrecognized option '--nope'
  Try 'tar --help' or 'tar --usage' for more information.
  tar: This does not look like a tar archive
  tar: Exiting with failure status due to previous errors
  tar: foo: Cannot stat: No such file or directory
  tar: bar: Cannot stat: No such file or directory
  tar: Exiting with failure status due to previous errors
  x
  -rw-r--r-- 1/2              14 2021-01-01 00:00 x
  tar: x: Cannot open: File exists
  tar: y: Cannot open: File exists
  tar: Exiting with failure status due to previous errors
  tar: Current ‘x’ is newer or same age
  tar: Current ‘y’ is newer or same age
  a.c
  d/s/
  d/s/b.h
  x
  y
  one
  2
  three
  four
  w
  d/
  d/
  d/a.c
  d/s/
  d/s/b.h
  x
  y
  ls: cannot access 'y': No such file or directory
[2]

$ gzip -k x; ls x.gz; gzip -l x.gz | wc -l; gzip -t x.gz; gzip -dc x.gz; gunzip -c x.gz | wc -l; gzip -f x; ls x*; gunzip x.gz; cat x; gzip -9 -c x | gzip -d; gzip -1 -n -c x | gunzip; gzip --best -k -f x; gzip -S .z -k x; ls; gzip -r d; find d -type f | sort; gunzip -r d; gzip nosuch; gzip x.gz; gzip -d < x; zcat x.gz; gzip --keep --force --quiet x; gzip --test --verbose x.gz; gzip --stdout --fast x | gzip --decompress; gzip --uncompress --to-stdout x.gz; gzip --name --rsyncable -kf x; gzip --list x.gz | wc -l; gzip --suffix=.q -k x; gzip --no-name -kf x; gzip --recursive d; gzip -N -d -c x.gz | head -1; gzip -q -kf y; bzip2 -k x; bunzip2 -c x.bz2; bzcat x.bz2; bzip2 -t x.bz2; bzip2 -z -kf x; bzip2 -9 -c x | bzip2 -d; xz -k x; xzcat x.xz; unxz -c x.xz; xz -t x.xz; xz -z -0 -e -kf x; xz -9 -T 1 -c x | xz -d; xz -q -Q -kf x; xz -S .y -k x; zstd -q -k y; zstd -dc y.zst; unzstd -c -q y.zst; zstdcat y.zst; zstd -q -t y.zst; zstd -19 -q -f y; zstd -q -f --rm y; ls y*; zstd -q -d y.zst -o w; cat w
  x.gz
  2
  one
  two
  three
  3
  x.gz
  one
  two
  three
  one
  two
  three
  one
  two
  three
  b
  d
  f
  p
  x
  x.gz
  x.z
  y
  d/a.c.gz
  d/s/b.h.gz
  gzip: nosuch: No such file or directory
  gzip: x.gz already has .gz suffix -- unchanged
  
  gzip: stdin: not in gzip format
  one
  two
  three
  x.gz:	 OK
  one
  two
  three
  one
  two
  three
  2
  one
  one
  two
  three
  one
  two
  three
  one
  two
  three
  one
  two
  three
  one
  two
  three
  one
  two
  three
  one
  2
  three
  four
  one
  2
  three
  four
  one
  2
  three
  four
  y.gz
  y.zst
  one
  2
  three
  four

$  date -d '2024-02-29 12:34:56' '+%a %A %b %B %c|%C %d %D %e %F %g %G %H %I %j %k %l %m %M %N %p %P %q %r %R %s %S %T %u %U %V %w %W %x %X %y %Y %z %:z %::z %Z %n%t%%|%h'; date -d 2024-01-05 '+%-d|%_d|%05d|%^a|%#Z|%10Y|%-m|%_H|%+4Y|%Ey|%Od|%Q|%E|%_5S|%-10d|%^10B|%::z|%:::z'; date -I -d @0; date -Iseconds -d @0; date -Ins -d @0; date -Ihours -d @0; date -Iminutes -d @0; date --iso-8601=seconds -d @0; date -R -d @0; date --rfc-email -d @0; date --rfc-3339=date -d @0; date --rfc-3339=seconds -d @0; date --rfc-3339=ns -d @0; date -r f +%F; date --reference=f +%s; date -f <(printf '@0\n@86400\n') +%F; date --file=nosuch; date -d nonsense; date -d '' +%F | wc -c; date -s; date --universal --date=@1 +%T; date --utc -d @2 +%T; date --resolution; date --debug -d @0 +%s 2>/dev/null; date --uct -d @3 +%s; date -d '2024-01-01 +1 month' +%F; date -d 'last friday' > /dev/null; echo $?; date -d '2024-03-10 2:30 EST' +%s; date --nope
  Thu Thursday Feb February Thu Feb 29 12:34:56 2024|20 29 02/29/24 29 2024-02-29 24 2024 12 12 060 12 12 02 34 000000000 PM pm 1 12:34:56 PM 12:34 1709210096 56 12:34:56 4 08 09 4 09 02/29/24 12:34:56 24 2024 +0000 +00:00 +00:00:00 UTC 
  	%|Feb
  5| 5|00005|FRI|utc|0000002024|1| 0|2024|24|05|%Q|%E|    0|5|   JANUARY|+00:00:00|+00
  1970-01-01
  1970-01-01T00:00:00+00:00
  1970-01-01T00:00:00,000000000+00:00
  1970-01-01T00+00:00
  1970-01-01T00:00+00:00
  1970-01-01T00:00:00+00:00
  Thu, 01 Jan 1970 00:00:00 +0000
  Thu, 01 Jan 1970 00:00:00 +0000
  1970-01-01
  1970-01-01 00:00:00+00:00
  1970-01-01 00:00:00.000000000+00:00
  2020-01-01
  1577836800
  1970-01-01
  1970-01-02
  date: nosuch: No such file or directory
  date: invalid date ‘nonsense’
  11
  date: option requires an argument -- 's'
  Try 'date --help' for more information.
  00:00:01
  00:00:02
  0.000000001
  0
  3
  2024-02-01
  0
  1710055800
  date: unrecognized option '--nope'
  Try 'date --help' for more information.
[1]

$ awk 'NR==2' x; awk -F: '{print $1}' <<< a:b; awk -v n=5 'BEGIN{print n}'; awk -f <(echo '{print NF}') x; awk 'BEGIN{printf "%d %s\n", 1, "a"}'; awk -F '\t' -v OFS=, '{$1=$1}1' <<< $'a\tb'; awk -e 'BEGIN{print 1}'; awk --source 'BEGIN{print 2}'; awk --assign=a=3 'BEGIN{print a}'; awk --field-separator=: '{print $2}' <<< a:b; awk --file=<(echo 'BEGIN{print 4}'); awk 'BEGIN{print ARGV[1]}' a=1; awk 'BEGIN{exit 3}'; echo $?; awk -b 'BEGIN{print 5}'; awk 'BEGIN { print length() }' < /dev/null; awk --posix 'BEGIN{print 6}'; awk --re-interval 'BEGIN{print "a" ~ /a{1}/}'; awk --traditional 'BEGIN{print 8}'; awk -S 'BEGIN{print 9}'; awk -E <(echo 'BEGIN{print 10}'); awk 'BEGIN{print substr("hello",2,3), index("abc","c"), toupper("x"), length("abc")}'; awk 'BEGIN{print 1==1.0, "a"<"b", 2^10, 7%3, -2^2}'; awk '{a[NR]=$0} END{for(i=NR;i>0;i--) print a[i]}' x; awk 'BEGIN{while(("echo hi"|getline l)>0) print l}'; awk '/two/,/three/' x; awk 'END{print NR}' x y; awk 'FNR==1{print FILENAME}' x y; awk '{print > "out"}' x; cat out; awk 'BEGIN{print sprintf("%5.2f|%-5s|%05d|%x|%c", 3.14159, "ab", 42, 255, 65)}'; awk 'BEGIN{n=split("a,b,c",a,","); print n, a[3]}'; awk '{gsub(/o/,"0")}1' x; awk 'BEGIN{print match("foobar",/o+/), RSTART, RLENGTH}'; awk 'BEGIN{print strftime("%Y",0,1)}'; awk 'BEGIN{print toupper(substr("abc",1,1))}'; awk 'BEGIN{print substr("hello",0), substr("hello",2)}' ; awk 'BEGIN{OFS="-"; print 1,2; $0="a b"; $1=$1; print}'; awk 'BEGIN{print 1e6, 1e16, 0.1+0.2, 100000000000000000000, 1/3}'; awk 'BEGIN{CONVFMT="%.2g"; a=3.14159; print a ""; OFMT="%.3f"; print a}'; awk 'BEGIN{print -0, 1-1, "x" 1+1 "y"}'; awk 'BEGIN{print length(12345), 1 " " 2, 3 4}'; awk 'BEGIN{x["a"]; if ("a" in x) print "in"; delete x["a"]; print length(x)}'; awk 'function f(a){a[1]=2} BEGIN{f(z); print z[1]}'; awk 'BEGIN{print (OFS="-") "x", 1, (OFS="+"), 2}'; awk '$1=="two"' x; awk '$1>"o"' x; awk '!/t/' x; awk '$5==0' x; awk '{print $NF, $(NF), NF}' f; awk '{print $1 $2, $1" "$2}' f; awk '$2' f; awk '$1 ~ /^f/ {print $2; next} {print "-"}' f
  two
  a
  5
  1
  1
  1
  1 a
  a,b
  1
  2
  3
  b
  4
  a=1
  3
  5
  0
  6
  1
  8
  9
  10
  ell 3 X 3
  1 1 1024 1 -4
  three
  two
  one
  hi
  two
  three
  7
  x
  y
  one
  two
  three
   3.14|ab   |00042|ff|A
  3 c
  0ne
  tw0
  three
  2 2 2
  1970
  A
  hello ello
  1-2
  a-b
  1000000 10000000000000000 0.3 100000000000000000000 0.333333
  3.1
  3.142
  0 0 x2y
  5 1 2 34
  in
  0
  2
  -x+1+++2
  two
  one
  two
  three
  one
  world world 2
  bar bar 2
  again again 2
  foobar foobar 1
  x.y x.y 1
  Helloworld Hello world
  foobar foo bar
  helloagain hello again
  foobar foobar 
  x.y x.y 
  Hello world
  foo bar
  hello again
  -
  bar
  -
  
  -

$ sed -n 2p x; sed 's/o/0/g' x; sed -e 1d -e 's/t/T/' x; sed -E 's/(.)(.)/\2\1/' x; sed -r 's/(t)/<\1>/' x; sed -i.bak 's/one/1/' x; cat x x.bak; sed -s -n '$p' x y; sed -z 's/\n/,/g' x; echo; sed -n '/two/=' x; sed --quiet 1p x; sed --expression=1d x; echo 2d > s; sed -f s x; sed --file=s x; sed -n l f; sed -l 5 -n l x; sed --line-length=4 -n l x; sed --regexp-extended 's/(o)/\1\1/' x; sed --null-data p x | tr '\0' '!'; sed --separate -n 1p x y; sed --in-place=.b2 1d x; ls; sed -u 1q y; sed --unbuffered 1q y; sed --posix 1q y; sed --sandbox 's/a/b/' y; sed --sandbox 'w f' y 2> /dev/null; echo $?; sed -b 1q y; sed --follow-symlinks -i 1d y; cat y; sed 'k' y; sed 's/a' y; sed p nosuch; sed -n '$=' y; sed 'y/abc/xyz/' f; sed '/foo/!d' f; sed '1~2d' f; sed '2,+1d' f; sed '0,/foo/d' f; sed 'a\end' y; sed '1i\top' y; sed 'c\x' y; sed '$!N;s/\n/ /' y; sed 's/o/X/2' f; sed 's/foo/\U&/' f; sed -n '/foo/{p;q}' f; sed '1{h;d};$G' y; sed 's/x/a\nb/' f; sed -n 's/foo/&/pw o' f; cat o; sed 's,/,|,' y; sed '5q3' f; echo $?; sed -n '2{p}' f; sed 'R y' x; sed '1r y' x; sed 's/.*/"&"/' y; sed 's/[^ ]*$//' f; sed = y | sed 'N;s/\n/\t/'; sed -E 's/([a-z]+) ([a-z]+)/\2 \1/;t;d' f; sed ':a;s/^\(\s*\)o/\1_/;ta' f; sed '$d' y; sed -s 1F y
  two
  0ne
  tw0
  three
  Two
  Three
  noe
  wto
  htree
  one
  <t>wo
  <t>hree
  1
  two
  three
  one
  two
  three
  three
  four
  1,two,three,
  2
  1
  two
  three
  1
  three
  1
  three
  Hello world$
  foo bar$
  hello again$
  foobar$
  x.y$
  1$
  two$
  thre\
  e$
  1$
  two$
  thr\
  ee$
  1
  twoo
  three
  1
  two
  three
  !1
  two
  three
  1
  one
  b
  d
  f
  p
  s
  x
  x.b2
  x.bak
  y
  one
  one
  one
  one
  2
  three
  four
  1
  one
  2
  three
  four
  sed: -e expression #1, char 1: unknown command: `k'
  sed: -e expression #1, char 3: unterminated `s' command
  sed: can't read nosuch: No such file or directory
  3
  Hello world
  foo yxr
  hello xgxin
  fooyxr
  x.y
  foo bar
  foobar
  foo bar
  foobar
  Hello world
  foobar
  x.y
  hello again
  foobar
  x.y
  2
  end
  three
  end
  four
  end
  top
  2
  three
  four
  x
  x
  x
  2 three
  four
  Hello wXrld
  foX bar
  hello again
  foXbar
  x.y
  Hello world
  FOO bar
  hello again
  FOObar
  x.y
  foo bar
  three
  four
  2
  Hello world
  foo bar
  hello again
  foobar
  a
  b.y
  foo bar
  foobar
  foo bar
  foobar
  2
  three
  four
  Hello world
  foo bar
  hello again
  foobar
  x.y
  3
  foo bar
  two
  2
  three
  three
  two
  2
  three
  four
  three
  "2"
  "three"
  "four"
  Hello 
  foo 
  hello 
  
  
  1	2
  2	three
  3	four
  Hworld ello
  bar foo
  again hello
  Hello world
  foo bar
  hello again
  foobar
  x.y
  2
  three
  y
  2
  three
  four
