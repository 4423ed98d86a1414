# Notes and bundles; `real` is always the machine's own git.
% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1
% exec 2>&1
% git config --global init.defaultBranch main
% real() { PATH=/usr/local/bin:/usr/bin:/bin git "$@"; }
% few() { git init -q; for i in 1 2 3; do seq $i 50 > f; git add .; git commit -qm c$i; done; git tag -a v1 -m one; git branch b HEAD~1; }

$ few; git notes; git notes show; git notes list HEAD; git notes add -m hello; git notes add -m again; git notes add -f -m again -m more; git notes append -m third; git notes show; git notes list; git notes list HEAD; git notes show nosuch

$ few; printf 'a\n\nb\n' > n; git notes add -F n; git log -2; git log -1 --oneline; git log -1 --format='%s|%N|'; git log -1 --no-notes; git show -s; git log -1 --pretty=fuller; git log -1 --pretty=full --notes; git log --graph -2; git log -1 --stat

$ few; git notes add -m x; git notes copy HEAD HEAD~1; git notes copy HEAD HEAD~1; git notes copy -f HEAD HEAD~1; git notes copy HEAD~2 HEAD; git notes copy -f HEAD~2 HEAD; git notes remove; git notes remove; git notes remove --ignore-missing; git notes remove HEAD~1 HEAD~2; git notes list; git log --format=%s refs/notes/commits; git reflog notes/commits

$ few; git notes --ref=other add -m o; git notes --ref=refs/notes/third add -m t HEAD; git log -1; git log -1 --notes=other; git log -1 --notes='*'; git log -1 --notes=third --notes; git notes get-ref; GIT_NOTES_REF=refs/notes/other git notes list; git config core.notesRef refs/notes/third; git log -1

$ few; GIT_EDITOR='echo typed >' git notes add; git notes show; GIT_EDITOR="sed -i 1iedited" git notes edit; git notes show; GIT_EDITOR="echo app >" git notes append; git notes show; GIT_EDITOR=true git notes add; git notes edit -m x; git notes show; GIT_EDITOR=false git notes edit; GIT_EDITOR='cat' git notes edit | head -n 4

$ few; git notes add -m ''; git notes list; git notes add --allow-empty -m '' HEAD~1; git notes list; git log --format='%s[%N]'; git notes add -C HEAD:f HEAD; git notes show | wc -l; git notes add -f --no-stripspace -m '  x  ' HEAD; git notes show; git notes append --separator=-- -m y; git notes show; git notes append --no-separator -m z; git notes show; git notes nosuch 2>&1 | head -n 1; git notes add -C HEAD HEAD~2

$ few; git commit -q --amend -m gone; git notes add -m x; git reset -q --hard HEAD~1; git reflog expire --expire=now --all; git prune; git notes prune -n; git notes prune -v; git notes list; git log --oneline refs/notes/commits

& few; git notes add -m ours; real notes append -m theirs; git notes show; real log -1; real fsck; for i in $(seq 300); do real commit -q --allow-empty -m $i; real notes add -m n$i; done; git log --format='%s %N' -2; git notes list | wc -l; git notes append -m more; real notes show; real notes remove HEAD~5; git notes list | wc -l; real fsck

$ few; git bundle create ../x.bundle main v1; git bundle verify ../x.bundle; git bundle verify -q ../x.bundle; git bundle list-heads ../x.bundle; git bundle list-heads ../x.bundle main; git clone ../x.bundle ../c; cd ../c; git log --oneline --decorate; git status; git remote -v | sed 's/\t.*case/ ../;s/\t.*\/x/ x/'; git fsck; git pull -q; git show-ref -d

$ few; git bundle create -q ../y.bundle --all; git bundle list-heads ../y.bundle; git ls-remote ../y.bundle | sort; cd ..; git clone -q y.bundle; cd y; git branch -a; git log --oneline -1; git clone -q -b v1 ../y.bundle ../t; git -C ../t status; git clone -q --bare ../y.bundle ../bare; git -C ../bare branch

$ few; git bundle create -q ../z.bundle main~1..main; head -n 3 ../z.bundle; git bundle verify ../z.bundle; git bundle create ../w.bundle main..main; git bundle create --quiet ../w.bundle; git bundle create --version=3 -q ../v.bundle b ^HEAD~2; head -n 4 ../v.bundle; git bundle create ../u.bundle nosuch 2>&1 | head -n 1; git init -q ../e; cd ../e; git bundle verify ../z.bundle; git bundle unbundle ../z.bundle; git bundle verify nosuch; echo f > f; git bundle verify f; git clone -q ../z.bundle q; ls; git fetch -q ../case/.git main; git bundle unbundle ../z.bundle; git bundle unbundle --progress ../v.bundle; git fetch ../z.bundle main; git fetch ../v.bundle 'refs/heads/*:refs/heads/*'; git branch

$ few; git bundle create -q ../s.bundle --branches --tags; git bundle list-heads ../s.bundle; git clone -q . ../o; git commit -q --allow-empty -m four; git bundle create -q ../inc.bundle v1..main; cd ../o; git bundle verify -q ../inc.bundle; git pull -q ../inc.bundle main; git log --oneline; git push -q ../inc.bundle main; echo $?; git bundle create -q ../r.bundle --remotes; git bundle list-heads ../r.bundle; git bundle create - main | head -n 1; git bundle nosuch 2>&1 | head -n 1

& few; real bundle create -q ../r.bundle --all; real bundle create -q ../thin.bundle HEAD~1..main; git bundle create -q ../o.bundle --all; git bundle create -q ../p.bundle HEAD~1..main; real bundle verify ../o.bundle; real bundle verify ../p.bundle; git bundle verify -q ../r.bundle; git bundle verify ../thin.bundle; git clone -q ../r.bundle ../a; real -C ../a fsck; real clone -q ../o.bundle ../b; git -C ../b fsck; real init -q ../c; cd ../c; real fetch -q ../a b:main; git fetch -q ../thin.bundle main; real fsck; real log --oneline FETCH_HEAD; real fetch -q ../p.bundle main:up; real log --oneline up; real fsck
