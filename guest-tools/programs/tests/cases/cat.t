% printf 'a\tb\r\n\n\n\nc\001\377\302\205x' > f; mkfifo p

$ { echo through > p; } & env cat p; wait
  through

$ echo one | env cat - f /dev/null | od -An -c
     o   n   e  \n   a  \t   b  \r  \n  \n  \n  \n   c 001 377 302
   205   x

$ env cat -n f f | od -An -c
                         1  \t   a  \t   b  \r  \n                
         2  \t  \n                       3  \t  \n                
         4  \t  \n                       5  \t   c 001 377 302 205
     x   a  \t   b  \r  \n                       6  \t  \n        
                 7  \t  \n                       8  \t  \n        
                 9  \t   c 001 377 302 205   x

$ env cat -A f
  a^Ib^M$
  $
  $
  $
  c^AM-^?M-BM-^Ex
\

$ env cat -bs f | od -An -c
                         1  \t   a  \t   b  \r  \n  \n            
             2  \t   c 001 377 302 205   x

$ env cat -e /dev/null; env cat -vE f | od -An -c
     a  \t   b   ^   M   $  \n   $  \n   $  \n   $  \n   c   ^   A
     M   -   ^   ?   M   -   B   M   -   ^   E   x

$ exec 2>&1; env cat missing . f > out; echo $?
  cat: missing: No such file or directory
  cat: .: Is a directory
  1

$ exec 2>&1; env cat f >> f
  cat: f: input file is output file
[1]

$ env cat --number-nonblank -T f | head -n 1 | od -An -c
                         1  \t   a   ^   I   b  \r  \n

$ echo x | env cat -u /dev/stdin; env cat <(echo y) -
  x
  y

$ env cat -s --show-ends f | od -An -c
     a  \t   b   ^   M   $  \n   $  \n   c 001 377 302 205   x

$ exec 2>&1; env cat -x; env cat --show
  cat: invalid option -- 'x'
  Try 'cat --help' for more information.
  cat: option '--show' is ambiguous; possibilities: '--show-nonprinting' '--show-ends' '--show-tabs' '--show-all'
  Try 'cat --help' for more information.
[1]
