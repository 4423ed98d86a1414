% printf 'a\nb\nc\n' > f

$ exec 2>&1; tail -c 1Q f
  tail: invalid number of bytes: ‘1Q’
[1]

$ exec 2>&1; tail -c 1Y f
  tail: invalid number of bytes: ‘1Y’: Value too large for defined data type
[1]

$ exec 2>&1; tail -n 1Z f
  tail: invalid number of lines: ‘1Z’: Value too large for defined data type
[1]

$ exec 2>&1; tail -c 99999999999999999999 f
  tail: invalid number of bytes: ‘99999999999999999999’: Value too large for defined data type
[1]

$ exec 2>&1; tail -n -x f
  tail: invalid number of lines: ‘x’
[1]

$ exec 2>&1; tail -n --5 f
  tail: invalid number of lines: ‘-5’
[1]

$ exec 2>&1; tail -c 15E f
  a
  b
  c

$ exec 2>&1; echo a | xargs -s 1
  xargs: cannot fit single argument within argument list size limit
[1]

$ exec 2>&1; echo a | xargs -s 5 echo
  xargs: argument line too long
[1]

$ exec 2>&1; cpio --nope
  cpio: unrecognized option '--nope'
  Try 'cpio --help' or 'cpio --usage' for more information.
[64]

$ exec 2>&1; cpio -z
  cpio: invalid option -- 'z'
  Try 'cpio --help' or 'cpio --usage' for more information.
[64]

$ exec 2>&1; cpio -o -i
  cpio: Mode already defined
  Try 'cpio --help' or 'cpio --usage' for more information.
[2]

$ exec 2>&1; gawk 2>/dev/null; echo $?
  1

$ exec 2>&1; gawk 'BEGIN{foo()}'
  gawk: cmd. line:1: fatal: function `foo' not defined
[2]

$ exec 2>&1; gawk 'BEGIN{x=0; print 1/x}'
  gawk: cmd. line:1: fatal: division by zero attempted
[2]

$ exec 2>&1; gawk 'BEGIN{x=0; print 1%x}'
  gawk: cmd. line:1: fatal: division by zero attempted in `%'
[2]

$ exec 2>&1; rename 2>/dev/null; echo $?
  2

$ exec 2>&1; rename --nope 2>/dev/null; echo $?
  2

$ exec 2>&1; unzip --nope >/dev/null 2>&1; echo $?
  10
