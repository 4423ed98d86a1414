# Options of what changes, compares and looks at files and processes.
% exec 2> /dev/null
% printf 'a\nb\nc\nd\ne\n' > old; printf 'a\nB\nc\nd\nE\nf\n' > new; diff -u old new > d.u; diff -c old new > d.c; diff old new > d.n

$ mkdir d; touch 'd/A b.TXT' 'd/c.TXT' x.TXT; find d -type f -print0 | rename -0 's/TXT/txt/'; ls d; find . -name '*.txt' -print0 | prename --null 's/txt/md/'; ls d; rename -e 's/x/y/;' -e 's/TXT/t/' x.TXT; ls; mkdir ab; touch ab/ab; rename 's/ab/AB/' ab/ab; rename --path 's/ab/XX/' ab/ab; ls -d ab* XX*; ls ab; rename --fullpath 's,ab/ab,cd,' ab/ab; ls; rename -v -e 's/o/0/;' -e 'tr/a-z/A-Z/' old new; ls; rename -d 's/^/z/' ab/ab; rename --filename 's/d/q/' d/*; ls d
  A b.txt
  c.txt
  A b.md
  c.md
  d
  d.c
  d.n
  d.u
  new
  old
  y.t
  ab
  ab
  ab
  cd
  d
  d.c
  d.n
  d.u
  new
  old
  y.t
  old renamed as 0LD
  new renamed as NEW
  0LD
  NEW
  ab
  cd
  d
  d.c
  d.n
  d.u
  y.t
  A b.mq
  c.mq

$ cp old a; patch -c a d.c; cat a; cp old b; patch --context b < d.c; cmp a b && echo same; cp old c; patch -c c < d.u > out; echo $?; cmp c old; cp old c; patch -n c d.n; echo $?; cp old c; patch -u c d.u; echo $?
  patching file a
  a
  B
  c
  d
  E
  f
  patching file b
  same
  2
  patching file c
  0
  patching file c
  0

$ cp old a; chmod 444 a; patch --read-only=fail a d.u; echo $?; cmp a old; patch -R --read-only=ignore a d.u; echo $?; stat -c %a a; cp -f old a; chmod 444 a; patch --read-only=warn a d.u > /dev/null; echo $?; patch -R --read-only=nope a d.u; echo $?; cp -f old a; chmod 444 a; patch a d.u; echo $?; ls a*
  patching file a
  0
  a old differ: byte 3, line 2
  patching file a
  0
  444
  0
  2
  patching file a
  0
  a

$ cp old a; sed -i 's/a/x/;s/c/y/;s/d/z/' a; cp a a2; patch a d.u; echo $?; cat a.rej | sed 's/\t.*//'; patch --reject-format=context a2 d.u; cat a2.rej | sed 's/\t.*//'; cp old a3; sed -i 's/[abc]/x/' a3; patch -r - --reject-format=unified a3 d.c; cp old a4; sed -i 's/[abcd]/x/' a4; patch --reject-format=unified a4 d.c; sed 's/\t.*//' a4.rej; patch --reject-format=nope a d.u; echo $?
  patching file a
  Hunk #1 FAILED at 1.
  1 out of 1 hunk FAILED -- saving rejects to file a.rej
  1
  --- old
  +++ new
  @@ -1,5 +1,6 @@
   a
  -b
  +B
   c
   d
  -e
  +E
  +f
  patching file a2
  Hunk #1 FAILED at 1.
  1 out of 1 hunk FAILED -- saving rejects to file a2.rej
  *** old
  --- new
  ***************
  *** 1,5 ****
    a
  ! b
    c
    d
  ! e
  --- 1,6 ----
    a
  ! B
    c
    d
  ! E
  ! f
  patching file a3
  Hunk #1 FAILED at 1.
  1 out of 1 hunk FAILED
  patching file a4
  Hunk #1 FAILED at 1.
  1 out of 1 hunk FAILED -- saving rejects to file a4.rej
  --- old
  +++ new
  @@ -1,5 +1,6 @@
   a
  -b
  +B
   c
   d
  -e
  +E
  +f
  2

$ strip() { sed 's/\t.*//'; }; cp old a; patch --verbose a d.u | strip; cp old b; patch --verbose b < d.c | strip; cp old c; patch --verbose --dry-run c d.n | strip; printf 'x\ny\n' > a; patch --verbose a d.u | strip; (printf 'junk\n\n'; cat d.u; echo tail) > j; cp new a; patch --verbose -R a j | strip; cp new a; patch --verbose -N a d.u | strip; cp old a; cp old b; (sed 's/^--- old/--- a/;s/^+++ new/+++ a/' d.u; echo next; sed 's/^--- old/--- b/;s/^+++ new/+++ b/' d.u) | patch --verbose | strip
  Hmm...  Looks like a unified diff to me...
  The text leading up to this was:
  --------------------------
  |--- old
  |+++ new
  --------------------------
  patching file a
  Using Plan A...
  Hunk #1 succeeded at 1.
  done
  Hmm...  Looks like a new-style context diff to me...
  The text leading up to this was:
  --------------------------
  |*** old
  |--- new
  --------------------------
  patching file b
  Using Plan A...
  Hunk #1 succeeded at 1.
  done
  Hmm...  Looks like a normal diff to me...
  checking file c
  Using Plan A...
  Hunk #1 succeeded at 2.
  Hunk #2 succeeded at 5.
  done
  Hmm...  Looks like a unified diff to me...
  The text leading up to this was:
  --------------------------
  |--- old
  |+++ new
  --------------------------
  patching file a
  Using Plan A...
  Hunk #1 FAILED at 1.
  1 out of 1 hunk FAILED -- saving rejects to file a.rej
  done
  Hmm...  Looks like a unified diff to me...
  The text leading up to this was:
  --------------------------
  |junk
  |
  |--- old
  |+++ new
  --------------------------
  patching file a
  Using Plan A...
  Hunk #1 succeeded at 1.
  Hmm...  Ignoring the trailing garbage.
  done
  Hmm...  Looks like a unified diff to me...
  The text leading up to this was:
  --------------------------
  |--- old
  |+++ new
  --------------------------
  patching file a
  Using Plan A...
  Reversed (or previously applied) patch detected!  Skipping patch.
  Hunk #1 ignored at 1.
  1 out of 1 hunk ignored -- saving rejects to file a.rej
  done
  Hmm...  Looks like a unified diff to me...
  The text leading up to this was:
  --------------------------
  |--- a
  |+++ a
  --------------------------
  patching file a
  Using Plan A...
  Hunk #1 succeeded at 1.
  Hmm...  The next patch looks like a unified diff to me...
  The text leading up to this was:
  --------------------------
  |next
  |--- b
  |+++ b
  --------------------------
  patching file b
  Using Plan A...
  Hunk #1 succeeded at 1.
  done

$ cp "$(which sleep)" nap; ./nap 100 & p=$!; printf 'b\nx\n' > o; tail -n 1 -f o --pid=$p | while read -r l; do echo "got $l"; case $l in x) echo c >> o;; c) printf 'd\ne\n' >> o;; e) kill $p;; esac; done; wait $p; echo $?
  got x
  got c
  got d
  got e
  143

$ cp "$(which sleep)" nap; ./nap 100 & p=$!; echo a > o; tail --follow=descriptor --pid=$p -s 0.1 o 2>&1 | while read -r l; do echo "$l"; case $l in a) mv o o2; echo b >> o2;; b) printf 'x' > o2;; *truncated*) echo y >> o2;; xy) kill $p;; esac; done; tail -f nosuch; echo $?; seq 3 | tail -f -n 1
  a
  b
  tail: o: file truncated
  xy
  1
  3

$ cp "$(which sleep)" nap; ./nap 100 & p=$!; echo a > o; tail -F --pid=$p -s 0.1 o o2 2>&1 | while read -r l; do echo "$l"; case $l in a) echo b > n; mv n o;; b) echo new > n; mv n o2;; new) rm o;; *inaccessible*) kill $p;; esac; done
  ==> o <==
  a
  tail: cannot open 'o2' for reading: No such file or directory
  tail: 'o' has been replaced;  following new file
  
  ==> o <==
  b
  tail: 'o2' has appeared;  following new file
  
  ==> o2 <==
  new
  tail: 'o' has become inaccessible: No such file or directory

& cp "$(which sleep)" nap; ./nap 100 & p=$!; tail --follow=name --retry -n 1 --pid=$p old new 2>&1 | while read -r l; do echo "$l"; case $l in f) echo x >> old;; x) printf 'y\nz\n' >> new;; z) kill $p;; esac; done
  ==> old <==
  e
  
  ==> new <==
  f
  
  ==> old <==
  x
  
  ==> new <==
  y
  z

$ seq 20 | split -l 1 --hex-suffixes - h; ls h*; seq 20 | split -l 5 --hex-suffixes=9 - i; ls i*; seq 4 | split -u -n r/2 - u; cat uaa; seq 6 | split --unbuffered -n r/1/3; seq 20 | split -l 2 -a 1 -x - j; ls j*; seq 3 | split --hex-suffixes=zz -l 1; echo $?
  h00
  h01
  h02
  h03
  h04
  h05
  h06
  h07
  h08
  h09
  h0a
  h0b
  h0c
  h0d
  h0e
  h0f
  h10
  h11
  h12
  h13
  i09
  i0a
  i0b
  i0c
  1
  3
  1
  4
  j0
  j1
  j2
  j3
  j4
  j5
  j6
  j7
  j8
  j9
  1

$ sdiff -t -w 30 old new | cat -A; printf 'a\tb\n' > t1; printf 'a\tc\n' > t2; sdiff -w 40 t1 t2 | cat -A; sdiff --expand-tabs -w 40 t1 t2 | cat -A; sdiff -t --tabsize=4 -w 40 t1 t2 | cat -A; sdiff --tabsize=3 -w 40 t1 t2 | cat -A; sdiff -I '[bB]' -w 20 old new | cat -A; echo $?; sdiff --ignore-matching-lines='^[a-zA-Z]$' old new -w 20; echo $?; sdiff --tabsize=0 old new; echo $?; sdiff --tabsize=x old new; echo $?; sdiff -w 20 old nosuch; echo $?; sdiff old; echo $?; sdiff -s -w 20 -I B old new
  a                a$
  b             |  B$
  c                c$
  d                d$
  e             |  E$
                >  f$
  a^Ib^I   |^Ia^Ic$
  a       b          |  a       c$
  a   b              |  a   c$
  a^Ib^I^I^I^I^I |^Ia^Ic$
  a^Ia$
  b^IB$
  c^Ic$
  d^Id$
  e     |^IE$
        >^If$
  0
  a	a
  b	B
  c	c
  d	d
  e	E
        )	f
  0
  2
  2
  2
  2
  b     |	B
  e     |	E
        >	f
[1]

$ echo 'a b' | /usr/bin/setsid -w xargs -p echo 2>&1; echo $?; echo 'a b' | /usr/bin/setsid -w xargs --interactive -n 1 echo; echo $?; echo | xargs --show-limits -r true 2>&1 | sed 's/[0-9][0-9]*/N/'; xargs -n 0 2>&1; xargs -n x 2>&1; xargs -L 0 2>&1; xargs -P x 2>&1; xargs -s x 2>&1; xargs -I 2>&1; xargs -d ab 2>&1; xargs nosuchcmd 2>&1; echo $?; echo abcdef | xargs -s 5 echo 2>&1; echo $?
  echo a bxargs: failed to open /dev/tty for reading: No such device or address
  1
  1
  Your environment variables take up N bytes
  POSIX upper limit on argument length (this system): N
  POSIX smallest allowable upper limit on argument length (all systems): N
  Maximum length of command we could actually use: N
  Size of command buffer we are actually using: N
  Maximum parallelism (--max-procs must be no greater): N
  xargs: value 0 for -n option should be >= 1
  Try 'xargs --help' for more information.
  xargs: invalid number "x" for -n option
  Try 'xargs --help' for more information.
  xargs: value 0 for -L option should be >= 1
  Try 'xargs --help' for more information.
  xargs: invalid number "x" for -P option
  Try 'xargs --help' for more information.
  xargs: invalid number "x" for -s option
  Try 'xargs --help' for more information.
  xargs: option requires an argument -- 'I'
  Try 'xargs --help' for more information.
  xargs: Invalid input delimiter specification ab: the delimiter must be either a single character or an escape sequence starting with \.
  xargs: nosuchcmd: No such file or directory
  127
  xargs: argument line too long
  1

$ ln -d old hard; echo $?; ls -l hard | cut -d' ' -f2; mkdir dir; ln -d dir dir2; echo $?; ln -F dir dir2; echo $?; ln --directory dir dir3; echo $?; ln dir dir2; echo $?; mkdir -Z z; echo $?; ls -d z; mkdir -pZ z/y; mkfifo -Z p; echo $?; test -p p; echo $?; mktemp -V | head -1 | cut -d' ' -f1; rm --no-preserve-root old; echo $?; ls old
  0
  2
  1
  1
  1
  1
  0
  z
  0
  0
  mktemp
  0
[2]

$ shred --random-source=old -n 1 new; echo $?; wc -c < new; head -c 5 new; echo; printf '%5000s' x > big; shred --random-source=big -n 1 -x new; shred --random-source=nosuch new; echo $?; shuf --random-source=big -i 1-5 | sort | tr -d '\n'; echo; shuf --random-source=nosuch -i 1-5; echo $?
  1
  12
  a
  B
  c
  1
  12345
  1

$ setsid -w sh -c 'exit 3'; echo $?; setsid --wait true; echo $?; setsid -w nosuch; echo $?; setsid; echo $?; stdbuf -oL echo x; stdbuf; echo $?; stdbuf -w x; echo $?; setsid -x; echo $?; setsid -f true; echo $?; setsid -c true; echo $?
  3
  0
  127
  1
  x
  125
  125
  1
  0
  1

$ which -s sh > out; echo $?; which -a nosuch; echo $?; which sh nosuch > /dev/null; echo $?; which; echo $?; which -x > out; echo $?
  2
  1
  1
  1
  2

$ man -w ls | sed 's,.*/,,;s/\..*//'; man --where cat | wc -l; man -w nosuchpage; echo $?; man nosuchpage; echo $?; man; echo $?
  ls
  1
  16
  16
  1

$ id -a; id -a -u; id -Z; echo $?; id --context root; echo $?; id -aG; id -a -un; id -u -g; echo $?; id -n; echo $?; id -r; echo $?; id nosuch; echo $?; id -z; echo $?; id -zu | od -An -c; id root; id -un root nosuch; echo $?
  uid=0(root) gid=0(root) groups=0(root)
  0
  1
  1
  0
  root
  1
  1
  1
  1
  1
     0  \0
  uid=0(root) gid=0(root) groups=0(root)
  root
  1

$ n=nap-$$; cp "$(which sleep)" $n; ./$n 5.25 & until pgrep -f "^./$n 5.2"; do :; done | wc -l; pgrep --full "p-$$ 5.25$" -c; pkill --signal TERM -f "^./$n 5.25$"; echo $?; wait $!; echo $?; pkill -f '^nosuch thing'; echo $?; pgrep; echo $?
  1
  1
  0
  143
  1
  2

$ n=nap-$$; cp "$(which sleep)" $n; ./$n 6 & until pgrep -x $n > out; do :; done; pkill --signal 9 -x $n; wait $!; echo $?; ./$n 7 & until pgrep -x $n; do :; done | wc -l; pgrep -l $n | cut -d' ' -f2 | cut -c1-4; pgrep -a $n | cut -d' ' -f3; pkill -KILL $n; wait $!; echo $?; pgrep -x nosuch; echo $?; pgrep '['; echo $?
  137
  1
  nap-
  7
  137
  1
  2

$ sleep 7.5 & until pgrep -P $$ -x sleep > o; do :; done; [ $(cat o) = $! ] && echo same; pgrep -P 4194000 sleep; echo $?; pgrep -c --parent $$,4194000 -x sleep; pkill -P $$ sl; wait $!; echo $?; pgrep -P x sleep 2> /dev/null; echo $?
  same
  1
  1
  143
  2

$ sleep 5.51 & a=$!; sleep 0.05; sleep 5.52 & b=$!; until [ $(pgrep -c -P $$ -x sleep) = 2 ]; do :; done; [ $(pgrep -o -P $$ -x sleep) = $a ] && echo oldest; [ $(pgrep --newest -P $$ -x sleep) = $b ] && echo newest; [ $(pgrep -d , -P $$ -x sleep) = $a,$b ] && echo list; pgrep -i -c -P $$ -x SLEEP; pgrep -c -P $$ -x SLEEP; pgrep -v -P $$ -x sleep | grep -cx -e $a -e $b; pkill -n -P $$ -x sleep; wait $b; echo $?; kill -0 $a && pkill -o -i -P $$ -x SLEEP; wait $a; echo $?
  oldest
  newest
  list
  2
  0
  0
  143
  143

$ n=script-$$; printf '#!/bin/sh\nread line\n' > $n; chmod +x $n; mkfifo f; ./$n 0<> f & until pidof -x $n > out; do :; done; wc -w < out; pidof $n | wc -w; kill $!; wait $!; echo $?; pidof nosuch; echo $?
  1
  0
  143
  1
