% printf 'a 1\na 2\nB 2\nb 2\nc\nc\nc\nd\n' > f

$ uniq f; uniq -c f; uniq -d f; uniq -u f; uniq -D f; uniq -i f; uniq -ci f
  a 1
  a 2
  B 2
  b 2
  c
  d
        1 a 1
        1 a 2
        1 B 2
        1 b 2
        3 c
        1 d
  c
  a 1
  a 2
  B 2
  b 2
  d
  c
  c
  c
  a 1
  a 2
  B 2
  c
  d
        1 a 1
        1 a 2
        2 B 2
        3 c
        1 d

$ uniq -w 1 f; uniq -D -w 1 f; uniq -D -w1 -i f; uniq -cw 1 f; uniq -w 0 f; uniq -c -w 99 f
  a 1
  B 2
  b 2
  c
  d
  a 1
  a 2
  c
  c
  c
  a 1
  a 2
  B 2
  b 2
  c
  c
  c
        2 a 1
        1 B 2
        1 b 2
        3 c
        1 d
  a 1
        1 a 1
        1 a 2
        1 B 2
        1 b 2
        3 c
        1 d

$ uniq -f 1 f; uniq -c -f1 f; uniq -s 2 f; uniq -1 f; uniq -f 1 -s 1 -w 1 -c f; uniq -D -f 1 f
  a 1
  a 2
  c
        1 a 1
        3 a 2
        4 c
  a 1
  a 2
  c
  a 1
  a 2
  c
        1 a 1
        3 a 2
        4 c
  a 2
  B 2
  b 2
  c
  c
  c
  d

$ uniq --all-repeated=prepend f; uniq --all-repeated=separate f; uniq --all-repeated=none -w1 f; uniq --all-repeated=sep -w 1 f
  
  c
  c
  c
  c
  c
  c
  a 1
  a 2
  c
  c
  c
  a 1
  a 2
  
  c
  c
  c

$ uniq --group f; uniq --group=prepend f; uniq --group=append f; uniq --group=both -w 1 f
  a 1
  
  a 2
  
  B 2
  
  b 2
  
  c
  c
  c
  
  d
  
  a 1
  
  a 2
  
  B 2
  
  b 2
  
  c
  c
  c
  
  d
  a 1
  
  a 2
  
  B 2
  
  b 2
  
  c
  c
  c
  
  d
  
  
  a 1
  a 2
  
  B 2
  
  b 2
  
  c
  c
  c
  
  d
  

$ uniq -du f; echo $?; uniq -d -D f; uniq -uD f; uniq -c -D f 2>/dev/null; echo $?; uniq --group -c f 2>/dev/null; echo $?
  0
  c
  c
  c
  c
  c
  1
  1

$ printf 'a\0a\0b\0' | uniq -z | od -An -c; printf 'x\nx' | uniq; printf 'x\ny' | uniq -c; uniq < /dev/null; uniq -c < /dev/null; printf '\n\n\n' | uniq -c
     a  \0   b  \0
  x
        1 x
        1 y
        3 

$ uniq f g; cat g | wc -l; uniq nofile 2>/dev/null; echo $?; uniq a b c 2>/dev/null; echo $?; uniq -w x f 2>/dev/null; echo $?; uniq - < f | head -1
  6
  1
  1
  1
  a 1

$ printf '  a b\n\ta b\n x b\n' | uniq -f 1 -c; printf 'a\tb\na b\n' | uniq -f1 -c; seq 100000 | sed 's/.$//' | uniq -c | md5sum
        3   a b
        1 a	b
        1 a b
  a89cc87f407b9449be2e8274330a9f24  -
