# Options of what makes, copies and removes files.
% exec 2>&1; umask 022; show() { find "${@:-.}" -printf '%P %y %m %s %l\n' | sed 's/ d \([0-9]*\) [0-9]*/ d \1/' | sort; }
% printf one > f; printf twotwo > g; mkdir -p d/s; printf in > d/i; ln -s f l; ln -s d dl; touch -d '2020-01-02 03:04:05' f; chmod 640 f

$ cp -v f n; cp -p f p; stat -c '%y %a' p; cp --preserve=mode f q; stat -c %a q; cp --preserve=timestamps f q2; stat -c '%Y' q2; cp --no-preserve=mode f q3; stat -c %a q3; cp --attributes-only f g; cat g; cp --preserve=nope f x; cp -p --no-preserve=timestamps f q4; [ q4 -nt f ] && echo newer
  'f' -> 'n'
  2020-01-02 03:04:05.000000000 +0000 640
  640
  1577934245
  644
  twotwocp: invalid argument ‘nope’ for ‘--preserve’
  Valid arguments are:
    - ‘mode’
    - ‘timestamps’
    - ‘ownership’
    - ‘links’
    - ‘context’
    - ‘xattr’
    - ‘all’
  Try 'cp --help' for more information.
  newer

$ cp d x; cp -r d x; show x; cp -R d y; cp -a dl z; readlink z; cp -d l k; readlink k; cp -P l k2; readlink k2; cp -L l k3; stat -c %F k3; cp -rH dl k4; show k4; cp -rL dl k5; stat -c %F k5; cp -rT d x; show x; cp -rv d w | sort
  cp: -r not specified; omitting directory 'd'
   d 755 
  i f 644 2 
  s d 755 
  d
  f
  f
  regular file
   d 755 
  i f 644 2 
  s d 755 
  directory
   d 755 
  i f 644 2 
  s d 755 
  'd' -> 'w'
  'd/i' -> 'w/i'
  'd/s' -> 'w/s'

$ cp -i f g < /dev/null; cat g; cp -n f g; echo $?; cat g; yes | cp -i f g; cat g; cp -f f g; cp -b f g; ls; cp --backup=numbered f g; cp --backup=t f g; ls; cp -S .bak f g; ls *.bak; cp --backup=simple --suffix=.o f g; ls *.o; cp -u f g; cp -u g f; cat f; cp -uv d/i f; cp --update f n
  cp: overwrite 'g'? twotwo0
  twotwocp: overwrite 'g'? oned
  dl
  f
  g
  g~
  l
  d
  dl
  f
  g
  g.~1~
  g.~2~
  g~
  l
  ls: cannot access '*.bak': No such file or directory
  g.o
  one
\

$ cp -l f h; stat -c %h f; cp -s f y; readlink y; cp -sr d e; cp -sr "$PWD/d" e2; readlink e2/i | sed 's,.*/,,'; cp --parents d/i d/s; show d/s; cp --parents -v d/i x; mkdir x; cp --parents -v d/i x; cp -t d f g; show d; cp -vt d f; cp -T f d; cp f g d/s l; cp f g nosuch; cp f; cp; cp -x f o; cp --strip-trailing-slashes l/ m; cat m; cp --remove-destination f l; stat -c %F l; cp --sparse=always f sp; cat sp; cp --reflink=auto f rf; cp --reflink=never f rg; cp --sparse=x f a; cp f f; cp d d/s; cp -r d d/s/t; cp nosuch a; cp f nosuch/; cp -r d f
  2
  f
  cp: e/i: can make relative symbolic links only in current directory
  i
   d 755 
  d d 755 
  d/i f 644 2 
  cp: with --parents, the destination must be a directory
  Try 'cp --help' for more information.
  d -> x/d
  'd/i' -> 'x/d/i'
   d 755 
  f f 640 3 
  g f 644 6 
  i f 644 2 
  s d 755 
  s/d d 755 
  s/d/i f 644 2 
  'f' -> 'd/f'
  cp: cannot overwrite directory 'd' with non-directory
  cp: target 'l': Not a directory
  cp: target 'nosuch': No such file or directory
  cp: missing destination file operand after 'f'
  Try 'cp --help' for more information.
  cp: missing file operand
  Try 'cp --help' for more information.
  cp: cannot stat 'l/': Not a directory
  cat: m: No such file or directory
  regular file
  onecp: invalid argument ‘x’ for ‘--sparse’
  Valid arguments are:
    - ‘never’
    - ‘auto’
    - ‘always’
  Try 'cp --help' for more information.
  cp: 'f' and 'f' are the same file
  cp: -r not specified; omitting directory 'd'
  cp: cannot copy a directory, 'd', into itself, 'd/s/t'
  cp: cannot stat 'nosuch': No such file or directory
  cp: cannot create regular file 'nosuch/': Not a directory
  cp: cannot overwrite non-directory 'f' with directory 'd'
[1]

$ mkdir -v a; mkdir -p -v b/c; mkdir -m 700 m; stat -c %a m; mkdir -m u=rwx,g=rx,o= m2; stat -c %a m2; mkdir a; mkdir x/y; mkdir -m 9 z; mkdir; mkdir -p f; mkdir --mode=755 --parents --verbose p/q; mkdir -pm 700 n/o; stat -c '%a %n' n n/o; rmdir -v a; rmdir -p -v b/c; rmdir d; rmdir --ignore-fail-on-non-empty d; echo $?; rmdir nosuch; rmdir f; rmdir; rmdir --parents p/q n
  mkdir: created directory 'a'
  mkdir: created directory 'b'
  mkdir: created directory 'b/c'
  700
  750
  mkdir: cannot create directory ‘a’: File exists
  mkdir: cannot create directory ‘x/y’: No such file or directory
  mkdir: invalid mode ‘9’
  mkdir: missing operand
  Try 'mkdir --help' for more information.
  mkdir: cannot create directory ‘f’: File exists
  mkdir: created directory 'p'
  mkdir: created directory 'p/q'
  755 n
  700 n/o
  rmdir: removing directory, 'a'
  rmdir: removing directory, 'b/c'
  rmdir: removing directory, 'b'
  rmdir: failed to remove 'd': Directory not empty
  0
  rmdir: failed to remove 'nosuch': No such file or directory
  rmdir: failed to remove 'f': Not a directory
  rmdir: missing operand
  Try 'rmdir --help' for more information.
  rmdir: failed to remove 'n': Directory not empty
[1]

$ mkfifo p; mkfifo -m 600 q; stat -c '%a %F' q; mkfifo p; mkfifo; mkfifo --mode=644 r; ls -l r | cut -c1-10
  600 fifo
  mkfifo: cannot create fifo 'p': File exists
  mkfifo: missing operand
  Try 'mkfifo --help' for more information.
  prw-r--r--

$ rm -v f; rm nosuch; rm -f nosuch; echo $?; rm d; rm -d d; rm -dv d/s; rm -r -v d; rm; rm -f; echo $?; rm ''; rm -f ''; echo $?; rm .; rm -r .; rm -rf ..; rm -r /; yes | rm -i g; ls; rm --interactive=never l; rm --interactive=x k; rm -rf --one-file-system dl; rm --preserve-root=all zz; rm -- -x; ls
  removed 'f'
  rm: cannot remove 'nosuch': No such file or directory
  0
  rm: cannot remove 'd': Is a directory
  rm: cannot remove 'd': Directory not empty
  removed directory 'd/s'
  removed 'd/i'
  removed directory 'd'
  rm: missing operand
  Try 'rm --help' for more information.
  0
  rm: cannot remove '': No such file or directory
  0
  rm: cannot remove '.': Is a directory
  rm: refusing to remove '.' or '..' directory: skipping '.'
  rm: refusing to remove '.' or '..' directory: skipping '..'
  rm: it is dangerous to operate recursively on '/'
  rm: use --no-preserve-root to override this failsafe
  rm: remove regular file 'g'? dl
  l
  rm: invalid argument ‘x’ for ‘--interactive’
  Valid arguments are:
    - ‘never’, ‘no’, ‘none’
    - ‘once’
    - ‘always’, ‘yes’
  Try 'rm --help' for more information.
  rm: cannot remove 'zz': No such file or directory
  rm: cannot remove '-x': No such file or directory

$ rm -i g < /dev/null; ls g; yes n | rm -i g; ls g; yes | rm -I g; yes | rm -I f g l dl; rm -rI d < /dev/null; echo $?; ls; yes | rm -rI d; ls; : > a; chmod 444 a; rm -f a; mkdir e; : > e/x; yes | rm -ri e; ls; rm --interactive=always g < /dev/null; rm --interactive=once g; rm --interactive g < /dev/null
  rm: remove regular file 'g'? g
  rm: remove regular file 'g'? g
  rm: remove 4 arguments? rm: cannot remove 'g': No such file or directory
  rm: remove 1 argument recursively? 0
  d
  rm: remove 1 argument recursively? rm: descend into directory 'e'? rm: remove regular empty file 'e/x'? rm: remove directory 'e'? rm: cannot remove 'g': No such file or directory
  rm: cannot remove 'g': No such file or directory
  rm: cannot remove 'g': No such file or directory
[1]

$ ln f h; stat -c %h f; ln -s f s; readlink s; ln -s f s; ln -sf g s; readlink s; ln -sfv f s; ln -sn x dl; ln -sfn x dl; readlink dl; ln -sb f s; ls; ln -s -S .old g s --backup=simple; ls; ln -sr d/i r; readlink r; ln -st d ../f ../g; show d; ln -sT f t; ln -T f d; ln -L l hl; stat -c %F hl; ln -P l hp; stat -c %F hp; ln d x; ln nosuch x; ln -s f d; readlink d/f; yes | ln -is g s; readlink s; ln -is g s < /dev/null; ln; ln f f; ln -v f hv; ln -srv d/s q; ln -s; ln -s a b c
  2
  f
  ln: failed to create symbolic link 's': File exists
  g
  's' -> 'f'
  ln: failed to create symbolic link 'dl': File exists
  x
  d
  dl
  f
  g
  h
  l
  s
  s~
  d
  dl
  f
  g
  h
  l
  s
  s.old
  s~
  d/i
   d 755 
  f l 777 4 ../f
  g l 777 4 ../g
  i f 644 2 
  s d 755 
  ln: failed to create hard link 'd': File exists
  regular file
  symbolic link
  ln: d: hard link not allowed for directory
  ln: failed to access 'nosuch': No such file or directory
  ln: failed to create symbolic link 'd/f': File exists
  ../f
  ln: replace 's'? g
  ln: replace 's'? ln: missing file operand
  Try 'ln --help' for more information.
  ln: failed to create hard link 'f': File exists
  'hv' => 'f'
  'q' -> 'd/s'
  ln: missing file operand
  Try 'ln --help' for more information.
  ln: target 'c': No such file or directory
[1]

$ touch a; touch -c nosuch; ls nosuch; touch -d '2001-02-03 04:05:06.5' a; stat -c %y a; touch -t 202212312359.58 a; stat -c %y a; touch -a -d 2000-01-01 a; stat -c '%x %y' a; touch -m -d 1999-01-01 a; stat -c '%x %y' a; touch -r f a; stat -c %y a; touch --time=atime -d 2003-03-03 a; stat -c %x a; touch --time=modify -d 2004-03-03 a; stat -c %y a; touch -h -d 2005-05-05 l; stat -c %y l; touch -d @0 a; stat -c %Y a; touch -r f -d '+1 day' a; stat -c %y a; touch -t 99 a; touch -d nonsense a; touch nosuch/x; touch; touch --date=yesterday a; touch --reference=f a; touch --no-create q; touch --no-dereference -d 2006-06-06 l; touch -f a; touch --time=zz a; touch ''; touch f/x; touch -r nosuch a
  ls: cannot access 'nosuch': No such file or directory
  2001-02-03 04:05:06.500000000 +0000
  2022-12-31 23:59:58.000000000 +0000
  2000-01-01 00:00:00.000000000 +0000 2022-12-31 23:59:58.000000000 +0000
  2000-01-01 00:00:00.000000000 +0000 1999-01-01 00:00:00.000000000 +0000
  2020-01-02 03:04:05.000000000 +0000
  2003-03-03 00:00:00.000000000 +0000
  2004-03-03 00:00:00.000000000 +0000
  2005-05-05 00:00:00.000000000 +0000
  0
  2020-01-03 03:04:05.000000000 +0000
  touch: invalid date format ‘99’
  touch: invalid date format ‘nonsense’
  touch: cannot touch 'nosuch/x': No such file or directory
  touch: missing file operand
  Try 'touch --help' for more information.
  touch: invalid argument ‘zz’ for ‘--time’
  Valid arguments are:
    - ‘atime’, ‘access’, ‘use’
    - ‘mtime’, ‘modify’
  Try 'touch --help' for more information.
  touch: cannot touch '': No such file or directory
  touch: cannot touch 'f/x': Not a directory
  touch: failed to get attributes of 'nosuch': No such file or directory
[1]

$ install f i; stat -c %a i; install -m 600 f i2; stat -c %a i2; install -d x/y z; show x; install -D f q/r/s; cat q/r/s; install -p f i3; stat -c %Y i3; install -v f i4; install -t d f g; show d; install -C f i; install -Cv f i5; install -T f i6; install -b g i; cat i~; install -S .sv -b g i2; ls *.sv; install f; install f g nosuch; install -dv n/m; install -m zz f a; install d x; install -Dt a/b f; cat a/b/f; install --backup=numbered g i3; ls i3*; install -c f i7; install --mode=u+rw,go= f i8; stat -c %a i8
  755
  600
   d 755 
  y d 755 
  one1577934245
  'f' -> 'i4'
   d 755 
  f f 755 3 
  g f 755 6 
  i f 644 2 
  s d 755 
  'f' -> 'i5'
  onei2.sv
  install: missing destination file operand after 'f'
  Try 'install --help' for more information.
  install: target 'nosuch': No such file or directory
  install: creating directory 'n'
  install: creating directory 'n/m'
  install: invalid mode ‘zz’
  install: omitting directory 'd'
  onei3
  i3.~1~
  600

$ chmod -v 600 f; chmod -v 600 f; chmod -c 600 f; chmod -c 644 f; chmod a+x,g-r f; stat -c %a f; chmod u=rwx,g=u-w,o= f; stat -c %A f; chmod -R -v go-rwx d | sort; chmod --reference=g f; stat -c %a f; chmod +X f d; stat -c %a f d; chmod 4755 f; stat -c '%a %A' f; chmod u-s,+t f; stat -c %A f; chmod 999 f; chmod z f; chmod nosuch; chmod 644; chmod 644 nosuch; chmod -f 644 nosuch; echo $?; chmod --silent 644 nosuch; chmod -R 755 nosuch; chmod -w g; stat -c %a g; chmod =r g; stat -c %a g; chmod 0 g; stat -c %a g; chmod -- -x f; chmod o=g f; chmod ug+s d; stat -c %A d; chmod 755 d; stat -c %a d; chmod 00755 d; stat -c %a d; chmod --no-preserve-root 755 d; chmod --preserve-root -v 755 d
  mode of 'f' changed from 0640 (rw-r-----) to 0600 (rw-------)
  mode of 'f' retained as 0600 (rw-------)
  mode of 'f' changed from 0600 (rw-------) to 0644 (rw-r--r--)
  715
  -rwxr-x---
  mode of 'd' changed from 0755 (rwxr-xr-x) to 0700 (rwx------)
  mode of 'd/i' changed from 0644 (rw-r--r--) to 0600 (rw-------)
  mode of 'd/s' changed from 0755 (rwxr-xr-x) to 0700 (rwx------)
  644
  644
  711
  4755 -rwsr-xr-x
  -rwxr-xr-t
  chmod: invalid mode: ‘999’
  Try 'chmod --help' for more information.
  chmod: invalid mode: ‘z’
  Try 'chmod --help' for more information.
  chmod: missing operand after ‘nosuch’
  Try 'chmod --help' for more information.
  chmod: missing operand after ‘644’
  Try 'chmod --help' for more information.
  chmod: cannot access 'nosuch': No such file or directory
  1
  chmod: cannot access 'nosuch': No such file or directory
  444
  444
  0
  drws--s--x
  6755
  755
  mode of 'd' retained as 0755 (rwxr-xr-x)

& chown 1:2 f; stat -c '%u %g' f; chown -v 3 f; chown :4 f; stat -c '%u %g' f; chown -c 3:4 f; chown -c root:root f; chown --reference=f g; chown -R 5 d; stat -c %u d d/i; chown -h 7 l; stat -c %u l f; chown --from=0 8 f; stat -c %u f; chown --from=0 9 f; stat -c %u f; chown nosuchuser f; chown root: f; stat -c '%U %G' f; chown 1.2 f; stat -c '%u %g' f; chown; chown 1; chown 1 nosuch; chown -f 1 nosuch; chown --dereference 2 l; stat -c %u f; chgrp 9 f; stat -c %g f; chgrp -v 9 f; chgrp -c root f; chgrp -R 3 d; stat -c %g d/i; chgrp nosuchgroup f; chgrp --reference=g f; stat -c %g f; chgrp -h 4 l; stat -c %g l; chgrp; chgrp -RP 2 d; chgrp -RL 2 d; chgrp -RH 2 dl; chown -RL 3 d; stat -c %u d/i; chgrp --silent 1 nosuch; chown --no-preserve-root 1 f; chown --preserve-root 1 f
  1 2
  changed ownership of 'f' from daemon to 3
  3 4
  changed ownership of 'f' from sys:adm to root:root
  5
  5
  7
  0
  8
  8
  chown: invalid user: ‘nosuchuser’
  root root
  chown: warning: '.' should be ':': ‘1.2’
  1 2
  chown: missing operand
  Try 'chown --help' for more information.
  chown: missing operand after ‘1’
  Try 'chown --help' for more information.
  chown: cannot access 'nosuch': No such file or directory
  2
  9
  group of 'f' retained as news
  changed group of 'f' from news to root
  3
  chgrp: invalid group: ‘nosuchgroup’
  0
  4
  chgrp: missing operand
  Try 'chgrp --help' for more information.
  3

$ mktemp -u XXXXXX | tr -c '\n' x; mktemp -d | sed 's/\..*//'; mktemp t.XXX | tr -c '.\n' x; mktemp -p d | sed 's/\..*//'; mktemp --tmpdir=d xXXXX | cut -c1-3; mktemp --suffix=.txt aXXX | tr -c '.\n' x; mktemp XX; mktemp a; mktemp -q nosuch/XXXX; echo $?; mktemp nosuch/aXXXX; mktemp -t fooXXX | sed 's/foo.*/foo/'; mktemp -d dirXXX | cut -c1-3; mktemp aXXX/b; mktemp --suffix=/x aXXX; mktemp -p nosuch; mktemp aXXX bXXX; mktemp --dry-run --directory zXXXX | cut -c1; mktemp --quiet XX; mktemp --tmpdir=d /aXXX; mktemp -t /aXXX
  xxxxxx
  /tmp/tmp
  x.xxx
  d/tmp
  d/x
  xxxx.xxx
  mktemp: too few X's in template ‘XX’
  mktemp: too few X's in template ‘a’
  1
  mktemp: failed to create file via template ‘nosuch/aXXXX’: No such file or directory
  /tmp/foo
  dir
  mktemp: invalid suffix ‘/b’, contains directory separator
  mktemp: invalid suffix ‘/x’, contains directory separator
  mktemp: failed to create file via template ‘nosuch/tmp.XXXXXXXXXX’: No such file or directory
  mktemp: too many templates
  Try 'mktemp --help' for more information.
  z
  mktemp: too few X's in template ‘XX’
  mktemp: invalid template, ‘/aXXX’; with --tmpdir, it may not be absolute
  mktemp: invalid template, ‘/aXXX’, contains directory separator
[1]

$ readlink l; readlink -n l; echo; readlink f; echo $?; readlink -v f; readlink -f dl/s | sed "s,$PWD,P,"; readlink -e nosuch; readlink -f nosuch | sed "s,$PWD,P,"; readlink -m a/b/../c | sed "s,$PWD,P,"; readlink -z l dl | tr '\0' '!'; echo; readlink; readlink l dl; readlink -f a/b; readlink -q f; readlink -s f; readlink -ve nosuch; readlink --canonicalize l | sed "s,$PWD,P,"; readlink --no-newline l dl
  f
  f
  1
  readlink: f: Invalid argument
  P/d/s
  P/nosuch
  P/a/c
  f!d!
  readlink: missing operand
  Try 'readlink --help' for more information.
  f
  d
  readlink: nosuch: No such file or directory
  P/f
  readlink: ignoring --no-newline with multiple arguments
  f
  d

$ tee a b < f; cat a b; printf more | tee -a a; echo; cat a; tee -i c < f; echo; tee -p c < f; echo; tee --output-error=warn c < f; echo; tee --output-error=zz c < f; tee nosuch/x < f; echo $?; tee d < f; tee --append a < f; echo; tee --ignore-interrupts a < f
  oneoneonemore
  onemoreone
  one
  one
  tee: invalid argument ‘zz’ for ‘--output-error’
  Valid arguments are:
    - ‘warn’
    - ‘warn-nopipe’
    - ‘exit’
    - ‘exit-nopipe’
  Try 'tee --help' for more information.
  tee: nosuch/x: No such file or directory
  one1
  tee: d: Is a directory
  oneone
  one
\

$ umask 377; mkdir -p -m 777 one/two; stat -c %a one one/two; mkdir -p p/q; stat -c %a p p/q; umask 077; mkdir -p -m 750 r/s; stat -c %a r r/s
  700
  777
  700
  400
  700
  750
