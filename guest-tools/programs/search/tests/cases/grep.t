% printf 'hello\nworld\n' > m1; printf 'x\n' > n1; : > em

$ grep -L hello n1; echo $?; grep -L hello m1; echo $?; grep -L hello m1 n1; echo $?; grep -L -c hello n1; echo $?; grep -L hello em; echo $?
  n1
  1
  0
  n1
  0
  n1
  1
  em
  1

$ grep -c -f em m1; echo $?; grep -f em m1; echo $?; grep -v -f em m1; echo $?; grep -c -v -f em m1; echo $?
  1
  1
  hello
  world
  0
  2
  0

$ grep -L -v hello m1 n1; echo $?; grep -l -f em m1; echo $?; grep -L -f em m1; echo $?; grep -q -L hello n1; echo $?; grep -l hello n1; echo $?
  0
  1
  m1
  1
  1
  1

$ printf 'a\nb\nc\nd\ne\n' > g; grep --no-group-separator -A0 -e a -e d g; grep --group-separator='***' -A0 -e a -e d g; grep --group-separator= -C0 -n -e a -e d g; grep -A0 -e a -e d g
  a
  d
  a
  ***
  d
  1:a
  
  4:d
  a
  --
  d

$ printf 'main -> main\n<div>x</div>\n' > ltgt; grep -o 'main -> main' ltgt; grep -c '<div>' ltgt; grep -oE '</?[a-z]+>' ltgt; grep -F ' > ' ltgt; echo $?; grep -o '\<x\>' ltgt; grep -w x ltgt
  main -> main
  1
  <div>
  </div>
  1
  x
  <div>x</div>

$ printf 'a<b>c</b> > d\n' > tags; sed 's/<[^>]*>//g' tags; sed -E 's/ > /_/; s/<(b)>/[\1]/' tags; awk '/<b>/ { gsub(/<[^>]*>/, "-"); print }' tags; awk -F'>' '{ print $2 }' tags; awk -F' > ' '{ print $2 }' tags
  ac > d
  a[b]c</b>_d
  a-c- > d
  c</b
  d

$ mkdir -p s/t; echo three > s/two; echo three > s/t/one; grep -r three s/two; grep -r three s | sort; grep -r three s/two s/t/one; grep -rH three s/two; cd s; grep -r three two; grep -rc three t
  three
  s/t/one:three
  s/two:three
  s/two:three
  s/t/one:three
  s/two:three
  three
  t/one:1

$ printf 'bcc\nbcb\nabab\nxyxy\nxx\n' > f; grep -e 'a\(b\)' -e 'b\(c\)\1' f; grep -E -e '(a)(b)\1\2' -e '(x)(y)\1\2' f; grep -n -e 'q' -e '\(x\)\1' f; printf '\\(b\\)\n\\(x\\)\\1\n' > p; grep -f p f
  bcc
  abab
  abab
  xyxy
  5:xx
  bcc
  bcb
  abab
  xx

$ printf 'a\nb' | grep -c ''; printf 'a\nb' | grep -c 'b*'; printf 'a\n\nb\n' | grep -c ''; printf '' | grep -c ''
  2
  2
  3
  0
[1]

$ printf 'a\n' | grep '[:space:]' 2>&1
  grep: character class syntax is [[:space:]], not [:space:]
[2]

$ printf 'a\n' | grep -E 'x[^:digit:]*' 2>&1
  grep: character class syntax is [[:space:]], not [:space:]
[2]

$ printf 'a:b\n' | grep -o '[:a-z:]*' 2>&1
  a:b

$ printf 'a\n' | grep -c '[a:]' 2>&1
  1

$ seq 30 | grep -1 -2 10
  8
  9
  10
  11
  12

$ seq 30 | grep -c -12 -v0 10
  29

$ seq 30 | grep -12 10 | wc -l
  22

$ seq 30 | grep -1v2 15 | head -n 3
  1
  2
  3

$ seq 3 | grep -A 99999999999999999999999 2
  2
  3

$ seq 3 | grep -m 99999999999999999999999 2
  2

$ seq 3 | grep -m -1 2
  2

$ seq 3 | grep -A -1 2 2>&1
  grep: -1: invalid context length argument
[2]

$ printf 'a\nhi\n' | grep -bu hi 2>&1; printf 'hi\n' | grep -c --unix-byte-offsets hi 2>&1
  grep: warning: --unix-byte-offsets (-u) is obsolete
  2:hi
  grep: warning: --unix-byte-offsets (-u) is obsolete
  1
