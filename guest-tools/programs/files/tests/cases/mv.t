% echo one >a; echo two >b; mkdir d e; echo in >d/f; ln -s a l; ln a hard; touch -d 2001-01-01 old

$ mv a c 2>&1; ls; cat c
  b
  c
  d
  e
  hard
  l
  old
  one

$ mv -v a b 2>&1; cat b; ls
  renamed 'a' -> 'b'
  one
  b
  d
  e
  hard
  l
  old

$ mv -v a b d 2>&1; ls d
  renamed 'a' -> 'd/a'
  renamed 'b' -> 'd/b'
  a
  b
  f

$ mv -v d e 2>&1; find e
  renamed 'd' -> 'e/d'
  e
  e/d
  e/d/f

$ mv d/ new 2>&1; find new
  new
  new/f

$ mv a new/ 2>&1
  mv: cannot move 'a' to 'new/': Not a directory
[1]

$ mv a no/new 2>&1
  mv: cannot move 'a' to 'no/new': No such file or directory
[1]

$ mv no x 2>&1
  mv: cannot stat 'no': No such file or directory
[1]

$ mv 2>&1
  mv: missing file operand
  Try 'mv --help' for more information.
[1]

$ mv a 2>&1
  mv: missing destination file operand after 'a'
  Try 'mv --help' for more information.
[1]

$ mv a b no 2>&1
  mv: target 'no': No such file or directory
[1]

$ mv a b l 2>&1; ls
  mv: target 'l': Not a directory
  a
  b
  d
  e
  hard
  l
  old

$ mv a a 2>&1
  mv: 'a' and 'a' are the same file
[1]

$ mv a ./a 2>&1
  mv: 'a' and './a' are the same file
[1]

$ mv d d 2>&1
  mv: cannot move 'd' to a subdirectory of itself, 'd/d'
[1]

$ mv d d/x 2>&1; mv d e; mv e e/d/y 2>&1
  mv: cannot move 'd' to a subdirectory of itself, 'd/x'
  mv: cannot move 'e' to a subdirectory of itself, 'e/d/y'
[1]

$ mv a hard 2>&1; ls; cat hard
  mv: 'a' and 'hard' are the same file
  a
  b
  d
  e
  hard
  l
  old
  one

$ mv -v hard d/f; ls d; cat d/f
  renamed 'hard' -> 'd/f'
  f
  one

$ mv d b 2>&1; mkdir e/b; mv b e 2>&1
  mv: cannot overwrite non-directory 'b' with directory 'd'
  mv: cannot overwrite directory 'e/b' with non-directory
[1]

$ mkdir -p e/d/x; mv d e 2>&1; ls
  mv: cannot move 'd' to 'e/d': Directory not empty
  a
  b
  d
  e
  hard
  l
  old

$ mkdir e/d; mv -v d e 2>&1; find e
  renamed 'd' -> 'e/d'
  e
  e/d
  e/d/f

$ mv -T d e 2>&1; find . | sort
  .
  ./a
  ./b
  ./e
  ./e/f
  ./hard
  ./l
  ./old

$ mv -T a e 2>&1
  mv: cannot overwrite directory 'e' with non-directory
[1]

$ mv -T d b 2>&1
  mv: cannot overwrite non-directory 'b' with directory 'd'
[1]

$ mv -T a b c 2>&1
  mv: extra operand 'c'
  Try 'mv --help' for more information.
[1]

$ mv -t e a b -v 2>&1; ls e
  renamed 'a' -> 'e/a'
  renamed 'b' -> 'e/b'
  a
  b

$ mv -t no a 2>&1; mv -t a b 2>&1; mv -T -t e a 2>&1
  mv: target directory 'no': No such file or directory
  mv: target directory 'a': Not a directory
  mv: cannot combine --target-directory (-t) and --no-target-directory (-T)
[1]

$ mv --target-directory=e l 2>&1; ls e
  l

$ mv -n a b; cat b; ls
  two
  a
  b
  d
  e
  hard
  l
  old

$ echo n | mv -i a b 2>&1; cat b; echo y | mv -i a b 2>&1; cat b; mv -i b a </dev/null; ls
  mv: overwrite 'b'? two
  mv: overwrite 'b'? one
  a
  d
  e
  hard
  l
  old

$ mv -fi a b </dev/null 2>&1; cat b; mv -if a b; cat b
  mv: overwrite 'b'? two
  one

$ mv -u old b; cat b; mv -u b old; cat old; ls
  two
  two
  a
  d
  e
  hard
  l
  old

$ mv -b a b; ls; mv -vb c b 2>&1; mv -bv old b; ls
  b
  b~
  d
  e
  hard
  l
  old
  mv: cannot stat 'c': No such file or directory
  renamed 'old' -> 'b' (backup: 'b~')
  b
  b~
  d
  e
  hard
  l

$ mv --backup=numbered -v a b; mv --backup=numbered -v old b; mv -bv l b; ls
  renamed 'a' -> 'b' (backup: 'b.~1~')
  renamed 'old' -> 'b' (backup: 'b.~2~')
  renamed 'l' -> 'b' (backup: 'b.~3~')
  b
  b.~1~
  b.~2~
  b.~3~
  d
  e
  hard

$ mv -S .bak -v a b; ls
  renamed 'a' -> 'b' (backup: 'b.bak')
  b
  b.bak
  d
  e
  hard
  l
  old

$ mv --backup=simple --suffix=_x a b; mv --backup=none old b; mv --backup=nil hard b; ls
  b
  b_x
  b~
  d
  e
  l

$ mv --backup=bogus a b 2>&1
  mv: invalid argument ‘bogus’ for ‘backup type’
  Valid arguments are:
    - ‘none’, ‘off’
    - ‘simple’, ‘never’
    - ‘existing’, ‘nil’
    - ‘numbered’, ‘t’
  Try 'mv --help' for more information.
[1]

$ mv -b -n a b 2>&1
  mv: options --backup and --no-clobber are mutually exclusive
  Try 'mv --help' for more information.
[1]

$ VERSION_CONTROL=numbered mv -b a b; ls; SIMPLE_BACKUP_SUFFIX=.o mv --backup=simple old b; ls
  b
  b.~1~
  d
  e
  hard
  l
  old
  b
  b.o
  b.~1~
  d
  e
  hard
  l

$ mkdir x; echo other >x/a; mv a x/a d 2>&1; cat d/a; ls
  mv: will not overwrite just-created 'd/a' with 'x/a'
  one
  b
  d
  e
  hard
  l
  old
  x

$ mv --strip-trailing-slashes -v d/ e 2>&1; ls e
  renamed 'd' -> 'e/d'
  d

$ ln -s d s; mv -v s t; ls -l t | cut -c1; readlink t; mv a t; ls d
  renamed 's' -> 't'
  l
  d
  a
  f

$ ln -s nowhere s; mv a s; ls; cat s
  b
  d
  e
  hard
  l
  old
  s
  one

$ mv a b/c 2>&1; mv a b/ 2>&1; mv b/ c 2>&1
  mv: cannot stat 'b/c': Not a directory
  mv: cannot stat 'b/': Not a directory
  mv: cannot stat 'b/': Not a directory
[1]

$ mv -x a b 2>&1; mv --bogus a b 2>&1; mv --target-directory 2>&1
  mv: invalid option -- 'x'
  Try 'mv --help' for more information.
  mv: unrecognized option '--bogus'
  Try 'mv --help' for more information.
  mv: option '--target-directory' requires an argument
  Try 'mv --help' for more information.
[1]

$ mv --no-clobb a b; ls; mv --verb a c
  a
  b
  d
  e
  hard
  l
  old
  renamed 'a' -> 'c'

$ touch 'x y' "it's"; mv -v 'x y' "it's" 2>&1; mv 'p q' r 2>&1
  renamed 'x y' -> "it's"
  mv: cannot stat 'p q': No such file or directory
[1]

$ mv -- a -n; ls; mv ./-n z; ls
  -n
  b
  d
  e
  hard
  l
  old
  b
  d
  e
  hard
  l
  old
  z

$ mkdir dest; mv * dest 2>&1; ls dest
  mv: cannot move 'dest' to a subdirectory of itself, 'dest/dest'
  a
  b
  d
  e
  hard
  l
  old
