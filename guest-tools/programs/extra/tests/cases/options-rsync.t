# rsync of Debian 12. What depends on rsync's protocol (bytes sent, rates) is cut from the output.
% mkdir -p src/m/x src/b src/.h; echo 1 > src/a; echo 2 > src/z; echo 3 > src/b/q; echo 4 > src/m/x/y; echo 5 > src/m/c; seq 500 > src/big; ln -s a src/lnk; chmod 600 src/z; find src -exec touch -h -d 2024-01-01T00:00:00 {} +
% show() { sed '/^sent /,$d' | sed '$d'; }; umask 022; mkdir dst; touch dst/gone dst/gone2; mkdir dst/olddir; touch dst/olddir/f; find dst -exec touch -h -d 2023-01-01T00:00:00 {} +

$ rsync -a --delete-before -i src/ dst | head -3; ls -A dst; mkdir e; rsync -a --delete-during -i src/m/ e; touch e/old; rsync -a --delete-during -i src/m/ e; rsync -a --delete-after -v src/ dst | show
  *deleting   olddir/f
  *deleting   olddir/
  *deleting   gone2
  .h
  a
  b
  big
  lnk
  m
  z
  .d..t...... ./
  >f+++++++++ c
  cd+++++++++ x/
  >f+++++++++ x/y
  *deleting   old
  .d..t...... ./
  building file list ... done

$ rsync -a --delete-after -i src/ dst | tail -3; ls -A dst
  *deleting   olddir/
  *deleting   gone2
  *deleting   gone
  .h
  a
  b
  big
  lnk
  m
  z

$ rsync -a --delete --delete-after --dry-run src/ dst; ls dst; rsync --delete src/a dst 2>/dev/null; echo $?; rsync -r --delete src/nope dst 2>/dev/null; echo $?; rsync --delete -a src dst; ls -A dst
  gone
  gone2
  olddir
  1
  23
  gone
  gone2
  olddir
  src

$ printf 'a\nm/\nm/c\n' > inc; rsync -a --include-from=inc --exclude='*' src/ d1; find d1 | sort; printf '# c\n; d\n\n+ z\n- *\n' > inc2; rsync -a --include-from=inc2 src/ d2; find d2 | sort; rsync -a --include-from=nope src/ d3 2>&1 | head -1; printf -- '- b\n+ a\n' > ex; rsync -a --exclude-from=ex src/ d4; ls -A d4; printf 'z\n' | rsync -a --exclude-from=- src/ d5; ls -A d5
  d1
  d1/a
  d1/m
  d1/m/c
  d2
  d2/z
  rsync: [client] failed to open include file nope: No such file or directory (2)
  .h
  a
  big
  lnk
  m
  z
  .h
  a
  b
  big
  lnk
  m

$ ln src/a hard; cp src/a out; rsync -a --inplace src/a out; ln out link2; echo changed > src/a; rsync -a --inplace src/a out; cat link2; echo again > src/a; rsync -a src/a out; cat link2 out
  changed
  changed
  again

$ rsync -a --min-size=10 src/ d1; find d1 -type f; rsync -a --min-size=2 --max-size=100 src/ d2; find d2 -type f | sort; rsync -a --max-size=1K src/ d3; find d3 -type f | sort; rsync -a --min-size=1.5K src/ d4; find d4 -type f; rsync -a --max-size=1b-1 src/ d5; find d5 -type f; rsync -a --max-size=x src/ d6 2>/dev/null; echo $?
  d1/big
  d2/a
  d2/b/q
  d2/m/c
  d2/m/x/y
  d2/z
  d3/a
  d3/b/q
  d3/m/c
  d3/m/x/y
  d3/z
  d4/big
  1

$ rsync -a --mkpath src/ p/q/r; ls -A p/q/r; rsync -a src/ no/such/dir 2>/dev/null; echo $?; rsync -a --mkpath src/a one/two/; ls one/two; rsync -a --mkpath src/a three/four; cat three/four; rsync -a --mkpath -v src/z five/six/ | show; rsync -a --mkpath -v src/z seven/ | show; rsync -ai --mkpath src/b/ eight/nine
  .h
  a
  b
  big
  lnk
  m
  z
  11
  a
  1
  sending incremental file list
  created 2 directories for five/six
  z
  sending incremental file list
  created 1 directory for seven
  z
  created 2 directories for eight/nine
  .d..t...... ./
  >f+++++++++ q

$ rsync -a --no-perms src/ d1; stat -c %a d1/z; rsync -a src/ d2; stat -c %a d2/z; chmod 755 d2/z; rsync -a --no-p src/ d2; stat -c %a d2/z; rsync -a src/ d2; stat -c %a d2/z; rsync -r src/ d3; stat -c %a d3/z; rsync -rp src/ d4; stat -c '%a %n' d4/z; rsync -r --perms src/z d5; stat -c %a d5; chmod 777 d3/a; rsync -r --perms src/ d3; stat -c %a d3/a
  600
  600
  755
  600
  skipping non-regular file "lnk"
  600
  skipping non-regular file "lnk"
  600 d4/z
  600
  skipping non-regular file "lnk"
  644

$ rsync -a --no-times src/ d1; [ d1/a -nt src/a ]; echo $?; rsync -a --no-t -i src/ d1; rsync -a -i src/ d1 | head -3; rsync -rt src/ d2; stat -c %Y d2/a d2/m; rsync -r --times src/a d3; stat -c %Y d3; rsync -a -O src/ d4; stat -c %Y d4/a; [ d4/m -nt src/m ]; echo $?; rsync -a --omit-dir-times -i src/ d4; rsync -rtO src/ d5; [ d5/m -nt src/m ]; echo $?
  0
  >f..T...... a
  >f..T...... big
  >f..T...... z
  >f..T...... b/q
  >f..T...... m/c
  >f..T...... m/x/y
  .d..t...... ./
  >f..t...... a
  >f..t...... big
  skipping non-regular file "lnk"
  1704067200
  1704067200
  1704067200
  1704067200
  0
  skipping non-regular file "lnk"
  0

$ rsync -a --no-links src/ d1 2>&1; ls -A d1; rsync -rl src/ d2; readlink d2/lnk; rsync -r src/ d3; ls d3; rsync -r --links src/ d4; readlink d4/lnk; rsync -rLv src/ d5 | show; cat d5/lnk; ln -s nope src/dead; rsync -rL src/ d6 2>/dev/null; echo $?; ls d6; rsync -aL --no-links src/lnk d7 2>&1; rsync -a --no-l src/ d8; ls d8
  skipping non-regular file "lnk"
  .h
  a
  b
  big
  m
  z
  a
  skipping non-regular file "lnk"
  a
  b
  big
  m
  z
  a
  sending incremental file list
  created directory d5
  ./
  a
  big
  lnk
  z
  .h/
  b/
  b/q
  m/
  m/c
  m/x/
  m/x/y
  1
  23
  a
  b
  big
  lnk
  m
  z
  skipping non-regular file "dead"
  skipping non-regular file "lnk"
  a
  b
  big
  m
  z

$ rsync -a --no-recursive src/ d1; ls -A d1 | head -3; rsync -a --no-r src/. d2; find d2 | sort | head -20; rsync -av --no-recursive src d3 | show; rsync src/ d5; ls d5 2>/dev/null; rsync -v src/m d6 | head -1; rsync -v src/a d7 | head -1
  skipping directory .
  skipping directory .
  skipping directory src
  skipping directory .
  skipping directory m
  a

$ rsync -a --no-owner --no-group src/ d1; stat -c '%u %g' d1/a; chown 5:6 src/a; rsync -a src/ d2; stat -c '%u %g' d2/a; rsync -r -o src/ d3; stat -c '%u %g' d3/a; rsync -r -g src/ d4; stat -c '%u %g' d4/a; rsync -a --no-o src/ d5; stat -c '%u %g' d5/a; rsync -a --no-g src/ d6; stat -c '%u %g' d6/a; rsync -r --owner --group src/ d7; stat -c '%u %g' d7/a; rsync -rog -i src/ d1 | head -3; rsync -a --no-owner -i src/ d1
  0 0
  5 6
  skipping non-regular file "lnk"
  5 0
  skipping non-regular file "lnk"
  0 6
  0 6
  5 0
  skipping non-regular file "lnk"
  5 6
  skipping non-regular file "lnk"
  .f....og... a

$ rsync -a --partial src/ d1; find d1 | wc -l; rsync -a --whole-file src/ d3; find d3 | wc -l; rsync -aW -v src/a d4 | show; rsync -az src/big d5; cmp src/big d5; rsync -a --compress -i src/ d6 | wc -l; rsync -a -z --stats src/a d7 | sed -n '2,3p'
  12
  12
  sending incremental file list
  a
  13
  Number of files: 1 (reg: 1)
  Number of created files: 1 (reg: 1)

$ cp -r src d1; echo X > d1/a; rsync -r --size-only -i src/ d1; cat d1/a; rsync -r -i src/ d1; cat d1/a; echo longer > d1/a; rsync -a --size-only -i src/ d1; cat d1/a
  skipping non-regular file "lnk"
  X
  skipping non-regular file "lnk"
  >f..T...... a
  >f..T...... big
  >f..T...... z
  >f..T...... b/q
  >f..T...... m/c
  >f..T...... m/x/y
  1
  .d..t...... ./
  >f.st...... a
  .f..t...... big
  .L..t...... lnk -> a
  .f..t...... z
  .d..t...... .h/
  .d..t...... b/
  .f..t...... b/q
  .d..t...... m/
  .f..t...... m/c
  .d..t...... m/x/
  .f..t...... m/x/y
  1

$ rsync -a src/ d1; rsync -a -I -i src/ d1; rsync -a --ignore-times -v src/ d1 | show; echo Y > d1/a; touch -d 2024-01-01T00:00:00 d1/a; rsync -a src/ d1; cat d1/a; rsync -aI src/ d1; cat d1/a
  >f......... a
  >f......... big
  >f......... z
  >f......... b/q
  >f......... m/c
  >f......... m/x/y
  sending incremental file list
  a
  big
  z
  b/q
  m/c
  m/x/y
  Y
  1

$ mkfifo src/p; touch -h -d 2024-01-01T00:00:00 src/p; rsync -a src/ d1; test -p d1/p; echo $?; rsync -r src/ d2 2>&1; ls d2; rsync -rD src/ d3; test -p d3/p; echo $?; rsync -r --specials src/ d4; test -p d4/p; echo $?; rsync -a --no-D src/ d5 2>&1; ls d5
  0
  skipping non-regular file "lnk"
  skipping non-regular file "p"
  a
  b
  big
  m
  z
  skipping non-regular file "lnk"
  0
  skipping non-regular file "lnk"
  0
  skipping non-regular file "p"
  a
  b
  big
  lnk
  m
  z

$ rsync -r --devices src/m/ d1; find d1 | sort; rsync -a --no-D --devices -i src/m/ d2
  d1
  d1/c
  d1/x
  d1/x/y
  created directory d2
  cd+++++++++ ./
  >f+++++++++ c
  cd+++++++++ x/
  >f+++++++++ x/y

$ rsync -avq src/ d1; ls -A d1; rsync -av --quiet src/ d2; rsync -q src/nope d3 2>/dev/null; echo $?; rsync -qr src/ d4; rsync -a -q --stats src/ d5
  .h
  a
  b
  big
  lnk
  m
  z
  23

$ rsync -a -h --stats src/ d1 | sed -n '2,8p'; rsync -a --stats src/ d2 | sed -n '2,8p'; rsync -a --human-readable -v src/big d3 | show; rsync -ahh --stats src/big d4 | sed -n '6,7p'; rsync -n -a --stats src/ d5 | sed -n '2,4p'; head -c 2500000 /dev/zero > src/huge; rsync -a -h --stats src/huge d6 | sed -n '5,7p'; rsync -a --stats src/huge d7 | sed -n '5,7p'; rsync -a --stats --no-h src/huge d8 | sed -n '5,7p'
  Number of files: 12 (reg: 6, dir: 5, link: 1)
  Number of created files: 12 (reg: 6, dir: 5, link: 1)
  Number of deleted files: 0
  Number of regular files transferred: 6
  Total file size: 1.90K bytes
  Total transferred file size: 1.90K bytes
  Literal data: 1.90K bytes
  Number of files: 12 (reg: 6, dir: 5, link: 1)
  Number of created files: 12 (reg: 6, dir: 5, link: 1)
  Number of deleted files: 0
  Number of regular files transferred: 6
  Total file size: 1,903 bytes
  Total transferred file size: 1,902 bytes
  Literal data: 1,902 bytes
  sending incremental file list
  big
  Total file size: 1.85K bytes
  Total transferred file size: 1.85K bytes
  Number of files: 12 (reg: 6, dir: 5, link: 1)
  Number of created files: 12 (reg: 6, dir: 5, link: 1)
  Number of deleted files: 0
  Number of regular files transferred: 1
  Total file size: 2.50M bytes
  Total transferred file size: 2.50M bytes
  Number of regular files transferred: 1
  Total file size: 2,500,000 bytes
  Total transferred file size: 2,500,000 bytes
  Number of regular files transferred: 1
  Total file size: 2500000 bytes
  Total transferred file size: 2500000 bytes

$ rsync -ax src/ d1; ls -A d1; rsync -a --one-file-system -i src/m/ d2; rsync -a -xx src/b/ d3; ls d3
  .h
  a
  b
  big
  lnk
  m
  z
  created directory d2
  cd+++++++++ ./
  >f+++++++++ c
  cd+++++++++ x/
  >f+++++++++ x/y
  q

$ rsync src/a | tr -s ' '; rsync -r src/ | tr -s ' ' | sed 's/ [0-9,]* / N /'; rsync src/m | cut -d' ' -f1; rsync -a src/nope 2>/dev/null; echo $?; rsync -a src/a host:x 2>/dev/null; test $? -ne 0; echo $?; rsync src/nope dst 2>&1 | head -1 | sed 's|".*/case/|"|'; rsync -a src/a src/b dst/gone 2>/dev/null; echo $?; rsync -a src/b dst/gone 2>/dev/null; echo $?; touch -d 2023-01-01T00:00:00 n; rsync -a n dst/olddir; ls dst/olddir; rsync -a --nope x y 2>/dev/null; echo $?
  -rw-r--r-- 2 2024/01/01 00:00:00 a
  drwxr-xr-x N 2024/01/01 00:00:00 .
  -rw-r--r-- N 2024/01/01 00:00:00 a
  -rw-r--r-- N 2024/01/01 00:00:00 big
  lrwxrwxrwx N 2024/01/01 00:00:00 lnk
  -rw------- N 2024/01/01 00:00:00 z
  drwxr-xr-x N 2024/01/01 00:00:00 .h
  drwxr-xr-x N 2024/01/01 00:00:00 b
  -rw-r--r-- N 2024/01/01 00:00:00 b/q
  drwxr-xr-x N 2024/01/01 00:00:00 m
  -rw-r--r-- N 2024/01/01 00:00:00 m/c
  drwxr-xr-x N 2024/01/01 00:00:00 m/x
  -rw-r--r-- N 2024/01/01 00:00:00 m/x/y
  drwxr-xr-x
  23
  0
  rsync: [sender] link_stat "src/nope" failed: No such file or directory (2)
  3
  3
  f
  n
  1

$ rsync -a --exclude 'm' --exclude .h src/ d1; find d1 | sort; rsync -a --exclude='/m/x' src/ d2; find d2/m | sort; rsync -a --exclude='x/y' src/ d3; find d3/m | sort; rsync -a --exclude='**/y' src/ d4; find d4/m | sort; rsync -a --exclude='?' src/ d5; ls -A d5; rsync -a --exclude='[a-c]' src/ d6; ls -A d6; rsync -a --exclude='b*/' src/ d7; ls -A d7; rsync -a --exclude='*' src/ d8; ls -A d8; rsync -a --include='b/***' --exclude='*' src/ d9; find d9 | sort; rsync -a --exclude=src/m src d10; ls -A d10/src; rsync -a --exclude=/src/m src d11; ls -A d11/src
  d1
  d1/a
  d1/b
  d1/b/q
  d1/big
  d1/lnk
  d1/z
  d2/m
  d2/m/c
  d3/m
  d3/m/c
  d3/m/x
  d4/m
  d4/m/c
  d4/m/x
  .h
  big
  lnk
  .h
  big
  lnk
  m
  z
  .h
  a
  big
  lnk
  m
  z
  d9
  d9/b
  d9/b/q
  .h
  a
  b
  big
  lnk
  z
  .h
  a
  b
  big
  lnk
  z

$ rsync -a src/b/ src/m/ d1; ls d1; rsync -a src/a src/b d2; ls d2; rsync -av src/b src/m/x d3 | show
  c
  q
  x
  a
  b
  sending incremental file list
  created directory d3
  b/
  b/q
  x/
  x/y

$ rsync -avi src/ d1 | show; echo new > src/a; touch src/z; rm src/m/c; rsync -avi --delete src/ d1 | show; rsync -avin src/ d2 | show
  sending incremental file list
  created directory d1
  cd+++++++++ ./
  >f+++++++++ a
  >f+++++++++ big
  cL+++++++++ lnk -> a
  >f+++++++++ z
  cd+++++++++ .h/
  cd+++++++++ b/
  >f+++++++++ b/q
  cd+++++++++ m/
  >f+++++++++ m/c
  cd+++++++++ m/x/
  >f+++++++++ m/x/y
  sending incremental file list
  >f.st...... a
  >f..t...... z
  *deleting   m/c
  .d..t...... m/
  sending incremental file list
  created directory d2
  cd+++++++++ ./
  >f+++++++++ a
  >f+++++++++ big
  cL+++++++++ lnk -> a
  >f+++++++++ z
  cd+++++++++ .h/
  cd+++++++++ b/
  >f+++++++++ b/q
  cd+++++++++ m/
  cd+++++++++ m/x/
  >f+++++++++ m/x/y

$ rsync -rtu -i src/ dst; echo newer > dst/a; touch -d 2025-01-01T00:00:00 dst/a; rsync -rtu -i src/ dst; rsync -rt --update -v src/ dst | show; rsync -rt -c -i src/ dst; rsync -rc -i src/ d2 | wc -l; rsync -rc -i src/ d2; rsync -r -i src/ d2; rsync -rt --existing --ignore-existing -i src/ dst
  skipping non-regular file "lnk"
  .d..t...... ./
  >f+++++++++ a
  >f+++++++++ big
  >f+++++++++ z
  cd+++++++++ .h/
  cd+++++++++ b/
  >f+++++++++ b/q
  cd+++++++++ m/
  >f+++++++++ m/c
  cd+++++++++ m/x/
  >f+++++++++ m/x/y
  skipping non-regular file "lnk"
  sending incremental file list
  skipping non-regular file "lnk"
  skipping non-regular file "lnk"
  >fcst...... a
  13
  skipping non-regular file "lnk"
  skipping non-regular file "lnk"
  >f..T...... a
  >f..T...... big
  >f..T...... z
  >f..T...... b/q
  >f..T...... m/c
  >f..T...... m/x/y

$ rsync -a --prune-empty-dirs --exclude=q --exclude=y src/ d1; find d1 -type d | sort; rsync -am --include='*/' --include='*.none' --exclude='*' src/ d2; find d2 | sort; rsync -a --remove-source-files -v src/b/ d3 | show; find src/b; rsync -a --remove-source-files -n src/m/ d4; find src/m -type f | sort
  d1
  d1/m
  d2
  sending incremental file list
  created directory d3
  ./
  q
  src/b
  src/m/c
  src/m/x/y
