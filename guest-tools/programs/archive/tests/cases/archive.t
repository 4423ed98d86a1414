% mkdir -p d/e; seq 100 > d/a; printf x > d/e/b; printf hi > c; ln -s c l; ln d/a d/hard; chmod 755 d/e/b; find . -exec touch -h -d 2020-02-03T04:05:06 {} +

$ zstd -q c; zstd -dc c.zst; ls; rm c; unzstd -q c.zst; cat c
  hic
  c.zst
  d
  l
  hi
\

$ zstd -q --rm c; ls; zstd -qd --rm c.zst; ls
  c.zst
  d
  l
  c
  d
  l

$ seq 100000 | zstd -q | zstd -d | md5sum; printf '' | zstd -q | zstd -d | wc -c
  dea9193b768319cbb4ff1a137ac03113  -
  0

$ zstd -q c; zstdcat c.zst c.zst; (zstd -qc c; zstd -qc c) | zstdcat; zstd -t -q c.zst; echo $?
  hihihihi0

$ printf 'not zstd' | zstd -dq 2>/dev/null; echo $?; zstd -q nonexistent 2>/dev/null; echo $?
  1
  1

$ zstd -q c -o x.zst; zstd -dq x.zst -o y; cat y; zstd -q c; zstd -q c 2>/dev/null; echo $?; zstd -qf c; echo $?
  hi1
  0

$ tar --zstd -cf x.tar.zst d c; tar -tf x.tar.zst | sort; tar -caf y.tar.zst c; file -b y.tar.zst | cut -c1-9; tar xOf y.tar.zst c
  c
  d/
  d/a
  d/e/
  d/e/b
  d/hard
  Zstandard
  hi
\

$ tar -cJf x.tar.xz d; tar -tJf x.tar.xz | sort; tar -I zstd -cf z.tzst c; tar -tf z.tzst
  d/
  d/a
  d/e/
  d/e/b
  d/hard
  c

$ tar cf x.tar c --mtime=@1000000000; tar tvf x.tar | cut -d' ' -f1,4-; tar cf y.tar --mtime='2001-02-03 04:05' c; tar tvf y.tar | grep -o '2001.*'
  -rw-r--r--        2 2001-09-09 01:46 c
  2001-02-03 04:05 c

$ mkdir .git; touch .git/x; tar cf x.tar --exclude-vcs .; tar tf x.tar | grep -c git
  0
[1]

$ printf 'c\nd/a\nl\n' | cpio -o --quiet > x.cpio; cpio -t --quiet < x.cpio; head -c 2 x.cpio | od -An -tx1
  c
  d/a
  l
   c7 71

$ find d c l | LC_ALL=C sort | cpio -o --quiet -H newc > x.cpio; cpio -tv --quiet < x.cpio | sed 's/  */ /g' | cut -d' ' -f1,5- | grep -v 'd/a'; mkdir o; (cd o; cpio -idm --quiet < ../x.cpio; find . | sort; cat c; ls -l d/e/b l | cut -c1-10; stat -c %h d/a; date -r c +%F)
  -rw-r--r-- 2 Feb 3 2020 c
  drwxr-xr-x 0 Feb 3 2020 d
  drwxr-xr-x 0 Feb 3 2020 d/e
  -rwxr-xr-x 1 Feb 3 2020 d/e/b
  -rw-r--r-- 292 Feb 3 2020 d/hard
  lrwxrwxrwx 1 Feb 3 2020 l -> c
  .
  ./c
  ./d
  ./d/a
  ./d/e
  ./d/e/b
  ./d/hard
  ./l
  hi-rwxr-xr-x
  lrwxrwxrwx
  2
  2020-02-03

$ printf 'c\n' | cpio -o --quiet -H odc > x.cpio; head -c 6 x.cpio; rm c; cpio -i --quiet < x.cpio; cat c
  070707hi
\

$ find d | sort | cpio -o --quiet -H crc | head -c 6
  070702
\

$ printf 'c\nl\n' | cpio -o > x.cpio; cpio -i --quiet c < x.cpio 2>&1; cpio -iu --quiet 'l*' < x.cpio; ls
  cpio: c not created: newer or same age version exists
  c
  d
  l
  x.cpio

$ mkdir o; find d | sort | cpio -pd --quiet o; find o | sort; wc -l < o/d/a
  o
  o/d
  o/d/a
  o/d/e
  o/d/e/b
  o/d/hard
  100

$ printf 'nonexistent\n' | cpio -o --quiet 2>&1 >/dev/null; echo $?; printf 'junk' | cpio -i 2>/dev/null; echo $?; cpio 2>/dev/null; echo $?
  cpio: nonexistent: Cannot stat: No such file or directory
  2
  2
  2

$ printf 'c\0l\0' | cpio -o0 --quiet -H newc | cpio -t --quiet; printf 'c\n' | cpio -ov --quiet 2>&1 >/dev/null; printf 'c\nl\n' | cpio -o --quiet | cpio -it --quiet -f c
  c
  l
  c
  l

$ echo a > in; tar cf t.tar in; tar xf t.tar -C missing 2>&1; echo $?; ls; mkdir there; tar xf t.tar -C there; ls there
  tar: missing: Cannot open: No such file or directory
  tar: Error is not recoverable: exiting now
  2
  c
  d
  in
  l
  t.tar
  in

$ exec 2>&1; tar -C missing -cf x.tar c; echo $?; tar -cf x.tar c -C missing d; echo $?; tar -cf x.tar -C c a; echo $?; tar -cf x.tar c; tar -tf x.tar -C missing; echo $?; tar -xf x.tar -C missing; echo $?; tar -rf x.tar -C d/e b -C .. a; tar -tf x.tar
  tar: missing: Cannot open: No such file or directory
  tar: Error is not recoverable: exiting now
  2
  tar: missing: Cannot open: No such file or directory
  tar: Error is not recoverable: exiting now
  2
  tar: c: Cannot open: Not a directory
  tar: Error is not recoverable: exiting now
  2
  tar: missing: Cannot open: No such file or directory
  tar: Error is not recoverable: exiting now
  2
  tar: missing: Cannot open: No such file or directory
  tar: Error is not recoverable: exiting now
  2
  c
  b
  a

$ touch $'a\377b' 'c\d' $'n\nl' 'é' 'q"'; ln -s $'x\001' link; tar cf t.tar -- $'a\377b' 'c\d' $'n\nl' 'é' 'q"' link; tar tf t.tar; tar tvf t.tar | sed 's/.*:.. //'; tar xvf t.tar 2>&1
  a\377b
  c\\d
  n\nl
  é
  q"
  link
  a\377b
  c\\d
  n\nl
  é
  q"
  link -> x\001
  a\377b
  c\\d
  n\nl
  é
  q"
  link

$ n=$(printf %0100d 0); m=$(printf 'dd/%0120d' 1); echo a > "$n"; mkdir dd; echo b > "$m"; ln -s "$m$n" ll; ln "$m" hh; tar cf t.tar "$n" "$m" ll hh; tar tf t.tar; tar tvf t.tar | grep -c -e '->' -e 'link to'; mkdir oo; tar xf t.tar -C oo; cat "oo/$n" "oo/$m" oo/hh; readlink oo/ll
  0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
  dd/000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001
  ll
  hh
  2
  a
  b
  b
  dd/0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000

$ echo hi > f; bzip2 -k f; xz -k f; gzip -k f; lzma -k f; for c in 'gzip -dc f.bz2' 'gzip -dc f.xz' 'bzip2 -dc f.gz' 'xz -dc f.gz' 'xz -dc f.lzma' 'unlzma -c f.lzma' 'zcat f.gz' 'bzcat f.xz'; do $c 2> /dev/null || echo "$c: $?"; done; zcat -f f.bz2 | cmp - f.bz2 && echo passed
  gzip -dc f.bz2: 1
  gzip -dc f.xz: 1
  bzip2 -dc f.gz: 2
  xz -dc f.gz: 1
  hi
  hi
  hi
  bzcat f.xz: 2
  passed
