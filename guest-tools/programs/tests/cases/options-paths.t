# Options of what looks at names, and of `truncate` and `shred`.
% exec 2> /dev/null; umask 022; show() { find "${@:-.}" -printf '%P %y %m %s %l\n' | sed 's/ d \([0-9]*\) [0-9]*/ d \1/' | sort; }
% printf one > f; printf twotwo > g; mkdir -p d/s; printf in > d/i; ln -s f l; ln -s d dl; touch -d '2020-01-02 03:04:05' f; chmod 640 f

$ truncate -s 10 f; stat -c %s f; truncate -s +5 f; stat -c %s f; truncate -s -3 f; stat -c %s f; truncate -s '<5' f; stat -c %s f; truncate -s '>8' f; stat -c %s f; truncate -s /3 f; stat -c %s f; truncate -s %5 f; stat -c %s f; truncate -r g f; stat -c %s f; truncate -c -s 1 nosuch; ls nosuch; truncate -s 1K n; stat -c %s n; truncate -s 1kB n; stat -c %s n; truncate -o -s 1 n; truncate -s x f; truncate f; truncate -s 1; truncate -s 1 d; truncate -r nosuch f; truncate --size=3 --no-create f; stat -c %s f; truncate -r g -s +1 f; stat -c %s f; truncate -r g -s 5 f
  10
  15
  12
  5
  8
  6
  10
  6
  1024
  1000
  3
  7
[1]

$ realpath l | sed "s,$PWD,P,"; realpath -s l | sed "s,$PWD,P,"; realpath -e nosuch; realpath -m a/b/../c | sed "s,$PWD,P,"; realpath --relative-to=d f; realpath --relative-to=. d/s; realpath --relative-base=. d /tmp | sed "s,$PWD,P,"; realpath -z f | tr '\0' '!' | sed "s,$PWD,P,"; echo; realpath -L dl/.. | sed "s,$PWD,P,"; realpath -P dl/.. | sed "s,$PWD,P,"; realpath -q nosuch/x; echo $?; realpath; realpath nosuch/x; realpath ''; realpath --relative-to=d --relative-base=d d/i f | sed "s,$PWD,P,"; realpath --strip dl | sed "s,$PWD,P,"; realpath --no-symlinks dl | sed "s,$PWD,P,"
  P/f
  P/l
  P/a/c
  ../f
  d/s
  d
  /tmp
  P/f!
  P
  P
  1
  i
  P/f
  P/dl
  P/dl

$ basename /a/b.c .c; basename -a a/b c/d; basename -s .c x.c y.c; basename -z a | tr '\0' '!'; echo; basename /; basename ''; basename; basename a b c; basename --suffix=.c z.c; basename --multiple q/r; basename a/b/; basename .c .c; dirname /a/b a b/ / '' .; dirname -z a/b | tr '\0' '!'; echo; dirname; dirname //a; dirname a//b; pathchk -p 'a b'; pathchk ok; pathchk -P ''; pathchk --portability 'a*'; pathchk ''; pathchk -p $(printf 'a%.0s' {1..20}); unlink g; ls g; unlink d; unlink nosuch; unlink; unlink a b; link f k; stat -c %h k; link f; link nosuch z; link f k
  b
  b
  d
  x
  y
  a!
  /
  
  z
  r
  b
  .c
  /a
  .
  .
  /
  .
  .
  a!
  /
  a
  2
[1]

$ shred -n 1 f; wc -c < f; shred -u g; ls g; shred -z -n 0 f; od -An -tx1 -N4 f; shred -s 2 -n 1 f; shred nosuch; shred; shred -v -n 1 -z d/i; shred --remove=unlink f; ls f; shred -x -n 1 d/i; wc -c < d/i; shred --iterations=1 --force --exact d/i; sync; echo $?
  4096
   00 00 00 00
  4096
  0
