% seq 1 300 > n; printf 'Hello' > h

$ dd if=n of=o 2>/dev/null; cmp n o && echo same
  same

$ dd if=n of=o bs=100 count=2 2>&1 | head -2; wc -c < o
  2+0 records in
  2+0 records out
  200

$ dd if=n bs=10 skip=2 count=1 2>/dev/null
  
  11
  12
  13

$ dd if=n bs=1 skip=5 count=7 status=none; dd if=n bs=10 count=15 iflag=count_bytes status=none | wc -c; dd if=n skip=3B count=4B status=none
  
  4
  5
  6
  15
  
  3
  4
\

$ dd if=h of=o seek=3 bs=1 status=none; od -c o; printf 'xxxxxxxxxx' > p; dd if=h of=p bs=1 seek=2 conv=notrunc status=none; cat p
  0000000  \0  \0  \0   H   e   l   l   o
  0000010
  xxHelloxxx
\

$ printf 'xxxxxxxxxx' > p; dd if=h of=p bs=1 seek=2 status=none; cat p; echo; dd if=h of=p status=none; cat p
  xxHello
  Hello
\

$ dd if=h conv=ucase status=none; dd if=h conv=lcase status=none; dd if=h conv=swab status=none; dd if=h bs=8 conv=sync status=none | od -c
  HELLOhelloeHllo0000000   H   e   l   l   o  \0  \0  \0
  0000010

$ cat n | dd of=o status=none; cmp n o && echo same; cat n | dd bs=64 iflag=fullblock count=2 status=none | wc -c
  same
  128

$ dd if=/dev/zero of=z bs=1K count=4 2>&1 | head -2; wc -c < z; dd if=/dev/zero bs=1M count=1 status=none | wc -c; dd if=/dev/zero bs=2x3 count=1 status=none | wc -c
  4+0 records in
  4+0 records out
  4096
  1048576
  6

$ dd if=n ibs=100 obs=250 2>&1 >/dev/null | head -2; dd if=n status=noxfer 2>&1 >/dev/null; dd if=n bs=100 2>&1 >/dev/null | sed 's/copied.*//'
  10+1 records in
  4+1 records out
  2+1 records in
  2+1 records out
  10+1 records in
  10+1 records out
  1092 bytes (1.1 kB, 1.1 KiB) 

$ dd if=nonexistent 2>&1; echo $?; dd nonsense 2>/dev/null; echo $?; dd bs=x 2>/dev/null; echo $?; dd conv=foo 2>/dev/null; echo $?; dd if=h of=n conv=excl 2>/dev/null; echo $?; dd if=h of=new conv=nocreat 2>/dev/null; echo $?
  dd: failed to open 'nonexistent': No such file or directory
  1
  1
  1
  1
  1
  1

$ dd if=h of=n oflag=append conv=notrunc status=none; tail -c 9 n; dd if=h bs=100 skip=1 2>&1 | head -1; dd if=h count=0 of=n status=none; wc -c < n; dd of=n < /dev/null status=none; wc -c < n
  300
  Hellodd: h: cannot skip to specified offset
  0
  0

$ seq 10 > f; { dd bs=2 count=1 2> /dev/null; cat; } < f | tr '\n' ' '; printf abcdef | { dd bs=1 count=3 2> /dev/null; cat; }; echo; { dd bs=2 skip=1 count=1 2> /dev/null; cat; } < f | tr '\n' ' '
  1 2 3 4 5 6 7 8 9 10 abcdef
  2 3 4 5 6 7 8 9 10 
\

$ yes | dd bs=8 seek=2 count=1 2> /dev/null > out; od -An -c out; echo abcdefgh > o; exec 3<> o; dd bs=1 seek=3 count=2 if=/dev/zero >&3 2> /dev/null; od -An -c o; echo x | dd seek=1 2>&1 | head -n 1; printf high | dd 'count= 2' ibs=1 2> /dev/null
    \0  \0  \0  \0  \0  \0  \0  \0  \0  \0  \0  \0  \0  \0  \0  \0
     y  \n   y  \n   y  \n   y  \n
     a   b   c  \0  \0   f   g   h  \n
  dd: 'standard output': cannot seek: Illegal seek
  hi
\
