# Commits picked and reverted, one or several.
% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1
% exec 2>&1
% git config --global init.defaultBranch main
% git init -q
% c() { echo "$1" >> f; git add f; git commit -qm "$1"; }
% base() { git checkout -q --detach >/dev/null; git reset -q --hard S; git checkout -q -B w; git clean -fdq; }
% c 0; echo g>g; git add g; git commit -qm g; git tag S; git switch -qc o; echo a>a; git add a; git commit -qm a; c X; echo b>b; git add b; git commit -qm b; echo d>d; git add d; git commit -qm d -m 'Signed-off-by: Z <z@z>'; git switch -q -c w S; c Y; git tag -f S >/dev/null

$ git cherry-pick --continue; echo $?; git cherry-pick --abort; git cherry-pick --skip; git revert --abort; git cherry-pick --quit; echo $?
  error: no cherry-pick or revert in progress
  fatal: cherry-pick failed
  128
  error: no cherry-pick or revert in progress
  fatal: cherry-pick failed
  error: no cherry-pick in progress
  fatal: cherry-pick failed
  error: no cherry-pick or revert in progress
  fatal: revert failed
  0

$ git cherry-pick S..o; echo = $?; ls .git/sequencer; cat .git/sequencer/todo .git/sequencer/opts .git/sequencer/abort-safety; git status; git cherry-pick o; git cherry-pick o~1 o; git cherry-pick --continue; echo = $?; echo R>f; git add f; git cherry-pick --continue; echo = $?; git log --oneline | cat; ls .git/sequencer; git status -s
  [w 0660a6f] a
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 a
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  error: could not apply e7b5683... X
  hint: After resolving the conflicts, mark them with
  hint: "git add/rm <pathspec>", then run
  hint: "git cherry-pick --continue".
  hint: You can instead skip this commit with "git cherry-pick --skip".
  hint: To abort and get back to the state before "git cherry-pick",
  hint: run "git cherry-pick --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  = 1
  abort-safety
  head
  todo
  pick e7b5683 X
  pick b7d007a b
  pick 8837b83 d
  cat: .git/sequencer/opts: No such file or directory
  0660a6f5dd38637f24e5572d5d4c4cd70a22f42d
  On branch w
  You are currently cherry-picking commit e7b5683.
    (fix conflicts and run "git cherry-pick --continue")
    (use "git cherry-pick --skip" to skip this patch)
    (use "git cherry-pick --abort" to cancel the cherry-pick operation)
  
  Unmerged paths:
    (use "git add <file>..." to mark resolution)
  	both modified:   f
  
  no changes added to commit (use "git add" and/or "git commit -a")
  error: Cherry-picking is not possible because you have unmerged files.
  hint: Fix them up in the work tree, and then use 'git add/rm <file>'
  hint: as appropriate to mark resolution and make a commit.
  fatal: cherry-pick failed
  error: cherry-pick is already in progress
  hint: try "git cherry-pick (--continue | --skip | --abort | --quit)"
  fatal: cherry-pick failed
  error: Committing is not possible because you have unmerged files.
  hint: Fix them up in the work tree, and then use 'git add/rm <file>'
  hint: as appropriate to mark resolution and make a commit.
  fatal: Exiting because of an unresolved conflict.
  U	f
  = 128
  [w 90b8f8b] X
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+), 2 deletions(-)
  [w a0cfb88] b
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 b
  [w 16d81eb] d
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 d
  = 0
  16d81eb d
  a0cfb88 b
  90b8f8b X
  0660a6f a
  3640877 Y
  d5efcdb g
  1818dc0 0
  ls: cannot access '.git/sequencer': No such file or directory

$ git cherry-pick -x S..o; echo dirty > g; git cherry-pick --abort; git log --oneline | cat; git status -s
  [w 19f75b0] a
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 a
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  error: could not apply e7b5683... X
  hint: After resolving the conflicts, mark them with
  hint: "git add/rm <pathspec>", then run
  hint: "git cherry-pick --continue".
  hint: You can instead skip this commit with "git cherry-pick --skip".
  hint: To abort and get back to the state before "git cherry-pick",
  hint: run "git cherry-pick --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  3640877 Y
  d5efcdb g
  1818dc0 0
   M g

$ git cherry-pick -x S..o; git cherry-pick --skip; git log --format=%B | cat
  [w 19f75b0] a
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 a
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  error: could not apply e7b5683... X
  hint: After resolving the conflicts, mark them with
  hint: "git add/rm <pathspec>", then run
  hint: "git cherry-pick --continue".
  hint: You can instead skip this commit with "git cherry-pick --skip".
  hint: To abort and get back to the state before "git cherry-pick",
  hint: run "git cherry-pick --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  [w af2e30a] b
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 b
  [w 2fafd29] d
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 d
  d
  
  Signed-off-by: Z <z@z>
  (cherry picked from commit 8837b83c31ec6eb137f9af5562f006a5600292e9)
  
  b
  
  (cherry picked from commit b7d007ac1692513f87f285191f1dad5a0c7ca4bf)
  
  a
  
  (cherry picked from commit 7e4e8ee0656f1ef604cc104f830b4e6c33eab389)
  
  Y
  
  g
  
  0
  

$ git cherry-pick S..o; echo R>f; git add f; git commit -qm res; git status; git cherry-pick --skip; git cherry-pick --continue; git log --format=%s | cat
  [w 0660a6f] a
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 a
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  error: could not apply e7b5683... X
  hint: After resolving the conflicts, mark them with
  hint: "git add/rm <pathspec>", then run
  hint: "git cherry-pick --continue".
  hint: You can instead skip this commit with "git cherry-pick --skip".
  hint: To abort and get back to the state before "git cherry-pick",
  hint: run "git cherry-pick --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  On branch w
  Cherry-pick currently in progress.
    (run "git cherry-pick --continue" to continue)
    (use "git cherry-pick --skip" to skip this patch)
    (use "git cherry-pick --abort" to cancel the cherry-pick operation)
  
  nothing to commit, working tree clean
  error: there is nothing to skip
  hint: have you committed already?
  hint: try "git cherry-pick --continue"
  fatal: cherry-pick failed
  [w e32ab57] b
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 b
  [w 34d3bd1] d
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 d
  d
  b
  res
  a
  Y
  g
  0

$ git cherry-pick S..o; echo R>f; git add f; git commit -qm res; git cherry-pick --abort; git log --format=%s | cat; ls .git/sequencer
  [w 0660a6f] a
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 a
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  error: could not apply e7b5683... X
  hint: After resolving the conflicts, mark them with
  hint: "git add/rm <pathspec>", then run
  hint: "git cherry-pick --continue".
  hint: You can instead skip this commit with "git cherry-pick --skip".
  hint: To abort and get back to the state before "git cherry-pick",
  hint: run "git cherry-pick --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  warning: You seem to have moved HEAD. Not rewinding, check your HEAD!
  res
  a
  Y
  g
  0
  ls: cannot access '.git/sequencer': No such file or directory
[2]

$ git cherry-pick S..o~2; echo R>f; git add f; git commit -qm res;  ls .git/sequencer; git status
  [w 0660a6f] a
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 a
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  error: could not apply e7b5683... X
  hint: After resolving the conflicts, mark them with
  hint: "git add/rm <pathspec>", then run
  hint: "git cherry-pick --continue".
  hint: You can instead skip this commit with "git cherry-pick --skip".
  hint: To abort and get back to the state before "git cherry-pick",
  hint: run "git cherry-pick --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  ls: cannot access '.git/sequencer': No such file or directory
  On branch w
  nothing to commit, working tree clean

$ git cherry-pick S..o~2; git cherry-pick --quit; git status; git reset -q --hard; git cherry-pick S..o~2; git reset -q --hard; git status; git cherry-pick --continue;  git log --format=%s | cat; ls .git/sequencer
  [w 0660a6f] a
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 a
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  error: could not apply e7b5683... X
  hint: After resolving the conflicts, mark them with
  hint: "git add/rm <pathspec>", then run
  hint: "git cherry-pick --continue".
  hint: You can instead skip this commit with "git cherry-pick --skip".
  hint: To abort and get back to the state before "git cherry-pick",
  hint: run "git cherry-pick --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  On branch w
  Unmerged paths:
    (use "git restore --staged <file>..." to unstage)
    (use "git add <file>..." to mark resolution)
  	both modified:   f
  
  no changes added to commit (use "git add" and/or "git commit -a")
  The previous cherry-pick is now empty, possibly due to conflict resolution.
  If you wish to commit it anyway, use:
  
      git commit --allow-empty
  
  Otherwise, please use 'git cherry-pick --skip'
  On branch w
  You are currently cherry-picking commit 7e4e8ee.
    (all conflicts fixed: run "git cherry-pick --continue")
    (use "git cherry-pick --skip" to skip this patch)
    (use "git cherry-pick --abort" to cancel the cherry-pick operation)
  
  nothing to commit, working tree clean
  On branch w
  Cherry-pick currently in progress.
    (run "git cherry-pick --continue" to continue)
    (use "git cherry-pick --skip" to skip this patch)
    (use "git cherry-pick --abort" to cancel the cherry-pick operation)
  
  nothing to commit, working tree clean
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  error: could not apply e7b5683... X
  hint: After resolving the conflicts, mark them with
  hint: "git add/rm <pathspec>", then run
  hint: "git cherry-pick --continue".
  hint: You can instead skip this commit with "git cherry-pick --skip".
  hint: To abort and get back to the state before "git cherry-pick",
  hint: run "git cherry-pick --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  a
  Y
  g
  0
  abort-safety
  head
  todo

$ git cherry-pick -s o -x; git log -1 --format=%B; git revert --no-edit HEAD HEAD~1 ; git log --format=%s | cat; git revert --no-edit S~1..HEAD; echo $?; git status; git revert --skip;  git revert --abort; git log --format=%s | cat
  [w 5c582a5] d
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 d
  d
  
  Signed-off-by: Z <z@z>
  (cherry picked from commit 8837b83c31ec6eb137f9af5562f006a5600292e9)
  Signed-off-by: Ann <ann@x.org>
  
  [w 1498dfb] Revert "d"
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 deletion(-)
   delete mode 100644 d
  [w 08a8a33] Revert "Y"
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 deletion(-)
  Revert "Y"
  Revert "d"
  d
  Y
  g
  0
  [w e697ecb] Reapply "Y"
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
  [w e068b60] Reapply "d"
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 d
  [w b6f4bd4] Revert "d"
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 deletion(-)
   delete mode 100644 d
  [w 427858b] Revert "Y"
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 deletion(-)
  0
  On branch w
  nothing to commit, working tree clean
  error: no revert in progress
  fatal: revert failed
  error: no cherry-pick or revert in progress
  fatal: revert failed
  Revert "Y"
  Revert "d"
  Reapply "d"
  Reapply "Y"
  Revert "Y"
  Revert "d"
  d
  Y
  g
  0

$ git commit -q --allow-empty -m E; git cherry-pick HEAD; git cherry-pick --skip; git cherry-pick --allow-empty HEAD; git cherry-pick --keep-redundant-commits o o; git cherry-pick --empty=drop o; git cherry-pick o; git cherry-pick --continue; echo $?; git status; git cherry-pick --abort;git log --format=%s | cat
  The previous cherry-pick is now empty, possibly due to conflict resolution.
  If you wish to commit it anyway, use:
  
      git commit --allow-empty
  
  Otherwise, please use 'git cherry-pick --skip'
  On branch w
  You are currently cherry-picking commit 174a438.
    (all conflicts fixed: run "git cherry-pick --continue")
    (use "git cherry-pick --skip" to skip this patch)
    (use "git cherry-pick --abort" to cancel the cherry-pick operation)
  
  nothing to commit, working tree clean
  [w a6fe9f0] E
   Date: Tue Nov 14 22:13:20 2023 +0000
  [w 556900c] d
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 d
  dropping 8837b83c31ec6eb137f9af5562f006a5600292e9 d -- patch contents already upstream
  The previous cherry-pick is now empty, possibly due to conflict resolution.
  If you wish to commit it anyway, use:
  
      git commit --allow-empty
  
  Otherwise, please use 'git cherry-pick --skip'
  On branch w
  You are currently cherry-picking commit 8837b83.
    (all conflicts fixed: run "git cherry-pick --continue")
    (use "git cherry-pick --skip" to skip this patch)
    (use "git cherry-pick --abort" to cancel the cherry-pick operation)
  
  nothing to commit, working tree clean
  The previous cherry-pick is now empty, possibly due to conflict resolution.
  If you wish to commit it anyway, use:
  
      git commit --allow-empty
  
  Otherwise, please use 'git cherry-pick --skip'
  On branch w
  You are currently cherry-picking commit 8837b83.
    (all conflicts fixed: run "git cherry-pick --continue")
    (use "git cherry-pick --skip" to skip this patch)
    (use "git cherry-pick --abort" to cancel the cherry-pick operation)
  
  nothing to commit, working tree clean
  1
  On branch w
  You are currently cherry-picking commit 8837b83.
    (all conflicts fixed: run "git cherry-pick --continue")
    (use "git cherry-pick --skip" to skip this patch)
    (use "git cherry-pick --abort" to cancel the cherry-pick operation)
  
  nothing to commit, working tree clean
  d
  E
  E
  Y
  g
  0

$ echo x>>g; git cherry-pick o~2; git cherry-pick --abort; git status -s;  git cherry-pick o~2; git merge o; git status; git cherry-pick --skip; git status -s; git revert HEAD; git merge --abort; git merge --quit; git revert --quit
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  error: could not apply e7b5683... X
  hint: After resolving the conflicts, mark them with
  hint: "git add/rm <pathspec>", then run
  hint: "git cherry-pick --continue".
  hint: You can instead skip this commit with "git cherry-pick --skip".
  hint: To abort and get back to the state before "git cherry-pick",
  hint: run "git cherry-pick --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
   M g
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  error: could not apply e7b5683... X
  hint: After resolving the conflicts, mark them with
  hint: "git add/rm <pathspec>", then run
  hint: "git cherry-pick --continue".
  hint: You can instead skip this commit with "git cherry-pick --skip".
  hint: To abort and get back to the state before "git cherry-pick",
  hint: run "git cherry-pick --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  error: Merging is not possible because you have unmerged files.
  hint: Fix them up in the work tree, and then use 'git add/rm <file>'
  hint: as appropriate to mark resolution and make a commit.
  fatal: Exiting because of an unresolved conflict.
  On branch w
  You are currently cherry-picking commit e7b5683.
    (fix conflicts and run "git cherry-pick --continue")
    (use "git cherry-pick --skip" to skip this patch)
    (use "git cherry-pick --abort" to cancel the cherry-pick operation)
  
  Unmerged paths:
    (use "git add <file>..." to mark resolution)
  	both modified:   f
  
  Changes not staged for commit:
    (use "git add <file>..." to update what will be committed)
    (use "git restore <file>..." to discard changes in working directory)
  	modified:   g
  
  no changes added to commit (use "git add" and/or "git commit -a")
   M g
  [w 470cd8f] Revert "Y"
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 deletion(-)
  fatal: There is no merge to abort (MERGE_HEAD missing).

$ git checkout -q --orphan m2; git rm -rfq .; c 0; git switch -qc p; c X; git switch -q m2; c Y; git merge p; git pull . p; git pull --rebase . p; echo $?; echo z > f; git add f; git pull . p; echo $?; git merge p; git commit -qm m; git switch -q -c q p; git cherry-pick m2~1; git pull . m2; echo z > f; git add f; git pull . m2; echo $?; git merge m2; git cherry-pick --continue
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  Automatic merge failed; fix conflicts and then commit the result.
  error: Pulling is not possible because you have unmerged files.
  hint: Fix them up in the work tree, and then use 'git add/rm <file>'
  hint: as appropriate to mark resolution and make a commit.
  fatal: Exiting because of an unresolved conflict.
  error: Pulling is not possible because you have unmerged files.
  hint: Fix them up in the work tree, and then use 'git add/rm <file>'
  hint: as appropriate to mark resolution and make a commit.
  fatal: Exiting because of an unresolved conflict.
  128
  error: You have not concluded your merge (MERGE_HEAD exists).
  hint: Please, commit your changes before merging.
  fatal: Exiting because of unfinished merge.
  128
  fatal: You have not concluded your merge (MERGE_HEAD exists).
  Please, commit your changes before you merge.
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  error: could not apply ce95896... Y
  hint: After resolving the conflicts, mark them with
  hint: "git add/rm <pathspec>", then run
  hint: "git cherry-pick --continue".
  hint: You can instead skip this commit with "git cherry-pick --skip".
  hint: To abort and get back to the state before "git cherry-pick",
  hint: run "git cherry-pick --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  error: Pulling is not possible because you have unmerged files.
  hint: Fix them up in the work tree, and then use 'git add/rm <file>'
  hint: as appropriate to mark resolution and make a commit.
  fatal: Exiting because of an unresolved conflict.
  From .
   * branch            m2         -> FETCH_HEAD
  fatal: You have not concluded your cherry-pick (CHERRY_PICK_HEAD exists).
  Please, commit your changes before you merge.
  128
  fatal: You have not concluded your cherry-pick (CHERRY_PICK_HEAD exists).
  Please, commit your changes before you merge.
  [q d1a537c] Y
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+), 2 deletions(-)

$ git checkout -q --orphan m2; git rm -rfq .; c 0; git switch -qc p; c X; c Z; git switch -q m2; git cherry-pick p~2..p; git reset -q --hard HEAD~2; c X; git cherry-pick m2~1..p; git cherry-pick --skip; git cherry-pick --skip; git log --oneline; echo 0 > f; git commit -qam 0; echo 00 > f; git commit -qam 00; git revert HEAD --no-edit; git revert HEAD~1 --no-edit; git status; git revert --continue
  [m2 421ad25] X
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
  [m2 f36c3e3] Z
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
  The previous cherry-pick is now empty, possibly due to conflict resolution.
  If you wish to commit it anyway, use:
  
      git commit --allow-empty
  
  Otherwise, please use 'git cherry-pick --skip'
  On branch m2
  You are currently cherry-picking commit 421ad25.
    (all conflicts fixed: run "git cherry-pick --continue")
    (use "git cherry-pick --skip" to skip this patch)
    (use "git cherry-pick --abort" to cancel the cherry-pick operation)
  
  nothing to commit, working tree clean
  [m2 f36c3e3] Z
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
  error: no cherry-pick in progress
  fatal: cherry-pick failed
  f36c3e3 Z
  421ad25 X
  1818dc0 0
  [m2 37a7dae] Revert "00"
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+), 1 deletion(-)
  On branch m2
  nothing to commit, working tree clean
  On branch m2
  nothing to commit, working tree clean
  error: no cherry-pick or revert in progress
  fatal: revert failed
[128]
