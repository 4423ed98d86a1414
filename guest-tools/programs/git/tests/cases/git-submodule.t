% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=:
% exec 2>&1
% here=$PWD; g() { git "$@" 2>&1 | sed "s#$here#/P#g"; return ${PIPESTATUS[0]}; }
% git config --global init.defaultBranch main; git config --global protocol.file.allow always
% git init -q lib; (cd lib; echo a > a; git add a; git commit -qm l1; echo b > b; git add b; git commit -qm l2)
% git init -q sup; (cd sup; echo r > r; git add r; git commit -qm s1)
% cd sup

$ git config --global --unset protocol.file.allow; g submodule add ../lib; echo $?; ls -A; g -c protocol.file.allow=always submodule add ../lib; echo $?
  Cloning into '/P/sup/lib'...
  fatal: transport 'file' not allowed
  fatal: clone of '/P/lib' into submodule path '/P/sup/lib' failed
  128
  .git
  r
  Cloning into '/P/sup/lib'...
  done.
  0

$ g submodule add ../lib; git status; git status -s; cat .gitmodules lib/.git; g config -l --local; cat .git/modules/lib/config | sed "s#$here#/P#"; git diff --cached; git commit -m addsub; git submodule; git submodule status; ls -A lib; git ls-files -s; git ls-tree HEAD
  Cloning into '/P/sup/lib'...
  done.
  On branch main
  Changes to be committed:
    (use "git restore --staged <file>..." to unstage)
  	new file:   .gitmodules
  	new file:   lib
  
  A  .gitmodules
  A  lib
  [submodule "lib"]
  	path = lib
  	url = ../lib
  gitdir: ../.git/modules/lib
  core.repositoryformatversion=0
  core.filemode=true
  core.bare=false
  core.logallrefupdates=true
  submodule.lib.url=/P/lib
  submodule.lib.active=true
  [core]
  	repositoryformatversion = 0
  	filemode = true
  	bare = false
  	logallrefupdates = true
  	worktree = ../../../lib
  [remote "origin"]
  	url = /P/lib
  	fetch = +refs/heads/*:refs/remotes/origin/*
  [branch "main"]
  	remote = origin
  	merge = refs/heads/main
  diff --git a/.gitmodules b/.gitmodules
  new file mode 100644
  index 0000000..008e8ed
  --- /dev/null
  +++ b/.gitmodules
  @@ -0,0 +1,3 @@
  +[submodule "lib"]
  +	path = lib
  +	url = ../lib
  diff --git a/lib b/lib
  new file mode 160000
  index 0000000..fd63e16
  --- /dev/null
  +++ b/lib
  @@ -0,0 +1 @@
  +Subproject commit fd63e1659b1cd67f7dff42002206adbebd4b0859
  [main b823f4c] addsub
   2 files changed, 4 insertions(+)
   create mode 100644 .gitmodules
   create mode 160000 lib
   fd63e1659b1cd67f7dff42002206adbebd4b0859 lib (heads/main)
   fd63e1659b1cd67f7dff42002206adbebd4b0859 lib (heads/main)
  .git
  a
  b
  100644 008e8edaf3165b09395d7d5fe13cb3e657072b74 0	.gitmodules
  160000 fd63e1659b1cd67f7dff42002206adbebd4b0859 0	lib
  100644 4286f428e3b19fe84de503916ce0e7dc8deefea1 0	r
  100644 blob 008e8edaf3165b09395d7d5fe13cb3e657072b74	.gitmodules
  160000 commit fd63e1659b1cd67f7dff42002206adbebd4b0859	lib
  100644 blob 4286f428e3b19fe84de503916ce0e7dc8deefea1	r

$ git submodule add -q ../lib; git commit -qm s2; cd lib; git status; git log --oneline; git checkout -q HEAD~1; git status | head -1; cd ..; git status; git status -s; git status --porcelain; git status --porcelain=v2; git diff; git diff --stat; git diff HEAD; git diff-files; git diff --raw; git submodule status; git submodule status --cached; git submodule update; git submodule status; git status -s
  On branch main
  Your branch is up to date with 'origin/main'.
  
  nothing to commit, working tree clean
  fd63e16 l2
  2688fc0 l1
  HEAD detached at 2688fc0
  On branch main
  Changes not staged for commit:
    (use "git add <file>..." to update what will be committed)
    (use "git restore <file>..." to discard changes in working directory)
  	modified:   lib (new commits)
  
  no changes added to commit (use "git add" and/or "git commit -a")
   M lib
   M lib
  1 .M SC.. 160000 160000 160000 fd63e1659b1cd67f7dff42002206adbebd4b0859 fd63e1659b1cd67f7dff42002206adbebd4b0859 lib
  diff --git a/lib b/lib
  index fd63e16..2688fc0 160000
  --- a/lib
  +++ b/lib
  @@ -1 +1 @@
  -Subproject commit fd63e1659b1cd67f7dff42002206adbebd4b0859
  +Subproject commit 2688fc09e75c9dbbe2267f9efae1189cc567585f
   lib | 2 +-
   1 file changed, 1 insertion(+), 1 deletion(-)
  diff --git a/lib b/lib
  index fd63e16..2688fc0 160000
  --- a/lib
  +++ b/lib
  @@ -1 +1 @@
  -Subproject commit fd63e1659b1cd67f7dff42002206adbebd4b0859
  +Subproject commit 2688fc09e75c9dbbe2267f9efae1189cc567585f
  :160000 160000 fd63e1659b1cd67f7dff42002206adbebd4b0859 0000000000000000000000000000000000000000 M	lib
  :160000 160000 fd63e16 0000000 M	lib
  +2688fc09e75c9dbbe2267f9efae1189cc567585f lib (2688fc0)
  +fd63e1659b1cd67f7dff42002206adbebd4b0859 lib (heads/main)
  Submodule path 'lib': checked out 'fd63e1659b1cd67f7dff42002206adbebd4b0859'
   fd63e1659b1cd67f7dff42002206adbebd4b0859 lib (heads/main)

$ git submodule add -q ../lib; git commit -qm s2; (cd lib; git checkout -q HEAD~1); git add lib; git status -s; git commit -qam older; git show; git log --oneline --stat -1; git checkout -q HEAD~1; git status -s; git submodule update; git checkout -q main; git status -s; git submodule update; git status -s; cat lib/.git; git -C lib reflog | head -3
  M  lib
  commit f83d19e81ea215b5eb752277a8f2058eb15c5570
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      older
  
  diff --git a/lib b/lib
  index fd63e16..2688fc0 160000
  --- a/lib
  +++ b/lib
  @@ -1 +1 @@
  -Subproject commit fd63e1659b1cd67f7dff42002206adbebd4b0859
  +Subproject commit 2688fc09e75c9dbbe2267f9efae1189cc567585f
  f83d19e older
   lib | 2 +-
   1 file changed, 1 insertion(+), 1 deletion(-)
   M lib
  Submodule path 'lib': checked out 'fd63e1659b1cd67f7dff42002206adbebd4b0859'
   M lib
  Submodule path 'lib': checked out '2688fc09e75c9dbbe2267f9efae1189cc567585f'
  gitdir: ../.git/modules/lib
  2688fc0 HEAD@{0}: checkout: moving from fd63e1659b1cd67f7dff42002206adbebd4b0859 to 2688fc09e75c9dbbe2267f9efae1189cc567585f
  fd63e16 HEAD@{1}: checkout: moving from 2688fc09e75c9dbbe2267f9efae1189cc567585f to fd63e1659b1cd67f7dff42002206adbebd4b0859
  2688fc0 HEAD@{2}: checkout: moving from main to HEAD~1

$ g submodule add ../lib; g submodule add ../lib; echo $?; g submodule add ../lib l2; g submodule add -b main --name nm ../lib x/y; g submodule add ../nosuch; echo $?; g submodule add lib zz; echo $?; git submodule add 2>&1 | head -1; mkdir q; echo 1 > q/1; g submodule add ../lib q; echo $?; g submodule add --name nm ../lib z; echo $?; g submodule add ../lib r; echo $?; cat .gitmodules; ls .git/modules; git submodule status; git -C x/y branch -a; git -C x/y status | head -2; cd x; g submodule add ../lib z; echo $?; git submodule status; git submodule status y
  Cloning into '/P/sup/lib'...
  done.
  fatal: 'lib' already exists in the index
  128
  Cloning into '/P/sup/l2'...
  done.
  Cloning into '/P/sup/x/y'...
  done.
  fatal: repository '/P/nosuch' does not exist
  fatal: clone of '/P/nosuch' into submodule path '/P/sup/nosuch' failed
  128
  fatal: repo URL: 'lib' must be absolute or begin with ./|../
  128
  usage: git submodule [--quiet] [--cached]
  fatal: 'q' already exists and is not a valid git repo
  128
  fatal: A git directory for 'nm' is found locally with remote(s):
    origin	/P/lib
  If you want to reuse this local git directory instead of cloning again from
    /P/lib
  use the '--force' option. If the local git directory is not the correct repo
  or you are unsure what this means choose another name with the '--name' option.
  128
  fatal: 'r' already exists in the index
  128
  [submodule "lib"]
  	path = lib
  	url = ../lib
  [submodule "l2"]
  	path = l2
  	url = ../lib
  [submodule "nm"]
  	path = x/y
  	url = ../lib
  	branch = main
  l2
  lib
  nm
   fd63e1659b1cd67f7dff42002206adbebd4b0859 l2 (heads/main)
   fd63e1659b1cd67f7dff42002206adbebd4b0859 lib (heads/main)
   fd63e1659b1cd67f7dff42002206adbebd4b0859 x/y (heads/main)
  * main
    remotes/origin/HEAD -> origin/main
    remotes/origin/main
  On branch main
  Your branch is up to date with 'origin/main'.
  fatal: Relative path can only be used from the toplevel of the working tree
  128
   fd63e1659b1cd67f7dff42002206adbebd4b0859 ../l2 (heads/main)
   fd63e1659b1cd67f7dff42002206adbebd4b0859 ../lib (heads/main)
   fd63e1659b1cd67f7dff42002206adbebd4b0859 y (heads/main)
   fd63e1659b1cd67f7dff42002206adbebd4b0859 y (heads/main)

$ git submodule add -q ../lib; git submodule add -q ../lib l2; git submodule add -q --name nm ../lib x/y; git commit -qm s2; cd ..; g clone -q sup c1; cd c1; git submodule status; git submodule status --recursive; ls -A lib; g submodule update; g submodule update lib; g submodule init; git submodule init; g submodule update; git submodule status; g config -l --local; git status -s; cd x; g submodule update; git submodule status; g submodule foreach pwd | sed "s#$here#/P#"
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 l2
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 lib
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 x/y
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 l2
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 lib
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 x/y
  Submodule path 'lib' not initialized
  Maybe you want to use 'update --init'?
  Submodule 'l2' (/P/lib) registered for path 'l2'
  Submodule 'lib' (/P/lib) registered for path 'lib'
  Submodule 'nm' (/P/lib) registered for path 'x/y'
  Cloning into '/P/c1/l2'...
  done.
  Cloning into '/P/c1/lib'...
  done.
  Cloning into '/P/c1/x/y'...
  done.
  Submodule path 'l2': checked out 'fd63e1659b1cd67f7dff42002206adbebd4b0859'
  Submodule path 'lib': checked out 'fd63e1659b1cd67f7dff42002206adbebd4b0859'
  Submodule path 'x/y': checked out 'fd63e1659b1cd67f7dff42002206adbebd4b0859'
   fd63e1659b1cd67f7dff42002206adbebd4b0859 l2 (heads/main)
   fd63e1659b1cd67f7dff42002206adbebd4b0859 lib (heads/main)
   fd63e1659b1cd67f7dff42002206adbebd4b0859 x/y (heads/main)
  core.repositoryformatversion=0
  core.filemode=true
  core.bare=false
  core.logallrefupdates=true
  remote.origin.url=/P/sup
  remote.origin.fetch=+refs/heads/*:refs/remotes/origin/*
  branch.main.remote=origin
  branch.main.merge=refs/heads/main
  submodule.l2.active=true
  submodule.l2.url=/P/lib
  submodule.lib.active=true
  submodule.lib.url=/P/lib
  submodule.nm.active=true
  submodule.nm.url=/P/lib
   fd63e1659b1cd67f7dff42002206adbebd4b0859 ../l2 (heads/main)
   fd63e1659b1cd67f7dff42002206adbebd4b0859 ../lib (heads/main)
   fd63e1659b1cd67f7dff42002206adbebd4b0859 y (heads/main)
  Entering '../l2'
  /P/c1/l2
  Entering '../lib'
  /P/c1/lib
  Entering 'y'
  /P/c1/x/y

$ git submodule add -q ../lib; git submodule add -q ../lib l2; git commit -qm s2; cd ..; g clone --recurse-submodules sup c2; cd c2; git submodule status; git status; g config -l --local; cat .git/modules/l2/HEAD; git -C l2 branch -a; cd ..; git clone -q --recursive sup c3; ls c3/lib; git clone -q --recurse-submodules=l2 sup c4; ls c4 c4/lib c4/l2; git -C c4 submodule status
  Cloning into 'c2'...
  done.
  Submodule 'l2' (/P/lib) registered for path 'l2'
  Submodule 'lib' (/P/lib) registered for path 'lib'
  Cloning into '/P/c2/l2'...
  done.
  Cloning into '/P/c2/lib'...
  done.
  Submodule path 'l2': checked out 'fd63e1659b1cd67f7dff42002206adbebd4b0859'
  Submodule path 'lib': checked out 'fd63e1659b1cd67f7dff42002206adbebd4b0859'
   fd63e1659b1cd67f7dff42002206adbebd4b0859 l2 (heads/main)
   fd63e1659b1cd67f7dff42002206adbebd4b0859 lib (heads/main)
  On branch main
  Your branch is up to date with 'origin/main'.
  
  nothing to commit, working tree clean
  core.repositoryformatversion=0
  core.filemode=true
  core.bare=false
  core.logallrefupdates=true
  submodule.active=.
  remote.origin.url=/P/sup
  remote.origin.fetch=+refs/heads/*:refs/remotes/origin/*
  branch.main.remote=origin
  branch.main.merge=refs/heads/main
  submodule.l2.url=/P/lib
  submodule.lib.url=/P/lib
  fd63e1659b1cd67f7dff42002206adbebd4b0859
  * (HEAD detached at fd63e16)
    main
    remotes/origin/HEAD -> origin/main
    remotes/origin/main
  a
  b
  c4:
  l2
  lib
  r
  
  c4/l2:
  a
  b
  
  c4/lib:
   fd63e1659b1cd67f7dff42002206adbebd4b0859 l2 (heads/main)
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 lib

$ git submodule add -q ../lib; git submodule add -q ../lib l2; git commit -qm s2; git submodule foreach 'echo $name $sm_path $displaypath $sha1 $path; basename $toplevel'; git submodule foreach --quiet 'echo hi'; git submodule --quiet foreach echo a 'b c'; git submodule foreach git log --oneline -1; git submodule foreach false; echo $?; git submodule foreach; git submodule foreach 'false || :'; git submodule foreach -q 'echo q'; git submodule foreach --recursive 'pwd | grep -o "[^/]*$"'
  Entering 'l2'
  l2 l2 l2 fd63e1659b1cd67f7dff42002206adbebd4b0859 l2
  sup
  Entering 'lib'
  lib lib lib fd63e1659b1cd67f7dff42002206adbebd4b0859 lib
  sup
  hi
  hi
  a b c
  a b c
  Entering 'l2'
  fd63e16 l2
  Entering 'lib'
  fd63e16 l2
  Entering 'l2'
  fatal: run_command returned non-zero status for l2
  .
  128
  Entering 'l2'
  Entering 'lib'
  Entering 'l2'
  Entering 'lib'
  q
  q
  Entering 'l2'
  l2
  Entering 'lib'
  lib

$ git submodule add -q ../lib; git submodule add -q ../lib l2; git commit -qm s2; git submodule deinit; echo $?; git submodule deinit lib; ls -A lib; git submodule status; git status -s; git submodule deinit lib; git submodule deinit --all; git submodule deinit -f --all; git submodule; g config -l --local | grep sub; g submodule update --init lib; git submodule status; git submodule deinit --all lib 2>&1 | head -1; git submodule deinit nosuch
  fatal: Use '--all' if you really want to deinitialize all submodules
  128
  Cleared directory 'lib'
  Submodule 'lib' (../lib) unregistered for path 'lib'
   fd63e1659b1cd67f7dff42002206adbebd4b0859 l2 (heads/main)
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 lib
  warning: Could not unset core.worktree setting in submodule 'lib'
  Cleared directory 'lib'
  Cleared directory 'l2'
  Submodule 'l2' (../lib) unregistered for path 'l2'
  warning: Could not unset core.worktree setting in submodule 'lib'
  Cleared directory 'lib'
  warning: Could not unset core.worktree setting in submodule 'l2'
  Cleared directory 'l2'
  warning: Could not unset core.worktree setting in submodule 'lib'
  Cleared directory 'lib'
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 l2
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 lib
  warning: could not look up configuration 'remote.origin.url'. Assuming this repository is its own authoritative upstream.
  Submodule 'lib' (/P/lib) registered for path 'lib'
  Submodule path 'lib': checked out 'fd63e1659b1cd67f7dff42002206adbebd4b0859'
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 l2
   fd63e1659b1cd67f7dff42002206adbebd4b0859 lib (heads/main)
  error: pathspec and --all are incompatible
  error: pathspec 'nosuch' did not match any file(s) known to git
[1]

$ git submodule add -q ../lib; git commit -qm s2; echo z > lib/z; git status; git status -s; git diff; echo zz > lib/a; git status; git status -s; git status --porcelain; git status --porcelain=v2; git diff; git diff HEAD; git diff --name-status; git submodule deinit lib; echo $?; git rm lib; echo $?; git submodule update; git -C lib status -s; git stash; git submodule deinit -f lib; git status -s; git submodule update --init 2>&1 | sed "s#$here#/P#"; cat lib/a
  On branch main
  Changes not staged for commit:
    (use "git add <file>..." to update what will be committed)
    (use "git restore <file>..." to discard changes in working directory)
    (commit or discard the untracked or modified content in submodules)
  	modified:   lib (untracked content)
  
  no changes added to commit (use "git add" and/or "git commit -a")
   ? lib
  On branch main
  Changes not staged for commit:
    (use "git add <file>..." to update what will be committed)
    (use "git restore <file>..." to discard changes in working directory)
    (commit or discard the untracked or modified content in submodules)
  	modified:   lib (modified content, untracked content)
  
  no changes added to commit (use "git add" and/or "git commit -a")
   m lib
   M lib
  1 .M S.MU 160000 160000 160000 fd63e1659b1cd67f7dff42002206adbebd4b0859 fd63e1659b1cd67f7dff42002206adbebd4b0859 lib
  diff --git a/lib b/lib
  --- a/lib
  +++ b/lib
  @@ -1 +1 @@
  -Subproject commit fd63e1659b1cd67f7dff42002206adbebd4b0859
  +Subproject commit fd63e1659b1cd67f7dff42002206adbebd4b0859-dirty
  diff --git a/lib b/lib
  --- a/lib
  +++ b/lib
  @@ -1 +1 @@
  -Subproject commit fd63e1659b1cd67f7dff42002206adbebd4b0859
  +Subproject commit fd63e1659b1cd67f7dff42002206adbebd4b0859-dirty
  M	lib
  error: the following file has local modifications:
      lib
  (use --cached to keep the file, or -f to force removal)
  fatal: Submodule work tree 'lib' contains local modifications; use '-f' to discard them
  128
  error: the following file has local modifications:
      lib
  (use --cached to keep the file, or -f to force removal)
  1
   M a
  ?? z
  No local changes to save
  Cleared directory 'lib'
  Submodule 'lib' (../lib) unregistered for path 'lib'
  warning: could not look up configuration 'remote.origin.url'. Assuming this repository is its own authoritative upstream.
  Submodule 'lib' (/P/lib) registered for path 'lib'
  Submodule path 'lib': checked out 'fd63e1659b1cd67f7dff42002206adbebd4b0859'
  a

$ git submodule add -q ../lib; git commit -qm s2; (cd ../lib; echo c > c; git add c; git commit -qm l3); git submodule update; git submodule update --remote 2>&1 | grep -v '^From\|->'; git submodule status; git status -s; git add lib; git commit -qm newer; cd ..; git clone -q --recursive sup c; cd lib; echo d > d; git add d; git commit -qm l4; cd ../sup; git -C lib pull -q; git commit -qam newest; cd ../c; git pull -q; git submodule status; git submodule update 2>&1 | grep -v '^From\|->'; git submodule status; ls lib
  Submodule path 'lib': checked out 'ea62ec8a2d21810514db528fd1d952faeca64263'
  +ea62ec8a2d21810514db528fd1d952faeca64263 lib (remotes/origin/HEAD)
   M lib
  You are not currently on a branch.
  Please specify which branch you want to merge with.
  See git-pull(1) for details.
  
      git pull <remote> <branch>
  
  On branch main
  nothing to commit, working tree clean
   ea62ec8a2d21810514db528fd1d952faeca64263 lib (heads/main)
   ea62ec8a2d21810514db528fd1d952faeca64263 lib (heads/main)
  a
  b
  c

$ git submodule add -q ../lib; git commit -qm s2; mv ../lib ../lib9; g submodule set-url lib ../lib9; cat .gitmodules; g config submodule.lib.url; g -C lib config remote.origin.url; git config -f .gitmodules submodule.lib.url ../other; g submodule sync; g config submodule.lib.url; git submodule sync --quiet --recursive; git submodule set-branch -b dev lib; cat .gitmodules; git submodule set-branch -d lib; cat .gitmodules; git submodule set-branch lib; echo $?; git submodule set-url nosuch x; echo $?
  Synchronizing submodule url for 'lib'
  [submodule "lib"]
  	path = lib
  	url = ../lib9
  /P/lib9
  /P/lib9
  Synchronizing submodule url for 'lib'
  /P/other
  [submodule "lib"]
  	path = lib
  	url = ../other
  	branch = dev
  [submodule "lib"]
  	path = lib
  	url = ../other
  fatal: --branch or --default required
  128
  fatal: no submodule mapping found in .gitmodules for path 'nosuch'
  128

$ git submodule add -q ../lib; git submodule add -q ../lib x/y; git commit -qm s2; git rm lib; git status -s; cat .gitmodules; ls; git mv x/y z; git status -s; cat .gitmodules z/.git; git config -f .git/modules/x/y/config core.worktree; git submodule status; git -C z log --oneline; git commit -qm moved; git submodule update; git status -s
  rm 'lib'
  M  .gitmodules
  D  lib
  [submodule "x/y"]
  	path = x/y
  	url = ../lib
  r
  x
  M  .gitmodules
  D  x/y
  R  lib -> z
  [submodule "x/y"]
  	path = z
  	url = ../lib
  gitdir: ../.git/modules/x/y
  ../../../../z
   fd63e1659b1cd67f7dff42002206adbebd4b0859 z (heads/main)
  fd63e16 l2
  2688fc0 l1

$ git clone -q ../lib in; git add in; git status -s; git diff --cached; git submodule status; echo $?; git rm -q -f --cached in; git -c advice.addEmbeddedRepo=false add .; git status -s; git init -q empty; git add empty; echo $?; git status -s; git submodule add ../lib in; git submodule status; cat .gitmodules; test -d in/.git && echo own; git submodule absorbgitdirs 2>&1 | sed "s#$here#/P#g"; cat in/.git; git submodule status
  warning: adding embedded git repository: in
  hint: You've added another git repository inside your current repository.
  hint: Clones of the outer repository will not contain the contents of
  hint: the embedded repository and will not know how to obtain it.
  hint: If you meant to add a submodule, use:
  hint:
  hint: 	git submodule add <url> in
  hint:
  hint: If you added this path by mistake, you can remove it from the
  hint: index with:
  hint:
  hint: 	git rm --cached in
  hint:
  hint: See "git help submodule" for more information.
  hint: Disable this message with "git config advice.addEmbeddedRepo false"
  A  in
  diff --git a/in b/in
  new file mode 160000
  index 0000000..fd63e16
  --- /dev/null
  +++ b/in
  @@ -0,0 +1 @@
  +Subproject commit fd63e1659b1cd67f7dff42002206adbebd4b0859
  fatal: no submodule mapping found in .gitmodules for path 'in'
  128
  warning: adding embedded git repository: in
  A  in
  error: 'empty/' does not have a commit checked out
  fatal: adding files failed
  128
  A  in
  ?? empty/
  fatal: 'in' already exists in the index
  fatal: no submodule mapping found in .gitmodules for path 'in'
  cat: .gitmodules: No such file or directory
  own
  fatal: could not lookup name for submodule 'in'
  cat: in/.git: Is a directory
  fatal: no submodule mapping found in .gitmodules for path 'in'
[128]

$ git submodule add -q ../lib; git commit -qm s2; git submodule nosuch > ../o 2>&1; echo $?; head -1 ../o; git submodule status nosuch; echo $?; git submodule update nosuch; echo $?; git submodule init nosuch; echo $?; git config -f .gitmodules submodule.lib.path other; git submodule status; echo $?; rm .gitmodules; git submodule; echo $?; git submodule update; echo $?; git submodule init; echo $?
  1
  usage: git submodule [--quiet] [--cached]
  error: pathspec 'nosuch' did not match any file(s) known to git
  1
  error: pathspec 'nosuch' did not match any file(s) known to git
  1
  error: pathspec 'nosuch' did not match any file(s) known to git
  1
  fatal: no submodule mapping found in .gitmodules for path 'lib'
  128
   fd63e1659b1cd67f7dff42002206adbebd4b0859 lib (heads/main)
  0
  0
  0

$ git init -q ../mid; (cd ../mid; git submodule add -q ../lib in; git commit -qm m1); git submodule add -q ../mid; git commit -qm s2; git submodule status --recursive; g submodule update --init --recursive; git submodule status --recursive; cat mid/in/.git; git submodule foreach --recursive 'echo $displaypath'; cd ..; g clone --recurse-submodules sup c; cd c; git status -s; echo x > mid/in/a; git status -s; git diff; git submodule sync --recursive
   9f4ad59ec3090a353b15c19d430f14dd0ac8c503 mid (heads/main)
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 mid/in
  Submodule 'in' (/P/lib) registered for path 'mid/in'
  Cloning into '/P/sup/mid/in'...
  done.
  Submodule path 'mid/in': checked out 'fd63e1659b1cd67f7dff42002206adbebd4b0859'
   9f4ad59ec3090a353b15c19d430f14dd0ac8c503 mid (heads/main)
   fd63e1659b1cd67f7dff42002206adbebd4b0859 mid/in (heads/main)
  gitdir: ../../.git/modules/mid/modules/in
  Entering 'mid'
  mid
  Entering 'mid/in'
  mid/in
  Cloning into 'c'...
  done.
  Submodule 'mid' (/P/mid) registered for path 'mid'
  Cloning into '/P/c/mid'...
  done.
  Submodule path 'mid': checked out '9f4ad59ec3090a353b15c19d430f14dd0ac8c503'
  Submodule 'in' (/P/lib) registered for path 'mid/in'
  Cloning into '/P/c/mid/in'...
  done.
  Submodule path 'mid/in': checked out 'fd63e1659b1cd67f7dff42002206adbebd4b0859'
   m mid
  diff --git a/mid b/mid
  --- a/mid
  +++ b/mid
  @@ -1 +1 @@
  -Subproject commit 9f4ad59ec3090a353b15c19d430f14dd0ac8c503
  +Subproject commit 9f4ad59ec3090a353b15c19d430f14dd0ac8c503-dirty
  Synchronizing submodule url for 'mid'
  Synchronizing submodule url for 'mid/in'

$ git submodule add -q ../lib; git commit -qm s2; (cd lib; echo n > n; git add n; git commit -qm mine); git submodule update --merge; git submodule status | cut -c1; (cd ../lib; echo c > c; git add c; git commit -qm l3); git submodule update --remote --rebase 2>&1 | grep -v '^From\|->' | sed "s/'[0-9a-f]\{40\}'/X/"; git -C lib log --format=%s; git config submodule.lib.update none; git submodule update; git submodule update --checkout; git -C lib log --format=%s -1
  Already up to date.
  Submodule path 'lib': merged in 'fd63e1659b1cd67f7dff42002206adbebd4b0859'
  +
  Rebasing (1/1)Successfully rebased and updated refs/heads/main.
  Submodule path 'lib': rebased into X
  mine
  l3
  l2
  l1
  Skipping submodule 'lib'
  Submodule path 'lib': checked out 'fd63e1659b1cd67f7dff42002206adbebd4b0859'
  l2

$ git submodule add -q ../lib; git commit -qm s2; git config -f .gitmodules submodule.lib.url ../gone; git commit -qam bad; cd ..; git clone -q sup c; cd c; g submodule update --init; echo $?; git config -f .gitmodules submodule.../x.path lib; git submodule status; git config submodule.active .; git submodule; git config submodule.lib.active false; git submodule update lib; git submodule update
  Submodule 'lib' (/P/gone) registered for path 'lib'
  fatal: repository '/P/gone' does not exist
  fatal: clone of '/P/gone' into submodule path '/P/c/lib' failed
  Failed to clone 'lib'. Retry scheduled
  fatal: repository '/P/gone' does not exist
  fatal: clone of '/P/gone' into submodule path '/P/c/lib' failed
  Failed to clone 'lib' a second time, aborting
  1
  warning: ignoring suspicious submodule name: ../x
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 lib
  warning: ignoring suspicious submodule name: ../x
  -fd63e1659b1cd67f7dff42002206adbebd4b0859 lib
  warning: ignoring suspicious submodule name: ../x
  Submodule path 'lib' not initialized
  Maybe you want to use 'update --init'?
  warning: ignoring suspicious submodule name: ../x
