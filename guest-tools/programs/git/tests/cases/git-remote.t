# Other repositories: folders beside, as clone, fetch, pull, push and remote see them.
% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=true
% exec 3>&1 >"$HOME/out" 2>&1; trap 'sed "s,$HOME/case,/here,g; s,$HOME,,g" "$HOME/out" >&3' EXIT
% git config --global init.defaultBranch main
% git init -q o; cd o; for i in 1 2 3; do seq $i 20 > f$i; git add .; git commit -qm c$i; done; git tag t1; git tag -a t2 -m t2; git branch x; cd ..
% edit() { echo "$2" >> $1; git add $1; git commit -qm "$2"; }

$ git clone o c; cd c; git log --oneline --decorate; git branch -a; git branch -avv; git status -sb; git remote -v; git config -l --local; cat .git/packed-refs; git tag; ls; git reflog
  Cloning into 'c'...
  done.
  c3ec7d6 (HEAD -> main, tag: t2, tag: t1, origin/x, origin/main, origin/HEAD) c3
  7c58de5 c2
  bad575e c1
  * main
    remotes/origin/HEAD -> origin/main
    remotes/origin/main
    remotes/origin/x
  * main                c3ec7d6 [origin/main] c3
    remotes/origin/HEAD -> origin/main
    remotes/origin/main c3ec7d6 c3
    remotes/origin/x    c3ec7d6 c3
  ## main...origin/main
  origin	/here/o (fetch)
  origin	/here/o (push)
  core.repositoryformatversion=0
  core.filemode=true
  core.bare=false
  core.logallrefupdates=true
  remote.origin.url=/here/o
  remote.origin.fetch=+refs/heads/*:refs/remotes/origin/*
  branch.main.remote=origin
  branch.main.merge=refs/heads/main
  # pack-refs with: peeled fully-peeled sorted 
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401 refs/remotes/origin/main
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401 refs/remotes/origin/x
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401 refs/tags/t1
  5f066277db4b8d3d9696cd280267f9d88cc4c587 refs/tags/t2
  ^c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401
  t1
  t2
  f1
  f2
  f3
  c3ec7d6 HEAD@{0}: clone: from /here/o

$ git clone o/.git; git clone -q o o2; ls; git clone o o2; git clone nosuch; git clone -b nosuch o y; ls -d y; git clone -q -o up -b x o z; git -C z branch -a; git clone -q -b t2 o d 2>/dev/null; git -C d status; git clone -n o n; git -C n status -s
  fatal: destination path 'o' already exists and is not an empty directory.
  o
  o2
  fatal: destination path 'o2' already exists and is not an empty directory.
  fatal: repository 'nosuch' does not exist
  Cloning into 'y'...
  fatal: Remote branch nosuch not found in upstream origin
  ls: cannot access 'y': No such file or directory
  * x
    remotes/up/HEAD -> up/main
    remotes/up/main
    remotes/up/x
  Not currently on any branch.
  nothing to commit, working tree clean
  Cloning into 'n'...
  done.
  D  f1
  D  f2
  D  f3

$ git clone --bare o; git clone --mirror o m.git; cat o.git/config m.git/config; cat o.git/packed-refs o.git/HEAD; git -C m.git branch
  Cloning into bare repository 'o.git'...
  done.
  Cloning into bare repository 'm.git'...
  done.
  [core]
  	repositoryformatversion = 0
  	filemode = true
  	bare = true
  [remote "origin"]
  	url = /here/o
  [core]
  	repositoryformatversion = 0
  	filemode = true
  	bare = true
  [remote "origin"]
  	url = /here/o
  	fetch = +refs/*:refs/*
  	mirror = true
  # pack-refs with: peeled fully-peeled sorted 
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401 refs/heads/main
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401 refs/heads/x
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401 refs/tags/t1
  5f066277db4b8d3d9696cd280267f9d88cc4c587 refs/tags/t2
  ^c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401
  ref: refs/heads/main
  * main
    x

$ git clone -q --single-branch o s; git -C s branch -a; git -C s tag; git clone -q --no-tags o n; git -C n tag; cat n/.git/config; git clone -q -c user.name=Z o u; git -C u config user.name; git clone --depth 1 o l; git -C l log --oneline
  * main
    remotes/origin/HEAD -> origin/main
    remotes/origin/main
  t1
  t2
  [core]
  	repositoryformatversion = 0
  	filemode = true
  	bare = false
  	logallrefupdates = true
  [remote "origin"]
  	url = /here/o
  	tagOpt = --no-tags
  	fetch = +refs/heads/*:refs/remotes/origin/*
  [branch "main"]
  	remote = origin
  	merge = refs/heads/main
  Z
  Cloning into 'l'...
  warning: --depth is ignored in local clones; use file:// instead.
  done.
  c3ec7d6 c3
  7c58de5 c2
  bad575e c1

$ git clone -q --depth 2 "file://$PWD/o" s; cd s; git log --oneline; git rev-list --count HEAD; cat .git/shallow; git branch -a; git tag; edit f1 more; git push -q origin HEAD:refs/heads/y; git -C ../o log --oneline y; git fetch -q --unshallow; git log --oneline; ls .git/shallow
  c3ec7d6 c3
  7c58de5 c2
  2
  7c58de5a5869d37868cdb984b017810384a94eed
  * main
    remotes/origin/HEAD -> origin/main
    remotes/origin/main
  t1
  t2
  8c37b0d more
  c3ec7d6 c3
  7c58de5 c2
  bad575e c1
  8c37b0d more
  c3ec7d6 c3
  7c58de5 c2
  bad575e c1
  ls: cannot access '.git/shallow': No such file or directory
[2]

$ git init -q --bare e.git; git clone e.git c; cd c; git status; edit a one; git push; git push -u origin main; git status -sb; git push; git ls-remote; git log --oneline --decorate
  Cloning into 'c'...
  warning: You appear to have cloned an empty repository.
  done.
  On branch main
  
  No commits yet
  
  nothing to commit (create/copy files and use "git add" to track)
  To /here/e.git
   * [new branch]      main -> main
  Everything up-to-date
  branch 'main' set up to track 'origin/main'.
  ## main...origin/main
  Everything up-to-date
  From /here/e.git
  b2bb7bed741cc8cfe0110d119bff46107e153257	HEAD
  b2bb7bed741cc8cfe0110d119bff46107e153257	refs/heads/main
  b2bb7be (HEAD -> main, origin/main) one

$ git init -q --bare e.git; git -C o push -q --all ../e.git; git clone -q e.git a; git clone -q e.git b; cd a; edit f1 x; git push; cd ../b; git fetch; git fetch; git status; git pull; git pull; edit f1 y; git push; cd ../a; edit f2 z; git push; git pull; git pull --no-rebase --no-edit; git log --graph --format=%s; git push -q
  To /here/e.git
     c3ec7d6..e84ffe5  main -> main
  From /here/e
     c3ec7d6..e84ffe5  main       -> origin/main
  On branch main
  Your branch is behind 'origin/main' by 1 commit, and can be fast-forwarded.
    (use "git pull" to update your local branch)
  
  nothing to commit, working tree clean
  Updating c3ec7d6..e84ffe5
  Fast-forward
   f1 | 1 +
   1 file changed, 1 insertion(+)
  Already up to date.
  To /here/e.git
     e84ffe5..e3c625b  main -> main
  To /here/e.git
   ! [rejected]        main -> main (fetch first)
  error: failed to push some refs to '/here/e.git'
  hint: Updates were rejected because the remote contains work that you do not
  hint: have locally. This is usually caused by another repository pushing to
  hint: the same ref. If you want to integrate the remote changes, use
  hint: 'git pull' before pushing again.
  hint: See the 'Note about fast-forwards' in 'git push --help' for details.
  From /here/e
     e84ffe5..e3c625b  main       -> origin/main
  hint: You have divergent branches and need to specify how to reconcile them.
  hint: You can do so by running one of the following commands sometime before
  hint: your next pull:
  hint:
  hint:   git config pull.rebase false  # merge
  hint:   git config pull.rebase true   # rebase
  hint:   git config pull.ff only       # fast-forward only
  hint:
  hint: You can replace "git config" with "git config --global" to set a default
  hint: preference for all repositories. You can also pass --rebase, --no-rebase,
  hint: or --ff-only on the command line to override the configured default per
  hint: invocation.
  fatal: Need to specify how to reconcile divergent branches.
  Merge made by the 'ort' strategy.
   f1 | 1 +
   1 file changed, 1 insertion(+)
  *   Merge branch 'main' of /here/e
  |\  
  | * y
  * | z
  |/  
  * x
  * c3
  * c2
  * c1

$ git init -q --bare e.git; git -C o push -q --all ../e.git; git clone -q e.git a; git clone -q e.git b; cd a; edit f1 x; git push -q; cd ../b; echo y >> f1; git commit -qam y; git pull --no-rebase; tail -6 f1; git status; git add f1; git commit -q; git log --format=%s; git push -q
  From /here/e
     c3ec7d6..e84ffe5  main       -> origin/main
  Auto-merging f1
  CONFLICT (content): Merge conflict in f1
  Automatic merge failed; fix conflicts and then commit the result.
  20
  <<<<<<< HEAD
  y
  =======
  x
  >>>>>>> e84ffe5271a26be3d6bebfdeac2d68189adb457e
  On branch main
  Your branch and 'origin/main' have diverged,
  and have 1 and 1 different commits each, respectively.
    (use "git pull" if you want to integrate the remote branch with yours)
  
  You have unmerged paths.
    (fix conflicts and run "git commit")
    (use "git merge --abort" to abort the merge)
  
  Unmerged paths:
    (use "git add <file>..." to mark resolution)
  	both modified:   f1
  
  no changes added to commit (use "git add" and/or "git commit -a")
  Merge branch 'main' of /here/e
  y
  x
  c3
  c2
  c1

$ git init -q --bare e.git; git -C o push -q --all ../e.git; git clone -q e.git a; git clone -q e.git b; cd a; edit f1 x; git push -q; cd ../b; edit f2 y; git pull --rebase; git log --oneline --graph; git pull --rebase; git pull --ff-only; git reset -q --hard HEAD~2; edit f2 w; git pull --ff-only; git -c pull.ff=only pull; git -c pull.rebase=true pull -q; git log --oneline
  From /here/e
     c3ec7d6..e84ffe5  main       -> origin/main
  Rebasing (1/1)Successfully rebased and updated refs/heads/main.
  * e52036e y
  * e84ffe5 x
  * c3ec7d6 c3
  * 7c58de5 c2
  * bad575e c1
  Current branch main is up to date.
  Already up to date.
  hint: Diverging branches can't be fast-forwarded, you need to either:
  hint:
  hint: 	git merge --no-ff
  hint:
  hint: or:
  hint:
  hint: 	git rebase
  hint:
  hint: Disable this message with "git config advice.diverging false"
  fatal: Not possible to fast-forward, aborting.
  hint: Diverging branches can't be fast-forwarded, you need to either:
  hint:
  hint: 	git merge --no-ff
  hint:
  hint: or:
  hint:
  hint: 	git rebase
  hint:
  hint: Disable this message with "git config advice.diverging false"
  fatal: Not possible to fast-forward, aborting.
  364d1cf w
  e84ffe5 x
  c3ec7d6 c3
  7c58de5 c2
  bad575e c1

$ git init -q --bare e.git; git -C o push -q --all ../e.git; git clone -q e.git a; cd a; edit f1 x; git push -q; git commit -q --amend -m w; git push; git push --force; git push origin HEAD:n; git push origin :n; git push origin :n; git push origin nosuch; git push -d origin x; git branch -r; git push --dry-run origin HEAD:w; git push -v; git push --force-with-lease
  To /here/e.git
   ! [rejected]        main -> main (non-fast-forward)
  error: failed to push some refs to '/here/e.git'
  hint: Updates were rejected because the tip of your current branch is behind
  hint: its remote counterpart. If you want to integrate the remote changes,
  hint: use 'git pull' before pushing again.
  hint: See the 'Note about fast-forwards' in 'git push --help' for details.
  To /here/e.git
   + e84ffe5...4110c36 main -> main (forced update)
  To /here/e.git
   * [new branch]      HEAD -> n
  To /here/e.git
   - [deleted]         n
  error: unable to delete 'n': remote ref does not exist
  error: failed to push some refs to '/here/e.git'
  error: src refspec nosuch does not match any
  error: failed to push some refs to '/here/e.git'
  To /here/e.git
   - [deleted]         x
    origin/HEAD -> origin/main
    origin/main
  To /here/e.git
   * [new branch]      HEAD -> w
  Pushing to /here/e.git
  To /here/e.git
   = [up to date]      main -> main
  updating local tracking ref 'refs/remotes/origin/main'
  Everything up-to-date
  Everything up-to-date

$ git init -q --bare e.git; git -C o push -q --all ../e.git; git clone -q e.git a; cd a; git tag v1; git tag -a v2 -m v2; git push --tags; git push --tags; git tag -f v1 HEAD~1; git push origin v1; git push -f origin v1; git push origin --delete v2; git tag -a v3 -m 3; git push --follow-tags; cd ..; git clone -q e.git b; cd b; git tag; cd ../a; git tag -f v1 HEAD~2 >/dev/null; git push -qf origin v1; edit f1 n; git tag n; git push -q origin main n; cd ../b; git fetch; git fetch --tags; git fetch -f --tags; git fetch --tags -v
  To /here/e.git
   * [new tag]         v1 -> v1
   * [new tag]         v2 -> v2
  Everything up-to-date
  Updated tag 'v1' (was c3ec7d6)
  To /here/e.git
   ! [rejected]        v1 -> v1 (already exists)
  error: failed to push some refs to '/here/e.git'
  hint: Updates were rejected because the tag already exists in the remote.
  To /here/e.git
   + c3ec7d6...7c58de5 v1 -> v1 (forced update)
  To /here/e.git
   - [deleted]         v2
  To /here/e.git
   * [new tag]         v2 -> v2
   * [new tag]         v3 -> v3
  v1
  v2
  v3
  From /here/e
     c3ec7d6..1cdd065  main       -> origin/main
   * [new tag]         n          -> n
  From /here/e
   ! [rejected]        v1         -> v1  (would clobber existing tag)
  From /here/e
   t [tag update]      v1         -> v1
  From /here/e
   = [up to date]      main       -> origin/main
   = [up to date]      x          -> origin/x
   = [up to date]      n          -> n
   = [up to date]      v1         -> v1
   = [up to date]      v2         -> v2
   = [up to date]      v3         -> v3

$ git clone -q o a; cd a; git switch -qc t; edit f1 t; git push; git push origin; git push -u origin t; git branch -vv; git push origin t:main; git push origin HEAD:main; git -C ../o config receive.denyCurrentBranch ignore; git push origin t:main; git -C ../o log --oneline -1; git checkout -q --detach; git push; git config remote.pushDefault nosuch; git switch -q t; git push
  fatal: The current branch t has no upstream branch.
  To push the current branch and set the remote as upstream, use
  
      git push --set-upstream origin t
  
  To have this happen automatically for branches without a tracking
  upstream, see 'push.autoSetupRemote' in 'git help config'.
  
  fatal: The current branch t has no upstream branch.
  To push the current branch and set the remote as upstream, use
  
      git push --set-upstream origin t
  
  To have this happen automatically for branches without a tracking
  upstream, see 'push.autoSetupRemote' in 'git help config'.
  
  To /here/o
   * [new branch]      t -> t
  branch 't' set up to track 'origin/t'.
    main c3ec7d6 [origin/main] c3
  * t    645ee93 [origin/t] t
  remote: error: refusing to update checked out branch: refs/heads/main        
  remote: error: By default, updating the current branch in a non-bare repository        
  remote: is denied, because it will make the index and work tree inconsistent        
  remote: with what you pushed, and will require 'git reset --hard' to match        
  remote: the work tree to HEAD.        
  remote: 
  remote: You can set the 'receive.denyCurrentBranch' configuration variable        
  remote: to 'ignore' or 'warn' in the remote repository to allow pushing into        
  remote: its current branch; however, this is not recommended unless you        
  remote: arranged to update its work tree to match what you pushed in some        
  remote: other way.        
  remote: 
  remote: To squelch this message and still keep the default behaviour, set        
  remote: 'receive.denyCurrentBranch' configuration variable to 'refuse'.        
  To /here/o
   ! [remote rejected] t -> main (branch is currently checked out)
  error: failed to push some refs to '/here/o'
  remote: error: refusing to update checked out branch: refs/heads/main        
  remote: error: By default, updating the current branch in a non-bare repository        
  remote: is denied, because it will make the index and work tree inconsistent        
  remote: with what you pushed, and will require 'git reset --hard' to match        
  remote: the work tree to HEAD.        
  remote: 
  remote: You can set the 'receive.denyCurrentBranch' configuration variable        
  remote: to 'ignore' or 'warn' in the remote repository to allow pushing into        
  remote: its current branch; however, this is not recommended unless you        
  remote: arranged to update its work tree to match what you pushed in some        
  remote: other way.        
  remote: 
  remote: To squelch this message and still keep the default behaviour, set        
  remote: 'receive.denyCurrentBranch' configuration variable to 'refuse'.        
  To /here/o
   ! [remote rejected] HEAD -> main (branch is currently checked out)
  error: failed to push some refs to '/here/o'
  To /here/o
     c3ec7d6..645ee93  t -> main
  645ee93 t
  fatal: You are not currently on a branch.
  To push the history leading to the current (detached HEAD)
  state now, use
  
      git push origin HEAD:<name-of-remote-branch>
  
  fatal: 'nosuch' does not appear to be a git repository
  fatal: Could not read from remote repository.
  
  Please make sure you have the correct access rights
  and the repository exists.
[128]

$ git clone -q o a; cd a; git remote add b ../b; git remote; git remote add b x; git remote get-url b; git remote set-url b ../o; git remote get-url b; git remote -v | grep ^b; git fetch b; git branch -r; git remote rename b c; git branch -r; cat .git/config; git remote remove c; git branch -r; git remote remove c; git remote rename c d; git remote get-url c; git remote set-url --add origin ../x; git remote -v | grep push; git remote show
  b
  origin
  error: remote b already exists.
  ../b
  ../o
  b	../o (fetch)
  b	../o (push)
  From ../o
   * [new branch]      main       -> b/main
   * [new branch]      x          -> b/x
    b/main
    b/x
    origin/HEAD -> origin/main
    origin/main
    origin/x
    c/main
    c/x
    origin/HEAD -> origin/main
    origin/main
    origin/x
  [core]
  	repositoryformatversion = 0
  	filemode = true
  	bare = false
  	logallrefupdates = true
  [remote "origin"]
  	url = /here/o
  	fetch = +refs/heads/*:refs/remotes/origin/*
  [branch "main"]
  	remote = origin
  	merge = refs/heads/main
  [remote "c"]
  	url = ../o
  	fetch = +refs/heads/*:refs/remotes/c/*
    origin/HEAD -> origin/main
    origin/main
    origin/x
  error: No such remote: 'c'
  error: No such remote: 'c'
  error: No such remote 'c'
  origin	/here/o (push)
  origin	../x (push)
  origin

$ git clone -q o a; cd a; git remote show origin; git -C ../o branch -qD x; git -C ../o branch y; git remote prune -n origin; git fetch -p; git branch -r; git remote set-head origin -d; git branch -r; git remote set-head origin -a; git remote update; git remote add -f p ../o; git branch -r
  * remote origin
    Fetch URL: /here/o
    Push  URL: /here/o
    HEAD branch: main
    Remote branches:
      main tracked
      x    tracked
    Local branch configured for 'git pull':
      main merges with remote main
    Local ref configured for 'git push':
      main pushes to main (up to date)
  Pruning origin
  URL: /here/o
   * [would prune] origin/x
  From /here/o
   - [deleted]         (none)     -> origin/x
   * [new branch]      y          -> origin/y
    origin/HEAD -> origin/main
    origin/main
    origin/y
    origin/main
    origin/y
  origin/HEAD set to main
  Updating p
  From ../o
   * [new branch]      main       -> p/main
   * [new branch]      y          -> p/y
    origin/HEAD -> origin/main
    origin/main
    origin/y
    p/main
    p/y

$ git clone -q o a; cd a; git -C ../o commit -q --allow-empty -m n; git fetch origin main; cat .git/FETCH_HEAD; git fetch origin x:new; git branch; git fetch origin main:main; git fetch origin nosuch; git fetch ../o main; git fetch ../o; git log --oneline -1 FETCH_HEAD; git fetch --all; git fetch --dry-run; git fetch -q; git fetch ../nosuch; git pull nosuch
  From /here/o
   * branch            main       -> FETCH_HEAD
     c3ec7d6..ba4d9bb  main       -> origin/main
  ba4d9bb1fa01fd92011b50e974166be09e2f4d49		branch 'main' of /here/o
  From /here/o
   * [new branch]      x          -> new
  * main
    new
  fatal: refusing to fetch into branch 'refs/heads/main' checked out at '/here/a'
  fatal: couldn't find remote ref nosuch
  From ../o
   * branch            main       -> FETCH_HEAD
  From ../o
   * branch            HEAD       -> FETCH_HEAD
  ba4d9bb n
  fatal: '../nosuch' does not appear to be a git repository
  fatal: Could not read from remote repository.
  
  Please make sure you have the correct access rights
  and the repository exists.
  fatal: 'nosuch' does not appear to be a git repository
  fatal: Could not read from remote repository.
  
  Please make sure you have the correct access rights
  and the repository exists.
[1]

$ git clone -q o a; cd a; git switch x; git status -sb; git switch -q main; git branch -qD x; git checkout -b y origin/x; git checkout -q --no-track -b z origin/x; git branch -vv; git checkout -t origin/x; git switch -c nope; git pull; git pull origin; git branch -u origin/main; git pull; git pull origin x; git push
  Switched to a new branch 'x'
  branch 'x' set up to track 'origin/x'.
  ## x...origin/x
  Switched to a new branch 'y'
  branch 'y' set up to track 'origin/x'.
    main c3ec7d6 [origin/main] c3
    y    c3ec7d6 [origin/x] c3
  * z    c3ec7d6 c3
  Switched to a new branch 'x'
  branch 'x' set up to track 'origin/x'.
  Switched to a new branch 'nope'
  There is no tracking information for the current branch.
  Please specify which branch you want to merge with.
  See git-pull(1) for details.
  
      git pull <remote> <branch>
  
  If you wish to set tracking information for this branch you can do so with:
  
      git branch --set-upstream-to=origin/<branch> nope
  
  You asked to pull from the remote 'origin', but did not specify
  a branch. Because this is not the default configured remote
  for your current branch, you must specify a branch on the command line.
  branch 'nope' set up to track 'origin/main'.
  Already up to date.
  From /here/o
   * branch            x          -> FETCH_HEAD
  Already up to date.
  fatal: The upstream branch of your current branch does not match
  the name of your current branch.  To push to the upstream branch
  on the remote, use
  
      git push origin HEAD:main
  
  To push to the branch of the same name on the remote, use
  
      git push origin HEAD
  
  To choose either option permanently, see push.default in 'git help config'.
  
  To avoid automatically configuring an upstream branch when its name
  won't match the local branch, see option 'simple' of branch.autoSetupMerge
  in 'git help config'.
  
[128]

$ git clone -q o a; cd a; git ls-remote; git ls-remote --heads origin; git ls-remote --tags ../o; git ls-remote ../o 't*'; git ls-remote --refs ../o; git ls-remote --exit-code ../o nosuch; git ls-remote --symref origin HEAD; git ls-remote --get-url; cd /; git ls-remote; git ls-remote /nosuch
  From /here/o
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	HEAD
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	refs/heads/main
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	refs/heads/x
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	refs/tags/t1
  5f066277db4b8d3d9696cd280267f9d88cc4c587	refs/tags/t2
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	refs/tags/t2^{}
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	refs/heads/main
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	refs/heads/x
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	refs/tags/t1
  5f066277db4b8d3d9696cd280267f9d88cc4c587	refs/tags/t2
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	refs/tags/t2^{}
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	refs/tags/t1
  5f066277db4b8d3d9696cd280267f9d88cc4c587	refs/tags/t2
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	refs/tags/t2^{}
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	refs/heads/main
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	refs/heads/x
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	refs/tags/t1
  5f066277db4b8d3d9696cd280267f9d88cc4c587	refs/tags/t2
  ref: refs/heads/main	HEAD
  c3ec7d6cc33bef9bb54d49f63c0e39d1faf55401	HEAD
  /here/o
  fatal: No remote configured to list refs from.
  fatal: '/nosuch' does not appear to be a git repository
  fatal: Could not read from remote repository.
  
  Please make sure you have the correct access rights
  and the repository exists.
[128]

$ git clone -q o a; cd a; git config url../o.insteadOf my:; git fetch my: x; git remote add m my:; git remote -v | grep ^m; git ls-remote m x
  fatal: './o' does not appear to be a git repository
  fatal: Could not read from remote repository.
  
  Please make sure you have the correct access rights
  and the repository exists.
  m	./o (fetch)
  m	./o (push)
  fatal: './o' does not appear to be a git repository
  fatal: Could not read from remote repository.
  
  Please make sure you have the correct access rights
  and the repository exists.
[128]

$ git init -q w; cd w; git pull; git fetch; git push; edit a a; git push; git push nosuch main; git pull ../o main; git pull --no-rebase --allow-unrelated-histories --no-edit ../o main; git log --oneline | wc -l
  There is no tracking information for the current branch.
  Please specify which branch you want to merge with.
  See git-pull(1) for details.
  
      git pull <remote> <branch>
  
  If you wish to set tracking information for this branch you can do so with:
  
      git branch --set-upstream-to=<remote>/<branch> main
  
  fatal: No configured push destination.
  Either specify the URL from the command-line or configure a remote repository using
  
      git remote add <name> <url>
  
  and then push using the remote name
  
      git push <name>
  
  fatal: No configured push destination.
  Either specify the URL from the command-line or configure a remote repository using
  
      git remote add <name> <url>
  
  and then push using the remote name
  
      git push <name>
  
  fatal: 'nosuch' does not appear to be a git repository
  fatal: Could not read from remote repository.
  
  Please make sure you have the correct access rights
  and the repository exists.
  From ../o
   * branch            main       -> FETCH_HEAD
  hint: You have divergent branches and need to specify how to reconcile them.
  hint: You can do so by running one of the following commands sometime before
  hint: your next pull:
  hint:
  hint:   git config pull.rebase false  # merge
  hint:   git config pull.rebase true   # rebase
  hint:   git config pull.ff only       # fast-forward only
  hint:
  hint: You can replace "git config" with "git config --global" to set a default
  hint: preference for all repositories. You can also pass --rebase, --no-rebase,
  hint: or --ff-only on the command line to override the configured default per
  hint: invocation.
  fatal: Need to specify how to reconcile divergent branches.
  From ../o
   * branch            main       -> FETCH_HEAD
  Merge made by the 'ort' strategy.
   f1 | 20 ++++++++++++++++++++
   f2 | 19 +++++++++++++++++++
   f3 | 18 ++++++++++++++++++
   3 files changed, 57 insertions(+)
   create mode 100644 f1
   create mode 100644 f2
   create mode 100644 f3
  5

& real() { PATH=/usr/local/bin:/usr/bin:/bin git "$@"; }; git clone -q o a; git clone -q --bare o b.git; cd a; edit f1 x; git push -q ../b.git HEAD:refs/heads/new; for r in . ../b.git; do real -C $r fsck --strict; done; real clone -q ../b.git -b new ../c; real -C ../c log --oneline; real status -sb; real -C ../o gc -q; cd ..; git clone -q o g; real -C g fsck --strict; git clone -q --depth 2 "file://$PWD/o" s; real -C s fsck --strict; real -C s log --oneline; real clone -q --depth 1 "file://$PWD/o" r; git -C r log --oneline; git -C r pull -q --unshallow; git -C r log --oneline; real -C r fsck --strict
  e84ffe5 x
  c3ec7d6 c3
  7c58de5 c2
  bad575e c1
  ## main...origin/main [ahead 1]
  c3ec7d6 c3
  7c58de5 c2
  c3ec7d6 c3
  c3ec7d6 c3
  7c58de5 c2
  bad575e c1

$ edit() { echo $1 >> f; git add f; git commit -qm "$1"; }; git config advice.pushUpdateRejected false; edit 1; git init -q --bare ../l.git; git remote add o ../l.git; git branch a; git branch b; git push -q o main a b; git clone -q ../l.git ../d; (cd ../d; for x in a b; do git switch -q $x; edit $x; git push -q; done); for x in a b; do git switch -q $x; edit n$x; done; git push --force-with-lease=a o a b; git fetch -q; git push --force-with-lease=a o b; git push --force-with-lease=a:b o a; git push --force-with-lease=a:nope o a; git push --force-with-lease=refs/heads/a o a b | sed 's/[0-9a-f]\{7\}/ID/g'; git update-ref refs/remotes/o/a main; git push --force-with-lease o :a; git push -q --force-with-lease o HEAD:a 2>/dev/null; git push -q --force-with-lease --force o HEAD:a; git push --force-with-lease=new: o HEAD:new; git push --force-with-lease=new: o main:new
  fatal: not in a git directory
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  warning: You appear to have cloned an empty repository.
  fatal: invalid reference: a
  fatal: invalid reference: b
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
  fatal: not a git repository (or any of the parent directories): .git
[128]
