% exec 2>&1

$ expr 0 '&' 1 / 0
  0
[1]

$ expr 1 '|' 1 / 0
  1

$ expr 1 '|' '(' a + 1 ')'
  1

$ expr 0 '|' 1 / 0
  expr: division by zero
[2]

$ expr 5 '&' 0 '&' 1 / 0
  0
[1]

$ expr 1 '|' abc : '\('
  1

$ expr 0 '|' abc : 'a\(.\)'
  b
