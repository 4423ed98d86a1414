% printf 'caf\303\251 na\303\257ve\n' > u; printf 'caf\351\n' > l; printf '\342\202\254 \342\200\234x\342\200\235\n' > e; printf '\346\227\245\346\234\254\n' > j

$ iconv -f latin1 -t utf8 l
  café

$ iconv -f utf8 -t utf16le u | od -An -tx1
   63 00 61 00 66 00 e9 00 20 00 6e 00 61 00 ef 00
   76 00 65 00 0a 00

$ iconv -f utf-8 -t utf-16 u | od -An -tx1 | head -1
   ff fe 63 00 61 00 66 00 e9 00 20 00 6e 00 61 00

$ iconv -f UTF-8 -t UTF-16BE u | od -An -tx1 | head -1
   00 63 00 61 00 66 00 e9 00 20 00 6e 00 61 00 ef

$ iconv -f UTF-8 -t UTF-32 u | od -An -tx1 | head -1
   ff fe 00 00 63 00 00 00 61 00 00 00 66 00 00 00

$ iconv -f UTF-8 -t ISO-8859-1 u | od -An -tx1
   63 61 66 e9 20 6e 61 ef 76 65 0a

$ iconv -f UTF-8 -t ISO-8859-15 e 2>/dev/null | od -An -tx1; iconv -f UTF-8 -t CP1252 e | od -An -tx1
   a4 20
   80 20 93 78 94 0a

$ iconv -f UTF-8 -t ASCII u 2>&1; echo $?
  caficonv: illegal input sequence at position 3
  1

$ iconv -f UTF-8 -t ASCII//TRANSLIT e; echo $?
  EUR "x"
  0

$ iconv -f UTF-8 -t ASCII//IGNORE u 2>/dev/null; echo $?
  caf nave
  1

$ iconv -c -f UTF-8 -t ASCII u; echo $?
  caf nave
  0

$ iconv -f UTF-8 -t SHIFT_JIS j | od -An -tx1; iconv -f UTF-8 -t EUC-JP j | od -An -tx1; iconv -f UTF-8 -t GBK j | od -An -tx1; iconv -f UTF-8 -t ISO-2022-JP j | od -An -tx1
   93 fa 96 7b 0a
   c6 fc cb dc 0a
   c8 d5 b1 be 0a
   1b 24 42 46 7c 4b 5c 1b 28 42 0a

$ printf '\223\372\226\173\n' | iconv -f SJIS -t UTF-8
  日本

$ iconv -f UTF-8 -t UTF-16 u | iconv -f UTF-16 -t UTF-8
  café naïve

$ iconv -f nonsense -t utf8 u 2>/dev/null; echo $?
  1

$ iconv -f utf8 -t nonsense u 2>/dev/null; echo $?
  1

$ iconv -f utf8 -t utf8 l 2>&1; echo $?
  caficonv: illegal input sequence at position 3
  1

$ printf 'ab\303' | iconv -f utf8 -t latin1 2>&1; echo $?
  abiconv: incomplete character or shift sequence at end of buffer
  1

$ iconv -t utf16le u | od -An -tx1 | head -1
   63 00 61 00 66 00 e9 00 20 00 6e 00 61 00 ef 00

$ iconv -f utf8 -t latin1 -o out u; od -An -tx1 out
   63 61 66 e9 20 6e 61 ef 76 65 0a

$ cat u | iconv -t latin1 - | od -An -tx1
   63 61 66 e9 20 6e 61 ef 76 65 0a

$ iconv -f utf8 -t latin1 nonexistent 2>/dev/null; echo $?
  1

$ iconv -f koi8-r -t utf8 < l; iconv -f cp1251 -t utf8 < l; iconv -f macintosh -t utf8 < l; iconv -f cp866 -t utf8 < l
  cafИ
  cafй
  cafÈ
  cafщ

$ iconv -f ISO8859-2 -t UTF8 < l; iconv -f ISO_8859-7 -t UTF8 < l
  café
  cafι

$ iconv --from-code=latin1 --to-code=utf-8 l u 2>/dev/null
  café
  cafÃ© naÃ¯ve

$ printf 'a\0b\0' | iconv -f UCS-2LE -t UTF-8; printf '\0a\0b' | iconv -f UTF-16BE
  abab
\

$ printf 'é ñ Å ł ø đ ﬁ ² ½ ŉ ﬀ Ž ſ Ș\n' | LC_ALL=C.UTF-8 iconv -f UTF-8 -t ASCII//TRANSLIT
  e n A l o d fi 2  1/2  'n ff Z s S

$ exec 2>&1; for t in ascii//IGNORE ascii//ignore 'ascii//TRANSLIT//IGNORE' 'ascii//IGNORE//TRANSLIT' latin1//IGNORE ascii//NOPE; do echo "$t"; iconv -f utf8 -t $t u; echo $?; done; iconv -f utf8 -t ascii//IGNORE u u; echo $?; iconv -c -f utf8 -t ascii u u; echo $?; iconv -f utf8 -t ascii//IGNORE -o out u; echo $?; cat out; iconv -f ascii -t utf8//IGNORE u; iconv -f ascii//IGNORE -t utf8 u; echo $?; iconv -f utf8 -t ascii//IGNORE nope u; echo ok | iconv -f utf8 -t ascii//IGNORE; echo $?
  ascii//IGNORE
  caf nave
  iconv: illegal input sequence at position 13
  1
  ascii//ignore
  caf nave
  iconv: illegal input sequence at position 13
  1
  ascii//TRANSLIT//IGNORE
  cafe naive
  0
  ascii//IGNORE//TRANSLIT
  cafe naive
  0
  latin1//IGNORE
  caf� na�ve
  0
  ascii//NOPE
  caficonv: illegal input sequence at position 3
  1
  caf nave
  iconv: illegal input sequence at position 13
  1
  caf nave
  caf nave
  0
  iconv: illegal input sequence at position 13
  1
  caf nave
  caf nave
  iconv: illegal input sequence at position 13
  caficonv: illegal input sequence at position 3
  1
  iconv: cannot open input file `nope': No such file or directory
  caf nave
  iconv: illegal input sequence at position 13
  ok
  0

$ exec 2>&1; printf 'a\377b\n' > w; iconv -f utf8 -t latin1//IGNORE w; echo $?; iconv -f utf8//IGNORE -t latin1 w; echo $?; iconv -c -f utf8 -t latin1 w; echo $?; printf 'a\303' | iconv -f utf8 -t latin1//IGNORE; echo $?; printf 'a\303' | iconv -c -f utf8 -t latin1; echo $?; printf 'a\303' | iconv -f utf8 -t latin1; echo $?; iconv -f utf8 -t latin1 w u; echo $?; printf 'x\303\257y\377z\n' | iconv -f utf8 -t ascii//IGNORE; printf 'a\303\257' | iconv -f utf8 -t ascii//IGNORE; printf '\377\n' | iconv -f utf8 -t utf16le//IGNORE | od -An -tx1; iconv -f utf8 -t ascii u; echo $?
  ab
  iconv: illegal input sequence at position 4
  1
  aiconv: illegal input sequence at position 1
  1
  ab
  0
  aiconv: incomplete character or shift sequence at end of buffer
  1
  aiconv: incomplete character or shift sequence at end of buffer
  1
  aiconv: incomplete character or shift sequence at end of buffer
  1
  aiconv: illegal input sequence at position 1
  1
  xyz
  iconv: illegal input sequence at position 7
  aiconv: illegal input sequence at position 3
  iconv: illegal input sequence at position 2
   0a 00
  caficonv: illegal input sequence at position 3
  1

$ printf '' | iconv -t utf-16 | od -An -tx1; printf a > x; printf b > y; iconv -f utf-8 -t utf-16 x y | od -An -tx1; printf '\xff\xfea\0' > u; iconv -f utf-16 -t utf-8 u u | od -An -tx1; printf 'é\n' > l; iconv -f utf-8 -t latin1 l -o l; od -An -tx1 l; iconv x -o /nodir/x 2>&1; echo $?; iconv nosuch -o m 2>&1; echo $?; ls
   ff fe 61 00 ff fe 62 00
   61 61
   e9 0a
  iconv: cannot open output file: No such file or directory
  1
  iconv: cannot open input file `nosuch': No such file or directory
  1
  e
  j
  l
  u
  x
  y

$ for f in utf-16 utf-16le utf-16be utf-32 utf-8 ucs-2; do for d in '\xff\xfea\0' '\xfe\xff\0a' '\xef\xbb\xbfa' '\xff\xfe\0\0a\0\0\0' '\0\0\xfe\xff\0\0\0a'; do printf "$d" | iconv -f $f -t utf-8 2>/dev/null | od -An -tx1; done; done
   61
   61
   eb af af e6 86 bf
   00 61 00
   00 ef bf be 00 e6 84 80
   ef bb bf 61
   ef bf be e6 84 80
   eb af af e6 86 bf
   ef bb bf 00 61 00
   00 ef bf be 00 e6 84 80
   ef bf be e6 84 80
   ef bb bf 61
   ee be bb eb bd a1
   ef bf be 00 e6 84 80 00
   00 ef bb bf 00 61
   61
   61
   ef bb bf 61
   00 00
   ef bb bf 61
   ef bf be e6 84 80
   eb af af e6 86 bf
   ef bb bf 00 61 00
   00 ef bf be 00 e6 84 80
