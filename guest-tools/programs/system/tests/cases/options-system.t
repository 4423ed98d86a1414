# Options of what looks at processes, times and names.
% exec 2>&1
% printf 'a\n' > f; printf 'b\n' > g

$ shasum -a 256 f g > s; shasum -c s; shasum -s -c s; echo $?; echo x >> f; shasum -c s; echo $?; shasum --status -c s; echo $?; shasum -c --status s; echo $?; rm g; shasum --ignore-missing -c s; echo $?; printf 'nonsense\n' >> s; shasum -w -c s; echo $?; shasum --warn -c s; echo $?; shasum --strict -c s; echo $?; shasum -t f; shasum --text f; shasum -b f; shasum -c s 2>&1 | tail -n 1
  f: OK
  g: OK
  0
  f: FAILED
  g: OK
  shasum: WARNING: 1 computed checksum did NOT match
  1
  1
  1
  f: FAILED
  shasum: WARNING: 1 computed checksum did NOT match
  shasum: s: no file was verified
  1
  f: FAILED
  shasum: g: No such file or directory
  g: FAILED open or read
  shasum: s: 3: improperly formatted SHA checksum line
  shasum: WARNING: 1 line is improperly formatted
  shasum: WARNING: 1 listed file could not be read
  shasum: WARNING: 1 computed checksum did NOT match
  1
  f: FAILED
  shasum: g: No such file or directory
  g: FAILED open or read
  shasum: s: 3: improperly formatted SHA checksum line
  shasum: WARNING: 1 line is improperly formatted
  shasum: WARNING: 1 listed file could not be read
  shasum: WARNING: 1 computed checksum did NOT match
  1
  f: FAILED
  shasum: g: No such file or directory
  g: FAILED open or read
  shasum: WARNING: 1 line is improperly formatted
  shasum: WARNING: 1 listed file could not be read
  shasum: WARNING: 1 computed checksum did NOT match
  1
  e6f97ac249f9c0f3a46fb966e926bcde8f151689  f
  e6f97ac249f9c0f3a46fb966e926bcde8f151689  f
  e6f97ac249f9c0f3a46fb966e926bcde8f151689 *f
  shasum: WARNING: 1 computed checksum did NOT match

$ command time -p true 2>&1 | sed 's/[0-9]/N/g'; command time --portability true 2>&1 | sed 's/[0-9]/N/g'; command time -f '%C %x' false; command time --format='%C %x' false; command time -q -f %x false; echo $?; command time --quiet -f %x sh -c 'exit 3'; command time -o t -f %x true; cat t; command time -a -o t -f %C true; cat t; command time --append --output=t -f %C false; cat t;  command time --verbose true 2>&1 | sed 's/[0-9][0-9.:]*/N/g'; command time -f '%%a%Z\n%x' true; command time nosuch 2>&1 | sed 's/[0-9][0-9.:]*/N/g'; echo $?; command time -x; echo $?
  real N.NN
  user N.NN
  sys N.NN
  real N.NN
  user N.NN
  sys N.NN
  Command exited with non-zero status 1
  false 1
  Command exited with non-zero status 1
  false 1
  1
  1
  3
  0
  0
  true
  0
  true
  Command exited with non-zero status 1
  false
  	Command being timed: "true"
  	User time (seconds): N
  	System time (seconds): N
  	Percent of CPU this job got: N%
  	Elapsed (wall clock) time (h:mm:ss or m:ss): N
  	Average shared text size (kbytes): N
  	Average unshared data size (kbytes): N
  	Average stack size (kbytes): N
  	Average total size (kbytes): N
  	Maximum resident set size (kbytes): N
  	Average resident set size (kbytes): N
  	Major (requiring I/O) page faults: N
  	Minor (reclaiming a frame) page faults: N
  	Voluntary context switches: N
  	Involuntary context switches: N
  	Swaps: N
  	File system inputs: N
  	File system outputs: N
  	Socket messages sent: N
  	Socket messages received: N
  	Signals delivered: N
  	Page size (bytes): N
  	Exit status: N
  %a4096
  0
  time: cannot run nosuch: No such file or directory
  Command exited with non-zero status N
  Nuser Nsystem Nelapsed N%CPU (Navgtext+Navgdata Nmaxresident)k
  Ninputs+Noutputs (Nmajor+Nminor)pagefaults Nswaps
  0
  time: invalid option -- 'x'
  Try 'time --help' for more information.
  125

$ whereis -b ls; whereis -b nosuch; whereis -b ls nosuch cat; whereis -m nosuch; whereis -s nosuch; whereis -u -b nosuch; whereis -b -l | grep -cx 'bin: /usr/bin';  mkdir p q; : > p/tool; : > q/tool.1; whereis -b -B p -f tool | grep -o '[^/]*$'; whereis -b -B p q -f tool other | grep -o '[^/]*$'; whereis -m -M q -f tool | grep -o '[^/]*$'; whereis -b /usr/bin/ls ls.c
  ls: /usr/bin/ls
  nosuch:
  ls: /usr/bin/ls
  nosuch:
  cat: /usr/bin/cat
  nosuch:
  nosuch:
  1
  tool
  tool
  other:
  tool.1
  ls: /usr/bin/ls
  ls.c:

$ vmstat -n | head -n 2; vmstat -a | head -n 2; vmstat --active | sed -n 2p; vmstat -w | head -n 2; vmstat --wide | sed -n 1p; vmstat -t | sed -n 2p; vmstat --timestamp | sed -n 1p; vmstat --one-header | wc -l; vmstat -S M | sed -n 2p; vmstat -S k | wc -l; vmstat --unit m | wc -l; vmstat --unit=K | wc -l; vmstat -S x; echo $?
  procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
   r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
  procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
   r  b   swpd   free  inact active   si   so    bi    bo   in   cs us sy id wa st
   r  b   swpd   free  inact active   si   so    bi    bo   in   cs us sy id wa st
  --procs-- -----------------------memory---------------------- ---swap-- -----io---- -system-- ----------cpu----------
     r    b         swpd         free         buff        cache   si   so    bi    bo   in   cs  us  sy  id  wa  st  gu
  --procs-- -----------------------memory---------------------- ---swap-- -----io---- -system-- ----------cpu----------
   r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC
  procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----
  3
   r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
  3
  3
  3
  vmstat: -S requires k, K, m or M (default is KiB)
  1

$ killall -l | head -n 1 | cut -c1-30; killall nosuchprocess; echo $?; killall -q nosuchprocess; echo $?; killall -e nosuchprocess; killall --exact -q nosuchprocess; killall -I nosuchprocess; killall --ignore-case nosuchprocess; killall -r 'nosuch.*'; killall --regexp 'nosuch.*'; killall -s TERM nosuchprocess; killall --signal HUP nosuchprocess; killall -9 nosuchprocess; killall -KILL nosuchprocess; killall -SIGKILL nosuchprocess; killall -s NOPE nosuchprocess; echo $?; killall 2>&1 | head -n 1
  HUP INT QUIT ILL TRAP ABRT BUS
  nosuchprocess: no process found
  1
  1
  nosuchprocess: no process found
  nosuchprocess: no process found
  nosuchprocess: no process found
  nosuch.*: no process found
  nosuch.*: no process found
  nosuchprocess: no process found
  nosuchprocess: no process found
  nosuchprocess: no process found
  nosuchprocess: no process found
  nosuchprocess: no process found
  NOPE: unknown signal; killall -l lists signals.
  1
  Usage: killall [OPTION]... [--] NAME...

$ mkdir r; : > r/tool.c; whereis -s -S r -f tool | grep -o '[^/]*$'; whereis -V > version; whereis -h | grep -c -- -S; grep -c ^whereis version
  tool.c
  1
  1
