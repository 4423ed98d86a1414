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
