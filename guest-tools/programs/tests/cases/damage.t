# Inputs that end too early or are no longer what they were.

$ seq 3000 | gzip | head -c 3000 | gzip -dc 2>/dev/null | cksum; echo ${PIPESTATUS[2]}
  2930030908 5729
  0

$ seq 3000 | gzip > f.gz; truncate -s 3000 f.gz; gzip -d f.gz 2>/dev/null; echo $?; ls
  1
  f.gz

$ seq 3000 | gzip > f.gz; n=$(stat -c %s f.gz); printf X | dd of=f.gz bs=1 seek=$((n-6)) conv=notrunc status=none; gzip -dc f.gz 2>&1 >/dev/null | tail -1; gzip -dc f.gz 2>/dev/null | wc -c
  gzip: f.gz: invalid compressed data--crc error
  13893

$ (seq 10 | bzip2; echo junk) | bzip2 -dc 2>/dev/null | wc -l; (seq 10 | bzip2; echo junk) | bzip2 -dc 2>&1 >/dev/null; (seq 3 | bzip2; seq 4 5 | bzip2) | bzip2 -dc
  10
  
  bzip2: (stdin): trailing garbage after EOF ignored
  1
  2
  3
  4
  5

$ exec 2>&1; printf x | bzip2 -d; echo $?; printf x | xz -d; echo $?
  bzip2: (stdin) is not a bzip2 file.
  2
  xz: (stdin): File format not recognized
  1

$ seq 30000 | bzip2 > f.bz2; truncate -s 5000 f.bz2; bzip2 -d f.bz2 2>/dev/null; echo $?; ls
  2
  f.bz2

$ seq 30000 | xz > f.xz; truncate -s 3000 f.xz; xz -d f.xz 2>/dev/null; echo $?; ls
  1
  f.xz

$ exec 2>&1; seq 30000 | zstd -q > f.zst; printf XYZ | dd of=f.zst bs=1 seek=2000 conv=notrunc status=none; zstd -dcq f.zst 2>/dev/null >/dev/null; echo $?; zstd -tq f.zst 2>/dev/null; echo $?
  1
  1

$ seq 30000 | zstd -q > f.zst; truncate -s 3000 f.zst; zstd -dcq f.zst 2>&1 >/dev/null | grep -o 'Read error.*'; echo ${PIPESTATUS[0]}
  Read error (39) : premature end 
  1

$ (seq 10 | zstd -q; echo junk) | zstd -dcq 2>&1 >/dev/null | sed 's/^zstd: .*: /: /'; echo ${PIPESTATUS[1]}; (seq 2 | zstd -q; seq 3 4 | zstd -q) | zstd -dcq
  : unsupported format 
  1
  1
  2
  3
  4

$ exec 2>&1; printf 'ab\303' | iconv -c -f utf8 -t latin1; echo " $?"; printf 'ab\377cd' | iconv -f utf8 -t utf8; echo " $?"; printf 'ab\201z' | iconv -f cp1252 -t utf8; echo " $?"
  abiconv: incomplete character or shift sequence at end of buffer
   1
  abiconv: illegal input sequence at position 2
   1
  abiconv: illegal input sequence at position 2
   1

$ exec 2>&1; printf 'a\0b' | iconv -f utf16le -t utf8; echo " $?"; printf 'a\0\0\330b\0' | iconv -f utf16le -t utf8; echo " $?"; printf 'ab\200cd' | iconv -c -f ascii -t utf8; echo " $?"
  aiconv: incomplete character or shift sequence at end of buffer
   1
  aiconv: illegal input sequence at position 2
   1
  abcd 0

$ seq 9000 | iconv -f utf8 -t utf16 | cksum; for i in 1 2 3; do seq 9000; printf 'na\303\257ve\n'; done | iconv -f utf8 -t utf16be | iconv -f utf16be -t latin1 | cksum
  647249719 87788
  3030652351 131697

$ printf '616g62' | xxd -r -p; echo; printf '63zz64\n65' | xxd -r -p; echo; printf '0000: 6162 zz63\n' | xxd -r; echo; printf 'x\n0: 61 62\n1: 63\n' | xxd -r
  ab
  ce
  ab
  ab
\
[5]

$ head -c 100 /dev/zero | xxd -a; (head -c 32 /dev/zero; printf x) | xxd -a; (head -c 80 /dev/zero; printf abcdefghijklmnop) | xxd -a
  00000000: 0000 0000 0000 0000 0000 0000 0000 0000  ................
  *
  00000060: 0000 0000                                ....
  00000000: 0000 0000 0000 0000 0000 0000 0000 0000  ................
  00000010: 0000 0000 0000 0000 0000 0000 0000 0000  ................
  00000020: 78                                       x
  00000000: 0000 0000 0000 0000 0000 0000 0000 0000  ................
  *
  00000050: 6162 6364 6566 6768 696a 6b6c 6d6e 6f70  abcdefghijklmnop

$ exec 2>&1; printf abcd | xxd -e -g 3; printf a | xxd -c 300; printf a | xxd -r -b; echo $?; printf abc | xxd -s 10; echo $?
  xxd: number of octets per group must be a power of 2 with -e.
  xxd: invalid number of columns (max. 256).
  xxd: Sorry, cannot revert this type of hexdump
  255
  xxd: Sorry, cannot seek.
  4
