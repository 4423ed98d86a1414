# There is no such tool in Debian: these cases were written by hand.
% printf '<h1>Title</h1><h2>Part</h2><p>One <b>two</b> <i>three</i> <a href="http://x/">four</a>.</p><hr><ul><li>a</li><li>b</li></ul><pre><code>x = 1\n</code></pre>\n' > f.html

$ html-to-markdown f.html
  # Title
  
  ## Part
  
  One **two** *three* [four](http://x/).
  
  - - -
  
  - a
  - b
  
  ```
  x = 1
  ```

$ html-to-markdown -b '*' f.html | grep '^[*-] *[ab]$'; html-to-markdown --bullet='-' f.html | grep -c '^-  *[ab]$'; html-to-markdown -b x f.html 2>&1; echo $?
  * a
  * b
  2
  html-to-markdown: invalid argument 'x' for '--bullet'
  Try 'html-to-markdown --help' for more information.
  2

$ html-to-markdown -c '~~~' f.html | tail -3; html-to-markdown --code='```' f.html | tail -3 | head -1
  ~~~
  x = 1
  ~~~
  ```

$ html-to-markdown -r '***' f.html | grep '^\*'; html-to-markdown --hr=___ f.html | grep '^_'
  * * *
  _ _ _

$ html-to-markdown --heading-style=setext f.html | head -5; html-to-markdown --heading-style atx < f.html | head -3; html-to-markdown --heading-style=x f.html 2>&1; echo $?; html-to-markdown nosuch 2>&1; echo $?
  Title
  =====
  
  Part
  ----
  # Title
  
  ## Part
  html-to-markdown: invalid argument 'x' for '--heading-style'
  Try 'html-to-markdown --help' for more information.
  2
  html-to-markdown: 'nosuch': No such file or directory
  1
