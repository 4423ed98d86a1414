# Options of the smaller commands.
% exec 2> /dev/null
% printf 'one\n\n\ntwo\tx\n\nthree\001\n' > f; printf 'a 1\nbb 22\nccc 333\n' > t; printf 'x\r\ny\r\n' > dos; printf 'abc\0\001defgh\0ijkl mno\0' > bin; touch -d '2020-01-01' f t dos bin

$ cat -n f; cat -b f; cat -s f; cat -E f; cat -T f; cat -v f; cat -A f; cat -e f; cat -t f; cat -u f; cat --number --squeeze-blank f; cat --show-all f; cat --number-nonblank --show-ends f; cat --show-tabs --show-nonprinting f; cat f nosuch; echo $?; cat -y; echo $?; cat - < t; cat -ns f t
       1	one
       2	
       3	
       4	two	x
       5	
       6	three
       1	one
  
  
       2	two	x
  
       3	three
  one
  
  two	x
  
  three
  one$
  $
  $
  two	x$
  $
  three$
  one
  
  
  two^Ix
  
  three
  one
  
  
  two	x
  
  three^A
  one$
  $
  $
  two^Ix$
  $
  three^A$
  one$
  $
  $
  two	x$
  $
  three^A$
  one
  
  
  two^Ix
  
  three^A
  one
  
  
  two	x
  
  three
       1	one
       2	
       3	two	x
       4	
       5	three
  one$
  $
  $
  two^Ix$
  $
  three^A$
       1	one$
  $
  $
       2	two	x$
  $
       3	three$
  one
  
  
  two^Ix
  
  three^A
  one
  
  
  two	x
  
  three
  1
  1
  a 1
  bb 22
  ccc 333
       1	one
       2	
       3	two	x
       4	
       5	three
       6	a 1
       7	bb 22
       8	ccc 333

$ column -t t; column -t -o '|' t; column -t -N x,y t; column -t -N x,y -d t; column -t -R 2 t; column -t -N x,y -H x t; column -t -N x,y -O y,x t; column -t -s ' ' -l 1 t; column -L f; column -c 20 t; column -x -c 40 t; column -t -n tab -N a,b -J t; column -J t; echo $?; column -J -N a t; echo $?; column --table --separator ' ' --output-separator=: t; column --json --table-columns a,b --table-name q t; printf 'a "b\\\n' | column -J -N x,y; column -y; echo $?
  a    1
  bb   22
  ccc  333
  a  |1
  bb |22
  ccc|333
  x    y
  a    1
  bb   22
  ccc  333
  a    1
  bb   22
  ccc  333
  a      1
  bb    22
  ccc  333
  y
  1
  22
  333
  y    x
  1    a
  22   bb
  333  ccc
  a 1
  bb 22
  ccc 333
  one			two	x		three
  a 1	ccc 333
  bb 22
  a 1	bb 22	ccc 333
  {
     "tab": [
        {
           "a": "a",
           "b": "1"
        },{
           "a": "bb",
           "b": "22"
        },{
           "a": "ccc",
           "b": "333"
        }
     ]
  }
  1
  1
  a  :1
  bb :22
  ccc:333
  {
     "q": [
        {
           "a": "a",
           "b": "1"
        },{
           "a": "bb",
           "b": "22"
        },{
           "a": "ccc",
           "b": "333"
        }
     ]
  }
  {
     "table": [
        {
           "x": "a",
           "y": "\"b\\"
        }
     ]
  }
  1

$ strings bin; strings -n 3 bin; strings -t d bin; strings -t x bin; strings -t o bin; strings -a bin; strings -o bin; strings -f bin; strings -w bin; strings --bytes=6 bin; strings --radix=d --all bin; strings -5 bin; strings -d bin; strings --print-file-name -n 4 bin; strings -e s bin; strings -s '|' bin; echo; strings nosuch; echo $?
  defgh
  ijkl mno
  abc
  defgh
  ijkl mno
        5 defgh
       11 ijkl mno
        5 defgh
        b ijkl mno
        5 defgh
       13 ijkl mno
  defgh
  ijkl mno
        5 defgh
       13 ijkl mno
  bin: defgh
  bin: ijkl mno
  defgh
  ijkl mno
  ijkl mno
        5 defgh
       11 ijkl mno
  defgh
  ijkl mno
  defgh
  ijkl mno
  bin: defgh
  bin: ijkl mno
  defgh
  ijkl mno
  defgh|ijkl mno|
  1

$ for n in 1; do md5sum t; md5sum --tag t; md5sum -z t | tr '\0' '!'; md5sum -b t; md5sum t f > s; md5sum -c s; md5sum --check --quiet s; md5sum --status -c s; echo $?; echo junk >> s; md5sum -w -c s; md5sum --strict -c s; echo $?; rm f; md5sum --ignore-missing -c s; echo $?; md5sum --warn -c s; md5sum --zero t | wc -c; done
  b7d15035c1a9f238e600e40991353458  t
  MD5 (t) = b7d15035c1a9f238e600e40991353458
  b7d15035c1a9f238e600e40991353458  t!b7d15035c1a9f238e600e40991353458 *t
  t: OK
  f: OK
  0
  t: OK
  f: OK
  t: OK
  f: OK
  1
  t: OK
  0
  t: OK
  f: FAILED open or read
  36

$ sha1sum t; sha1sum --tag t; sha1sum -z t | tr '\0' '!'; sha1sum t f > s; sha1sum -c s; sha1sum --check --quiet s; sha1sum --status -c s; echo $?; echo junk >> s; sha1sum -w -c s; sha1sum --strict -c s; echo $?; rm f; sha1sum --ignore-missing -c s; echo $?; sha224sum t; sha224sum --tag t; sha224sum -z t | tr '\0' '!'; sha224sum t > s; sha224sum -c s; sha224sum -c --quiet --strict --warn --ignore-missing s; sha224sum --status -c s; echo $?; sha384sum t; sha384sum --tag t; sha384sum -z t | tr '\0' '!'; sha384sum t > s; sha384sum -c s; sha384sum -c --quiet --strict --warn --ignore-missing s; sha384sum --status -c s; echo $?
  e014f6f3821464f7572738528b5164b5ecc412b2  t
  SHA1 (t) = e014f6f3821464f7572738528b5164b5ecc412b2
  e014f6f3821464f7572738528b5164b5ecc412b2  t!t: OK
  f: OK
  0
  t: OK
  f: OK
  t: OK
  f: OK
  1
  t: OK
  0
  bb6b18ee030d61da563a5bd3536e5ff2a1fff7b6c18574e5692d3764  t
  SHA224 (t) = bb6b18ee030d61da563a5bd3536e5ff2a1fff7b6c18574e5692d3764
  bb6b18ee030d61da563a5bd3536e5ff2a1fff7b6c18574e5692d3764  t!t: OK
  t: OK
  0
  d0a2c262e45d761c64336932e547986979b1eb40a501fa8146c7d530bdd29009ac9c48c38e886de018f8513b3a1b7174  t
  SHA384 (t) = d0a2c262e45d761c64336932e547986979b1eb40a501fa8146c7d530bdd29009ac9c48c38e886de018f8513b3a1b7174
  d0a2c262e45d761c64336932e547986979b1eb40a501fa8146c7d530bdd29009ac9c48c38e886de018f8513b3a1b7174  t!t: OK
  t: OK
  0

$ sha256sum t; sha256sum --tag t; sha256sum -z t | tr '\0' '!'; sha256sum t f > s; sha256sum -c s; sha256sum --check --quiet s; sha256sum --status -c s; echo $?; echo junk >> s; sha256sum -w -c s; sha256sum --strict -c s; echo $?; rm f; sha256sum --ignore-missing -c s; echo $?; sha512sum t; sha512sum --tag t; sha512sum -z t | tr '\0' '!'; sha512sum t > s; sha512sum -c s; sha512sum -c --quiet --strict --warn --ignore-missing s; sha512sum --status -c s; echo $?; b2sum t; b2sum --tag t; b2sum -z t | tr '\0' '!'; b2sum t > s; b2sum -c s; b2sum -c --quiet --strict --warn --ignore-missing s; b2sum --status -c s; echo $?; b2sum -l 128 t
  d20ac1d502f15ac662e5f1ca561e85d06a2da605e8c8e4be6368acf8d3aabc0e  t
  SHA256 (t) = d20ac1d502f15ac662e5f1ca561e85d06a2da605e8c8e4be6368acf8d3aabc0e
  d20ac1d502f15ac662e5f1ca561e85d06a2da605e8c8e4be6368acf8d3aabc0e  t!t: OK
  f: OK
  0
  t: OK
  f: OK
  t: OK
  f: OK
  1
  t: OK
  0
  45753c6aa3f2418ae2d0935a06d65462342186cc27f1879466cd601013f0f5c5a8b09798069aa8f612442fc4a5fcf904cb0ad61f172490cf8b852748d69d8c9d  t
  SHA512 (t) = 45753c6aa3f2418ae2d0935a06d65462342186cc27f1879466cd601013f0f5c5a8b09798069aa8f612442fc4a5fcf904cb0ad61f172490cf8b852748d69d8c9d
  45753c6aa3f2418ae2d0935a06d65462342186cc27f1879466cd601013f0f5c5a8b09798069aa8f612442fc4a5fcf904cb0ad61f172490cf8b852748d69d8c9d  t!t: OK
  t: OK
  0
  79e294179c601833399d056ae173cf3f453050e96543bfb201a369faccedbd98de0aa05303dcd43e8952120f2d33065fa75d538b42be719e7fe738e841ef4b50  t
  BLAKE2b (t) = 79e294179c601833399d056ae173cf3f453050e96543bfb201a369faccedbd98de0aa05303dcd43e8952120f2d33065fa75d538b42be719e7fe738e841ef4b50
  79e294179c601833399d056ae173cf3f453050e96543bfb201a369faccedbd98de0aa05303dcd43e8952120f2d33065fa75d538b42be719e7fe738e841ef4b50  t!t: OK
  t: OK
  0
  2a6a03d3904829567e7767e1ccf04837  t

$ cksum -a sha1 t > s; cksum -c s; cksum --quiet -c s; cksum --status -c s; echo $?; cksum --strict --warn -c s; cksum --ignore-missing -c s; cksum --tag -a md5 t; cksum --debug t
  t: OK
  0
  t: OK
  t: OK
  MD5 (t) = b7d15035c1a9f238e600e40991353458
  3535151419 18 t

$ gzip -2 -c t | gunzip -c; gzip -3 -c t | zcat; gzip -4c t | gzip -cd; gzip -5c t | gunzip; gzip -6c t | gunzip; gzip -7c t | gunzip; gzip -8c t | gunzip; bzip2 -1 -c t | bunzip2 -c; bzip2 -2c t | bzcat; bzip2 -3c t | bzcat; bzip2 -4c t | bzcat; bzip2 -5c t | bzcat; bzip2 -6c t | bzcat; bzip2 -7c t | bzcat; bzip2 -8c t | bzcat; bzip2 -k t; bzip2 -d -f t.bz2; bzip2 --keep --force t; bzip2 --test t.bz2; bzip2 --decompress --stdout t.bz2; xz -1c t | xzcat; xz -2c t | xzcat; xz -3c t | xzcat; xz -4c t | xzcat; xz -5c t | xzcat; xz -6c t | xzcat; xz -7c t | xzcat; xz -8c t | xzcat; xz --keep t; xz --decompress --stdout t.xz; xz --test t.xz; xz --force --extreme -k t; zstd -z -q -k t; zstd -q -t t.zst; zstd -1 -c -q t | zstd -dc; zstd -3 -q -T1 -c t | zstdcat; zstd --fast=1 -q -c t | zstdcat; zstd --ultra -20 -q -c t | zstdcat; zstd --no-check -q -c t | zstdcat; zstd -C -q -c t | zstdcat; zstd --check --no-progress --single-thread -q -c t | zstdcat; zstd --long=20 -q -c t | zstdcat; zstd --rm -q -f t; ls t; zstd -d -q -f t.zst; cat t
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333

$ tee < t -a x > y; cat x y; ls -1 > l; cmp -s l l; echo $?; whoami > /dev/null; uname -a > /dev/null; uname -sn | wc -w; uname -r > /dev/null; uname -v > /dev/null; uname -p > /dev/null; uname -i > /dev/null; uname --kernel-name --operating-system; hostname > /dev/null; hostname -s > /dev/null; echo $?; users; who; who -q | head -1 | wc -l; uptime > /dev/null; echo $?; uptime -p | cut -c1-2; uptime -s > /dev/null; echo $?; which -a cat | head -1 | wc -l; which nosuch; echo $?; tty -s; echo $?; nproc > /dev/null; echo $?; getconf PAGE_SIZE; getconf nosuch; echo $?
  a 1
  bb 22
  ccc 333
  a 1
  bb 22
  ccc 333
  0
  2
  Linux GNU/Linux
  0
  1
  0
  up
  0
  1
  1
  1
  0
  4096
  2

$ df . > /dev/null; echo $?; df -h . | head -1 | tr -s ' '; df -i . | head -1 | tr -s ' '; df -k . | head -1 | tr -s ' '; df -T . | head -1 | tr -s ' '; df -P . | head -1 | tr -s ' '; df -m . | head -1 | tr -s ' '; df -H . | head -1 | tr -s ' '; df --total . | tail -1 | cut -c1-5; df -B 1M . | head -1 | tr -s ' '; df -a . > /dev/null; echo $?; df -l . > /dev/null; echo $?; df nosuch; echo $?; df -t nosuch; echo $?; df -x nosuch . > /dev/null; echo $?; free > /dev/null; echo $?; free -m | head -1 | tr -s ' '; free -h | sed -n 3p | cut -c1-5; free -t | tail -1 | cut -c1-6; free -w | head -1 | tr -s ' '; free -l | wc -l; free -b | wc -l; free -k | wc -l; free -g | wc -l; free --si | wc -l; free --kilo | wc -l; free --mega | wc -l; free --giga | wc -l; free --tera | wc -l; free --tebi | wc -l; free --peta | wc -l; free --pebi | wc -l; free -v | wc -l; free -s 0.01 -c 2 | wc -l
  0
  Filesystem Size Used Avail Use% Mounted on
  Filesystem Inodes IUsed IFree IUse% Mounted on
  Filesystem 1K-blocks Used Available Use% Mounted on
  Filesystem Type 1K-blocks Used Available Use% Mounted on
  Filesystem 1024-blocks Used Available Capacity Mounted on
  Filesystem 1M-blocks Used Available Use% Mounted on
  Filesystem Size Used Avail Use% Mounted on
  total
  Filesystem 1M-blocks Used Available Use% Mounted on
  0
  0
  1
  1
  0
  0
   total used free shared buff/cache available
  Swap:
  Total:
   total used free shared buffers cache available
  5
  3
  3
  3
  3
  3
  3
  3
  3
  3
  3
  3
  4
  7
