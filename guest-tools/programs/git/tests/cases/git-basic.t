% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1
% exec 2>&1
% git config --global init.defaultBranch main
% git init -q

$ git init -q sub/dir; cat sub/dir/.git/HEAD; ls sub/dir/.git | grep -v branches; git -C sub/dir status
  ref: refs/heads/main
  HEAD
  config
  description
  hooks
  info
  objects
  refs
  On branch main
  
  No commits yet
  
  nothing to commit (create/copy files and use "git add" to track)

$ git status
  On branch main
  
  No commits yet
  
  nothing to commit (create/copy files and use "git add" to track)

$ git status -s; git log; git rev-parse HEAD; git branch
  fatal: your current branch 'main' does not have any commits yet
  fatal: ambiguous argument 'HEAD': unknown revision or path not in the working tree.
  Use '--' to separate paths from revisions, like this:
  'git <command> [<revision>...] -- [<file>...]'
  HEAD

$ echo a > f; git add f; git status; git status --short; git commit -m 'first commit'; git status
  On branch main
  
  No commits yet
  
  Changes to be committed:
    (use "git rm --cached <file>..." to unstage)
  	new file:   f
  
  A  f
  [main (root-commit) 594ba2a] first commit
   1 file changed, 1 insertion(+)
   create mode 100644 f
  On branch main
  nothing to commit, working tree clean

$ echo a > f; git add -v f; git commit -qm x; git rev-parse HEAD HEAD^{tree} HEAD:f; git cat-file -p HEAD; git cat-file -p HEAD^{tree}; git cat-file -t HEAD:f
  add 'f'
  611748a6800b3df08e887a29d33c535fb809d530
  3be22be77da4887e869c981806d8452f034dd014
  78981922613b2afb6025042ff6bd878ac1994e85
  tree 3be22be77da4887e869c981806d8452f034dd014
  author Ann <ann@x.org> 1700000000 +0000
  committer Ann <ann@x.org> 1700000000 +0000
  
  x
  100644 blob 78981922613b2afb6025042ff6bd878ac1994e85	f
  blob

$ mkdir d; echo 1 > d/x; echo 2 > d/y; echo 3 > z; git add .; git commit -qm 'many files'; git ls-files; git ls-files -s; git ls-tree HEAD; git ls-tree -r HEAD; git ls-tree -r --name-only HEAD d
  d/x
  d/y
  z
  100644 d00491fd7e5bb6fa28c517a0bb32b8b506539d4d 0	d/x
  100644 0cfbf08886fca9a91cb753ec8734c84fcbe52c9f 0	d/y
  100644 00750edc07d6415dcc07ae0351e9397b0222b7ba 0	z
  040000 tree 63ba3f33d97a9a0cf002d599b4305e100598beef	d
  100644 blob 00750edc07d6415dcc07ae0351e9397b0222b7ba	z
  100644 blob d00491fd7e5bb6fa28c517a0bb32b8b506539d4d	d/x
  100644 blob 0cfbf08886fca9a91cb753ec8734c84fcbe52c9f	d/y
  100644 blob 00750edc07d6415dcc07ae0351e9397b0222b7ba	z
  d/x
  d/y

$ mkdir d; echo 1 > d/x; echo u > d/u; mkdir e; echo 1 > e/a; git add d/x; git status; git status -s; git status --porcelain -uall; git status --porcelain=v2 --branch
  On branch main
  
  No commits yet
  
  Changes to be committed:
    (use "git rm --cached <file>..." to unstage)
  	new file:   d/x
  
  Untracked files:
    (use "git add <file>..." to include in what will be committed)
  	d/u
  	e/
  
  A  d/x
  ?? d/u
  ?? e/
  A  d/x
  ?? d/u
  ?? e/a
  # branch.oid (initial)
  # branch.head main
  1 A. N... 000000 100644 100644 0000000000000000000000000000000000000000 d00491fd7e5bb6fa28c517a0bb32b8b506539d4d d/x
  ? d/u
  ? e/

$ printf '*.o\nbuild/\n!keep.o\n/top\n' > .gitignore; mkdir build s; touch a.o keep.o build/x top s/top s/b.o; git status -s; git status -s --ignored; git check-ignore -v a.o build/x s/top top; git add .; git ls-files; git add a.o; echo $?
  ?? .gitignore
  ?? keep.o
  ?? s/
  ?? .gitignore
  ?? keep.o
  ?? s/
  !! a.o
  !! build/
  !! s/b.o
  !! top
  .gitignore:1:*.o	a.o
  .gitignore:2:build/	build/x
  .gitignore:4:/top	top
  .gitignore
  keep.o
  s/top
  The following paths are ignored by one of your .gitignore files:
  a.o
  hint: Use -f if you really want to add them.
  hint: Disable this message with "git config advice.addIgnoredFile false"
  1

$ echo a > f; git add f; git commit -qm one; echo b >> f; git commit -am two; git log --oneline; git log; git log -1 --stat; git log -p -1
  [main 3fb72df] two
   1 file changed, 1 insertion(+)
  3fb72df two
  87ed364 one
  commit 3fb72df6c525e3876e8106e689f1f5d32b52d759
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      two
  
  commit 87ed3649d6ac0bb45bca08665b84c347972592b0
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      one
  commit 3fb72df6c525e3876e8106e689f1f5d32b52d759
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      two
  
   f | 1 +
   1 file changed, 1 insertion(+)
  commit 3fb72df6c525e3876e8106e689f1f5d32b52d759
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      two
  
  diff --git a/f b/f
  index 7898192..422c2b7 100644
  --- a/f
  +++ b/f
  @@ -1 +1,2 @@
   a
  +b

$ seq 20 > f; git add f; git commit -qm one; sed -i 's/^5$/five/; 15d' f; echo 21 >> f; git diff; git diff --stat; git diff --numstat; git diff --shortstat; git diff --name-only; git diff --name-status; git diff -U1; git diff -U0
  diff --git a/f b/f
  index 0ff3bbb..c6070ea 100644
  --- a/f
  +++ b/f
  @@ -2,7 +2,7 @@
   2
   3
   4
  -5
  +five
   6
   7
   8
  @@ -12,9 +12,9 @@
   12
   13
   14
  -15
   16
   17
   18
   19
   20
  +21
   f | 4 ++--
   1 file changed, 2 insertions(+), 2 deletions(-)
  2	2	f
   1 file changed, 2 insertions(+), 2 deletions(-)
  f
  M	f
  diff --git a/f b/f
  index 0ff3bbb..c6070ea 100644
  --- a/f
  +++ b/f
  @@ -4,3 +4,3 @@
   4
  -5
  +five
   6
  @@ -14,3 +14,2 @@
   14
  -15
   16
  @@ -20 +19,2 @@
   20
  +21
  diff --git a/f b/f
  index 0ff3bbb..c6070ea 100644
  --- a/f
  +++ b/f
  @@ -5 +5 @@
  -5
  +five
  @@ -15 +14,0 @@
  -15
  @@ -20,0 +20 @@
  +21

$ echo a > f; git add f; git diff --cached; git diff --staged --stat; git commit -qm x; git diff HEAD; git diff --cached; rm f; git diff; git status -s; git add -u; git status -s; git diff --cached
  diff --git a/f b/f
  new file mode 100644
  index 0000000..7898192
  --- /dev/null
  +++ b/f
  @@ -0,0 +1 @@
  +a
   f | 1 +
   1 file changed, 1 insertion(+)
  diff --git a/f b/f
  deleted file mode 100644
  index 7898192..0000000
  --- a/f
  +++ /dev/null
  @@ -1 +0,0 @@
  -a
   D f
  D  f
  diff --git a/f b/f
  deleted file mode 100644
  index 7898192..0000000
  --- a/f
  +++ /dev/null
  @@ -1 +0,0 @@
  -a

$ printf 'a\nb' > f; git add f; git commit -qm x; printf 'a\nb\n' > f; git diff; printf 'a\nc' > f; git diff
  diff --git a/f b/f
  index 0a207c0..422c2b7 100644
  --- a/f
  +++ b/f
  @@ -1,2 +1,2 @@
   a
  -b
  \ No newline at end of file
  +b
  diff --git a/f b/f
  index 0a207c0..817f660 100644
  --- a/f
  +++ b/f
  @@ -1,2 +1,2 @@
   a
  -b
  \ No newline at end of file
  +c
  \ No newline at end of file

$ printf 'int a()\n{\n x\n y\n z\n  1\n  2\n  3\n  4\n  5\n}\n' > f.c; git add f.c; git commit -qm x; sed -i 's/4/four/' f.c; git diff
  diff --git a/f.c b/f.c
  index 5d2dc59..9f417bd 100644
  --- a/f.c
  +++ b/f.c
  @@ -6,6 +6,6 @@ int a()
     1
     2
     3
  -  4
  +  four
     5
   }

$ printf 'a\0b' > bin; git add bin; git commit -m x; printf 'a\0c' > bin; git diff; git diff --stat; git diff --numstat; git commit -am y
  [main (root-commit) 2acfa3d] x
   1 file changed, 0 insertions(+), 0 deletions(-)
   create mode 100644 bin
  diff --git a/bin b/bin
  index 20b5be9..88f3700 100644
  Binary files a/bin and b/bin differ
   bin | Bin 3 -> 3 bytes
   1 file changed, 0 insertions(+), 0 deletions(-)
  -	-	bin
  [main 2132ad6] y
   1 file changed, 0 insertions(+), 0 deletions(-)

$ echo x > 'sp ace'; printf 'x\n' > $'t\tab'; echo x > é; git add .; git status -s; git diff --cached; git ls-files; git commit -qm x; git ls-files -z | tr '\0' '|'
  A  "sp ace"
  A  "t\tab"
  A  "\303\251"
  diff --git a/sp ace b/sp ace
  new file mode 100644
  index 0000000..587be6b
  --- /dev/null
  +++ b/sp ace	
  @@ -0,0 +1 @@
  +x
  diff --git "a/t\tab" "b/t\tab"
  new file mode 100644
  index 0000000..587be6b
  --- /dev/null
  +++ "b/t\tab"
  @@ -0,0 +1 @@
  +x
  diff --git "a/\303\251" "b/\303\251"
  new file mode 100644
  index 0000000..587be6b
  --- /dev/null
  +++ "b/\303\251"
  @@ -0,0 +1 @@
  +x
  sp ace
  "t\tab"
  "\303\251"
  sp ace|t	ab|é|
\

$ echo a > f; chmod +x f; ln -s f l; git add .; git commit -m modes; chmod -x f; rm l; ln -s g l; git diff; git status -s; git commit -qam change; git show --stat --summary; git ls-tree HEAD
  [main (root-commit) e68cb74] modes
   2 files changed, 2 insertions(+)
   create mode 100755 f
   create mode 120000 l
  diff --git a/f b/f
  old mode 100755
  new mode 100644
  diff --git a/l b/l
  index 4d1ae35..7937c68 120000
  --- a/l
  +++ b/l
  @@ -1 +1 @@
  -f
  \ No newline at end of file
  +g
  \ No newline at end of file
   M f
   M l
  commit b6589be76b6b3799014800fa160ee499c37abf13
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      change
  
   f | 0
   l | 2 +-
   2 files changed, 1 insertion(+), 1 deletion(-)
   mode change 100755 => 100644 f
  100644 blob 78981922613b2afb6025042ff6bd878ac1994e85	f
  120000 blob 7937c68fbcf7c484f2d5ce7801944416eedf0d2c	l

$ seq 30 > old; git add old; git commit -qm x; git mv old new; git status; git status -s; echo 31 >> new; git add new; git diff --cached; git diff --cached -M --stat; git diff --cached --summary; git commit -m ren; git log --oneline --follow new
  On branch main
  Changes to be committed:
    (use "git restore --staged <file>..." to unstage)
  	renamed:    old -> new
  
  R  old -> new
  diff --git a/old b/new
  similarity index 96%
  rename from old
  rename to new
  index e8823e1..10adcaf 100644
  --- a/old
  +++ b/new
  @@ -28,3 +28,4 @@
   28
   29
   30
  +31
   old => new | 1 +
   1 file changed, 1 insertion(+)
   rename old => new (96%)
  [main 8fe4446] ren
   1 file changed, 1 insertion(+)
   rename old => new (96%)
  8fe4446 ren
  ef0048e x

$ for i in 1 2 3; do echo $i > f$i; done; git add .; git commit -qm x; git rm f1; git rm --cached f2; git status -s; echo c >> f3; git rm f3; git rm -f f3; ls; git rm nope
  rm 'f1'
  rm 'f2'
  D  f1
  D  f2
  ?? f2
  error: the following file has local modifications:
      f3
  (use --cached to keep the file, or -f to force removal)
  rm 'f3'
  f2
  fatal: pathspec 'nope' did not match any files
[128]

$ mkdir -p d/e; echo 1 > d/e/f; git add d; git commit -qm x; git rm d; git rm -r d; ls; git status -s
  fatal: not removing 'd' recursively without -r
  rm 'd/e/f'
  D  d/e/f

$ echo a > f; git add f; git commit -qm one; git commit -m none; echo $?; git commit --allow-empty -m empty; git commit --amend -m 'better message'; git log --format='%s %an'; git commit --amend --no-edit -q; git log --oneline | wc -l
  On branch main
  nothing to commit, working tree clean
  1
  [main 7097bcf] empty
  You asked to amend the most recent commit, but doing so would make
  it empty. You can repeat your command with --allow-empty, or you can
  remove the commit entirely with "git reset HEAD^".
  On branch main
  No changes
  empty Ann
  one Ann
  You asked to amend the most recent commit, but doing so would make
  it empty. You can repeat your command with --allow-empty, or you can
  remove the commit entirely with "git reset HEAD^".
  On branch main
  No changes
  2

$ echo a > f; git add f; git commit -q -m subject -m 'body one' -m 'body two'; git log; git log --format=%B; git log --format='%h|%s|%b|%ae|%ad|%cd' --date=iso; git log --oneline --decorate
  commit 1585c380290890de3e702c6a97c580386f098a49
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      subject
      
      body one
      
      body two
  subject
  
  body one
  
  body two
  
  1585c38|subject|body one
  
  body two
  |ann@x.org|2023-11-14 22:13:20 +0000|2023-11-14 22:13:20 +0000
  1585c38 (HEAD -> main) subject

$ echo a > f; git add f; printf 'from file\n\n\nmore  \n# no\n' | git commit -q -F -; git cat-file commit HEAD; git commit --allow-empty -qs -m signed; git cat-file commit HEAD | tail -3; git commit --allow-empty --author='Bob <b@y>' --date='2020-01-02T03:04:05+0200' -m by; git log -1 --format=fuller
  tree 3be22be77da4887e869c981806d8452f034dd014
  author Ann <ann@x.org> 1700000000 +0000
  committer Ann <ann@x.org> 1700000000 +0000
  
  from file
  
  more
  # no
  signed
  
  Signed-off-by: Ann <ann@x.org>
  [main c7a1b86] by
   Author: Bob <b@y>
   Date: Thu Jan 2 03:04:05 2020 +0200
  commit c7a1b865c4eecd845d00efb127d47b76839f5b1c
  Author:     Bob <b@y>
  AuthorDate: Thu Jan 2 03:04:05 2020 +0200
  Commit:     Ann <ann@x.org>
  CommitDate: Tue Nov 14 22:13:20 2023 +0000
  
      by

$ git commit -m x; echo $?; git add nope; echo $?; git diff nope; echo $?; git log nope; echo $?; git foo 2>&1 | head -1; git commit --foo 2>&1 | head -1; git status --foo 2>&1 | head -1
  On branch main
  
  Initial commit
  
  nothing to commit (create/copy files and use "git add" to track)
  1
  fatal: pathspec 'nope' did not match any files
  128
  fatal: ambiguous argument 'nope': unknown revision or path not in the working tree.
  Use '--' to separate paths from revisions, like this:
  'git <command> [<revision>...] -- [<file>...]'
  128
  fatal: ambiguous argument 'nope': unknown revision or path not in the working tree.
  Use '--' to separate paths from revisions, like this:
  'git <command> [<revision>...] -- [<file>...]'
  128
  git: 'foo' is not a git command. See 'git --help'.
  error: unknown option `foo'
  error: unknown option `foo'

$ echo a > f; git add f; git commit -qm one; echo b > f; git add f; echo c > f; git status -s; git diff; git diff --cached; git diff HEAD; git restore f; cat f; git restore --staged f; git status -s; git checkout f; cat f; git checkout -- f
  MM f
  diff --git a/f b/f
  index 6178079..f2ad6c7 100644
  --- a/f
  +++ b/f
  @@ -1 +1 @@
  -b
  +c
  diff --git a/f b/f
  index 7898192..6178079 100644
  --- a/f
  +++ b/f
  @@ -1 +1 @@
  -a
  +b
  diff --git a/f b/f
  index 7898192..f2ad6c7 100644
  --- a/f
  +++ b/f
  @@ -1 +1 @@
  -a
  +c
  b
   M f
  Updated 1 path from the index
  a

$ for i in 1 2 3 4; do echo $i > f; git add f; git commit -qm c$i; done; git reset --soft HEAD~1; git status -s; git reset HEAD~1; git status -s; git reset --hard HEAD~1; git log --oneline; cat f; git reflog; git reset --hard 'HEAD@{1}'; git log --format=%s; git reset --hard nope
  M  f
  Unstaged changes after reset:
  M	f
   M f
  HEAD is now at 7f3e378 c1
  7f3e378 c1
  1
  7f3e378 HEAD@{0}: reset: moving to HEAD~1
  1695c35 HEAD@{1}: reset: moving to HEAD~1
  8d4b431 HEAD@{2}: reset: moving to HEAD~1
  51b43d0 HEAD@{3}: commit: c4
  8d4b431 HEAD@{4}: commit: c3
  1695c35 HEAD@{5}: commit: c2
  7f3e378 HEAD@{6}: commit (initial): c1
  HEAD is now at 1695c35 c2
  c2
  c1
  fatal: ambiguous argument 'nope': unknown revision or path not in the working tree.
  Use '--' to separate paths from revisions, like this:
  'git <command> [<revision>...] -- [<file>...]'
[128]

$ echo a > f; git add f; git commit -qm one; echo b > g; git add g; git reset g; git status -s; git add g; git reset; git status -s; echo x > f; git reset -q; git reset -- f; git reset --hard; git status -s
  ?? g
  ?? g
  Unstaged changes after reset:
  M	f
  HEAD is now at 87ed364 one
  ?? g

$ echo a > f; git add f; git commit -qm one; git tag v1; git tag -a v2 -m 'second tag'; git tag; git tag -n; git tag -l 'v*'; git show v2 | head -4; git rev-parse v2 v2^{} v2^{commit}; git tag v1; echo $?; git tag -d v1; git tag; git cat-file -p v2; git log --oneline --decorate; git describe 2>/dev/null | head -0
  v1
  v2
  v1              one
  v2              second tag
  v1
  v2
  tag v2
  Tagger: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
  238adc0c8e889eabf505311ff8743dd16bfe0943
  87ed3649d6ac0bb45bca08665b84c347972592b0
  87ed3649d6ac0bb45bca08665b84c347972592b0
  fatal: tag 'v1' already exists
  128
  Deleted tag 'v1' (was 87ed364)
  v2
  object 87ed3649d6ac0bb45bca08665b84c347972592b0
  type commit
  tag v2
  tagger Ann <ann@x.org> 1700000000 +0000
  
  second tag
  87ed364 (HEAD -> main, tag: v2) one

$ echo a > f; git add f; git commit -qm one; git branch b1; git branch b2 HEAD; git branch; git branch -v; git branch -d b1; git branch -m b2 b3; git branch --list; git branch b3; git branch -d nope; git branch --show-current; git branch -D main 2>&1 | sed 's/at .*//'; git branch 'bad..name'
    b1
    b2
  * main
    b1   87ed364 one
    b2   87ed364 one
  * main 87ed364 one
  Deleted branch b1 (was 87ed364).
    b3
  * main
  fatal: a branch named 'b3' already exists
  error: branch 'nope' not found
  main
  error: cannot delete branch 'main' used by worktree 
  fatal: 'bad..name' is not a valid branch name
  hint: See `man git check-ref-format`
  hint: Disable this message with "git config advice.refSyntax false"
[128]

$ echo a > f; git add f; git commit -qm one; git checkout -b dev; git switch main; git switch -c x; git switch -; git checkout -; git checkout dev; git checkout nope; git switch nope; git checkout -b dev; git log --oneline --all; git switch --detach main; git status; git switch dev
  Switched to a new branch 'dev'
  Switched to branch 'main'
  Switched to a new branch 'x'
  Switched to branch 'main'
  Switched to branch 'x'
  Switched to branch 'dev'
  error: pathspec 'nope' did not match any file(s) known to git
  fatal: invalid reference: nope
  fatal: a branch named 'dev' already exists
  87ed364 one
  HEAD is now at 87ed364 one
  HEAD detached at refs/heads/main
  nothing to commit, working tree clean
  Switched to branch 'dev'

$ for i in 1 2 3; do echo $i > f; git add f; git commit -qm c$i; done; git checkout -q HEAD~1; git status; git branch; git log --oneline --all --decorate; git switch main; git checkout HEAD~2; git checkout -q main; git checkout main~1 -- f; git status -s; cat f
  HEAD detached at 1695c35
  nothing to commit, working tree clean
  * (HEAD detached at 1695c35)
    main
  8d4b431 (main) c3
  1695c35 (HEAD) c2
  7f3e378 c1
  Previous HEAD position was 1695c35 c2
  Switched to branch 'main'
  Note: switching to 'HEAD~2'.
  
  You are in 'detached HEAD' state. You can look around, make experimental
  changes and commit them, and you can discard any commits you make in this
  state without impacting any branches by switching back to a branch.
  
  If you want to create a new branch to retain commits you create, you may
  do so (now or later) by using -c with the switch command. Example:
  
    git switch -c <new-branch-name>
  
  Or undo this operation with:
  
    git switch -
  
  Turn off this advice by setting config variable advice.detachedHead to false
  
  HEAD is now at 7f3e378 c1
  M  f
  2

$ echo a > f; git add f; git commit -qm one; git switch -qc dev; echo dev > f; git commit -qam dev; git switch -q main; echo local > f; git switch dev; echo $?; git stash -q; git switch dev; git stash pop; git status -s; cat f; git checkout -f main; cat f
  error: Your local changes to the following files would be overwritten by checkout:
  	f
  Please commit your changes or stash them before you switch branches.
  Aborting
  1
  Switched to branch 'dev'
  Auto-merging f
  CONFLICT (content): Merge conflict in f
  On branch dev
  Unmerged paths:
    (use "git restore --staged <file>..." to unstage)
    (use "git add <file>..." to mark resolution)
  	both modified:   f
  
  no changes added to commit (use "git add" and/or "git commit -a")
  The stash entry is kept in case you need it again.
  UU f
  <<<<<<< Updated upstream
  dev
  =======
  local
  >>>>>>> Stashed changes
  Switched to branch 'main'
  a

$ echo a > f; git add f; git commit -qm one; git switch -qc dev; echo n > n; git add n; git commit -qm n; git switch -q main; echo mine > n; git switch dev; echo $?; git merge dev; echo $?; rm n; echo other > o; git switch dev; git status -s
  error: The following untracked working tree files would be overwritten by checkout:
  	n
  Please move or remove them before you switch branches.
  Aborting
  1
  error: The following untracked working tree files would be overwritten by merge:
  	n
  Please move or remove them before you merge.
  Aborting
  Updating 87ed364..e75a12e
  1
  Switched to branch 'dev'
  ?? o

$ touch a b; mkdir d e; touch d/x e/y; git add a d; git commit -qm x; echo 1 > b; touch d/z; git clean; git clean -n; git clean -nd; git clean -f; git clean -fd; git status -s; printf 'ig\n' > .gitignore; touch ig; git clean -fdx -n; git clean -fX
  fatal: clean.requireForce is true and -f not given: refusing to clean
  Would remove b
  Would remove d/z
  Would remove b
  Would remove d/z
  Would remove e/
  Removing b
  Removing d/z
  Removing e/
  Would remove .gitignore
  Would remove ig
  Removing ig

$ git config user.name; git config --get user.email; echo $?; git config user.name 'Local Name'; git config user.name; git config --list | grep -v core; cat .git/config; git config --unset user.name; cat .git/config; git config alias.st 'status -s'; touch f; git st; git config --get-regexp 'alias.*'; git config core.bare; git config --bool core.bare; git config a.b; echo $?; git config nodot x; git config --global x.y z; git config x.y; git config --local x.y; echo $?
  1
  Local Name
  init.defaultbranch=main
  user.name=Local Name
  [core]
  	repositoryformatversion = 0
  	filemode = true
  	bare = false
  	logallrefupdates = true
  [user]
  	name = Local Name
  [core]
  	repositoryformatversion = 0
  	filemode = true
  	bare = false
  	logallrefupdates = true
  ?? f
  alias.st status -s
  false
  false
  1
  error: key does not contain a section: nodot
  z
  1

$ echo hello | git hash-object --stdin; echo hello > f; git hash-object f; git hash-object -w f; git cat-file -p ce013625; git cat-file -s ce013625; git cat-file -e ce013625; echo $?; git cat-file -p 0000; echo $?; echo ce013625 | git cat-file --batch-check; git count-objects
  ce013625030ba8dba906f756967f9e9ca394464a
  ce013625030ba8dba906f756967f9e9ca394464a
  ce013625030ba8dba906f756967f9e9ca394464a
  hello
  6
  0
  fatal: Not a valid object name 0000
  128
  ce013625030ba8dba906f756967f9e9ca394464a blob 6
  1 objects, 4 kilobytes

$ echo a > f; mkdir -p d/e; echo b > d/e/g; git add .; git commit -qm x; cd d; git status -s; echo c > new; git status; git status -s; git status --porcelain; git add .; git ls-files; git rev-parse --show-prefix --show-cdup --is-inside-work-tree; git rev-parse --show-toplevel | sed 's,.*/,,'; git diff --cached --name-only; git show HEAD:./e/g; git log --oneline -- e; cd e; git diff --cached --stat; git checkout ../new
  On branch main
  Untracked files:
    (use "git add <file>..." to include in what will be committed)
  	new
  
  nothing added to commit but untracked files present (use "git add" to track)
  ?? new
  ?? d/new
  e/g
  new
  d/
  ../
  true
  case
  d/new
  b
  cc68a1c x
   d/new | 1 +
   1 file changed, 1 insertion(+)
  Updated 0 paths from the index

$ for i in 1 2 3; do echo $i > f; git add f; git commit -qm c$i; done; git rev-parse --short HEAD; git rev-parse --abbrev-ref HEAD; git rev-parse --verify -q nope; echo $?; git rev-parse --verify nope; git rev-parse HEAD~1 HEAD^ @~2 'HEAD@{0}' main; git rev-parse HEAD~5; git rev-parse --git-dir; git rev-parse --symbolic-full-name main; git rev-parse HEAD..HEAD~1; git rev-list --count HEAD; git rev-list HEAD~1..; git rev-parse :/c2; git show-ref; git symbolic-ref HEAD; git for-each-ref --format='%(refname:short) %(objectname:short) %(subject)'
  8d4b431
  main
  1
  fatal: Needed a single revision
  1695c35c3c7f343732530dd83914d79471794a09
  1695c35c3c7f343732530dd83914d79471794a09
  7f3e3783a7a8e0ff0fcef40bf9a3a06ad79b9d0d
  8d4b4317479d501fba434bd5266c473b346051ec
  8d4b4317479d501fba434bd5266c473b346051ec
  fatal: ambiguous argument 'HEAD~5': unknown revision or path not in the working tree.
  Use '--' to separate paths from revisions, like this:
  'git <command> [<revision>...] -- [<file>...]'
  HEAD~5
  .git
  refs/heads/main
  1695c35c3c7f343732530dd83914d79471794a09
  ^8d4b4317479d501fba434bd5266c473b346051ec
  3
  8d4b4317479d501fba434bd5266c473b346051ec
  1695c35c3c7f343732530dd83914d79471794a09
  8d4b4317479d501fba434bd5266c473b346051ec refs/heads/main
  refs/heads/main
  main 8d4b431 c3

$ for i in 1 2 3; do echo $i > f; git add f; git commit -qm c$i; done; git show; git show --stat HEAD~1; git show HEAD:f; git show --format=%s -s HEAD; git show --name-only --format=%h; git show HEAD^{tree}; git show --oneline HEAD~2; git diff HEAD~2 HEAD; git diff HEAD~1..HEAD --stat; git diff HEAD~2...HEAD --name-status; git diff main~1 -- f
  commit 8d4b4317479d501fba434bd5266c473b346051ec
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c3
  
  diff --git a/f b/f
  index 0cfbf08..00750ed 100644
  --- a/f
  +++ b/f
  @@ -1 +1 @@
  -2
  +3
  commit 1695c35c3c7f343732530dd83914d79471794a09
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c2
  
   f | 2 +-
   1 file changed, 1 insertion(+), 1 deletion(-)
  3
  c3
  8d4b431
  
  f
  tree HEAD^{tree}
  
  f
  7f3e378 c1
  diff --git a/f b/f
  new file mode 100644
  index 0000000..d00491f
  --- /dev/null
  +++ b/f
  @@ -0,0 +1 @@
  +1
  diff --git a/f b/f
  index d00491f..00750ed 100644
  --- a/f
  +++ b/f
  @@ -1 +1 @@
  -1
  +3
   f | 2 +-
   1 file changed, 1 insertion(+), 1 deletion(-)
  M	f
  diff --git a/f b/f
  index 0cfbf08..00750ed 100644
  --- a/f
  +++ b/f
  @@ -1 +1 @@
  -2
  +3

$ for i in 1 2 3 4 5; do echo $i > f$i; git add .; GIT_AUTHOR_DATE="170000000$i +0100" GIT_COMMITTER_DATE="170000000$i +0100" git commit -qm "c$i msg" --author="A$i <a$i@x>"; done; git log --oneline -2; git log --oneline -n 1 --skip 1; git log --author=A2 --format=%s; git log --grep='c[34]' --format=%s; git log --reverse --format=%s; git log --format='%an %ae %ct %ci' -1; git log --oneline f3; git log --oneline -- f4; git log --pretty=short -1; git log --pretty=full -1; git log --pretty=raw -1; git log --date=short --format='%ad %as' -1; git log --name-status --oneline -2; git log --since='2023-11-14 22:13:23' --format=%s; git log -S3 --format=%s; git shortlog; git shortlog -sn HEAD; git log --format='%<(10)%an|%>(8)%s|%<(3,trunc)%s' -1; git log --pretty=format:%s -2; echo; git log --oneline main~3..main~1; git log --oneline ^main~2 main
  71b0376 c5 msg
  da7e621 c4 msg
  da7e621 c4 msg
  c2 msg
  c4 msg
  c3 msg
  c1 msg
  c2 msg
  c3 msg
  c4 msg
  c5 msg
  A5 a5@x 1700000005 2023-11-14 23:13:25 +0100
  6066a8a c3 msg
  da7e621 c4 msg
  commit 71b037657866c32bcc0cc0b93d691275f6b192aa
  Author: A5 <a5@x>
  
      c5 msg
  commit 71b037657866c32bcc0cc0b93d691275f6b192aa
  Author: A5 <a5@x>
  Commit: Ann <ann@x.org>
  
      c5 msg
  commit 71b037657866c32bcc0cc0b93d691275f6b192aa
  tree c76ff4853a980579cd2501573295de771c098380
  parent da7e62128bccc6cd4b057e7111d58d8201f2cc99
  author A5 <a5@x> 1700000005 +0100
  committer Ann <ann@x.org> 1700000005 +0100
  
      c5 msg
  2023-11-14 2023-11-14
  71b0376 c5 msg
  A	f5
  da7e621 c4 msg
  A	f4
  c5 msg
  c4 msg
  c3 msg
  c3 msg
       1	A1
       1	A2
       1	A3
       1	A4
       1	A5
  A5        |  c5 msg|c..
  c5 msg
  c4 msg
  da7e621 c4 msg
  6066a8a c3 msg
  71b0376 c5 msg
  da7e621 c4 msg
