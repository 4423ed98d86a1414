# GNU cpio 2.13 of Debian 12.
% umask 022; mkdir -p d/e; printf 'one\ntwo\n' > d/a; printf hello > d/e/b; printf 'c\n' > c; ln -s c l; ln c hard; seq 2000 > big; chmod 640 c; find . -exec touch -h -d 2020-02-03T04:05:06 {} +

$ printf 'c\nd/a\n' | cpio -o --quiet -F x.cpio; cpio -t --quiet -F x.cpio; cpio -t --quiet --file=x.cpio; printf 'c\n' | cpio -o --quiet -O y.cpio; cpio -t --quiet -I y.cpio; cpio -it --quiet -I nope 2>&1; printf 'c\n' | cpio -o --quiet --file x.cpio -H newc; cpio -t --quiet < x.cpio
  c
  d/a
  c
  d/a
  c
  cpio: Cannot open nope: No such file or directory
  c

$ printf 'c\n' | cpio -o --quiet | wc -c; printf 'c\n' | cpio -o --quiet -B | wc -c; printf 'c\n' | cpio -o --quiet -C 100 | wc -c; printf 'c\n' | cpio -o --quiet --io-size=4096 | wc -c; printf 'big\n' | cpio -oB 2>&1 >/dev/null; printf 'big\n' | cpio -o 2>&1 >/dev/null; printf 'c\n' | cpio -o -C 0 2>&1 | head -1; printf 'c\n' | cpio -o -C x 2>&1 | head -1
  512
  5120
  100
  4096
  2 blocks
  18 blocks
  cpio: invalid block size
  cpio: invalid block size

$ printf 'c\n' | cpio -oc --quiet | head -c 6; echo; printf 'c\n' | cpio -o -H nope 2>/dev/null; echo $?; printf 'c\n' | cpio -o --quiet -H bin | head -c2 | od -An -tx1; printf 'c\n' | cpio -oc --quiet | cpio -ic --quiet -t
  070707
  2
   c7 71
  c

$ find d c l hard | LC_ALL=C sort | cpio -o --quiet -F x.cpio; mkdir o; cpio -id --quiet -D o < x.cpio; find o | LC_ALL=C sort; (cd d; printf 'a\n') | cpio -o --quiet -D d | cpio -t --quiet; mkdir p; printf 'a\n' | cpio -p --quiet -D d ../p; ls p
  o
  o/c
  o/d
  o/d/a
  o/d/e
  o/d/e/b
  o/hard
  o/l
  a

$ find d c l | LC_ALL=C sort | cpio -o --quiet -F x.cpio; printf 'c\nd/*\n' > pats; cpio -it --quiet -E pats < x.cpio; cpio -it --quiet -f -E pats < x.cpio; cpio -it --quiet --pattern-file=pats l < x.cpio; cpio -it --quiet --nonmatching 'd*' < x.cpio; cpio -it --quiet 'd/e*' nomatch < x.cpio; cpio -it --quiet -E nope < x.cpio 2>/dev/null; echo $?
  c
  d/a
  d/e
  d/e/b
  d
  l
  c
  d/a
  d/e
  d/e/b
  l
  c
  l
  d/e
  d/e/b
  2

$ find d c l | LC_ALL=C sort | cpio -o -V 2>&1 >/dev/null; find d c l | LC_ALL=C sort | cpio -o --dot --quiet -F x.cpio 2>&1; cpio -iV --quiet -u < x.cpio 2>&1
  ......
  1 block
  ......
  ......

$ printf 'c\nd/a\n' | cpio -o --quiet -F x.cpio; cpio -i --quiet --to-stdout c < x.cpio; cpio -i --quiet --to-stdout < x.cpio; cpio -iv --to-stdout d/a < x.cpio 2>/dev/null; rm c; cpio -i --to-stdout --quiet c < x.cpio; ls c 2>/dev/null
  c
  c
  one
  two
  one
  two
  c
[2]

$ printf 'l\n' | cpio -o --quiet -L -H newc | cpio -tv --quiet | cut -c1-10; printf 'l\n' | cpio -o --quiet -H newc | cpio -tv --quiet | cut -c1-10; mkdir p; printf 'l\n' | cpio -p --quiet --dereference p; readlink p/l; cat p/l; printf 'l\n' | cpio -pu --quiet p; readlink p/l
  -rw-r-----
  lrwxrwxrwx
  c
  c

$ printf 'c\n' | cpio -o --quiet -H newc | cpio -tvn --quiet | tr -s ' ' | cut -d' ' -f1-5; printf 'c\n' | cpio -o --quiet -H newc | cpio -tv --quiet --numeric-uid-gid | tr -s ' ' | cut -d' ' -f3,4,5
  -rw-r----- 2 0 0 2
  0 0 2

$ printf 'c\n' | cpio -o --quiet -H newc -R 12:34 | cpio -tvn --quiet | tr -s ' ' | cut -d' ' -f3,4; printf 'c\n' | cpio -o --quiet -H newc --owner=5:6 | cpio -tvn --quiet | tr -s ' ' | cut -d' ' -f3; printf 'c\n' | cpio -o --quiet -H newc -R :7 | cpio -tvn --quiet | tr -s ' ' | cut -d' ' -f4; printf 'c\n' | cpio -o -R nosuchuser 2>&1 | head -1; printf 'c\n' | cpio -o --quiet > x.cpio; cpio -iu --quiet -R 3:4 < x.cpio; stat -c '%u %g' c; mkdir p; printf 'c\n' | cpio -p --quiet -R 8:9 p; stat -c '%u %g' p/c
  12 34
  5
  7
  cpio: nosuchuser: invalid user
  3 4
  8 9

$ printf 'c\n' | cpio -o --quiet -R 12:34 > x.cpio; rm c; cpio -i --quiet < x.cpio; stat -c '%u %g' c; rm c; cpio -i --quiet --no-preserve-owner < x.cpio; stat -c '%u %g' c; mkdir p; chown 1:2 c; printf 'c\n' | cpio -p --quiet p; stat -c '%u %g' p/c; rm p/c; printf 'c\n' | cpio -p --quiet --no-preserve-owner p; stat -c '%u %g' p/c
  12 34
  0 0
  1 2
  0 0

$ printf 'c\nhard\n' | cpio -o --quiet -H newc --reproducible > x; sleep 0.01; mkdir n; cp -p c n/c; ln n/c n/hard; cd n; printf 'c\nhard\n' | cpio -o --quiet -H newc --reproducible > ../y; cmp ../x ../y; echo $?; head -c 14 ../x; echo
  0
  07070100000000

$ printf "$PWD/c\n" | cpio -o --quiet > x.cpio; mkdir o; cd o; cpio -id --quiet --no-absolute-filenames < ../x.cpio 2>/dev/null; find . -type f | sed 's|/.*/|/X/|'; cpio -t --quiet --no-absolute-filenames < ../x.cpio | cut -c1-1 | grep -c /
  ./X/c
  0
[1]

$ printf 'c\n' | cpio -o --quiet > x.cpio; touch -d 2021-01-01T00:00:00 c; cpio -i --quiet < x.cpio; echo $?; cpio -iv < x.cpio 2>&1; cpio -im --quiet -u < x.cpio; stat -c %Y c; cpio -i --quiet --unconditional < x.cpio; stat -c '%a %s' c; cpio -iuv < x.cpio 2>&1; cpio -ivt < x.cpio | tr -s ' ' | cut -d' ' -f1,2,5-
  0
  cpio: c not created: newer or same age version exists
  c
  1 block
  1580702706
  640 2
  c
  1 block
  -rw-r----- 2 2 Feb 3 2020 c

$ printf 'nope\nc\n' | cpio -o > x.cpio 2>err; echo $?; cat err; : | cpio -o --quiet | wc -c; : | cpio -i 2>&1; echo junkjunkjunkjunkjunkjunkjunkjunk | cpio -i 2>&1 | head -1; head -c 40 x.cpio | cpio -i 2>&1 | tail -1; cpio -o -i 2>&1 | head -1; cpio -p 2>&1 | head -1; cpio 2>&1 | head -1; printf 'c\n' | cpio -p --quiet nodir/x 2>&1; printf 'd/e/b\n' | cpio -p --quiet nodir 2>&1 | head -2; printf 'd/e/b\n' | cpio -p -d --quiet nd; find nd; printf 'c\n' | cpio -pvd nd 2>&1
  2
  cpio: nope: Cannot stat: No such file or directory
  1 block
  512
  cpio: premature end of archive
  cpio: premature end of archive
  cpio: premature end of file
  cpio: Mode already defined
  cpio: Not enough arguments
  cpio: You must specify one of -oipt options.
  cpio: nodir/x/c: Cannot open: No such file or directory
  cpio: nodir/d/e/b: Cannot open: No such file or directory
  nd
  nd/d
  nd/d/e
  nd/d/e/b
  nd/c
  1 block

$ : > e1; ln e1 e2; ln e1 e3; for f in newc crc odc bin; do printf 'e1\ne2\ne3\nc\nhard\n' | cpio -o --quiet -H $f > x.cpio; rm -rf o; mkdir o; cpio -id --quiet -D o < x.cpio; stat -c '%n %h %s' o/*; cpio -it --quiet < x.cpio; done; printf 'e1\ne2\n' | cpio -o --quiet -H newc | cpio -itv --quiet | cut -c1-14; mkdir p; printf 'e1\ne2\nc\nhard\n' | cpio -p --quiet p; stat -c '%n %h %s' p/*; printf 'hard\nc\n' | cpio -o --quiet -H newc | wc -c; printf 'e2\ne1\n' | cpio -o --quiet -H newc > x.cpio; cpio -iu --quiet e1 < x.cpio; stat -c '%n %h' e1 e2
  o/c 2 2
  o/e1 3 0
  o/e2 3 0
  o/e3 3 0
  o/hard 2 2
  e2
  e1
  e3
  c
  hard
  o/c 2 2
  o/e1 3 0
  o/e2 3 0
  o/e3 3 0
  o/hard 2 2
  e2
  e1
  e3
  c
  hard
  o/c 2 2
  o/e1 3 0
  o/e2 3 0
  o/e3 3 0
  o/hard 2 2
  e1
  e2
  e3
  c
  hard
  o/c 2 2
  o/e1 3 0
  o/e2 3 0
  o/e3 3 0
  o/hard 2 2
  e1
  e2
  e3
  c
  hard
  -rw-r--r--   3
  -rw-r--r--   3
  p/c 2 2
  p/e1 2 0
  p/e2 2 0
  p/hard 2 2
  512
  e1 1
  e2 2
