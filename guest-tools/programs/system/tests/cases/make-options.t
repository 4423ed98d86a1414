# make's options that few people use.
% exec 2>&1
% printf 'all: a b\n\ta:\n' > /dev/null; printf 'all: x.o y\n\t@echo all $(V)\nx.o: x.c\n\techo cc $< > $@\ny:\n\tfalse\nz: y\n\techo z\n' > Makefile; echo > x.c; mkdir inc; printf 'V = included\n' > inc/v.mk; printf 'include v.mk\nall:\n\t@echo $(V)\n' > i.mk; printf 'all: one two\none:\n\t@echo one\ntwo:\n\t@echo two $(UNSET)\n' > w.mk; touch -d 2020-01-01 x.c

$ make -f i.mk -I inc; make -f i.mk --include-dir=inc; make -f i.mk --include-dir inc; make -f i.mk; echo $?
  included
  included
  included
  i.mk:1: v.mk: No such file or directory
  make: *** No rule to make target 'v.mk'.  Stop.
  2

$ make -f w.mk -w | sed "s,$PWD,/here,"; make -f w.mk --print-directory | sed "s,$PWD,/here,"; make -f w.mk -C . -s --no-print-directory
  make: Entering directory '/here'
  one
  two
  make: Leaving directory '/here'
  make: Entering directory '/here'
  one
  two
  make: Leaving directory '/here'
  one
  two

$ make -f w.mk --warn-undefined-variables; make -f w.mk -r; make -f w.mk --no-builtin-rules; make -f w.mk -R; make -f w.mk --no-builtin-variables; make -f w.mk -S; make -f w.mk --stop; make -f w.mk --no-keep-going; make -f w.mk -O; make -f w.mk -Oline; make -f w.mk --output-sync=target; make -f w.mk -l 4; make -f w.mk --load-average=2 -j2 one
  one
  w.mk:5: warning: undefined variable 'UNSET'
  two
  one
  two
  one
  two
  one
  two
  one
  two
  one
  two
  one
  two
  one
  two
  one
  two
  one
  two
  one
  two
  one
  two
  one

$ make -f w.mk -E 'UNSET=set'; make -f w.mk --eval='UNSET=more'; make -f w.mk --eval 'three: ; @echo three' three
  one
  two set
  one
  two more
  three

$ make -k; make -i; echo $?; make x.o; touch -d 2021-01-01 x.o; make x.o; make -W x.c x.o; touch -d 2021-01-01 x.o; make --what-if=x.c x.o; touch -d 2021-01-01 x.o; make --new-file=x.c x.o; touch -d 2021-01-01 x.o; make --assume-new x.c -n x.o; touch x.c; touch -d 2021-01-01 x.o; make -o x.c x.o; make --old-file=x.c x.o; make --assume-old x.c x.o; make -k -S; echo $?
  echo cc x.c > x.o
  false
  make: *** [Makefile:6: y] Error 1
  make: Target 'all' not remade because of errors.
  false
  make: [Makefile:6: y] Error 1 (ignored)
  all
  0
  make: 'x.o' is up to date.
  make: 'x.o' is up to date.
  echo cc x.c > x.o
  echo cc x.c > x.o
  echo cc x.c > x.o
  echo cc x.c > x.o
  make: 'x.o' is up to date.
  make: 'x.o' is up to date.
  make: 'x.o' is up to date.
  echo cc x.c > x.o
  false
  make: *** [Makefile:6: y] Error 1
  2

$ make -f w.mk --trace; make --trace x.o; printf '.PHONY: p\np: x.c\n\t@echo p\n\t@echo q\nfrom: x.c w.mk\n\ttouch $@\n' > p.mk; make -f p.mk --trace; make -f p.mk --trace from; make -f p.mk --trace from; touch -d 2021-01-01 from; touch -d 2022-01-01 w.mk; make -f p.mk --trace from; make -f p.mk --trace -n p
  w.mk:3: target 'one' does not exist
  echo one
  one
  w.mk:5: target 'two' does not exist
  echo two 
  two
  Makefile:4: update target 'x.o' due to: x.c
  echo cc x.c > x.o
  p.mk:3: update target 'p' due to: x.c
  echo p
  p
  echo q
  q
  p.mk:6: update target 'from' due to: x.c w.mk
  touch from
  make: 'from' is up to date.
  p.mk:6: update target 'from' due to: w.mk
  touch from
  p.mk:3: update target 'p' due to: x.c
  echo p
  echo q
