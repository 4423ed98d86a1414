% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=:
% exec 2>&1
% git config --global init.defaultBranch main
% git init -q
% printf 'one\ntwo\nthree\n' > a; git add a; git commit -qm first; echo b > b; git add b; git commit -qm second -m body
% git tag v1; git branch feature; echo four >> a; mkdir d; echo e > d/e; git add .; git commit -qm third
% git switch -q feature; echo f > f; git add f; git commit -qm feature; git switch -q main; echo '*.log' > .gitignore; git add .; git commit -qm ignore

$ git log --format=; git log --format= --numstat; git log --format= --name-only; git log --format= --name-status -2; git log --format= --stat -1; git log -1 --format= -p; git show --format= --name-only; git show -s --format=
  1	0	.gitignore
  1	0	a
  1	0	d/e
  1	0	b
  3	0	a
  .gitignore
  a
  d/e
  b
  a
  A	.gitignore
  M	a
  A	d/e
   .gitignore | 1 +
   1 file changed, 1 insertion(+)
  diff --git a/.gitignore b/.gitignore
  new file mode 100644
  index 0000000..397b4a7
  --- /dev/null
  +++ b/.gitignore
  @@ -0,0 +1 @@
  +*.log
  .gitignore

$ git branch --contains HEAD~1; git branch --contains v1 'f*'; git branch --contains; git branch --no-contains HEAD; git branch --merged feature; git branch --no-merged main; git branch --merged; git branch --contains=main; git branch --contains HEAD --contains feature; git tag --contains HEAD~2; git tag --contains HEAD; git tag --merged main; git for-each-ref --contains HEAD~1 --format='%(refname)'; git for-each-ref --no-merged main --format='%(refname)'
  * main
    feature
  * main
    feature
    feature
    feature
  * main
  * main
    feature
  * main
  v1
  v1
  refs/heads/main
  refs/heads/feature

$ git commit --amend -qm x; git commit --amend -m better; git commit --amend --no-edit --reset-author; git commit --allow-empty -C HEAD~1; git commit --allow-empty --date='2020-01-01T00:00:00Z' -m dated
  [main aacf1c1] better
   Date: Tue Nov 14 22:13:20 2023 +0000
   1 file changed, 1 insertion(+)
   create mode 100644 .gitignore
  [main aacf1c1] better
   1 file changed, 1 insertion(+)
   create mode 100644 .gitignore
  [main 871a40e] third
   Date: Tue Nov 14 22:13:20 2023 +0000
  [main a28396c] dated
   Date: Wed Jan 1 00:00:00 2020 +0000

$ git log --oneline feature...main; git log --oneline main...feature; git log --left-right --oneline main...feature; git log --left-right --format='%m %s' feature...main; git rev-list --left-right --count main...feature; git rev-list main...feature
  11c2092 feature
  9d01002 ignore
  88f830a third
  9d01002 ignore
  11c2092 feature
  88f830a third
  < 9d01002 ignore
  > 11c2092 feature
  < 88f830a third
  < feature
  > ignore
  > third
  2	1
  9d010023bfb74e3e6abc65511a31fb36e81950dd
  11c2092062033104b0f02881732117ae6d0d9865
  88f830a112950808e79a9e8d15b1d54f476b1280

$ printf 'tr  \n  \tx\n<<<<<<< a\n=======\n>>>>>>> b\n\n\n' >> a; git diff --check; echo $?; git diff --check -- b; echo $?; git diff --check --exit-code; echo $?; git add a; git diff --check; git diff --cached --check; printf 'x\n=======' > b; git diff --check; printf ' \t \tboth \n \t\n' > b; git diff --check HEAD; git diff --check HEAD~1 HEAD; echo $?
  a:5: trailing whitespace.
  +tr  
  a:6: space before tab in indent.
  +  	x
  a:7: leftover conflict marker
  a:8: leftover conflict marker
  a:9: leftover conflict marker
  a:10: new blank line at EOF.
  2
  0
  a:5: trailing whitespace.
  +tr  
  a:6: space before tab in indent.
  +  	x
  a:7: leftover conflict marker
  a:8: leftover conflict marker
  a:9: leftover conflict marker
  a:10: new blank line at EOF.
  3
  a:5: trailing whitespace.
  +tr  
  a:6: space before tab in indent.
  +  	x
  a:7: leftover conflict marker
  a:8: leftover conflict marker
  a:9: leftover conflict marker
  a:10: new blank line at EOF.
  b:2: leftover conflict marker
  a:5: trailing whitespace.
  +tr  
  a:6: space before tab in indent.
  +  	x
  a:7: leftover conflict marker
  a:8: leftover conflict marker
  a:9: leftover conflict marker
  a:10: new blank line at EOF.
  b:1: trailing whitespace, space before tab in indent.
  + 	 	both 
  b:2: trailing whitespace.
  + 	
  b:2: new blank line at EOF.
  0

$ echo two >> b; echo nine >> a; git diff -S two --name-only; git diff -G 'ni.e|x' --name-only; git diff -S three --name-only; git diff -G 't.o' --stat; git log -G 'thr(e)+' --oneline; git log -G 'f.$' --oneline --all; git diff -S 't[uw]o' --pickaxe-regex --name-only
  b
  a
   b | 1 +
   1 file changed, 1 insertion(+)
  83df2e9 first
  b

$ git describe; git describe --tags; git describe --tags --long; git describe --tags --always HEAD~3 HEAD; git describe --always HEAD~3; git describe --tags HEAD~3; git describe --tags --exact-match; git describe --tags --exact-match v1; git describe --tags --abbrev=0; git describe --tags --abbrev=12; git describe --all; git describe --all HEAD~1; git describe --tags nosuch; git describe nosuch --always
  fatal: No annotated tags can describe '9d010023bfb74e3e6abc65511a31fb36e81950dd'.
  However, there were unannotated tags: try --tags.
  v1-2-g9d01002
  v1-2-g9d01002
  83df2e9
  v1-2-g9d01002
  83df2e9
  fatal: No tags can describe '83df2e9a5e903c8788af04842b00eb4a71b47c88'.
  Try --always, or create some tags.
  fatal: no tag exactly matches '9d010023bfb74e3e6abc65511a31fb36e81950dd'
  v1
  v1
  v1-2-g9d010023bfb7
  heads/main
  tags/v1-1-g88f830a
  fatal: Not a valid object name nosuch
  fatal: Not a valid object name nosuch
[128]

$ git tag -a v2 -m two HEAD~1; git describe; git describe --long v2; git describe v1; git describe --tags v1; git describe --match 'v1*'; git describe --tags --match 'v1*'; git describe --tags --exclude 'v2*'; git describe --all v2; git describe --dirty; echo x >> a; git describe --dirty; git describe --dirty=-mod; git describe --dirty HEAD; git describe --long --abbrev=0; git describe feature; git describe --tags feature main v1; git describe --first-parent; git describe --candidates=1 --tags; git describe --contains HEAD~2; git describe --contains HEAD
  v2-1-g9d01002
  v2-0-g88f830a
  fatal: No annotated tags can describe 'd2c627fae0fc99fc0049f39c3bce07a151fe8f13'.
  However, there were unannotated tags: try --tags.
  v1
  fatal: No annotated tags can describe '9d010023bfb74e3e6abc65511a31fb36e81950dd'.
  However, there were unannotated tags: try --tags.
  v1-2-g9d01002
  v1-2-g9d01002
  tags/v2
  v2-1-g9d01002
  v2-1-g9d01002-dirty
  v2-1-g9d01002-mod
  fatal: option '--dirty' and commit-ishes cannot be used together
  fatal: options '--long' and '--abbrev=0' cannot be used together
  fatal: No annotated tags can describe '11c2092062033104b0f02881732117ae6d0d9865'.
  However, there were unannotated tags: try --tags.
  v1-1-g11c2092
  v2-1-g9d01002
  v1
  v2-1-g9d01002
  v2-1-g9d01002
  v1
  fatal: cannot describe '9d010023bfb74e3e6abc65511a31fb36e81950dd'
[128]

$ git tag -d v1; git describe; git describe --always; git describe --always --abbrev=10 --dirty; git describe --exact-match --always
  Deleted tag 'v1' (was d2c627f)
  fatal: No names found, cannot describe anything.
  9d01002
  9d010023bf
  fatal: no tag exactly matches '9d010023bfb74e3e6abc65511a31fb36e81950dd'
[128]

$ git merge -q --no-edit feature; git tag -a m1 -m m1 feature; git tag l1 HEAD^; git describe; git describe --tags; git describe --tags --first-parent; git describe HEAD^; echo z > z; git add z; git commit -qm z; git describe --tags; git describe --abbrev=0; git tag -a m2 -m m2 HEAD~2; git describe; git name-rev HEAD HEAD~1 HEAD~2 HEAD~3 feature HEAD~4 HEAD~5; git name-rev --tags HEAD HEAD~1^2 HEAD~3; git name-rev --name-only HEAD~2; git name-rev --tags --name-only HEAD~2 v1
  m1-3-g95f994f
  l1-2-g95f994f
  l1-1-g95f994f
  fatal: No annotated tags can describe '9d010023bfb74e3e6abc65511a31fb36e81950dd'.
  However, there were unannotated tags: try --tags.
  l1-3-g5b8fcf0
  m1
  m2-3-g5b8fcf0
  HEAD main
  HEAD~1 main~1
  HEAD~2 tags/l1
  HEAD~3 tags/l1~1
  feature tags/m1^0
  HEAD~4 tags/v1
  HEAD~5 tags/v1~1
  HEAD undefined
  HEAD~1^2 tags/m1^0
  HEAD~3 tags/l1~1
  tags/l1
  l1
  v1

$ git name-rev HEAD v1 HEAD~3 feature; git name-rev --name-only HEAD~1; git name-rev --tags HEAD v1 HEAD~3; git name-rev --tags --name-only v1; git name-rev --always --tags HEAD; git name-rev --no-undefined --tags HEAD; git name-rev --refs='v*' HEAD~3; git name-rev --refs='heads/f*' HEAD~3 HEAD; git name-rev --exclude='*main' HEAD~2; git name-rev nosuch HEAD
  HEAD main
  v1 tags/v1
  HEAD~3 tags/v1~1
  feature feature
  main~1
  HEAD undefined
  v1 tags/v1
  HEAD~3 tags/v1~1
  v1
  HEAD undefined
  fatal: cannot describe '9d010023bfb74e3e6abc65511a31fb36e81950dd'
  HEAD HEAD~3 v1~1
  HEAD~3 feature~2
  HEAD undefined
  HEAD~2 tags/v1
  Could not get sha1 for nosuch. Skipping.
  HEAD main

$ git var GIT_AUTHOR_IDENT; git var GIT_COMMITTER_IDENT; git var GIT_EDITOR; git var GIT_DEFAULT_BRANCH; GIT_PAGER=less git var GIT_PAGER; git -c sequence.editor=se var GIT_SEQUENCE_EDITOR; git var NOSUCH; echo $?; git var; echo $?
  Ann <ann@x.org> 1700000000 +0000
  Ann <ann@x.org> 1700000000 +0000
  :
  main
  less
  se
  usage: git var (-l | <variable>)
  129
  usage: git var (-l | <variable>)
  129

$ git whatchanged -2; git whatchanged --oneline; git whatchanged -1 -p; git whatchanged --stat -1 HEAD~1; git whatchanged --format=%s --name-status -- a; git commit -q --allow-empty -m empty; git whatchanged -1 --oneline; git merge -q feature -m m; git whatchanged --oneline -2 --abbrev-commit
  commit 9d010023bfb74e3e6abc65511a31fb36e81950dd
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      ignore
  
  :000000 100644 0000000 397b4a7 A	.gitignore
  
  commit 88f830a112950808e79a9e8d15b1d54f476b1280
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      third
  
  :100644 100644 4cb29ea f384549 M	a
  :000000 100644 0000000 d905d9d A	d/e
  9d01002 ignore
  :000000 100644 0000000 397b4a7 A	.gitignore
  88f830a third
  :100644 100644 4cb29ea f384549 M	a
  :000000 100644 0000000 d905d9d A	d/e
  d2c627f second
  :000000 100644 0000000 6178079 A	b
  83df2e9 first
  :000000 100644 0000000 4cb29ea A	a
  commit 9d010023bfb74e3e6abc65511a31fb36e81950dd
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      ignore
  
  diff --git a/.gitignore b/.gitignore
  new file mode 100644
  index 0000000..397b4a7
  --- /dev/null
  +++ b/.gitignore
  @@ -0,0 +1 @@
  +*.log
  commit 88f830a112950808e79a9e8d15b1d54f476b1280
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      third
  
   a   | 1 +
   d/e | 1 +
   2 files changed, 2 insertions(+)
  third
  
  M	a
  first
  
  A	a
  9d01002 ignore
  :000000 100644 0000000 397b4a7 A	.gitignore
  11c2092 feature
  :000000 100644 0000000 6a69f92 A	f
  9d01002 ignore
  :000000 100644 0000000 397b4a7 A	.gitignore

$ git diff-tree HEAD; git diff-tree HEAD~1; git diff-tree -r HEAD~1; git diff-tree -p HEAD; git diff-tree HEAD~2 HEAD; git diff-tree -r --name-only HEAD~2 HEAD; git diff-tree --no-commit-id --name-only -r HEAD~1; git diff-tree --no-commit-id --name-status -r HEAD~1; git diff-tree --root HEAD~3; git diff-tree HEAD~3; git diff-tree -s HEAD; git diff-tree --stat HEAD~2 HEAD; git diff-tree --numstat --summary HEAD~1; git diff-tree --abbrev HEAD; git diff-tree HEAD~2 HEAD a; git diff-tree HEAD~2 HEAD -- d/e; git diff-tree HEAD~1 -- a; git diff-tree -r HEAD~2..HEAD; git diff-tree v1^{tree} HEAD^{tree}; git diff-tree --exit-code HEAD~2 HEAD > o; echo $?; git diff-tree --quiet HEAD HEAD; echo $?
  9d010023bfb74e3e6abc65511a31fb36e81950dd
  :000000 100644 0000000000000000000000000000000000000000 397b4a7624e35fa60563a9c03b1213d93f7b6546 A	.gitignore
  88f830a112950808e79a9e8d15b1d54f476b1280
  :100644 100644 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402 f384549cbeb481e437091320de6d1f2e15e11b4a M	a
  :000000 040000 0000000000000000000000000000000000000000 84bb40e9d011ee678d381b1f29976f947c7c7985 A	d
  88f830a112950808e79a9e8d15b1d54f476b1280
  :100644 100644 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402 f384549cbeb481e437091320de6d1f2e15e11b4a M	a
  :000000 100644 0000000000000000000000000000000000000000 d905d9da82c97264ab6f4920e20242e088850ce9 A	d/e
  9d010023bfb74e3e6abc65511a31fb36e81950dd
  diff --git a/.gitignore b/.gitignore
  new file mode 100644
  index 0000000..397b4a7
  --- /dev/null
  +++ b/.gitignore
  @@ -0,0 +1 @@
  +*.log
  :000000 100644 0000000000000000000000000000000000000000 397b4a7624e35fa60563a9c03b1213d93f7b6546 A	.gitignore
  :100644 100644 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402 f384549cbeb481e437091320de6d1f2e15e11b4a M	a
  :000000 040000 0000000000000000000000000000000000000000 84bb40e9d011ee678d381b1f29976f947c7c7985 A	d
  .gitignore
  a
  d/e
  a
  d/e
  M	a
  A	d/e
  83df2e9a5e903c8788af04842b00eb4a71b47c88
  :000000 100644 0000000000000000000000000000000000000000 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402 A	a
  9d010023bfb74e3e6abc65511a31fb36e81950dd
   .gitignore | 1 +
   a          | 1 +
   d/e        | 1 +
   3 files changed, 3 insertions(+)
  88f830a112950808e79a9e8d15b1d54f476b1280
  1	0	a
  1	0	d/e
   create mode 100644 d/e
  9d010023bfb74e3e6abc65511a31fb36e81950dd
  :000000 100644 0000000 397b4a7 A	.gitignore
  :100644 100644 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402 f384549cbeb481e437091320de6d1f2e15e11b4a M	a
  :000000 040000 0000000000000000000000000000000000000000 84bb40e9d011ee678d381b1f29976f947c7c7985 A	d
  88f830a112950808e79a9e8d15b1d54f476b1280
  :100644 100644 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402 f384549cbeb481e437091320de6d1f2e15e11b4a M	a
  :000000 100644 0000000000000000000000000000000000000000 397b4a7624e35fa60563a9c03b1213d93f7b6546 A	.gitignore
  :100644 100644 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402 f384549cbeb481e437091320de6d1f2e15e11b4a M	a
  :000000 100644 0000000000000000000000000000000000000000 d905d9da82c97264ab6f4920e20242e088850ce9 A	d/e
  :000000 100644 0000000000000000000000000000000000000000 397b4a7624e35fa60563a9c03b1213d93f7b6546 A	.gitignore
  :100644 100644 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402 f384549cbeb481e437091320de6d1f2e15e11b4a M	a
  :000000 040000 0000000000000000000000000000000000000000 84bb40e9d011ee678d381b1f29976f947c7c7985 A	d
  1
  0

$ git diff-tree -v HEAD; git diff-tree --pretty HEAD; git diff-tree --pretty=oneline HEAD; git diff-tree --format=%s -p HEAD; git diff-tree --pretty=format:'%H %s' -r HEAD~1; git merge -q feature -m m; git diff-tree HEAD; git diff-tree -m HEAD; git diff-tree -m -r --no-commit-id --name-only HEAD; git mv a aa; git commit -qm move; git diff-tree HEAD; git diff-tree -M HEAD; git diff-tree -M --name-status HEAD; git diff-tree -r -z --name-only HEAD | tr '\0' '|'
  commit 9d010023bfb74e3e6abc65511a31fb36e81950dd
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      ignore
  
  :000000 100644 0000000000000000000000000000000000000000 397b4a7624e35fa60563a9c03b1213d93f7b6546 A	.gitignore
  commit 9d010023bfb74e3e6abc65511a31fb36e81950dd
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      ignore
  
  :000000 100644 0000000000000000000000000000000000000000 397b4a7624e35fa60563a9c03b1213d93f7b6546 A	.gitignore
  9d010023bfb74e3e6abc65511a31fb36e81950dd ignore
  :000000 100644 0000000000000000000000000000000000000000 397b4a7624e35fa60563a9c03b1213d93f7b6546 A	.gitignore
  ignore
  
  diff --git a/.gitignore b/.gitignore
  new file mode 100644
  index 0000000..397b4a7
  --- /dev/null
  +++ b/.gitignore
  @@ -0,0 +1 @@
  +*.log
  88f830a112950808e79a9e8d15b1d54f476b1280 third
  :100644 100644 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402 f384549cbeb481e437091320de6d1f2e15e11b4a M	a
  :000000 100644 0000000000000000000000000000000000000000 d905d9da82c97264ab6f4920e20242e088850ce9 A	d/e
  45eda636550e395c7472e4eed0e4f6e17e9b019f
  :000000 100644 0000000000000000000000000000000000000000 6a69f92020f5df77af6e8813ff1232493383b708 A	f
  45eda636550e395c7472e4eed0e4f6e17e9b019f
  :000000 100644 0000000000000000000000000000000000000000 397b4a7624e35fa60563a9c03b1213d93f7b6546 A	.gitignore
  :100644 100644 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402 f384549cbeb481e437091320de6d1f2e15e11b4a M	a
  :000000 040000 0000000000000000000000000000000000000000 84bb40e9d011ee678d381b1f29976f947c7c7985 A	d
  f
  .gitignore
  a
  d/e
  172e3ca91f88e1e9e1d7da424feb362bc406f3c6
  :100644 000000 f384549cbeb481e437091320de6d1f2e15e11b4a 0000000000000000000000000000000000000000 D	a
  :000000 100644 0000000000000000000000000000000000000000 f384549cbeb481e437091320de6d1f2e15e11b4a A	aa
  172e3ca91f88e1e9e1d7da424feb362bc406f3c6
  :100644 100644 f384549cbeb481e437091320de6d1f2e15e11b4a f384549cbeb481e437091320de6d1f2e15e11b4a R100	a	aa
  172e3ca91f88e1e9e1d7da424feb362bc406f3c6
  R100	a	aa
  172e3ca91f88e1e9e1d7da424feb362bc406f3c6|a|aa|
\

$ git diff-index HEAD; git diff-files; echo x >> a; git diff-files; git diff-files --name-only; git diff-files -p; git diff-files --stat; git diff-index HEAD; git diff-index --cached HEAD; git diff-index --name-status HEAD~1; git add a; git diff-files; git diff-index HEAD; git diff-index --cached HEAD; git diff-index --cached --quiet HEAD; echo $?; git diff-index --quiet HEAD --; echo $?; git diff-files --quiet; echo $?; rm b; git diff-files; git diff-index HEAD -- b; git diff-index -p HEAD -- b; git diff-index --cached --abbrev HEAD; git diff-files --diff-filter=D --name-only
  :100644 100644 f384549cbeb481e437091320de6d1f2e15e11b4a 0000000000000000000000000000000000000000 M	a
  a
  diff --git a/a b/a
  index f384549..f8c8733 100644
  --- a/a
  +++ b/a
  @@ -2,3 +2,4 @@ one
   two
   three
   four
  +x
   a | 1 +
   1 file changed, 1 insertion(+)
  :100644 100644 f384549cbeb481e437091320de6d1f2e15e11b4a 0000000000000000000000000000000000000000 M	a
  A	.gitignore
  M	a
  :100644 100644 f384549cbeb481e437091320de6d1f2e15e11b4a f8c8733c5cabc52b09667291acf078b302d33ff0 M	a
  :100644 100644 f384549cbeb481e437091320de6d1f2e15e11b4a f8c8733c5cabc52b09667291acf078b302d33ff0 M	a
  1
  1
  0
  :100644 000000 61780798228d17af2d34fce4cfbdf35556832472 0000000000000000000000000000000000000000 D	b
  :100644 000000 61780798228d17af2d34fce4cfbdf35556832472 0000000000000000000000000000000000000000 D	b
  diff --git a/b b/b
  deleted file mode 100644
  index 6178079..0000000
  --- a/b
  +++ /dev/null
  @@ -1 +0,0 @@
  -b
  :100644 100644 f384549 f8c8733 M	a
  b

$ git update-index -q --ignore-submodules --refresh; echo $?; git update-index -q --ignore-submodules --refresh --nope 2>/dev/null; echo $?
  0
  129

$ mkdir p q; echo 1 > p/x; echo 2 > q/x; git diff --no-index --stat p q; git diff --no-index --numstat p q; git diff --no-index --name-status p q; echo 3 > q/y; git diff --no-index p q; git diff --no-index --shortstat p q; git diff --no-index p/x q; git diff --no-index p q/x; git diff --no-index p p; echo $?; git diff --no-index p/x nope
   {p => q}/x | 2 +-
   1 file changed, 1 insertion(+), 1 deletion(-)
  1	1	{p => q}/x
  M	p/x
  diff --git a/p/x b/q/x
  index d00491f..0cfbf08 100644
  --- a/p/x
  +++ b/q/x
  @@ -1 +1 @@
  -1
  +2
  diff --git a/q/y b/q/y
  new file mode 100644
  index 0000000..00750ed
  --- /dev/null
  +++ b/q/y
  @@ -0,0 +1 @@
  +3
   2 files changed, 2 insertions(+), 1 deletion(-)
  diff --git a/p/x b/q/x
  index d00491f..0cfbf08 100644
  --- a/p/x
  +++ b/q/x
  @@ -1 +1 @@
  -1
  +2
  diff --git a/p/x b/q/x
  index d00491f..0cfbf08 100644
  --- a/p/x
  +++ b/q/x
  @@ -1 +1 @@
  -1
  +2
  0
  error: Could not access 'nope'
[1]

$ echo new > r; git add r; echo more >> r; git add --refresh; git add --refresh r; git status -s r; git add --refresh nope; echo $?
  Nothing specified, nothing added.
  hint: Maybe you wanted to say 'git add .'?
  hint: Disable this message with "git config advice.addEmptyPathspec false"
  AM r
  fatal: pathspec 'nope' did not match any files
  128
