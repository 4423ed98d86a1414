# GNU ar 2.40 of Debian 12; object.o is an object file of ELF with three global symbols, one weak and one common.
% umask 022; printf 'one\n' > a.txt; printf 'twoo\n' > b.txt; printf 3 > a_very_long_name_indeed.txt; printf 4 > exactly15chars1; printf 5 > exactly16chars12; mkdir d; echo x > d/f.txt; : > empty; touch -d 2020-02-03T04:05:06 * d/f.txt
% echo H4sIAAAAAAACA6t39XFjYmRkgAFGBjsGBA8BKpAEHaAkJwMHww6Q+GGP5jccL0CCHs1HOA7vYAKJMeAFIG0sDB//o4uzArEQkgvYoDQ7VBzG54PSnEAsgMV8biBWAqoXQTOHGYgFgTbDAJyVppfMkMaQzlDKUA7TD5MH4T//IYBBr7gytyQxCUiXFEHoDBirKDUnUa8ktaKEQS8lsSSRQS+puJhBLy+/JFXP3S9Ut7gkMTmbgUpAARqGbGjiDlBaCkt4IwNpqL8c0MQloAolkMINJMTBgCquBhVnRtMfhSe+kYEO1Ex0/THo8YKDb4jFTGT9hOwH8ZmwqEuA0iuQ0h0TFv9zYnE7CHBALeIlYL8gDv0GUIWOBPQDAKdqrl64AwAA | base64 -d | gunzip > object.o

$ ar rc x.a a.txt b.txt a_very_long_name_indeed.txt exactly15chars1 exactly16chars12 empty; cat x.a; ar t x.a; ar tv x.a; ar -t x.a b.txt; ar tO x.a a.txt exactly15chars1; ar tvO x.a b.txt; ar -tv x.a nosuch b.txt 2>&1
  !<arch>
  //                                              48        `
  a_very_long_name_indeed.txt/
  exactly16chars12/
  
  a.txt/          0           0     0     644     4         `
  one
  b.txt/          0           0     0     644     5         `
  twoo
  
  /0              0           0     0     644     1         `
  3
  exactly15chars1/0           0     0     644     1         `
  4
  /29             0           0     0     644     1         `
  5
  empty/          0           0     0     644     0         `
  a.txt
  b.txt
  a_very_long_name_indeed.txt
  exactly15chars1
  exactly16chars12
  empty
  rw-r--r-- 0/0      4 Jan  1 00:00 1970 a.txt
  rw-r--r-- 0/0      5 Jan  1 00:00 1970 b.txt
  rw-r--r-- 0/0      1 Jan  1 00:00 1970 a_very_long_name_indeed.txt
  rw-r--r-- 0/0      1 Jan  1 00:00 1970 exactly15chars1
  rw-r--r-- 0/0      1 Jan  1 00:00 1970 exactly16chars12
  rw-r--r-- 0/0      0 Jan  1 00:00 1970 empty
  b.txt
  a.txt 0xb0
  exactly15chars1 0x170
  rw-r--r-- 0/0      5 Jan  1 00:00 1970 b.txt 0xf0
  no entry nosuch in archive
  rw-r--r-- 0/0      5 Jan  1 00:00 1970 b.txt

$ ar rc x.a a.txt b.txt a_very_long_name_indeed.txt; ar p x.a; ar pv x.a; ar p x.a b.txt nosuch a.txt 2>&1; ar -pv x.a b.txt
  one
  twoo
  3
  <a.txt>
  
  one
  
  <b.txt>
  
  twoo
  
  <a_very_long_name_indeed.txt>
  
  3no entry nosuch in archive
  twoo
  one
  
  <b.txt>
  
  twoo

$ ar r x.a a.txt; ar rv x.a a.txt; ar rvc y.a b.txt; ar rvb b.txt y.a a.txt; ar rvi a.txt y.a empty; ar t y.a; ar rva b.txt y.a exactly15chars1; ar rva empty y.a exactly16chars12; ar rvb nosuch y.a object.o; ar t y.a
  r - a.txt
  a - b.txt
  a - a.txt
  a - empty
  empty
  a.txt
  b.txt
  a - exactly15chars1
  a - exactly16chars12
  a - object.o
  empty
  exactly16chars12
  a.txt
  b.txt
  exactly15chars1
  object.o

$ ar r x.a a.txt 2>&1; ar q y.a a.txt 2>&1; ar d z.a a.txt 2>&1; ar m w.a 2>&1; ls *.a; cat z.a; ar r v.a 2>&1; cat v.a; ar rc d/new.a a.txt; ar t d/new.a; ar r nodir/x.a a.txt 2>&1
  ar: creating x.a
  ar: creating y.a
  ar: creating z.a
  ar: creating w.a
  w.a
  x.a
  y.a
  z.a
  !<arch>
  ar: creating v.a
  !<arch>
  a.txt
  ar: nodir/x.a: No such file or directory
[1]

$ ar rcv x.a a.txt nosuch 2>&1; ls x.a; ar t x.a; ar rcv x.a a.txt d 2>&1; ar tx x.a 2>&1; ar -t -x x.a 2>&1; ar t nosuch.a 2>&1; echo $?; ar x nosuch.a 2>&1; echo $?; ar t a.txt 2>&1; ar t d 2>&1; ar r d a.txt 2>&1; ar t empty 2>&1; ar r empty a.txt 2>&1
  a - a.txt
  ar: nosuch: No such file or directory
  a - a.txt
  ar: d: file format not recognized
  ar: two different operation options specified
  ar: two different operation options specified
  ar: nosuch.a: No such file or directory
  9
  ar: nosuch.a: No such file or directory
  9
  ar: a.txt: file format not recognized
  ar: d: file format not recognized
  ar: d: file format not recognized
  ar: empty: file format not recognized
  ar: empty: file format not recognized
[1]

$ ar q x.a a.txt 2>/dev/null; ar qv x.a a.txt b.txt; ar qcv x.a d/f.txt; ar t x.a; ar rv x.a d/f.txt b.txt; ar t x.a d/f.txt f.txt
  a - a.txt
  a - b.txt
  a - d/f.txt
  a.txt
  a.txt
  b.txt
  f.txt
  r - d/f.txt
  r - b.txt
  f.txt

$ ar rc x.a a.txt b.txt empty; ar mv x.a a.txt; ar t x.a; ar mvb a.txt x.a b.txt; ar t x.a; ar ma empty x.a b.txt; ar t x.a; ar m x.a nosuch 2>&1; echo $?; ar mva nosuch x.a empty; ar t x.a
  m - a.txt
  b.txt
  empty
  a.txt
  m - b.txt
  empty
  b.txt
  a.txt
  empty
  b.txt
  a.txt
  ar: no entry nosuch in archive x.a!
  1
  m - empty
  b.txt
  a.txt
  empty

$ ar rc x.a a.txt b.txt empty; ar dv x.a a.txt nosuch; ar t x.a; ar d x.a nosuch; echo $?; ar d x.a; ar -d x.a d/b.txt; ar t x.a; ar d x.a empty; cat x.a
  d - a.txt
  No member named `nosuch'
  b.txt
  empty
  0
  empty
  !<arch>

$ ar rc x.a a.txt b.txt; ar q x.a empty; cp b.txt a.txt; ar q x.a a.txt; ar t x.a; ar xN 1 x.a a.txt; cat a.txt; ar xvN 2 x.a a.txt; cat a.txt; ar xN 3 x.a a.txt 2>&1; ar xN z x.a a.txt 2>&1; ar tN 1 x.a a.txt 2>&1; ar dvN 1 x.a a.txt; ar t x.a
  a.txt
  b.txt
  empty
  a.txt
  one
  x - a.txt
  twoo
  no entry a.txt in archive
  ar: Value for `N' must be positive.
  ar: `N' is only meaningful with the `x' and `d' options.
  d - a.txt
  b.txt
  empty
  a.txt

$ ar rcU x.a a.txt d/f.txt; rm a.txt d/f.txt; ar xv x.a; cat a.txt f.txt; mkdir out; ar xv --output out x.a f.txt; ar xvo --output=out x.a; TZ=UTC ls -l --time-style=+%F out | awk '{print $1, $6, $7}'; ar x --output=nodir x.a 2>&1; echo $?; ar x x.a nosuch 2>&1; echo $?
  x - a.txt
  x - f.txt
  one
  x
  x - out/f.txt
  x - out/a.txt
  x - out/f.txt
  total  
  -rw-r--r-- 2020-02-03 a.txt
  -rw-r--r-- 2020-02-03 f.txt
  nodir/a.txt: No such file or directory
  1
  no entry nosuch in archive
  0

$ chmod 4755 a.txt; chmod 600 b.txt; ar rcU x.a a.txt b.txt; ar tv x.a | cut -c1-9; ar tv x.a | sed 's/.* Feb/Feb/'; rm a.txt b.txt; ar x x.a; stat -c '%a %n' a.txt b.txt; ar rcD y.a a.txt; ar tv y.a; head -c 68 y.a
  rwsr-xr-x
  rw-------
  Feb  3 04:05 2020 a.txt
  Feb  3 04:05 2020 b.txt
  4755 a.txt
  600 b.txt
  rw-r--r-- 0/0      4 Jan  1 00:00 1970 a.txt
  !<arch>
  a.txt/          0           0     0     644     4         `

$ ar rcU x.a a.txt; echo changed > a.txt; touch -d 2019-01-01 a.txt; ar ruUv x.a a.txt; ar p x.a; touch a.txt; ar ruUv x.a a.txt; ar p x.a; ar ruv x.a a.txt 2>&1
  one
  r - a.txt
  changed
  ar: `u' modifier ignored since `D' is the default (see `U')

$ ar rc x.a object.o a.txt; head -c 150 x.a | od -An -c; ar rc y.a a.txt a_very_long_name_indeed.txt object.o; head -c 88 y.a | od -An -tx1; ar rcS n.a object.o; head -c 68 n.a; ranlib n.a; cmp <(ar p n.a) object.o; head -c 150 n.a | od -An -c | head -5; ar rcS n.a object.o; ar s n.a; head -c 90 n.a | od -An -c | head -5; ar d n.a object.o; cat n.a; ar rcs e.a a.txt; cat e.a
     !   <   a   r   c   h   >  \n   /                            
                                     0                            
                     0                       0                    
     0                               2   8                        
             `  \n  \0  \0  \0 004  \0  \0  \0   `  \0  \0  \0   `
    \0  \0  \0   `  \0  \0  \0   `   f  \0   g  \0   w  \0   c  \0
     o   b   j   e   c   t   .   o   /                            
     0                                               0            
             0                       6   4   4                    
     9   5   2            
   21 3c 61 72 63 68 3e 0a 2f 20 20 20 20 20 20 20
   20 20 20 20 20 20 20 20 30 20 20 20 20 20 20 20
   20 20 20 20 30 20 20 20 20 20 30 20 20 20 20 20
   30 20 20 20 20 20 20 20 32 38 20 20 20 20 20 20
   20 20 60 0a 00 00 00 04 00 00 01 38 00 00 01 38
   00 00 01 38 00 00 01 38
  !<arch>
  object.o/       0           0     0     644     952       `
     !   <   a   r   c   h   >  \n   /                            
                                     0                            
                     0                       0                    
     0                               2   8                        
             `  \n  \0  \0  \0 004  \0  \0  \0   `  \0  \0  \0   `
     !   <   a   r   c   h   >  \n   /                            
                                     0                            
                     0                       0                    
     0                               2   8                        
             `  \n  \0  \0  \0 004  \0  \0  \0   `  \0  \0  \0   `
  !<arch>
  !<arch>
  a.txt/          0           0     0     644     4         `
  one

$ ar rcU x.a object.o; ranlib x.a; head -c 30 x.a | tail -c 6; ranlib -D x.a; ar tv x.a | cut -c1-9; ranlib -U x.a; ar p x.a | cmp - object.o; ranlib nosuch 2>&1; ranlib a.txt 2>&1; ranlib d 2>&1; ranlib 2>&1 | head -1; ranlib -x 2>&1 | head -1; ranlib --help | head -1; ar s nosuch.a 2>&1; ar -s x.a; ranlib a.txt x.a 2>/dev/null; echo $?
  0     rw-r--r--
  ranlib: 'nosuch': No such file
  ranlib: a.txt: file format not recognized
  ranlib: Warning: 'd' is a directory
  Usage: ranlib [options] archive
  ranlib: invalid option -- 'x'
  Usage: ranlib [options] archive
  ar: 'nosuch.a': No such file
  1

$ ar rcf x.a a_very_long_name_indeed.txt a.txt; ar t x.a; ar rvf x.a a_very_long_name_indeed.txt; ar dvf x.a a_very_long_name_indeed.txt; ar t x.a
  a_very_long_nam
  a.txt
  r - a_very_long_name_indeed.txt
  d - a_very_long_name_indeed.txt
  a.txt

$ ar 2>&1 | head -1; ar rz 2>&1 | head -1; ar --nope 2>&1 | head -1; ar v 2>&1 | head -1; ar r 2>&1 | head -1; ar rb 2>&1 | head -1; ar --help | head -1 | cut -c1-10; ar -h | head -1 | cut -c1-10; ar --version | grep -o 2.40; ar V | grep -o 'Binutils'; ar t 2>/dev/null; echo $?; ar -rc x.a a.txt -v; ar rc x.a b.txt; ar t x.a
  Usage: ar [emulation options] [-]{dmpqrstx}[abcDfilMNoOPsSTuvV] [--plugin <name>] [member-name] [count] archive-file file...
  ar: invalid option -- 'z'
  ar: unrecognized option '--nope'
  Usage: ar [emulation options] [-]{dmpqrstx}[abcDfilMNoOPsSTuvV] [--plugin <name>] [member-name] [count] archive-file file...
  Usage: ar [emulation options] [-]{dmpqrstx}[abcDfilMNoOPsSTuvV] [--plugin <name>] [member-name] [count] archive-file file...
  Usage: ar [emulation options] [-]{dmpqrstx}[abcDfilMNoOPsSTuvV] [--plugin <name>] [member-name] [count] archive-file file...
  Usage: ar 
  Usage: ar 
  2.40
  Binutils
  1
  a - a.txt
  a.txt
  b.txt

$ printf '!<arch>\n#1/8            0           0     0     644     10        `\nname\0\0\0\0hi' > bsd.a; ar t bsd.a; ar p bsd.a; printf '!<arch>\nx/' > cut.a; ar t cut.a 2>/dev/null; echo $?
  name
  hi1
