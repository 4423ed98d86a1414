% mkdir -p src/lib .hidden node; printf 'hello world\nfoo bar\nHello Foo\n' > a.txt; printf 'fn main() {\n    hello();\n}\n' > src/main.rs; printf 'def hello():\n    pass\n' > src/lib/x.py; printf 'hello\n' > .hidden/h; printf 'hello ignored\n' > node/i; printf 'node/\n' > .ignore; printf 'hello\0bin\n' > bin; seq 1 20 > n

$ rg hello | sort
  a.txt:hello world
  src/lib/x.py:def hello():
  src/main.rs:    hello();

$ rg hello a.txt
  hello world

$ rg -n hello a.txt; rg -nH hello a.txt; rg -N hello a.txt
  1:hello world
  a.txt:1:hello world
  hello world

$ rg -i hello a.txt; rg -S hello a.txt; rg -S Hello a.txt
  hello world
  Hello Foo
  hello world
  Hello Foo
  Hello Foo

$ rg -c hello | sort; rg -l hello | sort; rg --files-without-match hello | sort
  a.txt:1
  src/lib/x.py:1
  src/main.rs:1
  a.txt
  src/lib/x.py
  src/main.rs
  n

$ rg --files | sort; rg --files -g '*.py'; rg --files --hidden | sort; rg --files -uu | sort
  a.txt
  bin
  n
  src/lib/x.py
  src/main.rs
  src/lib/x.py
  .hidden/h
  .ignore
  a.txt
  bin
  n
  src/lib/x.py
  src/main.rs
  .hidden/h
  .ignore
  a.txt
  bin
  n
  node/i
  src/lib/x.py
  src/main.rs

$ rg -o 'h\w+' a.txt; rg -on 'o+' a.txt; rg --column -n foo -i a.txt; rg -b bar a.txt
  hello
  1:o
  1:o
  2:oo
  3:o
  3:oo
  2:1:foo bar
  3:7:Hello Foo
  12:foo bar

$ rg -v hello a.txt; rg -w foo a.txt; rg -x 'foo bar' a.txt; rg -F '()' src | sort
  foo bar
  Hello Foo
  foo bar
  foo bar
  src/lib/x.py:def hello():
  src/main.rs:    hello();
  src/main.rs:fn main() {

$ rg -A1 hello a.txt; rg -B1 Foo a.txt; rg -C1 -n foo a.txt; rg -n -C1 '^(5|15)$' n
  hello world
  foo bar
  foo bar
  Hello Foo
  1-hello world
  2:foo bar
  3-Hello Foo
  4-4
  5:5
  6-6
  --
  14-14
  15:15
  16-16

$ rg -r 'X$1' '(h)ello' a.txt; rg -r X -o hello a.txt
  Xh world
  X

$ rg -m1 o a.txt; rg -q hello a.txt; echo $?; rg -q nothing a.txt; echo $?; rg nothing a.txt; echo $?
  hello world
  0
  1
  1

$ rg -e hello -e foo a.txt; printf 'foo\nbar\n' > pats; rg -f pats a.txt
  hello world
  foo bar
  foo bar

$ rg hello -t py; rg hello -T py -g '!*.txt' | sort; rg -g '*.{rs,py}' hello | sort; rg --iglob '*.TXT' hello
  src/lib/x.py:def hello():
  src/main.rs:    hello();
  src/lib/x.py:def hello():
  src/main.rs:    hello();
  a.txt:hello world

$ rg -uu hello | sort; rg --no-ignore hello | sort; rg --hidden hello | sort
  .hidden/h:hello
  a.txt:hello world
  node/i:hello ignored
  src/lib/x.py:def hello():
  src/main.rs:    hello();
  a.txt:hello world
  node/i:hello ignored
  src/lib/x.py:def hello():
  src/main.rs:    hello();
  .hidden/h:hello
  a.txt:hello world
  src/lib/x.py:def hello():
  src/main.rs:    hello();

$ rg -U 'main.*\n.*hello' src; rg -U --multiline-dotall 'main.*\}' src
  src/main.rs:fn main() {
  src/main.rs:    hello();
  src/main.rs:fn main() {
  src/main.rs:    hello();
  src/main.rs:}

$ printf 'foo\nbar\n' | rg bar; printf 'foo\nbar\n' | rg -n bar; printf 'foo\nbar\n' | rg bar -; printf 'foo\n' | rg -c foo
  bar
  2:bar
  bar
  1

$ rg --sort path --heading -n hello a.txt src/main.rs; rg --sort path --vimgrep hello a.txt src
  a.txt
  1:hello world
  
  src/main.rs
  2:    hello();
  a.txt:1:1:hello world
  src/lib/x.py:1:5:def hello():
  src/main.rs:2:5:    hello();

$ rg -H hello a.txt; rg -I hello src | sort; rg --no-filename hello src | sort
  a.txt:hello world
      hello();
  def hello():
      hello();
  def hello():

$ rg '[' a.txt 2>/dev/null; echo $?; rg hello nonexistent 2>/dev/null; echo $?; rg 2>/dev/null; echo $?
  2
  2
  2

$ rg --json hello a.txt | grep -v '"summary"' | sed 's/"elapsed":{[^}]*}/E/'
  {"type":"begin","data":{"path":{"text":"a.txt"}}}
  {"type":"match","data":{"path":{"text":"a.txt"},"lines":{"text":"hello world\n"},"line_number":1,"absolute_offset":0,"submatches":[{"match":{"text":"hello"},"start":0,"end":5}]}}
  {"type":"end","data":{"path":{"text":"a.txt"},"binary_offset":null,"stats":{E,"searches":1,"searches_with_match":1,"bytes_searched":30,"bytes_printed":229,"matched_lines":1,"matches":1}}}

$ rg -a hello bin | od -c | head -1; rg hello bin; rg -c hello bin
  0000000   h   e   l   l   o  \0   b   i   n  \n
  binary file matches (found "\0" byte around offset 5)
  1

$ rg --color always hello a.txt | od -c | head -3
  0000000 033   [   0   m 033   [   1   m 033   [   3   1   m   h   e   l
  0000020   l   o 033   [   0   m       w   o   r   l   d  \n
  0000035

$ rg -0l hello a.txt | od -c; rg --trim hello src/main.rs; rg -M 5 hello a.txt; rg --passthru bar a.txt
  0000000   a   .   t   x   t  \0
  0000006
  hello();
  [Omitted long matching line]
  hello world
  foo bar
  Hello Foo

$ rg --count-matches o a.txt; rg -co o a.txt; rg --include-zero -c nothing a.txt
  7
  7
  0
[1]

$ rg --sort path hello; rg --sortr path -l hello
  a.txt:hello world
  src/lib/x.py:def hello():
  src/main.rs:    hello();
  src/main.rs
  src/lib/x.py
  a.txt

$ rg --type-add 'foo:*.foo' -t foo x; echo $?; rg -t nonsense x 2>/dev/null; echo $?
  2
  2

$ mkdir .git; printf '*.py\n' > .gitignore; rg -l hello | sort; rg --no-ignore-vcs -l hello | sort
  a.txt
  src/main.rs
  a.txt
  src/lib/x.py
  src/main.rs

$ rg --stats hello a.txt | grep -v seconds
  hello world
  
  1 matches
  1 matched lines
  1 files contained matches
  1 files searched
  12 bytes printed
  30 bytes searched

$ rg 'a(?=b)' a.txt 2>/dev/null; echo $?; rg '\bfoo\b' a.txt; rg '^h' a.txt; rg '(?i)HELLO' a.txt; rg '\p{Lu}' a.txt
  2
  foo bar
  hello world
  hello world
  Hello Foo
  Hello Foo

$ rg --context-separator XX -A0 -C1 '^(5|15)$' n | grep XX; rg --no-context-separator -C1 '^(5|15)$' n | wc -l
  XX
  6

$ rg --nonsense x 2>/dev/null; echo $?
  2
