# Options of numbers.
% exec 2>&1

$ printf '# h\n1000 x\n2500 y\n' > f; numfmt --header --to=si < f; numfmt --header=2 --to=si < f; numfmt --header=0 --to=si < f; for r in up down from-zero towards-zero nearest; do numfmt --round=$r --to=si 1234 -1234 1250 999999 1001; done; numfmt --round=nope 1; echo $?
  # h
  1.0K x
  2.5K y
  # h
  1000 x
  2.5K y
  numfmt: invalid header value ‘0’
  numfmt: invalid option -- '1'
  Try 'numfmt --help' for more information.
  numfmt: invalid option -- '1'
  Try 'numfmt --help' for more information.
  numfmt: invalid option -- '1'
  Try 'numfmt --help' for more information.
  numfmt: invalid option -- '1'
  Try 'numfmt --help' for more information.
  numfmt: invalid option -- '1'
  Try 'numfmt --help' for more information.
  numfmt: invalid argument ‘nope’ for ‘--round’
  Valid arguments are:
    - ‘up’
    - ‘down’
    - ‘from-zero’
    - ‘towards-zero’
    - ‘nearest’
  Try 'numfmt --help' for more information.
  1

$ numfmt --to=si 0 1 999 1000 1001 9999 10000 99999 100000 999999 1000000 1500000 123456789012; numfmt --to=iec 1023 1024 1025 1536 10240 1048576 1048575; numfmt --to=iec-i 1024 2048000 5; numfmt --to=si -- -1500; numfmt --from=si 1K 1.5M 2G 3k 1T; numfmt --from=iec 1K 1.5M 2G; numfmt --from=iec-i 1Ki 2.5Mi; numfmt --from=auto 1K 1Ki 1M 1Mi; numfmt --from=si --to=iec 1M 1.5G
  0
  1
  999
  1.0K
  1.1K
  10K
  10K
  100K
  100K
  1.0M
  1.0M
  1.5M
  124G
  1023
  1.0K
  1.1K
  1.5K
  10K
  1.0M
  1.0M
  1.0Ki
  2.0Mi
  5
  -1.5K
  1000
  1500000
  2000000000
  numfmt: invalid suffix in input: ‘3k’
  1024
  1572864
  2147483648
  1024
  2621440
  1000
  1024
  1000000
  1048576
  977K
  1.4G

$ numfmt --from=iec-i 1K; echo $?; numfmt --from=si 1Ki; echo $?; numfmt --from=si 1x; echo $?; numfmt abc; echo $?; numfmt --from=none 1K; echo $?; numfmt 1.5.5; echo $?; numfmt ''; echo $?; numfmt --to=nope 1; echo $?; numfmt --from=si 1KK; echo $?; numfmt 1e3; echo $?; numfmt 0x10; echo $?; numfmt -- -; echo $?; numfmt 1.; numfmt .5; numfmt 1,000; echo $?; numfmt +5; echo $?
  numfmt: missing 'i' suffix in input: ‘1K’ (e.g Ki/Mi/Gi)
  2
  numfmt: invalid suffix in input ‘1Ki’: ‘i’
  2
  numfmt: invalid suffix in input: ‘1x’
  2
  numfmt: invalid number: ‘abc’
  2
  numfmt: rejecting suffix in input: ‘1K’ (consider using --from)
  2
  numfmt: invalid suffix in input: ‘1.5.5’
  2
  numfmt: invalid number: ‘’
  2
  numfmt: invalid argument ‘nope’ for ‘--to’
  Valid arguments are:
    - ‘none’
    - ‘si’
    - ‘iec’
    - ‘iec-i’
  Try 'numfmt --help' for more information.
  1
  numfmt: invalid suffix in input ‘1KK’: ‘K’
  2
  numfmt: invalid suffix in input: ‘1e3’
  2
  numfmt: invalid suffix in input: ‘0x10’
  2
  numfmt: invalid number: ‘-’
  2
  numfmt: invalid number: ‘1.’
  0.5
  numfmt: invalid suffix in input: ‘1,000’
  2
  numfmt: invalid number: ‘+5’
  2

$ echo '1000 2000 3000' | numfmt --field 2 --to=si; echo '1000 2000 3000' | numfmt --field 2- --to=si; echo '1000 2000 3000' | numfmt --field=1,3 --to=si; echo '1000:2000' | numfmt -d: --field=2 --to=si; echo '  1000  2000' | numfmt --to=si; printf 'a\t1000\tb\n' | numfmt --field=2 --to=iec; echo '1000,2000' | numfmt --delimiter=, --field=- --to=si; echo '5' | numfmt --field=3; echo $?; echo x | numfmt --field=0; echo $?; echo 1 | numfmt --field=1-; ls -l /dev/null | cut -c1 ; echo '1000 abc' | numfmt --field=2 --invalid=warn; echo $?; echo 'abc' | numfmt --invalid=ignore; echo $?; printf 'abc\n1000\n' | numfmt --invalid=fail --to=si; echo $?; echo abc | numfmt --invalid=abort; echo $?
  1000 2.0K 3000
  1000 2.0K 3.0K
  1.0K 2000 3.0K
  1000:2.0K
    1.0K  2000
  a 1000 b
  1.0K,2.0K
  5
  0
  numfmt: fields are numbered from 1
  Try 'numfmt --help' for more information.
  1
  1
  c
  1000 numfmt: invalid number: ‘abc’
  abc
  0
  abc
  0
  numfmt: invalid number: ‘abc’
  abc
  1.0K
  2
  numfmt: invalid number: ‘abc’
  2

$ numfmt --format=%.2f 3.14159 2; numfmt --format='%10.1f|' 3.14159; numfmt --format='%-10.1f|' 3.14159; numfmt --format='%010.1f|' 3.14159; numfmt --format='<%f>' --to=si 1500; numfmt --format=%.2f --to=si 1500 1555; numfmt --format=%.0f --to=iec 1600; numfmt --format="%'f" 1000000; numfmt --format=%d 1; echo $?; numfmt --format=x 1; echo $?; numfmt --format=%f%f 1; echo $?; numfmt --format='%5f%%' 1; numfmt --format='%.3f' --from=iec --to=si 1K
  3.15
  2.00
         3.2|
  3.2       |
  00000003.2|
  <1.5K>
  1.50K
  1.56K
  2K
  1000000
  numfmt: invalid format ‘%d’, directive must be %[0]['][-][N][.][N]f
  1
  numfmt: format ‘x’ has no % directive
  1
  numfmt: format ‘%f%f’ has too many % directives
  1
      1%%
  1.024K

$ numfmt --padding=10 5; numfmt --padding=-10 5 | cat -A; numfmt --padding=10 --to=si 1500; numfmt --padding=0 1; echo $?; numfmt --padding=x 1; echo $?; numfmt --suffix=B 5 10; numfmt --suffix=B --from=si 1KB; numfmt --suffix=B --to=si 1500; numfmt --from-unit=1024 4; numfmt --to-unit=1000 5000 5001; numfmt --from-unit=K 1; echo $?; numfmt --to-unit=0 1; echo $?; numfmt --from-unit=x 1; echo $?; numfmt --grouping 1000; numfmt --grouping --to=si 1; echo $?; numfmt -z 5 | od -An -c; printf '1000\0002000\0' | numfmt -z --to=si | od -An -c; printf '1000' | numfmt --to=si; numfmt --debug 1; numfmt --debug --to=si 1000; printf '' | numfmt; echo $?; printf '\n' | numfmt; echo $?
           5
  5         $
        1.5K
  numfmt: invalid padding value ‘0’
  1
  numfmt: invalid padding value ‘x’
  1
  5B
  10B
  1000B
  1.5KB
  4096
  5
  6
  1000
  0
  numfmt: invalid unit size: ‘0’
  1
  numfmt: invalid unit size: ‘x’
  1
  1000
  numfmt: grouping cannot be combined with --to
  1
     5  \0
     1   .   0   K  \0   2   .   0   K  \0
  1.0Knumfmt: no conversion option specified
  1
  1.0K
  0
  numfmt: invalid number: ‘’
  2

$ numfmt 1.50 1.0 100.25; numfmt --from=si 1.123K; numfmt --to=si 1234.5; numfmt --to=si 0.5; numfmt --to=iec 0.1; numfmt 123456789012345678; numfmt --to=si 999999999999999999; numfmt 12345678901234567890123; echo $?; numfmt --from=si 1Y; echo $?; numfmt --from=iec 1E; numfmt --to=iec 1152921504606846976; numfmt --to=si 1e20; echo $?; numfmt --to-unit=Ki 10240; numfmt --from=auto 1.5Gi; numfmt --to=iec --round=up 1500; numfmt --to=iec --round=down 1500; numfmt --to=si 99500 99499 9950 9949 995 | tr '\n' ' '
  1.50
  1.0
  100.25
  1123
  1.3K
  0
  0
  123456789012345678
  1.0E
  numfmt: value too large to be printed: '1.23457e+22' (consider using --to)
  2
  numfmt: value too large to be printed: '1e+24' (consider using --to)
  2
  1152921504606846976
  1.0E
  numfmt: invalid suffix in input: ‘1e20’
  2
  10
  1610612736
  1.5K
  1.4K
  100K 100K 10K 10K 995 
\

$ df -B1 / | awk 'NR == 1 {print $2}' | numfmt --field=1 --invalid=ignore; printf 'Filesystem 1B-blocks\n/dev/x 123456789\n' | numfmt --header --field=2 --to=iec; du_like='4096 ./a\n1048576 ./b'; printf "$du_like\n" | numfmt --to=iec; printf "$du_like\n" | numfmt --to=iec --padding=7; printf "$du_like\n" | numfmt --to=iec-i --suffix=B; echo '1000    2000' | numfmt --to=si --field=1-2; echo 'a    1000' | numfmt --to=si --field=2; echo '   1000' | numfmt --to=si | cat -A; numfmt --to=si; echo $?; numfmt --field 1 --field 2 1; echo $?; numfmt --nope; echo $?; numfmt --to; echo $?
  1B-blocks
  Filesystem 1B-blocks
  /dev/x      118M
  4.0K ./a
  1.0M ./b
     4.0K ./a
     1.0M ./b
  4.0KiB ./a
  1.0MiB ./b
  1.0K    2.0K
  a    1.0K
     1.0K$
  0
  numfmt: multiple field specifications
  1
  numfmt: unrecognized option '--nope'
  Try 'numfmt --help' for more information.
  1
  numfmt: option '--to' requires an argument
  Try 'numfmt --help' for more information.
  1

$ printf '123\\\n456+1\nsqrt(1);sqrt(0);sqrt(1.0);sqrt(4)\nj(0,1);j(1,2.5);j(-3,4);j(10,100)\nobase=17;1.5;0;.5;300\n' | bc -l
  123457
  1
  0
  1
  2.00000000000000000000
  .76519768655796655144
  .49709410246427403801
  -.43017147387562194035
  -.05473217693547201474
   01.08
  0
  .08
   01 00 11
