# GNU coreutils 9.1 of Debian 12.
% umask 022

$ touch b a .h; ls -lf | sort; ls -fl | wc -l; ls -f --color=always | sort; mkdir d; ls -f1 --color=always d | sort; ls --color=always -f d | sort; ls -sf d | sort
  .
  ..
  .h
  a
  b
  6
  .
  ..
  .h
  a
  b
  .
  ..
  .
  ..
  .
  ..

$ mkdir d; ln -s d l; ln -s nowhere o; LS_COLORS='ln=target:di=01;34:or=31' ls --color=always; LS_COLORS='ln=target' ls -F --color=always; LS_COLORS='or=31' ls --color=always o
  [0m[01;34md[0m
  [01;34ml[0m
  [31mo[0m
  [0m[01;34md[0m/
  [01;34ml[0m@
  o@
  [0m[31mo[0m

$ mkdir d; ln -s d l; ln -s nowhere o; ln -s o oo; for c in or=31 mi=31 'or=31;1:mi=33' ln=target; do LS_COLORS=$c ls -l --color=always | sed '1d; s/.*:[0-9][0-9] //'; done
  [0m[01;34md[0m
  [01;36ml[0m -> [01;34md[0m
  [31mo[0m -> [31mnowhere[0m
  [31moo[0m -> [31mo[0m
  [0m[01;34md[0m
  [01;36ml[0m -> [01;34md[0m
  [01;36mo[0m -> [31mnowhere[0m
  [01;36moo[0m -> [31mo[0m
  [0m[01;34md[0m
  [01;36ml[0m -> [01;34md[0m
  [31;1mo[0m -> [33mnowhere[0m
  [31;1moo[0m -> [33mo[0m
  [0m[01;34md[0m
  [01;34ml[0m -> [01;34md[0m
  o -> nowhere
  oo -> o

$ ls -T x 2>&1; echo $?; ls --tabsize=-1 2>&1; ls -T 4; echo $?
  ls: invalid tab size: ‘x’
  2
  ls: invalid tab size: ‘-1’
  0

$ echo abc > f; stat -c '% s|%5s|%-5s|%05s|%+s|%#a|%05a|% 5s|%.2s|%.5s|%5.3s|%010.4s|%.s|' f; stat -c '%10n|%-10n|%.1n|%010n' f
   4|    4|4    |00004|+4|0644|00644|    4|04|00004|  004|      0004|4|
           f|f         |f|         f

$ touch -d '2020-01-02 03:04:05.123456789' f; stat -c '%.3Y|%.Y|%5Y|%.0Y|%015.3Y|%.12Y|% Y|%+Y|%20y|%-40y|%+015Y' f
  1577934245.123|1577934245.123456789|1577934245|1577934245|01577934245.123|1577934245.123456789000| 1577934245|+1577934245|2020-01-02 03:04:05.123456789 +0000|2020-01-02 03:04:05.123456789 +0000     |+00001577934245

$ echo abc > f; stat -c '%q|%' f; stat -c '%5' f 2>&1; stat -c 'a%%b%-' f f 2>&1; stat --printf='%5%|\n' f 2>&1
  ?|%
  stat: ‘%5’: invalid directive
  a%bstat: ‘%-’: invalid directive
  stat: ‘%5%’: invalid directive
[1]
