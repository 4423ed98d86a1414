# What Info-ZIP's zip 3.0 replaces, removes and leaves.
% exec 2>&1; umask 022

$ echo one > a; echo two > b; mkdir d; echo x > d/x; zip z.zip a; zip -m z.zip a b; echo $?; ls; zip -mr z.zip d b; echo $?; ls; echo old > e; zip z.zip e; touch -d 2030-01-01 e; zip -mf z.zip e; echo $?; ls; echo q > q; mkfifo ff; zip -m z.zip q ff nosuch; echo $?; ls; mkdir k; echo 1 > k/1; zip -mr z.zip k -x k/1; echo $?; find k
    adding: a (stored 0%)
  updating: a (stored 0%)
    adding: b (stored 0%)
  0
  d
  z.zip
    adding: d/ (stored 0%)
    adding: d/x (stored 0%)
  0
  z.zip
    adding: e (stored 0%)
  freshening: e (stored 0%)
  0
  z.zip
  	zip warning: ignoring FIFO (Named Pipe) - use -FI to read: ff
  	zip warning: name not matched: nosuch
    adding: q (stored 0%)
  0
  ff
  z.zip
    adding: k/ (stored 0%)
  0
  k
  k/1

$ ln -s q l; echo q > q; zip -my z.zip l; ls; zip -qm z.zip q; ln z.zip hl; echo w > w; zip -q z.zip w; stat -c %h z.zip; ln -s z.zip sl.zip; zip sl.zip w; readlink sl.zip; chmod 600 z.zip; rm hl; zip z.zip w; stat -c %a z.zip; unzip -Z1 z.zip; ls
    adding: l (stored 0%)
  q
  z.zip
  2
  updating: w (stored 0%)
  z.zip
  updating: w (stored 0%)
  600
  l
  q
  w
  sl.zip
  w
  z.zip

$ echo one > a; echo two > b; touch -d 2020-02-03T04:05:06 a b; zip z.zip a b; touch -d 2019-01-01T00:00:00 a; zip -FS z.zip a b; echo $?; unzip -l z.zip | head -5; zip -FS z.zip a b; echo $?; echo three >> b; touch -d 2020-02-03T04:05:06 b; zip -FS z.zip a b; echo $?; echo c > c; touch -d 2019-01-01T00:00:00 c; zip -FS z.zip a c; echo $?; touch -d 2019-01-01T00:00:10 a; zip -FS z.zip a c; echo $?; zip -FS n.zip a c; echo $?; rm a; zip -FS z.zip a c; echo $?; zip -FS z.zip nosuch; echo $?; unzip -Z1 z.zip; mkdir d; echo x > d/x; zip -rFS z.zip d; zip -rFS z.zip d; echo $?
    adding: a (stored 0%)
    adding: b (stored 0%)
  updating: a (stored 0%)
  0
  Archive:  z.zip
    Length      Date    Time    Name
  ---------  ---------- -----   ----
          4  2019-01-01 00:00   a
          4  2020-02-03 04:05   b
  Archive is current
  0
  updating: b (stored 0%)
  0
  deleting: b
    adding: c (stored 0%)
  0
  updating: a (stored 0%)
  0
    adding: a (stored 0%)
    adding: c (stored 0%)
  0
  deleting: a
  0
  	zip warning: name not matched: nosuch
  
  zip error: Nothing to do! (z.zip)
  12
  c
  deleting: c
    adding: d/ (stored 0%)
    adding: d/x (stored 0%)
  Archive is current
  0

$ echo one > a; touch -d 2020-02-03T04:05:06 a; zip -qX z.zip a; rm a; unzip -q z.zip; date -r a +%F_%T; zip -u z.zip a; echo $?; touch -d 2020-02-03T04:05:10 a; zip -u z.zip a; echo $?
  2020-02-03_04:05:06
  12
  updating: a (stored 0%)
  0

$ head -c 4300000 /dev/zero > n; (seq 2000; head -c 4300000 /dev/zero) > m; zip -q1 z.zip n m; unzip -p z.zip n | cmp - n; unzip -p z.zip m | cmp - m; zip -q0 z.zip n; unzip -p z.zip n | cmp - n; cat m | zip -q1 y.zip -; unzip -p y.zip | cmp - m; zip -q1 - m > s.zip; unzip -p s.zip | cmp - m; ls
  m
  n
  s.zip
  y.zip
  z.zip
