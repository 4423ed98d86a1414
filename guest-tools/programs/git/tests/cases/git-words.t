% exec 2>&1; export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b GIT_AUTHOR_DATE='2024-01-01 00:00:00 +0000' GIT_COMMITTER_DATE='2024-01-01 00:00:00 +0000'
% git init -q -b main .; printf 'the quick brown fox\njumps over\n\nthe lazy dog\nint f(a, b) {\n  return a+b;\n}\n' > f; git add f; git commit -qm one; printf 'the slow brown fox\nleaps over it\n\nthe dog\nint f(a, c) {\n  return a+c;\n}\nnew words here\n' > f

$ git diff --word-diff; git diff --word-diff=porcelain; git diff --word-diff=none | wc -l
  diff --git a/f b/f
  index d3dcdcc..b0c0388 100644
  --- a/f
  +++ b/f
  @@ -1,7 +1,8 @@
  the [-quick-]{+slow+} brown fox
  [-jumps-]{+leaps+} over {+it+}
  
  the[-lazy-] dog
  int f(a, [-b)-]{+c)+} {
    return [-a+b;-]{+a+c;+}
  }
  {+new words here+}
  diff --git a/f b/f
  index d3dcdcc..b0c0388 100644
  --- a/f
  +++ b/f
  @@ -1,7 +1,8 @@
   the 
  -quick
  +slow
    brown fox
  ~
  -jumps
  +leaps
    over 
  +it
  ~
   
  ~
   the
  -lazy
    dog
  ~
   int f(a, 
  -b)
  +c)
    {
  ~
     return 
  -a+b;
  +a+c;
  ~
   }
  ~
  +new words here
  ~
  18

$ git diff --color-words; git diff --word-diff=color | tail -3; git diff --word-diff --color | head -9
  [1mdiff --git a/f b/f[m
  [1mindex d3dcdcc..b0c0388 100644[m
  [1m--- a/f[m
  [1m+++ b/f[m
  [36m@@ -1,7 +1,8 @@[m
  the [31mquick[m[32mslow[m brown fox
  [31mjumps[m[32mleaps[m over [32mit[m
  
  the[31mlazy[m dog
  int f(a, [31mb)[m[32mc)[m {
    return [31ma+b;[m[32ma+c;[m
  }[m
  [32mnew words here[m
    return [31ma+b;[m[32ma+c;[m
  }[m
  [32mnew words here[m
  [1mdiff --git a/f b/f[m
  [1mindex d3dcdcc..b0c0388 100644[m
  [1m--- a/f[m
  [1m+++ b/f[m
  [36m@@ -1,7 +1,8 @@[m
  the [31m[-quick-][m[32m{+slow+}[m brown fox
  [31m[-jumps-][m[32m{+leaps+}[m over [32m{+it+}[m
  
  the[31m[-lazy-][m dog

$ git diff --word-diff-regex='[a-z]+'; git diff --word-diff --word-diff-regex=. | tail -8; git diff --color-words='[a-z]+|[^[:space:]]' | tail -4; git diff --word-diff-regex='(' | head -1; git diff --word-diff=nope | head -1
  diff --git a/f b/f
  index d3dcdcc..b0c0388 100644
  --- a/f
  +++ b/f
  @@ -1,7 +1,8 @@
  the [-quick-]{+slow+} brown fox
  [-jumps-]{+leaps+} over {+it+}
  
  the[-lazy-] dog
  int f(a, [-b-]{+c+}) {
    return a+[-b-]{+c+};
  }
  {+new words here+}
  the [-quick-]{+slow+} brown fox
  [-jum-]{+lea+}ps over{+ it+}
  
  the [-lazy -]dog
  int f(a, [-b-]{+c+}) {
    return a+[-b-]{+c+};
  }
  {+new words here+}
  int f(a, [31mb[m[32mc[m) {
    return a+[31mb[m[32mc[m;
  }[m
  [32mnew words here[m
  fatal: invalid regular expression: (
  error: bad --word-diff argument: nope

$ git commit -qam two; git show --word-diff --format=%s; git log -1 -p --word-diff --format=%s | wc -l; printf 'x' > f; git diff --word-diff; git add f; git commit -qm three; printf 'x y' > f; git diff --word-diff; : > f; git diff --word-diff; git diff --word-diff --stat
  two
  
  diff --git a/f b/f
  index d3dcdcc..b0c0388 100644
  --- a/f
  +++ b/f
  @@ -1,7 +1,8 @@
  the [-quick-]{+slow+} brown fox
  [-jumps-]{+leaps+} over {+it+}
  
  the[-lazy-] dog
  int f(a, [-b)-]{+c)+} {
    return [-a+b;-]{+a+c;+}
  }
  {+new words here+}
  15
  diff --git a/f b/f
  index b0c0388..c1b0730 100644
  --- a/f
  +++ b/f
  @@ -1,8 +1 @@
  [-the slow brown fox-]
  [-leaps over it-]
  
  [-the dog-]
  [-int f(a, c) {-]
  [-  return a+c;-]
  [-}-]
  [-new words here-]{+x+}
  diff --git a/f b/f
  index c1b0730..0501513 100644
  --- a/f
  +++ b/f
  @@ -1 +1 @@
  x {+y+}
  diff --git a/f b/f
  index c1b0730..e69de29 100644
  --- a/f
  +++ b/f
  @@ -1 +0,0 @@
  [-x-]
   f | 1 -
   1 file changed, 1 deletion(-)
