% exec 2>&1

$ echo 'foo(bar(baz))x' | grep -oP '\((?:[^()]|(?R))*\)'; echo 'a((b)c)(d' | grep -oP '(\((?:[^()]|(?1))*\))'; echo '[x[y]]' | grep -oP '(?<p>\[(?:\w|(?&p))*\])'; echo '{"a":{"b":1}}' | grep -oP '\{(?:[^{}]++|(?0))*+\}'
  (bar(baz))
  ((b)c)
  [x[y]]
  {"a":{"b":1}}

$ printf 'abc\nabcd\n' | grep -P 'c\z'; printf 'abc\nxabc\n' | grep -P '\Aabc\Z'; echo abab | grep -oP '(ab)\g{-1}'; echo 'abba' | grep -oP '(.)(.)\g2\g{1}'; echo 'aa bb' | grep -oP "(?'x'.)\k{x}"; echo 'aa' | grep -oP '(?<n>a)\g{n}'; echo aa | grep -oP '(?P<n>a)(?P=n)'
  abc
  abc
  abab
  abba
  aa
  bb
  aa
  aa

$ echo 'a_b9-c' | grep -oP '\p{Xwd}+'; echo 'a-9' | grep -oP '\p{Xan}'; echo 'a[b' | grep -oP '[[]'; echo 'a&&b~~c' | grep -oP '[&&~]+'; echo ']-' | grep -oP '[]-]+'; echo 'a1-' | grep -oP '[[:alpha:]\d]+'; echo 'foobar' | grep -oP 'foo\Kbar'; echo ab | grep -oP 'a(?#note)b'; echo 'a.b' | grep -oP '\Qa.b\E'
  a_b9
  c
  a
  9
  [
  &&
  ~~
  ]-
  a1
  bar
  ab
  a.b

$ printf 'a\tb\n' | grep -oP '\h' | od -c | head -1; printf 'a\033b\n' | grep -cP '\e'; printf 'a\001b\n' | grep -cP '\cA'; echo aaa | grep -oP 'a{2}+'; echo 'foo bar' | grep -oP '(?i)FOO(?= bar)'; echo 'xyz' | grep -oP '(?<!y)z|x'
  0000000  \t  \n
  1
  1
  aa
  foo
  x
