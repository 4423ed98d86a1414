# What our git writes real git reads, and the other way round: `real` is always the machine's own.
% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1
% exec 2>&1
% git config --global init.defaultBranch main
% real() { PATH=/usr/local/bin:/usr/bin:/bin git "$@"; }

& git init -q; mkdir -p d/e; seq 100 > d/e/n; echo a > a; ln -s a l; chmod +x a; git add .; git commit -qm one; seq 101 > d/e/n; git commit -qam two; git tag -a v1 -m tag; git branch b; real fsck --strict; real status -s; real log --format='%h %s%d'; real ls-files -s; real cat-file -p v1; real reflog
  8a53872 two (HEAD -> main, tag: v1, b)
  9f5abb6 one
  100755 78981922613b2afb6025042ff6bd878ac1994e85 0	a
  100644 ec005a867edf1c2e4843a81ec826197d18b4cf06 0	d/e/n
  120000 2e65efe2a145dda7ee51d1741299f848e5bf752e 0	l
  object 8a53872022a3d9e39413ee7c9afe138643cf48e4
  type commit
  tag v1
  tagger Ann <ann@x.org> 1700000000 +0000
  
  tag
  8a53872 HEAD@{0}: commit: two
  9f5abb6 HEAD@{1}: commit (initial): one

& real init -q; seq 1000 > n; real add n; real commit -qm one; for i in 1 2 3 4 5; do sed -i "$i s/\$/x/" n; real commit -qam c$i; done; real tag -a t -m tagged; real gc -q; ls .git/objects/pack | wc -l; git log --oneline --decorate; git status -s; git show HEAD~2 | head -20; git fsck 2>/dev/null | head -0; git cat-file -p t; git diff HEAD~5 --stat; echo more >> n; git commit -qam ours; real fsck --strict; real log --oneline -2; real status -s
  3
  f0c1fc1 (HEAD -> main, tag: t) c5
  c389096 c4
  b4e15cb c3
  f363e6a c2
  8ecb0e1 c1
  dc772af one
  commit b4e15cba47d2d1a1bc171adad3d1b20143ce1fc2
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c3
  
  diff --git a/n b/n
  index b76afd0..6f879f4 100644
  --- a/n
  +++ b/n
  @@ -1,6 +1,6 @@
   1x
   2x
  -3
  +3x
   4
   5
   6
  object f0c1fc159dab915f93fa14e96dfabf609e717e15
  type commit
  tag t
  tagger Ann <ann@x.org> 1700000000 +0000
  
  tagged
   n | 10 +++++-----
   1 file changed, 5 insertions(+), 5 deletions(-)
  8f5b653 ours
  f0c1fc1 c5

& git init -q; echo a > a; git add a; git commit -qm a; git switch -qc x; echo x > x; git add x; git commit -qm x; git switch -q main; echo b > b; git add b; git commit -qm b; git merge -q x -m merged; real fsck --strict; real log --graph --oneline; real status; echo w >> a; git stash -q; real stash list; real stash pop -q; real status -s; git status -s
  *   9e96893 merged
  |\  
  | * f4300bb x
  * | e01e41e b
  |/  
  * 13f1278 a
  On branch main
  nothing to commit, working tree clean
  stash@{0}: WIP on main: 9e96893 merged
   M a
   M a

& real init -q; echo a > a; real add a; real commit -qm a; real branch x; real pack-refs --all; git branch -v; git branch -d x; git tag t; real show-ref; git switch -qc y; real symbolic-ref HEAD; git worktree list 2>/dev/null | head -0; echo c > c; git add -N c; real status -s; git diff; real update-index --index-version 4; git status -s; git add c; real status -s
  * main 13f1278 a
    x    13f1278 a
  Deleted branch x (was 13f1278).
  13f12788b64a7748ffb0d68c5a5e43b116d9d1f8 refs/heads/main
  13f12788b64a7748ffb0d68c5a5e43b116d9d1f8 refs/tags/t
  refs/heads/y
   A c
  diff --git a/c b/c
  new file mode 100644
  index 0000000..f2ad6c7
  --- /dev/null
  +++ b/c
  @@ -0,0 +1 @@
  +c
   A c
  A  c

& real init -q; for i in $(seq 60); do echo $i > f$i; done; real add .; real commit -qm many; git status -s | wc -l; touch f1; echo x > f2; git status -s; git add f2; real status -s; git rm -q f3; git mv f4 g4; real status -s; git commit -qm moved; real fsck --strict; real log -1 --stat --summary
  0
   M f2
  M  f2
  M  f2
  D  f3
  R  f4 -> g4
  commit 2dd3eda4037531640ad03d0fcf97fb8b921fcab1
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      moved
  
   f2       | 2 +-
   f3       | 1 -
   f4 => g4 | 0
   3 files changed, 1 insertion(+), 2 deletions(-)
   delete mode 100644 f3
   rename f4 => g4 (100%)

& real init -q; seq 30 > f; real add f; real commit -qm x; real switch -qc d; sed -i 5d f; real commit -qam d; real switch -q main; sed -i 20d f; real commit -qam m; git merge d -m both; real diff HEAD^1 HEAD; real fsck --strict; real log --format='%s %p' | head -3 | cut -c1-5; git rev-parse HEAD^{tree}
  Auto-merging f
  Merge made by the 'ort' strategy.
   f | 1 -
   1 file changed, 1 deletion(-)
  diff --git a/f b/f
  index 40aa429..c449e09 100644
  --- a/f
  +++ b/f
  @@ -2,7 +2,6 @@
   2
   3
   4
  -5
   6
   7
   8
  both 
  m 162
  d 162
  79c7e85efe44dd405d36aa52ec72b3b2f1caaf90

& real init -q; seq 20 > f; real add f; real commit -qm one; sed -i '3s/$/x/;5s/$/y/;17d' f; printf 's\nn\ny\ny\n' | git add -p >/dev/null; real diff --cached; real diff; real fsck --strict; printf 'y\nn\n' | real reset -q -p >/dev/null; git status -s; git diff --cached --stat
  diff --git a/f b/f
  index 0ff3bbb..a093156 100644
  --- a/f
  +++ b/f
  @@ -2,7 +2,7 @@
   2
   3
   4
  -5
  +5y
   6
   7
   8
  @@ -14,7 +14,6 @@
   14
   15
   16
  -17
   18
   19
   20
  diff --git a/f b/f
  index a093156..5210e18 100644
  --- a/f
  +++ b/f
  @@ -1,6 +1,6 @@
   1
   2
  -3
  +3x
   4
   5y
   6
  MM f
   f | 1 -
   1 file changed, 1 deletion(-)
