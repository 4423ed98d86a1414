% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=:
% exec 2>&1
% git config --global init.defaultBranch main
% git init -q
% seq 10 > f; git add f; git commit -qm base
% commit() { export GIT_COMMITTER_DATE="$((n += 10, 1700000000 + n)) +0000" GIT_AUTHOR_DATE="$((1700000000 + n)) +0000"; git commit -qam "$1"; }

$ git switch -qc dev; echo 11 >> f; echo new > g; git add g; commit dev; git switch -q main; git merge dev; git log --oneline --graph; git status; git merge dev; git reflog
  Updating 4c32a3a..eef6ef4
  Fast-forward
   f | 1 +
   g | 1 +
   2 files changed, 2 insertions(+)
   create mode 100644 g
  * eef6ef4 dev
  * 4c32a3a base
  On branch main
  nothing to commit, working tree clean
  Already up to date.
  eef6ef4 HEAD@{0}: merge dev: Fast-forward
  4c32a3a HEAD@{1}: checkout: moving from dev to main
  eef6ef4 HEAD@{2}: commit: dev
  4c32a3a HEAD@{3}: checkout: moving from main to dev
  4c32a3a HEAD@{4}: commit (initial): base

$ git switch -qc dev; echo 11 >> f; commit dev; git switch -q main; git merge --no-ff dev; git log --oneline --graph; git log -1; git show --stat HEAD; git cat-file -p HEAD
  Merge made by the 'ort' strategy.
   f | 1 +
   1 file changed, 1 insertion(+)
  *   03f17c0 Merge branch 'dev'
  |\  
  | * f97e283 dev
  |/  
  * 4c32a3a base
  commit 03f17c04f3edc968d023a6de980ef1ec1f9c3643
  Merge: 4c32a3a f97e283
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:30 2023 +0000
  
      Merge branch 'dev'
  commit 03f17c04f3edc968d023a6de980ef1ec1f9c3643
  Merge: 4c32a3a f97e283
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:30 2023 +0000
  
      Merge branch 'dev'
  
   f | 1 +
   1 file changed, 1 insertion(+)
  tree 200f9961388e1374444a8b4a6dfb8273a0da6cff
  parent 4c32a3a1d6339e6d50a14cbb22b8eb0e46cd5f5d
  parent f97e283a0e36c5c36ed8c18c51c84ad12323aa37
  author Ann <ann@x.org> 1700000010 +0000
  committer Ann <ann@x.org> 1700000010 +0000
  
  Merge branch 'dev'

$ git switch -qc dev; echo 11 >> f; commit dev; git switch -q main; sed -i 's/^1$/one/' f; commit main; git merge dev; cat f; git log --graph --oneline; git log --graph --format='%h %s%d' --all; git log --oneline --first-parent; git log --merges --format=%s; git log --no-merges --format=%s; git diff HEAD^1 HEAD^2
  Auto-merging f
  Merge made by the 'ort' strategy.
   f | 1 +
   1 file changed, 1 insertion(+)
  one
  2
  3
  4
  5
  6
  7
  8
  9
  10
  11
  *   5cd2327 Merge branch 'dev'
  |\  
  | * f97e283 dev
  * | d995785 main
  |/  
  * 4c32a3a base
  *   5cd2327 Merge branch 'dev' (HEAD -> main)
  |\  
  | * f97e283 dev (dev)
  * | d995785 main
  |/  
  * 4c32a3a base
  5cd2327 Merge branch 'dev'
  d995785 main
  4c32a3a base
  Merge branch 'dev'
  main
  dev
  base
  diff --git a/f b/f
  index 1b6662b..3bb459b 100644
  --- a/f
  +++ b/f
  @@ -1,4 +1,4 @@
  -one
  +1
   2
   3
   4
  @@ -8,3 +8,4 @@ one
   8
   9
   10
  +11

$ git switch -qc dev; sed -i 's/^5$/five/' f; commit dev; git switch -q main; sed -i 's/^5$/FIVE/' f; commit main; git merge dev; echo $?; git status; git status -s; cat f; git diff; git ls-files -s; git ls-files -u; cat .git/MERGE_MSG; git commit -m x; seq 10 > f; git add f; git status; git commit --no-edit; git log --oneline --graph; git log -1 --format=%B; git show
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  Automatic merge failed; fix conflicts and then commit the result.
  1
  On branch main
  You have unmerged paths.
    (fix conflicts and run "git commit")
    (use "git merge --abort" to abort the merge)
  
  Unmerged paths:
    (use "git add <file>..." to mark resolution)
  	both modified:   f
  
  no changes added to commit (use "git add" and/or "git commit -a")
  UU f
  1
  2
  3
  4
  <<<<<<< HEAD
  FIVE
  =======
  five
  >>>>>>> dev
  6
  7
  8
  9
  10
  diff --cc f
  index 673b496,33011fd..0000000
  --- a/f
  +++ b/f
  @@@ -2,7 -2,7 +2,11 @@@
    2
    3
    4
  ++<<<<<<< HEAD
   +FIVE
  ++=======
  + five
  ++>>>>>>> dev
    6
    7
    8
  100644 f00c965d8307308469e537302baa73048488f162 1	f
  100644 673b49694a297a203bd010420e47bb40189310a1 2	f
  100644 33011fd77b7414b66200a64a0024dab6d1924191 3	f
  100644 f00c965d8307308469e537302baa73048488f162 1	f
  100644 673b49694a297a203bd010420e47bb40189310a1 2	f
  100644 33011fd77b7414b66200a64a0024dab6d1924191 3	f
  Merge branch 'dev'
  
  # Conflicts:
  #	f
  error: Committing is not possible because you have unmerged files.
  hint: Fix them up in the work tree, and then use 'git add/rm <file>'
  hint: as appropriate to mark resolution and make a commit.
  fatal: Exiting because of an unresolved conflict.
  U	f
  On branch main
  All conflicts fixed but you are still merging.
    (use "git commit" to conclude merge)
  
  Changes to be committed:
  	modified:   f
  
  [main 558d007] Merge branch 'dev'
  *   558d007 Merge branch 'dev'
  |\  
  | * dd00479 dev
  * | 6e09461 main
  |/  
  * 4c32a3a base
  Merge branch 'dev'
  
  # Conflicts:
  #	f
  
  commit 558d007958e371aa106e2627cd6a50cb5a1d11d4
  Merge: 6e09461 dd00479
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:40 2023 +0000
  
      Merge branch 'dev'
      
      # Conflicts:
      #       f
  
  diff --cc f
  index 673b496,33011fd..f00c965
  --- a/f
  +++ b/f
  @@@ -2,7 -2,7 +2,7 @@@
    2
    3
    4
  - FIVE
   -five
  ++5
    6
    7
    8

$ git switch -qc dev; sed -i 's/^5$/five/' f; commit dev; git switch -q main; sed -i 's/^5$/FIVE/' f; commit main; git merge dev; git merge --abort; git status -s; cat f | sed -n 5p; git merge -X ours dev -m forced; sed -n 5p f; git reset -q --hard HEAD~1; git merge -q -X theirs dev; sed -n 5p f
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  Automatic merge failed; fix conflicts and then commit the result.
  FIVE
  Auto-merging f
  Merge made by the 'ort' strategy.
  FIVE
  Auto-merging f
  five

$ git switch -qc dev; git rm -q f; commit gone; git switch -q main; echo 11 >> f; commit main; git merge dev; git status; git status -s; git rm -q f; git commit -qm done; git log --oneline
  CONFLICT (modify/delete): f deleted in dev and modified in HEAD.  Version HEAD of f left in tree.
  Automatic merge failed; fix conflicts and then commit the result.
  On branch main
  You have unmerged paths.
    (fix conflicts and run "git commit")
    (use "git merge --abort" to abort the merge)
  
  Unmerged paths:
    (use "git add/rm <file>..." as appropriate to mark resolution)
  	deleted by them: f
  
  no changes added to commit (use "git add" and/or "git commit -a")
  UD f
  323e17b done
  f18b252 main
  dd5bd5b gone
  4c32a3a base

$ git switch -qc dev; echo x > n; git add n; commit dev; git switch -q main; echo y > n; git add n; commit main; git merge dev; cat n; git status -s; git checkout --theirs n; cat n; git checkout --ours n; cat n; git diff; git add n; git merge --continue
  Auto-merging n
  CONFLICT (add/add): Merge conflict in n
  Automatic merge failed; fix conflicts and then commit the result.
  <<<<<<< HEAD
  y
  =======
  x
  >>>>>>> dev
  AA n
  Updated 1 path from the index
  x
  Updated 1 path from the index
  y
  diff --cc n
  index 975fbec,587be6b..0000000
  --- a/n
  +++ b/n
  [main d749d93] Merge branch 'dev'

$ git switch -qc dev; git mv f g; commit ren; git switch -q main; sed -i 's/^3$/three/' f; commit main; git merge dev; ls; sed -n 3p g; git status -s
  Merge made by the 'ort' strategy.
   f => g | 0
   1 file changed, 0 insertions(+), 0 deletions(-)
   rename f => g (100%)
  g
  three

$ git switch -qc dev; echo 11 >> f; commit dev; git switch -q main; echo local > f; git merge dev; echo $?; git checkout f; git merge --squash dev; git status -s; git commit -qm squashed; git log --oneline
  error: Your local changes to the following files would be overwritten by merge:
  	f
  Please commit your changes or stash them before you merge.
  Aborting
  Updating 4c32a3a..f97e283
  1
  Updated 1 path from the index
  Updating 4c32a3a..f97e283
  Fast-forward
  Squash commit -- not updating HEAD
   f | 1 +
   1 file changed, 1 insertion(+)
  M  f
  009e3d9 squashed
  4c32a3a base

$ git switch -qc dev; echo a > a; git add a; commit dev; git switch -q main; echo b > b; git add b; commit main; git merge --ff-only dev; echo $?; git merge --no-commit dev; git status; git commit -qm joined; git log --oneline --graph
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
  128
  Automatic merge went well; stopped before committing as requested
  On branch main
  All conflicts fixed but you are still merging.
    (use "git commit" to conclude merge)
  
  Changes to be committed:
  	new file:   a
  
  *   12707c3 joined
  |\  
  | * 33675e3 dev
  * | 875656e main
  |/  
  * 4c32a3a base

$ git merge-base main main; git switch -qc dev; echo a >> f; commit dev; git switch -q main; echo b > b; git add b; commit main; git merge-base main dev; git merge-base --is-ancestor main dev; echo $?; git log --oneline main..dev; git log --oneline --left-right main...dev; git rev-list --left-right --count main...dev; git diff main...dev --stat; git branch --merged; git branch --no-merged
  4c32a3a1d6339e6d50a14cbb22b8eb0e46cd5f5d
  4c32a3a1d6339e6d50a14cbb22b8eb0e46cd5f5d
  1
  fe9fd57 dev
  < 875656e main
  > fe9fd57 dev
  1	1
   f | 1 +
   1 file changed, 1 insertion(+)
  * main
    dev

$ git switch -qc a; echo a > a; git add a; commit a; git switch -q main; git switch -qc b; echo b > b; git add b; commit b; git switch -q main; git merge -q --no-ff a; git merge -q b; echo c > c; git add c; commit c; git log --oneline --graph; git log --format=%s --topo-order; git log --format=%s
  * 0ca28f8 c
  *   396608d Merge branch 'b'
  |\  
  | * db050b1 b
  * |   f1ba2f1 Merge branch 'a'
  |\ \  
  | |/  
  |/|   
  | * acc8166 a
  |/  
  * 4c32a3a base
  c
  Merge branch 'b'
  b
  Merge branch 'a'
  a
  base
  c
  Merge branch 'b'
  Merge branch 'a'
  b
  a
  base

$ echo x > x; git add x; commit x; git switch -qc dev HEAD~1; git cherry-pick main; git log --oneline; git cherry-pick -x main; echo $?; git cherry-pick --abort; git switch -q main; git revert HEAD; git log -1 --format=%B; git status -s; ls
  [dev fae13a1] x
   Date: Tue Nov 14 22:13:30 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 x
  fae13a1 x
  4c32a3a base
  The previous cherry-pick is now empty, possibly due to conflict resolution.
  If you wish to commit it anyway, use:
  
      git commit --allow-empty
  
  Otherwise, please use 'git cherry-pick --skip'
  On branch dev
  You are currently cherry-picking commit fae13a1.
    (all conflicts fixed: run "git cherry-pick --continue")
    (use "git cherry-pick --skip" to skip this patch)
    (use "git cherry-pick --abort" to cancel the cherry-pick operation)
  
  nothing to commit, working tree clean
  1
  [main 2fe5da0] Revert "x"
   Date: Tue Nov 14 22:13:30 2023 +0000
   1 file changed, 1 deletion(-)
   delete mode 100644 x
  Revert "x"
  
  This reverts commit fae13a1fe245171506a79cf68af5524c8c2cceb8.
  
  f

$ git switch -qc dev; sed -i 's/^5$/five/' f; commit dev; git switch -q main; sed -i 's/^5$/FIVE/' f; commit main; git cherry-pick dev; echo $?; git status; cat f | sed -n 4,12p; git cherry-pick --abort; git status -s; git revert -n HEAD; git status -s
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  error: could not apply dd00479... dev
  hint: After resolving the conflicts, mark them with
  hint: "git add/rm <pathspec>", then run
  hint: "git cherry-pick --continue".
  hint: You can instead skip this commit with "git cherry-pick --skip".
  hint: To abort and get back to the state before "git cherry-pick",
  hint: run "git cherry-pick --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  1
  On branch main
  You are currently cherry-picking commit dd00479.
    (fix conflicts and run "git cherry-pick --continue")
    (use "git cherry-pick --skip" to skip this patch)
    (use "git cherry-pick --abort" to cancel the cherry-pick operation)
  
  Unmerged paths:
    (use "git add <file>..." to mark resolution)
  	both modified:   f
  
  no changes added to commit (use "git add" and/or "git commit -a")
  4
  <<<<<<< HEAD
  FIVE
  =======
  five
  >>>>>>> dd00479 (dev)
  6
  7
  8
  M  f

$ echo 11 >> f; echo n > n; git stash; git status -s; git stash list; git stash show; git stash show -p; git stash pop; git status -s; git stash -u; git status -s; git stash apply; git stash drop; git stash list; git stash pop
  Saved working directory and index state WIP on main: 4c32a3a base
  ?? n
  stash@{0}: WIP on main: 4c32a3a base
   f | 1 +
   1 file changed, 1 insertion(+)
  diff --git a/f b/f
  index f00c965..3bb459b 100644
  --- a/f
  +++ b/f
  @@ -8,3 +8,4 @@
   8
   9
   10
  +11
  On branch main
  Changes not staged for commit:
    (use "git add <file>..." to update what will be committed)
    (use "git restore <file>..." to discard changes in working directory)
  	modified:   f
  
  Untracked files:
    (use "git add <file>..." to include in what will be committed)
  	n
  
  no changes added to commit (use "git add" and/or "git commit -a")
  Dropped refs/stash@{0} (3a62c113d0190c8495463a252dbf2574e18c499e)
   M f
  ?? n
  Saved working directory and index state WIP on main: 4c32a3a base
  On branch main
  Changes not staged for commit:
    (use "git add <file>..." to update what will be committed)
    (use "git restore <file>..." to discard changes in working directory)
  	modified:   f
  
  Untracked files:
    (use "git add <file>..." to include in what will be committed)
  	n
  
  no changes added to commit (use "git add" and/or "git commit -a")
  Dropped refs/stash@{0} (a98f2da0c18b0e86fdb5cce25a78d44a37cf7997)
  No stash entries found.
[1]

$ echo 11 >> f; git add f; echo 12 >> f; git stash push -m 'my work'; echo z > z; git add z; git stash; git stash list; git stash apply 'stash@{1}'; git diff --stat; git stash clear; git stash list
  Saved working directory and index state On main: my work
  Saved working directory and index state WIP on main: 4c32a3a base
  stash@{0}: WIP on main: 4c32a3a base
  stash@{1}: On main: my work
  On branch main
  Changes not staged for commit:
    (use "git add <file>..." to update what will be committed)
    (use "git restore <file>..." to discard changes in working directory)
  	modified:   f
  
  no changes added to commit (use "git add" and/or "git commit -a")
   f | 2 ++
   1 file changed, 2 insertions(+)

$ sed -i 's/^5$/stash/' f; git stash -q; sed -i 's/^5$/five/' f; commit five; git stash pop; echo $?; git status -s; git stash list; sed -n 4,10p f
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  On branch main
  Unmerged paths:
    (use "git restore --staged <file>..." to unstage)
    (use "git add <file>..." to mark resolution)
  	both modified:   f
  
  no changes added to commit (use "git add" and/or "git commit -a")
  The stash entry is kept in case you need it again.
  1
  UU f
  stash@{0}: WIP on main: 4c32a3a base
  4
  <<<<<<< Updated upstream
  five
  =======
  stash
  >>>>>>> Stashed changes
  6

$ echo 11 >> f; git diff > p; git checkout -q f; git apply --stat p; git apply --check p; git apply p; git status -s; git apply -R p; git status -s; git apply --cached p; git status -s; git reset -q; sed -i 's/^10$/ten/' f; git apply p; echo $?
   f |    1 +
   1 file changed, 1 insertion(+)
   M f
  ?? p
  ?? p
  MM f
  ?? p
  error: patch failed: f:8
  error: f: patch does not apply
  1

$ seq 20 > g; git add g; commit g; sed -i 's/^3$/three/; s/^17$/seventeen/' g; rm f; echo n > n; git add -A; git diff --cached > p; git reset -q --hard; sed -i '1i zero' g; git apply p; cat g | head -5; ls; git apply -R --index p; git apply nope; printf 'garbage\n' | git apply
  error: patch failed: g:1
  error: g: patch does not apply
  zero
  1
  2
  3
  4
  f
  g
  p
  error: n: does not exist in index
  error: g: does not match index
  error: f: already exists in index
  error: can't open patch 'nope': No such file or directory
  error: No valid patches in input (allow with "--allow-empty")
[128]

$ git switch -qc dev; sed -i 's/^5$/dev/' f; commit dev; git switch -q main; sed -i 's/^5$/main/' f; commit main; git merge dev; git checkout --theirs f; sed -n 5p f; git checkout --merge f; sed -n 4,10p f; echo x > f; git restore -m f; sed -n 4,10p f; git -c merge.conflictstyle=diff3 checkout -m -- f; sed -n 5,11p f; git status -s
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  Automatic merge failed; fix conflicts and then commit the result.
  Updated 1 path from the index
  dev
  Recreated 1 merge conflict
  4
  <<<<<<< ours
  main
  =======
  dev
  >>>>>>> theirs
  6
  4
  <<<<<<< ours
  main
  =======
  dev
  >>>>>>> theirs
  6
  <<<<<<< ours
  main
  ||||||| base
  5
  =======
  dev
  >>>>>>> theirs
  UU f

$ git switch -qc dev; git rm -q f; commit gone; git switch -q main; echo 11 >> f; commit main; git merge dev; git checkout --merge f
  CONFLICT (modify/delete): f deleted in dev and modified in HEAD.  Version HEAD of f left in tree.
  Automatic merge failed; fix conflicts and then commit the result.
  error: path 'f' does not have all necessary versions
[1]

$ export GIT_AUTHOR_NAME=Bob; echo w >> f; git stash; git log -1 --format='%an %cn' stash; git reflog; git stash pop; git log -g --format=%gs stash
  Saved working directory and index state WIP on main: 4c32a3a base
  Bob Ann
  4c32a3a HEAD@{0}: reset: moving to HEAD
  4c32a3a HEAD@{1}: commit (initial): base
  On branch main
  Changes not staged for commit:
    (use "git add <file>..." to update what will be committed)
    (use "git restore <file>..." to discard changes in working directory)
  	modified:   f
  
  no changes added to commit (use "git add" and/or "git commit -a")
  Dropped refs/stash@{0} (ec8c221bb790b5c9fe3c4d3d6d00e75fedf9c3a5)
  fatal: ambiguous argument 'stash': unknown revision or path not in the working tree.
  Use '--' to separate paths from revisions, like this:
  'git <command> [<revision>...] -- [<file>...]'
[128]

$ c() { echo $1 >> f; commit $1; }; c a; git switch -qc y; c b; git switch -q main; c c; git merge y; git switch y; git switch -c n; git switch --discard-changes y; git checkout y; git checkout -b n; git status -s; git branch --show-current; git reset -q --hard; git cherry-pick y 2>/dev/null; git switch y; git switch -; git checkout -f y; git revert HEAD~1 2>/dev/null; git switch main; git checkout -b n2; git status -s
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  Automatic merge failed; fix conflicts and then commit the result.
  fatal: cannot switch branch while merging
  Consider "git merge --quit" or "git worktree add".
  fatal: cannot switch branch while merging
  Consider "git merge --quit" or "git worktree add".
  fatal: cannot switch branch while merging
  Consider "git merge --quit" or "git worktree add".
  error: you need to resolve your current index first
  f: needs merge
  Switched to a new branch 'n'
  UU f
  n
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  fatal: cannot switch branch while cherry-picking
  Consider "git cherry-pick --quit" or "git worktree add".
  fatal: cannot switch branch while cherry-picking
  Consider "git cherry-pick --quit" or "git worktree add".
  Switched to branch 'y'
  warning: cancelling a cherry picking in progress
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  fatal: cannot switch branch while reverting
  Consider "git revert --quit" or "git worktree add".
  Switched to a new branch 'n2'
  warning: cancelling a revert in progress
  UU f

$ c() { echo $1 >> f; commit $1; }; c a; git switch -qc y; c b; git switch -q main; c c; git rebase y 2>/dev/null; git switch y; git branch -D main 2>&1 | sed 's/at .*/at/'; git checkout -qf y; git status | sed 's/[0-9a-f]\{7\}/ID/g'; git rebase --quit; git bisect start; git switch main; git bisect reset; echo x > f; git switch -C main; git checkout -b z; git checkout -b k y; git revert HEAD
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  fatal: cannot switch branch while rebasing
  Consider "git rebase --quit" or "git worktree add".
  error: cannot delete branch 'main' used by worktree at
  On branch y
  Last command done (1 command done):
     pick ID c
  No commands remaining.
  You are currently editing a commit while rebasing branch 'main' on 'ID'.
    (use "git commit --amend" to amend the current commit)
    (use "git rebase --continue" once you are satisfied with your changes)
  
  nothing to commit, working tree clean
  status: waiting for both good and bad commits
  warning: you are switching branch while bisecting
  Switched to branch 'main'
  Switched to branch 'y'
  Switched to and reset branch 'main'
  Switched to a new branch 'z'
  Switched to a new branch 'k'
  M	f
  error: Your local changes to the following files would be overwritten by merge:
  	f
  Please commit your changes or stash them before you merge.
  Aborting
  fatal: revert failed
[128]
