% exec 2>&1

$ printf one | sed 'H;x'; echo '|'; printf 'a\nb' | sed 'H;x'; echo '|'
  
  one|
  
  a
  a
  b|

$ printf one | sed 'H;g'; echo '|'; printf 'a\nb' | sed 'H;g'; echo '|'
  
  one|
  
  a
  
  a
  b|

$ printf one | sed 'x;G'; echo '|'; printf 'a\nb' | sed 'x;G'; echo '|'
  
  one|
  
  a
  a
  b|

$ printf one | sed 'x;H;x'; echo '|'; printf 'a\nb' | sed 'x;H;x'; echo '|'
  one
  
  |
  a
  
  b
  
  |

$ printf one | sed 'z;H;x'; echo '|'; printf 'a\nb' | sed 'z;H;x'; echo '|'
  
  |
  
  
  
  |

$ printf one | sed 'H;x;G'; echo '|'; printf 'a\nb' | sed 'H;x;G'; echo '|'
  
  one
  one|
  
  a
  a
  a
  b
  b|

$ printf one | sed 'G'; echo '|'; printf 'a\nb' | sed 'G'; echo '|'
  one
  
  |
  a
  
  b
  
  |

$ printf one | sed 'H;h;x'; echo '|'; printf 'a\nb' | sed 'H;h;x'; echo '|'
  one|
  a
  b|

$ printf 'a\nb' | sed -n 'H;${x;s/\n/,/g;p}'; echo '|'
  ,a,b|

$ printf one | sed -z 'H;g' | od -c
  0000000  \0   o   n   e
  0000004
