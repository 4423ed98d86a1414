% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=:
% exec 2>&1
% git config --global init.defaultBranch main
% git init -q
% printf 'one\ntwo\nthree\nfour\nfive\none two\n' > a; mkdir d; printf 'One\nfoo(bar)\na+b\nxx foo yy foo\n' > d/e; printf 'a\0one\n' > bin; printf 'last one' > 'sp ace'
% git add .; git commit -qm first; echo three more >> a; echo one > new; echo '*.log' > .gitignore; echo one > x.log

$ git grep one; git grep -n two; git grep -c o; git grep -l one; git grep -L one; git grep -i ONE; git grep -w on; git grep -w one; git grep -v o; git grep nosuch; echo $?; git grep -q one; echo $?; git grep -q nosuch; echo $?; git grep -h one; git grep -hn one; git grep -H one; git grep -H -h one
  a:one
  a:one two
  Binary file bin matches
  sp ace:last one
  a:2:two
  a:6:one two
  a:5
  bin:1
  d/e:2
  sp ace:1
  a
  bin
  sp ace
  d/e
  a:one
  a:one two
  Binary file bin matches
  d/e:One
  sp ace:last one
  a:one
  a:one two
  Binary file bin matches
  sp ace:last one
  a:three
  a:five
  d/e:One
  d/e:a+b
  1
  0
  1
  one
  one two
  Binary file bin matches
  last one
  1:one
  6:one two
  Binary file bin matches
  1:last one
  a:one
  a:one two
  Binary file bin matches
  sp ace:last one
  one
  one two
  Binary file bin matches
  last one

$ git grep -e one -e two; git grep -e one --and -e two; git grep -e one --and --not -e two; git grep --not -e o; git grep -e five --or -e one --and -e two; git grep -n -e one --and --not -e two -- a; echo $?
  a:one
  a:two
  a:one two
  Binary file bin matches
  sp ace:last one
  a:one two
  a:one
  Binary file bin matches
  sp ace:last one
  a:three
  a:five
  d/e:One
  d/e:a+b
  a:five
  a:one two
  a:1:one
  0

$ git grep -E 'o(ne|o)'; git grep 'foo(bar)'; git grep 'foo\(bar\)'; git grep -F 'a+b'; git grep -F 'foo(' -- d; git grep -P '^\w+\(\w+\)$'; git grep -G 'a+b'; git grep -E 'a+b'; git grep 'x\{2\}'; git grep 't\(w\|h\)'; git -c grep.extendedRegexp=true grep 't(w|h)'; git -c grep.patternType=fixed grep 'a+'; git -c grep.lineNumber=true grep foo
  a:one
  a:one two
  Binary file bin matches
  d/e:foo(bar)
  d/e:xx foo yy foo
  sp ace:last one
  d/e:foo(bar)
  d/e:a+b
  d/e:foo(bar)
  d/e:foo(bar)
  d/e:a+b
  d/e:xx foo yy foo
  a:two
  a:three
  a:one two
  a:three more
  a:two
  a:three
  a:one two
  a:three more
  d/e:a+b
  d/e:2:foo(bar)
  d/e:4:xx foo yy foo

$ git grep -o 'fo*'; git grep -on foo; git grep -oh 'o.'; git grep --column foo; git grep -n --column foo; git grep -o --column -n foo; git grep -c foo; git grep -ch foo; git grep -m1 o; git grep -m 1 -c o; git grep -I one; git grep -a one | tr '\0' '@'; git grep -c one bin
  a:fo
  a:f
  d/e:foo
  d/e:foo
  d/e:foo
  d/e:2:foo
  d/e:4:foo
  d/e:4:foo
  on
  ou
  on
  or
  Binary file bin matches
  oo
  oo
  oo
  on
  d/e:1:foo(bar)
  d/e:4:xx foo yy foo
  d/e:2:1:foo(bar)
  d/e:4:4:xx foo yy foo
  d/e:2:1:foo
  d/e:4:4:foo
  d/e:4:10:foo
  d/e:2
  2
  a:one
  Binary file bin matches
  d/e:foo(bar)
  sp ace:last one
  a:1
  bin:1
  d/e:1
  sp ace:1
  a:one
  a:one two
  sp ace:last one
  a:one
  a:one two
  bin:a@one
  sp ace:last one
  bin:1

$ git grep -A1 two; git grep -B1 -n two; git grep -C1 two; git grep -2 -n four; git grep -n -C 1 -e three -e foo; git grep -1 -h one; git grep -A 1 -m 1 one; git grep -C1 -c one; git grep -n -A1 -B2 five -- a d
  a:two
  a-three
  --
  a:one two
  a-three more
  a-1-one
  a:2:two
  --
  a-5-five
  a:6:one two
  a-one
  a:two
  a-three
  --
  a-five
  a:one two
  a-three more
  a-2-two
  a-3-three
  a:4:four
  a-5-five
  a-6-one two
  a-2-two
  a:3:three
  a-4-four
  --
  a-6-one two
  a:7:three more
  --
  d/e-1-One
  d/e:2:foo(bar)
  d/e-3-a+b
  d/e:4:xx foo yy foo
  one
  two
  --
  five
  one two
  three more
  Binary file bin matches
  --
  last one
  a:one
  a-two
  Binary file bin matches
  --
  sp ace:last one
  a:2
  bin:1
  sp ace:1
  a-3-three
  a-4-four
  a:5:five
  a-6-one two

$ git grep one HEAD; git grep -n foo HEAD -- d; git grep -c o HEAD; git grep -l one HEAD; git grep -h one HEAD; git grep three HEAD HEAD~0; git grep -L one HEAD; git grep foo HEAD:d; git grep foo HEAD:d/e; git grep three HEAD a; git grep nosuch HEAD; echo $?; git grep one nosuch; echo $?; git grep one HEAD nosuch; echo $?; git grep one -- nosuch; echo $?
  HEAD:a:one
  HEAD:a:one two
  Binary file HEAD:bin matches
  HEAD:sp ace:last one
  HEAD:d/e:2:foo(bar)
  HEAD:d/e:4:xx foo yy foo
  HEAD:a:4
  HEAD:bin:1
  HEAD:d/e:2
  HEAD:sp ace:1
  HEAD:a
  HEAD:bin
  HEAD:sp ace
  one
  one two
  Binary file HEAD:bin matches
  last one
  HEAD:a:three
  HEAD~0:a:three
  HEAD:d/e
  HEAD:d:e:foo(bar)
  HEAD:d:e:xx foo yy foo
  HEAD:d/e:foo(bar)
  HEAD:d/e:xx foo yy foo
  HEAD:a:three
  1
  fatal: ambiguous argument 'nosuch': unknown revision or path not in the working tree.
  Use '--' to separate paths from revisions, like this:
  'git <command> [<revision>...] -- [<file>...]'
  128
  fatal: ambiguous argument 'nosuch': unknown revision or path not in the working tree.
  Use '--' to separate paths from revisions, like this:
  'git <command> [<revision>...] -- [<file>...]'
  128
  1

$ git grep --cached three; git grep three; git grep --cached -c three -- a; git grep --untracked one; git grep -l --untracked one -- new; rm a; git grep three; git grep --cached three; git rm -q --cached d/e; git grep foo; git add -N new; git grep -l one; git grep --cached -l one
  a:three
  a:three
  a:three more
  a:1
  a:one
  a:one two
  Binary file bin matches
  new:one
  sp ace:last one
  new
  a:three
  bin
  new
  sp ace
  a
  bin
  sp ace

$ git grep foo -- 'd/*'; git grep o -- '*e'; git grep -l one -- ':!a'; git grep -l one a d; cd d; git grep foo; git grep one; git grep -l one ..; git grep -l one -- :/; git grep --full-name foo; git grep foo HEAD; git grep -n foo HEAD -- .; git grep -l o HEAD -- ..; git grep --full-name -l o HEAD -- ..
  d/e:foo(bar)
  d/e:xx foo yy foo
  d/e:foo(bar)
  d/e:xx foo yy foo
  sp ace:last one
  bin
  sp ace
  a
  e:foo(bar)
  e:xx foo yy foo
  ../a
  ../bin
  ../sp ace
  ../a
  ../bin
  ../sp ace
  d/e:foo(bar)
  d/e:xx foo yy foo
  HEAD:e:foo(bar)
  HEAD:e:xx foo yy foo
  HEAD:e:2:foo(bar)
  HEAD:e:4:xx foo yy foo
  HEAD:../a
  HEAD:../bin
  HEAD:e
  HEAD:../sp ace
  HEAD:a
  HEAD:bin
  HEAD:d/e
  HEAD:sp ace

$ git grep -lz one | tr '\0' '|'; echo; git grep -nz one | tr '\0' '|'; git grep -cz one | tr '\0' '|'; git grep -nz -C1 --column -h two | tr '\0' '|'; printf 'one\nfoo\n' > ../pats; git grep -f ../pats; git grep; echo $?; git grep -e; echo $?; git grep --recursive -n two -- a; git grep --threads=2 two; git grep -r foo d; git grep ''  -- d; git grep -c '^' ; git grep --color=never two; git grep --no-color two
  a|bin|sp ace|
  a|1|one
  a|6|one two
  Binary file bin matches
  sp ace|1|last one
  a|2
  bin|1
  sp ace|1
  1|one
  2|1|two
  3|three
  --
  5|five
  6|5|one two
  7|three more
  a:one
  a:one two
  Binary file bin matches
  d/e:foo(bar)
  d/e:xx foo yy foo
  sp ace:last one
  fatal: no pattern given
  128
  error: switch `e' requires a value
  129
  a:2:two
  a:6:one two
  a:two
  a:one two
  d/e:foo(bar)
  d/e:xx foo yy foo
  d/e:One
  d/e:foo(bar)
  d/e:a+b
  d/e:xx foo yy foo
  a:7
  bin:1
  d/e:4
  sp ace:1
  a:two
  a:one two
  a:two
  a:one two
