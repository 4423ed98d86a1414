% tty() { script -qec "$1" /dev/null < /dev/null | tr -d '\r'; }

& tty 'nohup echo hi; nohup sh -c "echo out; echo err >&2"'; cat nohup.out
  nohup: ignoring input and appending output to 'nohup.out'
  nohup: ignoring input and appending output to 'nohup.out'
  hi
  out
  err

& tty 'nohup sh -c "echo err >&2; echo out" 2>e; cat e; echo x | nohup cat'; cat nohup.out
  nohup: ignoring input and appending output to 'nohup.out'
  err
  nohup: appending output to 'nohup.out'
  out
  x

& tty 'nohup echo q >o; nohup sh -c "echo z >&2" >o2; cat o o2'; ls nohup.out
  nohup: ignoring input and redirecting stderr to stdout
  nohup: ignoring input and redirecting stderr to stdout
  q
  z
[2]

& tty 'nohup cat; ls -l nohup.out | cut -c1-10'; cat nohup.out
  nohup: ignoring input and appending output to 'nohup.out'
  -rw-------
  cat: -: Bad file descriptor

& mkdir home d; ln -s . d/nohup.out; tty 'cd d; HOME=../home nohup echo a; HOME=nowhere nohup echo b'; cat home/nohup.out
  nohup: ignoring input and appending output to '../home/nohup.out'
  nohup: failed to open 'nohup.out': Is a directory
  nohup: failed to open 'nowhere/nohup.out': No such file or directory
  a

$ exec 2>&1; nohup sh -c 'echo out; exit 3'; echo $?; nohup nosuch; nohup; echo $?; nohup /; echo $?
  out
  3
  nohup: failed to run command 'nosuch': No such file or directory
  nohup: missing operand
  Try 'nohup --help' for more information.
  125
  nohup: failed to run command '/': Permission denied
  126
