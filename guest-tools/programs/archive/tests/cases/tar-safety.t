# What GNU tar 1.34 of Debian 12 does not write through, lose or take for another option.
% exec 2>&1; umask 022

$ mkdir mk; cd mk; ln -s ../out x; tar cf ../1.tar x; rm x; mkdir x; echo p > x/f; tar rf ../1.tar x/f; tar rf ../1.tar ./x/f; cd ..; mkdir out ex; tar xvf 1.tar -C ex; echo $?; find ex out | sort; readlink ex/x
  x
  x/f
  tar: x/f: Cannot open: Not a directory
  ./x/f
  tar: ./x/f: Cannot open: Not a directory
  tar: Exiting with failure status due to previous errors
  2
  ex
  ex/x
  out
  ../out

$ mkdir mk; cd mk; ln -s /nowhere x; tar cf ../1.tar x; rm x; mkdir x; ln -s y x/l; tar rf ../1.tar x/l; rm -r x; ln -s /nowhere x; tar rf ../1.tar x; cd ..; mkdir ex; tar xf 1.tar -C ex; echo $?; find ex | sort; readlink ex/x
  tar: x/l: Cannot create symlink to ‘y’: Not a directory
  tar: Exiting with failure status due to previous errors
  2
  ex
  ex/x
  /nowhere

$ mkdir -p mk/d; cd mk; ln -s d x; tar cf ../2.tar d x; rm x; mkdir x; echo p > x/f; tar rf ../2.tar x/f; cd ..; mkdir ex; tar xvf 2.tar -C ex; echo $?; find ex | sort; cat ex/d/f
  d/
  x
  x/f
  0
  ex
  ex/d
  ex/d/f
  ex/x
  p

$ mkdir -p mk/x; echo 1 > mk/x/f; chmod 700 mk/x; tar cf 3.tar -C mk x; mkdir ex out; ln -s ../out ex/x; tar xf 3.tar -C ex; echo $?; find ex out | sort; stat -c %a out ex/x
  0
  ex
  ex/x
  ex/x/f
  out
  755
  700

$ mkdir -p mk/x; chmod 700 mk/x; tar cf 3.tar -C mk x; rm -r mk/x; ln -s ../out mk/x; tar rf 3.tar -C mk x; mkdir ex out; chmod 755 out; tar xf 3.tar -C ex; echo $?; find ex out | sort; stat -c %a out; readlink ex/x
  0
  ex
  ex/x
  out
  755
  ../out

$ mkdir out .x; echo 1 > .x/f; tar cf a.tar .x; mkdir ex; ln -s ../out ex/.x; cd ex; tar xf ../a.tar; echo $?; find .. | sort
  0
  ..
  ../.x
  ../.x/f
  ../a.tar
  ../ex
  ../ex/.x
  ../ex/.x/f
  ../out

$ mkdir o; echo 1 > o/f; mv o a; tar cf x.tar a; rm -r a; mkdir o; ln -s o a; tar xkvf x.tar; echo $?; readlink a; ls o; mkdir d; tar cf d.tar d; rmdir d; ln -s nope d; tar xkf d.tar; echo $?; tar xf d.tar --skip-old-files; echo $?; tar xvf d.tar --skip-old-files; readlink d; tar xf d.tar; ls -d d/
  a/
  a/f
  0
  o
  f
  0
  0
  d/
  tar: d: skipping existing file
  nope
  d/

$ echo one > g; mkdir d; echo 1 > d/f; tar cf r.tar g; touch -d 2020-01-01 g d/f; tar -uvf r.tar --remove-files g d; echo $?; find . | sort; tar tf r.tar; mkdir d; echo 1 > d/f; touch d/g; touch -d 2030-01-01 d; tar -uvf r.tar --remove-files d; echo $?; find . | sort
  d/
  d/f
  0
  .
  ./g
  ./r.tar
  g
  d/
  d/f
  d/f
  d/g
  0
  .
  ./d
  ./g
  ./r.tar

$ mkdir a; echo 1 > a/f; echo 2 > a/g; tar cvf s.tar --remove-files --exclude=g a; echo $?; find . | sort; echo 1 > f; tar cvf t.tar --remove-files f f ./f; echo $?; ls; mkdir e; echo 1 > e/f; ln -s nowhere e/l; tar cvf u.tar --remove-files -C e .; echo $?; ls; echo k > k; tar cf /dev/full --remove-files k; echo $?; ls k
  a/
  a/f
  tar: a: Cannot rmdir: Directory not empty
  tar: Exiting with failure status due to previous errors
  2
  .
  ./a
  ./a/g
  ./s.tar
  f
  f
  ./f
  0
  a
  s.tar
  t.tar
  ./
  ./f
  ./l
  0
  a
  s.tar
  t.tar
  u.tar
  tar: /dev/full: Cannot write: No space left on device
  tar: Error is not recoverable: exiting now
  2
  k

$ echo 1 > p; echo 2 > q; tar cf z.tar p; ln z.tar hl; tar rvf z.tar q; echo $?; tar tf hl; stat -c %s z.tar; head -c 1000 z.tar > t.tar; tar rf t.tar q; echo $?; : > e.tar; tar rf e.tar q; echo $?; tar tf e.tar; tar rvf z.tar no; echo $?; tar tf z.tar; tar rf n.tar p; tar tf n.tar; tar uvf z.tar p q; tar tf z.tar
  q
  0
  p
  q
  10240
  tar: Unexpected EOF in archive
  tar: Error is not recoverable: exiting now
  2
  0
  q
  tar: no: Cannot stat: No such file or directory
  tar: Exiting with failure status due to previous errors
  2
  p
  q
  p
  p
  q

$ echo 1 > p; echo 2 > q; tar czf c.tgz p; for o in -rf -rzf -uJf; do tar $o c.tgz q; echo $?; done; tar --delete -zf c.tgz p; echo $?; tar --delete -f c.tgz p; echo $?; tar -raf d.tgz q; echo $?; tar tf d.tgz; tar -cazf x.tgz p; tar -tzf x.tgz; tar -cf y.tbz2 -a p; bzip2 -t y.tbz2; echo $?
  tar: Cannot update compressed archives
  tar: Error is not recoverable: exiting now
  2
  tar: Cannot update compressed archives
  Try 'tar --help' or 'tar --usage' for more information.
  2
  tar: Cannot update compressed archives
  Try 'tar --help' or 'tar --usage' for more information.
  2
  tar: Cannot update compressed archives
  Try 'tar --help' or 'tar --usage' for more information.
  2
  tar: Cannot update compressed archives
  tar: Error is not recoverable: exiting now
  2
  0
  q
  p
  0

$ mkdir a b; touch a/f b/f; tar cf x.tar a --exclude=f b; tar tf x.tar; tar cf x.tar a --exclude-vcs; echo $?; tar cf x.tar a --exclude-backups; echo $?; echo f > l; tar cf x.tar a -X l --exclude=g; echo $?; tar cf x.tar a --no-recursion --exclude=g --recursion; echo $?; tar cf x.tar a --no-recursion b; tar tf x.tar; echo -; tar cf x.tar --no-recursion a --recursion b; tar tf x.tar; echo a > l; tar cf x.tar --no-recursion -T l; tar tf x.tar; tar cf x.tar -T l --no-recursion; echo $?; tar tf x.tar --no-recursion; tar xvf x.tar a --exclude=f
  a/
  a/f
  b/
  tar: The following options were used after any non-optional arguments in archive create or update mode.  These options are positional and affect only arguments that follow them.  Please, rearrange them properly.
  tar: --exclude-vcs has no effect
  tar: Exiting with failure status due to previous errors
  2
  tar: The following options were used after any non-optional arguments in archive create or update mode.  These options are positional and affect only arguments that follow them.  Please, rearrange them properly.
  tar: --exclude-backups has no effect
  tar: Exiting with failure status due to previous errors
  2
  tar: The following options were used after any non-optional arguments in archive create or update mode.  These options are positional and affect only arguments that follow them.  Please, rearrange them properly.
  tar: --exclude-from ‘l’ has no effect
  tar: --exclude ‘g’ has no effect
  tar: Exiting with failure status due to previous errors
  2
  tar: The following options were used after any non-optional arguments in archive create or update mode.  These options are positional and affect only arguments that follow them.  Please, rearrange them properly.
  tar: --no-recursion has no effect
  tar: --exclude ‘g’ has no effect
  tar: --recursion has no effect
  tar: Exiting with failure status due to previous errors
  2
  a/
  a/f
  b/
  -
  a/
  b/
  b/f
  a/
  tar: The following options were used after any non-optional arguments in archive create or update mode.  These options are positional and affect only arguments that follow them.  Please, rearrange them properly.
  tar: --no-recursion has no effect
  tar: Exiting with failure status due to previous errors
  2
  a/
  a/f
  a/

$ touch s1 s2 s3 s4; chmod 4755 s1; chmod 2645 s2; chmod 1777 s3; chmod 6644 s4; mkdir st; chmod 1776 st; tar cf - s1 s2 s3 s4 st | tar tvf - | cut -c1-10; echo hi > f; tar cf x.tar f st; tar -xvOf x.tar 2>/dev/null; tar -xvOf x.tar; tar -xvvOf x.tar 2>&1 >/dev/null | cut -c1-22
  -rwsr-xr-x
  -rw-r-Sr-x
  -rwxrwxrwt
  -rwSr-Sr--
  drwxrwxrwT
  hi
  f
  hi
  st/
  -rw-r--r-- root/root  
  drwxrwxrwT root/root  

$ touch b; for o in --no --ex=foo --ver --nosuch --file --create=3 --nosuch=x; do tar $o -cf x.tar b 2>&1 | sed 's/possibilities:.*/possibilities/'; echo ${PIPESTATUS[0]}; done; tar --creat --fil x.tar b 2>/dev/null; echo $?; tar --gzi -cf x.tgz b; tar --gunz -tf x.tgz
  tar: option '--no' is ambiguous; possibilities
  Try 'tar --help' or 'tar --usage' for more information.
  64
  tar: option '--ex=foo' is ambiguous; possibilities
  Try 'tar --help' or 'tar --usage' for more information.
  64
  tar: option '--ver' is ambiguous; possibilities
  Try 'tar --help' or 'tar --usage' for more information.
  64
  tar: unrecognized option '--nosuch'
  Try 'tar --help' or 'tar --usage' for more information.
  64
  tar: You must specify one of the '-Acdtrux', '--delete' or '--test-label' options
  Try 'tar --help' or 'tar --usage' for more information.
  2
  tar: option '--create' doesn't allow an argument
  Try 'tar --help' or 'tar --usage' for more information.
  64
  tar: unrecognized option '--nosuch=x'
  Try 'tar --help' or 'tar --usage' for more information.
  64
  64
  b

$ head -c 100000 /dev/zero > f; (head -c 1000 f; sleep 0) > g; tar cf x.tar f g; tar tvf x.tar | wc -l; tar xOf x.tar f | cmp - f; tar df x.tar
  2
