% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=:
% exec 2>&1
% git config --global init.defaultBranch main; git init -q
% seq 20 > a; seq 5 > b; mkdir d; echo c > d/c; echo ab > ab; git add .; git commit -qm one; sed -i '2s/$/x/;18s/$/y/' a; sed -i 1d b; rm d/c; echo n > new; echo N > "new two"

$ printf 's\nq\n' | git add -i; printf '1\nquit\n' | git add -i; git add -i < /dev/null; printf 'h\n?\nz\n9\n0\nst\n\n' | git add --interactive
             staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Bye.
             staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Bye.
             staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  Bye.
             staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> status        - show paths with changes
  update        - add working tree state to the staged set of changes
  revert        - revert staged set of changes back to the HEAD version
  patch         - pick hunks and update selectively
  diff          - view diff between HEAD and index
  add untracked - add contents of untracked files to the staged set of changes
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Prompt help:
  1          - select a numbered item
  foo        - select item based on unique prefix
             - (empty) select nothing
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Huh (z)?
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Huh (9)?
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Huh (0)?
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  Bye.

$ printf 'u\n1\n\ns\nq\n' | git add -i; git status -s; printf 'update\n2-\n-3\n\n7\n' | git add -i; git status -s; printf 'u\n*\nq\n' | git add -i; git status -s; printf 'u\n' | git add -i
             staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:    unchanged        +2/-2 [a]
    2:    unchanged        +0/-1 [b]
    3:    unchanged        +0/-1 [d]/c
  Update>>            staged     unstaged path
  * 1:    unchanged        +2/-2 [a]
    2:    unchanged        +0/-1 [b]
    3:    unchanged        +0/-1 [d]/c
  Update>> updated 1 path
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:        +2/-2      nothing a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Bye.
  M  a
   M b
   D d/c
  ?? new
  ?? "new two"
             staged     unstaged path
    1:        +2/-2      nothing a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:    unchanged        +0/-1 [b]
    2:    unchanged        +0/-1 [d]/c
  Update>>            staged     unstaged path
    1:    unchanged        +0/-1 [b]
  * 2:    unchanged        +0/-1 [d]/c
  Update>> Huh (3)?
             staged     unstaged path
    1:    unchanged        +0/-1 [b]
  * 2:    unchanged        +0/-1 [d]/c
  Update>> updated 1 path
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Bye.
  M  a
   M b
  D  d/c
  ?? new
  ?? "new two"
             staged     unstaged path
    1:        +2/-2      nothing a
    2:    unchanged        +0/-1 b
    3:        +0/-1      nothing d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:    unchanged        +0/-1 [b]
  Update>> updated 1 path
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Bye.
  M  a
  M  b
  D  d/c
  ?? new
  ?? "new two"
             staged     unstaged path
    1:        +2/-2      nothing a
    2:        +0/-1      nothing b
    3:        +0/-1      nothing d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  Bye.

$ git add .; printf 'r\na\n1,3\n\nq\n' | git add -i; git status -s; printf '3\n*\n3\n' | git add -i; git status -s
             staged     unstaged path
    1:        +2/-2      nothing a
    2:        +0/-1      nothing b
    3:        +0/-1      nothing d/c
    4:        +1/-0      nothing new
    5:        +1/-0      nothing new two
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:        +2/-2      nothing [a]
    2:        +0/-1      nothing [b]
    3:        +0/-1      nothing [d]/c
    4:        +1/-0      nothing new
    5:        +1/-0      nothing new two
  Revert>>            staged     unstaged path
  * 1:        +2/-2      nothing [a]
    2:        +0/-1      nothing [b]
    3:        +0/-1      nothing [d]/c
    4:        +1/-0      nothing new
    5:        +1/-0      nothing new two
  Revert>>            staged     unstaged path
  * 1:        +2/-2      nothing [a]
    2:        +0/-1      nothing [b]
  * 3:        +0/-1      nothing [d]/c
    4:        +1/-0      nothing new
    5:        +1/-0      nothing new two
  Revert>> reverted 2 paths
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Bye.
   M a
  M  b
   D d/c
  A  new
  A  "new two"
             staged     unstaged path
    1:    unchanged        +2/-2 a
    2:        +0/-1      nothing b
    3:    unchanged        +0/-1 d/c
    4:        +1/-0      nothing new
    5:        +1/-0      nothing new two
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:        +0/-1      nothing [b]
    2:        +1/-0      nothing new
    3:        +1/-0      nothing new two
  Revert>> note: new is untracked now.
  note: new two is untracked now.
  reverted 3 paths
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  Bye.
   M a
   M b
   D d/c
  ?? new
  ?? "new two"

$ printf 'a\n1\n\nq\n' | git add -i; git status -s; printf '4\n*\n4\n' | git add -i; git status -s; printf 'a\n' | git add -i
             staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1: new
    2: new two
  Add untracked>>            staged     unstaged path
  * 1: new
    2: new two
  Add untracked>> added 1 path
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Bye.
   M a
   M b
   D d/c
  A  new
  ?? "new two"
             staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
    4:        +1/-0      nothing new
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1: [n]ew two
  Add untracked>> added 1 path
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> No untracked files.
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  Bye.
   M a
   M b
   D d/c
  A  new
  A  "new two"
             staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
    4:        +1/-0      nothing new
    5:        +1/-0      nothing new two
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> No untracked files.
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  Bye.

$ printf 'p\na\n\ny\nn\nq\n' | git add -i; git status -s; git diff --cached; printf 'p\n1 2\n\ny\nq\n' | git add -i; git status -s; printf 'd\n1\nd\n*\nq\n' | git add -i; git reset -q; printf 'p\n\nd\nq\n' | git add -i
             staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:    unchanged        +2/-2 [a]
    2:    unchanged        +0/-1 [b]
    3:    unchanged        +0/-1 [d]/c
  Patch update>>            staged     unstaged path
  * 1:    unchanged        +2/-2 [a]
    2:    unchanged        +0/-1 [b]
    3:    unchanged        +0/-1 [d]/c
  Patch update>> diff --git a/a b/a
  index 0ff3bbb..29c552b 100644
  --- a/a
  +++ b/a
  @@ -1,5 +1,5 @@
   1
  -2
  +2x
   3
   4
   5
  (1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? @@ -15,6 +15,6 @@
   15
   16
   17
  -18
  +18y
   19
   20
  (2/2) Stage this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Bye.
  MM a
   M b
   D d/c
  ?? new
  ?? "new two"
  diff --git a/a b/a
  index 0ff3bbb..ace862c 100644
  --- a/a
  +++ b/a
  @@ -1,5 +1,5 @@
   1
  -2
  +2x
   3
   4
   5
             staged     unstaged path
    1:        +1/-1        +1/-1 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:        +1/-1        +1/-1 [a]
    2:    unchanged        +0/-1 [b]
    3:    unchanged        +0/-1 [d]/c
  Patch update>>            staged     unstaged path
  * 1:        +1/-1        +1/-1 [a]
  * 2:    unchanged        +0/-1 [b]
    3:    unchanged        +0/-1 [d]/c
  Patch update>> diff --git a/a b/a
  index ace862c..29c552b 100644
  --- a/a
  +++ b/a
  @@ -15,6 +15,6 @@
   15
   16
   17
  -18
  +18y
   19
   20
  (1/1) Stage this hunk [y,n,q,a,d,e,p,?]? 
  diff --git a/b b/b
  index 8a1218a..f8affbc 100644
  --- a/b
  +++ b/b
  @@ -1,4 +1,3 @@
  -1
   2
   3
   4
  (1/1) Stage this hunk [y,n,q,a,d,e,p,?]? 
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  Bye.
  M  a
   M b
   D d/c
  ?? new
  ?? "new two"
             staged     unstaged path
    1:        +2/-2      nothing a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:        +2/-2      nothing [a]
  Review diff>> diff --git a/a b/a
  index 0ff3bbb..29c552b 100644
  --- a/a
  +++ b/a
  @@ -1,5 +1,5 @@
   1
  -2
  +2x
   3
   4
   5
  @@ -15,6 +15,6 @@
   15
   16
   17
  -18
  +18y
   19
   20
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:        +2/-2      nothing [a]
  Review diff>> diff --git a/a b/a
  index 0ff3bbb..29c552b 100644
  --- a/a
  +++ b/a
  @@ -1,5 +1,5 @@
   1
  -2
  +2x
   3
   4
   5
  @@ -15,6 +15,6 @@
   15
   16
   17
  -18
  +18y
   19
   20
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Bye.
             staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:    unchanged        +2/-2 [a]
    2:    unchanged        +0/-1 [b]
    3:    unchanged        +0/-1 [d]/c
  Patch update>> *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Bye.

$ printf 'u\n?\n7\nx\n1-9\n\nq\n' | git add -i; git status -s; git commit -qm two; printf 's\nu\np\nr\nd\n' | git add -i
             staged     unstaged path
    1:    unchanged        +2/-2 a
    2:    unchanged        +0/-1 b
    3:    unchanged        +0/-1 d/c
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now>            staged     unstaged path
    1:    unchanged        +2/-2 [a]
    2:    unchanged        +0/-1 [b]
    3:    unchanged        +0/-1 [d]/c
  Update>> Prompt help:
  1          - select a single item
  3-5        - select a range of items
  2-3,6-9    - select multiple ranges
  foo        - select item based on unique prefix
  -...       - unselect specified items
  *          - choose all items
             - (empty) finish selecting
             staged     unstaged path
    1:    unchanged        +2/-2 [a]
    2:    unchanged        +0/-1 [b]
    3:    unchanged        +0/-1 [d]/c
  Update>> Huh (7)?
             staged     unstaged path
    1:    unchanged        +2/-2 [a]
    2:    unchanged        +0/-1 [b]
    3:    unchanged        +0/-1 [d]/c
  Update>> Huh (x)?
             staged     unstaged path
    1:    unchanged        +2/-2 [a]
    2:    unchanged        +0/-1 [b]
    3:    unchanged        +0/-1 [d]/c
  Update>>            staged     unstaged path
  * 1:    unchanged        +2/-2 [a]
  * 2:    unchanged        +0/-1 [b]
  * 3:    unchanged        +0/-1 [d]/c
  Update>> updated 3 paths
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> Bye.
  M  a
  M  b
  D  d/c
  ?? new
  ?? "new two"
  
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> No changes.
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  *** Commands ***
    1: [s]tatus	  2: [u]pdate	  3: [r]evert	  4: [a]dd untracked
    5: [p]atch	  6: [d]iff	  7: [q]uit	  8: [h]elp
  What now> 
  Bye.

$ printf 'y\nn\nn\ny\n' | git stash -p; echo $?; git status -s; git stash list; git stash show -p; git stash pop; git status -s
  diff --git a/a b/a
  index 0ff3bbb..29c552b 100644
  --- a/a
  +++ b/a
  @@ -1,5 +1,5 @@
   1
  -2
  +2x
   3
   4
   5
  (1/2) Stash this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? @@ -15,6 +15,6 @@
   15
   16
   17
  -18
  +18y
   19
   20
  (2/2) Stash this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/b b/b
  index 8a1218a..f8affbc 100644
  --- a/b
  +++ b/b
  @@ -1,4 +1,3 @@
  -1
   2
   3
   4
  (1/1) Stash this hunk [y,n,q,a,d,e,p,?]? 
  diff --git a/d/c b/d/c
  deleted file mode 100644
  index f2ad6c7..0000000
  --- a/d/c
  +++ /dev/null
  @@ -1 +0,0 @@
  -c
  (1/1) Stash deletion [y,n,q,a,d,p,?]? 
  Saved working directory and index state WIP on main: 79e5756 one
  0
   M a
   M b
  ?? new
  ?? "new two"
  stash@{0}: WIP on main: 79e5756 one
  diff --git a/a b/a
  index 0ff3bbb..ace862c 100644
  --- a/a
  +++ b/a
  @@ -1,5 +1,5 @@
   1
  -2
  +2x
   3
   4
   5
  diff --git a/d/c b/d/c
  deleted file mode 100644
  index f2ad6c7..0000000
  --- a/d/c
  +++ /dev/null
  @@ -1 +0,0 @@
  -c
  error: Your local changes to the following files would be overwritten by merge:
  	a
  Please commit your changes or stash them before you merge.
  Aborting
  On branch main
  Changes not staged for commit:
    (use "git add <file>..." to update what will be committed)
    (use "git restore <file>..." to discard changes in working directory)
  	modified:   a
  	modified:   b
  
  Untracked files:
    (use "git add <file>..." to include in what will be committed)
  	new
  	new two
  
  no changes added to commit (use "git add" and/or "git commit -a")
  The stash entry is kept in case you need it again.
   M a
   M b
  ?? new
  ?? "new two"

$ printf 'n\nn\nn\nn\n' | git stash -p; echo $?; git stash list; printf 'q\n' | git stash push --patch; echo $?; printf 'y\nq\n' | git stash push -p -m mine; git stash list; git diff --stat; git stash show; printf 'a\n' | git stash -p b; git stash push -p b < /dev/null; git stash list; git stash show --stat; git status -s
  diff --git a/a b/a
  index 0ff3bbb..29c552b 100644
  --- a/a
  +++ b/a
  @@ -1,5 +1,5 @@
   1
  -2
  +2x
   3
   4
   5
  (1/2) Stash this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? @@ -15,6 +15,6 @@
   15
   16
   17
  -18
  +18y
   19
   20
  (2/2) Stash this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/b b/b
  index 8a1218a..f8affbc 100644
  --- a/b
  +++ b/b
  @@ -1,4 +1,3 @@
  -1
   2
   3
   4
  (1/1) Stash this hunk [y,n,q,a,d,e,p,?]? 
  diff --git a/d/c b/d/c
  deleted file mode 100644
  index f2ad6c7..0000000
  --- a/d/c
  +++ /dev/null
  @@ -1 +0,0 @@
  -c
  (1/1) Stash deletion [y,n,q,a,d,p,?]? 
  No changes selected
  1
  diff --git a/a b/a
  index 0ff3bbb..29c552b 100644
  --- a/a
  +++ b/a
  @@ -1,5 +1,5 @@
   1
  -2
  +2x
   3
   4
   5
  (1/2) Stash this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? 
  No changes selected
  1
  diff --git a/a b/a
  index 0ff3bbb..29c552b 100644
  --- a/a
  +++ b/a
  @@ -1,5 +1,5 @@
   1
  -2
  +2x
   3
   4
   5
  (1/2) Stash this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? @@ -15,6 +15,6 @@
   15
   16
   17
  -18
  +18y
   19
   20
  (2/2) Stash this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  Saved working directory and index state On main: mine
  stash@{0}: On main: mine
   a   | 2 +-
   b   | 1 -
   d/c | 1 -
   3 files changed, 1 insertion(+), 3 deletions(-)
   a | 2 +-
   1 file changed, 1 insertion(+), 1 deletion(-)
  fatal: subcommand wasn't specified; 'push' can't be assumed due to unexpected token 'b'
  diff --git a/b b/b
  index 8a1218a..f8affbc 100644
  --- a/b
  +++ b/b
  @@ -1,4 +1,3 @@
  -1
   2
   3
   4
  (1/1) Stash this hunk [y,n,q,a,d,e,p,?]? 
  No changes selected
  stash@{0}: On main: mine
   a | 2 +-
   1 file changed, 1 insertion(+), 1 deletion(-)
   M a
   M b
   D d/c
  ?? new
  ?? "new two"

$ git add b; printf 'a\nn\ny\n' | git stash -p; git status -s; git stash show --name-status; git stash apply; git status -s; git checkout -q .; git stash drop -q; sed -i 5s/5/five/ a; git add a; sed -i 15s/15/z/ a; printf 'n\ny\nn\nn\n' | git stash -p --no-keep-index; git status -s; git diff; git stash show -p stash@{0}
  diff --git a/a b/a
  index 0ff3bbb..29c552b 100644
  --- a/a
  +++ b/a
  @@ -1,5 +1,5 @@
   1
  -2
  +2x
   3
   4
   5
  (1/2) Stash this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? 
  diff --git a/b b/b
  index 8a1218a..f8affbc 100644
  --- a/b
  +++ b/b
  @@ -1,4 +1,3 @@
  -1
   2
   3
   4
  (1/1) Stash this hunk [y,n,q,a,d,e,p,?]? 
  diff --git a/d/c b/d/c
  deleted file mode 100644
  index f2ad6c7..0000000
  --- a/d/c
  +++ /dev/null
  @@ -1 +0,0 @@
  -c
  (1/1) Stash deletion [y,n,q,a,d,p,?]? 
  Saved working directory and index state WIP on main: 79e5756 one
  M  b
  ?? new
  ?? "new two"
  M	a
  D	d/c
  On branch main
  Changes to be committed:
    (use "git restore --staged <file>..." to unstage)
  	modified:   b
  
  Changes not staged for commit:
    (use "git add/rm <file>..." to update what will be committed)
    (use "git restore <file>..." to discard changes in working directory)
  	modified:   a
  	deleted:    d/c
  
  Untracked files:
    (use "git add <file>..." to include in what will be committed)
  	new
  	new two
  
   M a
  M  b
   D d/c
  ?? new
  ?? "new two"
  diff --git a/a b/a
  index 0ff3bbb..52e8ccd 100644
  --- a/a
  +++ b/a
  @@ -2,7 +2,7 @@
   2
   3
   4
  -5
  +five
   6
   7
   8
  (1/2) Stash this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? @@ -12,7 +12,7 @@
   12
   13
   14
  -15
  +z
   16
   17
   18
  (2/2) Stash this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/b b/b
  index 8a1218a..f8affbc 100644
  --- a/b
  +++ b/b
  @@ -1,4 +1,3 @@
  -1
   2
   3
   4
  (1/1) Stash this hunk [y,n,q,a,d,e,p,?]? 
  Saved working directory and index state WIP on main: 79e5756 one
   M a
   M b
  ?? new
  ?? "new two"
  diff --git a/a b/a
  index 0ff3bbb..fb3ced1 100644
  --- a/a
  +++ b/a
  @@ -2,7 +2,7 @@
   2
   3
   4
  -5
  +five
   6
   7
   8
  diff --git a/b b/b
  index 8a1218a..f8affbc 100644
  --- a/b
  +++ b/b
  @@ -1,4 +1,3 @@
  -1
   2
   3
   4
  diff --git a/a b/a
  index 0ff3bbb..4e158d6 100644
  --- a/a
  +++ b/a
  @@ -12,7 +12,7 @@
   12
   13
   14
  -15
  +z
   16
   17
   18

$ printf 's\n?\ny\n' | git stash -p; git stash -p -u; echo $?; chmod +x b; printf 'q\n' | git stash push -p b; printf 'y\nq\n' | git stash -p -- b; git status -s
  diff --git a/a b/a
  index 0ff3bbb..29c552b 100644
  --- a/a
  +++ b/a
  @@ -1,5 +1,5 @@
   1
  -2
  +2x
   3
   4
   5
  (1/2) Stash this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? Sorry, cannot split this hunk
  (1/2) Stash this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? y - stash this hunk
  n - do not stash this hunk
  q - quit; do not stash this hunk or any of the remaining ones
  a - stash this hunk and all later hunks in the file
  d - do not stash this hunk or any of the later hunks in the file
  j - leave this hunk undecided, see next undecided hunk
  J - leave this hunk undecided, see next hunk
  g - select a hunk to go to
  / - search for a hunk matching the given regex
  e - manually edit the current hunk
  p - print the current hunk, 'P' to use the pager
  ? - print help
  (1/2) Stash this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? @@ -15,6 +15,6 @@
   15
   16
   17
  -18
  +18y
   19
   20
  (2/2) Stash this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  diff --git a/b b/b
  index 8a1218a..f8affbc 100644
  --- a/b
  +++ b/b
  @@ -1,4 +1,3 @@
  -1
   2
   3
   4
  (1/1) Stash this hunk [y,n,q,a,d,e,p,?]? 
  diff --git a/d/c b/d/c
  deleted file mode 100644
  index f2ad6c7..0000000
  --- a/d/c
  +++ /dev/null
  @@ -1 +0,0 @@
  -c
  (1/1) Stash deletion [y,n,q,a,d,p,?]? 
  Saved working directory and index state WIP on main: 79e5756 one
  Can't use --patch and --include-untracked or --all at the same time
  1
  diff --git a/b b/b
  index 8a1218a..f8affbc
  --- a/b
  +++ b/b
  old mode 100644
  new mode 100755
  (1/2) Stash mode change [y,n,q,a,d,j,J,g,/,p,?]? 
  No changes selected
  diff --git a/b b/b
  index 8a1218a..f8affbc
  --- a/b
  +++ b/b
  old mode 100644
  new mode 100755
  (1/2) Stash mode change [y,n,q,a,d,j,J,g,/,p,?]? @@ -1,4 +1,3 @@
  -1
   2
   3
   4
  (2/2) Stash this hunk [y,n,q,a,d,K,g,/,e,p,?]? 
  Saved working directory and index state WIP on main: 79e5756 one
   M a
   M b
   D d/c
  ?? new
  ?? "new two"
