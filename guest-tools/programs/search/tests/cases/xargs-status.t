% exec 2>&1

$ printf '1\n255\n3\n' | xargs -n1 sh -c 'echo $0; exit $0' 2>/dev/null
  1
  255
[123]

$ printf '255\n1\n' | xargs -n1 sh -c 'echo $0; exit $0' 2>/dev/null
  255
[124]
