% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Cob GIT_COMMITTER_EMAIL=cob@x.org
% export GIT_AUTHOR_DATE='1700000000 +0100' GIT_COMMITTER_DATE='1700000100 +0000' GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=:
% exec 2>&1
% git config --global init.defaultBranch main
% git init -q
% seq 10 > f; git add f; git commit -qm base; sed -i s/5/five/ f; git commit -qam five -m body; echo n > n; git add n; git commit -qm new; git format-patch -q -o ../p HEAD~2
% m() { printf '%s\n' 'From: A <a@x>' 'Date: Thu, 1 Jan 2015 10:00:00 +0500' "$@" '---' 'diff --git a/q b/q' 'new file mode 100644' '--- /dev/null' '+++ b/q' '@@ -0,0 +1 @@' '+a=3Db' | git am; git log -1 --format='%an|%ae|%ad|%cd|%B' -p; }

$ git reset -q --hard HEAD~2; sed -i s/6/SIX/ f; git commit -qam six; git am -3 ../p/*; git status; git diff; sed -i '/^[<=>]/d' f; git am --continue; git add f; git am --resolved; git log --format='%s %an %ad %cd'; git reflog -3; ls .git/rebase-apply
  Applying: five
  Using index info to reconstruct a base tree...
  M	f
  Falling back to patching base and 3-way merge...
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  error: Failed to merge in the changes.
  hint: Use 'git am --show-current-patch=diff' to see the failed patch
  hint: When you have resolved this problem, run "git am --continue".
  hint: If you prefer to skip this patch, run "git am --skip" instead.
  hint: To restore the original branch and stop patching, run "git am --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Patch failed at 0001 five
  On branch main
  You are in the middle of an am session.
    (fix conflicts and then run "git am --continue")
    (use "git am --skip" to skip this patch)
    (use "git am --abort" to restore the original branch)
  
  Unmerged paths:
    (use "git restore --staged <file>..." to unstage)
    (use "git add <file>..." to mark resolution)
  	both modified:   f
  
  no changes added to commit (use "git add" and/or "git commit -a")
  diff --cc f
  index f8e1068,33011fd..0000000
  --- a/f
  +++ b/f
  @@@ -2,8 -2,8 +2,13 @@@
    2
    3
    4
  ++<<<<<<< HEAD
   +5
   +SIX
  ++=======
  + five
  + 6
  ++>>>>>>> five
    7
    8
    9
  hint: When you have resolved this problem, run "git am --continue".
  hint: If you prefer to skip this patch, run "git am --skip" instead.
  hint: To restore the original branch and stop patching, run "git am --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Applying: five
  You still have unmerged paths in your index.
  You should 'git add' each file with resolved conflicts to mark them as such.
  You might run `git rm` on a file to accept "deleted by them" for it.
  Applying: five
  Applying: new
  new Ann Tue Nov 14 23:13:20 2023 +0100 Tue Nov 14 22:15:00 2023 +0000
  five Ann Tue Nov 14 23:13:20 2023 +0100 Tue Nov 14 22:15:00 2023 +0000
  six Ann Tue Nov 14 23:13:20 2023 +0100 Tue Nov 14 22:15:00 2023 +0000
  base Ann Tue Nov 14 23:13:20 2023 +0100 Tue Nov 14 22:15:00 2023 +0000
  9ddec70 HEAD@{0}: am: new
  fb55a66 HEAD@{1}: am: five
  815a054 HEAD@{2}: commit: six
  ls: cannot access '.git/rebase-apply': No such file or directory
[2]

$ git reset -q --hard HEAD~2; sed -i s/1/one/ f; git commit -qam one; git am -3 ../p/0001*; git am -3 ../p/0001*; cat f | head -5 | tr '\n' ' '; git log --format=%s; sed -i s/00../ff/ ../p/0001*; git reset -q --hard HEAD~1; sed -i 's/^4/four/' f; git commit -qam x; git am -3 ../p/0001*; git am --skip; git log --format=%s
  Applying: five
  Applying: five
  Using index info to reconstruct a base tree...
  M	f
  Falling back to patching base and 3-way merge...
  Auto-merging f
  No changes -- Patch already applied.
  one 2 3 4 five five
  one
  base
  Applying: five
  error: sha1 information is lacking or useless (f).
  error: could not build fake ancestor
  hint: Use 'git am --show-current-patch=diff' to see the failed patch
  hint: When you have resolved this problem, run "git am --continue".
  hint: If you prefer to skip this patch, run "git am --skip" instead.
  hint: To restore the original branch and stop patching, run "git am --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Patch failed at 0001 five
  x
  one
  base

$ git reset -q --hard HEAD~2; sed -i s/4/IV/ f; git commit -qam four; git am ../p/0002* ../p/0001*; git log --format=%s; git am --abort; git log --format=%s; git am ../p/0001*; git commit -q --allow-empty -m moved; git am --abort; git log --format=%s; git am ../p/0001*; git am --continue; git am --quit; git status | head -3; echo junk | git am; git am --abort
  error: patch failed: f:2
  error: f: patch does not apply
  hint: Use 'git am --show-current-patch=diff' to see the failed patch
  hint: When you have resolved this problem, run "git am --continue".
  hint: If you prefer to skip this patch, run "git am --skip" instead.
  hint: To restore the original branch and stop patching, run "git am --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Applying: new
  Applying: five
  Patch failed at 0002 five
  new
  four
  base
  four
  base
  error: patch failed: f:2
  error: f: patch does not apply
  hint: Use 'git am --show-current-patch=diff' to see the failed patch
  hint: When you have resolved this problem, run "git am --continue".
  hint: If you prefer to skip this patch, run "git am --skip" instead.
  hint: To restore the original branch and stop patching, run "git am --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Applying: five
  Patch failed at 0001 five
  warning: You seem to have moved HEAD since the last 'am' failure.
  Not rewinding to ORIG_HEAD
  moved
  four
  base
  error: patch failed: f:2
  error: f: patch does not apply
  hint: Use 'git am --show-current-patch=diff' to see the failed patch
  hint: When you have resolved this problem, run "git am --continue".
  hint: If you prefer to skip this patch, run "git am --skip" instead.
  hint: To restore the original branch and stop patching, run "git am --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Applying: five
  Patch failed at 0001 five
  hint: When you have resolved this problem, run "git am --continue".
  hint: If you prefer to skip this patch, run "git am --skip" instead.
  hint: To restore the original branch and stop patching, run "git am --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Applying: five
  No changes - did you forget to use 'git add'?
  If there is nothing left to stage, chances are that something else
  already introduced the same changes; you might want to skip this patch.
  On branch main
  nothing to commit, working tree clean
  hint: When you have resolved this problem, run "git am --continue".
  hint: If you prefer to skip this patch, run "git am --skip" instead.
  hint: To record the empty patch as an empty commit, run "git am --allow-empty".
  hint: To restore the original branch and stop patching, run "git am --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  Patch is empty.

$ m 'Subject: [PATCH 3/4] =?UTF-8?B?w4ZyIMOY?=' 'Content-Type: text/plain; charset=UTF-8' 'Content-Transfer-Encoding: quoted-printable' '' 'long =' 'line =C3=A9'
  Applying: Ær Ø
  A|a@x|Thu Jan 1 10:00:00 2015 +0500|Tue Nov 14 22:15:00 2023 +0000|Ær Ø
  
  long line é
  
  
  diff --git a/q b/q
  new file mode 100644
  index 0000000..efc73ad
  --- /dev/null
  +++ b/q
  @@ -0,0 +1 @@
  +a=b

$ printf '%s\n' 'From: =?UTF-8?q?=C3=98?= <o@x>' 'Date: Thu, 1 Jan 2015 10:00:00 +0500' 'Subject: [PATCH] b64' 'Content-Transfer-Encoding: base64' '' > ../b; printf '%s\n' hello '---' 'diff --git a/q b/q' 'new file mode 100644' '--- /dev/null' '+++ b/q' '@@ -0,0 +1 @@' '+a=3Db' | base64 >> ../b; git am ../b; git show --format='%an|%s|%b'
  Applying: b64
  Ø|b64|hello
  
  
  diff --git a/q b/q
  new file mode 100644
  index 0000000..860f168
  --- /dev/null
  +++ b/q
  @@ -0,0 +1 @@
  +a=3Db

$ m 'Subject: [PATCH] x' '' 'From: B <b@x>' 'Subject: [tag] in body' '' 'text' 'From: C <c@x>'
  Applying: in body
  B|b@x|Thu Jan 1 10:00:00 2015 +0500|Tue Nov 14 22:15:00 2023 +0000|in body
  
  text
  From: C <c@x>
  
  
  diff --git a/q b/q
  new file mode 100644
  index 0000000..860f168
  --- /dev/null
  +++ b/q
  @@ -0,0 +1 @@
  +a=3Db

$ git config mailinfo.scissors true; m 'Subject: [PATCH] x' '' 'junk' '-- >8 -- cut --' 'Subject: real' '' 'body'; git reset -q --hard HEAD~1; m 'Subject: [PATCH] x' '' 'no-cut - 8<'
  Applying: real
  A|a@x|Thu Jan 1 10:00:00 2015 +0500|Tue Nov 14 22:15:00 2023 +0000|real
  
  body
  
  
  diff --git a/q b/q
  new file mode 100644
  index 0000000..860f168
  --- /dev/null
  +++ b/q
  @@ -0,0 +1 @@
  +a=3Db
  Applying: x
  A|a@x|Thu Jan 1 10:00:00 2015 +0500|Tue Nov 14 22:15:00 2023 +0000|x
  
  
  diff --git a/q b/q
  new file mode 100644
  index 0000000..860f168
  --- /dev/null
  +++ b/q
  @@ -0,0 +1 @@
  +a=3Db

$ git reset -q --hard HEAD~2; git am -q -s --committer-date-is-author-date ../p/0001*; git log -1 --format='%ad|%cd|%B'; git reset -q --hard HEAD~1; git am -q --ignore-date ../p/0001*; git log -1 --format='%cd'; mkdir -p .git/hooks; for h in applypatch-msg pre-applypatch post-applypatch; do printf '#!/bin/sh\necho '$h' $*\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done; echo 'echo hooked >> $1' >> .git/hooks/applypatch-msg; git am ../p/0002*; git log -1 --format=%B
  Tue Nov 14 23:13:20 2023 +0100|Tue Nov 14 23:13:20 2023 +0100|five
  
  body
  
  Signed-off-by: Cob <cob@x.org>
  
  Tue Nov 14 22:15:00 2023 +0000
  applypatch-msg .git/rebase-apply/final-commit
  Applying: new
  pre-applypatch
  post-applypatch
  new
  hooked
  

$ git config branch.main.description hi; git config branch.main.remote .; git branch -c main copy; git config --get-regexp '^branch'; git reflog show copy; echo z >> n; git switch --discard-changes -c dd; git status -s; git switch -f -c ee; git status -s
  branch.main.description hi
  branch.main.remote .
  branch.copy.description hi
  branch.copy.remote .
  ef9a357 copy@{0}: Branch: copied refs/heads/main to refs/heads/copy
  ef9a357 copy@{1}: commit: new
  50c09b5 copy@{2}: commit: five
  1331bac copy@{3}: commit (initial): base
  Switched to a new branch 'dd'
   M n
  Switched to a new branch 'ee'
   M n
