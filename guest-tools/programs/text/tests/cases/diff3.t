# GNU diffutils 3.8 of Debian 12: scripts for ed.
% seq 12 > o; sed '2s/$/ mine/; 6s/$/ both/; 9d' o > m; sed '4s/$/ yours/; 6s/$/ both/; 9s/$/ y/; 11a .dot\n..\nend' o > y; sed '2s/$/ yours/; 1i .top' o > z; sed '12d; 3,5d' o > d; printf '1\n.a\n.b\n' > p; printf '1\n.x\n' > q; printf '1\n.c\n' > r

$ for k in -e -E -A -x -X -3 --ed --show-overlap --show-all --overlap-only --easy-only; do for f in 'm o y' 'm o z' 'm o d' 'd o m' 'p q r' 'o o o' 'o m m' 'm m o'; do echo "$k $f"; diff3 $k $f; echo $?; done; done
  -e m o y
  10a
  ..dot
  ...
  end
  .
  11,13s/^\.//
  8a
  9 y
  .
  4c
  4 yours
  .
  0
  -e m o z
  2c
  2 yours
  .
  0a
  ..top
  .
  1s/^\.//
  0
  -e m o d
  11d
  2,6c
  2
  6
  .
  0
  -e d o m
  6d
  2,3c
  2 mine
  3
  4
  5
  6 both
  .
  0
  -e p q r
  2,3c
  ..c
  .
  2s/^\.//
  0
  -e o o o
  0
  -e o m m
  0
  -e m m o
  8a
  9
  .
  6c
  6
  .
  2c
  2
  .
  0
  -E m o y
  10a
  ..dot
  ...
  end
  .
  11,13s/^\.//
  8a
  =======
  9 y
  >>>>>>> y
  .
  8a
  <<<<<<< m
  .
  4c
  4 yours
  .
  1
  -E m o z
  2a
  =======
  2 yours
  >>>>>>> z
  .
  1a
  <<<<<<< m
  .
  0a
  ..top
  .
  1s/^\.//
  1
  -E m o d
  11d
  6a
  =======
  2
  6
  >>>>>>> d
  .
  1a
  <<<<<<< m
  .
  1
  -E d o m
  6d
  3a
  =======
  2 mine
  3
  4
  5
  6 both
  >>>>>>> m
  .
  1a
  <<<<<<< d
  .
  1
  -E p q r
  3a
  =======
  ..c
  >>>>>>> r
  .
  5,7s/^\.//
  1a
  <<<<<<< p
  .
  1
  -E o o o
  0
  -E o m m
  0
  -E m m o
  8a
  9
  .
  6c
  6
  .
  2c
  2
  .
  0
  -A m o y
  10a
  ..dot
  ...
  end
  .
  11,13s/^\.//
  8a
  ||||||| o
  9
  =======
  9 y
  >>>>>>> y
  .
  8a
  <<<<<<< m
  .
  6a
  >>>>>>> y
  .
  5a
  <<<<<<< o
  6
  =======
  .
  4c
  4 yours
  .
  1
  -A m o z
  2a
  ||||||| o
  2
  =======
  2 yours
  >>>>>>> z
  .
  1a
  <<<<<<< m
  .
  0a
  ..top
  .
  1s/^\.//
  1
  -A m o d
  11d
  6a
  ||||||| o
  2
  3
  4
  5
  6
  =======
  2
  6
  >>>>>>> d
  .
  1a
  <<<<<<< m
  .
  1
  -A d o m
  6d
  3a
  ||||||| o
  2
  3
  4
  5
  6
  =======
  2 mine
  3
  4
  5
  6 both
  >>>>>>> m
  .
  1a
  <<<<<<< d
  .
  1
  -A p q r
  3a
  ||||||| q
  ..x
  =======
  ..c
  >>>>>>> r
  .
  5,7s/^\.//
  1a
  <<<<<<< p
  .
  1
  -A o o o
  0
  -A o m m
  0
  -A m m o
  8a
  9
  .
  6c
  6
  .
  2c
  2
  .
  0
  -x m o y
  8a
  9 y
  .
  0
  -x m o z
  2c
  2 yours
  .
  0
  -x m o d
  2,6c
  2
  6
  .
  0
  -x d o m
  2,3c
  2 mine
  3
  4
  5
  6 both
  .
  0
  -x p q r
  2,3c
  ..c
  .
  2s/^\.//
  0
  -x o o o
  0
  -x o m m
  0
  -x m m o
  0
  -X m o y
  8a
  9 y
  .
  0
  -X m o z
  2c
  2 yours
  .
  0
  -X m o d
  2,6c
  2
  6
  .
  0
  -X d o m
  2,3c
  2 mine
  3
  4
  5
  6 both
  .
  0
  -X p q r
  2,3c
  ..c
  .
  2s/^\.//
  0
  -X o o o
  0
  -X o m m
  0
  -X m m o
  0
  -3 m o y
  10a
  ..dot
  ...
  end
  .
  11,13s/^\.//
  4c
  4 yours
  .
  0
  -3 m o z
  0a
  ..top
  .
  1s/^\.//
  0
  -3 m o d
  11d
  0
  -3 d o m
  6d
  0
  -3 p q r
  0
  -3 o o o
  0
  -3 o m m
  0
  -3 m m o
  8a
  9
  .
  6c
  6
  .
  2c
  2
  .
  0
  --ed m o y
  10a
  ..dot
  ...
  end
  .
  11,13s/^\.//
  8a
  9 y
  .
  4c
  4 yours
  .
  0
  --ed m o z
  2c
  2 yours
  .
  0a
  ..top
  .
  1s/^\.//
  0
  --ed m o d
  11d
  2,6c
  2
  6
  .
  0
  --ed d o m
  6d
  2,3c
  2 mine
  3
  4
  5
  6 both
  .
  0
  --ed p q r
  2,3c
  ..c
  .
  2s/^\.//
  0
  --ed o o o
  0
  --ed o m m
  0
  --ed m m o
  8a
  9
  .
  6c
  6
  .
  2c
  2
  .
  0
  --show-overlap m o y
  10a
  ..dot
  ...
  end
  .
  11,13s/^\.//
  8a
  =======
  9 y
  >>>>>>> y
  .
  8a
  <<<<<<< m
  .
  4c
  4 yours
  .
  1
  --show-overlap m o z
  2a
  =======
  2 yours
  >>>>>>> z
  .
  1a
  <<<<<<< m
  .
  0a
  ..top
  .
  1s/^\.//
  1
  --show-overlap m o d
  11d
  6a
  =======
  2
  6
  >>>>>>> d
  .
  1a
  <<<<<<< m
  .
  1
  --show-overlap d o m
  6d
  3a
  =======
  2 mine
  3
  4
  5
  6 both
  >>>>>>> m
  .
  1a
  <<<<<<< d
  .
  1
  --show-overlap p q r
  3a
  =======
  ..c
  >>>>>>> r
  .
  5,7s/^\.//
  1a
  <<<<<<< p
  .
  1
  --show-overlap o o o
  0
  --show-overlap o m m
  0
  --show-overlap m m o
  8a
  9
  .
  6c
  6
  .
  2c
  2
  .
  0
  --show-all m o y
  10a
  ..dot
  ...
  end
  .
  11,13s/^\.//
  8a
  ||||||| o
  9
  =======
  9 y
  >>>>>>> y
  .
  8a
  <<<<<<< m
  .
  6a
  >>>>>>> y
  .
  5a
  <<<<<<< o
  6
  =======
  .
  4c
  4 yours
  .
  1
  --show-all m o z
  2a
  ||||||| o
  2
  =======
  2 yours
  >>>>>>> z
  .
  1a
  <<<<<<< m
  .
  0a
  ..top
  .
  1s/^\.//
  1
  --show-all m o d
  11d
  6a
  ||||||| o
  2
  3
  4
  5
  6
  =======
  2
  6
  >>>>>>> d
  .
  1a
  <<<<<<< m
  .
  1
  --show-all d o m
  6d
  3a
  ||||||| o
  2
  3
  4
  5
  6
  =======
  2 mine
  3
  4
  5
  6 both
  >>>>>>> m
  .
  1a
  <<<<<<< d
  .
  1
  --show-all p q r
  3a
  ||||||| q
  ..x
  =======
  ..c
  >>>>>>> r
  .
  5,7s/^\.//
  1a
  <<<<<<< p
  .
  1
  --show-all o o o
  0
  --show-all o m m
  0
  --show-all m m o
  8a
  9
  .
  6c
  6
  .
  2c
  2
  .
  0
  --overlap-only m o y
  8a
  9 y
  .
  0
  --overlap-only m o z
  2c
  2 yours
  .
  0
  --overlap-only m o d
  2,6c
  2
  6
  .
  0
  --overlap-only d o m
  2,3c
  2 mine
  3
  4
  5
  6 both
  .
  0
  --overlap-only p q r
  2,3c
  ..c
  .
  2s/^\.//
  0
  --overlap-only o o o
  0
  --overlap-only o m m
  0
  --overlap-only m m o
  0
  --easy-only m o y
  10a
  ..dot
  ...
  end
  .
  11,13s/^\.//
  4c
  4 yours
  .
  0
  --easy-only m o z
  0a
  ..top
  .
  1s/^\.//
  0
  --easy-only m o d
  11d
  0
  --easy-only d o m
  6d
  0
  --easy-only p q r
  0
  --easy-only o o o
  0
  --easy-only o m m
  0
  --easy-only m m o
  8a
  9
  .
  6c
  6
  .
  2c
  2
  .
  0

$ diff3 -e -i m o y; diff3 -i m o y | head -3; diff3 -A -i m o z; diff3 -E -L 1 -L 2 -L 3 m o z; diff3 -X -L one -L two m o z; diff3 -A -L 1 -L 2 m o y; exec 2>&1; diff3 -e -L 1 m o y; diff3 -x -L 1 m o y; diff3 -e -A m o y; diff3 -e -m -A m o y; diff3 -e -e m o y; diff3 -m -i m o y; diff3 -3 -L 1 m o y; diff3 -i -e nosuch o y
  10a
  ..dot
  ...
  end
  .
  11,13s/^\.//
  8a
  9 y
  .
  4c
  4 yours
  .
  w
  q
  ====1
  1:2c
    2 mine
  2a
  ||||||| o
  2
  =======
  2 yours
  >>>>>>> z
  .
  1a
  <<<<<<< m
  .
  0a
  ..top
  .
  1s/^\.//
  w
  q
  2a
  =======
  2 yours
  >>>>>>> 3
  .
  1a
  <<<<<<< 1
  .
  0a
  ..top
  .
  1s/^\.//
  10a
  ..dot
  ...
  end
  .
  11,13s/^\.//
  8a
  ||||||| 2
  9
  =======
  9 y
  >>>>>>> y
  .
  8a
  <<<<<<< 1
  .
  6a
  >>>>>>> y
  .
  5a
  <<<<<<< 2
  6
  =======
  .
  4c
  4 yours
  .
  diff3: incompatible options
  diff3: Try 'diff3 --help' for more information.
  diff3: incompatible options
  diff3: Try 'diff3 --help' for more information.
  diff3: incompatible options
  diff3: Try 'diff3 --help' for more information.
  diff3: incompatible options
  diff3: Try 'diff3 --help' for more information.
  10a
  ..dot
  ...
  end
  .
  11,13s/^\.//
  8a
  9 y
  .
  4c
  4 yours
  .
  diff3: incompatible options
  diff3: Try 'diff3 --help' for more information.
  diff3: incompatible options
  diff3: Try 'diff3 --help' for more information.
  diff3: nosuch: No such file or directory
[2]

$ for k in -A -e -E -x -X -3; do for f in 'm o y' 'm o z' 'p q r' 'o m m'; do diff3 -m $k $f; echo $?; done; done; diff3 -m -X -L one -L two m o z
  1
  2 mine
  3
  4 yours
  5
  <<<<<<< o
  6
  =======
  6 both
  >>>>>>> y
  7
  8
  <<<<<<< m
  ||||||| o
  9
  =======
  9 y
  >>>>>>> y
  10
  11
  .dot
  ..
  end
  12
  1
  .top
  1
  <<<<<<< m
  2 mine
  ||||||| o
  2
  =======
  2 yours
  >>>>>>> z
  3
  4
  5
  6 both
  7
  8
  10
  11
  12
  1
  1
  <<<<<<< p
  .a
  .b
  ||||||| q
  .x
  =======
  .c
  >>>>>>> r
  1
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
  11
  12
  0
  1
  2 mine
  3
  4 yours
  5
  6 both
  7
  8
  9 y
  10
  11
  .dot
  ..
  end
  12
  0
  .top
  1
  2 yours
  3
  4
  5
  6 both
  7
  8
  10
  11
  12
  0
  1
  .c
  0
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
  11
  12
  0
  1
  2 mine
  3
  4 yours
  5
  6 both
  7
  8
  <<<<<<< m
  =======
  9 y
  >>>>>>> y
  10
  11
  .dot
  ..
  end
  12
  1
  .top
  1
  <<<<<<< m
  2 mine
  =======
  2 yours
  >>>>>>> z
  3
  4
  5
  6 both
  7
  8
  10
  11
  12
  1
  1
  <<<<<<< p
  .a
  .b
  =======
  .c
  >>>>>>> r
  1
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
  11
  12
  0
  1
  2 mine
  3
  4
  5
  6 both
  7
  8
  9 y
  10
  11
  12
  0
  1
  2 yours
  3
  4
  5
  6 both
  7
  8
  10
  11
  12
  0
  1
  .c
  0
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
  11
  12
  0
  1
  2 mine
  3
  4
  5
  6 both
  7
  8
  9 y
  10
  11
  12
  0
  1
  2 yours
  3
  4
  5
  6 both
  7
  8
  10
  11
  12
  0
  1
  .c
  0
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
  11
  12
  0
  1
  2 mine
  3
  4 yours
  5
  6 both
  7
  8
  10
  11
  .dot
  ..
  end
  12
  0
  .top
  1
  2 mine
  3
  4
  5
  6 both
  7
  8
  10
  11
  12
  0
  1
  .a
  .b
  0
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
  11
  12
  0
[2]

$ diff3 -e -i m o y | ed -s m; cat m; cp r s; diff3 -A -i s q p | ed -s s; cat s; printf '1\n2' > u; diff3 -e q p u | od -An -c
  1
  2 mine
  3
  4 yours
  5
  6 both
  7
  8
  9 y
  10
  11
  .dot
  ..
  end
  12
  1
  <<<<<<< s
  .c
  ||||||| q
  .x
  =======
  .a
  .b
  >>>>>>> p
     2   c  \n   2  \n   .  \n
