% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Cob GIT_COMMITTER_EMAIL=cob@x.org
% export GIT_AUTHOR_DATE='1700000000 +0100' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=: GIT_MERGE_AUTOEDIT=no
% exec 2>&1
% git config --global init.defaultBranch main
% git init -q
% c() { echo "$1" >> "${2-$1}"; git add "${2-$1}"; git commit -qm "$1"; }
% c one; c two; git switch -qc s; c s1; git switch -q main; c three; git merge -q s -m mrg; git tag -a t -m x; c four; mkdir d

$ for r in HEAD^! HEAD~1^! HEAD~1^@ HEAD~1^- HEAD~1^-2 HEAD^- HEAD~1^-3; do echo $r; git rev-parse $r 2>&1 | head -3; git log --format=%s $r 2>&1 | head -4; done; git log -n -5 --format=%s | wc -l; git log --format=%s -n -1 HEAD^- 
  HEAD^!
  f2d440ed7a59c3d09ac2e78d56f25595209420de
  ^bd2555768ff175a66f23e443948989a439f4bfdf
  four
  HEAD~1^!
  bd2555768ff175a66f23e443948989a439f4bfdf
  ^48e3dffa78753f12b1228ed258cc427790ae71fd
  ^86946e231f75891e4fb341b374a86261b7fa64a2
  mrg
  HEAD~1^@
  48e3dffa78753f12b1228ed258cc427790ae71fd
  86946e231f75891e4fb341b374a86261b7fa64a2
  three
  s1
  two
  one
  HEAD~1^-
  bd2555768ff175a66f23e443948989a439f4bfdf
  ^48e3dffa78753f12b1228ed258cc427790ae71fd
  mrg
  s1
  HEAD~1^-2
  bd2555768ff175a66f23e443948989a439f4bfdf
  ^86946e231f75891e4fb341b374a86261b7fa64a2
  mrg
  three
  HEAD^-
  f2d440ed7a59c3d09ac2e78d56f25595209420de
  ^bd2555768ff175a66f23e443948989a439f4bfdf
  four
  HEAD~1^-3
  fatal: ambiguous argument 'HEAD~1^-3': unknown revision or path not in the working tree.
  Use '--' to separate paths from revisions, like this:
  'git <command> [<revision>...] -- [<file>...]'
  fatal: ambiguous argument 'HEAD~1^-3': unknown revision or path not in the working tree.
  Use '--' to separate paths from revisions, like this:
  'git <command> [<revision>...] -- [<file>...]'
  6
  four

$ git rev-parse --not HEAD ^s --not HEAD; git rev-parse --revs-only HEAD --max-count=1 -q -- x; git rev-parse --no-revs -q HEAD -- d; git rev-parse --default main; git rev-parse --default main s; git rev-parse --sq s HEAD; echo; git rev-parse --sq-quote a 'b c' "d'e"; git rev-parse --prefix d/ -- x; git rev-parse --since=1700000000; git rev-parse --symbolic t; git rev-parse --symbolic --branches; git rev-parse --abbrev-ref --tags; git rev-parse --symbolic-full-name --all
  ^f2d440ed7a59c3d09ac2e78d56f25595209420de
  86946e231f75891e4fb341b374a86261b7fa64a2
  f2d440ed7a59c3d09ac2e78d56f25595209420de
  f2d440ed7a59c3d09ac2e78d56f25595209420de
  --max-count=1
  --
  d
  f2d440ed7a59c3d09ac2e78d56f25595209420de
  86946e231f75891e4fb341b374a86261b7fa64a2
  '86946e231f75891e4fb341b374a86261b7fa64a2' 'f2d440ed7a59c3d09ac2e78d56f25595209420de' 
   'a' 'b c' 'd'\''e'
  --
  d/x
  --max-age=1700000000
  t
  main
  s
  t
  refs/heads/main
  refs/heads/s
  refs/tags/t

$ git rev-parse --glob='refs/heads/*'; git rev-parse --exclude='s*' --branches; git rev-parse --branches='s*'; git rev-parse --disambiguate=$(git rev-parse --short=6 HEAD); git rev-parse --git-path objects --show-ref-format --show-superproject-working-tree; cd d; git rev-parse --git-path objects | sed 's,.*/case,case,'; git rev-parse --path-format=relative --git-dir --show-toplevel --git-common-dir; git rev-parse --local-env-vars | wc -l
  f2d440ed7a59c3d09ac2e78d56f25595209420de
  86946e231f75891e4fb341b374a86261b7fa64a2
  f2d440ed7a59c3d09ac2e78d56f25595209420de
  86946e231f75891e4fb341b374a86261b7fa64a2
  f2d440ed7a59c3d09ac2e78d56f25595209420de
  .git/objects
  files
  ../.git/objects
  ../.git
  ../
  ../.git
  15

$ git init -q --bare ../r.git; git remote add origin ../r.git; git push -q -u origin main; git rev-parse --abbrev-ref @{push} main@{push} @{u}; git rev-parse main@{push}; git rev-parse --abbrev-ref s@{push}; git config push.default current; git rev-parse --abbrev-ref s@{push}; git push -q origin s; git rev-parse --abbrev-ref s@{push}; git config remote.pushDefault nope; git rev-parse --abbrev-ref s@{push}; git config push.default nothing; git rev-parse main@{push}; git config push.default upstream; git rev-parse --abbrev-ref main@{push}
  origin/main
  origin/main
  origin/main
  f2d440ed7a59c3d09ac2e78d56f25595209420de
  fatal: no upstream configured for branch 's'
  fatal: ambiguous argument 's@{push}': unknown revision or path not in the working tree.
  Use '--' to separate paths from revisions, like this:
  'git <command> [<revision>...] -- [<file>...]'
  s@{push}
  origin/s
  fatal: push destination 'refs/heads/s' on remote 'nope' has no local tracking branch
  fatal: push has no destination (push.default is 'nothing')
  origin/main

$ git worktree add -q ../w s; cd ../w; c w1; git bisect start HEAD HEAD~1 > /dev/null; git for-each-ref --format='%(refname)'; git update-ref refs/worktree/x HEAD; git for-each-ref refs/worktree --format='%(refname)'; git log -1 --format=%s main-worktree/HEAD; cd ../case; git for-each-ref --format='%(refname)'; git log -1 --format=%s worktrees/w/HEAD; git rev-parse refs/worktree/x; git -C ../w bisect reset 2>&1 | tail -1; git -C ../w for-each-ref --format='%(refname)'
  refs/bisect/bad
  refs/bisect/good-86946e231f75891e4fb341b374a86261b7fa64a2
  refs/heads/main
  refs/heads/s
  refs/tags/t
  refs/worktree/x
  four
  refs/heads/main
  refs/heads/s
  refs/tags/t
  w1
  fatal: ambiguous argument 'refs/worktree/x': unknown revision or path not in the working tree.
  Use '--' to separate paths from revisions, like this:
  'git <command> [<revision>...] -- [<file>...]'
  refs/worktree/x
  Already on 's'
  refs/heads/main
  refs/heads/s
  refs/tags/t
  refs/worktree/x

$ unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE; for z in America/New_York Asia/Kolkata EST5EDT XXX-3:30; do TZ=$z GIT_AUTHOR_DATE='2020-01-01 10:00' GIT_COMMITTER_DATE='@1600000000' git commit -q --allow-empty -m tz; git log -1 --format='%ai %ci %ct'; done; TZ=Asia/Kolkata git log -1 --date=local --format=%ad; TZ=Asia/Kolkata git log -1 --date=iso-local --format=%ad; TZ=Asia/Tokyo git log -1 --date=format-local:'%H %z %Z' --format=%ad; TZ=Asia/Tokyo git var GIT_AUTHOR_IDENT | sed 's/.* //'; TZ=Asia/Tokyo git log --since='2020-09-13 21:26:39' --format=%ct -1
  2020-01-01 10:00:00 -0500 2020-09-13 08:26:40 -0400 1600000000
  2020-01-01 10:00:00 +0530 2020-09-13 17:56:40 +0530 1600000000
  2020-01-01 10:00:00 -0500 2020-09-13 08:26:40 -0400 1600000000
  2020-01-01 10:00:00 +0330 2020-09-13 15:56:40 +0330 1600000000
  Wed Jan 1 12:00:00 2020
  2020-01-01 12:00:00 +0530
  15 +0900 JST
  +0900
  1600000000

$ git init -q ../lib; git -C ../lib commit -q --allow-empty -m lib; git -c protocol.file.allow=always submodule --quiet add ../lib m; git commit -qm sub; git ls-tree -l HEAD m one; git ls-tree -rl HEAD | cut -c1-60; git -C m rev-parse --show-superproject-working-tree | sed 's,.*/,,'
  160000 commit 00b7c3194ad114a4b5c64c04e42bceffafd5c449       -	m
  100644 blob 5626abf0f72e58d7a153368ba57db4c673c0e171       4	one
  100644 blob 611648d0d5b3a9449c591797139dd51971d44934      40
  100644 blob 8510665149157c2bc901848c3e0b746954e9cbd9       5
  160000 commit 00b7c3194ad114a4b5c64c04e42bceffafd5c449      
  100644 blob 5626abf0f72e58d7a153368ba57db4c673c0e171       4
  100644 blob 655c6e645cc5a42912b35234405e82775c242252       3
  100644 blob 2bdf67abb163a4ffb2d7f3f0880c9fe5068ce782       6
  100644 blob f719efd430d52bcfc8566a43b2eb655688d38871       4
  case

$ git log --format=%s HEAD --not s; git rev-list --count --not s --not HEAD; git log --format=%s --branches='s*'; git log --format=%s --exclude=main --branches; git log --format=%s --glob='s*' --glob=heads/s
  four
  mrg
  three
  3
  s1
  two
  one
  s1
  two
  one
