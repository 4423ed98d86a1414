# Options of `ls` and of what shows files.
% exec 2>&1; umask 022
% mkdir -p d/e d/.h; printf x > d/a.txt; printf '%05000d' 0 > d/big.c; printf hidden > d/.dot; printf old > 'd/with space'; ln -s a.txt d/link; ln -s nowhere d/broken; ln d/a.txt d/hard; mkfifo d/pipe; printf b > d/back~; printf '#!/bin/sh\n' > d/run.sh; chmod 755 d/run.sh; printf q > $'d/new\nline'; : > d/v1.10; : > d/v1.9; : > d/v1.2.tar
% touch -h -d '2024-03-01 10:00:00.123456789' d/* d/.dot d/.h; touch -d '2023-01-02 03:04:05' d/big.c; touch -a -d '2022-02-02 02:02:02' d/a.txt; touch -d '2021-05-05' d/e

$ ls d; ls -a d; ls -A d; ls -b d; ls -B d; ls -Q d
  a.txt
  back~
  big.c
  broken
  e
  hard
  link
  new
  line
  pipe
  run.sh
  v1.10
  v1.2.tar
  v1.9
  with space
  .
  ..
  .dot
  .h
  a.txt
  back~
  big.c
  broken
  e
  hard
  link
  new
  line
  pipe
  run.sh
  v1.10
  v1.2.tar
  v1.9
  with space
  .dot
  .h
  a.txt
  back~
  big.c
  broken
  e
  hard
  link
  new
  line
  pipe
  run.sh
  v1.10
  v1.2.tar
  v1.9
  with space
  a.txt
  back~
  big.c
  broken
  e
  hard
  link
  new\nline
  pipe
  run.sh
  v1.10
  v1.2.tar
  v1.9
  with\ space
  a.txt
  big.c
  broken
  e
  hard
  link
  new
  line
  pipe
  run.sh
  v1.10
  v1.2.tar
  v1.9
  with space
  "a.txt"
  "back~"
  "big.c"
  "broken"
  "e"
  "hard"
  "link"
  "new\nline"
  "pipe"
  "run.sh"
  "v1.10"
  "v1.2.tar"
  "v1.9"
  "with space"

$ ls -1q d; ls -N d | tail -4; ls --show-control-chars d | head -3; ls --quoting-style=c d; ls --quoting-style=shell d; ls --quoting-style=shell-always d; ls --quoting-style=shell-escape-always d; ls --quoting-style=escape d; ls --quoting-style=locale d/big.c; ls --quoting-style=nope d; ls --quoting-style=literal d/run.sh
  a.txt
  back~
  big.c
  broken
  e
  hard
  link
  new?line
  pipe
  run.sh
  v1.10
  v1.2.tar
  v1.9
  with space
  v1.10
  v1.2.tar
  v1.9
  with space
  a.txt
  back~
  big.c
  "a.txt"
  "back~"
  "big.c"
  "broken"
  "e"
  "hard"
  "link"
  "new\nline"
  "pipe"
  "run.sh"
  "v1.10"
  "v1.2.tar"
  "v1.9"
  "with space"
  a.txt
  back~
  big.c
  broken
  e
  hard
  link
  'new
  line'
  pipe
  run.sh
  v1.10
  v1.2.tar
  v1.9
  'with space'
  'a.txt'
  'back~'
  'big.c'
  'broken'
  'e'
  'hard'
  'link'
  'new
  line'
  'pipe'
  'run.sh'
  'v1.10'
  'v1.2.tar'
  'v1.9'
  'with space'
  'a.txt'
  'back~'
  'big.c'
  'broken'
  'e'
  'hard'
  'link'
  'new'$'\n''line'
  'pipe'
  'run.sh'
  'v1.10'
  'v1.2.tar'
  'v1.9'
  'with space'
  a.txt
  back~
  big.c
  broken
  e
  hard
  link
  new\nline
  pipe
  run.sh
  v1.10
  v1.2.tar
  v1.9
  with\ space
  ‘d/big.c’
  ls: invalid argument ‘nope’ for ‘--quoting-style’
  Valid arguments are:
    - ‘literal’
    - ‘shell’
    - ‘shell-always’
    - ‘shell-escape’
    - ‘shell-escape-always’
    - ‘c’
    - ‘c-maybe’
    - ‘escape’
    - ‘locale’
    - ‘clocale’
  Try 'ls --help' for more information.
  d/run.sh

$ ls -C -w 40 d; ls -x -w 40 d; ls -m -w 40 d; ls -C -w 0 d; ls -C -w 40 -T 4 d; ls --format=across --width=30 d; ls --format=commas d/a.txt d/big.c; ls --format=single-column d/a.txt d/big.c; ls --format=vertical -w 80 d; ls --width=x d
  a.txt	e	 pipe	   v1.9
  back~	hard	 run.sh    with space
  big.c	link	 v1.10
  broken	new
  line  v1.2.tar
  a.txt  back~	   big.c  broken
  e      hard	   link   new
  line
  pipe   run.sh	   v1.10  v1.2.tar
  v1.9   with space
  a.txt, back~, big.c, broken, e, hard,
  link, new
  line, pipe, run.sh, v1.10,
  v1.2.tar, v1.9, with space
  a.txt  back~  big.c  broken  e  hard  link  new
  line  pipe  run.sh  v1.10  v1.2.tar  v1.9  with space
  a.txt	e		 pipe	   v1.9
  back~	hard	 run.sh    with space
  big.c	link	 v1.10
  broken	new
  line  v1.2.tar
  a.txt	back~	    big.c
  broken	e	    hard
  link	new
  line     pipe
  run.sh	v1.10	    v1.2.tar
  v1.9	with space
  d/a.txt, d/big.c
  d/a.txt
  d/big.c
  a.txt  big.c   e     link     pipe    v1.10	v1.9
  back~  broken  hard  new
  line  run.sh  v1.2.tar	with space
  ls: invalid line width: ‘x’
[2]

$ ls -l d/a.txt d/big.c d/link d/broken d/pipe d/run.sh; ls -g d/run.sh; ls -o d/run.sh; ls -n d/run.sh; ls -lG d/run.sh; ls -l --author d/run.sh; ls -ld d/e | cut -c1-10; ls --format=long d/run.sh; ls --format=verbose -N 'd/with space'
  -rw-r--r-- 2 root root    1 Mar  1  2024 d/a.txt
  -rw-r--r-- 1 root root 5000 Jan  2  2023 d/big.c
  lrwxrwxrwx 1 root root    7 Mar  1  2024 d/broken -> nowhere
  lrwxrwxrwx 1 root root    5 Mar  1  2024 d/link -> a.txt
  prw-r--r-- 1 root root    0 Mar  1  2024 d/pipe
  -rwxr-xr-x 1 root root   10 Mar  1  2024 d/run.sh
  -rwxr-xr-x 1 root 10 Mar  1  2024 d/run.sh
  -rwxr-xr-x 1 root 10 Mar  1  2024 d/run.sh
  -rwxr-xr-x 1 0 0 10 Mar  1  2024 d/run.sh
  -rwxr-xr-x 1 root 10 Mar  1  2024 d/run.sh
  -rwxr-xr-x 1 root root root 10 Mar  1  2024 d/run.sh
  drwxr-xr-x
  -rwxr-xr-x 1 root root 10 Mar  1  2024 d/run.sh
  -rw-r--r-- 1 root root 3 Mar  1  2024 d/with space

$ ls -l --time-style=full-iso d/big.c; ls -l --time-style=long-iso d/big.c; ls -l --time-style=iso d/big.c; ls -l --time-style=+%Y/%j d/big.c; ls -l --time-style=locale d/big.c; ls --full-time d/a.txt; ls -l --time-style=$'+old %Y\nnew %Y' d/big.c; ls -l --time-style=zzz d/big.c
  -rw-r--r-- 1 root root 5000 2023-01-02 03:04:05.000000000 +0000 d/big.c
  -rw-r--r-- 1 root root 5000 2023-01-02 03:04 d/big.c
  -rw-r--r-- 1 root root 5000 2023-01-02  d/big.c
  -rw-r--r-- 1 root root 5000 2023/002 d/big.c
  -rw-r--r-- 1 root root 5000 Jan  2  2023 d/big.c
  -rw-r--r-- 2 root root 1 2024-03-01 10:00:00.123456789 +0000 d/a.txt
  -rw-r--r-- 1 root root 5000 old 2023 d/big.c
  ls: invalid argument ‘zzz’ for ‘time style’
  Valid arguments are:
    - [posix-]full-iso
    - [posix-]long-iso
    - [posix-]iso
    - [posix-]locale
    - +FORMAT (e.g., +%H:%M) for a 'date'-style format
  Try 'ls --help' for more information.
[2]

$ ls -lu --time-style=+%F d/a.txt; ls -l --time=atime --time-style=+%F d/a.txt; ls -l --time=access --time-style=+%F d/a.txt; ls -l --time=use --time-style=+%F d/a.txt; ls -c d/a.txt; ls -l --time=nope d
  -rw-r--r-- 2 root root 1 2022-02-02 d/a.txt
  -rw-r--r-- 2 root root 1 2022-02-02 d/a.txt
  -rw-r--r-- 2 root root 1 2022-02-02 d/a.txt
  -rw-r--r-- 2 root root 1 2022-02-02 d/a.txt
  d/a.txt
  ls: invalid argument ‘nope’ for ‘--time’
  Valid arguments are:
    - ‘atime’, ‘access’, ‘use’
    - ‘ctime’, ‘status’
    - ‘birth’, ‘creation’
  Try 'ls --help' for more information.
[1]

$ ls -t d | head -3; ls -tr d | head -3; ls -S d | head -2; ls -Sr d | tail -2; ls -X d; ls -v d; ls -U d | sort | head -2; ls --sort=size d | head -1; ls --sort=time d | tail -1; ls --sort=version d | tail -4; ls --sort=extension d | tail -3; ls --sort=width d | head -3; ls --sort=none d | wc -l; ls --sort=x d; ls -f d | sort | head -3
  a.txt
  back~
  broken
  e
  big.c
  with space
  big.c
  e
  e
  big.c
  back~
  broken
  e
  hard
  link
  new
  line
  pipe
  with space
  v1.10
  v1.9
  big.c
  run.sh
  v1.2.tar
  a.txt
  a.txt
  back~
  big.c
  broken
  e
  hard
  link
  new
  line
  pipe
  run.sh
  v1.2.tar
  v1.9
  v1.10
  with space
  a.txt
  back~
  big.c
  e
  v1.2.tar
  v1.9
  v1.10
  with space
  run.sh
  v1.2.tar
  a.txt
  e
  hard
  link
  15
  ls: invalid argument ‘x’ for ‘--sort’
  Valid arguments are:
    - ‘none’
    - ‘time’
    - ‘size’
    - ‘extension’
    - ‘version’
    - ‘width’
  Try 'ls --help' for more information.
  .
  ..
  .dot

$ ls -F d; ls -p d; ls --file-type d; ls --classify=always d/run.sh; ls --classify=never d/run.sh; ls --classify=auto d/run.sh; ls --indicator-style=slash d | head -4; ls --indicator-style=classify d/run.sh; ls --indicator-style=file-type d/run.sh d/pipe; ls --indicator-style=none d/pipe; ls -F d/link; ls -dF d/e
  a.txt
  back~
  big.c
  broken@
  e/
  hard
  link@
  new
  line
  pipe|
  run.sh*
  v1.10
  v1.2.tar
  v1.9
  with space
  a.txt
  back~
  big.c
  broken
  e/
  hard
  link
  new
  line
  pipe
  run.sh
  v1.10
  v1.2.tar
  v1.9
  with space
  a.txt
  back~
  big.c
  broken@
  e/
  hard
  link@
  new
  line
  pipe|
  run.sh
  v1.10
  v1.2.tar
  v1.9
  with space
  d/run.sh*
  d/run.sh
  d/run.sh
  a.txt
  back~
  big.c
  broken
  d/run.sh*
  d/pipe|
  d/run.sh
  d/pipe
  d/link@
  d/e/

$ ls --hide='*.c' d | head -3; ls -a --hide='b*' d | head -4; ls -I 'b*' -I '*.sh' d; ls --ignore='[a-n]*' d; ls --group-directories-first d | head -3; ls -r --group-directories-first d | head -3
  a.txt
  back~
  broken
  .
  ..
  .dot
  .h
  a.txt
  e
  hard
  link
  new
  line
  pipe
  v1.10
  v1.2.tar
  v1.9
  with space
  pipe
  run.sh
  v1.10
  v1.2.tar
  v1.9
  with space
  e
  a.txt
  back~
  e
  with space
  v1.9

$ ls -H d/link; ls -L d/link d/broken; ls -lL d/link | cut -c1-10; ls -l --dereference-command-line d/link | cut -c1; ls --dereference-command-line-symlink-to-dir d/link; ln -s d/e dl; ls -d dl; ls dl; ls -H dl; ls -ld dl | cut -c1
  d/link
  ls: cannot access 'd/broken': No such file or directory
  d/link
  -rw-r--r--
  -
  d/link
  dl
  l

$ ls -i d/a.txt | grep -c '^[0-9]* d/a.txt$'; [ "$(ls -i d/a.txt | cut -d' ' -f1)" = "$(ls -i d/hard | cut -d' ' -f1)" ] && echo same; ls -Z d/a.txt; ls --context d/a.txt
  1
  same
  ? d/a.txt
  ? d/a.txt

$ ls -R d/e d/.h; mkdir -p r/s/t; : > r/s/f; ls -R r; ls -RF r; ls -Rm r
  d/.h:
  
  d/e:
  r:
  s
  
  r/s:
  f
  t
  
  r/s/t:
  r:
  s/
  
  r/s:
  f
  t/
  
  r/s/t:
  r:
  s
  
  r/s:
  f, t
  
  r/s/t:

$ ls -lh d/big.c; ls -l --si d/big.c; ls -l --block-size=1K d/big.c; ls -l --block-size=K d/big.c; ls -l --block-size=1 d/big.c; ls -lk d/big.c; ls -l --block-size=kB d/big.c; ls -l --block-size=MB d/big.c; ls -l --block-size=x d/big.c; ls -l --block-size="'1" d/big.c
  -rw-r--r-- 1 root root 4.9K Jan  2  2023 d/big.c
  -rw-r--r-- 1 root root 5.0k Jan  2  2023 d/big.c
  -rw-r--r-- 1 root root 5 Jan  2  2023 d/big.c
  -rw-r--r-- 1 root root 5K Jan  2  2023 d/big.c
  -rw-r--r-- 1 root root 5000 Jan  2  2023 d/big.c
  -rw-r--r-- 1 root root 5000 Jan  2  2023 d/big.c
  -rw-r--r-- 1 root root 5kB Jan  2  2023 d/big.c
  -rw-r--r-- 1 root root 1MB Jan  2  2023 d/big.c
  ls: invalid --block-size argument 'x'
  -rw-r--r-- 1 root root 5000 Jan  2  2023 d/big.c

$ export TERM=xterm; ls --color=always d; ls --color=never d/run.sh; ls --color=auto d/run.sh; ls -l --color=always d/link | sed 's/.*:..//'; LS_COLORS='*.c=01;33:di=34:ex=' ls --color=yes d/big.c d/run.sh; ls --color=nope d
  a.txt
  back~
  big.c
  [0m[01;36mbroken[0m
  [01;34me[0m
  hard
  [01;36mlink[0m
  new
  line
  [33mpipe[0m
  [01;32mrun.sh[0m
  v1.10
  v1.2.tar
  v1.9
  with space
  d/run.sh
  d/run.sh
  lrwxrwxrwx 1 root root 5 Mar  1  2024 [0m[01;36md/link[0m -> a.txt
  [0m[01;33md/big.c[0m
  d/run.sh
  ls: invalid argument ‘nope’ for ‘--color’
  Valid arguments are:
    - ‘always’, ‘yes’, ‘force’
    - ‘never’, ‘no’, ‘none’
    - ‘auto’, ‘tty’, ‘if-tty’
  Try 'ls --help' for more information.
[1]

$ ls --hyperlink=never d/a.txt; ls --zero d | tr '\0' '!'; echo
  d/a.txt
  a.txt!back~!big.c!broken!e!hard!link!new
  line!pipe!run.sh!v1.10!v1.2.tar!v1.9!with space!

$ dir d/a.txt d/run.sh; dir -l d/big.c; vdir d/big.c; dir 'd/with space'; vdir -h d/big.c
  d/a.txt  d/run.sh
  -rw-r--r-- 1 root root 5000 Jan  2  2023 d/big.c
  -rw-r--r-- 1 root root 5000 Jan  2  2023 d/big.c
  d/with\ space
  -rw-r--r-- 1 root root 4.9K Jan  2  2023 d/big.c

$ ls nosuch; ls d/a.txt nosuch; ls -l nosuch; ls nosuch/; ls d/a.txt/; ls ''; ls --nope; ls -y; ls -w
  ls: cannot access 'nosuch': No such file or directory
  ls: cannot access 'nosuch': No such file or directory
  d/a.txt
  ls: cannot access 'nosuch': No such file or directory
  ls: cannot access 'nosuch/': No such file or directory
  ls: cannot access 'd/a.txt/': Not a directory
  ls: cannot access '': No such file or directory
  ls: unrecognized option '--nope'
  Try 'ls --help' for more information.
  ls: invalid option -- 'y'
  Try 'ls --help' for more information.
  ls: option requires an argument -- 'w'
  Try 'ls --help' for more information.
[2]

$ du -a --apparent-size -b r d/e 2>/dev/null | grep -c r; du -ab d/big.c d/a.txt; du -b d/big.c; du -c -b d/big.c d/run.sh; du -0b d/big.c | tr '\0' '!'; echo; du --apparent-size -h d/big.c; du --apparent-size --si d/big.c; du --apparent-size -k d/big.c; du --apparent-size -m d/big.c; du --apparent-size -B 100 d/big.c; du -b --time d/big.c; du -b --time=atime --time-style=+%F d/a.txt; du -s -b d/a.txt d/hard; du -l -s -b d/a.txt d/hard; du -bt 100 d/a.txt d/big.c; du -b -t -100 d/a.txt d/big.c
  0
  5000	d/big.c
  1	d/a.txt
  5000	d/big.c
  5000	d/big.c
  10	d/run.sh
  5010	total
  5000	d/big.c!
  4.9K	d/big.c
  5.0k	d/big.c
  5	d/big.c
  1	d/big.c
  50	d/big.c
  5000	2023-01-02 03:04	d/big.c
  1	2022-02-02	d/a.txt
  1	d/a.txt
  1	d/a.txt
  1	d/hard
  5000	d/big.c
  1	d/a.txt

$ mkdir -p u/v/w; : > u/x; : > u/v/y; du --inodes u; du --inodes -s u; du --inodes -d 1 u; du --inodes --max-depth=0 u; du --inodes -S u; du --inodes -a u | sort; du --inodes --exclude=v u; du --inodes -a --exclude='y*' u | sort; printf 'v\n' > ex; du --inodes -X ex u; printf 'u/v\0u/x\0' | du --inodes --files0-from=-; ln -s u ul; du --inodes ul; du --inodes -D ul; du --inodes -L ul; du --inodes -P ul; du --inodes -H ul; du -x --inodes u; du -s -d 1 u; du -sa u; du nosuch; du -d x u
  1	u/v/w
  3	u/v
  5	u
  5	u
  3	u/v
  5	u
  5	u
  1	u/v/w
  2	u/v
  2	u
  1	u/v/w
  1	u/v/y
  1	u/x
  3	u/v
  5	u
  2	u
  1	u/v/w
  1	u/x
  2	u/v
  4	u
  2	u
  1	u/v/w
  3	u/v
  1	u/x
  1	ul
  1	ul/v/w
  3	ul/v
  5	ul
  1	ul/v/w
  3	ul/v
  5	ul
  1	ul
  1	ul/v/w
  3	ul/v
  5	ul
  1	u/v/w
  3	u/v
  5	u
  du: warning: summarizing conflicts with --max-depth=1
  Try 'du --help' for more information.
  du: cannot both summarize and show all entries
  Try 'du --help' for more information.
  du: cannot access 'nosuch': No such file or directory
  du: invalid maximum depth ‘x’
  Try 'du --help' for more information.
[1]

$ stat -c '%n %s %F %a %A %h %u %U %g %G %N' d/a.txt d/link d/pipe d/e/ | sed 's/e\/ [0-9]*/e\/ S/'; stat -c %N "d/with space"; stat --format='%y|%x|%Y|%X' d/a.txt; stat --printf='%s\t%n\n\x41\101\n' d/big.c; stat -L -c '%F' d/link; stat -t d/big.c | wc -w; stat -c '%5s|%-5s|%05s|%#a|%04a|%.3Y|%10n' d/big.c; stat -c '%m' / ; stat -c '%q' d/big.c; stat --cached=never -c %s d/big.c; stat nosuch; stat -L d/broken; stat; stat -f -c '%n' d; stat -c '%%|%' d/big.c
  d/a.txt 1 regular file 644 -rw-r--r-- 2 0 root 0 root 'd/a.txt'
  d/link 5 symbolic link 777 lrwxrwxrwx 1 0 root 0 root 'd/link' -> 'a.txt'
  d/pipe 0 fifo 644 prw-r--r-- 1 0 root 0 root 'd/pipe'
  d/e/ S directory 755 drwxr-xr-x 2 0 root 0 root 'd/e/'
  'd/with space'
  2024-03-01 10:00:00.123456789 +0000|2022-02-02 02:02:02.000000000 +0000|1709287200|1643767322
  5000	d/big.c
  AA
  regular file
  16
   5000|5000 |05000|0644|0644|1672628645.000|   d/big.c
  /
  ?
  5000
  stat: cannot statx 'nosuch': No such file or directory
  stat: cannot statx 'd/broken': No such file or directory
  stat: missing operand
  Try 'stat --help' for more information.
  d
  %|%

$ stat d/big.c | sed 's/Inode: [0-9]* */Inode: I /; s/Device: [0-9a-f,]*/Device: D/; s/Blocks: [0-9]* */Blocks: B /; s/IO Block: [0-9]*/IO Block: N/; /Change/d; /Birth/d'; stat d/link | sed -n 1p; stat d/pipe | sed -n 2p | grep -o 'fifo'
    File: d/big.c
    Size: 5000      	Blocks: B IO Block: N   regular file
  Device: D	Inode: I Links: 1
  Access: (0644/-rw-r--r--)  Uid: (    0/    root)   Gid: (    0/    root)
  Access: 2023-01-02 03:04:05.000000000 +0000
  Modify: 2023-01-02 03:04:05.000000000 +0000
    File: d/link -> a.txt
  fifo

$ mkdir ww; cd ww; touch a b c d e f; for w in 1 2 3 4 5 6 8; do echo $w $(ls -Cw $w | tr ' \n' '_|') $(ls -xw $w | tr ' \n' '_|'); done; touch long; for w in 4 6 9; do ls -Cw $w | tr ' \n' '_|'; echo; done
  1 a|b|c|d|e|f| a|b|c|d|e|f|
  2 a|b|c|d|e|f| a|b|c|d|e|f|
  3 a|b|c|d|e|f| a|b|c|d|e|f|
  4 a__d|b__e|c__f| a__b|c__d|e__f|
  5 a__d|b__e|c__f| a__b|c__d|e__f|
  6 a__d|b__e|c__f| a__b|c__d|e__f|
  8 a__c__e|b__d__f| a__b__c|d__e__f|
  a|b|c|d|e|f|long|
  a|b|c|d|e|f|long|
  a__e|b__f|c__long|d|
