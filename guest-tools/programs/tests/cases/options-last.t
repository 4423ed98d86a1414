# Options that other files of cases have no use for.
% exec 2>&1
% printf 'one\nTwo\n\nthree\n' > a; printf 'one\ntwo  x\nthree\nfour\n' > b; printf 'b\0foo\n' > bin; mkdir d; printf 'foo\n' > d/f; printf '#include <stdio.h>\nint main(void) { return 0; }\n' > c.c; touch -d '2020-01-01' a b bin d/f c.c

$ diff -P a b; diff -0 a b; diff -u2 a b | tail -n +3; diff -c -3 a b | tail -n +3; diff -u -1 a b | tail -n +3; diff -U4 a b | tail -n +3; diff -u5 a b | tail -n +3; diff -u6 a b | tail -n +3; diff -u7 a b | tail -n +3; diff -u8 a b | tail -n +3; diff -u9 a b | tail -n +3; diff --paginate a a; diff --no-ignore-file-name-case d d; diff --show-c-function a a; diff --show-function-line=x a a; diff --report-identical-files a a; diff --initial-tab a b; diff --ignore-matching-lines=o a b; diff --exclude=f --exclude-from=/dev/null -r d d; diff --starting-file=z -r d d; diff --new-file a a; diff --left-column -y -W 20 a b; diff --horizon-lines=3 a a
  2,3c2
  < Two
  < 
  ---
  > two  x
  4a4
  > four
  2,3c2
  < Two
  < 
  ---
  > two  x
  4a4
  > four
  @@ -1,4 +1,4 @@
   one
  -Two
  -
  +two  x
   three
  +four
  ***************
  *** 1,4 ****
    one
  ! Two
  ! 
    three
  --- 1,4 ----
    one
  ! two  x
    three
  + four
  @@ -1,4 +1,4 @@
   one
  -Two
  -
  +two  x
   three
  +four
  @@ -1,4 +1,4 @@
   one
  -Two
  -
  +two  x
   three
  +four
  @@ -1,4 +1,4 @@
   one
  -Two
  -
  +two  x
   three
  +four
  @@ -1,4 +1,4 @@
   one
  -Two
  -
  +two  x
   three
  +four
  @@ -1,4 +1,4 @@
   one
  -Two
  -
  +two  x
   three
  +four
  @@ -1,4 +1,4 @@
   one
  -Two
  -
  +two  x
   three
  +four
  @@ -1,4 +1,4 @@
   one
  -Two
  -
  +two  x
   three
  +four
  Files a and a are identical
  2,3c2
  <	Two
  <	
  ---
  >	two  x
  4a4
  >	four
  2,3c2
  < Two
  < 
  ---
  > two  x
  one   (
  Two   |	two  
        <
  three (
        >	four

$ grep -1 Two a; grep -2 Two a; grep -3 Two a; grep -4 Two a; grep -5 Two a; grep -6 Two a; grep -7 Two a; grep -8 Two a; grep -9 Two a; grep -0 Two a; grep --basic-regexp one a; grep --fixed-strings one a; grep --perl-regexp one a; grep --devices=skip foo bin; grep --null-data foo bin | tr '\0' '!'; grep --byte-offset one a; grep --initial-tab one a; grep --exclude-from=/dev/null -r foo d; grep --include='f' -r foo d; grep --dereference-recursive foo d; egrep -n 'one|three' a; fgrep -c o a; fgrep -x one a
  one
  Two
  
  one
  Two
  
  three
  one
  Two
  
  three
  one
  Two
  
  three
  one
  Two
  
  three
  one
  Two
  
  three
  one
  Two
  
  three
  one
  Two
  
  three
  one
  Two
  
  three
  Two
  one
  one
  one
  grep: bin: binary file matches
  foo
  !0:one
  one
  d/f:foo
  d/f:foo
  d/f:foo
  1:one
  4:three
  2
  one

$ sdiff -a a b; sdiff -b a b; sdiff -B a b; sdiff -d a b; sdiff -E a b; sdiff -H a b; sdiff -W a b; sdiff -Z a b; sdiff --strip-trailing-cr a b; sdiff --ignore-case a b; echo $?
  one								one
  Two							      |	two  x
  							      <
  three								three
  							      >	four
  one								one
  Two							      |	two  x
  							      <
  three								three
  							      >	four
  one								one
  Two							      |	two  x
  							      <
  three								three
  							      >	four
  one								one
  Two							      |	two  x
  							      <
  three								three
  							      >	four
  one								one
  Two							      |	two  x
  							      <
  three								three
  							      >	four
  one								one
  Two							      |	two  x
  							      <
  three								three
  							      >	four
  one								one
  Two							      |	two  x
  							      <
  three								three
  							      >	four
  one								one
  Two							      |	two  x
  							      <
  three								three
  							      >	four
  one								one
  Two							      |	two  x
  							      <
  three								three
  							      >	four
  one								one
  Two							      |	two  x
  							      <
  three								three
  							      >	four
  1

$ echo '1/3' | bc -l; echo '2^10' | bc -q; echo 'scale=2; 5/2' | bc -s; echo '1+1' | bc -w; echo '2+2' | bc --quiet; echo 's(0)' | bc --mathlib
  .33333333333333333333
  1024
  2.50
  2
  4
  0

$ file -b a; file --mime-type a; file -i a; file -k a; file -r a; file -n a; file -p a; file -s a; file -h a; file -L a; file -N a; file -F '->' a; file --brief a; file -0 a | od -c | head -1; echo a | file -f -; file c.c
  ASCII text
  a: text/plain
  a: text/plain; charset=us-ascii
  a: ASCII text
  a: ASCII text
  a: ASCII text
  a: ASCII text
  a: ASCII text
  a: ASCII text
  a: ASCII text
  a: ASCII text
  a-> ASCII text
  ASCII text
  0000000   a  \0   :       A   S   C   I   I       t   e   x   t  \n
  a: ASCII text
  c.c: C source, ASCII text

$ printf 'a b c d\n' | fmt -w 80; tail --max-unchanged-stats=2 -n 1 a; tail -n 1 --pid=999999 a; hostname -I > /dev/null; hostname -i > /dev/null; hostname -d > /dev/null; hostname -f > /dev/null; pgrep nosuchthing; echo $?; pgrep -x nosuchthing; echo $?; pgrep -l nosuchthing; pgrep -a nosuchthing; pgrep -c nosuchthing; pkill -x nosuchthing; echo $?; pidof nosuchthing; echo $?; pidof -s nosuchthing; echo $?; pidof -q nosuchthing; echo $?; pidof -o 1 nosuchthing; echo $?; pidof -S, nosuchthing; echo $?
  a b c d
  three
  tail: warning: PID ignored; --pid=PID is useful only when following
  three
  1
  1
  0
  1
  1
  1
  1
  1
  1

$ cp a p1; printf -- '--- p1\n+++ p1\n@@ -1,2 +1,2 @@\n-one\n+ONE\n Two\n' > p.diff; patch -u p1 p.diff; head -1 p1; patch -R -p0 < p.diff; patch --dry-run -p0 < p.diff; head -1 p1; patch -s -p0 < p.diff; patch -R -B pre- -b -p0 < p.diff; ls pre-*; patch --binary -p0 < p.diff; patch -n p1 < /dev/null; patch -p0 --posix < p.diff; patch -R -E -p0 < p.diff; patch -p0 -r rej < p.diff; patch -p0 --backup-if-mismatch -R < p.diff
  patching file p1
  ONE
  patching file p1
  checking file p1
  one
  patching file p1
  pre-p1
  patching file p1
  patching file p1
  Reversed (or previously applied) patch detected!  Assume -R? [n] 
  Apply anyway? [n] 
  Skipping patch.
  1 out of 1 hunk ignored -- saving rejects to file p1.rej
  patching file p1
  patching file p1
  patching file p1
