# who, watch, install, iconv, look and file of Debian 12.
% umask 022; printf 'a\n' > s; chmod 600 s; printf 'apple\nApple pie\na-pple\nbanana\nBand\ncherry\n' > words; printf 'caf\303\251\n' > u; printf 'caf\351\n' > l; printf 'a\tb\n' > t; printf '\177ELF' > e

$ who; who -H; who -q; who -Hu; who --heading -T; who -H -l; who -aH; who -Hs; who -Hw; who -mH < /dev/null; who -s; who --count; who -bH; who -Hd; who -Hp; who -Hr; who -Ht; who -H --users; who --nope 2>/dev/null; echo $?; true
  NAME     LINE         TIME             COMMENT
  
  # users=0
  NAME     LINE         TIME             IDLE          PID COMMENT
  NAME       LINE         TIME             COMMENT
  NAME     LINE         TIME             IDLE          PID COMMENT
  NAME       LINE         TIME             IDLE          PID COMMENT  EXIT
  NAME     LINE         TIME             COMMENT
  NAME       LINE         TIME             COMMENT
  NAME     LINE         TIME             COMMENT
  
  # users=0
  NAME     LINE         TIME                    PID COMMENT
  NAME     LINE         TIME             IDLE          PID COMMENT  EXIT
  NAME     LINE         TIME                    PID COMMENT
  NAME     LINE         TIME             IDLE          PID COMMENT
  NAME     LINE         TIME                    PID COMMENT
  NAME     LINE         TIME             IDLE          PID COMMENT
  1

$ who -a; who -b; who --boot; who -d; who --dead; who -l; who --login; who -m; who -p; who --process; who -r; who --runlevel; who --short; who -t; who --time; who -T; who -w; who --mesg; who --message; who --writable; who -u; who --users; who --all; who am i; who /dev/null; who --lookup

$ id -u > /dev/null; install -o 7 s d; stat -c '%u %a' d; install -g 8 s d2; stat -c '%g' d2; install --owner=root --group=root -m 640 s d3; stat -c '%U %G %a' d3; install -o nosuch s d4 2>&1; install -g nosuch s d4 2>&1; install -d -o 3 -g 4 -m 700 dir; stat -c '%u %g %a' dir; install -o 5 -t dir s; stat -c '%u' dir/s
  7 755
  8
  root root 640
  install: invalid user ‘nosuch’
  install: invalid group ‘nosuch’
  3 4 700
  5

$ install s d; stat -c %a d; install -m u=rw,go=r s d; stat -c %a d; install -m 4755 s d; stat -c %a d; install -D s p/q/d; cat p/q/d; install -d x/y z; stat -c '%a %n' x x/y z; install -v s d; install -v -d n1/n2; install -C -v s d; touch -d 2020-01-01T00:00:00 s; install -p s d; stat -c %Y d; install -b s d; ls d*; install -S .old -b s d; ls d*; install -T s dd; install -T s x 2>&1; install s words z; ls z; install s 2>&1 | head -1; install 2>&1 | head -1; install nope d 2>&1; install s words nodir 2>&1; install -d d 2>&1; install -t z s -v
  755
  644
  4755
  a
  755 x
  755 x/y
  755 z
  removed 'd'
  's' -> 'd'
  install: creating directory 'n1'
  install: creating directory 'n1/n2'
  1577836800
  d
  d~
  d
  d.old
  d~
  install: cannot overwrite directory 'x' with non-directory
  s
  words
  install: missing destination file operand after 's'
  install: missing file operand
  install: cannot stat 'nope': No such file or directory
  install: target 'nodir': No such file or directory
  install: cannot create directory ‘d’: File exists
  removed 'z/s'
  's' -> 'z/s'

$ iconv -l | grep -i '^utf-8/' | head -1 | cut -d/ -f1; iconv --list | grep -c -i -E '^(ISO-8859-1|UTF-16|KOI8-R|SHIFT_JIS|CP1252)/'; iconv -f latin1 -t utf8 --verbose l 2>/dev/null; iconv -s -f utf8 -t ascii u 2>/dev/null; echo $?; iconv --silent -f utf8 -t latin1 u | od -c; iconv -f utf8 -t ascii u 2>&1; iconv -c -f utf8 -t ascii u; iconv -f utf8 -t latin1 -o out u; od -An -tx1 out; iconv -f utf8 nope 2>&1; iconv -f ascii u 2>&1; iconv -f utf8 l 2>&1; iconv -f utf8 -t latin1//IGNORE u | od -c | head -1; printf 'x\303' | iconv -f utf8 -t latin1 2>&1
  UTF-8
  5
  café
  caf1
  0000000   c   a   f 351  \n
  0000005
  caficonv: illegal input sequence at position 3
  caf
   63 61 66 e9 0a
  iconv: cannot open input file `nope': No such file or directory
  caficonv: illegal input sequence at position 3
  caficonv: illegal input sequence at position 3
  0000000   c   a   f 351  \n
  xiconv: incomplete character or shift sequence at end of buffer
[1]

$ look -a banana words; look --alternative ban words; look ban words; look -d cherry words; look -t r cherxx words; look --terminate=n banxx words; look --ignore-case BAN words; look zzz words; look b nope 2>&1; look '' words | head -2
  banana
  banana
  banana
  cherry
  cherry
  banana
  banana
  Band
  look: nope: No such file or directory
  apple
  Apple pie

$ file -E nope; echo $?; file nope; echo $?; file -E s; file -b s; file -i u; file -F ' ->' s t; file -N s words; file -0 s | od -c | head -2; file . ; file -L .; ln -s s lnk; file lnk; file -L lnk; file -h lnk; ln -s gone bad; file bad; printf 's\nwords\n' | file -f -; file -n s; file -r s; file -p s; file - < s; file --nope >/dev/null 2>&1; test $? -ne 0; echo $?; mkfifo p; file p; file -b --mime-encoding l
  nope: ERROR: cannot stat `nope' (No such file or directory)
  1
  nope: cannot open `nope' (No such file or directory)
  0
  s: ASCII text
  ASCII text
  u: text/plain; charset=utf-8
  s -> ASCII text
  t -> ASCII text
  s: ASCII text
  words: ASCII text
  0000000   s  \0   :       A   S   C   I   I       t   e   x   t  \n
  0000017
  .: directory
  .: directory
  lnk: symbolic link to s
  lnk: ASCII text
  lnk: symbolic link to s
  bad: broken symbolic link to gone
  s:     ASCII text
  words: ASCII text
  s: ASCII text
  s: ASCII text
  s: ASCII text
  /dev/stdin: ASCII text
  0
  p: fifo (named pipe)
  iso-8859-1

$ export TERM=xterm; touch n; watch -t -n 0.1 -g 'cat n; echo x >> n' >/dev/null; echo $?; wc -l < n; watch --no-title --interval=0.1 --chgexit 'wc -l n; echo y >> n' >/dev/null; echo $?; wc -l < n; watch -x -n 0.1 -g sh -c 'cat n; echo x >> n' >/dev/null; echo $?; wc -l < n; watch --exec -g -n 0.1 cat /proc/uptime >/dev/null; echo $?
  0
  2
  0
  4
  0
  6
  0

$ export TERM=xterm; touch n; watch -e -n 0.1 'echo x >> n; false' >/dev/null; echo $?; wc -l < n; watch -b --errexit -n 0.1 'echo x >> n; exit 3' >/dev/null; echo $?; watch -q 2 -n 0.1 'echo x >> n' >/dev/null; echo $?; wc -l < n; watch --equexit=1 -n 0.1 'echo x >> n' > /dev/null; echo $?; wc -l < n
  8
  1
  8
  0
  5
  0
  7

$ export TERM=xterm; touch n; watch -d -n 0.1 -g 'cat n; echo x >> n' >/dev/null; watch --differences=permanent -n 0.1 -g 'cat n; echo x >> n' >/dev/null; watch -c -n 0.1 -g 'cat n; echo x >> n' >/dev/null; watch --color -p -n 0.1 -g 'cat n; echo x >> n' >/dev/null; watch -w --precise -n 0.1 -g 'cat n; echo x >> n' >/dev/null; watch --no-wrap --beep -n 0.1 -g 'cat n; echo x >> n' >/dev/null; wc -l < n; watch 2>/dev/null; echo $?; watch -n x ls 2>/dev/null; echo $?; watch -q x ls 2>/dev/null; echo $?
  12
  1
  1
  1
