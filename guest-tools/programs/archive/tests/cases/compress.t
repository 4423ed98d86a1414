# What gzip, bzip2 and xz say about files and sizes, and the files that they leave alone.
% printf abcabc > f; seq 1000 > g; : > e; touch -d 2024-03-05T10:11 f g e; mkdir d; seq 10 > l; ln l m; ln -s l n

$ gzip -kv f g e 2>&1; gunzip -kvf f.gz g.gz e.gz 2>&1; gzip -cv g 2>&1 > /dev/null; gzip -v < g 2>&1 > /dev/null; gzip -dv < g.gz 2>&1 > /dev/null; gzip -tv g.gz 2>&1
  f:	-33.3% -- created f.gz
  g:	 53.0% -- created g.gz
  e:	  0.0% -- created e.gz
  f.gz:	-33.3% -- created f
  g.gz:	 53.0% -- created g
  e.gz:	  0.0% -- created e
  g:	 53.0% -- replaced with stdout
   53.0%
  g.gz:	 OK

$ gzip f g e; gzip -l f.gz; gzip -l f.gz g.gz; gzip -lv f.gz e.gz; gzip -lq f.gz g.gz; gzip -lN g.gz; gzip -l < f.gz
           compressed        uncompressed  ratio uncompressed_name
                   28                   6 -33.3% f
           compressed        uncompressed  ratio uncompressed_name
                   28                   6 -33.3% f
                 1850                3893  53.0% g
                 1878                3899  52.3% (totals)
  method  crc     date  time           compressed        uncompressed  ratio uncompressed_name
  defla 726e994c Mar  5 10:11                  28                   6 -33.3% f
  defla 00000000 Mar  5 10:11                  22                   0   0.0% e
                                               50                   6 -400.0% (totals)
                   28                   6 -33.3% f
                 1850                3893  53.0% g
           compressed        uncompressed  ratio uncompressed_name
                 1850                3893  53.0% g
           compressed        uncompressed  ratio uncompressed_name
                   28                   6 -33.3% stdout

$ gzip f; gzip f.gz 2>&1; echo $?; gzip -q f.gz; gzip -r f.gz; gzip -rv f.gz 2>&1; mv f.gz f.tgz; gzip f.tgz 2>&1; gzip -f f.tgz; ls; cp f.tgz.gz f.Z; gzip -d f.Z; ls f*
  gzip: f.gz already has .gz suffix -- unchanged
  0
  gzip: f.gz already has .gz suffix -- unchanged
  gzip: f.tgz already has .tgz suffix -- unchanged
  d
  e
  f.tgz.gz
  g
  l
  m
  n
  f
  f.tgz.gz

$ gzip l 2>&1; echo $?; gzip n 2>&1; echo $?; gzip -k l 2>/dev/null; gzip -c n | zcat | wc -l; gzip -f n; ls; gzip d 2>&1; echo $?; gzip nosuch 2>&1; echo $?
  gzip: l has 1 other link -- file ignored
  2
  gzip: n: Too many levels of symbolic links
  1
  10
  d
  e
  f
  g
  l
  m
  n.gz
  gzip: d is a directory -- ignored
  2
  gzip: nosuch: No such file or directory
  1

$ bzip2 -v f g e 2>&1; bunzip2 -v f.bz2 g.bz2 2>&1; bzip2 -k g; bzip2 -tv g.bz2 2>&1; bzip2 -kv g 2>&1; echo $?; bzip2 -v < g 2>&1 > /dev/null; cp g.bz2 x.tbz; bunzip2 x.tbz; cp g.bz2 y; bunzip2 y 2>&1; ls
    f:        0.154:1, 52.000 bits/byte, -550.00% saved, 6 in, 39 out.
    g:        4.241:1,  1.886 bits/byte, 76.42% saved, 3893 in, 918 out.
    e:        no data compressed.
    f.bz2:   done
    g.bz2:   done
    g.bz2:   ok
  bzip2: Output file g.bz2 already exists.
  1
    (stdin):  4.241:1,  1.886 bits/byte, 76.42% saved, 3893 in, 918 out.
  bunzip2: Can't guess original name for y -- using y.out
  d
  e.bz2
  f
  g
  g.bz2
  l
  m
  n
  x.tar
  y.out

$ bzip2 nosuch 2>&1; echo $?; bzip2 d 2>&1; echo $?; bzip2 l 2>&1; echo $?; bzip2 n 2>&1; echo $?; bzip2 g; bzip2 g.bz2 2>&1; echo $?
  bzip2: Can't open input file nosuch: No such file or directory.
  1
  bzip2: Input file d is a directory.
  1
  bzip2: Input file l has 1 other link.
  1
  bzip2: Input file n is not a normal file.
  1
  bzip2: Input file g.bz2 already has .bz2 suffix.
  1

$ xz nosuch 2>&1; echo $?; xz d 2>&1; echo $?; xz l 2>&1; echo $?; xz n 2>&1; echo $?; xz g; xz g.xz 2>&1; echo $?; mv g.xz g.txz; xz -d g.txz; ls g*; xz -v e 2>&1
  xz: nosuch: No such file or directory
  1
  xz: d: Is a directory, skipping
  2
  xz: l: Input file has more than one hard link, skipping
  2
  xz: n: Is a symbolic link, skipping
  2
  xz: g.xz: File already has `.xz' suffix, skipping
  2
  g.tar
  e: 32 B / 0 B > 9.999

$ gzip -V | grep -o 1.12; gunzip -V | grep -o 1.12; zcat -V | grep -o 1.12; uncompress -V | grep -o 1.12
  1.12
  1.12
  1.12
  1.12

$ printf 'aaa\n' > f; k() { echo "$? $1"; ls f.*; rm -f f.*; }; xz -kf --format=lzma f 2>&1; k --format=lzma; xz -kf -Flzma f 2>&1; k -Flzma; xz -kf --format=xz f 2>&1; k --format=xz; xz -kf --format=auto f 2>&1; k --format=auto; xz -kf --format=x f 2>&1; k --format=x; xz -kf --check=crc32 f 2>&1; k --check=crc32; xz -kf -Cnone f 2>&1; k -Cnone; xz -kf --check=foo f 2>&1; k --check=foo; xz -kf --no-sparse f 2>&1; k --no-sparse; xz -kf --memlimit=1GiB f 2>&1; k --memlimit=1GiB; xz -kf -M1GiB f 2>&1; k -M1GiB; xz -kf --single-stream f 2>&1; k --single-stream; xz -kf --ignore-check f 2>&1; k --ignore-check; xz -k --format=lzma f; xz -dc f.lzma; xz -dc --format=lzma < f.lzma; xz -dc --format=xz < f.lzma 2>&1; echo $?; xz -kc f | xz -dc --format=lzma 2>&1; xz -kc f | xz -dc --format=auto; rm f.lzma; xz -F lzma f; ls; xz -d --format=lzma f.lzma; xz --format=lzma --suffix=.foo f; ls
  0 --format=lzma
  f.lzma
  0 -Flzma
  f.lzma
  0 --format=xz
  f.xz
  0 --format=auto
  f.xz
  xz: x: Unknown file format type
  1 --format=x
  0 --check=crc32
  f.xz
  0 -Cnone
  f.xz
  xz: foo: Unsupported integrity check type
  1 --check=foo
  0 --no-sparse
  f.xz
  0 --memlimit=1GiB
  f.xz
  0 -M1GiB
  f.xz
  0 --single-stream
  f.xz
  0 --ignore-check
  f.xz
  aaa
  aaa
  xz: (stdin): File format not recognized
  1
  xz: (stdin): File format not recognized
  aaa
  d
  e
  f.lzma
  g
  l
  m
  n
  d
  e
  f.foo
  g
  l
  m
  n
