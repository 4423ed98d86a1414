% seq 1000 > f; show() { for f in *; do [ $f = f ] || echo "$f $(wc -l < $f) $(wc -c < $f)"; done; cat $(ls | grep -v '^f$') 2>/dev/null | cmp - f; }

$ split f; ls; rm x*; split -l 300 f; show; rm x*; split -300 f p.; show
  f
  xaa
  xaa 300 1092
  xab 300 1200
  xac 300 1200
  xad 100 401
  p.aa 300 1092
  p.ab 300 1200
  p.ac 300 1200
  p.ad 100 401

$ split -b 1000 f; show; rm x*; split -b 1K f; show; rm x*; split -C 1000 f q; show; split -b 1kB f r; ls r* | wc -l; split -b 2b f s; ls s*
  xaa 277 1000
  xab 250 1000
  xac 250 1000
  xad 223 893
  xaa 283 1024
  xab 256 1024
  xac 256 1024
  xad 205 821
  qaa 277 1000
  qab 250 1000
  qac 250 1000
  qad 223 893
  4
  saa
  sab
  sac
  sad

$ split -d -l 400 f; show; rm x*; split -x -l 400 f; show; rm x*; split --numeric-suffixes=7 -l 400 f; ls; rm x*; split -a 3 -d -l 400 f; ls; rm x*; split --additional-suffix=.txt -l 400 f part-; show; split -dl 400 f y; ls y*
  x00 400 1492
  x01 400 1600
  x02 200 801
  x00 400 1492
  x01 400 1600
  x02 200 801
  f
  x07
  x08
  x09
  f
  x000
  x001
  x002
  part-aa.txt 400 1492
  part-ab.txt 400 1600
  part-ac.txt 200 801
  y00
  y01
  y02

$ split -n 3 f; show; rm x*; split -n l/3 f; show; rm x*; split -n r/3 f; ls; wc -l x*; head -2 xab; rm x*; split -n 2/3 f | head -1; split -n l/2/3 f | head -1; split -n r/2/3 f | head -2; ls; split -n 12 f -d; ls | tail -2
  xaa 351 1297
  xab 324 1297
  xac 325 1299
  xaa 352 1300
  xab 324 1296
  xac 324 1297
  f
  xaa
  xab
  xac
   334 xaa
   333 xab
   333 xac
  1000 total
  2
  5
  52
  353
  2
  5
  f
  x10
  x11

$ split -l 20 f; ls | tail -4; rm x*; split -l 1 f; ls x* | wc -l; ls x* | tail -1; ls | sed -n '650p;680p'; rm x*; split -d -l 5 f; ls x* | sed -n '90,93p'; split -a 1 -l 10 f z 2>/dev/null; echo $?; ls z* | wc -l
  xbu
  xbv
  xbw
  xbx
  1000
  xzanl
  xyy
  xzabc
  x89
  x9000
  x9001
  x9002
  1
  26

$ printf '' | split; ls; printf '' | split -b 10 -d - /nowhere/x; echo $?; : > e; split -n 3 e e.; ls; split -n 3 -e e g.; ls g.* 2>/dev/null; split nofile 2>/dev/null; echo $?; printf 'no end' | split -l 1 - h; cat haa
  f
  0
  e
  e.aa
  e.ab
  e.ac
  f
  1
  no end
\

$ printf 'a:b:c:' | split -t : -l 1 - s; ls s*; cat sab; echo; printf 'a\0b\0' | split -t '\0' -l 1 - n; ls n*; printf 'longlonglong\nx\ny\n' | split -C 5 - c; for i in c*; do echo "[$(cat $i)]"; done
  saa
  sab
  sac
  b:
  naa
  nab
  [longl]
  [onglo]
  [ng
  x]
  [y]

$ split --filter='wc -l > $FILE.n' -l 300 f; cat x*.n; ls; split --verbose -l 600 f v; split -l 0 f 2>/dev/null; echo $?; split -b x f 2>/dev/null; echo $?; split -l 1 -b 1 f 2>/dev/null; echo $?; split a b c 2>/dev/null; echo $?; split -n 0 f 2>/dev/null; echo $?
  300
  300
  300
  100
  f
  xaa.n
  xab.n
  xac.n
  xad.n
  creating file 'vaa'
  creating file 'vab'
  1
  1
  1
  1
  1

$ seq 1 10 > n; split -e -n 30 n; ls | tr '\n' ' '; rm x*; split -n 30 n; wc -c x* | tail -n 12; rm x*; split -e -n l/30 n; ls | tr '\n' ' '; split -n 5/30 n; split -n l/5/30 n; split -n 30/30 n
  f n xaa xab xac xad xae xaf xag xah xai xaj xak xal xam xan xao xap xaq xar xas xat xau  1 xat
   1 xau
   0 xav
   0 xaw
   0 xax
   0 xay
   0 xaz
   0 xba
   0 xbb
   0 xbc
   0 xbd
  21 total
  f n xaa xab xac xad xae xaf xag xah xai xaj 33

$ seq 10 > xab; split -l 3 xab 2>&1; echo $?; ls; cat xab; split -l 3 < xab 2>&1; echo $?; split -l 3 --verbose xab 2>&1; seq 10 > 'x ab'; split -l3 --additional-suffix=' ab' 'x ab' '' 2>&1; rm x*; seq 4 > q; ln -s q xaa; split -l3 q 2>&1; echo $?; cat q
  split: 'xab' would overwrite input; aborting
  1
  f
  xaa
  xab
  1
  2
  3
  4
  5
  6
  7
  8
  9
  10
  split: 'xab' would overwrite input; aborting
  1
  creating file 'xaa'
  creating file 'xab'
  split: 'xab' would overwrite input; aborting
  split: 'xaa' would overwrite input; aborting
  1
  1
  2
  3
  4
