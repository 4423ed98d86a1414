% exec 2>&1; unset MAKEFLAGS MAKELEVEL
% mk() { printf '%b' "$1" > Makefile; shift; make "$@"; }

$ mk 'all: a b\n\t@echo all: $^\na:\n\techo a > $@\nb: a\n\tcp $< $@\n'; make; make a; touch -d 2001-01-01 b; make b
  echo a > a
  cp a b
  all: a b
  all: a b
  make: 'a' is up to date.
  cp a b

$ mk 'X := 1\nY = $(X)2\nX = 3\nZ ?= z\nZ ?= y\nX += 4\nS != echo hi; echo there\nall:\n\t@echo "$(Y)" "$X" "$(Z)" "$(S)"\n'; make X=cmd; Z=env make; Z=env make -e
  3 42 3 4 z hi there
  cmd2 cmd z hi there
  3 42 3 4 env hi there
  3 42 3 4 env hi there

$ mk 'OBJ = $(patsubst %.c,%.o,$(wildcard *.c))\nprog: $(OBJ)\n\tcat $^ > $@\n%.o: %.c\n\tcp $< $@\n' ; touch b.c a.c; make; make; touch -d 2001-01-01 a.o; make prog; make -B prog
  cat  > prog
  cp a.c a.o
  cp b.c b.o
  cat a.o b.o > prog
  make: 'prog' is up to date.
  cp a.c a.o
  cat a.o b.o > prog
  cp a.c a.o
  cp b.c b.o
  cat a.o b.o > prog

$ mk '.PHONY: clean all\nall:\nclean:\n\trm -f x\n\t-false\n\t@false\n\techo no\n' clean; echo $?; make all; make nope; echo $?
  rm -f x
  false
  make: [Makefile:5: clean] Error 1 (ignored)
  make: *** [Makefile:6: clean] Error 1
  2
  make: Nothing to be done for 'all'.
  make: *** No rule to make target 'nope'.  Stop.
  2

$ mk 'ifeq ($(A),1)\nV=one\nelse ifeq ($(A),2)\nV=two\nelse\nV=other\nendif\nifdef B\nV+=b\nendif\nifneq "$(A)" "2"\nV+=n\nendif\nall:;@echo $(V)\n'; make A=1; make A=2 B=; make B=x
  other n
  one n
  two
  other b n

$ mk 'include c.mk\n-include none.mk\nall: ; @echo $(C) $(MAKEFILE_LIST)\nc.mk:\n\techo C=made > $@\n'; make
  echo C=made > c.mk
  made Makefile c.mk
  made Makefile c.mk

$ mk 'all: p q\np q:\n\tfalse\n'; echo $?; make -k; echo $?; make -i; make -n; make -s -k; make -q; echo $?
  false
  make: *** [Makefile:3: p] Error 1
  2
  false
  make: *** [Makefile:3: p] Error 1
  false
  make: *** [Makefile:3: q] Error 1
  make: Target 'all' not remade because of errors.
  2
  false
  make: [Makefile:3: p] Error 1 (ignored)
  false
  make: [Makefile:3: q] Error 1 (ignored)
  false
  false
  make: *** [Makefile:3: p] Error 1
  make: *** [Makefile:3: q] Error 1
  make: Target 'all' not remade because of errors.
  1

$ mk 'L = c a b a\nall:\n\t@echo $(sort $(L)) $(words $(L)) $(word 2,$(L)) $(wordlist 2,3,$(L)) $(firstword $(L)) $(lastword $(L))\n\t@echo $(filter a%,abc bcd) $(filter-out a b,$(L)) $(subst a,X,banana) $(findstring na,banana) $(strip  x   y )\n\t@echo $(dir s/x.c y.c) $(notdir s/x.c) $(suffix s/x.c y) $(basename s/x.c) $(addsuffix .o,a b) $(addprefix -l,a b) $(join a b,1 2 3)\n\t@echo $(if $(L),yes,no) $(or ,b) $(and a,,c) $(foreach v,$(L),[$(v)]) $(L:a=Z) $(L:%={%})\n'
  a b c 4 a a b c a
  abc c bXnXnX na x y
  s/ ./ x.c .c s/x a.o b.o -la -lb a1 b2 3
  yes b [c] [a] [b] [a] c Z b Z {c} {a} {b} {a}

$ mk 'f = $(1)-$(2)-$(0)\nrev = $(2) $(1)\ndefine rule\n$(1): $(2)\n\t@echo $(1) from $(2)\nendef\nall: x y\n$(foreach t,x y,$(eval $(call rule,$(t),dep)))\ndep:\n$(info $(call f,a,b) $(call rev,1,2))\n$(info $(origin f) $(origin none) $(flavor f) $(value f) $(origin PATH) $(origin @))\n'
  a-b-f 2 1
  file undefined recursive $(1)-$(2)-$(0) environment undefined
  x from dep
  y from dep

$ mk 'all: CFLAGS = -O2\nall: sub\n\t@echo $@ $(CFLAGS)\nsub:\n\t@echo $@ $(CFLAGS)\n%.x: K = pat\ny.x:\n\t@echo $(K)\n' all y.x
  sub -O2
  all -O2
  pat

$ mk 'objs = a.o b.o\n$(objs): %.o: %.c | dir\n\t@echo $< $@ $* $| $(@D) $(@F)\na.c b.c:\n\ttouch $@\ndir:\n\tmkdir $@\nall: $(objs)\n' all
  touch a.c
  mkdir dir
  a.c a.o a dir . a.o
  touch b.c
  b.c b.o b dir . b.o

$ mk 'all:\n\t@for i in 1 2; do \\\n\t  echo $$i; \\\n\tdone\n\t@echo $$HOME | wc -l; x=1; echo $$x\n\t@echo "$$x"\n'
  1
  2
  1
  1
  

$ mkdir s; printf 'all:\n\t@echo sub $(V) $(MAKELEVEL)\n' > s/Makefile; { mk 'export V = exp\nall:\n\t$(MAKE) -C s\n\t@cd s && $(MAKE) -s V=2\n' ; make -s; make --no-print-directory; make -C s; make -n; } | sed "s|$PWD|.|"
  make -C s
  make[1]: Entering directory './s'
  sub exp 1
  make[1]: Leaving directory './s'
  sub 2 1
  sub exp 1
  sub 2 1
  make -C s
  sub exp 1
  sub 2 1
  make: Entering directory './s'
  sub 0
  make: Leaving directory './s'
  make -C s
  make[1]: Entering directory './s'
  echo sub exp 1
  make[1]: Leaving directory './s'
  cd s && make -s V=2
  echo sub 2 1

$ mk 'all: a.out\na.out: a.mid\n\tcp $< $@\n%.mid: %.src\n\tcp $< $@\n'; touch a.src; make; ls; make; touch -d 2001-01-01 a.out; make
  make: *** No rule to make target 'a.mid', needed by 'a.out'.  Stop.
  cp a.src a.mid
  cp a.mid a.out
  Makefile
  a.mid
  a.out
  a.src
  make: Nothing to be done for 'all'.
  cp a.mid a.out

$ mk 'A = $(A) x\nall: ; echo $(A)\n' ; echo $?; mk 'all\n'; echo $?; mk 'all: \n echo hi\n'; echo $?; rm Makefile; make; echo $?; make -f none; echo $?; mk 'ifeq (a,b)\nall:\n'; echo $?; mk '$(error bad $(A))\n' A=1; echo $?; mk '$(warning careful)\nall: ; @:\n'
  Makefile:1: *** Recursive variable 'A' references itself (eventually).  Stop.
  2
  Makefile:1: *** missing separator.  Stop.
  2
  Makefile:2: *** missing separator.  Stop.
  2
  make: *** No targets specified and no makefile found.  Stop.
  2
  make: none: No such file or directory
  make: *** No rule to make target 'none'.  Stop.
  2
  Makefile:3: *** missing 'endif'.  Stop.
  2
  Makefile:1: *** bad 1.  Stop.
  2
  Makefile:1: careful

$ mk 'a: b\nb: a\n\t@echo b\n'; mk 'x:\n\techo 1\nx:\n\techo 2\n'
  make: Circular b <- a dependency dropped.
  b
  Makefile:4: warning: overriding recipe for target 'x'
  Makefile:2: warning: ignoring old recipe for target 'x'
  echo 2
  2

$ mk 'one two &: src\n\techo run; touch one two\nsrc:\n\ttouch src\n' one two; make one; make two
  touch src
  echo run; touch one two
  run
  make: 'two' is up to date.
  make: 'one' is up to date.
  make: 'two' is up to date.

$ mk '.ONESHELL:\nall:\n\t@x=5\n\techo $$x\n'; mk 'SHELL = /bin/bash\nall:\n\t@[[ a == a ]] && echo bash $${BASH_VERSION:+set}\n'; mk 'all: ; @echo $(shell echo a; echo b) $(.SHELLSTATUS)\n\t@exit 3\n'; echo $?
  5
  bash set
  a b 0
  make: *** [Makefile:2: all] Error 3
  2

$ mk '.c.o:\n\t@echo $< to $@\nall: x.o\n'  all; touch x.c; make; mk 'VPATH = src\nall: f.o\n%.o: %.in\n\t@echo $< $@\n'; mkdir src; touch src/f.in; make
  make: *** No rule to make target 'x.o', needed by 'all'.  Stop.
  x.c to x.o
  make: *** No rule to make target 'f.o', needed by 'all'.  Stop.
  src/f.in f.o

$ mk 'a:: x\n\t@echo one\na:: y\n\t@echo two\nx y:\n'; mk '.DELETE_ON_ERROR:\nt:\n\techo > $@; false\n'; ls; mk '.DEFAULT_GOAL := second\nfirst:;@echo 1\nsecond:;@echo 2\n'
  one
  two
  echo > t; false
  make: *** [Makefile:3: t] Error 1
  make: *** Deleting file 't'
  Makefile
  2

$ mk '.SECONDEXPANSION:\nX = late\nall: $$(X) $$@.dep\n\t@echo $^\nlate all.dep:\nX = later\nlater:\n'; mk 'all: ; @echo $(MAKECMDGOALS) $(MAKE) $(CURDIR:$(CURDIR)=here)\nb: ; @echo b\n' all b; make -j4 all; make -j 4 b; make -sj b
  later all.dep
  all b make here
  b
  all make here
  b
  b

$ mk '# c\nA = x # tail\nB = a\\#b\nC = a \\\n  b\nall: # none\n\t@echo "[$(A)][$(B)][$(C)]" # shell comment\n\n\t@echo two\n'; mk 'define two\n@echo 1\n@echo 2\nendef\nall:\n\t$(two)\n'; printf 'all:\n\techo x\n' | make -f -; make -t -f - <<< $'q: \n\techo q'; ls q
  [x ][a#b][a b]
  two
  1
  2
  echo x
  x
  touch q
  q

$ mk '%.txt: %.md\n\tsed s/a/b/ $< > $@\nall: $(addsuffix .txt,one two)\n'; echo a > one.md; make all; make -k all; echo b > two.md; make all; cat one.txt
  make: *** No rule to make target 'one.txt', needed by 'all'.  Stop.
  sed s/a/b/ one.md > one.txt
  make: *** No rule to make target 'two.txt', needed by 'all'.  Stop.
  make: *** No rule to make target 'two.txt', needed by 'all'.
  make: Target 'all' not remade because of errors.
  sed s/a/b/ two.md > two.txt
  b

$ mk 'X=$(if a,{b,c},d)\nY=$(subst (,[,a(b))\nZ={$(words a b)}\nW=${subst a,b),a}\nV=$(filter-out },a } b)\nall:;@echo "$X|$Y|$Z|$W|$V"\n'; mk 'all:;@echo "${subst a,b),a}|$(filter-out },a } b)|$(if a,{b,c},d)"\n'
  Makefile:2: *** unterminated call to function 'subst': missing ')'.  Stop.
  b)|a b|{b

$ mk 'X=$(patsubst \\%%.c,p%,%a.c b.c)\nY=$(filter \\%,% a)\nZ=$(patsubst %.c,\\%%,a.c)\nW=$(patsubst a\\%b,x,a%b)\nV=$(patsubst \\\\%x,y%,\\\\zx)\nU=$(X:\\%=q)\nall:;@echo "$X|$Y|$Z|$W|$V|$U"\n'; mk 'a\\%b: ; @echo "$@"\n' 'a%b'; mk '%.o: ; @echo "$@ $*"\nx\\%.o: ; @echo lit "$@"\n' 'x%.o' y.o
  pa b.c|%|%a|x|y\z|pa b.c
  a%b
  lit x%.o
  y.o y

$ mk 'all: $$x y$$z\n%:;@echo "[$@]"\n'; mk '.SECONDEXPANSION:\nall: $$@.x $$(Z)\nZ=late\n%:;@echo "[$@]"\n'; mk 'b: $$x;@echo b\n.SECONDEXPANSION:\nx=y\na: $$x;@echo a\n%:;@echo "[$@]"\n' a b; mk '.SECONDEXPANSION:\nall: x.o y.o\nx_D = p q\n%.o: $$($$*_D)\n\t@echo $@: $^\n%:;@echo "[$@]"\n'; mk '.SECONDEXPANSION:\nall: x.o\n%.o: $$*.nope\n\t@echo $@: $^\n'
  []
  [y]
  [all]
  [all.x]
  [late]
  [all]
  [y]
  a
  []
  b
  make: *** No rule to make target 'x.o', needed by 'all'.  Stop.
  make: *** No rule to make target 'x.o', needed by 'all'.  Stop.
[2]

$ mk 'X=$(call subst,a,b,$$a$(D))\nD=$$(E)\nE=a,a\nY=$(call patsubst,%.c,%.o,x.c y.c)\nZ=$(call if,,x,y)\nall:;@echo '"'"'$X|$Y|$Z'"'"'\n'; mk 'X=$(if x)\nall:;@echo "$X"\n'; mk 'X=$(foreach a,b)\n\nall:;@echo "$X"\n'; mk '\nX=$(word 0,a)\nall:;@echo "$X"\n'; mk 'X=$(word x,a)\nall:;@echo "$X"\n'; mk 'X=$(error bad)\nall:;@echo $X\n'; mk 'Y=$(subst a,b\nall:;@echo $Y\n'; mk 'Y=${Z\nall:;@echo $Y\n'
  $b$(E)|x.o y.o|y
  Makefile:1: *** insufficient number of arguments (1) to function 'if'.  Stop.
  Makefile:1: *** insufficient number of arguments (2) to function 'foreach'.  Stop.
  Makefile:2: *** first argument to 'word' function must be greater than 0.  Stop.
  Makefile:1: *** non-numeric first argument to 'word' function: 'x'.  Stop.
  Makefile:2: *** bad.  Stop.
  Makefile:1: *** unterminated call to function 'subst': missing ')'.  Stop.
  Makefile:1: *** unterminated variable reference.  Stop.
[2]

$ mk 'all:;@echo $(.DEFAULT_GOAL)\nb:;@echo $(.DEFAULT_GOAL)\n' b all; mk '.DEFAULT_GOAL=b\nall:;@echo $(.DEFAULT_GOAL)\nb:;@echo $(.DEFAULT_GOAL)\n'; touch y; mk 'x: y\n\techo $? $^\n' -B; echo false > foo.sh; mk 'foo: foo.sh\n' -s SHELL=nosuch; mk 'x:;@false\n' | cat; touch q.c; mk 'CC=false\n' q.o
  all
  all
  b
  echo y y
  y y
  make: nosuch: No such file or directory
  make: *** [<builtin>: foo] Error 127
  make: *** [Makefile:1: x] Error 1
  false    -c -o q.o q.c
  make: *** [<builtin>: q.o] Error 1
[2]
