# What git 2.47.3 does with places to clone from, and the names that clones get; and `git rerere` where it is off.
% export GIT_CONFIG_GLOBAL=$PWD/../settings; git config --global user.name A; git config --global user.email a@b; git config --global init.defaultBranch main; git init -q r; cd r; echo a > a; git add a; git commit -qm a; cd ..

$ cd r; git clone . 2>&1; echo $?; git clone ./ 2>&1; git clone . x 2>&1; ls x; git clone . . 2>&1; mkdir -p sub; cd sub; git clone ../ 2>&1; git clone .. 2>&1; git clone ../.git 2>&1; git clone ../x/. 2>&1; git clone .. yy 2>&1; ls; git clone -q --bare ../x; git clone -q --mirror ..; ls
  fatal: destination path '.' already exists and is not an empty directory.
  128
  fatal: destination path '.' already exists and is not an empty directory.
  Cloning into 'x'...
  done.
  a
  fatal: destination path '.' already exists and is not an empty directory.
  fatal: destination path '..' already exists and is not an empty directory.
  fatal: destination path '..' already exists and is not an empty directory.
  fatal: destination path '..' already exists and is not an empty directory.
  Cloning into '.'...
  done.
  Cloning into 'yy'...
  done.
  a
  yy
  a
  x.git
  yy

$ git clone -q r r2; git clone r 2>&1; git clone r/ 2>&1; git clone r//.git/ 2>&1; mkdir c; cd c; git clone ../r 2>&1; git clone -q ../r/.git two; git clone -q ../r three/; git clone -q ../r new/deep/dir; ls . new/deep; git clone -q --bare ../r; git clone -q ./r.git 2>&1; mv r.git 'sp  ace.git'; git clone 'sp  ace.git' 2>&1; git clone nosuch 2>&1; echo $?; git clone '' 2>&1; git clone / 2>&1; git clone "file://$PWD/../r" 2>&1; git clone -q "file://$PWD/../r" four; ls four
  fatal: destination path 'r' already exists and is not an empty directory.
  fatal: destination path 'r' already exists and is not an empty directory.
  fatal: destination path 'r' already exists and is not an empty directory.
  Cloning into 'r'...
  done.
  .:
  new
  r
  three
  two
  
  new/deep:
  dir
  fatal: destination path 'r' already exists and is not an empty directory.
  Cloning into 'sp ace'...
  done.
  fatal: repository 'nosuch' does not exist
  128
  fatal: repository '' does not exist
  fatal: repository '/' does not exist
  fatal: destination path 'r' already exists and is not an empty directory.
  a

$ mkdir c; cd c; ln -s ../r link; for from in ../r ../r/. ../r/.git ../r/ link; do git clone -q $from z; git -C z config remote.origin.url | sed "s:$PWD:HERE:"; rm -rf z; done; cd ../r; git clone -q . ../c/dot; git -C ../c/dot config remote.origin.url | sed "s:$PWD:HERE:"; cd ../c/dot; git fetch -q; git remote -v | sed "s:$PWD:HERE:; s:[^	]*/r/[.]:R/.:"
  HERE/../r
  HERE/../r/.
  HERE/../r/.git
  HERE/../r/
  HERE/link
  HERE/.
  origin	R/. (fetch)
  origin	R/. (push)

$ git -C r bundle create -q ../r.bundle HEAD main; git clone -q r.bundle; echo $?; git clone -q ./r.bundle y; ls; mv r.bundle z.bundle; git clone -q z.bundle; ls z; git clone -q --bare z.bundle; ls -d *.git
  128
  r
  r.bundle
  y
  a
  z.git

$ cd r; for what in '' status diff clear remaining gc 'forget a' 'forget nosuch' 'forget .' forget nope --rerere-autoupdate --no-rerere-autoupdate; do git rerere $what 2>&1; echo $?; done; git rerere -h 2>&1; git rerere --nope 2>&1 | head -1; cd ..; git rerere 2>&1; echo $?
  0
  0
  0
  0
  0
  0
  0
  0
  0
  warning: 'git rerere forget' without paths is deprecated
  0
  usage: git rerere [clear | forget <pathspec>... | diff | status | remaining | gc]
  
      --[no-]rerere-autoupdate
                            register clean resolutions in index
  
  129
  0
  0
  usage: git rerere [clear | forget <pathspec>... | diff | status | remaining | gc]
  
      --[no-]rerere-autoupdate
                            register clean resolutions in index
  
  error: unknown option `nope'
  fatal: not a git repository (or any of the parent directories): .git
  128

$ cd r; git checkout -q -b b; echo b > a; git commit -qam b; git checkout -q main; echo c > a; git commit -qam c; git merge -q b 2>/dev/null; git rerere; echo $?; git rerere status; git rerere remaining; git rerere diff; git rerere forget a; git status --short; ls -d .git/rr-cache .git/MERGE_RR 2>&1 | wc -l
  Auto-merging a
  CONFLICT (content): Merge conflict in a
  Automatic merge failed; fix conflicts and then commit the result.
  0
  UU a
  2
