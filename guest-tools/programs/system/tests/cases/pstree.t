# psmisc 23.6; the processes are those of the case alone. Outside of a sandbox alone, a bash below bash is a process, and what began first has the lower number.
% few() { sleep 9 > /dev/null & sleep 9 > /dev/null & sleep 0.3; "$@"; kill $(jobs -p); }
% many() { bash -c 'sleep 1; :' > /dev/null & bash -c 'sleep 1; :' > /dev/null & few "$@" 2> /dev/null; }

$ few pstree -A $$
  bash-+-pstree
       `-2*[sleep]

$ few pstree --ascii --compact-not $$; few pstree -cA $$
  bash-+-pstree
       |-sleep
       `-sleep
  bash-+-pstree
       |-sleep
       `-sleep

$ few pstree -U $$; few pstree --unicode -T $$; few pstree --hide-threads -A $$
  bash─┬─pstree
       └─2*[sleep]
  bash─┬─pstree
       └─2*[sleep]
  bash-+-pstree
       `-2*[sleep]

$ few pstree -lA $$; few pstree --long -A $$
  bash-+-pstree
       `-2*[sleep]
  bash-+-pstree
       `-2*[sleep]

& few pstree -An $$; few pstree --numeric-sort -cA $$
  bash-+-2*[sleep]
       `-pstree
  bash-+-sleep
       |-sleep
       `-pstree

$ sleep 9 > /dev/null & p=$!; sleep 0.2; pstree -pA $p | sed "s/$p/PID/"; pstree --show-pids $p | sed "s/$p/PID/"; pstree -apA $p | sed "s/$p/PID/"; pstree --arguments $p; kill $p
  sleep(PID)
  sleep(PID)
  sleep,PID 9
  sleep 9

& many pstree -A $$
  bash-+-2*[bash---sleep]
       |-pstree
       `-2*[sleep]

& many pstree -cA $$; many pstree -nU $$
  bash-+-bash---sleep
       |-bash---sleep
       |-pstree
       |-sleep
       `-sleep
  bash─┬─2*[bash───sleep]
       ├─2*[sleep]
       └─pstree

& bash -c 'sleep 1 & sleep 1; :' > /dev/null & p=$!; sleep 0.3; pstree -aA $p; pstree -a $p; pstree -A $p
  bash -c sleep 1 & sleep 1; :
    |-sleep 1
    `-sleep 1
  bash -c sleep 1 & sleep 1; :
    |-sleep 1
    `-sleep 1
  bash---2*[sleep]
