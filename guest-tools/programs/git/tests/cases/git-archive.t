% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=:
% exec 2>&1
% git config --global init.defaultBranch main
% git init -q
% seq 100 > a; mkdir -p d/sub; echo e > d/e; echo x > d/sub/x; chmod +x d/e; ln -s a link; : > empty; git add .; git commit -qm first; git tag v1; echo more >> a; git commit -qam second

$ git archive HEAD | sha1sum; git archive v1 | sha1sum; git archive --prefix=p-1/ HEAD | sha1sum; git archive --prefix=p-1/ HEAD | sha1sum; git archive --prefix=x HEAD d | sha1sum; git archive --format=tar HEAD d/sub a | sha1sum; git archive HEAD d/sub a | sha1sum; git archive -v HEAD d > /dev/null; git archive HEAD:d | tar tf -; git archive HEAD -- 'd/*' | sha1sum
  5c7fc59aed7f41349df6050f77b9827e9db479af  -
  67fc5b8b593a2f3745eedc5553adf980dd74e4f6  -
  9608af143ee1d7a08134e7ea33dea3f98b24d8cf  -
  9608af143ee1d7a08134e7ea33dea3f98b24d8cf  -
  b9b1997ec7abbd75e53fc0a1ac1c2a8fb6e05f35  -
  fc174f80b288cab0f30e60fd4b60c02d39b08491  -
  fc174f80b288cab0f30e60fd4b60c02d39b08491  -
  d/
  d/e
  d/sub/
  d/sub/x
  e
  sub/
  sub/x
  4fc4956a53ea7a60c5901ecc76ecf480671143db  -

$ git archive -o o.tar HEAD; sha1sum o.tar; git archive -o o.tgz HEAD; gzip -dc o.tgz | sha1sum; git archive --format=tar.gz -9 HEAD | gzip -dc | sha1sum; git archive -o o.zip HEAD; unzip -Z1 o.zip; unzip -q o.zip -d out; cmp a out/a; ls -l out | cut -c1-10; readlink out/link; unzip -z o.zip | tail -1; git archive --format=zip --prefix=q/ HEAD d > p.zip; unzip -Z1 p.zip; git archive -l
  5c7fc59aed7f41349df6050f77b9827e9db479af  o.tar
  5c7fc59aed7f41349df6050f77b9827e9db479af  -
  5c7fc59aed7f41349df6050f77b9827e9db479af  -
  a
  d/
  d/e
  d/sub/
  d/sub/x
  empty
  link
  total 8
  -rw-r--r--
  drwxr-xr-x
  -rw-r--r--
  lrwxrwxrwx
  a
  043271099317c7f80ed47e1a756e8249ad9cbcc0
  q/
  q/d/
  q/d/e
  q/d/sub/
  q/d/sub/x
  tar
  tgz
  tar.gz
  zip

$ git archive nosuch; echo $?; git archive HEAD nosuch; echo $?; git archive --format=rar HEAD; echo $?; cd d; git archive HEAD | sha1sum; git archive HEAD sub | sha1sum; git archive --prefix=p/ HEAD e | sha1sum
  fatal: not a valid object name: nosuch
  128
  fatal: pathspec 'nosuch' did not match any files
  128
  fatal: Unknown archive format 'rar'
  128
  910f44823c7db72da492bfa8e880004d1e769d55  -
  c688fb284f2d1ee811ef631b2d275adcec2042ab  -
  049e03678dd0b2a2cdb95db0e60adcc24523b0e4  -

$ l=$(printf 'n%.0s' $(seq 90)); mkdir -p $l/$l/$l; echo 1 > $l/file; echo 2 > $l/$l/file; echo 3 > $l/$l/$l/f; echo 4 > $l$l; ln -s $l/$l/$l/f longlink; git add .; git commit -qm long; git archive HEAD | sha1sum
  51cd5ad77ed0231c0a35a9195efc96646e7a2c72  -

$ git archive HEAD | tar tf -; mkdir o; git archive --prefix=p/ v1 | tar xvf - -C o; ls -A o; git archive HEAD | tar xf - -C o a; ls -A o
  a
  d/
  d/e
  d/sub/
  d/sub/x
  empty
  link
  p/
  p/a
  p/d/
  p/d/e
  p/d/sub/
  p/d/sub/x
  p/empty
  p/link
  p
  a
  p
