# Commits made anew: rebase.
% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=true
% exec 2>&1
% git config --global init.defaultBranch main
% edit() { echo "$2" >> $1; git add $1; git commit -qm "$2"; }
% git init -q; edit a 1; edit b 1b; git switch -qc t; edit c c1; edit d d1; git switch -q main; edit a 2; git switch -q t

$ git rebase main; git log --oneline --graph; git reflog; git reflog t; git status; git rebase main; git rebase nosuch; git rebase --continue; git rebase --abort
  Rebasing (1/2)Rebasing (2/2)Successfully rebased and updated refs/heads/t.
  * 4f9f1c4 d1
  * f42d5a7 c1
  * 25363cd 2
  * a2d5f16 1b
  * 2a40589 1
  4f9f1c4 HEAD@{0}: rebase (finish): returning to refs/heads/t
  4f9f1c4 HEAD@{1}: rebase (pick): d1
  f42d5a7 HEAD@{2}: rebase (pick): c1
  25363cd HEAD@{3}: rebase (start): checkout main
  51840a3 HEAD@{4}: checkout: moving from main to t
  25363cd HEAD@{5}: commit: 2
  a2d5f16 HEAD@{6}: checkout: moving from t to main
  51840a3 HEAD@{7}: commit: d1
  c1666e7 HEAD@{8}: commit: c1
  a2d5f16 HEAD@{9}: checkout: moving from main to t
  a2d5f16 HEAD@{10}: commit: 1b
  2a40589 HEAD@{11}: commit (initial): 1
  4f9f1c4 t@{0}: rebase (finish): refs/heads/t onto 25363cdb0f2d0b26f599a55af4342859858c7a0f
  51840a3 t@{1}: commit: d1
  c1666e7 t@{2}: commit: c1
  a2d5f16 t@{3}: branch: Created from HEAD
  On branch t
  nothing to commit, working tree clean
  Current branch t is up to date.
  fatal: invalid upstream 'nosuch'
  fatal: no rebase in progress
  fatal: no rebase in progress
[128]

$ echo x >> a; git rebase main; git add a; git rebase main; git stash -q; git rebase -q main; git log --oneline
  error: cannot rebase: You have unstaged changes.
  error: Please commit or stash them.
  error: cannot rebase: Your index contains uncommitted changes.
  error: Please commit or stash them.
  4f9f1c4 d1
  f42d5a7 c1
  25363cd 2
  a2d5f16 1b
  2a40589 1

$ edit a conflict; edit e after; git rebase main; cat a; git status -s; git rebase --continue; git rebase main; echo done > a; git add a; git rebase --continue; git log --oneline; cat a; ls .git | grep -i rebase
  Rebasing (1/4)Rebasing (2/4)Rebasing (3/4)Auto-merging a
  CONFLICT (content): Merge conflict in a
  error: could not apply 6ebafa3... conflict
  hint: Resolve all conflicts manually, mark them as resolved with
  hint: "git add/rm <conflicted_files>", then run "git rebase --continue".
  hint: You can instead skip this commit: run "git rebase --skip".
  hint: To abort and get back to the state before "git rebase", run "git rebase --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Could not apply 6ebafa3... conflict
  1
  <<<<<<< HEAD
  2
  =======
  conflict
  >>>>>>> 6ebafa3 (conflict)
  UU a
  a: needs merge
  You must edit all merge conflicts and then
  mark them as resolved using git add
  fatal: It seems that there is already a rebase-merge directory, and
  I wonder if you are in the middle of another rebase.  If that is the
  case, please try
  	git rebase (--continue | --abort | --skip)
  If that is not the case, please
  	rm -fr ".git/rebase-merge"
  and run me again.  I am stopping in case you still have something
  valuable there.
  
  [detached HEAD 7164662] conflict
   1 file changed, 1 insertion(+), 2 deletions(-)
  Rebasing (4/4)Successfully rebased and updated refs/heads/t.
  98ef36f after
  7164662 conflict
  4f9f1c4 d1
  f42d5a7 c1
  25363cd 2
  a2d5f16 1b
  2a40589 1
  done
[1]

$ edit a conflict; edit e after; git rebase main; git rebase --skip; git log --oneline; git reflog -3
  Rebasing (1/4)Rebasing (2/4)Rebasing (3/4)Auto-merging a
  CONFLICT (content): Merge conflict in a
  error: could not apply 6ebafa3... conflict
  hint: Resolve all conflicts manually, mark them as resolved with
  hint: "git add/rm <conflicted_files>", then run "git rebase --continue".
  hint: You can instead skip this commit: run "git rebase --skip".
  hint: To abort and get back to the state before "git rebase", run "git rebase --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Could not apply 6ebafa3... conflict
  Rebasing (4/4)Successfully rebased and updated refs/heads/t.
  6aa3eab after
  4f9f1c4 d1
  f42d5a7 c1
  25363cd 2
  a2d5f16 1b
  2a40589 1
  6aa3eab HEAD@{0}: rebase (finish): returning to refs/heads/t
  6aa3eab HEAD@{1}: rebase (pick): after
  4f9f1c4 HEAD@{2}: rebase (pick): d1

$ edit a conflict; git rebase main; git rebase --abort; git log --oneline; git status; cat a; git reflog -2
  Rebasing (1/3)Rebasing (2/3)Rebasing (3/3)Auto-merging a
  CONFLICT (content): Merge conflict in a
  error: could not apply 6ebafa3... conflict
  hint: Resolve all conflicts manually, mark them as resolved with
  hint: "git add/rm <conflicted_files>", then run "git rebase --continue".
  hint: You can instead skip this commit: run "git rebase --skip".
  hint: To abort and get back to the state before "git rebase", run "git rebase --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Could not apply 6ebafa3... conflict
  6ebafa3 conflict
  51840a3 d1
  c1666e7 c1
  a2d5f16 1b
  2a40589 1
  On branch t
  nothing to commit, working tree clean
  1
  conflict
  6ebafa3 HEAD@{0}: rebase (abort): returning to refs/heads/t
  4f9f1c4 HEAD@{1}: rebase (pick): d1

$ git rebase --onto main~1 HEAD~1; git log --oneline; git rebase main t; git log --oneline; git switch -q main; git rebase t; git log --oneline; git rebase
  Rebasing (1/1)Successfully rebased and updated refs/heads/t.
  ab8b6c6 d1
  a2d5f16 1b
  2a40589 1
  Rebasing (1/1)Successfully rebased and updated refs/heads/t.
  5ea5047 d1
  25363cd 2
  a2d5f16 1b
  2a40589 1
  Successfully rebased and updated refs/heads/main.
  5ea5047 d1
  25363cd 2
  a2d5f16 1b
  2a40589 1
  There is no tracking information for the current branch.
  Please specify which branch you want to rebase against.
  See git-rebase(1) for details.
  
      git rebase '<branch>'
  
  If you wish to set tracking information for this branch you can do so with:
  
      git branch --set-upstream-to=<remote>/<branch> main
  
[1]

$ git switch -qc u main; git cherry-pick t~1 >/dev/null; git switch -q t; git rebase u; git log --oneline; git rebase -X theirs main; git checkout -q --detach; edit z z; git rebase main~1; git status; git log --oneline
  warning: skipped previously applied commit c1666e7
  hint: use --reapply-cherry-picks to include skipped commits
  hint: Disable this message with "git config advice.skippedCherryPicks false"
  Rebasing (1/1)Successfully rebased and updated refs/heads/t.
  4f9f1c4 d1
  f42d5a7 c1
  25363cd 2
  a2d5f16 1b
  2a40589 1
  Current branch t is up to date.
  HEAD is up to date.
  HEAD detached from 4f9f1c4
  nothing to commit, working tree clean
  f18a714 z
  4f9f1c4 d1
  f42d5a7 c1
  25363cd 2
  a2d5f16 1b
  2a40589 1

& real() { PATH=/usr/local/bin:/usr/bin:/bin git "$@"; }; git rebase -q main; real fsck --strict; real status; real log --format='%h %an %s'
  On branch t
  nothing to commit, working tree clean
  4f9f1c4 Ann d1
  f42d5a7 Ann c1
  25363cd Ann 2
  a2d5f16 Ann 1b
  2a40589 Ann 1

& real() { PATH=/usr/local/bin:/usr/bin:/bin git "$@"; }; for p in .. .git .GIT; do b=$(echo x | real hash-object -w --stdin); t=$(printf "100644 blob $b\tf\n" | real mktree); t=$(printf "040000 tree $t\t$p\n" | real mktree); c=$(git commit-tree -m m $t); git checkout -q $c 2>&1 | head -n 1; done; ls -a; git log --oneline -1
  error: invalid path '../f'
  error: invalid path '.git/f'
  error: invalid path '.GIT/f'
  .
  ..
  .git
  a
  b
  c
  d
  51840a3 d1

$ git switch -qc w main; edit a w; edit e e1; edit e e2; edit e e3; git switch -q main; edit a 3; git switch -q w; git rebase main > /dev/null 2>&1; git status; git branch; git status -sb; git add a; git status; git rebase --continue > /dev/null 2>&1; git status; git branch
  interactive rebase in progress; onto 70322f5
  Last command done (1 command done):
     pick a7c4a41 w
  Next commands to do (3 remaining commands):
     pick 692f176 e1
     pick 5e24fa5 e2
    (use "git rebase --edit-todo" to view and edit)
  You are currently rebasing branch 'w' on '70322f5'.
    (fix conflicts and then run "git rebase --continue")
    (use "git rebase --skip" to skip this patch)
    (use "git rebase --abort" to check out the original branch)
  
  Unmerged paths:
    (use "git restore --staged <file>..." to unstage)
    (use "git add <file>..." to mark resolution)
  	both modified:   a
  
  no changes added to commit (use "git add" and/or "git commit -a")
  * (no branch, rebasing w)
    main
    t
    w
  ## HEAD (no branch)
  UU a
  interactive rebase in progress; onto 70322f5
  Last command done (1 command done):
     pick a7c4a41 w
  Next commands to do (3 remaining commands):
     pick 692f176 e1
     pick 5e24fa5 e2
    (use "git rebase --edit-todo" to view and edit)
  You are currently rebasing branch 'w' on '70322f5'.
    (all conflicts fixed: run "git rebase --continue")
  
  Changes to be committed:
    (use "git restore --staged <file>..." to unstage)
  	modified:   a
  
  On branch w
  nothing to commit, working tree clean
    main
    t
  * w

$ git switch -qc w main; edit a w; git switch -q main; edit a 3; git checkout -q --detach w; git rebase main > /dev/null 2>&1; git status; git branch; git rebase --abort; git status | head -1
  interactive rebase in progress; onto 70322f5
  Last command done (1 command done):
     pick a7c4a41 w
  No commands remaining.
  You are currently rebasing.
    (fix conflicts and then run "git rebase --continue")
    (use "git rebase --skip" to skip this patch)
    (use "git rebase --abort" to check out the original branch)
  
  Unmerged paths:
    (use "git restore --staged <file>..." to unstage)
    (use "git add <file>..." to mark resolution)
  	both modified:   a
  
  no changes added to commit (use "git add" and/or "git commit -a")
  * (no branch, rebasing detached HEAD refs/heads/w)
    main
    t
    w
  HEAD detached at refs/heads/w

$ git switch -q main; git bisect start > /dev/null; git bisect bad > /dev/null; git status; git bisect good HEAD~2 > /dev/null; git status; git branch; git bisect reset > /dev/null; git status
  On branch main
  You are currently bisecting, started from branch 'main'.
    (use "git bisect reset" to get back to the original branch)
  
  nothing to commit, working tree clean
  HEAD detached at a2d5f16
  You are currently bisecting, started from branch 'main'.
    (use "git bisect reset" to get back to the original branch)
  
  nothing to commit, working tree clean
  * (no branch, bisect started on main)
    main
    t
  Previous HEAD position was a2d5f16 1b
  Switched to branch 'main'
  On branch main
  nothing to commit, working tree clean

$ git switch -q t; GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -i main > /dev/null 2>&1; git status; git rebase --continue > /dev/null 2>&1; git status
  interactive rebase in progress; onto 25363cd
  Last command done (1 command done):
     edit c1666e7 c1
  Next command to do (1 remaining command):
     pick 51840a3 d1
    (use "git rebase --edit-todo" to view and edit)
  You are currently editing a commit while rebasing branch 't' on '25363cd'.
    (use "git commit --amend" to amend the current commit)
    (use "git rebase --continue" once you are satisfied with your changes)
  
  nothing to commit, working tree clean
  On branch t
  nothing to commit, working tree clean

$ git rebase -x 'test -f d || echo t > d' main; echo $?; git status | head -5; git branch --show-current; git rebase --continue; echo $?; rm d; git rebase --continue; git log --format=%s; git status -s
  Rebasing (1/4)Rebasing (2/4)Executing: test -f d || echo t > d
  Rebasing (3/4)error: The following untracked working tree files would be overwritten by merge:
  	d
  Please move or remove them before you merge.
  Aborting
  hint: Could not execute the todo command
  hint:
  hint:     pick 51840a312c31c7329db9a3168c50aaa908c4f230 d1
  hint:
  hint: It has been rescheduled; To edit the command before continuing, please
  hint: edit the todo list first:
  hint:
  hint:     git rebase --edit-todo
  hint:     git rebase --continue
  1
  interactive rebase in progress; onto 25363cd
  Last commands done (3 commands done):
     exec test -f d || echo t > d
     pick 51840a3 d1
    (see more in file .git/rebase-merge/done)
  Rebasing (4/5)error: The following untracked working tree files would be overwritten by merge:
  	d
  Please move or remove them before you merge.
  Aborting
  hint: Could not execute the todo command
  hint:
  hint:     pick 51840a312c31c7329db9a3168c50aaa908c4f230 d1
  hint:
  hint: It has been rescheduled; To edit the command before continuing, please
  hint: edit the todo list first:
  hint:
  hint:     git rebase --edit-todo
  hint:     git rebase --continue
  1
  Rebasing (5/6)Rebasing (6/6)Executing: test -f d || echo t > d
  Successfully rebased and updated refs/heads/t.
  d1
  c1
  2
  1b
  1

$ echo x > a; git rebase main 2>&1 | cat; git checkout -q a; git switch -q main; git switch -q -c n; touch c; git rebase t; git branch --show-current
  error: cannot rebase: You have unstaged changes.
  error: Please commit or stash them.
  error: The following untracked working tree files would be overwritten by checkout:
  	c
  Please move or remove them before you switch branches.
  Aborting
  error: could not detach HEAD
  n

$ GIT_EDITOR=false GIT_SEQUENCE_EDITOR='sed -i s/^pick/reword/' git rebase -i main; echo $?; git status; git rebase --continue; git log --format=%s
  Rebasing (1/2)error: there was a problem with the editor 'false'
  Please supply the message using either -m or -F option.
  Could not apply c1666e7... c1
  1
  interactive rebase in progress; onto 25363cd
  Last command done (1 command done):
     reword c1666e7 c1
  Next command to do (1 remaining command):
     reword 51840a3 d1
    (use "git rebase --edit-todo" to view and edit)
  You are currently editing a commit while rebasing branch 't' on '25363cd'.
    (use "git commit --amend" to amend the current commit)
    (use "git rebase --continue" once you are satisfied with your changes)
  
  nothing to commit, working tree clean
  Rebasing (2/2)[detached HEAD 4f9f1c4] d1
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 d
  Successfully rebased and updated refs/heads/t.
  d1
  c1
  2
  1b
  1

$ git switch -q main; for i in 3 4 5; do edit a $i; done; git switch -qc q HEAD~3; edit a q; git switch -q main; GIT_SEQUENCE_EDITOR='sed -i 2s/^pick/edit/' git rebase -i q; git rebase --skip; ls .git/rebase-merge/stopped-sha; echo 9 > a; git add a; GIT_EDITOR=false git rebase --continue; git rebase --continue; git status | tail -3; git rebase --skip; git log --format=%s; git status
  Rebasing (1/3)Auto-merging a
  CONFLICT (content): Merge conflict in a
  error: could not apply 70322f5... 3
  hint: Resolve all conflicts manually, mark them as resolved with
  hint: "git add/rm <conflicted_files>", then run "git rebase --continue".
  hint: You can instead skip this commit: run "git rebase --skip".
  hint: To abort and get back to the state before "git rebase", run "git rebase --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Could not apply 70322f5... 3
  Rebasing (2/3)Auto-merging a
  CONFLICT (content): Merge conflict in a
  error: could not apply d4b187a... 4
  hint: Resolve all conflicts manually, mark them as resolved with
  hint: "git add/rm <conflicted_files>", then run "git rebase --continue".
  hint: You can instead skip this commit: run "git rebase --skip".
  hint: To abort and get back to the state before "git rebase", run "git rebase --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Could not apply d4b187a... 4
  .git/rebase-merge/stopped-sha
  error: there was a problem with the editor 'false'
  Please supply the message using either -m or -F option.
  error: could not commit staged changes.
  [detached HEAD 7828175] 4
   1 file changed, 1 insertion(+), 3 deletions(-)
  Rebasing (3/3)Auto-merging a
  CONFLICT (content): Merge conflict in a
  error: could not apply 8d02f48... 5
  hint: Resolve all conflicts manually, mark them as resolved with
  hint: "git add/rm <conflicted_files>", then run "git rebase --continue".
  hint: You can instead skip this commit: run "git rebase --skip".
  hint: To abort and get back to the state before "git rebase", run "git rebase --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Could not apply 8d02f48... 5
  	both modified:   a
  
  no changes added to commit (use "git add" and/or "git commit -a")
  Successfully rebased and updated refs/heads/main.
  4
  q
  2
  1b
  1
  On branch main
  nothing to commit, working tree clean

$ git cherry-pick -n main; touch u; git add u; git stash -q; git switch -q main; edit u 1; echo x > b; echo y > u; git add u; git merge t; echo $?; git cherry-pick t; echo $?; git revert HEAD; echo $?; git reset -q; git merge t; echo $?; git checkout -q b; git merge t 2>&1 | head -1; git status -s
  error: Your local changes to the following files would be overwritten by merge:
    u
  Merge with strategy ort failed.
  2
  error: your local changes would be overwritten by cherry-pick.
  hint: commit your changes or stash them to proceed.
  fatal: cherry-pick failed
  128
  error: your local changes would be overwritten by revert.
  hint: commit your changes or stash them to proceed.
  fatal: revert failed
  128
  Merge made by the 'ort' strategy.
   c | 1 +
   d | 1 +
   2 files changed, 2 insertions(+)
   create mode 100644 c
   create mode 100644 d
  0
  Already up to date.
   M u
