% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Cob GIT_COMMITTER_EMAIL=cob@x.org
% export GIT_AUTHOR_DATE='1700000000 +0100' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=: GIT_MERGE_AUTOEDIT=no
% exec 2>&1
% git config --global init.defaultBranch main
% git init -q
% mkdir -p .git/hooks
% h() { printf '#!/bin/sh\n%s\n' "$2" > .git/hooks/$1; chmod +x .git/hooks/$1; }
% c() { echo "$1" >> "${2-$1}"; git add "${2-$1}"; git commit -qm "$1"; }
% c one

$ h pre-commit 'echo pre; exit 1'; echo x > a; git add a; git commit -m no; echo $?; git log --oneline; git commit -qm no --no-verify; git commit --allow-empty -nqm no; git log --format=%s; h pre-commit 'echo x >> extra; git add extra; echo $GIT_INDEX_FILE $GIT_EDITOR'; c two; git show --stat --format=%s
  pre
  1
  3c0278e one
  no
  no
  one
  .git/index :
  two
  
   extra | 1 +
   two   | 1 +
   2 files changed, 2 insertions(+)

$ h prepare-commit-msg 'echo "prep $2 $3" >> $1'; h commit-msg 'echo "msg $1"; grep -q bad $1 && exit 1; exit 0'; h post-commit 'echo post'; c bad; c good a; git log -1 --format=%B; git commit --amend --no-edit -q; git log -1 --format=%B; git commit --allow-empty -C HEAD~1 -q; git log -1 --format=%B; git commit -q --allow-empty; git log -1 --format=%B
  msg .git/COMMIT_EDITMSG
  msg .git/COMMIT_EDITMSG
  post
  good
  prep message
  
  msg .git/COMMIT_EDITMSG
  post
  good
  prep message
  prep commit HEAD
  
  msg .git/COMMIT_EDITMSG
  post
  one
  prep commit HEAD~1
  
  msg .git/COMMIT_EDITMSG
  post
  prep
  

$ h post-rewrite 'echo "rw $1"; cat'; h post-checkout 'echo "co $*"'; h post-merge 'echo "pm $*"'; git commit -q --amend -m new; git switch -qc b; c b1; git checkout -q main; git checkout -q b -- b1; git merge -q b; git reset -q --hard HEAD~1; c m1; h pre-merge-commit 'echo pmc; exit 1'; git merge b; git status | head -3; git merge --abort; git merge -q --no-verify b; git log -1 --format=%s
  rw amend
  3c0278e810258413fac510f6ef19d94c446d7bdb b1ddbec9b31efd13d72dbab25c13772a24c80b18
  co b1ddbec9b31efd13d72dbab25c13772a24c80b18 b1ddbec9b31efd13d72dbab25c13772a24c80b18 1
  co f73faee73eb4a0eb3212e328be5dc090115b9d60 b1ddbec9b31efd13d72dbab25c13772a24c80b18 1
  co b1ddbec9b31efd13d72dbab25c13772a24c80b18 b1ddbec9b31efd13d72dbab25c13772a24c80b18 0
  pm 0
  pmc
  Not committing merge; use 'git commit' to complete the merge.
  On branch main
  All conflicts fixed but you are still merging.
    (use "git commit" to conclude merge)
  pm 0
  Merge branch 'b'

$ h pre-rebase 'echo "pr $*"; exit 1'; git switch -qc r; c r1; git switch -q main; c m1; git switch -q r; git rebase main; git rebase -q --no-verify main; git log --format=%s
  pr main
  error: The pre-rebase hook refused to rebase.
  r1
  m1
  one

$ git init -q --bare ../r.git; h pre-push 'echo "push $*"; cat; exit 1'; git push ../r.git HEAD:refs/heads/main; rm .git/hooks/pre-push; for n in pre-receive post-receive; do printf '#!/bin/sh\necho '$n'; cat\n' > ../r.git/hooks/$n; done; for n in update post-update; do printf '#!/bin/sh\necho "'$n' $*"\n[ "$1" != refs/heads/no ]\n' > ../r.git/hooks/$n; done; chmod +x ../r.git/hooks/*; git push ../r.git HEAD:refs/heads/main HEAD:refs/heads/no
  push ../r.git ../r.git
  HEAD 3c0278e810258413fac510f6ef19d94c446d7bdb refs/heads/main 0000000000000000000000000000000000000000
  error: failed to push some refs to '../r.git'
  remote: pre-receive        
  remote: 0000000000000000000000000000000000000000 3c0278e810258413fac510f6ef19d94c446d7bdb refs/heads/main        
  remote: 0000000000000000000000000000000000000000 3c0278e810258413fac510f6ef19d94c446d7bdb refs/heads/no        
  remote: update refs/heads/main 0000000000000000000000000000000000000000 3c0278e810258413fac510f6ef19d94c446d7bdb        
  remote: update refs/heads/no 0000000000000000000000000000000000000000 3c0278e810258413fac510f6ef19d94c446d7bdb        
  remote: error: hook declined to update refs/heads/no        
  remote: post-receive        
  remote: 0000000000000000000000000000000000000000 3c0278e810258413fac510f6ef19d94c446d7bdb refs/heads/main        
  remote: post-update refs/heads/main        
  To ../r.git
   * [new branch]      HEAD -> main
   ! [remote rejected] HEAD -> no (hook declined)
  error: failed to push some refs to '../r.git'
[1]

$ mkdir hk; printf '#!/bin/sh\necho "hk $*"; cat\n' > hk/pre-commit; chmod +x hk/pre-commit; git config core.hooksPath hk; git commit -q --allow-empty -m hk; echo in > in; git hook run --to-stdin=in pre-commit -- a 'b c'; chmod -x hk/pre-commit; git commit -q --allow-empty -m hk; git hook run pre-commit; git hook run nope; git hook run --ignore-missing nope; git hook
  hk 
  hk a b c
  in
  hint: The 'hk/pre-commit' hook was ignored because it's not set as executable.
  hint: You can disable this warning with `git config advice.ignoredHook false`.
  hint: The 'hk/pre-commit' hook was ignored because it's not set as executable.
  hint: You can disable this warning with `git config advice.ignoredHook false`.
  error: cannot find a hook named pre-commit
  error: cannot find a hook named nope
  error: need a subcommand
  usage: git hook run [--ignore-missing] [--to-stdin=<path>] <hook-name> [-- <hook-args>]
  
[129]

$ git config alias.l 'log --oneline'; git config alias.sh '!echo sh "$@"; pwd | sed s,.*/,,; echo [$GIT_PREFIX] #'; git config alias.f '!f() { echo "f $1"; exit 3; }; f'; mkdir d; cd d; git l -1; git sh a 'b  c'; git f x; echo $?
  3c0278e one
  sh a b  c
  case
  [d/]
  f x
  3
