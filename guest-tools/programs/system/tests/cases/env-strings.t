% exec 2>&1

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
