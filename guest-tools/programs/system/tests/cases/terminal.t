% export TERM=xterm-256color

$ exec 2>&1; tput cols
  80

$ exec 2>&1; COLUMNS=33 tput cols
  33

$ exec 2>&1; LINES=7 tput lines
  7

$ exec 2>&1; tput lines
  24

$ exec 2>&1; tput bold
  [1m
\

$ exec 2>&1; tput sgr0
  (B[m
\

$ exec 2>&1; tput setaf 1
  [31m
\

$ exec 2>&1; tput setaf 200
  [38;5;200m
\

$ exec 2>&1; tput setaf
  [%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;m
\

$ exec 2>&1; tput setaf x
  [30m
\

$ exec 2>&1; tput cup 3 4
  [4;5H
\

$ exec 2>&1; tput cup 3
  [4;1H
\

$ exec 2>&1; tput cup 1 2 bold
  [2;3H[1m
\

$ exec 2>&1; tput colors
  256

$ exec 2>&1; tput am

$ exec 2>&1; tput xt
[1]

$ exec 2>&1; tput hc bold
[1]

$ exec 2>&1; tput nope
  tput: unknown terminfo capability 'nope'
[4]

$ exec 2>&1; tput me
  tput: unknown terminfo capability 'me'
[4]

$ exec 2>&1; tput clear
  [H[2J[3J
\

$ exec 2>&1; tput -x clear
  [H[2J
\

$ exec 2>&1; tput init
  tput: terminal attributes: No such device or address
  
[10]

$ exec 2>&1; tput reset
  tput: terminal attributes: No such device or address
  
[10]

$ exec 2>&1; tput longname
  xterm with 256 colors
\

$ exec 2>&1; tput -T dumb colors
  -1

$ exec 2>&1; tput -T dumb bold
[1]

$ exec 2>&1; tput -T nope bold
  tput: unknown terminal "nope"
[3]

$ exec 2>&1; tput -T '' bold
  tput: No value for $TERM and no -T specified
[2]

$ exec 2>&1; TERM= tput bold
  tput: No value for $TERM and no -T specified
[2]

$ exec 2>&1; unset TERM; tput bold
  tput: No value for $TERM and no -T specified
[2]

$ exec 2>&1; unset TERM; clear
  TERM environment variable not set.
[1]

$ exec 2>&1; printf 'bold\nsetaf 1\nsgr0\n' | tput -S
  [1m[31m(B[m
\

$ exec 2>&1; printf 'cols\nlines\n' | tput -S
  80
  24

$ exec 2>&1; printf 'nope\n' | tput -S
  tput: unknown terminfo capability 'nope'
[4]

$ exec 2>&1; printf 'bold\nam\nhc\nhc\n' | tput -S
  [1m
\
[6]

$ exec 2>&1; printf 'cup 1 2 bold\n\n' | tput -S
  [2;3H[1m
\

$ exec 2>&1; tput
  Usage: tput [options] [command]
  
  Options:
    -S <<       read commands from standard input
    -T TERM     use this instead of $TERM
    -V          print curses-version
    -x          do not try to clear scrollback
  
  Commands:
    clear       clear the screen
    init        initialize the terminal
    reset       reinitialize the terminal
    capname     unlike clear/init/reset, print value for capability "capname"
[2]

$ exec 2>&1; clear
  [H[2J[3J
\

$ exec 2>&1; clear -x
  [H[2J
\

$ exec 2>&1; clear -T dumb
[1]

$ exec 2>&1; clear -T nope
  'nope': unknown terminal type.
[1]

$ exec 2>&1; clear -T vt100
  [H[J
\

$ exec 2>&1; clear foo
  Usage: clear [options]
  
  Options:
    -T TERM     use this instead of $TERM
    -V          print curses-version
    -x          do not try to clear scrollback
[1]

$ exec 2>&1; reset
  reset: terminal attributes: No such device or address
  
[10]

$ exec 2>&1; reset foo
  reset: terminal attributes: No such device or address
  
[10]

$ exec 2>&1; tset
  tset: terminal attributes: No such device or address
  
[10]

$ exec 2>&1; tset -q
  tset: terminal attributes: No such device or address
  
[10]

$ exec 2>&1; tset -s
  tset: terminal attributes: No such device or address
  
[10]

$ exec 2>&1; tput bold 3
  tput: unknown terminfo capability '3'
  [1m
\
[4]

$ exec 2>&1; tput smul rmul
  [4m[24m
\

$ exec 2>&1; tput smso rmso rev blink dim invis sitm ritm
  [7m[27m[7m[5m[2m[8m[3m[23m
\

$ exec 2>&1; tput civis cnorm cvvis smcup rmcup el el1 ed ech 3 il 2 dl 3 home cuu 2 cud 3 cuf 4 cub 5 sc rc
  [?25l[?12l[?25h[?12;25h[?1049h[22;0;0t[?1049l[23;0;0t[K[1K[J[3X[2L[3M[H[2A[3B[4C[5D78
\

$ exec 2>&1; tput csr 1 2
  [2;3r
\

$ exec 2>&1; tput sgr 1 0 1
  (B[0;7m
\

$ exec 2>&1; tput initc 1 2 3 4
  ]4;1;rgb:00/00/01\
\

$ exec 2>&1; tput setab 12 setaf 9 op
  [104m[91m[39;49m
\

$ exec 2>&1; tput kf1 kcuu1 khome
  OPOAOH
\

$ exec 2>&1; tput it xmc pairs ncv
  8
  -1
  65536
  -1

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T ansi $c; tput -T ansi $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  1
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[mtput: unknown terminfo capability '3'
  ^[[m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  rmso
  ^[[mtput: unknown terminfo capability '3'
  ^[[m4
  sgr0
  ^[[0;10mtput: unknown terminfo capability '3'
  ^[[0;10m4
  blink
  ^[[5mtput: unknown terminfo capability '3'
  ^[[5m4
  invis
  ^[[8mtput: unknown terminfo capability '3'
  ^[[8m4
  sitm
  1
  ritm
  1
  setaf
  ^[[3%p1%dmtput: unknown terminfo capability '1'
  ^[[33m4
  setab
  ^[[4%p1%dmtput: unknown terminfo capability '1'
  ^[[43m4
  op
  ^[[39;49mtput: unknown terminfo capability '3'
  ^[[39;49m4
  clear
  ^[[H^[[Jtput: unknown terminfo capability '3'
  ^[[H^[[J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  ^[[1Ktput: unknown terminfo capability '3'
  ^[[1K4
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  1
  cnorm
  1
  smcup
  1
  rmcup
  1
  cuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  cud1
  ^[[Btput: unknown terminfo capability '3'
  ^[[B4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^[[Dtput: unknown terminfo capability '3'
  ^[[D4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  1
  dch1
  ^[[Ptput: unknown terminfo capability '3'
  ^[[P4
  il1
  ^[[Ltput: unknown terminfo capability '3'
  ^[[L4
  dl1
  ^[[Mtput: unknown terminfo capability '3'
  ^[[M4
  il
  ^[[%p1%dLtput: unknown terminfo capability '1'
  ^[[3L4
  dl
  ^[[%p1%dMtput: unknown terminfo capability '1'
  ^[[3M4
  sc
  1
  rc
  1
  csr
  1
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  1
  ht
  ^[[Itput: unknown terminfo capability '3'
  ^[[I4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  8
  tput: unknown terminfo capability '3'
  8
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  1
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  64
  tput: unknown terminfo capability '3'
  64
  4
  kcuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  kf1
  1
  kbs
  ^Htput: unknown terminfo capability '3'
  ^H4
  khome
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  tsl
  1
  fsl
  1
  u6
  ^[[%i%d;%dR^[[2;4R0
  u7
  ^[[6ntput: unknown terminfo capability '3'
  ^[[6n4
  smkx
  1
  rmkx
  1

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T dumb $c; tput -T dumb $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  1
  dim
  1
  smul
  1
  rmul
  1
  rev
  1
  smso
  1
  rmso
  1
  sgr0
  1
  blink
  1
  invis
  1
  sitm
  1
  ritm
  1
  setaf
  1
  setab
  1
  op
  1
  clear
  2
  el
  1
  el1
  1
  ed
  1
  cup
  1
  home
  1
  civis
  1
  cnorm
  1
  smcup
  1
  rmcup
  1
  cuu1
  1
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  1
  cub1
  1
  cuu
  1
  cud
  1
  cuf
  1
  cub
  1
  ich1
  1
  dch1
  1
  il1
  1
  dl1
  1
  il
  1
  dl
  1
  sc
  1
  rc
  1
  csr
  1
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  1
  ht
  1
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  -1
  tput: unknown terminfo capability '3'
  -1
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  1
  it
  -1
  tput: unknown terminfo capability '3'
  -1
  4
  pairs
  -1
  tput: unknown terminfo capability '3'
  -1
  4
  kcuu1
  1
  kf1
  1
  kbs
  1
  khome
  1
  tsl
  1
  fsl
  1
  u6
  1
  u7
  1
  smkx
  1
  rmkx
  1

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T linux $c; tput -T linux $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  ^[[2mtput: unknown terminfo capability '3'
  ^[[2m4
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[24mtput: unknown terminfo capability '3'
  ^[[24m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  rmso
  ^[[27mtput: unknown terminfo capability '3'
  ^[[27m4
  sgr0
  ^[[m^Otput: unknown terminfo capability '3'
  ^[[m^O4
  blink
  ^[[5mtput: unknown terminfo capability '3'
  ^[[5m4
  invis
  1
  sitm
  1
  ritm
  1
  setaf
  ^[[3%p1%dmtput: unknown terminfo capability '1'
  ^[[33m4
  setab
  ^[[4%p1%dmtput: unknown terminfo capability '1'
  ^[[43m4
  op
  ^[[39;49mtput: unknown terminfo capability '3'
  ^[[39;49m4
  clear
  ^[[H^[[J^[[3Jtput: unknown terminfo capability '3'
  ^[[H^[[J^[[3J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  ^[[1Ktput: unknown terminfo capability '3'
  ^[[1K4
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  ^[[?25l^[[?1ctput: unknown terminfo capability '3'
  ^[[?25l^[[?1c4
  cnorm
  ^[[?25h^[[?0ctput: unknown terminfo capability '3'
  ^[[?25h^[[?0c4
  smcup
  1
  rmcup
  1
  cuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^Htput: unknown terminfo capability '3'
  ^H4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  ^[[@tput: unknown terminfo capability '3'
  ^[[@4
  dch1
  ^[[Ptput: unknown terminfo capability '3'
  ^[[P4
  il1
  ^[[Ltput: unknown terminfo capability '3'
  ^[[L4
  dl1
  ^[[Mtput: unknown terminfo capability '3'
  ^[[M4
  il
  ^[[%p1%dLtput: unknown terminfo capability '1'
  ^[[3L4
  dl
  ^[[%p1%dMtput: unknown terminfo capability '1'
  ^[[3M4
  sc
  ^[7tput: unknown terminfo capability '3'
  ^[74
  rc
  ^[8tput: unknown terminfo capability '3'
  ^[84
  csr
  ^[[%i%p1%d;%p2%dr^[[4;2r0
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  8
  tput: unknown terminfo capability '3'
  8
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  tput: unknown terminfo capability '3'
  4
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  64
  tput: unknown terminfo capability '3'
  64
  4
  kcuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  kf1
  ^[[[Atput: unknown terminfo capability '3'
  ^[[[A4
  kbs
  ^?tput: unknown terminfo capability '3'
  ^?4
  khome
  ^[[1~tput: unknown terminfo capability '3'
  ^[[1~4
  tsl
  1
  fsl
  1
  u6
  ^[[%i%d;%dR^[[2;4R0
  u7
  ^[[6ntput: unknown terminfo capability '3'
  ^[[6n4
  smkx
  1
  rmkx
  1

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T rxvt $c; tput -T rxvt $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  1
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[24mtput: unknown terminfo capability '3'
  ^[[24m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  rmso
  ^[[27mtput: unknown terminfo capability '3'
  ^[[27m4
  sgr0
  ^[[m^Otput: unknown terminfo capability '3'
  ^[[m^O4
  blink
  ^[[5mtput: unknown terminfo capability '3'
  ^[[5m4
  invis
  1
  sitm
  1
  ritm
  1
  setaf
  ^[[3%p1%dmtput: unknown terminfo capability '1'
  ^[[33m4
  setab
  ^[[4%p1%dmtput: unknown terminfo capability '1'
  ^[[43m4
  op
  ^[[39;49mtput: unknown terminfo capability '3'
  ^[[39;49m4
  clear
  ^[[H^[[2Jtput: unknown terminfo capability '3'
  ^[[H^[[2J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  ^[[1Ktput: unknown terminfo capability '3'
  ^[[1K4
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  ^[[?25ltput: unknown terminfo capability '3'
  ^[[?25l4
  cnorm
  ^[[?25htput: unknown terminfo capability '3'
  ^[[?25h4
  smcup
  ^[7^[[?47htput: unknown terminfo capability '3'
  ^[7^[[?47h4
  rmcup
  ^[[2J^[[?47l^[8tput: unknown terminfo capability '3'
  ^[[2J^[[?47l^[84
  cuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^Htput: unknown terminfo capability '3'
  ^H4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  ^[[@tput: unknown terminfo capability '3'
  ^[[@4
  dch1
  1
  il1
  ^[[Ltput: unknown terminfo capability '3'
  ^[[L4
  dl1
  ^[[Mtput: unknown terminfo capability '3'
  ^[[M4
  il
  ^[[%p1%dLtput: unknown terminfo capability '1'
  ^[[3L4
  dl
  ^[[%p1%dMtput: unknown terminfo capability '1'
  ^[[3M4
  sc
  ^[7tput: unknown terminfo capability '3'
  ^[74
  rc
  ^[8tput: unknown terminfo capability '3'
  ^[84
  csr
  ^[[%i%p1%d;%p2%dr^[[4;2r0
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  8
  tput: unknown terminfo capability '3'
  8
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  tput: unknown terminfo capability '3'
  4
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  64
  tput: unknown terminfo capability '3'
  64
  4
  kcuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  kf1
  ^[[11~tput: unknown terminfo capability '3'
  ^[[11~4
  kbs
  ^?tput: unknown terminfo capability '3'
  ^?4
  khome
  ^[[7~tput: unknown terminfo capability '3'
  ^[[7~4
  tsl
  1
  fsl
  1
  u6
  1
  u7
  1
  smkx
  ^[=tput: unknown terminfo capability '3'
  ^[=4
  rmkx
  ^[>tput: unknown terminfo capability '3'
  ^[>4

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T rxvt-unicode-256color $c; tput -T rxvt-unicode-256color $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  1
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[24mtput: unknown terminfo capability '3'
  ^[[24m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  rmso
  ^[[27mtput: unknown terminfo capability '3'
  ^[[27m4
  sgr0
  ^[[m^[(Btput: unknown terminfo capability '3'
  ^[[m^[(B4
  blink
  ^[[5mtput: unknown terminfo capability '3'
  ^[[5m4
  invis
  1
  sitm
  ^[[3mtput: unknown terminfo capability '3'
  ^[[3m4
  ritm
  ^[[23mtput: unknown terminfo capability '3'
  ^[[23m4
  setaf
  ^[[38;5;%p1%dmtput: unknown terminfo capability '1'
  ^[[38;5;3m4
  setab
  ^[[48;5;%p1%dmtput: unknown terminfo capability '1'
  ^[[48;5;3m4
  op
  ^[[39;49mtput: unknown terminfo capability '3'
  ^[[39;49m4
  clear
  ^[[H^[[2Jtput: unknown terminfo capability '3'
  ^[[H^[[2J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  ^[[1Ktput: unknown terminfo capability '3'
  ^[[1K4
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  ^[[?25ltput: unknown terminfo capability '3'
  ^[[?25l4
  cnorm
  ^[[?12l^[[?25htput: unknown terminfo capability '3'
  ^[[?12l^[[?25h4
  smcup
  ^[[?1049htput: unknown terminfo capability '3'
  ^[[?1049h4
  rmcup
  ^[[r^[[?1049ltput: unknown terminfo capability '3'
  ^[[r^[[?1049l4
  cuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^Htput: unknown terminfo capability '3'
  ^H4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  ^[[@tput: unknown terminfo capability '3'
  ^[[@4
  dch1
  ^[[Ptput: unknown terminfo capability '3'
  ^[[P4
  il1
  ^[[Ltput: unknown terminfo capability '3'
  ^[[L4
  dl1
  ^[[Mtput: unknown terminfo capability '3'
  ^[[M4
  il
  ^[[%p1%dLtput: unknown terminfo capability '1'
  ^[[3L4
  dl
  ^[[%p1%dMtput: unknown terminfo capability '1'
  ^[[3M4
  sc
  ^[7tput: unknown terminfo capability '3'
  ^[74
  rc
  ^[8tput: unknown terminfo capability '3'
  ^[84
  csr
  ^[[%i%p1%d;%p2%dr^[[4;2r0
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  256
  tput: unknown terminfo capability '3'
  256
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  tput: unknown terminfo capability '3'
  4
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  32767
  tput: unknown terminfo capability '3'
  32767
  4
  kcuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  kf1
  ^[[11~tput: unknown terminfo capability '3'
  ^[[11~4
  kbs
  ^?tput: unknown terminfo capability '3'
  ^?4
  khome
  ^[[7~tput: unknown terminfo capability '3'
  ^[[7~4
  tsl
  ^[]2;tput: unknown terminfo capability '3'
  ^[]2;4
  fsl
  ^Gtput: unknown terminfo capability '3'
  ^G4
  u6
  ^[[%i%d;%dR^[[2;4R0
  u7
  ^[[6ntput: unknown terminfo capability '3'
  ^[[6n4
  smkx
  ^[=tput: unknown terminfo capability '3'
  ^[=4
  rmkx
  ^[>tput: unknown terminfo capability '3'
  ^[>4

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T screen $c; tput -T screen $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  ^[[2mtput: unknown terminfo capability '3'
  ^[[2m4
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[24mtput: unknown terminfo capability '3'
  ^[[24m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[3mtput: unknown terminfo capability '3'
  ^[[3m4
  rmso
  ^[[23mtput: unknown terminfo capability '3'
  ^[[23m4
  sgr0
  ^[[m^Otput: unknown terminfo capability '3'
  ^[[m^O4
  blink
  ^[[5mtput: unknown terminfo capability '3'
  ^[[5m4
  invis
  1
  sitm
  1
  ritm
  1
  setaf
  ^[[3%p1%dmtput: unknown terminfo capability '1'
  ^[[33m4
  setab
  ^[[4%p1%dmtput: unknown terminfo capability '1'
  ^[[43m4
  op
  ^[[39;49mtput: unknown terminfo capability '3'
  ^[[39;49m4
  clear
  ^[[H^[[Jtput: unknown terminfo capability '3'
  ^[[H^[[J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  ^[[1Ktput: unknown terminfo capability '3'
  ^[[1K4
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  ^[[?25ltput: unknown terminfo capability '3'
  ^[[?25l4
  cnorm
  ^[[34h^[[?25htput: unknown terminfo capability '3'
  ^[[34h^[[?25h4
  smcup
  ^[[?1049htput: unknown terminfo capability '3'
  ^[[?1049h4
  rmcup
  ^[[?1049ltput: unknown terminfo capability '3'
  ^[[?1049l4
  cuu1
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^Htput: unknown terminfo capability '3'
  ^H4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  1
  dch1
  ^[[Ptput: unknown terminfo capability '3'
  ^[[P4
  il1
  ^[[Ltput: unknown terminfo capability '3'
  ^[[L4
  dl1
  ^[[Mtput: unknown terminfo capability '3'
  ^[[M4
  il
  ^[[%p1%dLtput: unknown terminfo capability '1'
  ^[[3L4
  dl
  ^[[%p1%dMtput: unknown terminfo capability '1'
  ^[[3M4
  sc
  ^[7tput: unknown terminfo capability '3'
  ^[74
  rc
  ^[8tput: unknown terminfo capability '3'
  ^[84
  csr
  ^[[%i%p1%d;%p2%dr^[[4;2r0
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  8
  tput: unknown terminfo capability '3'
  8
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  tput: unknown terminfo capability '3'
  4
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  64
  tput: unknown terminfo capability '3'
  64
  4
  kcuu1
  ^[OAtput: unknown terminfo capability '3'
  ^[OA4
  kf1
  ^[OPtput: unknown terminfo capability '3'
  ^[OP4
  kbs
  ^?tput: unknown terminfo capability '3'
  ^?4
  khome
  ^[[1~tput: unknown terminfo capability '3'
  ^[[1~4
  tsl
  1
  fsl
  1
  u6
  ^[[%i%d;%dR^[[2;4R0
  u7
  ^[[6ntput: unknown terminfo capability '3'
  ^[[6n4
  smkx
  ^[[?1h^[=tput: unknown terminfo capability '3'
  ^[[?1h^[=4
  rmkx
  ^[[?1l^[>tput: unknown terminfo capability '3'
  ^[[?1l^[>4

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T screen-256color $c; tput -T screen-256color $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  ^[[2mtput: unknown terminfo capability '3'
  ^[[2m4
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[24mtput: unknown terminfo capability '3'
  ^[[24m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[3mtput: unknown terminfo capability '3'
  ^[[3m4
  rmso
  ^[[23mtput: unknown terminfo capability '3'
  ^[[23m4
  sgr0
  ^[[m^Otput: unknown terminfo capability '3'
  ^[[m^O4
  blink
  ^[[5mtput: unknown terminfo capability '3'
  ^[[5m4
  invis
  1
  sitm
  1
  ritm
  1
  setaf
  ^[[%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;mtput: unknown terminfo capability '1'
  ^[[33m4
  setab
  ^[[%?%p1%{8}%<%t4%p1%d%e%p1%{16}%<%t10%p1%{8}%-%d%e48;5;%p1%d%;mtput: unknown terminfo capability '1'
  ^[[43m4
  op
  ^[[39;49mtput: unknown terminfo capability '3'
  ^[[39;49m4
  clear
  ^[[H^[[Jtput: unknown terminfo capability '3'
  ^[[H^[[J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  ^[[1Ktput: unknown terminfo capability '3'
  ^[[1K4
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  ^[[?25ltput: unknown terminfo capability '3'
  ^[[?25l4
  cnorm
  ^[[34h^[[?25htput: unknown terminfo capability '3'
  ^[[34h^[[?25h4
  smcup
  ^[[?1049htput: unknown terminfo capability '3'
  ^[[?1049h4
  rmcup
  ^[[?1049ltput: unknown terminfo capability '3'
  ^[[?1049l4
  cuu1
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^Htput: unknown terminfo capability '3'
  ^H4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  1
  dch1
  ^[[Ptput: unknown terminfo capability '3'
  ^[[P4
  il1
  ^[[Ltput: unknown terminfo capability '3'
  ^[[L4
  dl1
  ^[[Mtput: unknown terminfo capability '3'
  ^[[M4
  il
  ^[[%p1%dLtput: unknown terminfo capability '1'
  ^[[3L4
  dl
  ^[[%p1%dMtput: unknown terminfo capability '1'
  ^[[3M4
  sc
  ^[7tput: unknown terminfo capability '3'
  ^[74
  rc
  ^[8tput: unknown terminfo capability '3'
  ^[84
  csr
  ^[[%i%p1%d;%p2%dr^[[4;2r0
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  256
  tput: unknown terminfo capability '3'
  256
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  tput: unknown terminfo capability '3'
  4
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  65536
  tput: unknown terminfo capability '3'
  65536
  4
  kcuu1
  ^[OAtput: unknown terminfo capability '3'
  ^[OA4
  kf1
  ^[OPtput: unknown terminfo capability '3'
  ^[OP4
  kbs
  ^?tput: unknown terminfo capability '3'
  ^?4
  khome
  ^[[1~tput: unknown terminfo capability '3'
  ^[[1~4
  tsl
  1
  fsl
  1
  u6
  ^[[%i%d;%dR^[[2;4R0
  u7
  ^[[6ntput: unknown terminfo capability '3'
  ^[[6n4
  smkx
  ^[[?1h^[=tput: unknown terminfo capability '3'
  ^[[?1h^[=4
  rmkx
  ^[[?1l^[>tput: unknown terminfo capability '3'
  ^[[?1l^[>4

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T tmux $c; tput -T tmux $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  ^[[2mtput: unknown terminfo capability '3'
  ^[[2m4
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[24mtput: unknown terminfo capability '3'
  ^[[24m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  rmso
  ^[[27mtput: unknown terminfo capability '3'
  ^[[27m4
  sgr0
  ^[[m^Otput: unknown terminfo capability '3'
  ^[[m^O4
  blink
  ^[[5mtput: unknown terminfo capability '3'
  ^[[5m4
  invis
  ^[[8mtput: unknown terminfo capability '3'
  ^[[8m4
  sitm
  ^[[3mtput: unknown terminfo capability '3'
  ^[[3m4
  ritm
  ^[[23mtput: unknown terminfo capability '3'
  ^[[23m4
  setaf
  ^[[3%p1%dmtput: unknown terminfo capability '1'
  ^[[33m4
  setab
  ^[[4%p1%dmtput: unknown terminfo capability '1'
  ^[[43m4
  op
  ^[[39;49mtput: unknown terminfo capability '3'
  ^[[39;49m4
  clear
  ^[[H^[[J^[[3Jtput: unknown terminfo capability '3'
  ^[[H^[[J^[[3J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  ^[[1Ktput: unknown terminfo capability '3'
  ^[[1K4
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  ^[[?25ltput: unknown terminfo capability '3'
  ^[[?25l4
  cnorm
  ^[[34h^[[?25htput: unknown terminfo capability '3'
  ^[[34h^[[?25h4
  smcup
  ^[[?1049htput: unknown terminfo capability '3'
  ^[[?1049h4
  rmcup
  ^[[?1049ltput: unknown terminfo capability '3'
  ^[[?1049l4
  cuu1
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^Htput: unknown terminfo capability '3'
  ^H4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  1
  dch1
  ^[[Ptput: unknown terminfo capability '3'
  ^[[P4
  il1
  ^[[Ltput: unknown terminfo capability '3'
  ^[[L4
  dl1
  ^[[Mtput: unknown terminfo capability '3'
  ^[[M4
  il
  ^[[%p1%dLtput: unknown terminfo capability '1'
  ^[[3L4
  dl
  ^[[%p1%dMtput: unknown terminfo capability '1'
  ^[[3M4
  sc
  ^[7tput: unknown terminfo capability '3'
  ^[74
  rc
  ^[8tput: unknown terminfo capability '3'
  ^[84
  csr
  ^[[%i%p1%d;%p2%dr^[[4;2r0
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  8
  tput: unknown terminfo capability '3'
  8
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  tput: unknown terminfo capability '3'
  4
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  64
  tput: unknown terminfo capability '3'
  64
  4
  kcuu1
  ^[OAtput: unknown terminfo capability '3'
  ^[OA4
  kf1
  ^[OPtput: unknown terminfo capability '3'
  ^[OP4
  kbs
  ^?tput: unknown terminfo capability '3'
  ^?4
  khome
  ^[[1~tput: unknown terminfo capability '3'
  ^[[1~4
  tsl
  ^[]0;tput: unknown terminfo capability '3'
  ^[]0;4
  fsl
  ^Gtput: unknown terminfo capability '3'
  ^G4
  u6
  ^[[%i%d;%dR^[[2;4R0
  u7
  ^[[6ntput: unknown terminfo capability '3'
  ^[[6n4
  smkx
  ^[[?1h^[=tput: unknown terminfo capability '3'
  ^[[?1h^[=4
  rmkx
  ^[[?1l^[>tput: unknown terminfo capability '3'
  ^[[?1l^[>4

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T tmux-256color $c; tput -T tmux-256color $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  ^[[2mtput: unknown terminfo capability '3'
  ^[[2m4
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[24mtput: unknown terminfo capability '3'
  ^[[24m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  rmso
  ^[[27mtput: unknown terminfo capability '3'
  ^[[27m4
  sgr0
  ^[[m^Otput: unknown terminfo capability '3'
  ^[[m^O4
  blink
  ^[[5mtput: unknown terminfo capability '3'
  ^[[5m4
  invis
  ^[[8mtput: unknown terminfo capability '3'
  ^[[8m4
  sitm
  ^[[3mtput: unknown terminfo capability '3'
  ^[[3m4
  ritm
  ^[[23mtput: unknown terminfo capability '3'
  ^[[23m4
  setaf
  ^[[%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;mtput: unknown terminfo capability '1'
  ^[[33m4
  setab
  ^[[%?%p1%{8}%<%t4%p1%d%e%p1%{16}%<%t10%p1%{8}%-%d%e48;5;%p1%d%;mtput: unknown terminfo capability '1'
  ^[[43m4
  op
  ^[[39;49mtput: unknown terminfo capability '3'
  ^[[39;49m4
  clear
  ^[[H^[[J^[[3Jtput: unknown terminfo capability '3'
  ^[[H^[[J^[[3J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  ^[[1Ktput: unknown terminfo capability '3'
  ^[[1K4
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  ^[[?25ltput: unknown terminfo capability '3'
  ^[[?25l4
  cnorm
  ^[[34h^[[?25htput: unknown terminfo capability '3'
  ^[[34h^[[?25h4
  smcup
  ^[[?1049htput: unknown terminfo capability '3'
  ^[[?1049h4
  rmcup
  ^[[?1049ltput: unknown terminfo capability '3'
  ^[[?1049l4
  cuu1
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^Htput: unknown terminfo capability '3'
  ^H4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  1
  dch1
  ^[[Ptput: unknown terminfo capability '3'
  ^[[P4
  il1
  ^[[Ltput: unknown terminfo capability '3'
  ^[[L4
  dl1
  ^[[Mtput: unknown terminfo capability '3'
  ^[[M4
  il
  ^[[%p1%dLtput: unknown terminfo capability '1'
  ^[[3L4
  dl
  ^[[%p1%dMtput: unknown terminfo capability '1'
  ^[[3M4
  sc
  ^[7tput: unknown terminfo capability '3'
  ^[74
  rc
  ^[8tput: unknown terminfo capability '3'
  ^[84
  csr
  ^[[%i%p1%d;%p2%dr^[[4;2r0
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  256
  tput: unknown terminfo capability '3'
  256
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  tput: unknown terminfo capability '3'
  4
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  65536
  tput: unknown terminfo capability '3'
  65536
  4
  kcuu1
  ^[OAtput: unknown terminfo capability '3'
  ^[OA4
  kf1
  ^[OPtput: unknown terminfo capability '3'
  ^[OP4
  kbs
  ^?tput: unknown terminfo capability '3'
  ^?4
  khome
  ^[[1~tput: unknown terminfo capability '3'
  ^[[1~4
  tsl
  ^[]0;tput: unknown terminfo capability '3'
  ^[]0;4
  fsl
  ^Gtput: unknown terminfo capability '3'
  ^G4
  u6
  ^[[%i%d;%dR^[[2;4R0
  u7
  ^[[6ntput: unknown terminfo capability '3'
  ^[[6n4
  smkx
  ^[[?1h^[=tput: unknown terminfo capability '3'
  ^[[?1h^[=4
  rmkx
  ^[[?1l^[>tput: unknown terminfo capability '3'
  ^[[?1l^[>4

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T vt100 $c; tput -T vt100 $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  1
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[mtput: unknown terminfo capability '3'
  ^[[m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  rmso
  ^[[mtput: unknown terminfo capability '3'
  ^[[m4
  sgr0
  ^[[m^Otput: unknown terminfo capability '3'
  ^[[m^O4
  blink
  ^[[5mtput: unknown terminfo capability '3'
  ^[[5m4
  invis
  1
  sitm
  1
  ritm
  1
  setaf
  1
  setab
  1
  op
  1
  clear
  ^[[H^[[Jtput: unknown terminfo capability '3'
  ^[[H^[[J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  ^[[1Ktput: unknown terminfo capability '3'
  ^[[1K4
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  1
  cnorm
  1
  smcup
  1
  rmcup
  1
  cuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^Htput: unknown terminfo capability '3'
  ^H4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  1
  dch1
  1
  il1
  1
  dl1
  1
  il
  1
  dl
  1
  sc
  ^[7tput: unknown terminfo capability '3'
  ^[74
  rc
  ^[8tput: unknown terminfo capability '3'
  ^[84
  csr
  ^[[%i%p1%d;%p2%dr^[[4;2r0
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  -1
  tput: unknown terminfo capability '3'
  -1
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  tput: unknown terminfo capability '3'
  4
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  -1
  tput: unknown terminfo capability '3'
  -1
  4
  kcuu1
  ^[OAtput: unknown terminfo capability '3'
  ^[OA4
  kf1
  ^[OPtput: unknown terminfo capability '3'
  ^[OP4
  kbs
  ^Htput: unknown terminfo capability '3'
  ^H4
  khome
  1
  tsl
  1
  fsl
  1
  u6
  ^[[%i%d;%dR^[[2;4R0
  u7
  ^[[6ntput: unknown terminfo capability '3'
  ^[[6n4
  smkx
  ^[[?1h^[=tput: unknown terminfo capability '3'
  ^[[?1h^[=4
  rmkx
  ^[[?1l^[>tput: unknown terminfo capability '3'
  ^[[?1l^[>4

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T vt102 $c; tput -T vt102 $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  1
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[mtput: unknown terminfo capability '3'
  ^[[m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  rmso
  ^[[mtput: unknown terminfo capability '3'
  ^[[m4
  sgr0
  ^[[m^Otput: unknown terminfo capability '3'
  ^[[m^O4
  blink
  ^[[5mtput: unknown terminfo capability '3'
  ^[[5m4
  invis
  1
  sitm
  1
  ritm
  1
  setaf
  1
  setab
  1
  op
  1
  clear
  ^[[H^[[Jtput: unknown terminfo capability '3'
  ^[[H^[[J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  ^[[1Ktput: unknown terminfo capability '3'
  ^[[1K4
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  1
  cnorm
  1
  smcup
  1
  rmcup
  1
  cuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^Htput: unknown terminfo capability '3'
  ^H4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  1
  dch1
  ^[[Ptput: unknown terminfo capability '3'
  ^[[P4
  il1
  ^[[Ltput: unknown terminfo capability '3'
  ^[[L4
  dl1
  ^[[Mtput: unknown terminfo capability '3'
  ^[[M4
  il
  1
  dl
  1
  sc
  ^[7tput: unknown terminfo capability '3'
  ^[74
  rc
  ^[8tput: unknown terminfo capability '3'
  ^[84
  csr
  ^[[%i%p1%d;%p2%dr^[[4;2r0
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  -1
  tput: unknown terminfo capability '3'
  -1
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  tput: unknown terminfo capability '3'
  4
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  -1
  tput: unknown terminfo capability '3'
  -1
  4
  kcuu1
  ^[OAtput: unknown terminfo capability '3'
  ^[OA4
  kf1
  ^[OPtput: unknown terminfo capability '3'
  ^[OP4
  kbs
  ^Htput: unknown terminfo capability '3'
  ^H4
  khome
  1
  tsl
  1
  fsl
  1
  u6
  ^[[%i%d;%dR^[[2;4R0
  u7
  ^[[6ntput: unknown terminfo capability '3'
  ^[[6n4
  smkx
  ^[[?1h^[=tput: unknown terminfo capability '3'
  ^[[?1h^[=4
  rmkx
  ^[[?1l^[>tput: unknown terminfo capability '3'
  ^[[?1l^[>4

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T vt220 $c; tput -T vt220 $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  1
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[24mtput: unknown terminfo capability '3'
  ^[[24m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  rmso
  ^[[27mtput: unknown terminfo capability '3'
  ^[[27m4
  sgr0
  ^[[m^[(Btput: unknown terminfo capability '3'
  ^[[m^[(B4
  blink
  ^[[5mtput: unknown terminfo capability '3'
  ^[[5m4
  invis
  1
  sitm
  1
  ritm
  1
  setaf
  1
  setab
  1
  op
  1
  clear
  ^[[H^[[Jtput: unknown terminfo capability '3'
  ^[[H^[[J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  ^[[1Ktput: unknown terminfo capability '3'
  ^[[1K4
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  ^[[?25ltput: unknown terminfo capability '3'
  ^[[?25l4
  cnorm
  ^[[?25htput: unknown terminfo capability '3'
  ^[[?25h4
  smcup
  1
  rmcup
  1
  cuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^Htput: unknown terminfo capability '3'
  ^H4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  1
  dch1
  ^[[Ptput: unknown terminfo capability '3'
  ^[[P4
  il1
  ^[[Ltput: unknown terminfo capability '3'
  ^[[L4
  dl1
  ^[[Mtput: unknown terminfo capability '3'
  ^[[M4
  il
  ^[[%p1%dLtput: unknown terminfo capability '1'
  ^[[3L4
  dl
  ^[[%p1%dMtput: unknown terminfo capability '1'
  ^[[3M4
  sc
  ^[7tput: unknown terminfo capability '3'
  ^[74
  rc
  ^[8tput: unknown terminfo capability '3'
  ^[84
  csr
  ^[[%i%p1%d;%p2%dr^[[4;2r0
  ind
  ^[Dtput: unknown terminfo capability '3'
  ^[D4
  ri
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  -1
  tput: unknown terminfo capability '3'
  -1
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  tput: unknown terminfo capability '3'
  4
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  -1
  tput: unknown terminfo capability '3'
  -1
  4
  kcuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  kf1
  ^[OPtput: unknown terminfo capability '3'
  ^[OP4
  kbs
  ^Htput: unknown terminfo capability '3'
  ^H4
  khome
  1
  tsl
  1
  fsl
  1
  u6
  ^[[%i%d;%dR^[[2;4R0
  u7
  ^[[6ntput: unknown terminfo capability '3'
  ^[[6n4
  smkx
  1
  rmkx
  1

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T vt52 $c; tput -T vt52 $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  1
  dim
  1
  smul
  1
  rmul
  1
  rev
  1
  smso
  1
  rmso
  1
  sgr0
  1
  blink
  1
  invis
  1
  sitm
  1
  ritm
  1
  setaf
  1
  setab
  1
  op
  1
  clear
  ^[H^[Jtput: unknown terminfo capability '3'
  ^[H^[J4
  el
  ^[Ktput: unknown terminfo capability '3'
  ^[K4
  el1
  1
  ed
  ^[Jtput: unknown terminfo capability '3'
  ^[J4
  cup
  ^[Y%p1%' '%+%c%p2%' '%+%c^[Y#!0
  home
  ^[Htput: unknown terminfo capability '3'
  ^[H4
  civis
  1
  cnorm
  1
  smcup
  1
  rmcup
  1
  cuu1
  ^[Atput: unknown terminfo capability '3'
  ^[A4
  cud1
  ^[Btput: unknown terminfo capability '3'
  ^[B4
  cuf1
  ^[Ctput: unknown terminfo capability '3'
  ^[C4
  cub1
  ^[Dtput: unknown terminfo capability '3'
  ^[D4
  cuu
  1
  cud
  1
  cuf
  1
  cub
  1
  ich1
  1
  dch1
  1
  il1
  1
  dl1
  1
  il
  1
  dl
  1
  sc
  1
  rc
  1
  csr
  1
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  ^[Itput: unknown terminfo capability '3'
  ^[I4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  -1
  tput: unknown terminfo capability '3'
  -1
  4
  am
  1
  xenl
  1
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  -1
  tput: unknown terminfo capability '3'
  -1
  4
  kcuu1
  ^[Atput: unknown terminfo capability '3'
  ^[A4
  kf1
  ^[Ptput: unknown terminfo capability '3'
  ^[P4
  kbs
  ^Htput: unknown terminfo capability '3'
  ^H4
  khome
  1
  tsl
  1
  fsl
  1
  u6
  1
  u7
  1
  smkx
  ^[=tput: unknown terminfo capability '3'
  ^[=4
  rmkx
  ^[>tput: unknown terminfo capability '3'
  ^[>4

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T xterm $c; tput -T xterm $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  ^[[2mtput: unknown terminfo capability '3'
  ^[[2m4
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[24mtput: unknown terminfo capability '3'
  ^[[24m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  rmso
  ^[[27mtput: unknown terminfo capability '3'
  ^[[27m4
  sgr0
  ^[(B^[[mtput: unknown terminfo capability '3'
  ^[(B^[[m4
  blink
  ^[[5mtput: unknown terminfo capability '3'
  ^[[5m4
  invis
  ^[[8mtput: unknown terminfo capability '3'
  ^[[8m4
  sitm
  ^[[3mtput: unknown terminfo capability '3'
  ^[[3m4
  ritm
  ^[[23mtput: unknown terminfo capability '3'
  ^[[23m4
  setaf
  ^[[3%p1%dmtput: unknown terminfo capability '1'
  ^[[33m4
  setab
  ^[[4%p1%dmtput: unknown terminfo capability '1'
  ^[[43m4
  op
  ^[[39;49mtput: unknown terminfo capability '3'
  ^[[39;49m4
  clear
  ^[[H^[[2J^[[3Jtput: unknown terminfo capability '3'
  ^[[H^[[2J^[[3J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  ^[[1Ktput: unknown terminfo capability '3'
  ^[[1K4
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  ^[[?25ltput: unknown terminfo capability '3'
  ^[[?25l4
  cnorm
  ^[[?12l^[[?25htput: unknown terminfo capability '3'
  ^[[?12l^[[?25h4
  smcup
  ^[[?1049h^[[22;0;0ttput: unknown terminfo capability '3'
  ^[[?1049h^[[22;0;0t4
  rmcup
  ^[[?1049l^[[23;0;0ttput: unknown terminfo capability '3'
  ^[[?1049l^[[23;0;0t4
  cuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^Htput: unknown terminfo capability '3'
  ^H4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  1
  dch1
  ^[[Ptput: unknown terminfo capability '3'
  ^[[P4
  il1
  ^[[Ltput: unknown terminfo capability '3'
  ^[[L4
  dl1
  ^[[Mtput: unknown terminfo capability '3'
  ^[[M4
  il
  ^[[%p1%dLtput: unknown terminfo capability '1'
  ^[[3L4
  dl
  ^[[%p1%dMtput: unknown terminfo capability '1'
  ^[[3M4
  sc
  ^[7tput: unknown terminfo capability '3'
  ^[74
  rc
  ^[8tput: unknown terminfo capability '3'
  ^[84
  csr
  ^[[%i%p1%d;%p2%dr^[[4;2r0
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  8
  tput: unknown terminfo capability '3'
  8
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  tput: unknown terminfo capability '3'
  4
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  64
  tput: unknown terminfo capability '3'
  64
  4
  kcuu1
  ^[OAtput: unknown terminfo capability '3'
  ^[OA4
  kf1
  ^[OPtput: unknown terminfo capability '3'
  ^[OP4
  kbs
  ^?tput: unknown terminfo capability '3'
  ^?4
  khome
  ^[OHtput: unknown terminfo capability '3'
  ^[OH4
  tsl
  1
  fsl
  1
  u6
  ^[[%i%d;%dR^[[2;4R0
  u7
  ^[[6ntput: unknown terminfo capability '3'
  ^[[6n4
  smkx
  ^[[?1h^[=tput: unknown terminfo capability '3'
  ^[[?1h^[=4
  rmkx
  ^[[?1l^[>tput: unknown terminfo capability '3'
  ^[[?1l^[>4

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T xterm-color $c; tput -T xterm-color $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  1
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[mtput: unknown terminfo capability '3'
  ^[[m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  rmso
  ^[[mtput: unknown terminfo capability '3'
  ^[[m4
  sgr0
  ^[[mtput: unknown terminfo capability '3'
  ^[[m4
  blink
  1
  invis
  1
  sitm
  1
  ritm
  1
  setaf
  ^[[3%p1%dmtput: unknown terminfo capability '1'
  ^[[33m4
  setab
  ^[[4%p1%dmtput: unknown terminfo capability '1'
  ^[[43m4
  op
  ^[[mtput: unknown terminfo capability '3'
  ^[[m4
  clear
  ^[[H^[[2Jtput: unknown terminfo capability '3'
  ^[[H^[[2J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  1
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  1
  cnorm
  1
  smcup
  ^[7^[[?47htput: unknown terminfo capability '3'
  ^[7^[[?47h4
  rmcup
  ^[[2J^[[?47l^[8tput: unknown terminfo capability '3'
  ^[[2J^[[?47l^[84
  cuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^Htput: unknown terminfo capability '3'
  ^H4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  1
  dch1
  ^[[Ptput: unknown terminfo capability '3'
  ^[[P4
  il1
  ^[[Ltput: unknown terminfo capability '3'
  ^[[L4
  dl1
  ^[[Mtput: unknown terminfo capability '3'
  ^[[M4
  il
  ^[[%p1%dLtput: unknown terminfo capability '1'
  ^[[3L4
  dl
  ^[[%p1%dMtput: unknown terminfo capability '1'
  ^[[3M4
  sc
  ^[7tput: unknown terminfo capability '3'
  ^[74
  rc
  ^[8tput: unknown terminfo capability '3'
  ^[84
  csr
  ^[[%i%p1%d;%p2%dr^[[4;2r0
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  8
  tput: unknown terminfo capability '3'
  8
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  tput: unknown terminfo capability '3'
  4
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  64
  tput: unknown terminfo capability '3'
  64
  4
  kcuu1
  ^[OAtput: unknown terminfo capability '3'
  ^[OA4
  kf1
  ^[[11~tput: unknown terminfo capability '3'
  ^[[11~4
  kbs
  ^?tput: unknown terminfo capability '3'
  ^?4
  khome
  1
  tsl
  1
  fsl
  1
  u6
  ^[[%i%d;%dR^[[2;4R0
  u7
  ^[[6ntput: unknown terminfo capability '3'
  ^[[6n4
  smkx
  ^[[?1h^[=tput: unknown terminfo capability '3'
  ^[[?1h^[=4
  rmkx
  ^[[?1l^[>tput: unknown terminfo capability '3'
  ^[[?1l^[>4

$ exec 2>&1; for c in bold dim smul rmul rev smso rmso sgr0 blink invis sitm ritm setaf setab op clear el el1 ed cup home civis cnorm smcup rmcup cuu1 cud1 cuf1 cub1 cuu cud cuf cub ich1 dch1 il1 dl1 il dl sc rc csr ind ri ht bel cr colors am xenl it pairs kcuu1 kf1 kbs khome tsl fsl u6 u7 smkx rmkx; do echo $c; tput -T xterm-mono $c; tput -T xterm-mono $c 3 1; echo $?; done 2>&1 | cat -v
  bold
  ^[[1mtput: unknown terminfo capability '3'
  ^[[1m4
  dim
  1
  smul
  ^[[4mtput: unknown terminfo capability '3'
  ^[[4m4
  rmul
  ^[[mtput: unknown terminfo capability '3'
  ^[[m4
  rev
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  smso
  ^[[7mtput: unknown terminfo capability '3'
  ^[[7m4
  rmso
  ^[[mtput: unknown terminfo capability '3'
  ^[[m4
  sgr0
  ^[[mtput: unknown terminfo capability '3'
  ^[[m4
  blink
  1
  invis
  1
  sitm
  1
  ritm
  1
  setaf
  1
  setab
  1
  op
  1
  clear
  ^[[H^[[2Jtput: unknown terminfo capability '3'
  ^[[H^[[2J4
  el
  ^[[Ktput: unknown terminfo capability '3'
  ^[[K4
  el1
  1
  ed
  ^[[Jtput: unknown terminfo capability '3'
  ^[[J4
  cup
  ^[[%i%p1%d;%p2%dH^[[4;2H0
  home
  ^[[Htput: unknown terminfo capability '3'
  ^[[H4
  civis
  1
  cnorm
  1
  smcup
  ^[7^[[?47htput: unknown terminfo capability '3'
  ^[7^[[?47h4
  rmcup
  ^[[2J^[[?47l^[8tput: unknown terminfo capability '3'
  ^[[2J^[[?47l^[84
  cuu1
  ^[[Atput: unknown terminfo capability '3'
  ^[[A4
  cud1
  
  tput: unknown terminfo capability '3'
  
  4
  cuf1
  ^[[Ctput: unknown terminfo capability '3'
  ^[[C4
  cub1
  ^Htput: unknown terminfo capability '3'
  ^H4
  cuu
  ^[[%p1%dAtput: unknown terminfo capability '1'
  ^[[3A4
  cud
  ^[[%p1%dBtput: unknown terminfo capability '1'
  ^[[3B4
  cuf
  ^[[%p1%dCtput: unknown terminfo capability '1'
  ^[[3C4
  cub
  ^[[%p1%dDtput: unknown terminfo capability '1'
  ^[[3D4
  ich1
  1
  dch1
  ^[[Ptput: unknown terminfo capability '3'
  ^[[P4
  il1
  ^[[Ltput: unknown terminfo capability '3'
  ^[[L4
  dl1
  ^[[Mtput: unknown terminfo capability '3'
  ^[[M4
  il
  ^[[%p1%dLtput: unknown terminfo capability '1'
  ^[[3L4
  dl
  ^[[%p1%dMtput: unknown terminfo capability '1'
  ^[[3M4
  sc
  ^[7tput: unknown terminfo capability '3'
  ^[74
  rc
  ^[8tput: unknown terminfo capability '3'
  ^[84
  csr
  ^[[%i%p1%d;%p2%dr^[[4;2r0
  ind
  
  tput: unknown terminfo capability '3'
  
  4
  ri
  ^[Mtput: unknown terminfo capability '3'
  ^[M4
  ht
  	tput: unknown terminfo capability '3'
  	4
  bel
  ^Gtput: unknown terminfo capability '3'
  ^G4
  cr
  ^Mtput: unknown terminfo capability '3'
  ^M4
  colors
  -1
  tput: unknown terminfo capability '3'
  -1
  4
  am
  tput: unknown terminfo capability '3'
  4
  xenl
  tput: unknown terminfo capability '3'
  4
  it
  8
  tput: unknown terminfo capability '3'
  8
  4
  pairs
  -1
  tput: unknown terminfo capability '3'
  -1
  4
  kcuu1
  ^[OAtput: unknown terminfo capability '3'
  ^[OA4
  kf1
  ^[[11~tput: unknown terminfo capability '3'
  ^[[11~4
  kbs
  ^?tput: unknown terminfo capability '3'
  ^?4
  khome
  1
  tsl
  1
  fsl
  1
  u6
  ^[[%i%d;%dR^[[2;4R0
  u7
  ^[[6ntput: unknown terminfo capability '3'
  ^[[6n4
  smkx
  ^[[?1h^[=tput: unknown terminfo capability '3'
  ^[[?1h^[=4
  rmkx
  ^[[?1l^[>tput: unknown terminfo capability '3'
  ^[[?1l^[>4

$ tput setaf -1
[2]

$ exec 2>&1; for o in 'tset -c' 'tset -e x' 'tset -I' 'tset -i x' 'tset -k x' 'tset -m x:y' 'tset -Q' 'tset -r' 'tset -w' 'reset -q'; do $o; echo $?; done 2>&1
  tset: terminal attributes: No such device or address
  
  10
  tset: terminal attributes: No such device or address
  
  10
  tset: terminal attributes: No such device or address
  
  10
  tset: terminal attributes: No such device or address
  
  10
  tset: terminal attributes: No such device or address
  
  10
  tset: terminal attributes: No such device or address
  
  10
  tset: terminal attributes: No such device or address
  
  10
  tset: terminal attributes: No such device or address
  
  10
  tset: terminal attributes: No such device or address
  
  10
  reset: terminal attributes: No such device or address
  
  10

$ exec 2>&1; tput -V > /dev/null; clear -V > /dev/null; tset -V > /dev/null
