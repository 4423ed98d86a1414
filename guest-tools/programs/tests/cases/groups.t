% exec 2> /dev/null

$ set -m; { sh -c 'sleep 0.6; echo late > f' & env sleep 5; } > out & sleep 0.2; kill -KILL -- -$!; wait $!; echo $?; sleep 0.8; ls
  137
  out

$ set -m; sh -c 'sh -c "sleep 0.6; echo late > f" & sleep 5' > out & sleep 0.2; kill -TERM -- -$!; wait $!; echo $?; sleep 0.8; ls
  143
  out

$ kill -- -99999999; echo $?
  1
