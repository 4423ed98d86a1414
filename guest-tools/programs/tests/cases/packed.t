% printf 'a\nb\nc\n' >f; printf 'a\nx\nc\n' > g; gzip -nk f g; xz -k f g; bzip2 -k f g; zstd -q f; lzma -k f; head -c 18 f.gz > t.gz

$ exec 2>&1; zgrep b nope
  gzip: nope.gz: No such file or directory
[2]

$ exec 2>&1; zgrep b f
  b

$ exec 2>&1; zgrep b f.gz
  b

$ exec 2>&1; zgrep b f.gz g.gz
  f.gz:b

$ exec 2>&1; zgrep b f.bz2
[1]

$ exec 2>&1; zgrep -c b f.gz g.gz f
  f.gz:1
  g.gz:0
  f:1

$ exec 2>&1; zgrep -l b f.gz g.gz
  f.gz

$ exec 2>&1; zgrep -L b f.gz g.gz
  g.gz

$ exec 2>&1; zgrep -n b f.gz
  2:b

$ exec 2>&1; zgrep -H b f.gz
  f.gz:b

$ exec 2>&1; zgrep -h b f.gz f
  b
  b

$ exec 2>&1; zgrep -e b -e c f.gz
  b
  c

$ exec 2>&1; zgrep -f g f.gz
  a
  c

$ exec 2>&1; zgrep -v b < f.gz
  a
  c

$ exec 2>&1; zgrep -q b f.gz

$ exec 2>&1; zgrep -i B f.gz nope g.gz
  f.gz:b
  gzip: nope.gz: No such file or directory
[2]

$ exec 2>&1; zgrep b g.gz nope
  gzip: nope.gz: No such file or directory
[2]

$ exec 2>&1; zegrep 'a|b' f.gz
  a
  b

$ exec 2>&1; zfgrep . f.gz
[1]

$ exec 2>&1; xzgrep b f.xz f.gz f.bz2 f.lzma f
  f.xz:b
  f.gz:b
  f.bz2:b
  f.lzma:b
  f:b

$ exec 2>&1; xzgrep b nope f.xz
  xz: nope: No such file or directory
  f.xz:b
[2]

$ exec 2>&1; xzgrep -L b f.xz g.xz
  g.xz

$ exec 2>&1; xzegrep 'a|b' f.xz
  a
  b

$ exec 2>&1; xzfgrep . f.xz
[1]

$ exec 2>&1; bzgrep b f.bz2
  b

$ exec 2>&1; bzgrep b f.bz2 f
  f.bz2:b
  f:b

$ exec 2>&1; bzegrep 'a|b' f.bz2
  a
  b

$ exec 2>&1; bzfgrep . f.bz2
[1]

$ exec 2>&1; bzgrep b nope
  bzip2: Can't open input file nope: No such file or directory.
[1]

$ exec 2>&1; zstdgrep b f.zst
  b

$ exec 2>&1; zstdgrep b f.zst f
  f.zst:b
  f:b

$ exec 2>&1; zdiff f.gz g.gz
  2c2
  < b
  ---
  > x
[1]

$ exec 2>&1; zdiff f.gz

$ exec 2>&1; zdiff f.gz g
  2c2
  < b
  ---
  > x
[1]

$ exec 2>&1; zdiff f g.gz
  2c2
  < b
  ---
  > x
[1]

$ exec 2>&1; zdiff -q f.gz g.gz
  Files /dev/fd/5 and - differ
[1]

$ exec 2>&1; zdiff -q f.gz g
  Files - and g differ
[1]

$ exec 2>&1; zdiff f f.gz

$ exec 2>&1; zdiff -i f g
  2c2
  < b
  ---
  > x
[1]

$ exec 2>&1; zcmp f.gz g.gz
  /dev/fd/5 - differ: byte 3, line 2
[1]

$ exec 2>&1; zcmp f.gz g
  - g differ: byte 3, line 2
[1]

$ exec 2>&1; zcmp f.gz

$ exec 2>&1; zcmp -s f.gz g.gz
[1]

$ exec 2>&1; zcmp -l f.gz g.gz
                    3 142 170
[1]

$ exec 2>&1; xzdiff f.xz g
  2c2
  < b
  ---
  > x
[1]

$ exec 2>&1; xzdiff f.xz g.xz
  2c2
  < b
  ---
  > x
[1]

$ exec 2>&1; xzdiff f.xz

$ exec 2>&1; xzcmp f.xz g.xz
  /dev/fd/5 - differ: byte 3, line 2
[1]

$ exec 2>&1; bzdiff f.bz2 g
  2c2
  < b
  ---
  > x
[1]

$ exec 2>&1; bzdiff f.bz2

$ exec 2>&1; bzcmp f.bz2 g
  - g differ: byte 3, line 2
[1]

$ exec 2>&1; zless f.gz
  a
  b
  c

$ exec 2>&1; zless f.gz g.gz
  a
  b
  c
  a
  x
  c

$ exec 2>&1; zmore f.gz
  a
  b
  c

$ exec 2>&1; zmore f.gz g.gz
  ::::::::::::::
  f.gz
  ::::::::::::::
  a
  b
  c
  ::::::::::::::
  g.gz
  ::::::::::::::
  a
  x
  c

$ exec 2>&1; bzless f.bz2
  ------> f.bz2 <------
  a
  b
  c

$ exec 2>&1; bzmore f.bz2
  ------> f.bz2 <------
  a
  b
  c

$ exec 2>&1; xzless f.xz
  a
  b
  c

$ exec 2>&1; xzmore f.xz
  ------> f.xz <------
  a
  b
  c

$ exec 2>&1; zstdless f.zst
  a
  b
  c

$ exec 2>&1; zmore < f.gz
  a
  b
  c

$ exec 2>&1; lzcat f.lzma
  a
  b
  c

$ exec 2>&1; unlzma -c f.lzma
  a
  b
  c

$ exec 2>&1; lzma -dc f.lzma
  a
  b
  c

$ exec 2>&1; lzma -k g; lzcat g.lzma; ls
  a
  x
  c
  f
  f.bz2
  f.gz
  f.lzma
  f.xz
  f.zst
  g
  g.bz2
  g.gz
  g.lzma
  g.xz
  t.gz

$ exec 2>&1; xz -dc f.lzma
  a
  b
  c

$ exec 2>&1; xzcat f.lzma f.xz
  a
  b
  c
  a
  b
  c

$ exec 2>&1; unlzma f.lzma; ls
  unlzma: f: File exists
  f
  f.bz2
  f.gz
  f.lzma
  f.xz
  f.zst
  g
  g.bz2
  g.gz
  g.xz
  t.gz

$ exec 2>&1; unxz -f f.xz; ls
  f
  f.bz2
  f.gz
  f.lzma
  f.zst
  g
  g.bz2
  g.gz
  g.xz
  t.gz

$ exec 2>&1; lzma -c f | lzcat
  a
  b
  c

$ exec 2>&1; lzma f; ls; unlzma f.lzma; cat f
  lzma: f.lzma: File exists
  f
  f.bz2
  f.gz
  f.lzma
  f.xz
  f.zst
  g
  g.bz2
  g.gz
  g.xz
  t.gz
  unlzma: f: File exists
  a
  b
  c

$ exec 2>&1; head -c 15 f.lzma > t.lzma; lzcat t.lzma
  lzcat: t.lzma: Unexpected end of input
[1]

$ exec 2>&1; unlzma f
  unlzma: f: File format not recognized
[1]

$ exec 2>&1; lzcat f.xz
  lzcat: f.xz: File format not recognized
[1]

$ exec 2>&1; lzcat f.gz
  lzcat: f.gz: File format not recognized
[1]

$ exec 2>&1; uncompress f.gz -f; cat f
  a
  b
  c

$ zgrep b t.gz
  b
[2]

$ exec 2>&1; bzgrep -h -c b f.bz2 g.bz2 | sort
  0
  1

$ exec 2>&1; lzma -9 -k g; unlzma -k -f g.lzma; cat g
  a
  x
  c

$ exec 2>&1; zgrep --count -n -A1 -B 1 -C1 -w -x b f.gz
  1

$ exec 2>&1; zgrep -m1 -o -s . f.gz
  a

$ exec 2>&1; zgrep --label=x b < f.gz
  b

$ exec 2>&1; zdiff -u f.gz g.gz | tail -n +3
  @@ -1,3 +1,3 @@
   a
  -b
  +x
   c

$ exec 2>&1; mkdir d; echo abc > d/x; rgrep b d
  d/x:abc

$ exec 2>&1; printf 'hello world, this is a test\n' | hd
  00000000  68 65 6c 6c 6f 20 77 6f  72 6c 64 2c 20 74 68 69  |hello world, thi|
  00000010  73 20 69 73 20 61 20 74  65 73 74 0a              |s is a test.|
  0000001c

$ exec 2>&1; printf hello | hd -n 3
  00000000  68 65 6c                                          |hel|
  00000003

$ exec 2>&1; printf hello | hd -c
  00000000  68 65 6c 6c 6f                                    |hello|
  0000000   h   e   l   l   o                                            
  0000005

$ exec 2>&1; hd nope 2>&1
  hd: nope: No such file or directory
  hd: all input file arguments failed
[1]
