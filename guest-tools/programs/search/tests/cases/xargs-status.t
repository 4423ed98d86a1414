% exec 2>&1

$ printf '1\n255\n3\n' | xargs -n1 sh -c 'echo $0; exit $0' 2>/dev/null
  1
  255
[123]

$ printf '255\n1\n' | xargs -n1 sh -c 'echo $0; exit $0' 2>/dev/null
  255
[124]

$ echo "a '' b" | xargs -E ''
  a  b

$ echo "a _ b _ c" | xargs -E _ -e
  a _ b _ c

$ printf 'a\nb\n' | xargs -I echo echo foo echo
  foo a
  foo b

$ printf 'a\nb\n' | xargs -n2 -I{} echo {} 2>&1
  xargs: warning: options --max-args and --replace/-I/-i are mutually exclusive, ignoring previous --max-args value
  a
  b

$ printf 'a\nb\n' | xargs -I{} -L2 echo {} 2>&1
  xargs: warning: options --replace and -L are mutually exclusive, ignoring previous --replace value
  {} a b

$ printf 'a\nb\n' | xargs -l -n1 -L2 echo 2>&1
  xargs: warning: options --max-lines and --max-args/-n are mutually exclusive, ignoring previous --max-lines value
  xargs: warning: options --max-args and -L are mutually exclusive, ignoring previous --max-args value
  a b

$ printf 'a\nb\n' | xargs -i -n1 echo {} 2>&1
  a
  b

$ printf 'b\naaaaaaa\n' | xargs -s 20 -I{} echo {} {} {} 2>&1
  b b b
  xargs: argument list too long
[1]

$ printf '12345678901234567890\n' | xargs -s 20 -I{} echo {} 2>&1
  xargs: argument line too long
[1]

$ printf '12345678901234\n' | xargs -s 20 -I{} echo {} 2>&1
  12345678901234

$ printf '1234567890123456789\n' | xargs -s 20 -I{} echo {} 2>&1
  xargs: command too long
[1]

$ printf '1\n' | xargs -I '' echo x 2>&1
  xargs: command too long
[1]
