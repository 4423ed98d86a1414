# Wrong command lines.
% printf 'one\ntwo\n' > t; mkdir d

$ exec 2>&1; arch x; echo $?; tty x; echo $?; stdbuf true; echo $?; stdbuf -o x true; echo $?; stdbuf -i L true; echo $?
  arch: extra operand ‘x’
  Try 'arch --help' for more information.
  1
  tty: extra operand ‘x’
  Try 'tty --help' for more information.
  2
  stdbuf: you must specify a buffering mode option
  Try 'stdbuf --help' for more information.
  125
  stdbuf: invalid mode ‘x’
  125
  stdbuf: line buffering stdin is meaningless
  Try 'stdbuf --help' for more information.
  125

$ exec 2>&1; tar --nope; echo $?; tar -cf; echo $?
  tar: unrecognized option '--nope'
  Try 'tar --help' or 'tar --usage' for more information.
  64
  tar: option requires an argument -- 'f'
  Try 'tar --help' or 'tar --usage' for more information.
  64

$ exec 2>&1; echo "a 'b" | xargs echo; echo $?
  xargs: unmatched single quote; by default quotes are special to xargs unless you use the -0 option
  a
  1

$ exec 2>&1; sed -i s/a/b/; echo $?; sed -f nofile t; echo $?
  sed: no input files
  4
  sed: couldn't open file nofile: No such file or directory
  4

$ exec 2>&1; grep -E -P a t; echo $?; grep -F -F -c one t; echo $?; diff --color=x t t; echo $?; cmp -l -s t t; echo $?
  grep: conflicting matchers specified
  2
  1
  0
  diff: invalid color 'x'
  diff: Try 'diff --help' for more information.
  2
  cmp: options -l and -s are incompatible
  cmp: Try 'cmp --help' for more information.
  2

$ exec 2>&1; awk 1 nofile t; echo $?; awk 1 d t; echo $?
  awk: fatal: cannot open file `nofile' for reading: No such file or directory
  2
  awk: warning: command line argument `d' is a directory: skipped
  one
  two
  0

$ exec 2>&1; column -c x t; echo $?; strings -t q t >/dev/null 2>&1; echo $?
  column: invalid columns argument: 'x'
  1
  1

$ exec 2>&1; fallocate; fallocate f; fallocate -l x f; fallocate -l 0 f; fallocate -o x -l 1 f; fallocate -l 1 f g; fallocate -l 1 no/f; fallocate -p -l 1 nofile; fallocate -p -z -l 1 t; echo $?; ls
  fallocate: no filename specified
  fallocate: no length argument specified
  fallocate: invalid length value specified
  fallocate: invalid length value specified
  fallocate: invalid offset value specified
  fallocate: unexpected number of arguments
  fallocate: cannot open no/f: No such file or directory
  fallocate: cannot open nofile: No such file or directory
  fallocate: mutually exclusive arguments: --collapse-range --dig-holes --punch-hole --zero-range
  1
  d
  t

$ fallocate -l 10 f; stat -c %s f; printf hello > h; fallocate -l 3 h; fallocate -n -l 100 h; cat h; echo; fallocate -p -o 1 -l 2 h; od -c h; fallocate -z -o 4 -l 10 h; od -c h
  10
  hello
  0000000   h  \0  \0   l   o
  0000005
  0000000   h  \0  \0   l  \0  \0  \0  \0  \0  \0  \0  \0  \0  \0
  0000016

$ fallocate -x -l 20 h; fallocate -d h; fallocate -vl 2K h; fallocate -vd h; fallocate -vp -l 1 h; fallocate -vz -l 1 h; fallocate -l 1KB k; fallocate -o 5 --len 0x10 m; stat -c '%n %s' h k m
  h: 2 KiB (2048 bytes) allocated.
  h: 0 B (0 bytes) converted to sparse holes.
  h: 1 B (1 bytes) hole created.
  h: 1 B (1 bytes) zeroed.
  h 2048
  k 1000
  m 21

$ exec 2>&1; mknod; mknod x; mknod x q; mknod x p y; mknod x q 1 2; mknod -m 600 x p; stat -c '%A %F' x; mknod x p; echo $?
  mknod: missing operand
  Try 'mknod --help' for more information.
  mknod: missing operand after ‘x’
  Try 'mknod --help' for more information.
  mknod: missing operand after ‘q’
  Special files require major and minor device numbers.
  Try 'mknod --help' for more information.
  mknod: extra operand ‘y’
  Try 'mknod --help' for more information.
  mknod: invalid device type ‘q’
  Try 'mknod --help' for more information.
  prw------- fifo
  mknod: x: File exists
  1


$ exec 2>&1; tar; echo $?; tar -xc; echo $?; tar -cf x.tar; echo $?; tar --strip-components=q -tf y; echo $?; tar -@; echo $?; tar --nope; echo $?
  tar: You must specify one of the '-Acdtrux', '--delete' or '--test-label' options
  Try 'tar --help' or 'tar --usage' for more information.
  2
  tar: You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option
  Try 'tar --help' or 'tar --usage' for more information.
  2
  tar: Cowardly refusing to create an empty archive
  Try 'tar --help' or 'tar --usage' for more information.
  2
  tar: q: Invalid number of elements
  Try 'tar --help' or 'tar --usage' for more information.
  2
  tar: invalid option -- '@'
  Try 'tar --help' or 'tar --usage' for more information.
  64
  tar: unrecognized option '--nope'
  Try 'tar --help' or 'tar --usage' for more information.
  64
