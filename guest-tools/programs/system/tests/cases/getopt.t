
$ exec 2>&1; getopt
  getopt: missing optstring argument
  Try 'getopt --help' for more information.
[2]

$ exec 2>&1; getopt -o
  getopt: option requires an argument -- 'o'
  Try 'getopt --help' for more information.
[2]

$ exec 2>&1; getopt -o ab
   --

$ exec 2>&1; getopt ab: -a -b
  getopt: option requires an argument -- 'b'
   -a --
[1]

$ exec 2>&1; getopt ab: -a -b x y -- z
   -a -b x -- y z

$ exec 2>&1; getopt -o ab:c:: -- -a -b foo -cbar -c x y -a
   -a -b 'foo' -c 'bar' -c '' -a -- 'x' 'y'

$ exec 2>&1; getopt -o ab:c:: -l alpha,beta:,gamma:: -- --alpha --beta x --gamma=y --gamma z --be=q
   --alpha --beta 'x' --gamma 'y' --gamma '' --beta 'q' -- 'z'

$ exec 2>&1; getopt -o '' -l foobar,foobaz -- --foo
  getopt: option '--foo' is ambiguous; possibilities: '--foobar' '--foobaz'
   --
[1]

$ exec 2>&1; getopt -o '' -l foobar,foobaz: -- --foo
  getopt: option '--foo' is ambiguous; possibilities: '--foobar' '--foobaz'
   --
[1]

$ exec 2>&1; getopt -o a -- -x
  getopt: invalid option -- 'x'
   --
[1]

$ exec 2>&1; getopt -n prog -o a -- -x
  prog: invalid option -- 'x'
   --
[1]

$ exec 2>&1; getopt -q -o a -- -x -a
   -a --
[1]

$ exec 2>&1; getopt -Q -o a -- -x -a
  getopt: invalid option -- 'x'
[1]

$ exec 2>&1; getopt -u -o a: -- -a 'x y' z
   -a x y -- z

$ exec 2>&1; getopt -T
[4]

$ exec 2>&1; getopt -o a -T
[4]

$ exec 2>&1; getopt -s csh -o a: -- -a "it's ! a b\\c"
   -a 'it'\''s'\ ''\!''\ 'a'\ 'b\\c' --

$ exec 2>&1; getopt -s tcsh -o a: -- -a $'x\ny\tz'
   -a 'x\ny'\	'z' --

$ exec 2>&1; getopt -s sh -o a: -- -a "it's"
   -a 'it'\''s' --

$ exec 2>&1; getopt -s zsh -o a: -- -a "it's"
  getopt: unknown shell after -s or --shell argument
  Try 'getopt --help' for more information.
[2]

$ exec 2>&1; getopt -o +ab -- -a x -b
   -a -- 'x' '-b'

$ exec 2>&1; getopt -o -ab -- -a x -b y -- z
   -a 'x' -b 'y' -- 'z'

$ exec 2>&1; getopt -o :a: -- -a
   --
[1]

$ exec 2>&1; getopt -o a: -- -a
  getopt: option requires an argument -- 'a'
   --
[1]

$ exec 2>&1; getopt -o a: -l all: -- --all
  getopt: option '--all' requires an argument
   --
[1]

$ exec 2>&1; getopt -o a: -l all -- --all=3
  getopt: option '--all' doesn't allow an argument
   --
[1]

$ exec 2>&1; getopt -a -o a: -l all,beta: -- -all -beta 3 -bet 4 -a 5 -x -ay -b
  getopt: unrecognized option '-x'
  getopt: option '-beta' requires an argument
   --all --beta '3' --beta '4' -a '5' -a 'y' --
[1]

$ exec 2>&1; getopt -a -o ab -l all,beta: -- -al -al=3 -b -q -qq
  getopt: option '-all' doesn't allow an argument
  getopt: unrecognized option '-q'
  getopt: unrecognized option '-qq'
   --all -b --
[1]

$ exec 2>&1; getopt --alternative -o ab -l all -- -all
   --all --

$ exec 2>&1; getopt --name=x --options=ab --longoptions=foo: -- -c --foo
  x: invalid option -- 'c'
  x: option '--foo' requires an argument
   --
[1]

$ exec 2>&1; getopt --quiet -o a -- -b
   --
[1]

$ exec 2>&1; getopt --quiet-output -o a -- -b
  getopt: invalid option -- 'b'
[1]

$ exec 2>&1; getopt --test
[4]

$ exec 2>&1; getopt --unquoted -o a: -- -a 'b c'
   -a b c --

$ exec 2>&1; getopt --shell=bash -o a: -- -a 'b c'
   -a 'b c' --

$ exec 2>&1; getopt --shell
  getopt: option '--shell' requires an argument
  Try 'getopt --help' for more information.
[2]

$ exec 2>&1; getopt -l : -o a -- -a
  getopt: empty long option after -l or --long argument
  Try 'getopt --help' for more information.
[2]

$ exec 2>&1; getopt -l a::,b:\ c -o x -- --a --b 1 --c --a=2
   --a '' --b '1' --c --a '2' --

$ exec 2>&1; getopt --nope
  getopt: unrecognized option '--nope'
  Try 'getopt --help' for more information.
[2]

$ exec 2>&1; getopt -z
  getopt: invalid option -- 'z'
  Try 'getopt --help' for more information.
[2]

$ exec 2>&1; getopt --qui -o a
  getopt: option '--qui' is ambiguous; possibilities: '--quiet' '--quiet-output'
  Try 'getopt --help' for more information.
[2]

$ exec 2>&1; GETOPT_COMPATIBLE=1 getopt
   --

$ exec 2>&1; GETOPT_COMPATIBLE=1 getopt -o ab -o
   -o -- ab

$ exec 2>&1; GETOPT_COMPATIBLE=1 getopt -ab: -a -b 'c d'
   -a -b c d --

$ exec 2>&1; getopt +ab -a x -b
   -a -b -- x

$ exec 2>&1; getopt -- ab -a x -b
   -a -b -- 'x'

$ exec 2>&1; getopt -u -- ab -a x -b
   -a -b -- x

$ exec 2>&1; getopt -o ab -o c -- -a -c
  getopt: invalid option -- 'a'
   -c --
[1]

$ exec 2>&1; POSIXLY_CORRECT=1 getopt -o ab -- -a x -b
   -a -- 'x' '-b'

$ exec 2>&1; getopt -o 'W;a' -l foo: -- -W foo=3 -Wfoo 4 -W
  getopt: option requires an argument -- 'W'
   --foo '3' --foo '4' --
[1]

$ exec 2>&1; getopt -o 'a;' -- '-;' -a
  getopt: invalid option -- ';'
   -a --
[1]

$ exec 2>&1; getopt -o a -- - -a
   -a -- '-'

$ exec 2>&1; getopt -o a -- -- -a
   -- '-a'

$ exec 2>&1; getopt -o abc -- -abcd
  getopt: invalid option -- 'd'
   -a -b -c --
[1]

$ exec 2>&1; getopt -o abc: -- -abcd -abc
  getopt: option requires an argument -- 'c'
   -a -b -c 'd' -a -b --
[1]

$ exec 2>&1; getopt -s csh -u -o a: -- -a 'b c'
   -a b c --

$ exec 2>&1; getopt -u -s csh -o a: -- -a 'b c'
   -a b c --

$ exec 2>&1; getopt -o '' -- a b
   -- 'a' 'b'

$ exec 2>&1; getopt '' a b
   -- a b

$ exec 2>&1; getopt '' -a b
  getopt: invalid option -- 'a'
   -- b
[1]

$ exec 2>&1; getopt -o a -l foo,foo -- --foo
   --foo --

$ exec 2>&1; getopt -o a -l foo,foobar -- --foo --foob --fo
  getopt: option '--fo' is ambiguous; possibilities: '--foo' '--foobar'
   --foo --foobar --
[1]

$ exec 2>&1; getopt -n '' -o a -- -b
  : invalid option -- 'b'
   --
[1]

$ exec 2>&1; getopt -n 'a b' -o a -- -b
  a b: invalid option -- 'b'
   --
[1]
