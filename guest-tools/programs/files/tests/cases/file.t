% printf 'hello\n' > a.txt; printf 'caf\303\251\n' > u.txt; printf 'caf\351\n' > l.txt; printf 'a\r\nb\r\n' > crlf; printf 'a\rb\r' > cr; printf 'no newline' > nn; : > empty
% printf '#!/bin/bash\necho\n' > s.sh; printf '#!/usr/bin/env python3\nx=1\n' > p.py; printf '#!/bin/sh\n' > sh; printf '#!/usr/bin/perl\n' > pl; printf '#!/usr/bin/env node\n' > js; printf '{"a": 1}\n' > j.json; printf '[1,2]\n' > j2.json

$ file a.txt u.txt l.txt crlf cr nn empty
  a.txt: ASCII text
  u.txt: Unicode text, UTF-8 text
  l.txt: ISO-8859 text
  crlf:  ASCII text, with CRLF line terminators
  cr:    ASCII text, with CR line terminators
  nn:    ASCII text, with no line terminators
  empty: empty

$ file s.sh p.py sh pl js j.json j2.json
  s.sh:    Bourne-Again shell script, ASCII text executable
  p.py:    Python script, ASCII text executable
  sh:      POSIX shell script, ASCII text executable
  pl:      Perl script text executable
  js:      Node.js script executable, ASCII text
  j.json:  JSON text data
  j2.json: JSON text data

$ file -b a.txt; file -bi a.txt u.txt l.txt j.json empty s.sh; file --mime-type a.txt; file -b --mime-encoding u.txt
  ASCII text
  text/plain; charset=us-ascii
  text/plain; charset=utf-8
  text/plain; charset=iso-8859-1
  application/json; charset=us-ascii
  inode/x-empty; charset=binary
  text/x-shellscript; charset=us-ascii
  a.txt: text/plain
  utf-8

$ touch -d @1000000000 a.txt; gzip -c a.txt > a.gz; gzip -nc < a.txt > b.gz; bzip2 -c a.txt > a.bz2; xz -c a.txt > a.xz; file *.gz *.bz2 *.xz
  a.gz:  gzip compressed data, was "a.txt", last modified: Sun Sep  9 01:46:40 2001, from Unix, original size modulo 2^32 6
  b.gz:  gzip compressed data, from Unix, original size modulo 2^32 6
  a.bz2: bzip2 compressed data, block size = 900k
  a.xz:  XZ compressed data, checksum CRC64

$ tar cf a.tar a.txt; tar czf a.tgz a.txt; zip -q a.zip a.txt; file a.tar a.tgz a.zip
  a.tar: POSIX tar archive (GNU)
  a.tgz: gzip compressed data, from Unix, original size modulo 2^32 10240
  a.zip: Zip archive data, at least v1.0 to extract, compression method=store

$ mkdir d; ln -s a.txt l; ln -s nope dead; mkfifo p; file d l dead p; file -L l; file nonexistent; echo $?
  d:    directory
  l:    symbolic link to a.txt
  dead: broken symbolic link to nope
  p:    fifo (named pipe)
  l: ASCII text
  nonexistent: cannot open `nonexistent' (No such file or directory)
  0

$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\020\0\0\0\040\010\006\0\0\0' > i.png; printf 'GIF89a\020\0\040\0' > i.gif; printf '\377\330\377\340\0\020JFIF\0\001\001\001\0\110\0\110\0\0' > i.jpg; printf '%%PDF-1.4\n' > d.pdf; file i.* d.pdf; file -bi i.* d.pdf
  i.gif: GIF image data, version 89a, 16 x 32
  i.jpg: JPEG image data, JFIF standard 1.01, resolution (DPI), density 72x72, segment length 16
  i.png: PNG image data, 16 x 32, 8-bit/color RGBA, non-interlaced
  d.pdf: PDF document, version 1.4
  image/gif; charset=binary
  image/jpeg; charset=binary
  image/png; charset=binary
  application/pdf; charset=us-ascii

$ printf 'BM\106\0\0\0\0\0\0\0\066\0\0\0\050\0\0\0\002\0\0\0\002\0\0\0\001\0\030\0\0\0\0\0' > b.bmp; printf '\0\001\002\003\004' > bin; printf 'RIFF\044\0\0\0WAVEfmt \020\0\0\0\001\0\002\0\104\254\0\0\020\261\2\0\4\0\020\0' > w.wav; printf 'ID3\003\0' > m.mp3; file b.bmp bin w.wav m.mp3
  b.bmp: PC bitmap, Windows 3.x format, 2 x 2 x 24, cbSize 70, bits offset 54
  bin:   data
  w.wav: RIFF (little-endian) data, WAVE audio, Microsoft PCM, 16 bit, stereo 44100 Hz
  m.mp3: Audio file with ID3 version 2.3.0

$ printf 'a,b,c\n1,2,3\n4,5,6\n' > c.csv; printf 'def f():\n    return 1\nimport os\n' > noext.py; printf '#include <stdio.h>\nint main(void){return 0;}\n' > c.c; printf '\357\273\277hi\n' > bom; printf '\377\376h\0i\0\n\0' > u16; file c.csv noext.py c.c bom u16
  c.csv:    CSV text
  noext.py: Python script, ASCII text executable
  c.c:      C source, ASCII text
  bom:      Unicode text, UTF-8 (with BOM) text
  u16:      Unicode text, UTF-16, little-endian text

$ printf '<!DOCTYPE html>\n<html></html>\n' > h.html; printf '<?xml version="1.0" encoding="UTF-8"?>\n<a/>\n' > x.xml; printf '<svg xmlns="http://www.w3.org/2000/svg"></svg>' > s.svg; file h.html x.xml s.svg
  h.html: HTML document, ASCII text
  x.xml:  XML 1.0 document, ASCII text
  s.svg:  SVG Scalable Vector Graphics image

$ printf '\312\376\272\276\0\0\0\064' > J.class; printf '\0asm\1\0\0\0' > w.wasm; printf '!<arch>\n' > ar.a; file J.class w.wasm ar.a
  J.class: compiled Java class data, version 52.0 (Java 1.8)
  w.wasm:  WebAssembly (wasm) binary module version 0x1 (MVP)
  ar.a:    current ar archive

$ printf -- '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n' > d.diff; printf '{"a":1}\n{"b":2}\n' > nd.jsonl; awk 'BEGIN{for(i=0;i<400;i++) printf "x"; print ""}' > long; printf '\033[1mx\033[0m\n' > esc; file d.diff nd.jsonl long esc
  d.diff:   unified diff output, ASCII text
  nd.jsonl: New Line Delimited JSON text data
  long:     ASCII text, with very long lines (400)
  esc:      ASCII text, with escape sequences

$ printf 'package main\n' > g.go; printf 'SELECT 1;\n' > q.sql; printf '# Title\n\ntext\n' > r.md; printf 'key: value\n' > y.yml; printf 'body { color: red }\n' > s.css; printf 'x = 1\n' > one; file q.sql r.md y.yml s.css one
  q.sql: ASCII text
  r.md:  ASCII text
  y.yml: ASCII text
  s.css: ASCII text
  one:   ASCII text

$ printf '#!/usr/bin/awk -f\n' > aw; printf '<?php echo 1;\n' > p.php; printf '#! /bin/sh -e\n' > she; file aw p.php she
  aw:    awk script, ASCII text executable
  p.php: PHP script, ASCII text
  she:   POSIX shell script, ASCII text executable

$ printf -- '-----BEGIN CERTIFICATE-----\n' > c.pem; printf -- '-----BEGIN RSA PRIVATE KEY-----\n' > k.pem; file *.pem
  c.pem: PEM certificate
  k.pem: PEM RSA private key

$ printf '7z\274\257\047\034\0\4' > s.7z; printf 'fLaC\0\0\0\042' > f.flac; printf '\0\0\0\030ftypmp42' > v.mp4; printf 'OggS\0\2' > o.ogg; file f.flac v.mp4 o.ogg
  f.flac: FLAC audio bitstream data
  v.mp4:  ISO Media, MP4 v2 [ISO 14496-14]
  o.ogg:  Ogg data

$ file - < a.txt; cat a.txt | file -b -
  /dev/stdin: ASCII text
  ASCII text

$ file -N a.txt empty; file -F = a.txt; printf 'a.txt\nempty\n' | file -f -
  a.txt: ASCII text
  empty: empty
  a.txt= ASCII text
  a.txt: ASCII text
  empty: empty

& cp "$(command -v bash)" e; file e | cut -d, -f1-3
  e: ELF 64-bit LSB pie executable, x86-64, version 1 (SYSV)

$ file -0 a.txt | od -c | head -1
  0000000   a   .   t   x   t  \0   :       A   S   C   I   I       t   e

$ printf 'a\r\nb\n' > m; printf 'one,two\n' > o; printf 'a\tb\n1\t2\n' > t; file m o t
  m: ASCII text, with CRLF, LF line terminators
  o: ASCII text
  t: ASCII text

$ printf '#!/usr/bin/env ruby\n' > rb; printf '#!/usr/bin/python\n' > py; printf '#!/bin/zsh\n' > z; file rb py z
  rb: Ruby script, ASCII text executable
  py: Python script, ASCII text executable
  z:  Paul Falstad's zsh script, ASCII text executable

$ file --nonsense >/dev/null 2>&1; echo $?
  1
