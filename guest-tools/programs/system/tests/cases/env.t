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

$ env -uHOME -S'A=B C=D sh -c "echo \$A\$C \${HOME-gone}"'
  BD gone

$ env -i -S'A=B' C=D env
  A=B
  C=D

$ X='a b' env -S'printf <%s> ${X} "${X}" ${NONE}z "q\_r" s\_t u\tv'; echo
  <a b><a b><z><q r><s><t><u	v>

$ env -S'echo a\c b'; env -S'echo a #b'; env -S'echo a#b'
  a
  a
  a#b

$ env -S'echo \q'; env -S'echo $X'; env -S'echo "a'; env -S'echo "a\c"'; env -S'echo a\'
  env: invalid sequence '\q' in -S
  env: only ${VARNAME} expansion is supported, error at: $X
  env: no terminating quote in -S string
  env: '\c' must not appear in double-quoted -S string
  env: invalid backslash at end of string in -S
[125]

$ env -i -S 'A=1 -u B' 2>/dev/null
[127]

$ env --split-string 'echo x' y; env --split-string='echo z'
  x y
  z

$ env -S"echo 'a\\'b' c"
  a'b c
