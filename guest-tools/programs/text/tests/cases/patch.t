% seq 1 20 > a; cp a a0
% sed 's/^5$/five/; s/^15$/fifteen/; /^18$/d' a > b
% diff -u a b | sed 's/\t.*//' > p; diff -c a b > c; diff a b > n
% rm b

$ patch a < p; sed -n '5p;15p;18p' a
  patching file a
  five
  fifteen
  19

$ patch < p; cat a | md5sum
  patching file a
  17f9017a316a8907fc9718df89a43789  -

$ patch -s a p; echo $?; patch -R -s a p; cmp a a0 && echo same
  0
  same

$ patch a < c; md5sum < a
  patching file a
  17f9017a316a8907fc9718df89a43789  -

$ patch a < n; md5sum < a
  patching file a
  17f9017a316a8907fc9718df89a43789  -

$ patch < n; echo $?
  2

$ patch a p; patch a p; echo $?; cat a.rej; ls
  patching file a
  patching file a
  Reversed (or previously applied) patch detected!  Assume -R? [n] 
  Apply anyway? [n] 
  Skipping patch.
  2 out of 2 hunks ignored -- saving rejects to file a.rej
  1
  --- a
  +++ b
  @@ -2,7 +2,7 @@
   2
   3
   4
  -5
  +five
   6
   7
   8
  @@ -12,9 +12,8 @@
   12
   13
   14
  -15
  +fifteen
   16
   17
  -18
   19
   20
  a
  a.rej
  a0
  c
  n
  p

$ patch a p; patch -N a p; echo $?; ls
  patching file a
  patching file a
  Reversed (or previously applied) patch detected!  Skipping patch.
  2 out of 2 hunks ignored -- saving rejects to file a.rej
  1
  a
  a.rej
  a0
  c
  n
  p

$ patch a p; patch -t a p; echo $?; cmp a a0 && echo same
  patching file a
  patching file a
  Reversed (or previously applied) patch detected!  Assuming -R.
  0
  same

$ patch -R a p; echo $?
  patching file a
  Unreversed patch detected!  Ignore -R? [n] 
  Apply anyway? [n] 
  Skipping patch.
  2 out of 2 hunks ignored -- saving rejects to file a.rej
  1

$ sed -i '1i zero' a; patch a p; echo $?; ls
  patching file a
  Hunk #1 succeeded at 3 (offset 1 line).
  Hunk #2 succeeded at 13 (offset 1 line).
  0
  a
  a.orig
  a0
  c
  n
  p

$ sed -i '1i zero\nzero\nzero' a; patch --no-backup-if-mismatch a p; ls
  patching file a
  Hunk #1 succeeded at 5 (offset 3 lines).
  Hunk #2 succeeded at 15 (offset 3 lines).
  a
  a0
  c
  n
  p

$ sed -i '4s/.*/x/' a; patch a p; ls
  patching file a
  Hunk #1 FAILED at 2.
  1 out of 2 hunks FAILED -- saving rejects to file a.rej
  a
  a.orig
  a.rej
  a0
  c
  n
  p

$ sed -i '4s/.*/x/' a; patch -F0 a p; echo $?; cat a.rej | tail -n +3; ls
  patching file a
  Hunk #1 FAILED at 2.
  1 out of 2 hunks FAILED -- saving rejects to file a.rej
  1
  @@ -2,7 +2,7 @@
   2
   3
   4
  -5
  +five
   6
   7
   8
  a
  a.orig
  a.rej
  a0
  c
  n
  p

$ sed -i '4s/.*/x/' a; patch -F0 a c; echo $?; cat a.rej | tail -n +3
  patching file a
  Hunk #1 FAILED at 2.
  1 out of 2 hunks FAILED -- saving rejects to file a.rej
  1
  ***************
  *** 2,8 ****
    2
    3
    4
  ! 5
    6
    7
    8
  --- 2,8 ----
    2
    3
    4
  ! five
    6
    7
    8

$ patch --dry-run a p; cmp a a0; ls
  checking file a
  a
  a0
  c
  n
  p

$ patch -o out a p; cmp a a0; sed -n 5p out
  patching file out (read from a)
  five

$ patch -b a p; cmp a.orig a0; ls
  patching file a
  a
  a.orig
  a0
  c
  n
  p

$ patch -b -z .old a p; cmp a.old a0; ls
  patching file a
  a
  a.old
  a0
  c
  n
  p

$ patch -i p; sed -n 5p a
  patching file a
  five

$ mkdir d; mv a d; patch -d d -i ../p; sed -n 5p d/a
  patching file a
  five

$ rm a; patch -p0 < p; echo $?
  can't find file to patch at input line 3
  Perhaps you used the wrong -p or --strip option?
  The text leading up to this was:
  --------------------------
  |--- a
  |+++ b
  --------------------------
  File to patch: 
  Skip this patch? [y] 
  Skipping patch.
  2 out of 2 hunks ignored
  1

$ rm a; patch < p; echo $?
  can't find file to patch at input line 3
  Perhaps you should have used the -p or --strip option?
  The text leading up to this was:
  --------------------------
  |--- a
  |+++ b
  --------------------------
  File to patch: 
  Skip this patch? [y] 
  Skipping patch.
  2 out of 2 hunks ignored
  1

$ rm a; patch -f -p1 < p; echo $?
  can't find file to patch at input line 3
  Perhaps you used the wrong -p or --strip option?
  The text leading up to this was:
  --------------------------
  |--- a
  |+++ b
  --------------------------
  No file to patch.  Skipping patch.
  2 out of 2 hunks ignored
  1

$ echo garbage | patch; echo $?
  2

$ patch < /dev/null; echo $?
  0

$ patch a < /nonexistent; echo $?
  1

$ patch --nonsense 2>&1; echo $?
  patch: unrecognized option '--nonsense'
  patch: Try 'patch --help' for more information.
  2

$ printf 'x\ny\n' > new; diff -u /dev/null new > p2; rm new; patch < p2; cat new; patch -R new p2; ls
  patching file new
  x
  y
  patching file new
  a
  a0
  c
  n
  p
  p2

$ printf 'x\ny\n' > new; diff -Nu nothing new > p2; rm new; patch < p2; cat new
  patching file new
  x
  y

$ printf 'x\ny\n' > new; diff -u /dev/null new > p2; patch < p2; echo $?; ls
  The next patch would create the file new,
  which already exists!  Assume -R? [n] 
  Apply anyway? [n] 
  Skipping patch.
  1 out of 1 hunk ignored
  1
  a
  a0
  c
  n
  new
  p
  p2

$ printf 'a\nb' > f; printf 'a\nc' > g; diff -u f g > p2; patch f p2; od -c f
  patching file f
  0000000   a  \n   c
  0000003

$ printf 'a\nb\n' > f; printf 'a\nb' > g; diff -u f g > p2; patch f p2; od -c f
  patching file f
  0000000   a  \n   b
  0000003

$ mkdir -p x/sub y/sub; seq 5 > x/sub/f; seq 6 > y/sub/f; diff -ru x y > p2; rm -r y; patch -p0 < p2; cat x/sub/f | wc -l; (cd x; sed -i '$d' sub/f; patch -p1 < ../p2; wc -l < sub/f)
  patching file x/sub/f
  6
  patching file sub/f
  6

$ printf -- '--- /etc/x\n+++ ../../x\n@@ -0,0 +1 @@\n+evil\n' > p2; patch -p0 < p2; echo $?
  Ignoring potentially dangerous file name /etc/x
  can't find file to patch at input line 3
  Perhaps you used the wrong -p or --strip option?
  The text leading up to this was:
  --------------------------
  |--- /etc/x
  |+++ ../../x
  --------------------------
  File to patch: 
  Skip this patch? [y] 
  Skipping patch.
  1 out of 1 hunk ignored
  1

$ printf 'hello\n' > f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-hello\n+world\n' | patch -p0; cat f
  patching file f
  world

$ printf 'hello\n' > f; printf 'diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-hello\n+world\n' | patch -p1; cat f
  patching file f
  world

$ printf 'hello\n' > f; printf 'diff --git a/f b/g\nsimilarity index 100%%\nrename from f\nrename to g\n' | patch -p1; ls; cat g
  patching file g (renamed from f)
  a
  a0
  c
  g
  n
  p
  hello

$ printf 'diff --git a/new b/new\nnew file mode 100755\nindex 0000000..ce01362\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+hello\n' | patch -p1; ls -l new | cut -c1-10; cat new
  patching file new
  -rwxr-xr-x
  hello

$ printf 'hello\n' > f; printf 'diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-hello\n' | patch -p1; ls
  patching file f
  a
  a0
  c
  n
  p

$ printf 'hello\r\n' > f; printf -- '--- f\r\n+++ f\r\n@@ -1 +1 @@\r\n-hello\r\n+world\r\n' | patch -p0; od -c f
  (Stripping trailing CRs from patch; use --binary to disable.)
  patching file f
  Hunk #1 FAILED at 1 (different line endings).
  1 out of 1 hunk FAILED -- saving rejects to file f.rej
  0000000   h   e   l   l   o  \r  \n
  0000007

$ printf 'a  b\nc\n' > f; printf -- '--- f\n+++ f\n@@ -1,2 +1,2 @@\n a b\n-c\n+d\n' | patch -l -p0; cat f
  patching file f
  a  b
  d

$ printf 'a\nb\nc\n' > f; printf -- '--- f\n+++ f\n@@ -1,3 +1,4 @@\n a\n+x\n b\n' | patch -p0; echo $?
  patching file f
  Hunk #1 succeeded at 1 with fuzz 1.
  0

$ printf 'a\nb\nc\nd\n' > 'f g'; printf -- '--- f g\t2024-01-01\n+++ f g\t2024-01-01\n@@ -2,2 +2,3 @@\n b\n+x\n c\n' | patch -p0; cat 'f g'
  patching file 'f g'
  a
  b
  x
  c
  d

$ printf 'diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-hello\n' | patch -p1; echo $?; ls
  The next patch would delete the file f,
  which does not exist!  Assume -R? [n] 
  Apply anyway? [n] 
  Skipping patch.
  1 out of 1 hunk ignored
  1
  a
  a0
  c
  n
  p

$ printf 'hello\nyou\n' > f; printf 'diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-hello\n' | patch -p1; echo $?; cat f
  patching file f
  Not deleting file f as content differs from patch
  1
  you

$ mkdir d; ln -s /tmp d/l; printf -- '--- d/l/q\n+++ d/l/q\n@@ -0,0 +1 @@\n+evil\n' | patch -p0 >/dev/null; echo $?; ls d
  1
  l

$ printf -- '--- a\n+++ a\n@@ -1,2 +1,2 @@\n 1\nxx\n' | patch 2>&1 >/dev/null; echo $?
  patch: **** malformed patch at line 5: xx
  
  2

$ printf '1\n2\n3\n4\n5\n' > a; printf '1\n2\nX\n4\n5\n' > b; diff -u a b | sed 's/\t.*//' > p; printf 'z\n2\nQ\n4\n5\n' > c; patch c p; cat c.rej; patch -R c p; cat c.rej
  patching file c
  Hunk #1 FAILED at 1.
  1 out of 1 hunk FAILED -- saving rejects to file c.rej
  --- a
  +++ b
  @@ -1,5 +1,5 @@
   1
   2
  -3
  +X
   4
   5
  patching file c
  Hunk #1 FAILED at 1.
  1 out of 1 hunk FAILED -- saving rejects to file c.rej
  --- b
  +++ a
  @@ -1,5 +1,5 @@
   1
   2
  -X
  +3
   4
   5

$ printf '1\n2\n3\n4\n5\n' > a; printf '1\n2\nX\n4\n5\n' > b; diff -c a b | sed 's/\t.*//' > p; printf '1\n2\nQ\n4\n5\n' > c; patch -R c p; cat c.rej
  patching file c
  Hunk #1 FAILED at 1.
  1 out of 1 hunk FAILED -- saving rejects to file c.rej
  *** b
  --- a
  ***************
  *** 1,5 ****
    1
    2
  ! X
    4
    5
  --- 1,5 ----
    1
    2
  ! 3
    4
    5

$ printf '1\n2\n3\n4\n5\n' > a; printf '1\n2\nX\n4\n5\n' > b; diff -u a b > p; cp a c; patch -f -R c p; echo $?; cat c; cp b c; patch -f c p; echo $?; cat c; cp b c; patch -f -N c p; echo $?
  patching file c
  Hunk #1 FAILED at 1.
  1 out of 1 hunk FAILED -- saving rejects to file c.rej
  1
  1
  2
  3
  4
  5
  patching file c
  Hunk #1 FAILED at 1.
  1 out of 1 hunk FAILED -- saving rejects to file c.rej
  1
  1
  2
  X
  4
  5
  patching file c
  Hunk #1 FAILED at 1.
  1 out of 1 hunk FAILED -- saving rejects to file c.rej
  1

$ seq 20 > a; (echo 0; seq 3; echo x; seq 5 8; seq 11 14; echo y; seq 16 20; echo z) > b; diff -u a b > p; cp a f; patch -D NEW f p; cat f; cp a g; diff a b | patch -DOLD g; cat g; cp b h; patch -R --ifdef=X h p; cat h
  patching file f
  #ifdef NEW
  0
  #endif
  1
  2
  3
  #ifndef NEW
  4
  #else
  x
  #endif
  5
  6
  7
  8
  #ifndef NEW
  9
  10
  #endif
  11
  12
  13
  14
  #ifndef NEW
  15
  #else
  y
  #endif
  16
  17
  18
  19
  20
  #ifdef NEW
  z
  #endif
  patching file g
  #ifdef OLD
  0
  #endif
  1
  2
  3
  #ifndef OLD
  4
  #else
  x
  #endif
  5
  6
  7
  8
  #ifndef OLD
  9
  10
  #endif
  11
  12
  13
  14
  #ifndef OLD
  15
  #else
  y
  #endif
  16
  17
  18
  19
  20
  #ifdef OLD
  z
  #endif
  patching file h
  #ifndef X
  0
  #endif
  1
  2
  3
  #ifndef X
  x
  #else
  4
  #endif
  5
  6
  7
  8
  #ifdef X
  9
  10
  #endif
  11
  12
  13
  14
  #ifndef X
  y
  #else
  15
  #endif
  16
  17
  18
  19
  20
  #ifndef X
  z
  #endif

$ seq 10 > a; (seq 2; echo x; echo .; echo y; seq 5 9; echo z) > b; diff -e a b > s; for o in -e --ed ''; do cp a f; patch $o f s; echo $?; cmp f b; done; cp a f; patch -b -e f < s; ls f*; cp a f; (echo 'Index: f'; cat s) | patch -e; echo $?; cmp f b; for c in '99d' '3,1d' '2s/.*/Q/' '!touch P' 'garbage'; do cp a f; echo "$c" | patch -e f 2>&1; echo $?; cmp f a; done; cp a f; patch --dry-run -e f s; cmp f a; : > f; printf '0a\nx\n.\n' | patch -e f; cat f; ls
  0
  0
  0
  f
  f.orig
  0
  ?
  patch: **** ed FAILED
  2
  ?
  patch: **** ed FAILED
  2
  patch: **** Only garbage was found in the patch input.
  2
  patch: **** Only garbage was found in the patch input.
  2
  patch: **** Only garbage was found in the patch input.
  2
  x
  a
  a0
  b
  c
  f
  f.orig
  n
  p
  s
