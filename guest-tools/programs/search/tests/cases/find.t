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
