
$ printf 'one\nboing\nsproingy\n' | nl -sook -bpoing; printf 'one\n\ntwo\n' | nl -v -1; printf 'one\n\ntwo\n' | nl -w3 -s: ; printf 'one\n\ntwo\n' | nl -ba -nln -v-5 -i -2
           one
       1ookboing
       2ooksproingy
      -1	one
         
       0	two
    1:one
      
    2:two
  -5    	one
  -7    	
  -9    	two

$ printf 'a\n\\:\\:\\:\nh\n\\:\\:\nb\n\\:\nf\n' > p; nl -ha -fa p; nl -ha -fa -p p; nl p; printf 'a\nxx\nb\nx:\nc\nxxxx\nd\n' > x; nl -d x -fa x; nl -d xx -fa -ha x; nl -d '' p
       1	a
  
       1	h
  
       1	b
  
       1	f
       1	a
  
       2	h
  
       3	b
  
       4	f
       1	a
  
         h
  
       1	b
  
         f
       1	a
       2	xx
       3	b
  
       1	c
       2	xxxx
       3	d
       1	a
  
       1	b
       2	x:
       3	c
  
       1	d
       1	a
       2	\:\:\:
       3	h
       4	\:\:
       5	b
       6	\:
       7	f

$ printf '\n\n\n\na\n\n' | nl -ba -l2; printf 'a\n\nb' | nl -nrz -w4 -i10 -v100; printf 'a\n  \nb\n' | nl; printf 'a\n' | nl -ba -s '' -w1; printf 'a\n' | nl -bn
         
       1	
         
       2	
       3	a
         
  0100	a
       
  0110	b
       1	a
       2	  
       3	b
  1a
         a

$ echo a > f; echo b > g; nl f g; nl f nope g; echo $?; cat f | nl - g; nl -b x f; nl -w 0 f; nl -n x f; nl -b 'p\(' f; nl -v 9223372036854775807 f g; echo $?
       1	a
       2	b
       1	a
       2	b
  1
       1	a
       2	b
  9223372036854775807	a
  1

$ printf 'a\n\nb\n' > f; nl f | cat -A; nl -v -1 f | cat -A; nl -v -5 -i -3 f | cat -A; nl -w 3 -s: f | cat -A; nl -bn f | cat -A; nl -w 1 -s '' f | cat -A; nl -n rz -v -1 f | cat -A; nl -n ln -v -1 f | cat -A; nl -v-1 -w 2 f | cat -A; nl -s ab f | cat -A; nl -ba -l2 f | cat -A; nl --starting-line-number=-1 f; nl -v 9223372036854775807 f 2>&1; nl -v -9223372036854775808 -w 1 f; nl -v x f 2>&1; nl -s 'é' f | cat -A
       1^Ia$
         $
       2^Ib$
      -1^Ia$
         $
       0^Ib$
      -5^Ia$
         $
      -8^Ib$
    1:a$
      $
    2:b$
         a$
         $
         b$
  1a$
   $
  2b$
  -00001^Ia$
         $
  000000^Ib$
  -1    ^Ia$
         $
  0     ^Ib$
  -1^Ia$
     $
   0^Ib$
       1aba$
          $
       2abb$
       1^Ia$
         $
       2^Ib$
      -1	a
         
       0	b
  9223372036854775807	a
         
  nl: line number overflow
  -9223372036854775808	a
    
  -9223372036854775807	b
  nl: invalid starting line number: ‘x’
       1M-CM-)a$
          $
       2M-CM-)b$
