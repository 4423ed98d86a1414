% printf '1\n2\n3\n' > a; printf 'x\ny' > b

$ tac a
  3
  2
  1

$ seq 5 | tac
  5
  4
  3
  2
  1

$ tac < b; tac b a; cat a | tac - b
  yx
  yx
  3
  2
  1
  3
  2
  1
  yx

$ tac -b a; tac --before b
  
  
  3
  21
  yx
\

$ printf 'axbxc' | tac -s x; printf 'axbx' | tac -s x; printf 'axxbxx' | tac -s xx; printf 'axxx' | tac -s xx
  cbxaxbxaxbxxaxxaxxx
\

$ printf '1a2b3\n' | tac -r -s '[ab]'; printf 'xaay' | tac -r -s 'a+'; printf '1,2;3,' | tac -b -r -s '[,;]'
  3
  2b1ayaxa,;3,21
\

$ printf 'a\0b\0' | tac -s '' | od -An -c
     b  \0   a  \0

$ tac < /dev/null; printf '\n\n' | tac | od -An -c
    \n  \n

$ seq 200000 | tac | md5sum
  e3f5c6d1c219f7b0016239a8cf596c8a  -

$ tac nofile a; echo $?
  3
  2
  1
  1

$ tac -x 2>/dev/null; echo $?
  1
