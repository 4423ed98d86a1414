% exec 2>&1; export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@x GIT_COMMITTER_NAME=C GIT_COMMITTER_EMAIL=c@x GIT_AUTHOR_DATE='1700000000 +0100' GIT_COMMITTER_DATE='1700000100 +0000' GIT_EDITOR=: GIT_MERGE_AUTOEDIT=no
% git init -q -b main; c() { echo "$1" >> "${2:-f}"; git add -A; git commit -qm "${3:-$1}"; }

$ c one; c two; git format-patch -1; cat 0001-two.patch; git format-patch --root -o out; ls out; git format-patch -1 --stdout -v2 --subject-prefix='PATCH x' | head -4; git format-patch HEAD~1 --stdout -N | sed -n 4p
  0001-two.patch
  From efd57cd8b5806f71c07f7d644d29d6a212293c4c Mon Sep 17 00:00:00 2001
  From: A <a@x>
  Date: Tue, 14 Nov 2023 23:13:20 +0100
  Subject: [PATCH] two
  
  ---
   f | 1 +
   1 file changed, 1 insertion(+)
  
  diff --git a/f b/f
  index 5626abf..814f4a4 100644
  --- a/f
  +++ b/f
  @@ -1 +1,2 @@
   one
  +two
  -- 
  2.47.3
  
  out/0001-one.patch
  out/0002-two.patch
  0001-one.patch
  0002-two.patch
  From efd57cd8b5806f71c07f7d644d29d6a212293c4c Mon Sep 17 00:00:00 2001
  From: A <a@x>
  Date: Tue, 14 Nov 2023 23:13:20 +0100
  Subject: [PATCH x v2] two
  Subject: [PATCH] two

$ c one; printf 'long subject that goes on and on and on until it has to be folded, since it is long\n\nbody line\n\n# not a comment\n' > ../m; echo x > g; git add g; git commit -qF ../m; git mv g h; git commit -qm 'Move: g, to (h)!'; git format-patch -2; cat 0*.patch
  0001-long-subject-that-goes-on-and-on-and-on-until-it-has.patch
  0002-Move-g-to-h.patch
  From 315fadecd1a05469585f28b09854ee050f5e32de Mon Sep 17 00:00:00 2001
  From: A <a@x>
  Date: Tue, 14 Nov 2023 23:13:20 +0100
  Subject: [PATCH 1/2] long subject that goes on and on and on until it has to
   be folded, since it is long
  
  body line
  
  # not a comment
  ---
   g | 1 +
   1 file changed, 1 insertion(+)
   create mode 100644 g
  
  diff --git a/g b/g
  new file mode 100644
  index 0000000..587be6b
  --- /dev/null
  +++ b/g
  @@ -0,0 +1 @@
  +x
  -- 
  2.47.3
  
  From b676f09e385e912927c2b44bd5e08c4be7b331f5 Mon Sep 17 00:00:00 2001
  From: A <a@x>
  Date: Tue, 14 Nov 2023 23:13:20 +0100
  Subject: [PATCH 2/2] Move: g, to (h)!
  
  ---
   g => h | 0
   1 file changed, 0 insertions(+), 0 deletions(-)
   rename g => h (100%)
  
  diff --git a/g b/h
  similarity index 100%
  rename from g
  rename to h
  -- 
  2.47.3
  

$ c one; echo ü > ü; git add ü; GIT_AUTHOR_NAME='Jürgen Ä.' git commit -qm 'fügt ü ein'; git format-patch -1 --stdout
  From c61c99f1167b06f2d6d2ad6efdbf2c63e038b713 Mon Sep 17 00:00:00 2001
  From: =?UTF-8?q?J=C3=BCrgen=20=C3=84=2E?= <a@x>
  Date: Tue, 14 Nov 2023 23:13:20 +0100
  Subject: [PATCH] =?UTF-8?q?f=C3=BCgt=20=C3=BC=20ein?=
  MIME-Version: 1.0
  Content-Type: text/plain; charset=UTF-8
  Content-Transfer-Encoding: 8bit
  
  ---
   "\303\274" | 1 +
   1 file changed, 1 insertion(+)
   create mode 100644 "\303\274"
  
  diff --git "a/\303\274" "b/\303\274"
  new file mode 100644
  index 0000000..be761e0
  --- /dev/null
  +++ "b/\303\274"
  @@ -0,0 +1 @@
  +ü
  -- 
  2.47.3
  

$ c one; c two; c three g 'third one'; git format-patch -q -2 --stdout > ../s.mbox; git reset -q --hard HEAD~2; git am ../s.mbox; git log --format='%an %ae %ad %s%n%b' ; git status -s
  Applying: two
  Applying: third one
  A a@x Tue Nov 14 23:13:20 2023 +0100 third one
  
  A a@x Tue Nov 14 23:13:20 2023 +0100 two
  
  A a@x Tue Nov 14 23:13:20 2023 +0100 one
  

$ c one; c two; git format-patch -q -1 -o ../p; git reset -q --hard HEAD~1; c other; git am ../p/0001-two.patch > ../out; echo $?; grep -v hint: ../out; git status -s; printf 'one\nother\ntwo\n' > f; git add f; git am --continue; git log --format=%s; git am --abort; echo $?
  error: patch failed: f:1
  error: f: patch does not apply
  hint: Use 'git am --show-current-patch=diff' to see the failed patch
  hint: When you have resolved this problem, run "git am --continue".
  hint: If you prefer to skip this patch, run "git am --skip" instead.
  hint: To restore the original branch and stop patching, run "git am --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  128
  Applying: two
  Patch failed at 0001 two
  Applying: two
  two
  other
  one
  fatal: Resolve operation not in progress, we are not resuming.
  128

$ c one; c two; git format-patch -q -1 -o ../p; git reset -q --hard HEAD~1; c other; git am -q ../p/*.patch > /dev/null; git am --skip; git log --format=%s; git am -q ../p/*.patch > /dev/null; git am --abort; git log --format=%s; ls
  error: patch failed: f:1
  error: f: patch does not apply
  hint: Use 'git am --show-current-patch=diff' to see the failed patch
  hint: When you have resolved this problem, run "git am --continue".
  hint: If you prefer to skip this patch, run "git am --skip" instead.
  hint: To restore the original branch and stop patching, run "git am --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  other
  one
  error: patch failed: f:1
  error: f: patch does not apply
  hint: Use 'git am --show-current-patch=diff' to see the failed patch
  hint: When you have resolved this problem, run "git am --continue".
  hint: If you prefer to skip this patch, run "git am --skip" instead.
  hint: To restore the original branch and stop patching, run "git am --abort".
  hint: Disable this message with "git config advice.mergeConflict false"
  other
  one
  f

$ for i in 1 2 3 4 5 6 7 8; do c $i; done; git bisect start; git bisect bad; git bisect good HEAD~7; git bisect good; git bisect bad; git bisect bad | sed 's/[0-9a-f]\{40\}/ID/'; git bisect log | sed 's/[0-9a-f]\{40\}/ID/'; git bisect reset; git log -1 --format=%s
  status: waiting for both good and bad commits
  status: waiting for good commit(s), bad commit known
  Bisecting: 3 revisions left to test after this (roughly 2 steps)
  [3a5fee12f0ca29e25a9593cb26200d0ed6a34880] 4
  Bisecting: 1 revision left to test after this (roughly 1 step)
  [9dc7ce7f512511ca20e3a2c3c1cb0b66dda4c398] 6
  Bisecting: 0 revisions left to test after this (roughly 0 steps)
  [e3470cf206276373895307aa356d6c78c2b02401] 5
  ID is the first bad commit
  commit ID
  Author: A <a@x>
  Date:   Tue Nov 14 23:13:20 2023 +0100
  
      5
  
   f | 1 +
   1 file changed, 1 insertion(+)
  git bisect start
  # status: waiting for both good and bad commits
  # bad: [ID] 8
  git bisect bad ID
  # status: waiting for good commit(s), bad commit known
  # good: [ID] 1
  git bisect good ID
  # good: [ID] 4
  git bisect good ID
  # bad: [ID] 6
  git bisect bad ID
  # bad: [ID] 5
  git bisect bad ID
  # first bad commit: [ID] 5
  Previous HEAD position was e3470cf 5
  Switched to branch 'main'
  8

$ for i in 1 2 3 4 5 6 7 8 9; do c $i; done; git bisect start HEAD HEAD~8; git bisect run sh -c '! grep -q 6 f' | sed 's/[0-9a-f]\{40\}/ID/'; git bisect reset 2>&1 | tail -1
  Bisecting: 3 revisions left to test after this (roughly 2 steps)
  [e3470cf206276373895307aa356d6c78c2b02401] 5
  running 'sh' '-c' ''\!' grep -q 6 f'
  Bisecting: 1 revision left to test after this (roughly 1 step)
  [ID] 7
  running 'sh' '-c' ''\!' grep -q 6 f'
  Bisecting: 0 revisions left to test after this (roughly 0 steps)
  [ID] 6
  running 'sh' '-c' ''\!' grep -q 6 f'
  ID is the first bad commit
  commit ID
  Author: A <a@x>
  Date:   Tue Nov 14 23:13:20 2023 +0100
  
      6
  
   f | 1 +
   1 file changed, 1 insertion(+)
  bisect found first bad commit
  Switched to branch 'main'

$ for i in 1 2 3 4; do c $i; done; git bisect start HEAD HEAD~3; git bisect skip | sed 1d | sed 's/[0-9a-f]\{40\}/ID/'; git bisect good; echo $?; git bisect reset; git bisect start --term-new=fixed --term-old=broken; git bisect fixed; git bisect broken HEAD~1 | tail -1; git bisect terms
  Bisecting: 0 revisions left to test after this (roughly 1 step)
  [67784dcf38b3ead6bdd63808512e4c89f644f0d0] 3
  [ID] 2
  There are only 'skip'ped commits left to test.
  The first bad commit could be any of:
  67784dcf38b3ead6bdd63808512e4c89f644f0d0
  3a5fee12f0ca29e25a9593cb26200d0ed6a34880
  We cannot bisect more!
  2
  Previous HEAD position was efc4839 2
  Switched to branch 'main'
  status: waiting for both good and bad commits
  status: waiting for good commit(s), bad commit known
   1 file changed, 1 insertion(+)
  Your current terms are broken for the old state
  and fixed for the new state.

$ c one; c two a; c three b; GIT_SEQUENCE_EDITOR='sed -i s/^pick/reword/' GIT_EDITOR='sed -i 1s/$/!/' git rebase -i HEAD~2 2>&1 | tr '\r' '\n'; git log --format=%s
  Rebasing (1/2)
  [detached HEAD d9b9bc6] two!
   Author: A <a@x>
   Date: Tue Nov 14 23:13:20 2023 +0100
   1 file changed, 1 insertion(+)
   create mode 100644 a
  Rebasing (2/2)
  [detached HEAD 05c6172] three!
   Author: A <a@x>
   Date: Tue Nov 14 23:13:20 2023 +0100
   1 file changed, 1 insertion(+)
   create mode 100644 b
  Successfully rebased and updated refs/heads/main.
  three!
  two!
  one

$ c one; c two a; c three b; c four d; GIT_SEQUENCE_EDITOR='sed -i "2s/pick/squash/;3s/pick/fixup/"' GIT_EDITOR='cat' git rebase -i HEAD~3 2>&1 | tr '\r' '\n' | grep -v '^#' | head -6; git log --format=%B; git ls-files
  Rebasing (2/3)
  Rebasing (3/3)
  
  two
  
  
  two
  
  three
  
  one
  
  a
  b
  d
  f

$ c one; c two a; c three b; GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -i HEAD~2 2>&1 | tr '\r' '\n' | grep -v '^Stopped' ; echo more >> a; git add a; git rebase --continue 2>&1 | tr '\r' '\n' | tail -1; git log --format=%s; git show --stat --format=%s HEAD~1
  Rebasing (1/2)
  You can amend the commit now, with
  
    git commit --amend 
  
  Once you are satisfied with your changes, run
  
    git rebase --continue
  Successfully rebased and updated refs/heads/main.
  three
  two
  one
  two
  
   a | 2 ++
   1 file changed, 2 insertions(+)

$ c one; c two a; c three b; GIT_SEQUENCE_EDITOR='sed -i -n "2p;1p"' git rebase -q -i HEAD~2; git log --format=%s; GIT_SEQUENCE_EDITOR='sed -i 1d' git rebase -q -i HEAD~2; git log --format=%s; GIT_SEQUENCE_EDITOR='echo >' git rebase -i HEAD~1; echo $?; git log --format=%s
  three
  two
  one
  three
  one
  error: nothing to do
  1
  three
  one

$ c one; c two a; echo x >> f; git commit -qa --fixup HEAD~1; GIT_SEQUENCE_EDITOR=: git rebase -q -i --autosquash --root; git log --format=%s; git show --format=%s HEAD~1 f
  two
  one
  one
  
  diff --git a/f b/f
  new file mode 100644
  index 0000000..292ff69
  --- /dev/null
  +++ b/f
  @@ -0,0 +1,2 @@
  +one
  +x

$ c one; c two a; c three b; git rebase -q -x 'git log -1 --format=%s' HEAD~2; git rebase -x 'test ! -e b' HEAD~2 > ../o; echo $?; git rebase --abort; GIT_SEQUENCE_EDITOR='sed -i 1abreak' git rebase -q -i HEAD~2; git log -1 --format=%s; git rebase --continue 2>&1 | tail -1; git log -1 --format=%s
  two
  three
  Rebasing (2/4)Executing: test ! -e b
  Rebasing (3/4)Rebasing (4/4)Executing: test ! -e b
  warning: execution failed: test ! -e b
  You can fix the problem, and then run
  
    git rebase --continue
  
  
  1
  Stopped at 53b2311 (two)
  two
  three

$ c one; c two; c three; GIT_SEQUENCE_EDITOR='sed -i -n "2p;1p"' git rebase -q -i HEAD~2 > ../o; echo $?; echo fixed > f; git add f; git rebase --continue > ../o; echo $?; git rebase --abort; git log --format=%s; cat f
  0
  fatal: no rebase in progress
  128
  fatal: no rebase in progress
  three
  two
  one
  fixed

$ c one; git worktree add ../w 2>&1 | sed 's/[0-9a-f]\{7\}/ID/'; ls ../w; cd ../w; git status -sb; c two; git log --format=%s main..w; cd ../case; git branch; git worktree list | sed 's/[0-9a-f]\{7\}/ID/; s/^[^ ]*\///'; git worktree add ../v w 2>&1 | sed 's/at .*/at/'; git worktree add -q --detach ../v; git worktree add -q -b n ../n HEAD; git worktree remove ../v; rm -rf ../n; git worktree prune -v; git worktree list | wc -l
  Preparing worktree (new branch 'w')
  HEAD is now at ID one
  f
  ## w
  two
  * main
  + w
  case  ID [main]
  w     ID [w]
  Preparing worktree (checking out 'w')
  fatal: 'w' is already used by worktree at
  Removing worktrees/n: gitdir file points to non-existent location
  2
