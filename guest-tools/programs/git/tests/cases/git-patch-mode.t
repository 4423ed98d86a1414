# Hunks that are chosen one by one.
% exec 2>&1; export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@x GIT_COMMITTER_NAME=C GIT_COMMITTER_EMAIL=c@x GIT_AUTHOR_DATE='1700000000 +0100' GIT_COMMITTER_DATE='1700000100 +0000' GIT_CONFIG_NOSYSTEM=1
% git init -q -b main; seq 20 > f; echo x > g; git add .; git commit -qm one; sed -i 's/^3$/three/;s/^5$/five/;s/^17$/seventeen/' f; echo y >> g
% say() { printf '%s\n' "$@"; }

$ say y n y | git add -p; git diff --cached; git diff --stat
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (2/2) Stage this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/g b/g
  index 587be6b..b77b4eb 100644
  --- a/g
  +++ b/g
  @@ -1 +1,2 @@
   x
  +y
  (1/1) Stage this hunk [y,n,q,a,d,e,p,?]? 
  diff --git a/f b/f
  index 0ff3bbb..ea38462 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  diff --git a/g b/g
  index 587be6b..b77b4eb 100644
  --- a/g
  +++ b/g
  @@ -1 +1,2 @@
   x
  +y
   f | 2 +-
   1 file changed, 1 insertion(+), 1 deletion(-)

$ say '?' s y n q | git add -p; git status -s; git diff --cached
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? y - stage this hunk
  n - do not stage this hunk
  q - quit; do not stage this hunk or any of the remaining ones
  a - stage this hunk and all later hunks in the file
  d - do not stage this hunk or any of the later hunks in the file
  j - leave this hunk undecided, see next undecided hunk
  J - leave this hunk undecided, see next hunk
  g - select a hunk to go to
  / - search for a hunk matching the given regex
  s - split the current hunk into smaller hunks
  e - manually edit the current hunk
  p - print the current hunk, 'P' to use the pager
  ? - print help
  (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? Split into 2 hunks.
  @@ -1,4 +1,4 @@
   1
   2
  -3
  +three
   4
  (1/3) Stage this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? @@ -4,5 +4,5 @@
   4
  -5
  +five
   6
   7
   8
  (2/3) Stage this hunk [y,n,q,a,d,K,j,J,g,/,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (3/3) Stage this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  MM f
   M g
  diff --git a/f b/f
  index 0ff3bbb..d1810ac 100644
  --- a/f
  +++ b/f
  @@ -1,6 +1,6 @@
   1
   2
  -3
  +three
   4
   5
   6

$ say s j K k J x yy '' g 2 'g 9' gx /sev /nope '/[' P p d a | git add -p; git status -s; git diff --cached --stat
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? Split into 2 hunks.
  @@ -1,4 +1,4 @@
   1
   2
  -3
  +three
   4
  (1/3) Stage this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? @@ -4,5 +4,5 @@
   4
  -5
  +five
   6
   7
   8
  (2/3) Stage this hunk [y,n,q,a,d,k,K,j,J,g,/,e,p,?]? @@ -1,4 +1,4 @@
   1
   2
  -3
  +three
   4
  (1/3) Stage this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? (1/3) Stage this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? @@ -4,5 +4,5 @@
   4
  -5
  +five
   6
   7
   8
  (2/3) Stage this hunk [y,n,q,a,d,k,K,j,J,g,/,e,p,?]? Unknown command 'x' (use '?' for help)
  (2/3) Stage this hunk [y,n,q,a,d,k,K,j,J,g,/,e,p,?]? Only one letter is expected, got 'yy'
  (2/3) Stage this hunk [y,n,q,a,d,k,K,j,J,g,/,e,p,?]? (2/3) Stage this hunk [y,n,q,a,d,k,K,j,J,g,/,e,p,?]?   1:  -1,4 +1,4          -3
    2:  -4,5 +4,5          -5
    3:  -14,7 +14,7        -17
  go to which hunk? (2/3) Stage this hunk [y,n,q,a,d,k,K,j,J,g,/,e,p,?]? Sorry, only 3 hunks available.
  (2/3) Stage this hunk [y,n,q,a,d,k,K,j,J,g,/,e,p,?]? Invalid number: 'x'
  (2/3) Stage this hunk [y,n,q,a,d,k,K,j,J,g,/,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (3/3) Stage this hunk [y,n,q,a,d,k,K,g,/,e,p,?]? No hunk matches the given pattern
  (3/3) Stage this hunk [y,n,q,a,d,k,K,g,/,e,p,?]? Malformed search regexp [: Invalid regular expression
  (3/3) Stage this hunk [y,n,q,a,d,k,K,g,/,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (3/3) Stage this hunk [y,n,q,a,d,k,K,g,/,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (3/3) Stage this hunk [y,n,q,a,d,k,K,g,/,e,p,?]? @@ -1,4 +1,4 @@
   1
   2
  -3
  +three
   4
  (1/3) Stage this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? 
  diff --git a/g b/g
  index 587be6b..b77b4eb 100644
  --- a/g
  +++ b/g
  @@ -1 +1,2 @@
   x
  +y
  (1/1) Stage this hunk [y,n,q,a,d,e,p,?]? 
  MM f
   M g
   f | 4 ++--
   1 file changed, 2 insertions(+), 2 deletions(-)

$ say a q | git add --patch f; git status -s; say q | git add -p g; git add -p nothing; echo $?
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? 
  M  f
   M g
  diff --git a/g b/g
  index 587be6b..b77b4eb 100644
  --- a/g
  +++ b/g
  @@ -1 +1,2 @@
   x
  +y
  (1/1) Stage this hunk [y,n,q,a,d,e,p,?]? 
  No changes.
  0

$ chmod +x g; echo new > n; rm f; say '?' n y y n | git add -p; git status -s; git diff --cached --summary
  diff --git a/f b/f
  deleted file mode 100644
  index 0ff3bbb..0000000
  --- a/f
  +++ /dev/null
  @@ -1,20 +0,0 @@
  -1
  -2
  -3
  -4
  -5
  -6
  -7
  -8
  -9
  -10
  -11
  -12
  -13
  -14
  -15
  -16
  -17
  -18
  -19
  -20
  (1/1) Stage deletion [y,n,q,a,d,p,?]? y - stage this hunk
  n - do not stage this hunk
  q - quit; do not stage this hunk or any of the remaining ones
  a - stage this hunk and all later hunks in the file
  d - do not stage this hunk or any of the later hunks in the file
  p - print the current hunk, 'P' to use the pager
  ? - print help
  (1/1) Stage deletion [y,n,q,a,d,p,?]? 
  diff --git a/g b/g
  index 587be6b..b77b4eb
  --- a/g
  +++ b/g
  old mode 100644
  new mode 100755
  (1/2) Stage mode change [y,n,q,a,d,j,J,g,/,p,?]? @@ -1 +1,2 @@
   x
  +y
  (2/2) Stage this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
   D f
  M  g
  ?? n
   mode change 100644 => 100755 g

$ say n n y | git add -p; git add -N n 2>/dev/null; echo new > n; git add -N n; say y | git add -p n; git status -s; git show :n
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (2/2) Stage this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/g b/g
  index 587be6b..b77b4eb 100644
  --- a/g
  +++ b/g
  @@ -1 +1,2 @@
   x
  +y
  (1/1) Stage this hunk [y,n,q,a,d,e,p,?]? 
  diff --git a/n b/n
  new file mode 100644
  index 0000000..3e75765
  --- /dev/null
  +++ b/n
  @@ -0,0 +1 @@
  +new
  (1/1) Stage addition [y,n,q,a,d,e,p,?]? 
   M f
  M  g
  A  n
  new

$ echo e > e; git add -N e; printf 'a' > last; git add last; git commit -qm l; printf 'a\nb' > last; say n y s y | git add -p; git show :last; git status -s
  diff --git a/e b/e
  new file mode 100644
  index 0000000..d905d9d
  --- /dev/null
  +++ b/e
  @@ -0,0 +1 @@
  +e
  (1/1) Stage addition [y,n,q,a,d,e,p,?]? 
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (2/2) Stage this hunk [y,n,q,a,d,K,g,/,e,p,?]? Split into 1 hunks.
  @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (2/2) Stage this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/g b/g
  index 587be6b..b77b4eb 100644
  --- a/g
  +++ b/g
  @@ -1 +1,2 @@
   x
  +y
  (1/1) Stage this hunk [y,n,q,a,d,e,p,?]? 
  diff --git a/last b/last
  index 2e65efe..0a207c0 100644
  --- a/last
  +++ b/last
  @@ -1 +1,2 @@
  -a
  \ No newline at end of file
  +a
  +b
  \ No newline at end of file
  (1/1) Stage this hunk [y,n,q,a,d,e,p,?]? 
  a A e
  M  f
   M g
   M last

$ say e n n n | GIT_EDITOR='sed -i /^+three/d' git add -p f; git diff --cached; git diff f
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (2/2) Stage this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/f b/f
  index 0ff3bbb..11a0df1 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,7 @@
   1
   2
  -3
   4
  -5
  +five
   6
   7
   8
  diff --git a/f b/f
  index 11a0df1..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,5 +1,6 @@
   1
   2
  +three
   4
   five
   6
  @@ -13,7 +14,7 @@ five
   14
   15
   16
  -17
  +seventeen
   18
   19
   20

$ say e n n n | GIT_EDITOR='sed -i s/^.4/\ 44/' git add -p f; git diff --cached; say e n n | GIT_EDITOR=: git add -p f; git diff --cached --stat
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? error: patch failed: f:1
  error: f: patch does not apply
  error: 'git apply --cached' failed
  Your edited hunk does not apply. Edit again (saying "no" discards!) [y/n]? (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (2/2) Stage this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (2/2) Stage this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
   f | 4 ++--
   1 file changed, 2 insertions(+), 2 deletions(-)

$ say e n n n | GIT_EDITOR='sed -i /^[^#]/d' git add -p f; say e n | GIT_EDITOR='cat' git add -p g; git diff --cached g
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (2/2) Stage this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/g b/g
  index 587be6b..b77b4eb 100644
  --- a/g
  +++ b/g
  @@ -1 +1,2 @@
   x
  +y
  (1/1) Stage this hunk [y,n,q,a,d,e,p,?]? # Manual hunk edit mode -- see bottom for a quick guide.
  @@ -1 +1,2 @@
   x
  +y
  # ---
  # To remove '-' lines, make them ' ' lines (context).
  # To remove '+' lines, delete them.
  # Lines starting with # will be removed.
  # If the patch applies cleanly, the edited hunk will immediately be marked for staging.
  # If it does not apply cleanly, you will be given an opportunity to
  # edit again.  If all lines of the hunk are removed, then the edit is
  # aborted and the hunk is left unchanged.
  
  diff --git a/g b/g
  index 587be6b..b77b4eb 100644
  --- a/g
  +++ b/g
  @@ -1 +1,2 @@
   x
  +y

$ git add .; say n y y | git reset -p; git status -s; say '?' y | git reset -p HEAD; git status -s; git diff --cached
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Unstage this hunk [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (2/2) Unstage this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/g b/g
  index 587be6b..b77b4eb 100644
  --- a/g
  +++ b/g
  @@ -1 +1,2 @@
   x
  +y
  (1/1) Unstage this hunk [y,n,q,a,d,e,p,?]? 
  MM f
   M g
  diff --git a/f b/f
  index 0ff3bbb..ea38462 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/1) Unstage this hunk [y,n,q,a,d,s,e,p,?]? y - unstage this hunk
  n - do not unstage this hunk
  q - quit; do not unstage this hunk or any of the remaining ones
  a - unstage this hunk and all later hunks in the file
  d - do not unstage this hunk or any of the later hunks in the file
  s - split the current hunk into smaller hunks
  e - manually edit the current hunk
  p - print the current hunk, 'P' to use the pager
  ? - print help
  (1/1) Unstage this hunk [y,n,q,a,d,s,e,p,?]? 
   M f
   M g

$ git commit -qam two; git tag two; say '?' n y | git reset -p HEAD~1; git status -s; git diff --cached
  diff --git b/f a/f
  index 5f8a8f5..0ff3bbb 100644
  --- b/f
  +++ a/f
  @@ -1,8 +1,8 @@
   1
   2
  -three
  +3
   4
  -five
  +5
   6
   7
   8
  (1/2) Apply this hunk to index [y,n,q,a,d,j,J,g,/,s,e,p,?]? y - apply this hunk to index
  n - do not apply this hunk to index
  q - quit; do not apply this hunk or any of the remaining ones
  a - apply this hunk and all later hunks in the file
  d - do not apply this hunk or any of the later hunks in the file
  j - leave this hunk undecided, see next undecided hunk
  J - leave this hunk undecided, see next hunk
  g - select a hunk to go to
  / - search for a hunk matching the given regex
  s - split the current hunk into smaller hunks
  e - manually edit the current hunk
  p - print the current hunk, 'P' to use the pager
  ? - print help
  (1/2) Apply this hunk to index [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@ five
   14
   15
   16
  -seventeen
  +17
   18
   19
   20
  (2/2) Apply this hunk to index [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git b/g a/g
  index b77b4eb..587be6b 100644
  --- b/g
  +++ a/g
  @@ -1,2 +1 @@
   x
  -y
  (1/1) Apply this hunk to index [y,n,q,a,d,e,p,?]? 
  MM f
  diff --git a/f b/f
  index 5f8a8f5..ea38462 100644
  --- a/f
  +++ b/f
  @@ -14,7 +14,7 @@ five
   14
   15
   16
  -seventeen
  +17
   18
   19
   20

$ say '?' y n y | git checkout -p; git status -s; git diff
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Discard this hunk from worktree [y,n,q,a,d,j,J,g,/,s,e,p,?]? y - discard this hunk from worktree
  n - do not discard this hunk from worktree
  q - quit; do not discard this hunk or any of the remaining ones
  a - discard this hunk and all later hunks in the file
  d - do not discard this hunk or any of the later hunks in the file
  j - leave this hunk undecided, see next undecided hunk
  J - leave this hunk undecided, see next hunk
  g - select a hunk to go to
  / - search for a hunk matching the given regex
  s - split the current hunk into smaller hunks
  e - manually edit the current hunk
  p - print the current hunk, 'P' to use the pager
  ? - print help
  (1/2) Discard this hunk from worktree [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (2/2) Discard this hunk from worktree [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/g b/g
  index 587be6b..b77b4eb 100644
  --- a/g
  +++ b/g
  @@ -1 +1,2 @@
   x
  +y
  (1/1) Discard this hunk from worktree [y,n,q,a,d,e,p,?]? 
   M f
  diff --git a/f b/f
  index 0ff3bbb..1dec825 100644
  --- a/f
  +++ b/f
  @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20

$ git add f; say '?' y n | git checkout -p HEAD; git status -s; git diff HEAD --stat; cat f | sed -n 17p
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Discard this hunk from index and worktree [y,n,q,a,d,j,J,g,/,s,e,p,?]? y - discard this hunk from index and worktree
  n - do not discard this hunk from index and worktree
  q - quit; do not discard this hunk or any of the remaining ones
  a - discard this hunk and all later hunks in the file
  d - do not discard this hunk or any of the later hunks in the file
  j - leave this hunk undecided, see next undecided hunk
  J - leave this hunk undecided, see next hunk
  g - select a hunk to go to
  / - search for a hunk matching the given regex
  s - split the current hunk into smaller hunks
  e - manually edit the current hunk
  p - print the current hunk, 'P' to use the pager
  ? - print help
  (1/2) Discard this hunk from index and worktree [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (2/2) Discard this hunk from index and worktree [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/g b/g
  index 587be6b..b77b4eb 100644
  --- a/g
  +++ b/g
  @@ -1 +1,2 @@
   x
  +y
  (1/1) Discard this hunk from index and worktree [y,n,q,a,d,e,p,?]? 
  M  f
   M g
   f | 2 +-
   g | 1 +
   2 files changed, 2 insertions(+), 1 deletion(-)
  seventeen

$ git add f; echo z >> f; say n y y n n | git checkout -p HEAD -- f; git status -s; tail -n 2 f; say y y n n | git checkout -p HEAD -- f; git status -s
  diff --git a/f b/f
  index 0ff3bbb..4fcc0c4 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Discard this hunk from index and worktree [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,8 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  +z
  (2/2) Discard this hunk from index and worktree [y,n,q,a,d,K,g,/,s,e,p,?]? error: patch failed: f:14
  error: f: patch does not apply
  The selected hunks do not apply to the index!
  Apply them to the worktree anyway? 
  MM f
   M g
  19
  20
  diff --git a/f b/f
  index 0ff3bbb..ea38462 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/1) Discard this hunk from index and worktree [y,n,q,a,d,s,e,p,?]? 
  MM f
   M g

$ git commit -qam two; say '?' y n n | git checkout -p HEAD~1; git status -s; sed -n 3p f
  diff --git b/f a/f
  index 5f8a8f5..0ff3bbb 100644
  --- b/f
  +++ a/f
  @@ -1,8 +1,8 @@
   1
   2
  -three
  +3
   4
  -five
  +5
   6
   7
   8
  (1/2) Apply this hunk to index and worktree [y,n,q,a,d,j,J,g,/,s,e,p,?]? y - apply this hunk to index and worktree
  n - do not apply this hunk to index and worktree
  q - quit; do not apply this hunk or any of the remaining ones
  a - apply this hunk and all later hunks in the file
  d - do not apply this hunk or any of the later hunks in the file
  j - leave this hunk undecided, see next undecided hunk
  J - leave this hunk undecided, see next hunk
  g - select a hunk to go to
  / - search for a hunk matching the given regex
  s - split the current hunk into smaller hunks
  e - manually edit the current hunk
  p - print the current hunk, 'P' to use the pager
  ? - print help
  (1/2) Apply this hunk to index and worktree [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@ five
   14
   15
   16
  -seventeen
  +17
   18
   19
   20
  (2/2) Apply this hunk to index and worktree [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git b/g a/g
  index b77b4eb..587be6b 100644
  --- b/g
  +++ a/g
  @@ -1,2 +1 @@
   x
  -y
  (1/1) Apply this hunk to index and worktree [y,n,q,a,d,e,p,?]? 
  M  f
  3

$ say y n n | git restore -p; git status -s; git add .; say y n n | git restore -p --staged; git status -s; say '?' y n | git restore -p -s HEAD f; git status -s
  diff --git a/f b/f
  index 0ff3bbb..5f8a8f5 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1,8 @@
   1
   2
  -3
  +three
   4
  -5
  +five
   6
   7
   8
  (1/2) Discard this hunk from worktree [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (2/2) Discard this hunk from worktree [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/g b/g
  index 587be6b..b77b4eb 100644
  --- a/g
  +++ b/g
  @@ -1 +1,2 @@
   x
  +y
  (1/1) Discard this hunk from worktree [y,n,q,a,d,e,p,?]? 
   M f
   M g
  diff --git a/f b/f
  index 0ff3bbb..1dec825 100644
  --- a/f
  +++ b/f
  @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (1/1) Unstage this hunk [y,n,q,a,d,e,p,?]? 
  diff --git a/g b/g
  index 587be6b..b77b4eb 100644
  --- a/g
  +++ b/g
  @@ -1 +1,2 @@
   x
  +y
  (1/1) Unstage this hunk [y,n,q,a,d,e,p,?]? 
   M f
  M  g
  diff --git a/f b/f
  index 0ff3bbb..1dec825 100644
  --- a/f
  +++ b/f
  @@ -14,7 +14,7 @@
   14
   15
   16
  -17
  +seventeen
   18
   19
   20
  (1/1) Discard this hunk from worktree [y,n,q,a,d,e,p,?]? y - discard this hunk from worktree
  n - do not discard this hunk from worktree
  q - quit; do not discard this hunk or any of the remaining ones
  a - discard this hunk and all later hunks in the file
  d - do not discard this hunk or any of the later hunks in the file
  e - manually edit the current hunk
  p - print the current hunk, 'P' to use the pager
  ? - print help
  (1/1) Discard this hunk from worktree [y,n,q,a,d,e,p,?]? 
  M  g

$ git commit -qam two; say '?' y n | git restore -p --source=HEAD~1 f; git status -s; git diff --stat
  diff --git b/f a/f
  index 5f8a8f5..0ff3bbb 100644
  --- b/f
  +++ a/f
  @@ -1,8 +1,8 @@
   1
   2
  -three
  +3
   4
  -five
  +5
   6
   7
   8
  (1/2) Apply this hunk to worktree [y,n,q,a,d,j,J,g,/,s,e,p,?]? y - apply this hunk to worktree
  n - do not apply this hunk to worktree
  q - quit; do not apply this hunk or any of the remaining ones
  a - apply this hunk and all later hunks in the file
  d - do not apply this hunk or any of the later hunks in the file
  j - leave this hunk undecided, see next undecided hunk
  J - leave this hunk undecided, see next hunk
  g - select a hunk to go to
  / - search for a hunk matching the given regex
  s - split the current hunk into smaller hunks
  e - manually edit the current hunk
  p - print the current hunk, 'P' to use the pager
  ? - print help
  (1/2) Apply this hunk to worktree [y,n,q,a,d,j,J,g,/,s,e,p,?]? @@ -14,7 +14,7 @@ five
   14
   15
   16
  -seventeen
  +17
   18
   19
   20
  (2/2) Apply this hunk to worktree [y,n,q,a,d,K,g,/,e,p,?]? 
   M f
   f | 4 ++--
   1 file changed, 2 insertions(+), 2 deletions(-)

$ mkdir d; cd d; seq 5 > h; git add h; git commit -qm h; echo 6 >> h; sed -i s/1/one/ h; say s y n | git add -p .; git status -s; git diff --cached h
  diff --git a/d/h b/d/h
  index 8a1218a..3926894 100644
  --- a/d/h
  +++ b/d/h
  @@ -1,5 +1,6 @@
  -1
  +one
   2
   3
   4
   5
  +6
  (1/1) Stage this hunk [y,n,q,a,d,s,e,p,?]? Split into 2 hunks.
  @@ -1,5 +1,5 @@
  -1
  +one
   2
   3
   4
   5
  (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? @@ -2,4 +2,5 @@
   2
   3
   4
   5
  +6
  (2/2) Stage this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  MM h
   M ../f
   M ../g
  diff --git a/d/h b/d/h
  index 8a1218a..1d48bbe 100644
  --- a/d/h
  +++ b/d/h
  @@ -1,4 +1,4 @@
  -1
  +one
   2
   3
   4

$ printf 'a\0b' > bin; git add bin; git commit -qm b; printf 'a\0c' > bin; git checkout -q f g; git add -p; say n | git add -p bin; git reset -p --hard; echo $?
  Only binary files changed.
  Only binary files changed.
  fatal: options '--patch' and '--{hard,mixed,soft}' cannot be used together
  128

$ seq 300 | sed 's/0$/0 x/' > f; git add f; git commit -qm many; sed -i 's/ x/ y/' f; say g '' 26 y 'g 3' y q | git add -p f; git diff --cached f; git status -s
  diff --git a/f b/f
  index a95bcb6..48db32e 100644
  --- a/f
  +++ b/f
  @@ -7,7 +7,7 @@
   7
   8
   9
  -10 x
  +10 y
   11
   12
   13
  (1/30) Stage this hunk [y,n,q,a,d,j,J,g,/,e,p,?]?   1:  -7,7 +7,7          -10 x
    2:  -17,7 +17,7        -20 x
    3:  -27,7 +27,7        -30 x
    4:  -37,7 +37,7        -40 x
    5:  -47,7 +47,7        -50 x
    6:  -57,7 +57,7        -60 x
    7:  -67,7 +67,7        -70 x
    8:  -77,7 +77,7        -80 x
    9:  -87,7 +87,7        -90 x
   10:  -97,7 +97,7        -100 x
   11:  -107,7 +107,7      -110 x
   12:  -117,7 +117,7      -120 x
   13:  -127,7 +127,7      -130 x
   14:  -137,7 +137,7      -140 x
   15:  -147,7 +147,7      -150 x
   16:  -157,7 +157,7      -160 x
   17:  -167,7 +167,7      -170 x
   18:  -177,7 +177,7      -180 x
   19:  -187,7 +187,7      -190 x
   20:  -197,7 +197,7      -200 x
  go to which hunk (<ret> to see more)?  21:  -207,7 +207,7      -210 x
   22:  -217,7 +217,7      -220 x
   23:  -227,7 +227,7      -230 x
   24:  -237,7 +237,7      -240 x
   25:  -247,7 +247,7      -250 x
   26:  -257,7 +257,7      -260 x
   27:  -267,7 +267,7      -270 x
   28:  -277,7 +277,7      -280 x
   29:  -287,7 +287,7      -290 x
   30:  -297,4 +297,4      -300 x
  go to which hunk? @@ -257,7 +257,7 @@
   257
   258
   259
  -260 x
  +260 y
   261
   262
   263
  (26/30) Stage this hunk [y,n,q,a,d,k,K,j,J,g,/,e,p,?]? @@ -267,7 +267,7 @@
   267
   268
   269
  -270 x
  +270 y
   271
   272
   273
  (27/30) Stage this hunk [y,n,q,a,d,k,K,j,J,g,/,e,p,?]? @@ -27,7 +27,7 @@
   27
   28
   29
  -30 x
  +30 y
   31
   32
   33
  (3/30) Stage this hunk [y,n,q,a,d,k,K,j,J,g,/,e,p,?]? @@ -37,7 +37,7 @@
   37
   38
   39
  -40 x
  +40 y
   41
   42
   43
  (4/30) Stage this hunk [y,n,q,a,d,k,K,j,J,g,/,e,p,?]? 
  diff --git a/f b/f
  index a95bcb6..02138de 100644
  --- a/f
  +++ b/f
  @@ -27,7 +27,7 @@
   27
   28
   29
  -30 x
  +30 y
   31
   32
   33
  @@ -257,7 +257,7 @@
   257
   258
   259
  -260 x
  +260 y
   261
   262
   263
  MM f
   M g
