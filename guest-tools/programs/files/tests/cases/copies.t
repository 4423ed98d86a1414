# GNU coreutils 9.1 of Debian 12.
% umask 022

$ echo 1 > a; echo 2 > b; touch -d 2020-01-01 a; echo n | cp -iu a b 2>&1; touch -d 2030-01-01 a; echo n | cp -iu a b 2>&1; cat b
  cp: overwrite 'b'? 2

$ mkdir a b dir; echo 1 > a/f; echo 2 > b/f; cp a/f b/f dir 2>&1; echo $?; cat dir/f; cp -n a/f b/f dir; echo $?; cp -l a/f b/f dir 2>&1
  cp: will not overwrite just-created 'dir/f' with 'b/f'
  1
  1
  0
  cp: cannot create hard link 'dir/f' to 'a/f': File exists
  cp: cannot create hard link 'dir/f' to 'b/f': File exists
[1]

$ mkdir a b dir; echo 1 > a/f; echo 2 > b/f; cp --backup=simple a/f b/f dir 2>&1; echo $?; ls dir; cp --backup=t a/f b/f dir; echo $?; ls dir
  cp: will not overwrite just-created 'dir/f' with 'b/f'
  1
  f
  0
  f
  f.~1~
  f.~2~

$ mkdir a b dir; echo 1 > a/f; cp -r a a dir 2>&1; echo $?; cp a/f ./a/f dir 2>&1; echo $?; cp a/f a a/f dir 2>&1; echo $?; ls dir; cp --parents a/f b a/f dir 2>&1
  cp: warning: source directory 'a' specified more than once
  0
  cp: warning: source file './a/f' specified more than once
  0
  cp: -r not specified; omitting directory 'a'
  cp: warning: source file 'a/f' specified more than once
  1
  a
  f
  cp: -r not specified; omitting directory 'b'
  cp: warning: source file 'a/f' specified more than once
[1]

$ mkdir a b dir; echo 1 > a/f; echo 2 > b/f; install a/f b/f dir 2>&1; echo $?; cat dir/f; install -C a/f b/f dir; echo $?; cat dir/f
  install: will not overwrite just-created 'dir/f' with 'b/f'
  1
  1
  0
  2

$ seq 3 > f; dd if=f bs=1m of=o 2>&1; for n in 1M 1k 1K 1kB; do dd if=f bs=$n 2>/dev/null | wc -l; done; dd if=f bs=1g 2>&1
  dd: invalid number: ‘1m’
  3
  3
  3
  3
  dd: invalid number: ‘1g’
[1]

$ mkdir -p d/e; echo > d/e/f; ln -s ../../d d/e/up; for o in -L -aL -lL -laL; do du $o d 2>&1 | sed 's/^[0-9]*//'; done
  	d/e
  	d
  	d/e/f
  	d/e
  	d
  	d/e
  	d
  	d/e/f
  	d/e
  	d

$ echo a > a; echo b > b; cp -s $PWD/a l; cp -s $PWD/b l 2>&1 | sed "s|to '.*/|to '|"; cp -sf $PWD/b l; cat l; cp -l a b 2>&1; cp -lf a b; cat b; cp -l a nodir/x 2>&1; cp -s --remove-destination $PWD/a l; cat l
  cp: cannot create symbolic link 'l' to 'b': File exists
  b
  cp: cannot create hard link 'b' to 'a': File exists
  a
  cp: cannot create hard link 'nodir/x' to 'a': No such file or directory
  a
