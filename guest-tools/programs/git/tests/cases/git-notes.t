# Notes and bundles; `real` is always the machine's own git.
% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1
% exec 2>&1
% git config --global init.defaultBranch main
% real() { PATH=/usr/local/bin:/usr/bin:/bin git "$@"; }
% few() { git init -q; for i in 1 2 3; do seq $i 50 > f; git add .; git commit -qm c$i; done; git tag -a v1 -m one; git branch b HEAD~1; }

$ few; git notes; git notes show; git notes list HEAD; git notes add -m hello; git notes add -m again; git notes add -f -m again -m more; git notes append -m third; git notes show; git notes list; git notes list HEAD; git notes show nosuch
  error: no note found for object cc92b5a97c368c8d6518e70546a116861cf3f908.
  error: no note found for object cc92b5a97c368c8d6518e70546a116861cf3f908.
  error: Cannot add notes. Found existing notes for object cc92b5a97c368c8d6518e70546a116861cf3f908. Use '-f' to overwrite existing notes
  Overwriting existing notes for object cc92b5a97c368c8d6518e70546a116861cf3f908
  again
  
  more
  
  third
  c3172f9e835413d2dc99c62471dc402716dc0dbb cc92b5a97c368c8d6518e70546a116861cf3f908
  c3172f9e835413d2dc99c62471dc402716dc0dbb
  fatal: failed to resolve 'nosuch' as a valid ref.
[128]

$ few; printf 'a\n\nb\n' > n; git notes add -F n; git log -2; git log -1 --oneline; git log -1 --format='%s|%N|'; git log -1 --no-notes; git show -s; git log -1 --pretty=fuller; git log -1 --pretty=full --notes; git log --graph -2; git log -1 --stat
  commit cc92b5a97c368c8d6518e70546a116861cf3f908
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c3
  
  Notes:
      a
      
      b
  
  commit 8d0808145585f470a1ac18e26109b12c0b1cd467
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c2
  cc92b5a c3
  c3|a
  
  b
  |
  commit cc92b5a97c368c8d6518e70546a116861cf3f908
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c3
  commit cc92b5a97c368c8d6518e70546a116861cf3f908
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c3
  
  Notes:
      a
      
      b
  commit cc92b5a97c368c8d6518e70546a116861cf3f908
  Author:     Ann <ann@x.org>
  AuthorDate: Tue Nov 14 22:13:20 2023 +0000
  Commit:     Ann <ann@x.org>
  CommitDate: Tue Nov 14 22:13:20 2023 +0000
  
      c3
  commit cc92b5a97c368c8d6518e70546a116861cf3f908
  Author: Ann <ann@x.org>
  Commit: Ann <ann@x.org>
  
      c3
  
  Notes:
      a
      
      b
  * commit cc92b5a97c368c8d6518e70546a116861cf3f908
  | Author: Ann <ann@x.org>
  | Date:   Tue Nov 14 22:13:20 2023 +0000
  | 
  |     c3
  | 
  | Notes:
  |     a
  |     
  |     b
  | 
  * commit 8d0808145585f470a1ac18e26109b12c0b1cd467
  | Author: Ann <ann@x.org>
  | Date:   Tue Nov 14 22:13:20 2023 +0000
  | 
  |     c2
  commit cc92b5a97c368c8d6518e70546a116861cf3f908
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c3
  
  Notes:
      a
      
      b
  
   f | 1 -
   1 file changed, 1 deletion(-)

$ few; git notes add -m x; git notes copy HEAD HEAD~1; git notes copy HEAD HEAD~1; git notes copy -f HEAD HEAD~1; git notes copy HEAD~2 HEAD; git notes copy -f HEAD~2 HEAD; git notes remove; git notes remove; git notes remove --ignore-missing; git notes remove HEAD~1 HEAD~2; git notes list; git log --format=%s refs/notes/commits; git reflog notes/commits
  error: Cannot copy notes. Found existing notes for object 8d0808145585f470a1ac18e26109b12c0b1cd467. Use '-f' to overwrite existing notes
  Overwriting existing notes for object 8d0808145585f470a1ac18e26109b12c0b1cd467
  error: Cannot copy notes. Found existing notes for object cc92b5a97c368c8d6518e70546a116861cf3f908. Use '-f' to overwrite existing notes
  Overwriting existing notes for object cc92b5a97c368c8d6518e70546a116861cf3f908
  error: missing notes on source object 3488a595b3a440e36a45377ed428bb809a9c0c55. Cannot copy.
  Removing note for object HEAD
  Object HEAD has no note
  Object HEAD has no note
  Removing note for object HEAD~1
  Object HEAD~2 has no note
  587be6b4c3f93f93c489c0111bba5596147a26cb 8d0808145585f470a1ac18e26109b12c0b1cd467
  Notes removed by 'git notes remove'
  Notes added by 'git notes copy'
  Notes added by 'git notes copy'
  Notes added by 'git notes add'
  aea1a1b notes/commits@{0}: notes: Notes removed by 'git notes remove'
  69fbae5 notes/commits@{1}: notes: Notes added by 'git notes copy'
  599526f notes/commits@{2}: notes: Notes added by 'git notes copy'
  0f8af82 notes/commits@{3}: notes: Notes added by 'git notes add'

$ few; git notes --ref=other add -m o; git notes --ref=refs/notes/third add -m t HEAD; git log -1; git log -1 --notes=other; git log -1 --notes='*'; git log -1 --notes=third --notes; git notes get-ref; GIT_NOTES_REF=refs/notes/other git notes list; git config core.notesRef refs/notes/third; git log -1
  commit cc92b5a97c368c8d6518e70546a116861cf3f908
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c3
  commit cc92b5a97c368c8d6518e70546a116861cf3f908
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c3
  
  Notes (other):
      o
  commit cc92b5a97c368c8d6518e70546a116861cf3f908
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c3
  
  Notes (other):
      o
  
  Notes (third):
      t
  commit cc92b5a97c368c8d6518e70546a116861cf3f908
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c3
  
  Notes (third):
      t
  refs/notes/commits
  13e7564ea0c889e81bcba6f8e496b2a74cdb32fa cc92b5a97c368c8d6518e70546a116861cf3f908
  commit cc92b5a97c368c8d6518e70546a116861cf3f908
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c3
  
  Notes (third):
      t

$ few; GIT_EDITOR='echo typed >' git notes add; git notes show; GIT_EDITOR="sed -i 1iedited" git notes edit; git notes show; GIT_EDITOR="echo app >" git notes append; git notes show; GIT_EDITOR=true git notes add; git notes edit -m x; git notes show; GIT_EDITOR='cat' git notes edit | head -n 4
  typed
  edited
  typed
  edited
  typed
  
  app
  The -m/-F/-c/-C options have been deprecated for the 'edit' subcommand.
  Please use 'git notes add -f -m/-F/-c/-C' instead.
  x
  x
  
  #
  # Write/edit the notes for the following object:

$ few; git notes add -m ''; git notes list; git notes add --allow-empty -m '' HEAD~1; git notes list; git notes add -C HEAD:f HEAD; git notes show | wc -l; git notes add -f --no-stripspace -m '  x  ' HEAD; git notes show; git notes nosuch 2>&1 | head -n 1; git notes add -C HEAD HEAD~2
  Removing note for object cc92b5a97c368c8d6518e70546a116861cf3f908
  e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 8d0808145585f470a1ac18e26109b12c0b1cd467
  48
  Overwriting existing notes for object cc92b5a97c368c8d6518e70546a116861cf3f908
    x  error: unknown subcommand: `nosuch'
  fatal: cannot read note data from non-blob object 'HEAD'.
[128]

$ few; git commit -q --amend -m gone; git notes add -m x; git reset -q --hard HEAD~1; git reflog expire --expire=now --all; git prune; git notes prune -n; git notes prune -v; git notes list; git log --oneline refs/notes/commits
  ab460457a877e99dbbae9beeb629b664ad2b2a24
  ab460457a877e99dbbae9beeb629b664ad2b2a24
  49b03bf Notes removed by 'git notes prune'
  7854fb2 Notes added by 'git notes add'

& few; git notes add -m ours; real notes append -m theirs; git notes show; real log -1; real fsck; for i in $(seq 300); do real commit -q --allow-empty -m $i; real notes add -m n$i; done; git log --format='%s %N' -2; git notes list | wc -l; git notes append -m more; real notes show; real notes remove HEAD~5; git notes list | wc -l; real fsck
  ours
  
  theirs
  commit cc92b5a97c368c8d6518e70546a116861cf3f908
  Author: Ann <ann@x.org>
  Date:   Tue Nov 14 22:13:20 2023 +0000
  
      c3
  
  Notes:
      ours
      
      theirs
  300 n300
  
  299 n299
  
  301
  n300
  
  more
  Removing note for object HEAD~5
  300

$ few; git bundle create ../x.bundle HEAD main v1; git bundle verify ../x.bundle; git bundle verify -q ../x.bundle; git bundle list-heads ../x.bundle; git bundle list-heads ../x.bundle refs/heads/main; git clone ../x.bundle ../c; cd ../c; git log --oneline --decorate; git status; git fsck; git pull -q; git show-ref -d
  ../x.bundle is okay
  The bundle contains these 3 refs:
  cc92b5a97c368c8d6518e70546a116861cf3f908 HEAD
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/heads/main
  2a1bed1c0c05ee9702545ac55f5e7be4cfccc2fb refs/tags/v1
  The bundle records a complete history.
  The bundle uses this hash algorithm: sha1
  ../x.bundle is okay
  cc92b5a97c368c8d6518e70546a116861cf3f908 HEAD
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/heads/main
  2a1bed1c0c05ee9702545ac55f5e7be4cfccc2fb refs/tags/v1
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/heads/main
  Cloning into '../c'...
  cc92b5a (HEAD -> main, tag: v1, origin/main, origin/HEAD) c3
  8d08081 c2
  3488a59 c1
  On branch main
  Your branch is up to date with 'origin/main'.
  
  nothing to commit, working tree clean
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/heads/main
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/remotes/origin/HEAD
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/remotes/origin/main
  2a1bed1c0c05ee9702545ac55f5e7be4cfccc2fb refs/tags/v1
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/tags/v1^{}

$ few; git bundle create -q ../y.bundle --all; git bundle list-heads ../y.bundle; git ls-remote ../y.bundle | sort; cd ..; git clone -q y.bundle; cd y; git branch -a; git log --oneline -1; git clone -q -b v1 ../y.bundle ../t 2> /dev/null; git -C ../t status; git clone -q --bare ../y.bundle ../bare; git -C ../bare branch
  8d0808145585f470a1ac18e26109b12c0b1cd467 refs/heads/b
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/heads/main
  2a1bed1c0c05ee9702545ac55f5e7be4cfccc2fb refs/tags/v1
  cc92b5a97c368c8d6518e70546a116861cf3f908 HEAD
  2a1bed1c0c05ee9702545ac55f5e7be4cfccc2fb	refs/tags/v1
  8d0808145585f470a1ac18e26109b12c0b1cd467	refs/heads/b
  cc92b5a97c368c8d6518e70546a116861cf3f908	HEAD
  cc92b5a97c368c8d6518e70546a116861cf3f908	refs/heads/main
  * main
    remotes/origin/HEAD -> origin/main
    remotes/origin/b
    remotes/origin/main
  cc92b5a c3
  Not currently on any branch.
  nothing to commit, working tree clean
    b
  * main

$ few; git bundle create -q ../z.bundle main~1..main; head -n 3 ../z.bundle; git bundle verify ../z.bundle; git bundle create ../w.bundle main..main; git bundle create --quiet ../w.bundle; git bundle create --version=3 -q ../v.bundle b ^HEAD~2; head -n 4 ../v.bundle; git bundle create ../u.bundle nosuch 2>&1 | head -n 1; git init -q ../e; cd ../e; git bundle verify ../z.bundle; git bundle unbundle ../z.bundle; git bundle verify nosuch; echo f > f; git bundle verify f; git clone -q ../z.bundle q; ls; git fetch -q ../case/.git main; git bundle unbundle ../z.bundle; git bundle unbundle ../v.bundle; git fetch ../z.bundle main; git fetch ../v.bundle 'refs/heads/*:refs/heads/*'; git branch
  # v2 git bundle
  -8d0808145585f470a1ac18e26109b12c0b1cd467 c2
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/heads/main
  ../z.bundle is okay
  The bundle contains this ref:
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/heads/main
  The bundle requires this ref:
  8d0808145585f470a1ac18e26109b12c0b1cd467 
  The bundle uses this hash algorithm: sha1
  fatal: Refusing to create empty bundle.
  fatal: Refusing to create empty bundle.
  # v3 git bundle
  @object-format=sha1
  -3488a595b3a440e36a45377ed428bb809a9c0c55 c1
  8d0808145585f470a1ac18e26109b12c0b1cd467 refs/heads/b
  fatal: ambiguous argument 'nosuch': unknown revision or path not in the working tree.
  error: Repository lacks these prerequisite commits:
  error: 8d0808145585f470a1ac18e26109b12c0b1cd467 
  error: Repository lacks these prerequisite commits:
  error: 8d0808145585f470a1ac18e26109b12c0b1cd467 
  error: could not open 'nosuch'
  error: 'f' does not look like a v2 or v3 bundle file
  error: Repository lacks these prerequisite commits:
  error: 8d0808145585f470a1ac18e26109b12c0b1cd467 
  fatal: remote transport reported error
  f
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/heads/main
  8d0808145585f470a1ac18e26109b12c0b1cd467 refs/heads/b
  From ../z.bundle
   * branch            main       -> FETCH_HEAD
  From ../v.bundle
   * [new branch]      b          -> b
    b

$ few; git bundle create -q ../s.bundle --branches --tags; git bundle list-heads ../s.bundle; git clone -q . ../o; git commit -q --allow-empty -m four; git bundle create -q ../inc.bundle v1..main; cd ../o; git bundle verify -q ../inc.bundle; git pull -q ../inc.bundle main; git log --oneline; git bundle nosuch 2>&1 | head -n 1
  8d0808145585f470a1ac18e26109b12c0b1cd467 refs/heads/b
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/heads/main
  2a1bed1c0c05ee9702545ac55f5e7be4cfccc2fb refs/tags/v1
  ../inc.bundle is okay
  472725b four
  cc92b5a c3
  8d08081 c2
  3488a59 c1
  error: unknown subcommand: `nosuch'

& few; real bundle create -q ../r.bundle --all; real bundle create -q ../thin.bundle HEAD~1..main; git bundle create -q ../o.bundle --all; git bundle create -q ../p.bundle HEAD~1..main; real bundle verify ../o.bundle; real bundle verify ../p.bundle; git bundle verify -q ../r.bundle; git bundle verify ../thin.bundle; git clone -q ../r.bundle ../a; real -C ../a fsck; real clone -q ../o.bundle ../b; git -C ../b fsck; real init -q ../c; cd ../c; real fetch -q ../r.bundle b:old; git fetch -q ../thin.bundle main; real fsck; real log --oneline FETCH_HEAD; real fetch -q ../p.bundle main:up; real log --oneline up; real fsck
  ../o.bundle is okay
  The bundle contains these 4 refs:
  8d0808145585f470a1ac18e26109b12c0b1cd467 refs/heads/b
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/heads/main
  2a1bed1c0c05ee9702545ac55f5e7be4cfccc2fb refs/tags/v1
  cc92b5a97c368c8d6518e70546a116861cf3f908 HEAD
  The bundle records a complete history.
  The bundle uses this hash algorithm: sha1
  ../p.bundle is okay
  The bundle contains this ref:
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/heads/main
  The bundle requires this ref:
  8d0808145585f470a1ac18e26109b12c0b1cd467 
  The bundle uses this hash algorithm: sha1
  ../r.bundle is okay
  ../thin.bundle is okay
  The bundle contains this ref:
  cc92b5a97c368c8d6518e70546a116861cf3f908 refs/heads/main
  The bundle requires this ref:
  8d0808145585f470a1ac18e26109b12c0b1cd467 
  The bundle uses this hash algorithm: sha1
  notice: HEAD points to an unborn branch (main)
  cc92b5a c3
  8d08081 c2
  3488a59 c1
  cc92b5a c3
  8d08081 c2
  3488a59 c1
  notice: HEAD points to an unborn branch (main)
