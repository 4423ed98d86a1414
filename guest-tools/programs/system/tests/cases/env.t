# GNU coreutils 9.1 of Debian 12.

$ env =x echo hi; env -i =x; env -i A=1 =y B=2; env -i A=b =x true; echo $?; env -i =; env -u = true 2>&1; echo $?; env -u a=b true 2>&1; env -u '' true 2>&1; env -i =x env -i; env -i A=1 =x =y /usr/bin/printf '%s\n' end; env =x sh -c 'echo $A'; env - =x
  hi
  =x
  A=1
  =y
  B=2
  0
  =
  env: cannot unset ‘=’: Invalid argument
  125
  env: cannot unset ‘a=b’: Invalid argument
  env: cannot unset ‘’: Invalid argument
  end
  
  =x
