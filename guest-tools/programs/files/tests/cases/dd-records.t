% exec 2>&1

$ printf '01234567\nabcdefghijkl\nx' | dd ibs=10 cbs=10 status=noxfer conv=block; echo '|'
  01234567  abcdefghijx         2+1 records in
  0+1 records out
  1 truncated record
  |

$ printf 'ab\ncd\n' | dd cbs=4 conv=block status=none; echo '|'
  ab  cd  |

$ printf 'a  b  c d ' | dd cbs=3 conv=unblock status=none
  a
  b
  c d
  

$ printf 'a\n  ' | dd cbs=3 conv=unblock status=none
  a
  
  

$ printf 'abc   ' | dd cbs=3 conv=unblock status=none
  abc
  

$ printf '0123\nab\n' | dd ibs=10 cbs=5 conv=block,sync,ucase status=none; echo '|'
  0123 AB        |
