# `pr`: pages, columns and files side by side.
% seq 1 30 > n; printf 'a\tb\nc\n' > t; printf 'one\ntwo\n' > x; printf 'A\nB\nC\n' > y; printf 'a long line that has no place\nx\n\nthe end' > l; printf 'p1\nq1\n\fp2\n\f\fp4\fp5\n' > f; printf 'a\bb\a\033\177\303\251\377\n' > c; touch -d '2024-03-05 06:07:08' n t x y l f c; mkdir d

$ pr x; pr -l 14 x y | tail -n 22
  
  
  2024-03-05 06:07                        x                         Page 1
  
  
  one
  two
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  two
  
  
  
  
  
  
  
  
  
  2024-03-05 06:07                        y                         Page 1
  
  
  A
  B
  C
  
  
  
  
  
  

$ pr -l 12 -D 'on %d.%m.%y at %H:%M:%S' y; pr --length=11 --date-format='%%' x; pr -h 'A HEADER' -l 12 x; pr --header= -l 12 x; pr -h é漢 -D D -l 12 x; pr -D D -h 'a header that is longer than the page is wide, so that no blanks are left in it' -l 11 x
  
  
  on 05.03.24 at 06:07:08                     y                     Page 1
  
  
  A
  B
  
  
  
  
  
  
  
  on 05.03.24 at 06:07:08                     y                     Page 2
  
  
  C
  
  
  
  
  
  
  
  
  %                                x                                Page 1
  
  
  one
  
  
  
  
  
  
  
  %                                x                                Page 2
  
  
  two
  
  
  
  
  
  
  
  2024-03-05 06:07                     A HEADER                     Page 1
  
  
  one
  two
  
  
  
  
  
  
  
  2024-03-05 06:07                                                  Page 1
  
  
  one
  two
  
  
  
  
  
  
  
  D                               é漢                               Page 1
  
  
  one
  two
  
  
  
  
  
  
  
  D a header that is longer than the page is wide, so that no blanks are left in it Page 1
  
  
  one
  
  
  
  
  
  
  
  D a header that is longer than the page is wide, so that no blanks are left in it Page 2
  
  
  two
  
  
  
  
  

$ printf 'in\n' | pr -D D -l 12; printf 'in\n' | pr -D D -l 12 - x; printf 'in\n' | pr -D D -l 12 -h H -; : | pr; pr < x -t - x
  
  
  D                                                                 Page 1
  
  
  in
  
  
  
  
  
  
  
  
  D                                                                 Page 1
  
  
  in
  
  
  
  
  
  
  
  
  D                                x                                Page 1
  
  
  one
  two
  
  
  
  
  
  
  
  D                                H                                Page 1
  
  
  in
  
  
  
  
  
  
  one
  two
  one
  two

$ pr -D D -l 13 +2 -h H n | head -n 20; pr -D D -l 12 +2:3 n; pr -D D -l 12 --pages=15:16 n; pr -t -l 5 +6 n; pr -t -n -l 10 +3 n; pr -t -n -N 1 -l 10 +3 n; pr -l 20 -2 -t +2 n
  
  
  D                                H                                Page 2
  
  
  4
  5
  6
  
  
  
  
  
  
  
  D                                H                                Page 3
  
  
  7
  8
  
  
  D                                n                                Page 2
  
  
  3
  4
  
  
  
  
  
  
  
  D                                n                                Page 3
  
  
  5
  6
  
  
  
  
  
  
  
  D                               n                                Page 15
  
  
  29
  30
  
  
  
  
  
  26
  27
  28
  29
  30
     21	21
     22	22
     23	23
     24	24
     25	25
     26	26
     27	27
     28	28
     29	29
     30	30
      1	21
      2	22
      3	23
      4	24
      5	25
      6	26
      7	27
      8	28
      9	29
     10	30

$ pr -t -3 n; pr -t -3 -l 4 n; pr --columns=4 -l 12 -D D n; pr -t -12 y; pr -t -2 -1 y x; pr -t -2 x -3 y; pr -t -2 l; pr -t -b -2 y
  1			11			21
  2			12			22
  3			13			23
  4			14			24
  5			15			25
  6			16			26
  7			17			27
  8			18			28
  9			19			29
  10			20			30
  1			5			9
  2			6			10
  3			7			11
  4			8			12
  13			17			21
  14			18			22
  15			19			23
  16			20			24
  25			27			29
  26			28			30
  
  
  D                                n                                Page 1
  
  
  1		  3		    5		      7
  2		  4		    6		      8
  
  
  
  
  
  
  
  D                                n                                Page 2
  
  
  9		  11		    13		      15
  10		  12		    14		      16
  
  
  
  
  
  
  
  D                                n                                Page 3
  
  
  17		  19		    21		      23
  18		  20		    22		      24
  
  
  
  
  
  
  
  D                                n                                Page 4
  
  
  25		  27		    29		      30
  26		  28
  
  
  
  
  
  A     B	    C
  A  B  C
  on tw
  one			two
  A			B			C
  a long line that has no place	    
  x				    the end
  A				    C
  B

$ pr -t -3 -a n; pr -t --across --columns=4 x n; pr -t -a y; pr -a -3 -l 12 -D D y; pr -t -a -2 l
  1			2			3
  4			5			6
  7			8			9
  10			11			12
  13			14			15
  16			17			18
  19			20			21
  22			23			24
  25			26			27
  28			29			30
  one		  two
  1		  2		    3		      4
  5		  6		    7		      8
  9		  10		    11		      12
  13		  14		    15		      16
  17		  18		    19		      20
  21		  22		    23		      24
  25		  26		    27		      28
  29		  30
  A
  B
  C
  
  
  D                                y                                Page 1
  
  
  A			B			C
  
  
  
  
  
  
  a long line that has no place	    x
  				    the end

$ pr -t -m x y; pr -t --merge y x l; pr -m -D D -l 12 x y; pr -t -m -w 30 l y; pr -t -m y; printf 'in\nput\n' | pr -t -m x - y; printf '1\n2\n3\n4\n5\n' | pr -t -m - -; pr -t -m -l 2 f y; pr -m -D D -l 12 f y
  one				    A
  two				    B
  				    C
  A			one			a long line that has no
  B			two			x
  C						
  						the end
  
  
  D                                                                 Page 1
  
  
  one				    A
  two				    B
  
  
  
  
  
  
  
  D                                                                 Page 2
  
  
  				    C
  
  
  
  
  
  
  a long line th A
  x	       B
  	       C
  the end
  A
  B
  C
  one			in			A
  two			put			B
  						C
  1				    2
  3				    4
  5				    
  p1				    A
  q1				    B
  p2				    C
  p4
  p5				    
  
  
  D                                                                 Page 1
  
  
  p1				    A
  q1				    B
  
  
  
  
  
  
  
  D                                                                 Page 2
  
  
  p2				    C
  
  
  
  
  
  
  
  
  D                                                                 Page 3
  
  
  
  
  
  
  
  
  
  
  
  D                                                                 Page 4
  
  
  p4
  
  
  
  
  
  
  
  
  D                                                                 Page 5
  
  
  p5				    
  
  
  
  
  
  

$ pr -t -w 20 l; pr -t -2 -w 20 n; pr -t -2 --width=12 l; pr -t -W 8 l; pr --page-width=9 -t n l | tail -n 4; pr -t -W 20 -w 40 -2 l; pr -t -w 30 -W 14 -2 l; pr -W 40 -D D -l 12 x; pr -w 40 -D D -l 12 x
  a long line that has no place
  x
  
  the end
  1	  16
  2	  17
  3	  18
  4	  19
  5	  20
  6	  21
  7	  22
  8	  23
  9	  24
  10	  25
  11	  26
  12	  27
  13	  28
  14	  29
  15	  30
  a lon 
  x     the e
  a long l
  x
  
  the end
  a long li
  x
  
  the end
  a long li 
  x	  the end
  a long 
  x      the en
  
  
  D                x                Page 1
  
  
  one
  two
  
  
  
  
  
  
  
  D                x                Page 1
  
  
  one
  two
  
  
  
  
  

$ pr -t -d y; pr -t --double-space -2 n; pr -d -l 13 -D D y; pr -t -d -l 4 l
  A
  
  B
  
  C
  
  1				    16
  
  2				    17
  
  3				    18
  
  4				    19
  
  5				    20
  
  6				    21
  
  7				    22
  
  8				    23
  
  9				    24
  
  10				    25
  
  11				    26
  
  12				    27
  
  13				    28
  
  14				    29
  
  15				    30
  
  
  D                                y                                Page 1
  
  
  A
  
  
  
  
  
  
  
  
  D                                y                                Page 2
  
  
  B
  
  
  
  
  
  
  
  
  D                                y                                Page 3
  
  
  C
  
  
  
  
  
  
  a long line that has no place
  
  x
  
  
  
  the end

$ pr -t -n y; pr -t -n3 y; pr -t -n: y; pr -t -n:1 n; pr -t '-n ' y; pr --number-lines=/2 -t y; pr -t -n -2 n; pr -t -n:3 -3 n; pr -t -n -a -3 n; pr -t -n -m x y; pr -t -n -N 98 y; pr -t -n2 --first-line-number=98 y; pr -t -N -1 -n y; pr -t -n -W 12 l
      1	A
      2	B
      3	C
    1	A
    2	B
    3	C
      1:A
      2:B
      3:C
  1:1
  2:2
  3:3
  4:4
  5:5
  6:6
  7:7
  8:8
  9:9
  0:10
  1:11
  2:12
  3:13
  4:14
  5:15
  6:16
  7:17
  8:18
  9:19
  0:20
  1:21
  2:22
  3:23
  4:24
  5:25
  6:26
  7:27
  8:28
  9:29
  0:30
      1 A
      2 B
      3 C
   1/A
   2/B
   3/C
      1	1			       16   16
      2	2			       17   17
      3	3			       18   18
      4	4			       19   19
      5	5			       20   20
      6	6			       21   21
      7	7			       22   22
      8	8			       23   23
      9	9			       24   24
     10	10			       25   25
     11	11			       26   26
     12	12			       27   27
     13	13			       28   28
     14	14			       29   29
     15	15			       30   30
    1:1			 11:11			 21:21
    2:2			 12:12			 22:22
    3:3			 13:13			 23:23
    4:4			 14:14			 24:24
    5:5			 15:15			 25:25
    6:6			 16:16			 26:26
    7:7			 17:17			 27:27
    8:8			 18:18			 28:28
    9:9			 19:19			 29:29
   10:10			 20:20			 30:30
      1	1		    2	2		    3	3
      4	4		    5	5		    6	6
      7	7		    8	8		    9	9
     10	10		   11	11		   12	12
     13	13		   14	14		   15	15
     16	16		   17	17		   18	18
     19	19		   20	20		   21	21
     22	22		   23	23		   24	24
     25	25		   26	26		   27	27
     28	28		   29	29		   30	30
      1	one				A
      2	two				B
      3					C
     98	A
     99	B
    100	C
  98	A
  99	B
  00	C
     -1	A
      0	B
      1	C
      1	a lo
      2	x
      3	
      4	the 

$ pr -t -o 5 x; pr --indent=3 -2 -t y; pr -o 2 -D D -l 12 y; pr -o 9 -m -t x y; pr -t -o 4 -n x
       one
       two
     A				       C
     B
    
  
    D                                y                                Page 1
  
  
    A
    B
  
  
  
  
  
    
  
    D                                y                                Page 2
  
  
    C
  
  
  
  
  
  
  	 one				     A
  	 two				     B
  	 				     C
          1	one
          2	two

$ pr -t -s -2 y; pr -t -s: -2 y; pr -t -sxy -2 y; pr -t -s -w 20 -2 y; pr -t -s: -w 20 -2 l; pr -t --separator -m x y; pr -t --separator=, -m x y; pr -t -s, -W 20 -2 l; pr -t -s, -a -2 y
  A	C
  B
  A:C
  B
  AxyC
  B
  A	  C
  B
  a long li:
  x	 :the end
  one	A
  two	B
  	C
  one,A
  two,B
  ,C
  a long li,
  x	 ,the end
  A,B
  C

$ pr -t -S -2 y; pr -t -S: -2 y; pr -t '-S | ' -2 y; pr -t --sep-string -m x y; pr -t --sep-string=' <> ' -m x y l; pr -t -s: -S -2 y; pr -t -S_ -s: -2 y; pr -t -S' ' -J -2 l; pr -t '-S	' -2 y
  A				    C
  B
  A				   :C
  B
  A				   | C
  B
  one				    A
  two				    B
  				    C
  one		      <> A		       <> a long line that has
  two		      <> B		       <> x
  		      <> C		       <> 
  		      <> 		       <> the end
  A				    C
  B
  A				   _C
  B
  a long line that has no place 
  x the end
  A				    C
  B

$ pr -t -J -2 l; pr -t --join-lines -m x y l; pr -t -J -w 10 -3 n; pr -t -J -s: -m x l; pr -t -J -W 5 l
  a long line that has no place	
  x	the end
  one	A	a long line that has no place
  two	B	x
  	C	
  		the end
  1	11	21
  2	12	22
  3	13	23
  4	14	24
  5	15	25
  6	16	26
  7	17	27
  8	18	28
  9	19	29
  10	20	30
  one:a long line that has no place
  two:x
  :
  :the end
  a long line that has no place
  x
  
  the end

$ pr -t -e t; pr -t -e4 t; pr -t -e:4 t; pr -t --expand-tabs=a3 t; pr -t --expand-tabs t; pr -t -e1 -W 4 t
  a       b
  c
  a   b
  c
  a       b
  c
          b
  c
  a       b
  c
  a b
  c

$ printf 'a       b               c   d\n' > b; pr -t -i b; pr -t -i4 b; pr -t -i_ b; pr -t --output-tabs=:3 b; pr -t --output-tabs -o 8 b; pr -t -i_4 -2 y; pr -t -i_ -n y
  a	b		c   d
  a		b				c	d
  a_b__c   d
  a::  b:::::c: d
  	a	b		c   d
  A_________C
  B
      1	A
      2	B
      3	C

$ pr -t c | od -An -tx1; pr -t -c c; pr -t --show-control-chars t c; pr -t -v c; pr --show-nonprinting -t c; pr -t -cv c; pr -t -c -W 6 c; pr -t -2 -w 6 c | od -An -tx1
   61 08 62 07 1b 7f c3 a9 ff 0a
  a^Hb^G^[^?\303\251\377
  a	b
  c
  a^Hb^G^[^?\303\251\377
  a\010b\007\033\177\303\251\377
  a\010b\007\033\177\303\251\377
  a\010b\007\033\177\303\251\377
  a^Hb^G
   61 08 62 07 1b 7f c3 a9 ff 0a

$ pr -D D -l 12 f; pr -t f | od -c; pr -T f; pr --omit-pagination -2 f; pr --omit-header -2 f | od -c; pr -t -a -2 f | od -c; pr -l 5 f | od -c; pr -n -D D -l 12 -2 f
  
  
  D                                f                                Page 1
  
  
  p1
  q1
  
  
  
  
  
  
  
  D                                f                                Page 2
  
  
  p2
  
  
  
  
  
  
  
  
  D                                f                                Page 3
  
  
  
  
  
  
  
  
  
  
  
  D                                f                                Page 4
  
  
  p4
  
  
  
  
  
  
  
  
  D                                f                                Page 5
  
  
  p5
  
  
  
  
  
  
  0000000   p   1  \n   q   1  \n  \f   p   2  \n  \f  \f   p   4  \n  \f
  0000020   p   5  \n
  0000023
  p1
  q1
  p2
  p4
  p5
  p1				    q1
  p2
  p4
  p5
  0000000   p   1  \t  \t  \t  \t                   q   1  \n  \f   p   2
  0000020  \n  \f  \f   p   4  \n  \f   p   5  \n
  0000032
  0000000   p   1  \t  \t  \t  \t                   q   1  \n  \f   p   2
  0000020  \n  \f  \f   p   4  \n  \f   p   5  \n
  0000032
  0000000   p   1  \n   q   1  \n  \f   p   2  \n  \f  \f   p   4  \n  \f
  0000020   p   5  \n
  0000023
  
  
  D                                f                                Page 1
  
  
      1	p1			    	2   q1
  
  
  
  
  
  
  
  
  D                                f                                Page 2
  
  
      3	p2
  
  
  
  
  
  
  
  
  D                                f                                Page 3
  
  
  
  
  
  
  
  
  
  
  
  D                                f                                Page 4
  
  
      4	p4
  
  
  
  
  
  
  
  
  D                                f                                Page 5
  
  
      5	p5
  
  
  
  
  
  

$ pr -F -D D -l 12 y f | od -c; pr --form-feed -D D -l 12 -2 n | od -c | tail -n 3; pr -f -t y
  0000000  \n  \n   D                                                    
  0000020                                                                
  0000040               y                                                
  0000060                                                                
  0000100                   P   a   g   e       1  \n  \n  \n   A  \n   B
  0000120  \n  \f  \n  \n   D                                            
  0000140                                                                
  0000160                       y                                        
  0000200                                                                
  0000220                           P   a   g   e       2  \n  \n  \n   C
  0000240  \n  \f  \n  \n   D                                            
  0000260                                                                
  0000300                       f                                        
  0000320                                                                
  0000340                           P   a   g   e       1  \n  \n  \n   p
  0000360   1  \n   q   1  \n  \f  \n  \n   D                            
  0000400                                                                
  0000420                                       f                        
  0000440                                                                
  0000460                                           P   a   g   e       2
  0000500  \n  \n  \n   p   2  \n  \f  \n  \n   D                        
  0000520                                                                
  0000540                                           f                    
  0000560                                                                
  0000600                                               P   a   g   e    
  0000620   3  \n  \n  \n  \n  \f  \n  \n   D                            
  0000640                                                                
  0000660                                       f                        
  0000700                                                                
  0000720                                           P   a   g   e       4
  0000740  \n  \n  \n   p   4  \n  \f  \n  \n   D                        
  0000760                                                                
  0001000                                           f                    
  0001020                                                                
  0001040                                               P   a   g   e    
  0001060   5  \n  \n  \n   p   5  \n  \f
  0001070
  0001420               P   a   g   e       8  \n  \n  \n   2   9  \t  \t
  0001440  \t  \t                   3   0  \n  \f
  0001452
  A
  B
  C

$ seq 56 > s; printf '\f' >> s; echo after >> s; pr -D D -h H s | tail -n 68 | head -n 12; pr -D D -h H -l 12 -2 s | tail -n 13; (seq 3; printf '\fx\n') | pr -D D -l 13
  
  
  
  
  D                                H                                Page 2
  
  
  after
  
  
  
  
  
  
  
  D                               H                                Page 15
  
  
  after
  
  
  
  
  
  
  
  
  D                                                                 Page 1
  
  
  1
  2
  3
  
  
  
  
  
  
  
  D                                                                 Page 2
  
  
  x
  
  
  
  
  
  
  

$ exec 2>&1; pr -l 0 x; echo $?; pr -l x y; pr -l 99999999999 y; pr -t -l 10 x; pr -o -1 x; pr -o x; pr -w 0 x; pr -W x x; pr -N x x; pr -N 99999999999 x; pr --columns=0 x; pr -0 x; pr -99999999999 x; pr -W 1 -2 x; echo $?
  pr: '-l PAGE_LENGTH' invalid number of lines: ‘0’: Numerical result out of range
  1
  pr: '-l PAGE_LENGTH' invalid number of lines: ‘x’
  pr: '-l PAGE_LENGTH' invalid number of lines: ‘99999999999’: Value too large for defined data type
  one
  two
  pr: '-o MARGIN' invalid line offset: ‘-1’: Numerical result out of range
  pr: '-o MARGIN' invalid line offset: ‘x’
  pr: '-w PAGE_WIDTH' invalid number of characters: ‘0’: Numerical result out of range
  pr: '-W PAGE_WIDTH' invalid number of characters: ‘x’
  pr: '-N NUMBER' invalid starting line number: ‘x’
  pr: '-N NUMBER' invalid starting line number: ‘99999999999’: Value too large for defined data type
  pr: invalid number of columns: ‘0’: Numerical result out of range
  pr: invalid number of columns: ‘0’: Numerical result out of range
  pr: invalid number of columns: ‘99999999999’: Value too large for defined data type
  pr: page width too narrow
  1

$ exec 2>&1; pr -e:x x; echo $?; pr -n:0 x; pr -i5x x; pr +x y; pr +0 y; pr +3:2 y; pr +2: y; pr +2:3x y; pr --pages=0 y; pr --pages=x y; pr --pages=99999999999999999999 y; pr +9 y; echo $?; pr +2 -D D -l 11 +3 n; pr -t -- +3
  pr: '-e' extra characters or invalid number in the argument: ‘x’
  Try 'pr --help' for more information.
  1
  pr: '-n' extra characters or invalid number in the argument: ‘0’
  Try 'pr --help' for more information.
  pr: '-i' extra characters or invalid number in the argument: ‘5x’
  Try 'pr --help' for more information.
  pr: invalid + argument 'x'
  pr: +0: No such file or directory
  
  
  2024-03-05 06:07                        y                         Page 1
  
  
  A
  B
  C
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  pr: '+3:2': No such file or directory
  
  
  2024-03-05 06:07                        y                         Page 1
  
  
  A
  B
  C
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  pr: invalid + argument '2:'
  pr: invalid suffix in + argument '2:3x'
  pr: invalid page range ‘0’
  pr: invalid --pages argument 'x'
  pr: --pages argument '99999999999999999999' too large
  pr: starting page number 9 exceeds page count 1
  0
  pr: +3: No such file or directory
  
  
  D                                n                                Page 2
  
  
  2
  
  
  
  
  
  
  
  D                                n                                Page 3
  
  
  3
  
  
  
  
  
  
  
  D                                n                                Page 4
  
  
  4
  
  
  
  
  
  
  
  D                                n                                Page 5
  
  
  5
  
  
  
  
  
  
  
  D                                n                                Page 6
  
  
  6
  
  
  
  
  
  
  
  D                                n                                Page 7
  
  
  7
  
  
  
  
  
  
  
  D                                n                                Page 8
  
  
  8
  
  
  
  
  
  
  
  D                                n                                Page 9
  
  
  9
  
  
  
  
  
  
  
  D                               n                                Page 10
  
  
  10
  
  
  
  
  
  
  
  D                               n                                Page 11
  
  
  11
  
  
  
  
  
  
  
  D                               n                                Page 12
  
  
  12
  
  
  
  
  
  
  
  D                               n                                Page 13
  
  
  13
  
  
  
  
  
  
  
  D                               n                                Page 14
  
  
  14
  
  
  
  
  
  
  
  D                               n                                Page 15
  
  
  15
  
  
  
  
  
  
  
  D                               n                                Page 16
  
  
  16
  
  
  
  
  
  
  
  D                               n                                Page 17
  
  
  17
  
  
  
  
  
  
  
  D                               n                                Page 18
  
  
  18
  
  
  
  
  
  
  
  D                               n                                Page 19
  
  
  19
  
  
  
  
  
  
  
  D                               n                                Page 20
  
  
  20
  
  
  
  
  
  
  
  D                               n                                Page 21
  
  
  21
  
  
  
  
  
  
  
  D                               n                                Page 22
  
  
  22
  
  
  
  
  
  
  
  D                               n                                Page 23
  
  
  23
  
  
  
  
  
  
  
  D                               n                                Page 24
  
  
  24
  
  
  
  
  
  
  
  D                               n                                Page 25
  
  
  25
  
  
  
  
  
  
  
  D                               n                                Page 26
  
  
  26
  
  
  
  
  
  
  
  D                               n                                Page 27
  
  
  27
  
  
  
  
  
  
  
  D                               n                                Page 28
  
  
  28
  
  
  
  
  
  
  
  D                               n                                Page 29
  
  
  29
  
  
  
  
  
  
  
  D                               n                                Page 30
  
  
  30
  
  
  
  
  
  pr: +3: No such file or directory
[1]

$ exec 2>&1; pr -m -2 x y; pr -m -a x y; echo $?; pr nope; echo $?; pr -r nope; echo $?; pr -t nope x; echo $?; pr --no-file-warnings -t x nope; pr -t -m x nope y; pr d; echo $?; pr -Z; echo $?; pr --page=1; pr --nope; pr -l
  pr: cannot specify number of columns when printing in parallel
  pr: cannot specify both printing across and printing in parallel
  1
  pr: nope: No such file or directory
  1
  1
  pr: nope: No such file or directory
  one
  two
  1
  one
  two
  pr: nope: No such file or directory
  one			A
  two			B
  			C
  pr: d: Is a directory
  1
  pr: invalid option -- 'Z'
  Try 'pr --help' for more information.
  1
  pr: option '--page=1' is ambiguous; possibilities: '--pages' '--page-width'
  Try 'pr --help' for more information.
  pr: unrecognized option '--nope'
  Try 'pr --help' for more information.
  pr: option requires an argument -- 'l'
  Try 'pr --help' for more information.
[1]

$ printf 'no newline' | pr -t; printf 'a\nb' | pr -t -2; printf 'a\nb' | pr -t -m - y; pr -l 1 x; pr -l 1 -2 y; printf '\n\n' | pr -t | od -c; printf '\n\nx\n' | pr -D D -l 12
  no newline
  a				    b
  a				    A
  b				    B
  				    C
  one
  two
  A				    B
  C
  0000000  \n  \n
  0000002
  
  
  D                                                                 Page 1
  
  
  
  
  
  
  
  
  
  
  
  D                                                                 Page 2
  
  
  x
  
  
  
  
  
  
