# Lists of checksums, as GNU coreutils 9.1 of Debian 12 writes and reads them.
% echo hi > f; cp f 'a b'; cp f 'x'$'\n''y'; cp f 'b\c'; cp f 'c'$'\r''d'; cp f "q'q"; cp f ' lead'; mkdir d; echo foo > bad

$ md5sum f 'a b' 'x'$'\n''y' 'b\c' 'c'$'\r''d' "q'q" ' lead'; sha1sum -z 'x'$'\n''y' 'b\c' | od -An -c; sha256sum --tag 'x'$'\n''y' 'a b'; b2sum -l 16 'b\c' f; cksum -a md5 'b\c' 'c'$'\r''d'; cksum 'b\c' 'a b'; sum 'x'$'\n''y'; sum -s f
  764efa883dda1e11db47671c4a3bbd9e  f
  764efa883dda1e11db47671c4a3bbd9e  a b
  \764efa883dda1e11db47671c4a3bbd9e  x\ny
  \764efa883dda1e11db47671c4a3bbd9e  b\\c
  \764efa883dda1e11db47671c4a3bbd9e  c\rd
  764efa883dda1e11db47671c4a3bbd9e  q'q
  764efa883dda1e11db47671c4a3bbd9e   lead
     5   5   c   a   6   2   8   6   e   3   e   4   f   4   f   b
     a   5   d   0   4   4   8   3   3   3   f   a   9   9   f   c
     5   a   4   0   4   a   7   3           x  \n   y  \0   5   5
     c   a   6   2   8   6   e   3   e   4   f   4   f   b   a   5
     d   0   4   4   8   3   3   3   f   a   9   9   f   c   5   a
     4   0   4   a   7   3           b   \   c  \0
  \SHA256 (x\ny) = 98ea6e4f216f2fb4b69fff9b3a44842c38686ca685f3f55dc48c5d3fb1107be4
  SHA256 (a b) = 98ea6e4f216f2fb4b69fff9b3a44842c38686ca685f3f55dc48c5d3fb1107be4
  \ed59  b\\c
  ed59  f
  \MD5 (b\\c) = 764efa883dda1e11db47671c4a3bbd9e
  \MD5 (c\rd) = 764efa883dda1e11db47671c4a3bbd9e
  1479881546 3 b\c
  1479881546 3 a b
  32856     1 x
  y
  219 1 f

$ md5sum f 'a b' 'x'$'\n''y' 'b\c' 'c'$'\r''d' "q'q" ' lead' > l; md5sum -c l | od -An -c; md5sum --quiet -c l; echo $?; cksum -a md5 -c l | od -An -c | tail -2; cksum -c l 2>&1; md5sum --tag f 'a b' 'x'$'\n''y' 'b\c' ' lead' > t; md5sum -c t; cksum -c t; sha1sum -c t 2>&1
     f   :       O   K  \n   a       b   :       O   K  \n   \   x
     \   n   y   :       O   K  \n   b   \   c   :       O   K  \n
     c  \r   d   :       O   K  \n   q   '   q   :       O   K  \n
         l   e   a   d   :       O   K  \n
  0
     c  \r   d   :       O   K  \n   q   '   q   :       O   K  \n
         l   e   a   d   :       O   K  \n
  cksum: l: no properly formatted checksum lines found
  f: OK
  a b: OK
  \x\ny: OK
  b\c: OK
   lead: OK
  f: OK
  a b: OK
  \x\ny: OK
  b\c: OK
   lead: OK
  sha1sum: t: no properly formatted checksum lines found
[1]

$ md5sum f 'a b' 'x'$'\n''y' "q'q" > l; echo changed > 'a b'; rm "q'q"; printf 'z' > 'x'$'\n''y'; md5sum -c l 2>&1; echo $?; md5sum --status -c l 2>&1; echo $?; md5sum --quiet -c l 2>&1; md5sum --ignore-missing -c l 2>&1; md5sum -c --ignore-missing --quiet l 2>&1
  f: OK
  a b: FAILED
  \x\ny: FAILED
  md5sum: "q'q": No such file or directory
  q'q: FAILED open or read
  md5sum: WARNING: 1 listed file could not be read
  md5sum: WARNING: 2 computed checksums did NOT match
  1
  md5sum: "q'q": No such file or directory
  1
  a b: FAILED
  \x\ny: FAILED
  md5sum: "q'q": No such file or directory
  q'q: FAILED open or read
  md5sum: WARNING: 1 listed file could not be read
  md5sum: WARNING: 2 computed checksums did NOT match
  f: OK
  a b: FAILED
  \x\ny: FAILED
  md5sum: WARNING: 2 computed checksums did NOT match
  a b: FAILED
  \x\ny: FAILED
  md5sum: WARNING: 2 computed checksums did NOT match
[1]

$ echo '764efa883dda1e11db47671c4a3bbd9e  nosuch' > l; md5sum --ignore-missing -c l 2>&1; echo $?; md5sum --ignore-missing --status -c l 2>&1; echo $?; md5sum -c l 2>&1; echo '764efa883dda1e11db47671c4a3bbd9e  no such' | md5sum -c 2>&1; echo '764efa883dda1e11db47671c4a3bbd9e  d' | md5sum --ignore-missing -c - 2>&1; echo '764efa883dda1e11db47671c4a3bbd9e  d/x' | md5sum --status -c - 2>&1
  md5sum: l: no file was verified
  1
  1
  md5sum: nosuch: No such file or directory
  nosuch: FAILED open or read
  md5sum: WARNING: 1 listed file could not be read
  md5sum: 'no such': No such file or directory
  no such: FAILED open or read
  md5sum: WARNING: 1 listed file could not be read
  md5sum: d: Is a directory
  d: FAILED open or read
  md5sum: WARNING: 1 listed file could not be read
  md5sum: 'standard input': no file was verified
  md5sum: d/x: No such file or directory
[1]

$ md5sum -wc bad 2>&1; sha1sum -c bad 2>&1; md5sum -c < bad 2>&1; md5sum --status -c bad 2>&1; cksum -wc bad 2>&1; b2sum -wc bad 2>&1; sha512sum -c nosuch 2>&1; sha224sum -c d 2>&1; sha384sum d 2>&1; cp bad 'b ad'; md5sum -wc 'b ad' 2>&1; md5sum 'no such' nosuch 'a:b' 2>&1; md5sum -c bad bad f 2>&1; : > empty; md5sum -c empty 2>&1
  md5sum: bad: 1: improperly formatted MD5 checksum line
  md5sum: bad: no properly formatted checksum lines found
  sha1sum: bad: no properly formatted checksum lines found
  md5sum: 'standard input': no properly formatted checksum lines found
  md5sum: bad: no properly formatted checksum lines found
  cksum: bad: 1: improperly formatted CRC checksum line
  cksum: bad: no properly formatted checksum lines found
  b2sum: bad: 1: improperly formatted BLAKE2b checksum line
  b2sum: bad: no properly formatted checksum lines found
  sha512sum: nosuch: No such file or directory
  sha224sum: d: read error
  sha384sum: d: Is a directory
  md5sum: 'b ad': 1: improperly formatted MD5 checksum line
  md5sum: 'b ad': no properly formatted checksum lines found
  md5sum: 'no such': No such file or directory
  md5sum: nosuch: No such file or directory
  md5sum: 'a:b': No such file or directory
  md5sum: bad: no properly formatted checksum lines found
  md5sum: bad: no properly formatted checksum lines found
  md5sum: f: no properly formatted checksum lines found
  md5sum: empty: no properly formatted checksum lines found
[1]

$ { md5sum f; echo junk; echo '# note'; echo; md5sum 'a b'; } > l; md5sum -c l 2>&1; echo $?; md5sum --strict -c l 2>&1; echo $?; md5sum -w -c l 2>&1; md5sum --strict --status -c l; echo $?; md5sum --strict --warn --quiet -c l 2>&1; { cat l; echo more; } | md5sum --status --warn -c 2>&1
  f: OK
  a b: OK
  md5sum: WARNING: 1 line is improperly formatted
  0
  f: OK
  a b: OK
  md5sum: WARNING: 1 line is improperly formatted
  1
  f: OK
  md5sum: l: 2: improperly formatted MD5 checksum line
  a b: OK
  md5sum: WARNING: 1 line is improperly formatted
  1
  md5sum: WARNING: 1 line is improperly formatted
  f: OK
  md5sum: 'standard input': 2: improperly formatted MD5 checksum line
  a b: OK
  md5sum: 'standard input': 6: improperly formatted MD5 checksum line
  md5sum: WARNING: 2 lines are improperly formatted

$ H=764efa883dda1e11db47671c4a3bbd9e; for line in "$H f" "$H  f" "$H *f" "  $H  f" "\\$H  f" "\\$H  b\\\\c" "$H  b\\c" "\\$H  b\\c" "$H" "$H " "$H  " "${H^^}  f" "${H}0  f" "$H	f" "$H	 f" "\\$H  x\\ny" "\\$H  c\\rd" "$H  -" "MD5 (f) = $H" "MD5(f)= $H" "MD5 (f)=$H" "MD5  (f) = $H" "MD5 (f) = ${H}0" "\\MD5 (x\\ny) = $H" "MD5-128 (f) = $H" "md5 (f) = $H" "$H   lead" "$H  f "; do echo "[$line]"; echo "$line" | md5sum -c 2>&1; done
  [764efa883dda1e11db47671c4a3bbd9e f]
  f: OK
  [764efa883dda1e11db47671c4a3bbd9e  f]
  f: OK
  [764efa883dda1e11db47671c4a3bbd9e *f]
  f: OK
  [  764efa883dda1e11db47671c4a3bbd9e  f]
  f: OK
  [\764efa883dda1e11db47671c4a3bbd9e  f]
  f: OK
  [\764efa883dda1e11db47671c4a3bbd9e  b\\c]
  b\c: OK
  [764efa883dda1e11db47671c4a3bbd9e  b\c]
  b\c: OK
  [\764efa883dda1e11db47671c4a3bbd9e  b\c]
  md5sum: 'standard input': no properly formatted checksum lines found
  [764efa883dda1e11db47671c4a3bbd9e]
  md5sum: 'standard input': no properly formatted checksum lines found
  [764efa883dda1e11db47671c4a3bbd9e ]
  md5sum: 'standard input': no properly formatted checksum lines found
  [764efa883dda1e11db47671c4a3bbd9e  ]
  md5sum: ' ': No such file or directory
   : FAILED open or read
  md5sum: WARNING: 1 listed file could not be read
  [764EFA883DDA1E11DB47671C4A3BBD9E  f]
  f: OK
  [764efa883dda1e11db47671c4a3bbd9e0  f]
  md5sum: 'standard input': no properly formatted checksum lines found
  [764efa883dda1e11db47671c4a3bbd9e	f]
  f: OK
  [764efa883dda1e11db47671c4a3bbd9e	 f]
  f: OK
  [\764efa883dda1e11db47671c4a3bbd9e  x\ny]
  \x\ny: OK
  [\764efa883dda1e11db47671c4a3bbd9e  c\rd]
  cd: OK
  [764efa883dda1e11db47671c4a3bbd9e  -]
  md5sum: 'standard input': no properly formatted checksum lines found
  [MD5 (f) = 764efa883dda1e11db47671c4a3bbd9e]
  f: OK
  [MD5(f)= 764efa883dda1e11db47671c4a3bbd9e]
  f: OK
  [MD5 (f)=764efa883dda1e11db47671c4a3bbd9e]
  f: OK
  [MD5  (f) = 764efa883dda1e11db47671c4a3bbd9e]
  md5sum: 'standard input': no properly formatted checksum lines found
  [MD5 (f) = 764efa883dda1e11db47671c4a3bbd9e0]
  md5sum: 'standard input': no properly formatted checksum lines found
  [\MD5 (x\ny) = 764efa883dda1e11db47671c4a3bbd9e]
  \x\ny: OK
  [MD5-128 (f) = 764efa883dda1e11db47671c4a3bbd9e]
  md5sum: 'standard input': no properly formatted checksum lines found
  [md5 (f) = 764efa883dda1e11db47671c4a3bbd9e]
  md5sum: 'standard input': no properly formatted checksum lines found
  [764efa883dda1e11db47671c4a3bbd9e   lead]
   lead: OK
  [764efa883dda1e11db47671c4a3bbd9e  f ]
  md5sum: 'f ': No such file or directory
  f : FAILED open or read
  md5sum: WARNING: 1 listed file could not be read
[1]

$ H=764efa883dda1e11db47671c4a3bbd9e; printf "$H f\n$H q'q\n" | md5sum -c; printf "$H  f\n$H f\n" | md5sum -c 2>&1; printf "$H f\n$H  lead\n" | md5sum -c 2>&1; printf "$H  f\r\n$H  a b\r\n" | md5sum -c; printf "$H  f" | md5sum -c; printf '' | md5sum -c 2>&1
  f: OK
  q'q: OK
  f: OK
  md5sum: WARNING: 1 line is improperly formatted
  f: OK
   lead: OK
  f: OK
  a b: OK
  f: OK
  md5sum: 'standard input': no properly formatted checksum lines found
[1]

$ b2sum f > l; b2sum -l 8 f >> l; b2sum -l 24 --tag 'a b' >> l; b2sum --tag f >> l; echo '2c2  f' >> l; echo 'BLAKE2b-12 (f) = 2c2' >> l; echo 'BLAKE2b-520 (f) = 2c' >> l;  b2sum -wc l 2>&1; cksum -a blake2b -c l 2>&1; { cksum -a sm3 f; cksum -a sha1 f; cksum -a sha512 'a b'; cksum f; cksum -a blake2b -l 32 f; cksum -a sha384 --untagged f; } > l; cksum -wc l 2>&1; cksum -a sha1 -wc l 2>&1; cksum -a sha384 -c l 2>&1
  f: OK
  f: OK
  a b: OK
  f: OK
  b2sum: l: 5: improperly formatted BLAKE2b checksum line
  b2sum: l: 6: improperly formatted BLAKE2b checksum line
  b2sum: l: 7: improperly formatted BLAKE2b checksum line
  b2sum: WARNING: 3 lines are improperly formatted
  f: OK
  f: OK
  a b: OK
  f: OK
  cksum: WARNING: 3 lines are improperly formatted
  f: OK
  f: OK
  a b: OK
  cksum: l: 4: improperly formatted SHA512 checksum line
  f: OK
  cksum: l: 6: improperly formatted BLAKE2b checksum line
  cksum: WARNING: 2 lines are improperly formatted
  cksum: l: 1: improperly formatted SHA1 checksum line
  f: OK
  cksum: l: 3: improperly formatted SHA1 checksum line
  cksum: l: 4: improperly formatted SHA1 checksum line
  cksum: l: 5: improperly formatted SHA1 checksum line
  cksum: l: 6: improperly formatted SHA1 checksum line
  cksum: WARNING: 5 lines are improperly formatted
  f: OK
  cksum: WARNING: 5 lines are improperly formatted

$ md5sum -cz l 2>&1; md5sum -cb l 2>&1; md5sum --tag -t f 2>&1; md5sum --tag -c l 2>&1; md5sum --strict f 2>&1; md5sum --status --warn f 2>&1; md5sum -w f 2>&1; md5sum --ignore-missing f 2>&1; md5sum --quiet f 2>&1; md5sum -b f --tag; cksum -a bsd -c f 2>&1; cksum -a x f 2>&1; cksum -a sha1 -l 16 f 2>&1; cksum -l 8 f 2>&1; cksum -a blake2b -l 17 f 2>&1; b2sum -l 520 f 2>&1; b2sum -l x f 2>&1; b2sum -l 0 f | head -c 20; md5sum --nope 2>&1; md5sum -l 8 f 2>&1
  md5sum: the --zero option is not supported when verifying checksums
  Try 'md5sum --help' for more information.
  md5sum: the --binary and --text options are meaningless when verifying checksums
  Try 'md5sum --help' for more information.
  md5sum: --tag does not support --text mode
  Try 'md5sum --help' for more information.
  md5sum: the --tag option is meaningless when verifying checksums
  Try 'md5sum --help' for more information.
  md5sum: the --strict option is meaningful only when verifying checksums
  Try 'md5sum --help' for more information.
  md5sum: the --warn option is meaningful only when verifying checksums
  Try 'md5sum --help' for more information.
  md5sum: the --warn option is meaningful only when verifying checksums
  Try 'md5sum --help' for more information.
  md5sum: the --ignore-missing option is meaningful only when verifying checksums
  Try 'md5sum --help' for more information.
  md5sum: the --quiet option is meaningful only when verifying checksums
  Try 'md5sum --help' for more information.
  MD5 (f) = 764efa883dda1e11db47671c4a3bbd9e
  cksum: --check is not supported with --algorithm={bsd,sysv,crc}
  cksum: invalid argument ‘x’ for ‘--algorithm’
  Valid arguments are:
    - ‘bsd’
    - ‘sysv’
    - ‘crc’
    - ‘md5’
    - ‘sha1’
    - ‘sha224’
    - ‘sha256’
    - ‘sha384’
    - ‘sha512’
    - ‘blake2b’
    - ‘sm3’
  Try 'cksum --help' for more information.
  cksum: --length is only supported with --algorithm=blake2b
  cksum: --length is only supported with --algorithm=blake2b
  cksum: invalid length: ‘17’
  cksum: length is not a multiple of 8
  b2sum: invalid length: ‘520’
  b2sum: maximum digest length for ‘BLAKE2b’ is 512 bits
  b2sum: invalid length: ‘x’
  7ea59e7a000ec003846bmd5sum: unrecognized option '--nope'
  Try 'md5sum --help' for more information.
  md5sum: invalid option -- 'l'
  Try 'md5sum --help' for more information.
[1]

$ for n in 0 1 2 7 8 9 15 16 17 100 1000 65535 65536 65537; do head -c $n /dev/zero | tr '\0' 'k' > n; cksum n; sum n; sum -s n; cksum -a sysv n; done; cksum < f; sum < f; sum f bad; sum --sysv f - < bad; sum -r f; cksum nosuch f 2>&1; cksum -a bsd --untagged f; cksum -z f bad | od -An -c; cksum --tag --untagged -a md5 f; cksum --untagged --tag -a md5 f; md5sum -bt f; md5sum -tb f
  4294967295 0 n
  00000     0 n
  0 0 n
  0 0 n
  1652073635 1 n
  00107     1 n
  107 1 n
  107 1 n
  782869227 2 n
  32928     1 n
  214 1 n
  214 1 n
  1865938963 7 n
  21716     1 n
  749 1 n
  749 1 n
  2590309704 8 n
  10965     1 n
  856 1 n
  856 1 n
  3998879925 9 n
  38357     1 n
  963 1 n
  963 1 n
  1709571363 15 n
  65321     1 n
  1605 1 n
  1605 1 n
  2277142020 16 n
  65535     1 n
  1712 1 n
  1712 1 n
  3172331423 17 n
  00106     1 n
  1819 1 n
  1819 1 n
  1484302962 100 n
  57543     1 n
  10700 1 n
  10700 1 n
  59359762 1000 n
  44756     1 n
  41465 2 n
  41465 2 n
  3986370997 65535 n
  31445    64 n
  65535 128 n
  65535 128 n
  2690454233 65536 n
  48597    64 n
  107 128 n
  107 128 n
  1756185449 65537 n
  57173    65 n
  214 129 n
  214 129 n
  1479881546 3
  32856     1
  32856     1 f
  00106     1 bad
  219 1 f
  334 1 -
  32856     1 f
  cksum: nosuch: No such file or directory
  1479881546 3 f
  32856     1 f
     1   4   7   9   8   8   1   5   4   6       3       f  \0   3
     9   1   5   5   2   8   2   8   6       4       b   a   d  \0
  764efa883dda1e11db47671c4a3bbd9e  f
  MD5 (f) = 764efa883dda1e11db47671c4a3bbd9e
  764efa883dda1e11db47671c4a3bbd9e  f
  764efa883dda1e11db47671c4a3bbd9e *f
