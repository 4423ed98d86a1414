# GNU coreutils 9.1 of Debian 12.
% umask 022

$ umask 022; touch f; chmod 666 f; chmod -w f 2>&1; echo $?; stat -c %a f; chmod -rw f 2>&1; chmod +x f; chmod -v -w f 2>&1; chmod -c -x f 2>&1
  chmod: f: new permissions are r--rw-rw-, not r--r--r--
  1
  466
  chmod: f: new permissions are ----w--w-, not ---------
  mode of 'f' retained as 0133 (--x-wx-wx)
  chmod: f: new permissions are --x-wx-wx, not --x--x--x
  mode of 'f' changed from 0133 (--x-wx-wx) to 0022 (----w--w-)

$ umask 022; touch f; chmod 644 f; chmod -w f; stat -c %a f; chmod 666 f; chmod a-w f; stat -c %a f
  444
  444

$ ln -s nowhere l; chmod -f 644 l 2>&1; echo $?; chmod -fv 644 l 2>&1; chmod -v 644 nofile 2>&1
  1
  'l' could not be accessed
  chmod: cannot access 'nofile': No such file or directory
  'nofile' could not be accessed
[1]

$ mkdir d e; touch e/f; ln -s ../e d/l; chown -Rv $(id -u) d | sed 's/ as .*//'; echo; chown -RLv $(id -u) d | sed 's/ as .*//'; echo; chown -RHv $(id -u) d | sed 's/ as .*//'
  ownership of 'd/l' retained
  ownership of 'd' retained
  
  ownership of 'd/l/f' retained
  ownership of 'd/l' retained
  ownership of 'd' retained
  
  ownership of 'd/l' retained
  ownership of 'd' retained

$ mkdir d e; touch e/f; ln -s ../e d/l; ln -s d top; for o in -R -RH -RP -RLh; do chown ${o}v $(id -u) top | sed 's/ as .*//'; echo; done; chown -R --dereference $(id -u) d 2>&1
  ownership of 'top' retained
  
  ownership of 'top/l' retained
  ownership of 'top' retained
  
  ownership of 'top' retained
  
  ownership of 'top/l/f' retained
  ownership of 'top/l' retained
  ownership of 'top' retained
  
  chown: -R --dereference requires either -H or -L
[1]

$ mkdir d; ln -s . d/l; chown -RLv $(id -u) d | sed 's/ as .*//'; chgrp -RLv $(id -g) d | sed 's/ as .*//'
  ownership of 'd/l' retained
  ownership of 'd' retained
  group of 'd/l' retained
  group of 'd' retained

$ ln -s nowhere l; chown $(id -u) l 2>&1; echo $?; chown -Rv $(id -u) l | sed 's/ as .*//'; chown -v 0 nofile 2>&1; chgrp -v 0 nofile 2>&1
  chown: cannot dereference 'l': No such file or directory
  1
  ownership of 'l' retained
  chown: cannot access 'nofile': No such file or directory
  failed to change ownership of 'nofile' to 0
  chgrp: cannot access 'nofile': No such file or directory
  failed to change group of 'nofile' to 0
[1]

$ echo x > f; chmod 4755 f; cp -p f g; cp --preserve=mode f h; cp -a f i; cp f j; stat -c %a g h i j; chmod 2755 f; cp -p f k; stat -c %a k
  4755
  4755
  4755
  755
  2755

$ mkdir a; touch a/f; chmod 700 a; chmod 600 a/f; umask 022; cp -r --no-preserve=mode a b; stat -c %a b b/f; cp -a --no-preserve=mode a c; stat -c %a c c/f
  755
  644
  755
  644
