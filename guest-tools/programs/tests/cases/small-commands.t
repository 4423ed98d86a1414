% exec 2>&1; printf 'b\na\n' > f; printf 'x' > g

$ shasum f g; shasum -a 256 f; shasum -b -a 512224 g; shasum f g > s; echo z >> g; shasum -c s; echo $?; shasum -c s -q; shasum nope; echo $?; shasum --tag f | cut -c1-5; cat f | shasum
  717c572b490827e7999f1c04972ec3b1492a3733  f
  11f6ad8ec52a2984abaafd7c3b516503785c2072  g
  aea8a04c2f293417e499bf5de2def8ebb1ed40264d128a67180ea56fbe4600ff  f
  a0fe24b48d508b2095c1137e4e79251ca23da8edb5dbb5851e9fae88 *g
  f: OK
  g: FAILED
  shasum: WARNING: 1 computed checksum did NOT match
  1
  g: FAILED
  shasum: WARNING: 1 computed checksum did NOT match
  shasum: nope: No such file or directory
  1
  SHA1 
  717c572b490827e7999f1c04972ec3b1492a3733  -

$ \time -p true; \time -f '%x %C' sh -c 'exit 3'; echo $?; \time -f 'a%%\tb\n' -o t true; cat t
  real 0.00
  user 0.00
  sys 0.00
  Command exited with non-zero status 3
  3 sh -c exit 3
  3
  a%	b
  

$ killall nope-no-such; echo $?; killall -q nope-no-such; echo $?; cp "$(type -P sleep)" offshoot-doze; ./offshoot-doze 20 & sleep 0.3; killall -v offshoot-doze 2>&1 | sed "s/([0-9]*)//"; wait $!; echo $?
  nope-no-such: no process found
  1
  1
  Killed offshoot-doze with signal 15
  143
