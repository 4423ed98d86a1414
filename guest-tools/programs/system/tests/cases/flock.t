
$ exec 2>&1; flock
  flock: not enough arguments
  Try 'flock --help' for more information.
[64]

$ exec 2>&1; flock f
  flock: bad file descriptor: 'f'
[64]

$ exec 2>&1; flock -n f true

$ exec 2>&1; flock f echo hi
  hi

$ exec 2>&1; flock f -c 'echo a; exit 3'
  a
[3]

$ exec 2>&1; flock -c x
  flock: invalid option -- 'c'
  Try 'flock --help' for more information.
[64]

$ exec 2>&1; flock f -c
  flock: -c requires exactly one command argument
[64]

$ exec 2>&1; flock f -c a b
  flock: -c requires exactly one command argument
[64]

$ exec 2>&1; flock f --command 'echo x'
  x

$ exec 2>&1; flock -u f echo hi
  hi

$ exec 2>&1; flock 9
  flock: 9: Bad file descriptor
[65]

$ exec 2>&1; flock x9
  flock: bad file descriptor: 'x9'
[64]

$ exec 2>&1; flock -n 9
  flock: 9: Bad file descriptor
[65]

$ exec 2>&1; (flock -n 9; echo $?; flock -n f echo no; echo $?; flock -E 7 -n f echo no; echo $?; flock -w 0.1 f echo no; echo $?; flock -s -n f echo; echo $?; flock --verbose -n f echo no; flock --verbose -w 0.1 f echo no; flock -u 9; flock -n f echo yes) 9>f
  0
  1
  7
  1
  1
  flock: failed to get lock
  flock: timeout while waiting to get lock
  yes

$ exec 2>&1; (flock -s 9; flock -s -n f echo shared; flock -n f echo excl; echo $?) 9>f
  shared
  1

$ exec 2>&1; flock --shared f flock --shared --nonblock f echo both; flock -x f flock -n --conflict-exit-code 3 f echo; echo $?
  both
  3

$ exec 2>&1; (flock -e 9; (flock -n 9 && echo same) ) 9>f; flock -n f echo free
  same
  free

$ exec 2>&1; exec 9>f; flock 9; flock -n f true; echo $?; exec 9>&-; flock -n f echo free
  1
  free

$ exec 2>&1; for i in 1 2 3 4 5; do (flock 9; n=$(cat n 2>/dev/null || echo 0); sleep 0.01; echo $((n + 1)) > n) 9>f & done; wait; cat n
  5

$ exec 2>&1; flock -o f sh -c 'sleep 0.2 > /dev/null &'; flock -n f true; echo $?
  0

$ exec 2>&1; flock -w x f true
  flock: invalid timeout value: 'x'
[64]

$ exec 2>&1; flock -w -1 f true
  flock: cannot set up timer: Invalid argument
[71]

$ exec 2>&1; flock --wait 0 f true

$ exec 2>&1; flock -E 999 f true
  flock: exit code out of range (expected 0 to 255)
[64]

$ exec 2>&1; flock -E x f true
  flock: invalid exit code: 'x'
[64]

$ exec 2>&1; flock --nope
  flock: unrecognized option '--nope'
  Try 'flock --help' for more information.
[64]

$ exec 2>&1; flock -z
  flock: invalid option -- 'z'
  Try 'flock --help' for more information.
[64]

$ exec 2>&1; flock nodir/f true
  flock: cannot open lock file nodir/f: No such file or directory
[66]

$ exec 2>&1; mkdir dd; flock dd echo x
  x

$ exec 2>&1; flock f nosuchcmd
  flock: failed to execute nosuchcmd: No such file or directory
[69]

$ exec 2>&1; touch f; flock f ./f
  flock: failed to execute ./f: Permission denied
[69]

$ exec 2>&1; flock -o f echo x
  x

$ exec 2>&1; flock -F f echo x
  x

$ exec 2>&1; flock -F -o f echo x
  flock: the --no-fork and --close options are incompatible
[64]

$ exec 2>&1; flock new echo x; cat new
  x

$ exec 2>&1; flock -x -s f echo x
  x

$ exec 2>&1; flock f -- echo x
  flock: failed to execute --: No such file or directory
[69]

$ exec 2>&1; flock f -x echo
  flock: failed to execute -x: No such file or directory
[69]

$ exec 2>&1; flock -n -- f echo x
  x

$ exec 2>&1; flock '' echo
  flock: cannot open lock file : No such file or directory
[66]

$ exec 2>&1; flock -n f false
[1]

$ exec 2>&1; flock -n f sh -c 'kill -9 $$'
[137]

$ exec 2>&1; flock f ''
  flock: failed to execute : No such file or directory
[69]

$ exec 2>&1; (flock --timeout 0 9; echo $?) 9>f
  0

$ exec 2>&1; (flock --nb 9; echo $?; flock --unlock 9) 9>f
  0

$ exec 2>&1; flock --close --exclusive f echo x; flock --no-fork f echo y
  x
  y
