# GNU coreutils 9.1 of Debian 12. How large a directory is differs, so files alone are counted.
% mkdir -p D/e; head -c 10000 /dev/zero > D/e/big; echo > D/small; ln -s D L; ln -s e/big D/sl; ln -s ../D/e D/dl; ln -s nosuch broken

$ du L; du -P L; du -LP L; du -HP L; du -PL -s L | cut -f2; du -H L | cut -f2; du -D L | cut -f2; du --dereference-args L | cut -f2; du -Hs L D | cut -f2; du -a D | cut -f2 | LC_ALL=C sort; du -aH L | cut -f2 | LC_ALL=C sort; du -LH -s L | cut -f2; du -a L
  0	L
  0	L
  0	L
  0	L
  L
  L/e
  L
  L/e
  L
  L/e
  L
  L
  D
  D/dl
  D/e
  D/e/big
  D/sl
  D/small
  L
  L/dl
  L/e
  L/e/big
  L/sl
  L/small
  L
  0	L

$ du -b L/e/big; du -b D/sl; du -bL D/sl; du -bD D/sl; du -bH D/sl; du -bP D/sl; du -bLP D/sl; du -LH -b D/sl; du -L nosuch 2>&1; du -L broken 2>&1; du -H broken 2>&1; du -b broken
  10000	L/e/big
  5	D/sl
  10000	D/sl
  10000	D/sl
  10000	D/sl
  5	D/sl
  5	D/sl
  10000	D/sl
  du: cannot access 'nosuch': No such file or directory
  du: cannot access 'broken'
  du: cannot access 'broken'
  6	broken

$ ln -s nosuch D/broken; du -La D 2>&1 | grep cannot; du -L D >/dev/null 2>&1; echo $?; du -a D | grep -c broken; ln -s . D/loop; du -L D 2>&1 | grep -v cannot | cut -f2 | grep -v dl
  du: cannot access 'D/broken'
  1
  1
  D
