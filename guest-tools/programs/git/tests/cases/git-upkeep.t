# Keeping a repository small and whole; `real` is always the machine's own git.
% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1
% exec 2>&1
% git config --global init.defaultBranch main
% git config --global gc.writeCommitGraph false
% real() { PATH=/usr/local/bin:/usr/bin:/bin git "$@"; }
% few() { git init -q; for i in 1 2 3; do seq $i 50 > f; mkdir -p d/e; echo $i > d/e/g; git add .; git commit -qm c$i; done; git tag -a v1 -m one; git tag light; }

$ few; git count-objects; git count-objects -v | grep -v size; git gc; git count-objects -v | grep -v size; git fsck; git log --oneline; git status -s; git show-ref; cat .git/packed-refs; ls .git/refs/heads .git/refs/tags
  19 objects, 76 kilobytes
  count: 19
  in-pack: 0
  packs: 0
  prune-packable: 0
  garbage: 0
  count: 0
  in-pack: 19
  packs: 1
  prune-packable: 0
  garbage: 0
  3ec1585 c3
  fb16915 c2
  0989a81 c1
  3ec1585666b625cb140dc168eebca3c4cdbce4d2 refs/heads/main
  3ec1585666b625cb140dc168eebca3c4cdbce4d2 refs/tags/light
  92384e23d5fca57d30ad6815ebf257e8c534f4f0 refs/tags/v1
  # pack-refs with: peeled fully-peeled sorted 
  3ec1585666b625cb140dc168eebca3c4cdbce4d2 refs/heads/main
  3ec1585666b625cb140dc168eebca3c4cdbce4d2 refs/tags/light
  92384e23d5fca57d30ad6815ebf257e8c534f4f0 refs/tags/v1
  ^3ec1585666b625cb140dc168eebca3c4cdbce4d2
  .git/refs/heads:
  
  .git/refs/tags:

$ few; git gc -q; git gc --quiet; ls .git/objects/pack | grep -c 'pack$'; cat .git/info/refs; cut -c1-7 .git/objects/info/packs; git cat-file -p HEAD~1:f | head -n 2
  1
  3ec1585666b625cb140dc168eebca3c4cdbce4d2	refs/heads/main
  3ec1585666b625cb140dc168eebca3c4cdbce4d2	refs/tags/light
  92384e23d5fca57d30ad6815ebf257e8c534f4f0	refs/tags/v1
  3ec1585666b625cb140dc168eebca3c4cdbce4d2	refs/tags/v1^{}
  P pack-
  
  2
  3

$ few; git count-objects -H | sed 's/,.*//'; git count-objects -vH | grep -c :; git gc --nosuch 2>&1 | head -n 1; git gc --prune=rubbish-date
  19 objects
  8
  error: unknown option `nosuch'
  fatal: failed to parse prune expiry value rubbish-date
[128]

$ few; echo lost | git hash-object -w --stdin; git prune -n; git count-objects -v | grep count; git prune -v; git count-objects -v | grep count; git fsck
  a50bcb6003fee24cd0dcb7d7da23c9150cd95457
  a50bcb6003fee24cd0dcb7d7da23c9150cd95457 blob
  count: 20
  a50bcb6003fee24cd0dcb7d7da23c9150cd95457 blob
  count: 19

$ few; echo lost | git hash-object -w --stdin; git prune --expire=1.hour.ago; git fsck; git prune --expire=never; git fsck; git prune --expire=now; git fsck; git prune --expire=x
  a50bcb6003fee24cd0dcb7d7da23c9150cd95457
  dangling blob a50bcb6003fee24cd0dcb7d7da23c9150cd95457
  dangling blob a50bcb6003fee24cd0dcb7d7da23c9150cd95457
  fatal: malformed expiration date 'x'
[128]

$ few; git commit -q --amend -m other; git prune; git fsck --no-reflogs; git fsck; git reflog expire --expire=now --all; git reflog; git fsck; git gc -q --prune=now; git fsck; git log --oneline
  fc7dcf9 other
  fb16915 c2
  0989a81 c1

$ few; git checkout -q --detach HEAD~1; echo x > x; git add x; git commit -qm gone; git switch -q main; git reflog expire --expire-unreachable=now --all; git reflog; git fsck
  dangling commit c47edfc22b3ee1ca86bcd5f328de88e4c7ec890f

$ few; git reflog delete HEAD@{1}; git reflog; git reflog delete --rewrite main@{0}; git reflog main; git reflog delete nosuch; git reflog delete
  3ec1585 HEAD@{0}: commit: c3
  0989a81 HEAD@{1}: commit (initial): c1
  fb16915 main@{0}: commit: c2
  0989a81 main@{1}: commit (initial): c1
  error: not a reflog: nosuch
  error: no reflog specified to delete
[255]

$ few; git reflog expire --expire=never --all; git reflog expire --dry-run --expire=now --all; git reflog | wc -l; git reflog expire --expire=all main; git reflog main; git reflog HEAD | wc -l; git reflog expire nosuch; echo x >> f; git stash -q; git reflog expire --all; git stash list | wc -l
  3
  3
  error: nosuch points nowhere!
  1

$ few; git repack; git repack; git count-objects -v | grep -v size; git repack -d; git count-objects -v | grep -v size; git repack -a -d; git repack -q -a -d; git count-objects -v | grep -v size; git fsck
  Nothing new to pack.
  count: 19
  in-pack: 19
  packs: 1
  prune-packable: 19
  garbage: 0
  Nothing new to pack.
  count: 0
  in-pack: 19
  packs: 1
  prune-packable: 0
  garbage: 0
  count: 0
  in-pack: 19
  packs: 1
  prune-packable: 0
  garbage: 0

$ few; git repack -q; seq 9 > h; git add h; git commit -qm four; git repack -q -d; git count-objects -v | grep -v size; git repack -q -adl -f --window=5 --depth=9; git count-objects -v | grep -v size; git repack -n -q; git fsck; git show --stat --oneline
  count: 0
  in-pack: 22
  packs: 2
  prune-packable: 0
  garbage: 0
  count: 0
  in-pack: 22
  packs: 1
  prune-packable: 0
  garbage: 0
  aad083f four
   h | 9 +++++++++
   1 file changed, 9 insertions(+)

$ few; echo lost | git hash-object -w --stdin; git repack -q -a -d -k; git count-objects -v | grep -v size; git repack -q -A -d; git count-objects -v | grep -v size; git repack -A -d -q --unpack-unreachable=now; git fsck; git prune-packed
  a50bcb6003fee24cd0dcb7d7da23c9150cd95457
  count: 1
  in-pack: 19
  packs: 1
  prune-packable: 0
  garbage: 0
  count: 1
  in-pack: 19
  packs: 1
  prune-packable: 0
  garbage: 0
  dangling blob a50bcb6003fee24cd0dcb7d7da23c9150cd95457

$ few; git repack -q -a; git prune-packed -n | wc -l; git prune-packed -n | cut -c1-20 | sort | head -n 3; git prune-packed; git count-objects; git prune-packed -q
  19
  rm -f .git/objects/0
  rm -f .git/objects/0
  rm -f .git/objects/0
  0 objects, 0 kilobytes

$ few; git pack-refs; cat .git/packed-refs; ls .git/refs/heads; git pack-refs --all; cat .git/packed-refs; ls .git/refs/heads .git/refs/tags; git branch b; git branch -d b; git tag -d light; cat .git/packed-refs; git branch -v
  # pack-refs with: peeled fully-peeled sorted 
  3ec1585666b625cb140dc168eebca3c4cdbce4d2 refs/tags/light
  92384e23d5fca57d30ad6815ebf257e8c534f4f0 refs/tags/v1
  ^3ec1585666b625cb140dc168eebca3c4cdbce4d2
  main
  # pack-refs with: peeled fully-peeled sorted 
  3ec1585666b625cb140dc168eebca3c4cdbce4d2 refs/heads/main
  3ec1585666b625cb140dc168eebca3c4cdbce4d2 refs/tags/light
  92384e23d5fca57d30ad6815ebf257e8c534f4f0 refs/tags/v1
  ^3ec1585666b625cb140dc168eebca3c4cdbce4d2
  .git/refs/heads:
  
  .git/refs/tags:
  Deleted branch b (was 3ec1585).
  Deleted tag 'light' (was 3ec1585)
  # pack-refs with: peeled fully-peeled sorted 
  3ec1585666b625cb140dc168eebca3c4cdbce4d2 refs/heads/main
  92384e23d5fca57d30ad6815ebf257e8c534f4f0 refs/tags/v1
  ^3ec1585666b625cb140dc168eebca3c4cdbce4d2
  * main 3ec1585 c3

$ few; git branch a/b; git branch a/c; git pack-refs --all --no-prune; ls .git/refs/heads; git pack-refs --include 'refs/heads/a/*' --exclude 'refs/heads/a/c'; ls .git/refs/heads; git commit -q --allow-empty -m next; git show-ref --heads
  a
  main
  a
  main
  3ec1585666b625cb140dc168eebca3c4cdbce4d2 refs/heads/a/b
  3ec1585666b625cb140dc168eebca3c4cdbce4d2 refs/heads/a/c
  ec49254cdd15f7e17b5ed3701b034d54c0cb17f2 refs/heads/main

$ few; git gc --auto; git count-objects -v | grep packs; git config gc.auto 1; for i in $(seq 400); do echo $i > f; git add f; done; git gc --auto -q --no-detach; git count-objects -v | grep packs; git config gc.auto 0; git gc --auto; git gc --aggressive -q; git fsck --no-dangling
  packs: 0
  packs: 0

$ git init -q; git gc; git fsck; git repack -a -d; git count-objects -v; git prune; git pack-refs --all; git maintenance run --quiet; git maintenance run --task=gc --auto
  Nothing new to pack.
  notice: HEAD points to an unborn branch (main)
  notice: No default references
  Nothing new to pack.
  count: 0
  size: 0
  in-pack: 0
  packs: 0
  size-pack: 0
  prune-packable: 0
  garbage: 0
  size-garbage: 0

$ few; blob=$(git rev-parse HEAD~1:f); rm -f .git/objects/${blob:0:2}/${blob:2}; git fsck; echo $?
  broken link from    tree 673615bd8b00c078723690725ec93bd26d1685e4
                to    blob a2a4f9f405cfba97c48f1f51debc3f51591ac6d4
  missing blob a2a4f9f405cfba97c48f1f51debc3f51591ac6d4
  2

$ few; tree=$(git rev-parse HEAD~1^{tree}); rm -f .git/objects/${tree:0:2}/${tree:2}; git fsck > out; echo $?; sort out; git fsck --connectivity-only > /dev/null; echo $?; git gc -q > /dev/null 2>&1; echo $?
  2
                to    tree 673615bd8b00c078723690725ec93bd26d1685e4
  broken link from  commit fb169156ac4538da1eacff7253988a517f42a743
  dangling blob a2a4f9f405cfba97c48f1f51debc3f51591ac6d4
  dangling tree 03e430ff57d3d7657aca247ac9c9faaa074e4ce9
  missing tree 673615bd8b00c078723690725ec93bd26d1685e4
  2
  128

$ few; commit=$(git rev-parse HEAD~2); rm -f .git/objects/${commit:0:2}/${commit:2}; git fsck > out; echo $?; sort out
  error: HEAD: invalid reflog entry 0989a81b5462670c9f110aabb04bdde747a71ed2
  error: HEAD: invalid reflog entry 0989a81b5462670c9f110aabb04bdde747a71ed2
  error: refs/heads/main: invalid reflog entry 0989a81b5462670c9f110aabb04bdde747a71ed2
  error: refs/heads/main: invalid reflog entry 0989a81b5462670c9f110aabb04bdde747a71ed2
  2
                to  commit 0989a81b5462670c9f110aabb04bdde747a71ed2
  broken link from  commit fb169156ac4538da1eacff7253988a517f42a743
  dangling tree f5a43dc623f71a6cab9a0da5ef76e6309027c6ca
  missing commit 0989a81b5462670c9f110aabb04bdde747a71ed2

$ few; a=$(git rev-parse HEAD:f); b=$(git rev-parse HEAD:d/e/g); chmod u+w .git/objects/${a:0:2}/${a:2}; cp -f .git/objects/${b:0:2}/${b:2} .git/objects/${a:0:2}/${a:2}; git fsck 2>&1 | grep hash-path; git fsck > /dev/null 2>&1; echo $?
  error: 00750edc07d6415dcc07ae0351e9397b0222b7ba: hash-path mismatch, found at: .git/objects/be/926659c5976bb1cc408b65bc277f1d0bf9b151
  3

$ few; echo 1234567890123456789012345678901234567890 > .git/refs/heads/bad; git fsck; echo $?
  error: refs/heads/bad: invalid sha1 pointer 1234567890123456789012345678901234567890
  2

$ few; git fsck --root --tags | sort; git fsck --unreachable --no-reflogs; git fsck --full --strict; git reset -q --hard HEAD~2; git tag -d v1; git tag -d light; git fsck --no-reflogs --unreachable | sort; git fsck --no-reflogs --lost-found | sort; ls .git/lost-found/*; git fsck HEAD; git fsck nosuch
  root 0989a81b5462670c9f110aabb04bdde747a71ed2
  tagged commit 3ec1585666b625cb140dc168eebca3c4cdbce4d2 (v1) in 92384e23d5fca57d30ad6815ebf257e8c534f4f0
  Deleted tag 'v1' (was 92384e2)
  Deleted tag 'light' (was 3ec1585)
  unreachable blob 00750edc07d6415dcc07ae0351e9397b0222b7ba
  unreachable blob 0cfbf08886fca9a91cb753ec8734c84fcbe52c9f
  unreachable blob a2a4f9f405cfba97c48f1f51debc3f51591ac6d4
  unreachable blob be926659c5976bb1cc408b65bc277f1d0bf9b151
  unreachable commit 3ec1585666b625cb140dc168eebca3c4cdbce4d2
  unreachable commit fb169156ac4538da1eacff7253988a517f42a743
  unreachable tag 92384e23d5fca57d30ad6815ebf257e8c534f4f0
  unreachable tree 03e430ff57d3d7657aca247ac9c9faaa074e4ce9
  unreachable tree 673615bd8b00c078723690725ec93bd26d1685e4
  unreachable tree 74f8ec48d38355910daa9304330bb74335192937
  unreachable tree 7a685cdf3fb9e1b8bdd3c3206720831554b2ee4f
  unreachable tree b025880077d75207068223e6ee80f157a0d465bd
  unreachable tree b32df04ef13453f4c96e69311a2de3e06df00e6d
  dangling tag 92384e23d5fca57d30ad6815ebf257e8c534f4f0
  92384e23d5fca57d30ad6815ebf257e8c534f4f0
  dangling tag 92384e23d5fca57d30ad6815ebf257e8c534f4f0
  error: invalid parameter: expected sha1, got 'nosuch'
  dangling tag 92384e23d5fca57d30ad6815ebf257e8c534f4f0
[1]

$ few; git worktree add -q ../w 2> /dev/null; (cd ../w; echo w > w; git add w; git commit -qm w; git checkout -q --detach; git branch -q -D w; echo v > v; git add v); git gc -q --prune=now; cd ../w; git fsck; git log --oneline | head -n 1; git status -s
  55c94ca w
  A  v

$ few; git clone -q --no-local --depth 1 "file://$PWD" ../shallow; cd ../shallow; git gc -q --prune=now; git fsck; git log --oneline; cat .git/shallow
  3ec1585 c3
  3ec1585666b625cb140dc168eebca3c4cdbce4d2

& few; seq 3000 > n; git add n; git commit -qm n; for i in 1 2 3 4 5 6 7 8; do sed -i "${i}00s/\$/x/" n; git commit -qam n$i; done; git gc -q; real fsck --strict; real verify-pack -v .git/objects/pack/*.idx | grep -c 'chain length = [1-9]' | sed 's/[1-9]/some/'; real log --oneline | wc -l; real show --stat --oneline; test $(du -k .git/objects/pack/*.pack | cut -f1) -lt 40 && echo small; real gc -q; git log -p | real hash-object --stdin; real log -p | real hash-object --stdin; git fsck
  some
  12
  d8b3011 n8
   n | 2 +-
   1 file changed, 1 insertion(+), 1 deletion(-)
  small
  0de0fdf86d14429a4a780c2695ed57b0c206a069
  0de0fdf86d14429a4a780c2695ed57b0c206a069

& few; real gc -q; echo more > m; git add m; git commit -qm more; git repack -q -a -d; real fsck; real status -s; real repack -q -a -d; git fsck; git gc -q --prune=now; real fsck; ls .git/objects/pack | grep -c 'pack$'; real show-ref -d
  1
  300c8ea76c7dfba3f243ae116441019691d007b7 refs/heads/main
  3ec1585666b625cb140dc168eebca3c4cdbce4d2 refs/tags/light
  92384e23d5fca57d30ad6815ebf257e8c534f4f0 refs/tags/v1
  3ec1585666b625cb140dc168eebca3c4cdbce4d2 refs/tags/v1^{}

& few; real init -q --bare ../b.git; real push -q ../b.git --all; cd ../b.git; git gc -q; real fsck; git count-objects -v | grep packs; real clone -q . ../c; cd ../c; git fsck; git log --oneline
  packs: 1
  3ec1585 c3
  fb16915 c2
  0989a81 c1
