# The pages are our own: each shows what the command says with --help.
% exec 2>&1

$ man dc | head -4; man -k xmll; man -k nosuch; echo $?; man nosuch; echo $?; man 1 sed | sed -n 1p; man; echo $?
  DC(1)                      Commands of the sandbox                      DC(1)
  
         Usage: dc [OPTION] [file ...]
           -e, --expression=EXPR    evaluate expression
  xmllint (1)
  nosuch: nothing appropriate.
  16
  No manual entry for nosuch
  16
  SED(1)                     Commands of the sandbox                     SED(1)
  What manual page do you want?
  For example, try 'man man'.
  1
