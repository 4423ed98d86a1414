% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1
% exec 2>&1
% git config --global init.defaultBranch main
% git init -q
% c() { echo "$1" >> f; git add f; git commit -qm "$1"; }
% c one
% git branch x
% git worktree add -q ../w x
% at() { sed "s#'/[^']*/#'#; s#^/[^ ]*/##; s#worktree /.*/#worktree #"; }

$ touch ../w/new; git worktree remove ../w; rm ../w/new; echo nothing > ../w/nothing; git worktree remove ../w; rm ../w/nothing; echo >> ../w/f; git worktree remove w; git -C ../w add f; git worktree remove w; ls ../w; git -C ../w reset -q --hard; git worktree remove w; ls ..
  fatal: '../w' contains modified or untracked files, use --force to delete it
  fatal: '../w' contains modified or untracked files, use --force to delete it
  fatal: 'w' contains modified or untracked files, use --force to delete it
  fatal: 'w' contains modified or untracked files, use --force to delete it
  f
  case

$ (git branch -D x; git branch -d x; git switch x; git checkout x; git checkout -B x; git switch -C x) 2>&1 | at; git checkout --ignore-other-worktrees -q x; git branch --show-current
  error: cannot delete branch 'x' used by worktree at 'w'
  error: cannot delete branch 'x' used by worktree at 'w'
  fatal: 'x' is already used by worktree at 'w'
  fatal: 'x' is already used by worktree at 'w'
  fatal: 'x' is already used by worktree at 'w'
  fatal: 'x' is already used by worktree at 'w'
  x

$ git branch y; (git branch -f x y; git branch -M y x) 2>&1 | at; git branch -m x z; git -C ../w branch --show-current; git -C ../w branch -m main q; git branch; git worktree add ../v z 2>&1 | at; git -C ../w bisect start >/dev/null; git -C ../w switch -q --detach; (git branch -D z; git switch z) 2>&1 | at
  fatal: cannot force update the branch 'x' used by worktree at 'w'
  fatal: cannot force update the branch 'x' used by worktree at 'w'
  z
  * q
    y
  + z
  Preparing worktree (checking out 'z')
  fatal: 'z' is already used by worktree at 'w'
  warning: you are switching branch while bisecting
  error: cannot delete branch 'z' used by worktree at 'w'
  fatal: 'z' is already used by worktree at 'w'

$ git worktree add -q --lock ../v; git worktree lock ../v; git worktree unlock v; git worktree lock --reason 'a b' ../v; git worktree lock v; rm -rf ../w; (git worktree list; git worktree list -v; git worktree list --porcelain) 2>&1 | at; git worktree remove ../v; git worktree remove -f ../v; git worktree prune -v; git worktree unlock ../v; git worktree unlock ../v; git worktree lock ../v; git worktree remove -f -f ../v; git worktree list | wc -l; git worktree lock .; git worktree lock nope
  fatal: '../v' is already locked, reason: added with --lock
  fatal: 'v' is already locked, reason: a b
  case  6f246a4 [main]
  v     6f246a4 [v] locked
  w     6f246a4 [x] prunable
  case  6f246a4 [main]
  v     6f246a4 [v]
  	locked: a b
  w     6f246a4 [x]
  	prunable: gitdir file points to non-existent location
  worktree case
  HEAD 6f246a493739452480b6a255095d8976860aebe4
  branch refs/heads/main
  
  worktree v
  HEAD 6f246a493739452480b6a255095d8976860aebe4
  branch refs/heads/v
  locked a b
  
  worktree w
  HEAD 6f246a493739452480b6a255095d8976860aebe4
  branch refs/heads/x
  prunable gitdir file points to non-existent location
  
  fatal: cannot remove a locked working tree, lock reason: a b
  use 'remove -f -f' to override or unlock first
  fatal: cannot remove a locked working tree, lock reason: a b
  use 'remove -f -f' to override or unlock first
  Removing worktrees/w: gitdir file points to non-existent location
  fatal: '../v' is not locked
  1
  fatal: The main working tree cannot be locked or unlocked
  fatal: 'nope' is not a working tree
[128]
