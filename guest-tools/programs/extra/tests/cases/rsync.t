# What depends on rsync's protocol (bytes sent, rates) is cut from the output.
% mkdir -p src/m/x src/b src/.h; echo 1 > src/a; echo 2 > src/z; echo 3 > src/b/q; echo 4 > src/m/x/y; echo 5 > src/m/c; ln -s a src/lnk; chmod 600 src/z; find src -exec touch -h -d 2024-01-01T00:00:00 {} +
% show() { sed '/^sent /,$d' | sed '$d'; }; umask 022

$ mkdir dst; rsync -av src/ dst | show; rsync -av src/ dst | show; diff -r src dst && stat -c '%n %a %Y' dst/z dst/m dst
  sending incremental file list
  ./
  a
  lnk -> a
  z
  .h/
  b/
  b/q
  m/
  m/c
  m/x/
  m/x/y
  sending incremental file list
  dst/z 600 1704067200
  dst/m 755 1704067200
  dst 755 1704067200

$ rsync -r -v src dst | show; find dst | sort; rsync -a src dst2; find dst2 | sort; readlink dst2/src/lnk
  sending incremental file list
  created directory dst
  skipping non-regular file "src/lnk"
  src/
  src/a
  src/z
  src/.h/
  src/b/
  src/b/q
  src/m/
  src/m/c
  src/m/x/
  src/m/x/y
  dst
  dst/src
  dst/src/.h
  dst/src/a
  dst/src/b
  dst/src/b/q
  dst/src/m
  dst/src/m/c
  dst/src/m/x
  dst/src/m/x/y
  dst/src/z
  dst2
  dst2/src
  dst2/src/.h
  dst2/src/a
  dst2/src/b
  dst2/src/b/q
  dst2/src/lnk
  dst2/src/m
  dst2/src/m/c
  dst2/src/m/x
  dst2/src/m/x/y
  dst2/src/z
  a

$ mkdir -p dst/old; touch dst/old/f dst/gone dst/zold; rsync -a src/ dst; ls dst; rsync -av --delete src/ dst | show; ls -A dst
  a
  b
  gone
  lnk
  m
  old
  z
  zold
  sending incremental file list
  deleting old/f
  deleting old/
  deleting zold
  deleting gone
  .h
  a
  b
  lnk
  m
  z

$ rsync -a src/ dst; echo 11 > src/a; rm dst/z; chmod 644 dst/b/q; rsync -ain --delete src/ dst; rsync -ai src/ dst; rsync -ai src/ dst
  .d..t...... ./
  >f.st...... a
  >f+++++++++ z
  .d..t...... ./
  >f.st...... a
  >f+++++++++ z

$ rsync -av src/a src/z new/ | show; rsync -a src/a b; cat b; rsync -a src/a new/c; cat new/c; ls new
  sending incremental file list
  created directory new
  a
  z
  1
  1
  a
  c
  z

$ rsync -av --exclude=m --exclude='*.x' src/ dst | show; rsync -a --exclude='/b/' src/ d2; ls -A d2; rsync -a --include='*/' --include=c --exclude='*' src/ d3; find d3 | sort; rsync -am --include='*/' --include=c --exclude='*' src/ d4; find d4 | sort
  sending incremental file list
  created directory dst
  ./
  a
  lnk -> a
  z
  .h/
  b/
  b/q
  .h
  a
  lnk
  m
  z
  d3
  d3/.h
  d3/b
  d3/m
  d3/m/c
  d3/m/x
  d4
  d4/m
  d4/m/c

$ printf 'z\n# c\nm/\n' > ex; rsync -a --exclude-from=ex src/ dst; ls -A dst; rsync -a --exclude='m/x' src/ d2; find d2/m | sort; rsync -a --exclude='m/**' src/ d3; find d3/m
  .h
  a
  b
  lnk
  d2/m
  d2/m/c
  d3/m

$ rsync -a src/ dst; rsync -av --delete --exclude=m src/ dst | show; mkdir e; rsync -av --delete --exclude=z e/ dst | show; ls -A dst; rsync -a --delete-excluded --exclude=z e/ dst; ls -A dst
  sending incremental file list
  sending incremental file list
  deleting m/x/y
  deleting m/x/
  deleting m/c
  deleting m/
  deleting b/q
  deleting b/
  deleting .h/
  deleting lnk
  deleting a
  ./
  z

$ rsync -a src/ dst; echo newer > dst/a; rsync -au src/ dst; cat dst/a; rsync -a --ignore-existing src/ dst; cat dst/a; rsync -a src/ dst; cat dst/a; rm dst/z; rsync -a --existing src/ dst; ls dst
  newer
  newer
  1
  a
  b
  lnk
  m

$ rsync -a src/ dst; printf 'X\n' > dst/a; touch -d 2024-01-01T00:00:00 dst/a; rsync -a src/ dst; cat dst/a; rsync -ac src/ dst; cat dst/a; rsync -aci src/ dst
  X
  1

$ rsync -a --stats src/ dst | sed -n '2,6p'; rsync -anv src/ dst | show; rsync src dst5; ls dst5 2>&1 | wc -l; rsync -a src/nosuch dst 2>/dev/null; echo $?; rsync --nope 2>/dev/null; echo $?
  Number of files: 11 (reg: 5, dir: 5, link: 1)
  Number of created files: 11 (reg: 5, dir: 5, link: 1)
  Number of deleted files: 0
  Number of regular files transferred: 5
  Total file size: 11 bytes
  sending incremental file list
  skipping directory src
  1
  23
  1

$ rsync -a --max-size=1 src/ dst; find dst -type f; rsync -rt src/ d2; ls -A d2; rsync -a --remove-source-files src/b d3; find src/b d3 | sort; rsync -aL src/lnk d4; cat d4
  skipping non-regular file "lnk"
  .h
  a
  b
  m
  z
  d3
  d3/b
  d3/b/q
  src/b
  1

$ mkdir dst; ln -s /tmp dst/m; rsync -a src/ dst; test -L dst/m; echo $?; find dst/m | sort
  1
  dst/m
  dst/m/c
  dst/m/x
  dst/m/x/y
