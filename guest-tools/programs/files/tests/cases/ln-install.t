% exec 2>&1

$ echo a > a; ln a b; ln -f a b; echo $?; ls; ln -f a a; ln -f a ./a
  0
  a
  b
  ln: 'a' and 'a' are the same file
  ln: 'a' and './a' are the same file
[1]

$ mkdir d; echo a > a; install d x; echo $?; install d a y; mkdir z; install d a z; echo $?; ls z
  install: omitting directory 'd'
  1
  install: target 'y': No such file or directory
  install: omitting directory 'd'
  1
  a
