% exec 2>&1

$ tar xf - < /dev/null; echo $?; : > empty.tar; tar tf empty.tar
  tar: This does not look like a tar archive
  tar: Exiting with failure status due to previous errors
  2
  tar: This does not look like a tar archive
  tar: Exiting with failure status due to previous errors
[2]

$ echo a > i; ln i j; ln -s i s; ln s t; tar cf a.tar i j s t i; tar tf a.tar; rm *[a-z]; cp /dev/null x; ls
  i
  j
  s
  t
  i
  x

$ echo a > i; ln i j; ln -s i s; ln s t; tar cf a.tar i j s t i; rm i j s t; tar xvf a.tar; echo $?; [ i -ef j ] && [ s -ef t ] && cat j; readlink t
  i
  j
  s
  t
  i
  0
  a
  i

$ mkdir d; echo a > d/f; tar cf a.tar d/f d; tar tvf a.tar | cut -c1; rm -r d; tar xf a.tar; cat d/f
  -
  d
  h
  a
