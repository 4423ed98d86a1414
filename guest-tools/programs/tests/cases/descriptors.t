% printf 'one\ntwo\n' > f

$ timeout 5 sort <(echo b; echo a) f
  a
  b
  one
  two

$ env bash -c 'cat <&3; echo out >&4' 3< f 4> g; cat g
  one
  two
  out

$ nice env diff <(seq 3) <(seq 4)
  3a4
  > 4
[1]

$ echo f | xargs -I{} cat {} <(echo last)
  one
  two
  last

$ exec 3< f; read -r x <&3; echo "$x"; env cat /dev/fd/3
  one
  one
  two

$ mkfifo p; exec 3<> p; echo kept >&3; env head -n 1 /dev/fd/3
  kept

$ { env sh -c 'echo three >&3' 3>&1 >/dev/null; } | cat
  three

$ find f -exec cat {} /dev/fd/5 \; 5< <(echo five)
  one
  two
  five
