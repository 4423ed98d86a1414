# glibc 2.36.

$ getent -i passwd root | cut -d: -f1,3,4; getent --no-idn group root | cut -d: -f1,3
  root:0:0
  root:0

$ getent -s files passwd root | cut -d: -f1,3,4; getent --service=files group 0 | cut -d: -f1,3; getent -s files passwd nosuch; echo $?
  root:0:0
  root:0
  2
