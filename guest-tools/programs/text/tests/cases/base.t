
$ exec 2>&1; printf YWI | base64 -d; echo " $?"; printf 'YWJj*YWJj' | base64 -d; echo " $?"; printf 'YWJjYW=J' | base64 -d; echo " $?"
  abbase64: invalid input
   1
  abcbase64: invalid input
   1
  abcabase64: invalid input
   1

$ exec 2>&1; printf 'YWI=YWJj' | base64 -d; echo " $?"; printf 'YWJjY' | base64 -d; echo " $?"; printf '====' | base64 -d; echo " $?"
  ababc 0
  abcbase64: invalid input
   1
  base64: invalid input
   1

$ exec 2>&1; printf 'MFRGG' | base32 -d; echo " $?"; printf 'MFRGG=!=' | base32 -d; echo " $?"; printf 'MFRGG===MFRGG===' | base32 -d; echo " $?"
  base32: invalid input
   1
  abcbase32: invalid input
   1
  abcabc 0

$ exec 2>&1; printf '61aB' | basenc --base16 -d; echo " $?"; printf '61a' | basenc --base16 -di; echo " $?"; printf '0110\n0001' | basenc --base2msbf -d; echo " $?"
  abasenc: invalid input
   1
  a 0
  a 0

$ exec 2>&1; printf 'abc' | basenc --z85; echo " $?"; printf 'abcd' | basenc --z85; printf 'vqGadx' | basenc --z85 -d; echo " $?"; printf '#####' | basenc --z85 -d; echo " $?"
  basenc: invalid input (length must be multiple of 4 characters)
   1
  vpA.S
  alZ:basenc: invalid input
   1
  basenc: invalid input
   1

$ printf 'Y!W-Jj' | base64 -di; printf 'Y\nWJ\nj' | base64 -d; printf abc | base64 -w2; printf abc | base64 -w 0; printf '' | base64; printf abcdef | base64 --wr=3
  abcabcYW
  Jj
  YWJjYWJ
  jZG
  Vm

$ exec 2>&1; printf abc | base64 -w -1; printf abc | base64 -w x; printf abc | base64 -w; base64 a b; base64 nofile; base64 .; basenc </dev/null; echo $?
  base64: invalid wrap size: ‘-1’
  base64: invalid wrap size: ‘x’
  base64: option requires an argument -- 'w'
  Try 'base64 --help' for more information.
  base64: extra operand ‘b’
  Try 'base64 --help' for more information.
  base64: nofile: No such file or directory
  base64: read error: Is a directory
  basenc: missing encoding type
  Try 'basenc --help' for more information.
  1

$ for e in base64 base64url base32 base32hex base16 base2msbf base2lsbf z85; do seq 1000 | head -c 3004 | basenc --$e -w 61 | cksum; seq 1000 | head -c 3004 | basenc --$e | basenc -d --$e | cksum; done
  1267575940 4074
  2734622988 3004
  1267575940 4074
  2734622988 3004
  1849953584 4887
  2734622988 3004
  1350603617 4887
  2734622988 3004
  1593457966 6107
  2734622988 3004
  2225041604 24426
  2734622988 3004
  1318449412 24426
  2734622988 3004
  89499754 3817
  2734622988 3004

$ seq 9000 | base64 | cksum; seq 9000 | base64 -w 0 | cksum; seq 9000 | base32 | base32 -d | cksum
  1543804696 59295
  3956191181 58524
  2964477787 43893

$ printf 'ab\377' | basenc --base64; printf 'ab\377' | basenc --base64url; printf abc | basenc --base32; printf abc | basenc --base32hex -w 3; printf abc | basenc --base2lsbf; printf '#b~a' | basenc -d -i --base2msbf; printf 'MF*RGG===' | base32 -d -i
  YWL/
  YWL_
  MFRGG===
  C5H
  66=
  ==
  100001100100011011000110
  abc
\

$ printf 'ab' | xxd -pc0; printf 'ab' | xxd -plain; printf 'ab' | xxd -bits; printf 6162 | xxd -r -ps; echo; printf 'ab' | xxd -uppercase -p
  6162
  6162
  00000000: 01100001 01100010                                      ab
  ab
  6162
