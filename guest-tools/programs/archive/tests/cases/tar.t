# GNU tar 1.34 of Debian 12.
% umask 022; mkdir -p d/sub d/keep; echo 1 > d/a.o; echo 2 > d/b.c; echo 3 > d/sub/a.o; echo 4 > 'd/sp ace'; echo 5 > d/sub/x; echo 6 > d/keep/a; ln -s b.c d/l; ln d/b.c d/sub/h; find . -exec touch -h -d 2020-02-03T04:05:06 {} +; N='d/a.o d/b.c d/l d/sub/h'; tar cf x.tar --no-recursion d $N 'd/sp ace' d/sub d/sub/a.o d/sub/x d/keep d/keep/a

$ for p in '*.o\nsp ace\n\n  lead\n' 'd/sub\n' 'sub/*\n' 'sub/\n' '# c\nd/b*\r\nkeep' 'd\n' '\n \n' 'b.?\nx'; do printf "$p" > ex; tar tf x.tar -X ex; echo "- $?"; done; printf '[ab].?\n' | tar tf x.tar -X -; tar tf x.tar -X nosuch 2>&1; echo $?
  d/
  d/b.c
  d/l
  d/sub/h
  d/sub/
  d/sub/x
  d/keep/
  d/keep/a
  - 0
  d/
  d/a.o
  d/b.c
  d/l
  d/sp ace
  d/keep/
  d/keep/a
  - 0
  d/
  d/a.o
  d/b.c
  d/l
  d/sp ace
  d/sub/
  d/keep/
  d/keep/a
  - 0
  d/
  d/a.o
  d/b.c
  d/l
  d/sub/h
  d/sp ace
  d/sub/
  d/sub/a.o
  d/sub/x
  d/keep/
  d/keep/a
  - 0
  d/
  d/a.o
  d/l
  d/sub/h
  d/sp ace
  d/sub/
  d/sub/a.o
  d/sub/x
  - 0
  - 0
  d/
  d/a.o
  d/b.c
  d/l
  d/sub/h
  d/sp ace
  d/sub/
  d/sub/a.o
  d/sub/x
  d/keep/
  d/keep/a
  - 0
  d/
  d/a.o
  d/l
  d/sub/h
  d/sp ace
  d/sub/
  d/sub/a.o
  d/keep/
  d/keep/a
  - 0
  d/
  d/l
  d/sub/h
  d/sp ace
  d/sub/
  d/sub/x
  d/keep/
  d/keep/a
  tar: nosuch: No such file or directory
  tar: Error is not recoverable: exiting now
  2

$ printf '*.o\n' > ex; tar tf x.tar -X ex d/sub; tar tf x.tar -X ex d/sub d/b.c; tar tf x.tar d/keep --exclude-from=ex --exclude='[l]'; tar xvf x.tar -X ex -C d d/sub 2>&1; tar tf x.tar -X ex d/a.o 2>&1; echo $?; tar tf x.tar '*.o' 2>&1; echo $?; tar tf x.tar --wildcards '*.o' 'sub*' 2>&1; tar cf y.tar -X ex -C d sub keep; tar tf y.tar | LC_ALL=C sort
  d/sub/h
  d/sub/
  d/sub/x
  d/b.c
  d/sub/h
  d/sub/
  d/sub/x
  d/keep/
  d/keep/a
  d/sub/h
  tar: d/sub/h: Cannot hard link to ‘d/b.c’: No such file or directory
  d/sub/
  d/sub/x
  tar: Exiting with failure status due to previous errors
  0
  tar: Pattern matching characters used in file names
  tar: Use --wildcards to enable pattern matching, or --no-wildcards to suppress this warning
  tar: *.o: Not found in archive
  tar: Exiting with failure status due to previous errors
  2
  d/a.o
  d/sub/a.o
  tar: sub*: Not found in archive
  tar: Exiting with failure status due to previous errors
  keep/
  keep/a
  sub/
  sub/h
  sub/x

$ ln d/b.c hard; echo more >> hard; tar xf x.tar --overwrite d/b.c; cat hard; stat -c %h hard d/b.c; echo more >> hard; tar xf x.tar d/b.c; cat hard d/b.c; stat -c %h hard d/b.c; rm d/b.c; echo other > tgt; ln -s ../tgt d/b.c; tar xf x.tar --overwrite d/b.c; cat tgt; stat -c %F d/b.c; rm d/b.c; mkdir d/b.c; tar xf x.tar --overwrite d/b.c 2>&1; echo $?; tar xf x.tar d/b.c; stat -c %F d/b.c
  2
  3
  3
  2
  more
  2
  2
  1
  other
  regular file
  tar: d/b.c: Cannot open: Is a directory
  tar: Exiting with failure status due to previous errors
  2
  regular file

$ rm -r d/sub; echo f > d/sub; tar xf x.tar d/sub; echo $?; ls d/sub; rm d/b.c; mkdir d/b.c; touch d/b.c/in; tar xf x.tar d/b.c 2>&1; echo $?; ls d/b.c; chmod 600 d/a.o; echo changed >> d/a.o; tar xf x.tar --overwrite d/a.o; stat -c '%a %s' d/a.o
  2
  a.o
  x
  tar: d/b.c: Cannot open: File exists
  tar: Exiting with failure status due to previous errors
  2
  in
  644 2

$ tar --delete -f x.tar d/b.c; tar tf x.tar; tar --delete -vf x.tar d/sub; tar tf x.tar; tar --delete -f x.tar nosuch 2>&1; echo $?; tar --delete -f x.tar; tar tf x.tar; tar --delete -f x.tar d nosuch 2>&1; tar tf x.tar; stat -c %s x.tar; tar tf x.tar | wc -l
  d/
  d/a.o
  d/l
  d/sub/h
  d/sp ace
  d/sub/
  d/sub/a.o
  d/sub/x
  d/keep/
  d/keep/a
  d/
  d/a.o
  d/l
  d/sp ace
  d/keep/
  d/keep/a
  tar: nosuch: Not found in archive
  tar: Exiting with failure status due to previous errors
  2
  d/
  d/a.o
  d/l
  d/sp ace
  d/keep/
  d/keep/a
  tar: nosuch: Not found in archive
  tar: Exiting with failure status due to previous errors
  10240
  0

$ cp x.tar y.tar; tar -f x.tar --delete --wildcards '*.o'; tar tf x.tar; tar --delete -f x.tar 'd/*' 2>&1; echo $?; gzip -k y.tar; tar -f y.tar.gz --delete d/l 2>&1; tar --delete d/sub < y.tar | tar t; tar --delete -f nosuch.tar x 2>&1; echo $?; tar -cf x.tar --delete d 2>&1; tar rf y.tar d/b.c; tar --delete -f y.tar d/b.c d/sub/; tar tf y.tar; cmp <(tar xOf y.tar d/keep/a) d/keep/a
  d/
  d/b.c
  d/l
  d/sub/h
  d/sp ace
  d/sub/
  d/sub/x
  d/keep/
  d/keep/a
  tar: Pattern matching characters used in file names
  tar: Use --wildcards to enable pattern matching, or --no-wildcards to suppress this warning
  tar: d/*: Not found in archive
  tar: Exiting with failure status due to previous errors
  2
  tar: Cannot update compressed archives
  tar: Error is not recoverable: exiting now
  d/
  d/a.o
  d/b.c
  d/l
  d/sp ace
  d/keep/
  d/keep/a
  tar: x: Not found in archive
  tar: Exiting with failure status due to previous errors
  2
  tar: You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option
  Try 'tar --help' or 'tar --usage' for more information.
  d/
  d/a.o
  d/l
  d/sp ace
  d/keep/
  d/keep/a

$ long=d/$(printf 'n%.0s' {1..90})/$(printf 'm%.0s' {1..60}); mkdir -p ${long%/*}; echo 7 > $long; tar cf z.tar d/a.o $long d/b.c; tar --delete -f z.tar d/a.o; tar tf z.tar; tar --delete -f z.tar $long; tar tf z.tar; tar xOf z.tar
  d/nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn/mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm
  d/b.c
  d/b.c
  2

$ tar df x.tar; echo $?; tar dvf x.tar; tar --compare -f x.tar d/a.o d/sub; tar --diff -f x.tar nosuch 2>&1; echo $?; tar df x.tar -C d 2>&1; echo $?; tar df x.tar --exclude='*'; tar dvf x.tar d/l
  0
  d/
  d/a.o
  d/b.c
  d/l
  d/sub/h
  d/sp ace
  d/sub/
  d/sub/a.o
  d/sub/x
  d/keep/
  d/keep/a
  tar: nosuch: Not found in archive
  tar: Exiting with failure status due to previous errors
  2
  tar: d: Warning: Cannot stat: No such file or directory
  tar: d/a.o: Warning: Cannot stat: No such file or directory
  tar: d/b.c: Warning: Cannot stat: No such file or directory
  tar: d/l: Warning: Cannot readlink: No such file or directory
  tar: d/sub/h: Warning: Cannot stat: No such file or directory
  tar: d/sp ace: Warning: Cannot stat: No such file or directory
  tar: d/sub: Warning: Cannot stat: No such file or directory
  tar: d/sub/a.o: Warning: Cannot stat: No such file or directory
  tar: d/sub/x: Warning: Cannot stat: No such file or directory
  tar: d/keep: Warning: Cannot stat: No such file or directory
  tar: d/keep/a: Warning: Cannot stat: No such file or directory
  1
  d/l

$ echo 11 > d/a.o; echo x > d/sub/x; chmod 600 d/keep/a; rm d/l; ln -s a d/l; touch d/b.c; rm d/sub/h; echo h > d/sub/h; chmod 700 d/keep; tar df x.tar 2>&1; echo $?; tar dvf x.tar 2>&1; tar df x.tar d/a.o d/keep; rm 'd/sp ace'; mkdir 'd/sp ace'; rm -r d/sub; echo f > d/sub; rm d/l; tar df x.tar 2>&1; echo $?; rm -r d; tar df x.tar 2>&1; echo $?
  d/a.o: Mod time differs
  d/a.o: Size differs
  d/b.c: Mod time differs
  d/l: Symlink differs
  d/sub/h: Not linked to d/b.c
  d/sub/x: Mod time differs
  d/sub/x: Contents differ
  d/keep: Mode differs
  d/keep/a: Mode differs
  1
  d/
  d/a.o
  d/a.o: Mod time differs
  d/a.o: Size differs
  d/b.c
  d/b.c: Mod time differs
  d/l
  d/l: Symlink differs
  d/sub/h
  d/sub/h: Not linked to d/b.c
  d/sp ace
  d/sub/
  d/sub/a.o
  d/sub/x
  d/sub/x: Mod time differs
  d/sub/x: Contents differ
  d/keep/
  d/keep: Mode differs
  d/keep/a
  d/keep/a: Mode differs
  d/a.o: Mod time differs
  d/a.o: Size differs
  d/keep: Mode differs
  d/keep/a: Mode differs
  d/a.o: Mod time differs
  d/a.o: Size differs
  d/b.c: Mod time differs
  tar: d/l: Warning: Cannot readlink: No such file or directory
  tar: d/sub/h: Cannot stat: Not a directory
  d/sp ace: File type differs
  d/sub: File type differs
  tar: d/sub/a.o: Cannot stat: Not a directory
  tar: d/sub/x: Cannot stat: Not a directory
  d/keep: Mode differs
  d/keep/a: Mode differs
  tar: Exiting with failure status due to previous errors
  2
  tar: d: Warning: Cannot stat: No such file or directory
  tar: d/a.o: Warning: Cannot stat: No such file or directory
  tar: d/b.c: Warning: Cannot stat: No such file or directory
  tar: d/l: Warning: Cannot readlink: No such file or directory
  tar: d/sub/h: Warning: Cannot stat: No such file or directory
  tar: d/sp ace: Warning: Cannot stat: No such file or directory
  tar: d/sub: Warning: Cannot stat: No such file or directory
  tar: d/sub/a.o: Warning: Cannot stat: No such file or directory
  tar: d/sub/x: Warning: Cannot stat: No such file or directory
  tar: d/keep: Warning: Cannot stat: No such file or directory
  tar: d/keep/a: Warning: Cannot stat: No such file or directory
  1

$ gzip -k x.tar; tar df x.tar.gz; tar dzf x.tar.gz; gzip -dc x.tar.gz | tar d; echo y > d/sub/a.o; touch -d 2020-02-03T04:05:06 d/sub/a.o; tar df x.tar.gz; echo $?; tar dvvf x.tar d/sub/a.o | cut -c1-10; tar df nosuch.tar 2>/dev/null; echo $?; echo junk > junk; tar df junk 2>&1
  d/sub/a.o: Contents differ
  1
  -rw-r--r--
  d/sub/a.o:
  2
  tar: This does not look like a tar archive
  tar: Exiting with failure status due to previous errors
[2]

$ printf x > 'd/x
> y'; touch -d 2024-01-02T03:04:05 d/*; tar cvf x.tar --sort=name d/keep 'd/x
> y'; for s in literal escape c shell shell-always locale; do tar tf x.tar --quoting-style=$s | tail -n 2; done; tar tvf x.tar --full-time --utc | tail -n 1 | cut -d' ' -f 4-; tar xkf x.tar 2>&1
  d/keep/
  d/keep/a
  d/x\ny
  d/x
  y
  d/keep/a
  d/x\ny
  "d/keep/a"
  "d/x\ny"
  'd/x
  y'
  'd/x
  y'
  ‘d/keep/a’
  ‘d/x\ny’
         1 2024-01-02 03:04:05 d/x\ny
  tar: d/keep/a: Cannot open: File exists
  tar: d/x\ny: Cannot open: File exists
  tar: Exiting with failure status due to previous errors
[2]

$ cd d; touch -d 2024-01-02 b.c; tar cf x.tar -N 2030-01-01 b.c; tar tf x.tar; tar cf x.tar --newer-mtime=./b.c b.c; tar tf x.tar; tar cf x.tar --mode=u+x,go-r b.c; tar tvf x.tar | cut -c1-10; tar cf x.tar --clamp-mtime --mtime=2024-06-01 b.c; tar tvf x.tar --utc --full-time | cut -d' ' -f 5-; tar cf x.tar --clamp-mtime --mtime=2020-06-01 b.c; tar tvf x.tar --utc --full-time | cut -d' ' -f 5-; touch z~ .#q; tar cf x.tar --exclude-backups b.c z~ .#q; tar tf x.tar; ln b.c h; tar cf x.tar --hard-dereference b.c h; tar tvf x.tar | cut -c1
  b.c
  -rwx------
        2 2024-01-02 00:00:00 b.c
        2 2020-06-01 00:00:00 b.c
  b.c
  -
  -

$ cd d; tar cf x.tar --ignore-failed-read nosuch b.c 2>&1; echo $?; printf 'b.c\0' | tar c --null -T - | tar t; tar cf x.tar b.c --exclude b.c 2>&1; echo $?; tar tf x.tar; tar cf x.tar --exclude=b.c b.c keep; tar tf x.tar | head -n 2; tar cf x.tar keep/a --add-file=b.c; tar tf x.tar; tar cf x.tar -T /dev/null; tar tf x.tar; echo $?; tar c -T nosuch 2>&1; tar cPf x.tar "$PWD/b.c"; tar tf x.tar 2>&1 | sed "s,$PWD,PWD,"; tar tPf x.tar 2>&1 | sed "s,$PWD,PWD,"
  tar: nosuch: Warning: Cannot stat: No such file or directory
  0
  b.c
  tar: The following options were used after any non-optional arguments in archive create or update mode.  These options are positional and affect only arguments that follow them.  Please, rearrange them properly.
  tar: --exclude ‘b.c’ has no effect
  tar: Exiting with failure status due to previous errors
  2
  b.c
  keep/
  keep/a
  keep/a
  b.c
  0
  tar: nosuch: Cannot stat: No such file or directory
  tar: Error is not recoverable: exiting now
  tar: Removing leading `/' from member names
  PWD/b.c
  PWD/b.c

$ tar cf 2>&1; echo $?; tar xvf 2>&1; echo $?; tar cf x.tar d; tar tjf x.tar 2>&1; echo $?; tar tzf x.tar 2>&1; echo $?; tar cf o.tar --owner=0 --group=0 d/keep/a; tar tvf o.tar | cut -d' ' -f2; tar cf o.tar --owner=joe:7 --group=99999 d/keep/a; tar tvf o.tar | cut -d' ' -f2; tar cf o.tar --no-xattrs --acls --checkpoint=10 --delay-directory-restore --pax-option=delete=atime d/keep/a; echo $?; tar xUf o.tar
  tar: Old option 'f' requires an argument.
  Try 'tar --help' or 'tar --usage' for more information.
  2
  tar: Old option 'f' requires an argument.
  Try 'tar --help' or 'tar --usage' for more information.
  2
  bzip2: (stdin) is not a bzip2 file.
  tar: Child returned status 2
  tar: Error is not recoverable: exiting now
  2
  
  gzip: stdin: not in gzip format
  tar: Child returned status 1
  tar: Error is not recoverable: exiting now
  2
  root/root
  joe/99999
  0
