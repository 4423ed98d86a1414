% exec 2>&1; export GIT_CONFIG_NOSYSTEM=1
% git config --global init.defaultBranch main
% git init -q

$ git config a.b 1; git config --add a.b 2; git config a.b; git config --get-all a.b; git config a.b 3; echo $?; git config --unset a.b; echo $?; git config --replace-all a.b 3; git config --add a.b 4; git config --replace-all a.b 5 '^3'; git config a.b 6 4; git config --get-all a.b; git config --unset a.b '!5'; git config --get-all a.b; git config --fixed-value --get a.b 5; git config --get a.b 6; git config --unset-all a.b; tail -1 .git/config
  2
  1
  2
  warning: a.b has multiple values
  error: cannot overwrite multiple values with a single value
         Use a regexp, --add or --replace-all to change a.b.
  5
  warning: a.b has multiple values
  5
  5
  6
  5
  5
  	logallrefupdates = true

$ git config set a.b 1; git config set --append a.b 2; git config get --all a.b; git config get --value=1 a.b; git config get --show-names a.b; git config get --all --show-names --regexp 'a\..*'; git config get --regexp 'a\..*'; git config set --all a.b 3; git config get a.b; git config unset a.b; git config get a.b; echo $?; git config get --default=x a.b; git config set x.y z; git config rename-section x 'q.Sub'; git config remove-section x; git config list --local --name-only; git config remove-section q.Sub; git config set; git config get --show-origin core.bare; git config --show-scope --list | tail -1; git config --list --show-origin --local | head -1
  1
  2
  1
  a.b 2
  a.b 1
  a.b 2
  2
  3
  1
  x
  fatal: no such section: x
  core.repositoryformatversion
  core.filemode
  core.bare
  core.logallrefupdates
  q.Sub.y
  error: wrong number of arguments, should be 2
  file:.git/config	false
  local	core.logallrefupdates=true
  file:.git/config	core.repositoryformatversion=0

$ printf '[i]\nv=1\n' > .git/inc; printf '[i]\nw=2\n' > .git/inc2; printf '[i]\nz=3\n' > .git/inc3; printf '[include]\n\tpath = inc\n[includeIf "gitdir:**/case/"]\n\tpath = inc2\n[includeIf "gitdir:other/"]\n\tpath = inc3\n[includeIf "onbranch:ma*"]\n\tpath = inc3\n' >> .git/config; git config i.v; git config i.w; git config i.z; git config --no-includes i.v; git config -f .git/config i.v; git config -f .git/config --includes i.v; git config --show-origin --get-regexp '^i\.'; git switch -qc x; git config i.z
  1
  2
  3
  1
  file:.git/inc	i.v 1
  file:.git/inc2	i.w 2
  file:.git/inc3	i.z 3
[1]

$ printf '[a]\n  tab = a\tb\n ; comment\n q = "x # y" z # tail\n cont = one \\\n  two\n esc = \\t\\n\\"\\\\\n novalue\n empty =\n[A "sub"]Key=v\n' >> .git/config; git config a.tab | od -c; git config a.cont; git config --bool a.novalue; git config a.sub.key; git config --bool a.empty; git config --bool a.q; git config --int a.q; git config a.tab 'x	y'; git config a.sub.key w; git config --comment why c.d e; git config --comment '#no' c.d f; tail -6 .git/config; git config --unset a.sub.key; tail -3 .git/config
  0000000   a  \t   b  \n
  0000004
  one   two
  true
  v
  false
  fatal: bad boolean config value 'x # y z' for 'a.q'
  fatal: bad numeric config value 'x # y z' for 'a.q' in file .git/config: invalid unit
   novalue
   empty =
  [A "sub"]
  	key = w
  [c]
  	d = f #no
   empty =
  [c]
  	d = f #no

$ GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=e.v GIT_CONFIG_VALUE_0=1 git config --show-scope --show-origin e.v; V=7 git --config-env=e.f=V config e.f; git --config-env=e.f=NOPE config e.f; echo '[s]a=1' > sys; GIT_CONFIG_SYSTEM=$PWD/sys git config s.a; GIT_CONFIG_NOSYSTEM=0 GIT_CONFIG_SYSTEM=$PWD/sys git config --show-scope s.a; GIT_CONFIG_SYSTEM=$PWD/sys git config --system --list; GIT_CONFIG_SYSTEM=$PWD/sys git config --system s.b 2; cat sys; git config extensions.worktreeConfig true; git config --worktree w.x 1; cat .git/config.worktree; git config --show-scope w.x
  command	command line:	1
  7
  fatal: missing environment variable 'NOPE' for configuration 'e.f'
  system	1
  s.a=1
  [s]a=1
  	b = 2
  [w]
  	x = 1
  worktree	1

$ git config --type=bool x.t yes; git config --int x.n 2k; git config --bool-or-int x.q 1k; git config --type=path x.p '~/q'; git config --get-regexp '^x\.'; git config --type=path x.p | sed "s,$HOME,~,"; git config --type=color --default 'bold red' --get n.n | od -c | head -1; git config --get-color '' 'bold blue black' | od -c | head -1; git config --get-color n.n nope; git config --get-colorbool color.ui; echo $?; git config --get-colorbool color.ui true; git config --type=expiry-date --default never --get q.q; git config --type=nope x.t; git config http.proxy p; git config http.https://x/.proxy q; git config http.https://x/y.sslVerify no; git config --get-urlmatch http.proxy https://x/y; git config --get-urlmatch http https://x/y/z; git config --get-urlmatch http.proxy https://z/
  x.t true
  x.n 2048
  x.q 1024
  x.p ~/q
  ~/q
  0000000 033   [   1   ;   3   1   m  \n
  0000000 033   [   1   ;   3   4   ;   4   0   m
  error: invalid color value: nope
  fatal: unable to parse default color value
  1
  false
  0
  fatal: unrecognized --type argument, nope
  q
  http.proxy q
  http.sslverify no
  p

$ GIT_EDITOR='sed -i s/false/true/' git config -e; git config core.bare; git config core.bare false; GIT_EDITOR=false git config edit; echo '[bad' >> .git/config; git config -l; git status; GIT_EDITOR='sed -i s/.bad//' git config -e; git config core.bare; git config --list x; git config bad; git config -f nofile --list; git config -f nofile a.b; echo $?
  true
  error: there was a problem with the editor 'false'
  fatal: bad config line 6 in file .git/config
  fatal: bad config line 6 in file .git/config
  fatal: bad config line 6 in file .git/config
  fatal: bad config line 6 in file .git/config
  fatal: bad config line 6 in file .git/config
  fatal: bad config line 6 in file .git/config
  fatal: bad config line 6 in file .git/config
  fatal: bad config line 6 in file .git/config
  128

$ git commit -q --allow-empty -m x 2>/dev/null; echo x > f; git config core.bare true; git status; GIT_WORK_TREE=. git status -s; git --work-tree=. status -s; git config core.bare false; cd .git; git --bare rev-parse --is-bare-repository
  fatal: this operation must be run in a work tree
  ?? f
  ?? f
  false
