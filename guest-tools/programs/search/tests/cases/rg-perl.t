# ripgrep 13.0.0 of Debian 12, with PCRE2.
% printf 'foobar\nfoobaz\nFOOBAR\nabab cdcd\nx=1, y=22\nna\303\257ve word\n' > a; printf 'one\ntwo one\nend\n' > b; printf 'foo(bar)\n' > c; printf 'b\303\303\377aab\n' > bad

$ rg -P 'foo(?=bar)' a; rg -P -o 'foo(?!bar)\w+' a; rg -Pn '(\w\w)\1' a; rg --pcre2 '(?<=x=)\d' -o a; rg -P -i 'foo(?=bar)' a; rg -PS 'foobar(?!x)' a; rg -PS 'FOO(?=B)' a; rg -Pc '(?<!f)oo' a; echo $?; rg -P nosuch a; echo $?; rg -Pv 'o(?=b)' a; rg -Pl '(?<=t)wo' a b
  foobar
  foobaz
  4:abab cdcd
  1
  foobar
  FOOBAR
  foobar
  FOOBAR
  FOOBAR
  1
  1
  FOOBAR
  abab cdcd
  x=1, y=22
  naïve word
  b

$ rg -P '(\w)=(\d+)' -r '$2:$1' a; rg -P '(?<name>\w)=(?P<number>\d+)' -or '$number/$name' a; rg -P '(?<=o)b' --column a; rg -Pw 'one(?!x)' b; rg -Px '(?:one|two)(?= |$)' b; rg -P -e 'on(?=e)' -e 'en(?=d)' b; rg -PF 'foo(bar)' c; rg -P --json '(?<=f)o+' a | head -2 | tail -1 | sed 's/.*submatches/submatches/'; rg -P -A1 'two(?= )' b; rg -P --count-matches 'o(?=.)' a b | LC_ALL=C sort
  1:x, 22:y
  1/x
  22/y
  1:4:foobar
  2:4:foobaz
  one
  two one
  one
  one
  two one
  end
  foo(bar)
  submatches":[{"match":{"text":"oo"},"start":1,"end":3}]}}
  two one
  end
  a:5
  b:3

$ rg -PU 'one\n(?=two)' b; rg -PU 'one.two' b; echo $?; rg -PU --multiline-dotall 'one.two(?= )' -o b; rg -P 'e$' b; rg -P '^t\w+(?= )' -o b; rg -P 'na.ve(?= )' -o a; rg -P 'aa(?=b)' -o bad; rg -P '\bw\w+\b(?!x)' -o a; rg -P --color=always 'o(?=n)' b; rg -P --vimgrep 'ab(?=ab)' a
  one
  1
  one
  two
  one
  two one
  two
  naïve
  aa
  word
  [0m[1m[31mo[0mne
  two [0m[1m[31mo[0mne
  a:4:1:abab cdcd

$ rg --engine=pcre2 'foo(?=baz)' a; rg --engine pcre2 --engine default 'foo(?=baz)' a 2>/dev/null; echo $?; rg --engine=auto 'foo(?=baz)' a; rg --auto-hybrid-regex 'foo(?=baz)' a; rg --no-auto-hybrid-regex foobaz a; rg -P --no-pcre2 'foo(?=baz)' a 2>/dev/null; echo $?; rg --no-pcre2 -P 'foo(?=baz)' a; rg --engine=x foo a 2>/dev/null; echo $?; rg -P '(' a 2>/dev/null; echo $?; rg -P '(?<=a' a 2>&1 | cut -c1-7
  foobaz
  2
  foobaz
  foobaz
  foobaz
  2
  foobaz
  2
  2
  PCRE2: 
