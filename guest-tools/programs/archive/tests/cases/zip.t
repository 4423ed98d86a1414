% mkdir -p d/e; seq 1000 > n; printf x > d/e/b; printf hi > c; ln -s c l; chmod 755 d/e/b; find . -exec touch -h -d 2020-02-03T04:05:06 {} +

$ zip z.zip c d; zip -qr z.zip d/e l; unzip -l z.zip
    adding: c (stored 0%)
    adding: d/ (stored 0%)
  Archive:  z.zip
    Length      Date    Time    Name
  ---------  ---------- -----   ----
          2  2020-02-03 04:05   c
          0  2020-02-03 04:05   d/
          0  2020-02-03 04:05   d/e/
          1  2020-02-03 04:05   d/e/b
          2  2020-02-03 04:05   l
  ---------                     -------
          5                     5 files

$ zip -r z.zip d c l; echo $?
    adding: d/ (stored 0%)
    adding: d/e/ (stored 0%)
    adding: d/e/b (stored 0%)
    adding: c (stored 0%)
    adding: l (stored 0%)
  0

$ zip -q z c; ls; unzip -l z
  c
  d
  l
  n
  z.zip
  Archive:  z.zip
    Length      Date    Time    Name
  ---------  ---------- -----   ----
          2  2020-02-03 04:05   c
  ---------                     -------
          2                     1 file

$ zip -qr z.zip d; unzip -v z.zip d/e/b
  Archive:  z.zip
   Length   Method    Size  Cmpr    Date    Time   CRC-32   Name
  --------  ------  ------- ---- ---------- ----- --------  ----
         1  Stored        1   0% 2020-02-03 04:05 8cdc1683  d/e/b
  --------          -------  ---                            -------
         1                1   0%                            1 file

$ zip -qr z.zip c d n; rm -r c d; unzip z.zip; cat c;  ls -l d/e | tail -1 | cut -c1-10
  Archive:  z.zip
   extracting: c                       
     creating: d/
     creating: d/e/
   extracting: d/e/b                   
  hi-rwxr-xr-x

$ zip -qr z.zip c d; unzip -q z.zip -d out; diff -r d out/d; cat out/c
  hi
\

$ zip -qr z.zip c d; unzip -t z.zip
  Archive:  z.zip
      testing: c                        OK
      testing: d/                       OK
      testing: d/e/                     OK
      testing: d/e/b                    OK
  No errors detected in compressed data of z.zip.

$ zip -qr z.zip c d; unzip -p z.zip c
  hi
\

$ zip -qr z.zip c d; unzip -c z.zip c 'd/e/*'
  Archive:  z.zip
   extracting: c                       
  hi
   extracting: d/e/                    
  
   extracting: d/e/b                   
  x

$ zip -qr z.zip c d; unzip -Z1 z.zip
  c
  d/
  d/e/
  d/e/b

$ zip -qr z.zip c d; zipinfo -1 z.zip; zipinfo -h z.zip c | cut -d, -f2 | head -2
  c
  d/
  d/e/
  d/e/b
  Archive:  z.zip
   number of entries: 4

$ zip -qr z.zip c d; zipinfo -1 z.zip 'd/*'
  d/
  d/e/
  d/e/b

$ zip -qry y.zip l; rm l; unzip y.zip; ls -l l | cut -d' ' -f9-
  Archive:  y.zip
      linking: l                       -> c 
  finishing deferred symbolic links:
    l                      -> c
  l -> c

$ zip -qr z.zip c d; zip -d z.zip c; unzip -Z1 z.zip
  deleting: c
  d/
  d/e/
  d/e/b

$ zip -qr z.zip c d; zip -d z.zip 'd/*'; unzip -Z1 z.zip
  deleting: d/
  deleting: d/e/
  deleting: d/e/b
  c

$ zip -q z.zip c; zip -d z.zip nothing; echo $?
  	zip warning: name not matched: nothing
  
  zip error: Nothing to do! (z.zip)
  12

$ zip -q z.zip c; unzip z.zip nothing 2>&1; echo $?
  Archive:  z.zip
  caution: filename not matched:  nothing
  11

$ unzip nothing.zip 2>&1; echo $?
  unzip:  cannot find or open nothing.zip, nothing.zip.zip or nothing.zip.ZIP.
  9

$ unzip nothing 2>&1; echo $?
  unzip:  cannot find or open nothing, nothing.zip or nothing.ZIP.
  9

$ zip e.zip nothing 2>&1; echo $?
  	zip warning: name not matched: nothing
  
  zip error: Nothing to do! (e.zip)
  12

$ zip e.zip nothing c 2>&1; echo $?
  	zip warning: name not matched: nothing
    adding: c (stored 0%)
  0

$ zip -q z.zip c; unzip -o z.zip; unzip -n z.zip; unzip z.zip 2>&1 < /dev/null; echo $?
  Archive:  z.zip
   extracting: c                       
  Archive:  z.zip
  Archive:  z.zip
  replace c? [y]es, [n]o, [A]ll, [N]one, [r]ename:  NULL
  (EOF or read error, treating as "[N]one" ...)
  1

$ zip -j j.zip d/e/b c
    adding: b (stored 0%)
    adding: c (stored 0%)

$ zip -r x.zip d -x '*/e/*'
    adding: d/ (stored 0%)

$ zip -r x.zip . -i '*/b' 'c'
    adding: c (stored 0%)
    adding: d/e/b (stored 0%)

$ zip -x '*.b' -qr x.zip d; unzip -Z1 x.zip
  d/
  d/e/
  d/e/b

$ zip -qrD x.zip d; unzip -Z1 x.zip
  d/e/b

$ zip -0 x.zip n; unzip -v x.zip | grep -c Stored
    adding: n (stored 0%)
  1

$ zip -qm x.zip c; ls
  d
  l
  n
  x.zip

$ ls c n | zip -q@ x.zip; unzip -Z1 x.zip
  c
  n

$ cat c | zip -q x.zip -; unzip -p x.zip
  hi
\

$ zip -q - c | head -c 2
  PK
\

$ zip -q z.zip c; printf new > c; zip z.zip c; unzip -p z.zip c
  updating: c (stored 0%)
  new
\

$ zip -q z.zip c n; touch c; zip -u z.zip c n; echo $?
  updating: c (stored 0%)
  0

$ zip -q z.zip c; zip -u z.zip c; echo $?
  12

$ zip -q z.zip c n; touch c; zip -f z.zip; echo $?
  freshening: c (stored 0%)
  0

$ zip -q z.zip ./c ./n; unzip -Z1 z.zip
  c
  n

$ zip -T z.zip c
    adding: c (stored 0%)
  test of z.zip OK

$ zip -qr z.zip d c; unzip -q z.zip -x 'd/*' -d o; ls o
  c

$ zip -qr z.zip d c; unzip -qj z.zip -d o; ls o
  b
  c

$ zip -qr z.zip d; unzip -l z.zip 'd/e/*'
  Archive:  z.zip
    Length      Date    Time    Name
  ---------  ---------- -----   ----
          0  2020-02-03 04:05   d/e/
          1  2020-02-03 04:05   d/e/b
  ---------                     -------
          1                     2 files

$ zip -q z.zip c; touch -d 2019-01-01 c; unzip -u z.zip; unzip -u z.zip; unzip -f z.zip
  Archive:  z.zip
  Archive:  z.zip
  Archive:  z.zip
[1]

$ zip -qr z.zip c; unzip -qq -o z.zip; ls -l --time-style=+%F c | cut -d' ' -f6
  2020-02-03

$ zip -qr z.zip c; unzip -C -p z.zip C
  hi
\

$ mkdir n; cd n; echo a > a; seq 9 > b; zip -q q b a; zip -T q; zip -T q.zip b; zip -sf q; echo $?; zip -sf new a; zip -g q a; zip -g new a; zip -T nosuch; echo $?; echo junk > k.zip; zip k.zip b; echo $?
  test of q.zip OK
  updating: b (stored 0%)
  test of q.zip OK
  Archive contains:
    b
    a
  Total 2 entries (20 bytes)
  0
  Would Add/Update:
    a
  Total 1 entries (2 bytes)
  updating: a (stored 0%)
  	zip warning: new.zip not found or empty
    adding: a (stored 0%)
  
  zip error: Nothing to do! (nosuch.zip)
  12
  	zip warning: missing end signature--probably not a zip file (did you
  	zip warning: remember to use binary mode when you transferred it?)
  	zip warning: (if you are trying to read a damaged archive try -F)
  
  zip error: Zip file structure invalid (k.zip)
  3

$ mkdir n; cd n; echo a > a; echo z > z.zip; zip -r i.zip . -i '*.c'; echo $?; unzip -l i.zip 2>&1; echo $?; zip -q q nosuch; echo $?; zip q a z.zip -i a -x a; zip q z.zip; unzip -v q | tail -n 3 | head -n 1 | cut -c1-29
  	zip warning: zip file empty
  0
  Archive:  i.zip
  warning [i.zip]:  zipfile is empty
  1
  
  zip error: Nothing to do! (q.zip)
  12
  	zip warning: zip file empty
    adding: z.zip (stored 0%)
         2  Stored        2   0

$ mkdir n; cd n; echo junk > k.zip; for o in -q -l -p -t -qt -Z; do unzip $o k.zip 2> e; echo $?; cat e; done; unzip k 2>&1; zipinfo -1 k.zip 2>&1; : > e.zip; unzip e.zip 2>&1; echo a > a; zip -q q a; for o in -l -t -p -qo; do unzip $o q nosuch 2>&1; echo $?; done
  9
  [k.zip]
    End-of-central-directory signature not found.  Either this file is not
    a zipfile, or it constitutes one disk of a multi-part archive.  In the
    latter case the central directory and zipfile comment will be found on
    the last disk(s) of this archive.
  unzip:  cannot find zipfile directory in one of k.zip or
          k.zip.zip, and cannot find k.zip.ZIP, period.
  Archive:  k.zip
  9
    End-of-central-directory signature not found.  Either this file is not
    a zipfile, or it constitutes one disk of a multi-part archive.  In the
    latter case the central directory and zipfile comment will be found on
    the last disk(s) of this archive.
  unzip:  cannot find zipfile directory in one of k.zip or
          k.zip.zip, and cannot find k.zip.ZIP, period.
  9
  [k.zip]
    End-of-central-directory signature not found.  Either this file is not
    a zipfile, or it constitutes one disk of a multi-part archive.  In the
    latter case the central directory and zipfile comment will be found on
    the last disk(s) of this archive.
  Archive:  k.zip
    End-of-central-directory signature not found.  Either this file is not
    a zipfile, or it constitutes one disk of a multi-part archive.  In the
    latter case the central directory and zipfile comment will be found on
    the last disk(s) of this archive.
  unzip:  cannot find zipfile directory in one of k.zip or
          k.zip.zip, and cannot find k.zip.ZIP, period.
  9
  [k.zip]
    End-of-central-directory signature not found.  Either this file is not
    a zipfile, or it constitutes one disk of a multi-part archive.  In the
    latter case the central directory and zipfile comment will be found on
    the last disk(s) of this archive.
  unzip:  cannot find zipfile directory in one of k.zip or
          k.zip.zip, and cannot find k.zip.ZIP, period.
  9
  Archive:  k.zip
  [k.zip]
    End-of-central-directory signature not found.  Either this file is not
    a zipfile, or it constitutes one disk of a multi-part archive.  In the
    latter case the central directory and zipfile comment will be found on
    the last disk(s) of this archive.
  zipinfo:  cannot find zipfile directory in one of k.zip or
            k.zip.zip, and cannot find k.zip.ZIP, period.
  9
  Archive:  k.zip
    End-of-central-directory signature not found.  Either this file is not
    a zipfile, or it constitutes one disk of a multi-part archive.  In the
    latter case the central directory and zipfile comment will be found on
    the last disk(s) of this archive.
  unzip:  cannot find zipfile directory in one of k or
          k.zip, and cannot find k.ZIP, period.
  [k.zip]
    End-of-central-directory signature not found.  Either this file is not
    a zipfile, or it constitutes one disk of a multi-part archive.  In the
    latter case the central directory and zipfile comment will be found on
    the last disk(s) of this archive.
  zipinfo:  cannot find zipfile directory in one of k.zip or
            k.zip.zip, and cannot find k.zip.ZIP, period.
  Archive:  e.zip
    End-of-central-directory signature not found.  Either this file is not
    a zipfile, or it constitutes one disk of a multi-part archive.  In the
    latter case the central directory and zipfile comment will be found on
    the last disk(s) of this archive.
  unzip:  cannot find zipfile directory in one of e.zip or
          e.zip.zip, and cannot find e.zip.ZIP, period.
  Archive:  q.zip
    Length      Date    Time    Name
  ---------  ---------- -----   ----
  ---------                     -------
          0                     0 files
  11
  Archive:  q.zip
  caution: filename not matched:  nosuch
  At least one error was detected in q.zip.
  11
  caution: filename not matched:  nosuch
  11
  caution: filename not matched:  nosuch
  11
