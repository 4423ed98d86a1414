% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Cob GIT_COMMITTER_EMAIL=cob@x.org
% export GIT_AUTHOR_DATE='1700000000 +0100' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=cat
% exec 2>&1
% git config --global init.defaultBranch main
% git init -q
% echo a > a; git add a; git commit -qm one

$ printf 'tmpl line\n# c\n' > ../tm; git commit --allow-empty -t ../tm; GIT_EDITOR='echo added >>' git commit --allow-empty -t ../tm; git log -1 --format=%B; git config commit.template ../tm; git commit --allow-empty; git commit -q --allow-empty -m x; git log -1 --format=%s
  tmpl line
  # c
  
  # Please enter the commit message for your changes. Lines starting
  # with '#' will be ignored, and an empty message aborts the commit.
  #
  # Author:    Ann <ann@x.org>
  #
  # On branch main
  Aborting commit; you did not edit the message.
  [main 83629cb] tmpl line
   Author: Ann <ann@x.org>
  tmpl line
  
  added
  
  tmpl line
  # c
  
  # Please enter the commit message for your changes. Lines starting
  # with '#' will be ignored, and an empty message aborts the commit.
  #
  # Author:    Ann <ann@x.org>
  #
  # On branch main
  Aborting commit; you did not edit the message.
  x

$ echo 3 >> a; touch u; git commit -av; git commit -a --status -m q -e; echo 4 >> a; git commit --amend -a; git commit --amend --no-status --allow-empty; git commit --amend --date='2020-01-02 03:04:05 +0500' --author='Q <q@q>'
  
  # Please enter the commit message for your changes. Lines starting
  # with '#' will be ignored, and an empty message aborts the commit.
  #
  # Author:    Ann <ann@x.org>
  #
  # On branch main
  # Changes to be committed:
  #	modified:   a
  #
  # Untracked files:
  #	u
  #
  # ------------------------ >8 ------------------------
  # Do not modify or remove the line above.
  # Everything below it will be ignored.
  diff --git a/a b/a
  index 7898192..a7e50c4 100644
  --- a/a
  +++ b/a
  @@ -1 +1,2 @@
   a
  +3
  Aborting commit due to empty commit message.
  q
  
  # Please enter the commit message for your changes. Lines starting
  # with '#' will be ignored, and an empty message aborts the commit.
  #
  # Author:    Ann <ann@x.org>
  #
  # On branch main
  # Changes to be committed:
  #	modified:   a
  #
  # Untracked files:
  #	u
  #
  [main 19887aa] q
   Author: Ann <ann@x.org>
   1 file changed, 1 insertion(+)
  q
  
  # Please enter the commit message for your changes. Lines starting
  # with '#' will be ignored, and an empty message aborts the commit.
  #
  # Author:    Ann <ann@x.org>
  # Date:      Tue Nov 14 23:13:20 2023 +0100
  #
  # On branch main
  # Changes to be committed:
  #	modified:   a
  #
  # Untracked files:
  #	u
  #
  [main c0cc59d] q
   Author: Ann <ann@x.org>
   Date: Tue Nov 14 23:13:20 2023 +0100
   1 file changed, 2 insertions(+)
  q
  [main c0cc59d] q
   Author: Ann <ann@x.org>
   Date: Tue Nov 14 23:13:20 2023 +0100
   1 file changed, 2 insertions(+)
  q
  
  # Please enter the commit message for your changes. Lines starting
  # with '#' will be ignored, and an empty message aborts the commit.
  #
  # Author:    Q <q@q>
  # Date:      Thu Jan 2 03:04:05 2020 +0500
  #
  # On branch main
  # Changes to be committed:
  #	modified:   a
  #
  # Untracked files:
  #	u
  #
  [main e310ba2] q
   Author: Q <q@q>
   Date: Thu Jan 2 03:04:05 2020 +0500
   1 file changed, 2 insertions(+)

$ git commit -q --allow-empty --cleanup=verbatim -m '# kept' -m x; git log -1 --format=%B; git commit -q --allow-empty --cleanup=strip -m '# gone' -m x; git log -1 --format=%B; GIT_EDITOR='printf "a\n# ------------------------ >8 ------------------------\nzz\n" >' git commit -q --allow-empty --cleanup=scissors; git log -1 --format=%B; git commit --allow-empty --cleanup=scissors -m s -e; git commit --allow-empty --cleanup=whitespace -m s -e; git commit --cleanup=nope --allow-empty -m x
  # kept
  
  x
  
  x
  
  a
  
  s
  
  # ------------------------ >8 ------------------------
  # Do not modify or remove the line above.
  # Everything below it will be ignored.
  #
  # Author:    Ann <ann@x.org>
  #
  # On branch main
  [main e47d421] s
   Author: Ann <ann@x.org>
  s
  
  # Please enter the commit message for your changes. Lines starting
  # with '#' will be kept; you may remove them yourself if you want to.
  # An empty message aborts the commit.
  #
  # Author:    Ann <ann@x.org>
  #
  # On branch main
  [main df95b58] s
   Author: Ann <ann@x.org>
  fatal: Invalid cleanup mode nope
[128]

$ echo z > z; git add z; touch u; git commit --short; git commit --porcelain; git commit --dry-run --branch --short; git commit --short -z | tr '\0' @; git commit --long; git commit -m x -F u; git commit -C HEAD -c HEAD; git commit --fixup=amend:HEAD -m x; GIT_EDITOR='sed -i s/one/ONE/' git commit -q --fixup=amend:HEAD; git log -1 --format=%B; git commit --short; GIT_EDITOR=: git commit -q --allow-empty -s; git log --oneline | wc -l
  A  z
  ?? u
  A  z
  ?? u
  ## main
  A  z
  ?? u
  A  z@?? u@On branch main
  Changes to be committed:
    (use "git restore --staged <file>..." to unstage)
  	new file:   z
  
  Untracked files:
    (use "git add <file>..." to include in what will be committed)
  	u
  
  fatal: options '-m' and '-F' cannot be used together
  fatal: options '-C' and '-c' cannot be used together
  fatal: options '-m' and '--fixup:amend' cannot be used together
  amend! ONE
  
  ONE
  
  ?? u
  Aborting commit due to empty commit message.
  2

$ git commit --amend --no-edit; git commit --amend -qm root --allow-empty; git rm -q a; git commit -q --amend --allow-empty -m none; git ls-tree HEAD; git cat-file -t HEAD^{tree}; git fsck
  [main f3f88f7] one
   Author: Ann <ann@x.org>
   Date: Tue Nov 14 23:13:20 2023 +0100
   1 file changed, 1 insertion(+)
   create mode 100644 a
  tree
