# GNU find 4.9: a name that is not UTF-8 is matched byte by byte.
% touch $'a\377b' $'a\303' aéb axb

$ find . -name 'a*b' | sort | od -An -c; find . -name '*' -type f | wc -l
     .   /   a   x   b  \n   .   /   a 303 251   b  \n   .   /   a
   377   b  \n
  4

$ find . -name 'a?b' | sort | od -An -c; find . -name $'a\377?' | wc -l; find . -name $'a[\377]b' | wc -l
     .   /   a   x   b  \n   .   /   a 303 251   b  \n   .   /   a
   377   b  \n
  1
  1

$ find . -name 'a[!x]b' | wc -l; find . -iname 'A?B' | wc -l; find . -path './a*' | wc -l; find . -name 'a' | wc -l
  2
  3
  4
  0

$ mkdir d; touch d/file; ln -s looper d/looper; ln -s nothing d/nowhere; find -L d 2> err | sort; sed 's/.*: //' err; rm d/looper; mkdir d/e; ln -s .. d/e/up; ln -s ../.. d/e/two; find -L d 2> err | sort; sort err | sed 's/^[^:]*: //'
  d
  d/file
  d/nowhere
  Too many levels of symbolic links
  d
  d/e
  d/e/two
  d/e/two/axb
  d/e/two/a�
  d/e/two/aéb
  d/e/two/a�b
  d/e/two/err
  d/file
  d/nowhere
  File system loop detected; ‘d/e/two/d’ is part of the same file system loop as ‘d’.
  File system loop detected; ‘d/e/up’ is part of the same file system loop as ‘d’.

$ echo x > one; find . -name one -printf '%05d|%+d|% d|%.3d|%-3d|%07m|%#m|%.5m|%05s|%05f|\n'
  00001|+1| 1|001|1  |0000644|0644|00644|    2|  one|

$ mkdir q; cd q; find . -fprint out | sort; sort out
  .
  ./out

$ mkdir q; cd q; find . -false -fprint made; ls; find . -fprint /nodir/x 2>&1
  made
  find: ‘/nodir/x’: No such file or directory
[1]

$ find . -maxdepth 0 -fprintf made '%p %d\n'; cat made
  . 0

$ touch a.txt b.txt; find . -name a.txt b.txt 2>&1
  find: paths must precede expression: `b.txt'
  find: possible unquoted pattern after predicate `-name'?
[1]

$ touch a.txt; find . -name a.txt nofile 2>&1
  find: paths must precede expression: `nofile'
[1]

$ find . -name f \) 2>&1
  find: you have too many ')'
[1]

$ find . \( -name f 2>&1
  find: invalid expression; I was expecting to find a ')' somewhere but did not see one.
[1]

$ find . \( 2>&1
  find: invalid expression; expected to find a ')' but didn't see one. Perhaps you need an extra predicate after '('
[1]

$ export TZ=XXX-14; mkdir q; cd q; day=$(date +%F); touch -d "$day 00:30" a; touch -d "$day 00:30 1 hour ago" b
> find . -type f -daystart -mtime 0; find . -type f -daystart -mtime 1
  ./a
  ./b

$ export TZ=XXX+11; mkdir q; cd q; day=$(date +%F); touch -d "$day 00:30" a; touch -d "$day 00:30 1 hour ago" b
> find . -type f -daystart -mtime 0; find . -type f -daystart -mtime 1
  ./a
  ./b

$ touch f; exec 2>&1; find f -printf 'a%'; find f -printf '%q|\n'; find f -printf '\q|\n'; find f -printf '%T'; echo; find f -printf 'x\\'; echo; find f -printf '%{x}\n'; find f -printf '%p\c%q'; echo; find f -fprintf /dev/stdout '%-5p|%k\n'; find f -printf '%%|%TY\n' | sed 's/20[0-9][0-9]/Y/'
  find: error: % at end of format string
  find: warning: unrecognized format directive `%q'
  %q|
  find: warning: unrecognized escape `\q'
  \q|
  find: warning: format directive `%T' should be followed by another character
  %T
  x\
  find: error: the format directive `%{' is reserved for future use
  f
  f    |0
  %|Y
