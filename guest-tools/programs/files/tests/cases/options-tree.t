# tree 2.1.0 of Debian 12.
% export TERM=xterm; mkdir -p x/a x/B/c x/empty; printf hello > x/f; printf '%2000s' > x/a/g; printf '%1500000s' > x/B/big; touch 'x/B/c/h i' x/.hid x/v10 x/v9 x/Z.TXT x/b.txt; printf q > "$(printf 'x/q\001\033z')"; printf u > x/$'\303\251t\303\251'; ln -s f x/lnk; ln -s a x/ldir; ln -s nope x/dead; mkfifo x/p; chmod 755 x/f; chmod 4755 x/v9; chmod 1777 x/empty
% find x -exec touch -h -d 2020-02-03T04:05:06 {} +; touch -d 2021-05-06T07:08:09 x/b.txt; touch -d 2019-01-01T00:00:00 x/v10

$ mkdir y; touch y/b; sleep 1.1; touch y/a; tree -c y; tree -cr y; tree -U y | grep -c '[ab]$'; tree --sort=ctime y; tree -cD --timefmt=x x/a; tree -t x | cat -v | head -4
  y
  ├── b
  └── a
  
  1 directory, 2 files
  y
  ├── a
  └── b
  
  1 directory, 2 files
  2
  y
  ├── b
  └── a
  
  1 directory, 2 files
  [x]  x/a
  └── [x]  g
  
  1 directory, 1 file
  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big

$ tree --sort=name x/B; tree --sort=size x | cat -v; tree --sort=mtime x | cat -v; tree --sort version x | head -3; tree --sort=bogus x 2>&1 | head -2; tree --sort=size -r x | cat -v
  x/B
  ├── big
  └── c
      └── h i
  
  2 directories, 2 files
  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ c
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ldir -> a
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ b.txt
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ v9
  
  6 directories, 13 files
  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ c
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ldir -> a
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v9
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ b.txt
  
  6 directories, 13 files
  x
  ├── B
  │   ├── big
  tree: Sort type 'bogus' not valid, should be one of: name,version,size,mtime,ctime
  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v9
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ b.txt
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ldir -> a
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ B
      M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ c
      M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ big
  
  6 directories, 13 files

$ tree --du x; tree --du -h x; tree --du -s -d x; tree -s x; tree -h x; tree --si x; tree --du --si x; tree -s --du -a x/B; tree --du -i x/B
  [    1522493]  x
  ├── [    1508192]  B
  │   ├── [    1500000]  big
  │   └── [       4096]  c
  │       └── [          0]  h i
  ├── [          0]  Z.TXT
  ├── [       6096]  a
  │   └── [       2000]  g
  ├── [          0]  b.txt
  ├── [          4]  dead -> nope
  ├── [       4096]  empty
  ├── [          5]  f
  ├── [          1]  ldir -> a
  ├── [          1]  lnk -> f
  ├── [          0]  p
  ├── [          1]  q\001\033z
  ├── [          0]  v10
  ├── [          0]  v9
  └── [          1]  été
  
       3024493 bytes used in 6 directories, 13 files
  [1.5M]  x
  ├── [1.4M]  B
  │   ├── [1.4M]  big
  │   └── [4.0K]  c
  │       └── [   0]  h i
  ├── [   0]  Z.TXT
  ├── [6.0K]  a
  │   └── [2.0K]  g
  ├── [   0]  b.txt
  ├── [   4]  dead -> nope
  ├── [4.0K]  empty
  ├── [   5]  f
  ├── [   1]  ldir -> a
  ├── [   1]  lnk -> f
  ├── [   0]  p
  ├── [   1]  q\001\033z
  ├── [   0]  v10
  ├── [   0]  v9
  └── [   1]  été
  
   2.9M used in 6 directories, 13 files
  [      20481]  x
  ├── [       8192]  B
  │   └── [       4096]  c
  ├── [       4096]  a
  ├── [       4096]  empty
  └── [          1]  ldir -> a
  
         20481 bytes used in 6 directories
  [       4096]  x
  ├── [       4096]  B
  │   ├── [    1500000]  big
  │   └── [       4096]  c
  │       └── [          0]  h i
  ├── [          0]  Z.TXT
  ├── [       4096]  a
  │   └── [       2000]  g
  ├── [          0]  b.txt
  ├── [          4]  dead -> nope
  ├── [       4096]  empty
  ├── [          5]  f
  ├── [          1]  ldir -> a
  ├── [          1]  lnk -> f
  ├── [          0]  p
  ├── [          1]  q\001\033z
  ├── [          0]  v10
  ├── [          0]  v9
  └── [          1]  été
  
  6 directories, 13 files
  [4.0K]  x
  ├── [4.0K]  B
  │   ├── [1.4M]  big
  │   └── [4.0K]  c
  │       └── [   0]  h i
  ├── [   0]  Z.TXT
  ├── [4.0K]  a
  │   └── [2.0K]  g
  ├── [   0]  b.txt
  ├── [   4]  dead -> nope
  ├── [4.0K]  empty
  ├── [   5]  f
  ├── [   1]  ldir -> a
  ├── [   1]  lnk -> f
  ├── [   0]  p
  ├── [   1]  q\001\033z
  ├── [   0]  v10
  ├── [   0]  v9
  └── [   1]  été
  
  6 directories, 13 files
  [4.1k]  x
  ├── [4.1k]  B
  │   ├── [1.5M]  big
  │   └── [4.1k]  c
  │       └── [   0]  h i
  ├── [   0]  Z.TXT
  ├── [4.1k]  a
  │   └── [2.0k]  g
  ├── [   0]  b.txt
  ├── [   4]  dead -> nope
  ├── [4.1k]  empty
  ├── [   5]  f
  ├── [   1]  ldir -> a
  ├── [   1]  lnk -> f
  ├── [   0]  p
  ├── [   1]  q\001\033z
  ├── [   0]  v10
  ├── [   0]  v9
  └── [   1]  été
  
  6 directories, 13 files
  [1.5M]  x
  ├── [1.5M]  B
  │   ├── [1.5M]  big
  │   └── [4.1k]  c
  │       └── [   0]  h i
  ├── [   0]  Z.TXT
  ├── [6.1k]  a
  │   └── [2.0k]  g
  ├── [   0]  b.txt
  ├── [   4]  dead -> nope
  ├── [4.1k]  empty
  ├── [   5]  f
  ├── [   1]  ldir -> a
  ├── [   1]  lnk -> f
  ├── [   0]  p
  ├── [   1]  q\001\033z
  ├── [   0]  v10
  ├── [   0]  v9
  └── [   1]  été
  
   3.0M used in 6 directories, 13 files
  [    1508192]  x/B
  ├── [    1500000]  big
  └── [       4096]  c
      └── [          0]  h i
  
       1504096 bytes used in 2 directories, 2 files
  [    1508192]  x/B
  [    1500000]  big
  [       4096]  c
  [          0]  h i
  
       1504096 bytes used in 2 directories, 2 files

$ tree -P '*.TXT' x; tree -P '*.txt' --ignore-case x; tree -I '*.txt' x; tree -I '*.TXT' --ignore-case x; tree -P 'b*' --ignore-case --prune x
  x
  ├── B
  │   └── c
  ├── Z.TXT
  ├── a
  └── empty
  
  5 directories, 1 file
  x
  ├── B
  │   └── c
  ├── Z.TXT
  ├── a
  ├── b.txt
  └── empty
  
  5 directories, 2 files
  x
  ├── B
  │   ├── big
  │   └── c
  │       └── h i
  ├── Z.TXT
  ├── a
  │   └── g
  ├── dead -> nope
  ├── empty
  ├── f
  ├── ldir -> a
  ├── lnk -> f
  ├── p
  ├── q\001\033z
  ├── v10
  ├── v9
  └── été
  
  6 directories, 12 files
  x
  ├── B
  │   ├── big
  │   └── c
  │       └── h i
  ├── a
  │   └── g
  ├── dead -> nope
  ├── empty
  ├── f
  ├── ldir -> a
  ├── lnk -> f
  ├── p
  ├── q\001\033z
  ├── v10
  ├── v9
  └── été
  
  6 directories, 11 files
  x
  ├── B
  │   └── big
  └── b.txt
  
  2 directories, 2 files

$ tree -P 'a' --matchdirs x; tree -P 'B' --matchdirs --prune x; tree -I 'a|B' x; tree -I a --matchdirs x; tree -P 'c' --matchdirs --prune x; tree -P 'g' --prune x
  x
  ├── B
  │   └── c
  ├── a
  │   └── g
  └── empty
  
  5 directories, 1 file
  x
  └── B
      └── big
  
  2 directories, 1 file
  x
  ├── Z.TXT
  ├── b.txt
  ├── dead -> nope
  ├── empty
  ├── f
  ├── ldir -> a
  ├── lnk -> f
  ├── p
  ├── q\001\033z
  ├── v10
  ├── v9
  └── été
  
  3 directories, 10 files
  x
  ├── B
  │   ├── big
  │   └── c
  │       └── h i
  ├── Z.TXT
  ├── b.txt
  ├── dead -> nope
  ├── empty
  ├── f
  ├── ldir -> a
  ├── lnk -> f
  ├── p
  ├── q\001\033z
  ├── v10
  ├── v9
  └── été
  
  5 directories, 12 files
  x
  └── B
      └── c
  
  3 directories, 0 files
  x
  └── a
      └── g
  
  2 directories, 1 file

$ tree -q x/ | cat -v; tree -N x/ | od -c | sed -n '/q/p' | head -3; tree -Q x/ | cat -v; tree x | cat -v; tree -N x | cat -v
  x/
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ c
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ b.txt
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ldir -> a
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q??z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v9
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  
  6 directories, 13 files
  0000400 224 200       q 001 033   z  \n 342 224 234 342 224 200 342 224
  "x/"
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "B"
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "big"
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ "c"
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ "h i"
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "Z.TXT"
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "a"
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ "g"
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "b.txt"
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "dead" -> "nope"
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "empty"
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "f"
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "ldir" -> "a"
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "lnk" -> "f"
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "p"
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "q\001\033z"
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "v10"
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ "v9"
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ "M-CM-)tM-CM-)"
  
  6 directories, 13 files
  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ c
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ b.txt
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ldir -> a
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v9
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  
  6 directories, 13 files
  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ c
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ b.txt
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ldir -> a
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q^A^[z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v9
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  
  6 directories, 13 files

$ tree -u x/B | sed 's/root */USER /'; tree -g x/B | sed 's/root */GROUP /'; tree -ug x/a | sed 's/root */R /g'; tree -pugs x/a | sed 's/root */R /g'; tree -pug -D --timefmt %F x/a | sed 's/root */R /g'
  [USER ]  x/B
  ├── [USER ]  big
  └── [USER ]  c
      └── [USER ]  h i
  
  2 directories, 2 files
  [GROUP ]  x/B
  ├── [GROUP ]  big
  └── [GROUP ]  c
      └── [GROUP ]  h i
  
  2 directories, 2 files
  [R R ]  x/a
  └── [R R ]  g
  
  1 directory, 1 file
  [drwxr-xr-x R R 4096]  x/a
  └── [-rw-r--r-- R R 2000]  g
  
  1 directory, 1 file
  [drwxr-xr-x R R 2020-02-03]  x/a
  └── [-rw-r--r-- R R 2020-02-03]  g
  
  1 directory, 1 file

$ tree --inodes x/a | sed 's/\[ *[0-9]*\]/[INODE]/'; tree --device x/a | sed 's/\[ *[0-9]*\]/[DEVICE]/'; tree --inodes --device x/a | sed 's/\[ *[0-9]* *[0-9]*\]/[BOTH]/'
  [INODE]  x/a
  └── [INODE]  g
  
  1 directory, 1 file
  [DEVICE]  x/a
  └── [DEVICE]  g
  
  1 directory, 1 file
  [BOTH]  x/a
  └── [BOTH]  g
  
  1 directory, 1 file

$ tree -x x/a; tree -x x | tail -1; tree -n x/a; tree -C -n x/a; tree -n -C x/a | cat -v
  x/a
  └── g
  
  1 directory, 1 file
  6 directories, 13 files
  x/a
  └── g
  
  1 directory, 1 file
  [01;34mx/a[0m
  └── [00mg[0m
  
  1 directory, 1 file
  ^[[01;34mx/a^[[0m
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ ^[[00mg^[[0m
  
  1 directory, 1 file

$ export LS_COLORS='di=01;34:ln=01;36:ex=01;32:*.txt=33:or=31:pi=35:su=37;41:tw=30;42'; tree -C x | cat -v; tree -nC x/B | cat -v; tree -Cf x/B | cat -v; tree -C --noreport -i x | cat -v
  ^[[01;34mx^[[0m
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ^[[01;34mB^[[0m
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ ^[[01;34mc^[[0m
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ^[[01;34ma^[[0m
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ^[[33mb.txt^[[0m
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ^[[31mdead^[[0m -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ^[[30;42mempty^[[0m
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ^[[01;32mf^[[0m
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ^[[01;36mldir^[[0m -> ^[[01;34ma^[[0m
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ^[[01;36mlnk^[[0m -> ^[[01;32mf^[[0m
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ^[[35mp^[[0m
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ^[[37;41mv9^[[0m
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  
  6 directories, 13 files
  ^[[01;34mx/B^[[0m
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ ^[[01;34mc^[[0m
      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  
  2 directories, 2 files
  ^[[01;34mx/B^[[0m
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ x/B/big
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ ^[[01;34mx/B/c^[[0m
      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ x/B/c/h i
  
  2 directories, 2 files
  ^[[01;34mx^[[0m
  ^[[01;34mB^[[0m
  big
  ^[[01;34mc^[[0m
  h i
  Z.TXT
  ^[[01;34ma^[[0m
  g
  ^[[33mb.txt^[[0m
  ^[[31mdead^[[0m -> nope
  ^[[30;42mempty^[[0m
  ^[[01;32mf^[[0m
  ^[[01;36mldir^[[0m -> ^[[01;34ma^[[0m
  ^[[01;36mlnk^[[0m -> ^[[01;32mf^[[0m
  ^[[35mp^[[0m
  q\001\033z
  v10
  ^[[37;41mv9^[[0m
  M-CM-)tM-CM-)

$ unset LS_COLORS TREE_COLORS; TERM= tree -C x/a; unset TERM; tree -C x/a; export TERM=xterm; tree -C x/a x/B | cat -v; TREE_COLORS='fi=7:di=4' LS_COLORS='fi=1' tree -C x/a | cat -v; LS_COLORS='mi=05:no=32:*.txt=31' tree -C x | cat -v; tree -C x/empty | cat -v; tree x/nope; echo $?; tree x/f; tree -L 0 x 2>&1; tree -L x 2>&1;  tree -L 1 x/a x/B
  [01;34mx/a[0m
  └── [00mg[0m
  
  1 directory, 1 file
  x/a
  └── g
  
  1 directory, 1 file
  ^[[01;34mx/a^[[0m
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ ^[[00mg^[[0m
  ^[[01;34mx/B^[[0m
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ^[[00mbig^[[0m
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ ^[[01;34mc^[[0m
      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ ^[[00mh i^[[0m
  
  3 directories, 3 files
  ^[[4mx/a^[[0m
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ ^[[7mg^[[0m
  
  1 directory, 1 file
  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ c
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ^[[31mb.txt^[[0m
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> ^[[05mnope^[[0m
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ldir -> a
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v9
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  
  6 directories, 13 files
  ^[[01;34mx/empty^[[0m
  
  0 directories, 0 files
  x/nope  [error opening dir]
  
  0 directories, 0 files
  2
  x/f  [error opening dir]
  
  0 directories, 1 file
  tree: Invalid level, must be greater than 0.
  tree: Invalid level, must be greater than 0.
  x/a
  └── g
  x/B
  ├── big
  └── c
  
  3 directories, 2 files

$ tree -J x/B; tree -J -s -p x/a; tree -X x/a; tree -X -s -D --timefmt=%F x/B; tree -J --noreport -d x/B; tree -J -h --du x/a; tree -Jf x/a; tree -Xi x/a; tree -J -L 1 x | head -4; tree -Ju x/a | sed 's/"root"/"U"/'
  [
    {"type":"directory","name":"x/B","contents":[
      {"type":"file","name":"big"},
      {"type":"directory","name":"c","contents":[
        {"type":"file","name":"h i"}
      ]}
    ]}
  ,
    {"type":"report","directories":2,"files":2}
  ]
  [
    {"type":"directory","name":"x/a","mode":"0755","prot":"drwxr-xr-x","size":4096,"contents":[
      {"type":"file","name":"g","mode":"0644","prot":"-rw-r--r--","size":2000}
    ]}
  ,
    {"type":"report","directories":1,"files":1}
  ]
  <?xml version="1.0" encoding="UTF-8"?>
  <tree>
    <directory name="x/a">
      <file name="g"></file>
    </directory>
    <report>
      <directories>1</directories>
      <files>1</files>
    </report>
  </tree>
  <?xml version="1.0" encoding="UTF-8"?>
  <tree>
    <directory name="x/B" size="4096" time="2020-02-03">
      <file name="big" size="1500000" time="2020-02-03"></file>
      <directory name="c" size="4096" time="2020-02-03">
        <file name="h i" size="0" time="2020-02-03"></file>
      </directory>
    </directory>
    <report>
      <directories>2</directories>
      <files>2</files>
    </report>
  </tree>
  [
    {"type":"directory","name":"x/B","contents":[
      {"type":"directory","name":"c"}
    ]}
  
  ]
  [
    {"type":"directory","name":"x/a","size":"6.0K","contents":[
      {"type":"file","name":"g","size":"2.0K"}
    ]}
  ,
    {"type":"report","size":2000,"directories":1,"files":1}
  ]
  [
    {"type":"directory","name":"x/a","contents":[
      {"type":"file","name":"x/a/g"}
    ]}
  ,
    {"type":"report","directories":1,"files":1}
  ]
  <?xml version="1.0" encoding="UTF-8"?><tree><directory name="x/a">
  <file name="g"></file></directory><report><directories>1</directories><files>1</files></report></tree>
  [
    {"type":"directory","name":"x","contents":[
      {"type":"directory","name":"B"},
      {"type":"file","name":"Z.TXT"},
  [
    {"type":"directory","name":"x/a","user":"U","contents":[
      {"type":"file","name":"g","user":"U"}
    ]}
  ,
    {"type":"report","directories":1,"files":1}
  ]

$ tree -F x | cat -v; tree -Fd x; tree -f x/B; tree -fi x/B; tree -a x | cat -v; tree -d x; tree -l x | cat -v; tree -L 1 x | tail -1; tree -r x/B; tree -v x | cat -v; tree --dirsfirst x | cat -v; tree --filesfirst x | cat -v; tree --dirsfirst -r x | cat -v
  x/
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B/
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ c/
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a/
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ b.txt
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty/
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f*
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ldir -> a/
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f*
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p|
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v9*
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  
  6 directories, 13 files
  x
  ├── B
  │   └── c
  ├── a
  ├── empty
  └── ldir -> a
  
  6 directories
  x/B
  ├── x/B/big
  └── x/B/c
      └── x/B/c/h i
  
  2 directories, 2 files
  x/B
  x/B/big
  x/B/c
  x/B/c/h i
  
  2 directories, 2 files
  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ .hid
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ c
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ b.txt
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ldir -> a
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v9
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  
  6 directories, 14 files
  x
  ├── B
  │   └── c
  ├── a
  ├── empty
  └── ldir -> a
  
  6 directories
  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ c
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ b.txt
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ldir -> a  [recursive, not followed]
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v9
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  
  6 directories, 13 files
  5 directories, 10 files
  x/B
  ├── c
  │   └── h i
  └── big
  
  2 directories, 2 files
  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ c
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ b.txt
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ldir -> a
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v9
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  
  6 directories, 13 files
  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ c
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ldir -> a
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ b.txt
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v9
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  
  6 directories, 13 files
  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ b.txt
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v9
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ c
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ ldir -> a
  
  6 directories, 13 files
  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ ldir -> a
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ empty
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ c
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ h i
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ big
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ M-CM-)tM-CM-)
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v9
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ b.txt
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ Z.TXT
  
  6 directories, 13 files

$ tree -D x/B; tree -D --timefmt='%Y %j' x/B; tree -p x | cat -v; tree -o out x/a; cat out; tree --filelimit 2 x; tree --noreport x/a; tree --charset=ascii x/B; tree --charset=utf-8 x/B; tree --charset=iso-8859-1 x/a | od -c | head -4; tree -S x/a 2>&1 | od -c | head -3; tree --charset=koi8-r x/B | od -c | head -4
  [Feb  3  2020]  x/B
  ├── [Feb  3  2020]  big
  └── [Feb  3  2020]  c
      └── [Feb  3  2020]  h i
  
  2 directories, 2 files
  [2020 034]  x/B
  ├── [2020 034]  big
  └── [2020 034]  c
      └── [2020 034]  h i
  
  2 directories, 2 files
  [drwxr-xr-x]  x
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [drwxr-xr-x]  B
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [-rw-r--r--]  big
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ [drwxr-xr-x]  c
  M-bM-^TM-^BM-BM- M-BM-      M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ [-rw-r--r--]  h i
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [-rw-r--r--]  Z.TXT
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [drwxr-xr-x]  a
  M-bM-^TM-^BM-BM- M-BM-  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ [-rw-r--r--]  g
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [-rw-r--r--]  b.txt
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [lrwxrwxrwx]  dead -> nope
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [drwxrwxrwt]  empty
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [-rwxr-xr-x]  f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [lrwxrwxrwx]  ldir -> a
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [lrwxrwxrwx]  lnk -> f
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [prw-r--r--]  p
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [-rw-r--r--]  q\001\033z
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [-rw-r--r--]  v10
  M-bM-^TM-^\M-bM-^TM-^@M-bM-^TM-^@ [-rwsr-xr-x]  v9
  M-bM-^TM-^TM-bM-^TM-^@M-bM-^TM-^@ [-rw-r--r--]  M-CM-)tM-CM-)
  
  6 directories, 13 files
  x/a
  └── g
  
  1 directory, 1 file
  x  [14 entries exceeds filelimit, not opening dir]
  
  1 directory, 0 files
  x/a
  └── g
  x/B
  |-- big
  `-- c
      `-- h i
  
  2 directories, 2 files
  x/B
  ├── big
  └── c
      └── h i
  
  2 directories, 2 files
  0000000   x   /   a  \n   &   m   i   d   d   o   t   ;   -   -       g
  0000020  \n  \n   1       d   i   r   e   c   t   o   r   y   ,       1
  0000040       f   i   l   e  \n
  0000046
  0000000   x   /   a  \n 300 304 304       g  \n  \n   1       d   i   r
  0000020   e   c   t   o   r   y   ,       1       f   i   l   e  \n
  0000037
  0000000   x   /   B  \n 206 200 200       b   i   g  \n 204 200 200    
  0000020   c  \n                 204 200 200       h       i  \n  \n   2
  0000040       d   i   r   e   c   t   o   r   i   e   s   ,       2    
  0000060   f   i   l   e   s  \n
