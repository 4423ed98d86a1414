# GNU datamash 1.7.
% printf 'a\t1\nb\t2\na\t3\n' > g; printf 'k\tv\na\t1\nb\t2\na\t3\n' > h; printf '1\t10\n2\t21\n3\t28\n' > p; printf '1\t2\n3\n' > ragged; printf 'NA\n1\nnan\nN/A\n2\n' > missing

$ seq 10 | datamash sum 1 mean 1 median 1 q1 1 q3 1 iqr 1 perc 1 perc:20 1 mode 1 antimode 1
  55	5.5	5.5	3.25	7.75	4.5	9.55	2.8	1	1

$ seq 10 | datamash pstdev 1 sstdev 1 pvar 1 svar 1 mad 1 madraw 1; seq 10 | datamash pskew 1 sskew 1 pkurt 1 skurt 1 dpo 1 jarque 1; printf '1\n2\n2\n7\n19\n' | datamash pskew 1 sskew 1 pkurt 1 skurt 1 dpo 1 jarque 1
  2.872281323269	3.0276503540975	8.25	9.1666666666667	3.7065	2.5
  0	0	-1.2242424242424	-1.2	0.66734745647876	0.73180320367355
  1.1842139801846	1.7653219730655	-0.25909595662682	2.9636161734927	0.051421721211402	0.5536012616741

$ seq 10 | datamash geomean 1 harmmean 1 trimmean:0.2 1 trimmean 1 min 1 max 1 range 1 count 1 first 1 last 1 countunique 1; printf '1\n-7\n4\n' | datamash absmin 1 absmax 1
  4.5287286881168	3.4141715214741	5.5	5.5	1	10	9	10	1	10	10
  1	-7

$ seq 10 | datamash unique 1 collapse 1; printf '1\n2\n2\n3\n3\n' | datamash mode 1 antimode 1; echo 5 | datamash rand 1
  1,10,2,3,4,5,6,7,8,9	1,2,3,4,5,6,7,8,9,10
  2	1
  5

$ datamash -g 1 sum 2 < g; datamash -sg1 sum 2 count 1 < g; datamash -s --group=1 sum 2 < g; datamash --sort groupby 1 collapse 2 < g; datamash -g 1,2 count 1 < g
  a	1
  b	2
  a	3
  a	4	2
  b	2	1
  a	4
  b	2
  a	1,3
  b	2
  a	1	1
  b	2	1
  a	3	1

$ datamash -s --header-out -g 1 sum 2 mean 2 perc:20 2 < g; datamash -sH -g k sum v mean 2 < h; datamash -s --header-in -g 1 unique 2 < h; datamash --headers sum v < h
  GroupBy(field-1)	sum(field-2)	mean(field-2)	perc:20(field-2)
  a	4	2	1.4
  b	2	2	2
  GroupBy(k)	sum(v)	mean(v)
  a	4	2
  b	2	2
  a	1,3
  b	2
  sum(v)
  6

$ datamash -sf -g 1 max 2 < g; datamash -s --full -g 1 count 2 < g; datamash -sf -g1 last 2 first 2 < g; datamash -f sum 2 < g; printf '3\n-5\n5\n1\n' | datamash -f absmax 1; datamash -H -f -g k count v < h
  a	3	3
  b	2	2
  a	1	2
  b	2	1
  a	3	3	1
  b	2	2	2
  a	1	6
  -5	-5
  k	v	count(v)
  a	1	1
  b	2	1
  a	3	1

$ datamash -s crosstab 1,2 < g; datamash -s crosstab 1,2 sum 2 < g; datamash -s --filler=Z crosstab 1,2 unique 2 < g; datamash -sH crosstab 1,2 < h; datamash -s --header-out crosstab 1,2 < g; datamash -t, -s crosstab 1,2 <<< a,b
  	1	2	3
  a	1	N/A	1
  b	N/A	1	N/A
  	1	2	3
  a	1	N/A	3
  b	N/A	2	N/A
  	1	2	3
  a	1	Z	3
  b	Z	2	Z
  GroupBy(k)	GroupBy(v)	count(k)
  	1	2	3
  a	1	N/A	1
  b	N/A	1	N/A
  GroupBy(field-1)	GroupBy(field-2)	count(field-1)
  	1	2	3
  a	1	N/A	1
  b	N/A	1	N/A
  ,b
  a,1

$ datamash transpose < g; datamash reverse < g; datamash transpose < ragged 2>&1; datamash reverse < ragged 2>&1; datamash --no-strict transpose < ragged; datamash --no-strict --filler X transpose < ragged; datamash --no-strict reverse < ragged; datamash -H transpose < g
  a	b	a
  1	2	3
  1	a
  2	b
  3	a
  datamash: transpose input error: line 2 has 1 fields (previous lines had 2);
  see --help to disable strict mode
  2	1
  datamash: reverse-field input error: line 2 has 1 fields (previous lines had 2);
  see --help to disable strict mode
  1	3
  2	N/A
  1	3
  2	X
  2	1
  3
  a	b	a
  1	2	3

$ datamash check < g; datamash check < ragged 2>&1; datamash check 3 lines 2 fields < g; datamash check 2 columns 3 rows < g; datamash check 3 col < g 2>&1; datamash check 4 lines < g 2>&1; datamash check < /dev/null; echo 1 | datamash check; datamash check lines 3 < g
  3 lines, 2 fields
  line 1 (2 fields):
    1	2
  line 2 (1 fields):
    3
  datamash: check failed: line 2 has 1 fields (previous line had 2)
  3 lines, 2 fields
  3 lines, 2 fields
  line 1 (2 fields):
    a	1
  datamash: check failed: line 1 has 2 fields (expecting 3)
  datamash: check failed: input had 3 lines (expecting 4)
  0 lines, 0 fields
  1 line, 1 field
  3 lines, 2 fields

$ datamash check tabular < g 2>&1; datamash check line < g 2>&1; datamash check 0 lines < g 2>&1; datamash check 1 lines 1 lines < g 2>&1; datamash check 3 < g 2>&1
  datamash: invalid option ‘tabular’ for operation check
  datamash: number expected after option in operation 'check'
  datamash: invalid value zero for lines/fields in operation 'check'
  datamash: number of lines/rows already set in operation 'check'
  datamash: invalid option ‘3’ for operation check
[1]

$ datamash rmdup 1 < g; datamash -H rmdup k < h; datamash --header-in rmdup 1 < h; datamash rmdup 9 < g 2>&1; datamash rmdup < g 2>&1
  a	1
  b	2
  k	v
  a	1
  b	2
  a	1
  b	2
  datamash: invalid input: field 9 requested, line 1 has only 2 fields
  datamash: missing field for operation ‘dedup’
[1]

$ datamash md5 1 sha1 1 base64 1 < g; echo YQ== | datamash debase64 1; echo '!' | datamash debase64 1 2>&1; echo x | datamash sha224 1 sha256 1 sha384 1 sha512 1
  0cc175b9c0f1b6a831c399e269772661	86f7e437faa5a7fce15d1ddcb9eaeaea377667b8	YQ==
  92eb5ffee6ae2fec3ad71c777531578f	e9d71f5ee7c92d6dc9e92ffdad17b8bd49418f98	Yg==
  0cc175b9c0f1b6a831c399e269772661	86f7e437faa5a7fce15d1ddcb9eaeaea377667b8	YQ==
  a
  datamash: invalid base64 value in line 1 field 1: '!'
  54a2f7f92a5f975d8096af77a126edda7da60c5aa872ef1b871701ae	2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881	d752c2c51fba0e29aa190570a9d4253e44077a058d3297fa3a5630d5bd012622f97c28acaed313b5c83bb990caa7da85	a4abd4448c49562d828115d13a1fccea927f52b4d5459297f8b43e42da89238bc13626e43dcb38ddb082488927ec904fb42057443983e88585179d50551afe62

$ printf '1.5\n-2.5\n2.5\n' | datamash round 1 floor 1 ceil 1 trunc 1 frac 1; printf '1\n7\n12\n-3\n-10\n' | datamash bin:5 1 strbin 1 strbin:5 1 bin 1; datamash cut 2,1 < g; datamash -f md5 1 < g
  2	1	2	1	0.5
  -3	-3	-2	-2	-0.5
  3	2	3	2	0.5
  0	9	4	0
  5	5	0	0
  10	8	3	0
  -5	1	1	-100
  -15	6	1	-100
  1	a
  2	b
  3	a
  a	1	0cc175b9c0f1b6a831c399e269772661
  b	2	92eb5ffee6ae2fec3ad71c777531578f
  a	3	0cc175b9c0f1b6a831c399e269772661

$ printf '%s\n' /a/b.tar.gz foo.txt .bashrc a a.b.c x.c~ .a.b a. 'a.b c' a.7z foo.1.2.tar.bz2 / a/ a//b foo.tar.zzz .tar.gz foo..gz .gz a.gz.gz foo.a_b.gz foo.JPEG | datamash dirname 1 basename 1 barename 1 extname 1
  /a	b.tar.gz	b	tar.gz
  .	foo.txt	foo	txt
  .	.bashrc	.bashrc	
  .	a	a	
  .	a.b.c	a.b	c
  .	x.c~	x.c~	
  .	.a.b	.a	b
  .	a.	a	
  .	a.b c	a.b c	
  .	a.7z	a	7z
  .	foo.1.2.tar.bz2	foo.1.2	tar.bz2
  /	/	/	
  .	a	a	
  a	b	b	
  .	foo.tar.zzz	foo.tar	zzz
  .	.tar.gz	.tar	gz
  .	foo..gz	foo	.gz
  .	.gz	.gz	
  .	a.gz.gz	a	gz.gz
  .	foo.a_b.gz	foo.a_b	gz
  .	foo.JPEG	foo	JPEG

$ printf '%s\n' zoom-123.45abc a b12 c-5.6e3 0x1F x.5 +7 1,234 --3 007 9. abc | datamash getnum 1 getnum:n 1 getnum:i 1 getnum:d 1 getnum:p 1 getnum:h 1 getnum:o 1
  123.45	123	-123	-123.45	123.45	291	83
  0	0	0	0	0	10	0
  12	12	12	12	12	2834	10
  5.6	5	-5	-5.6	5.6	12	5
  0	0	0	0	0	0	0
  0.5	5	5	0.5	0.5	5	5
  7	7	7	7	7	7	7
  1	1	1	1	1	1	1
  3	3	0	0	3	3	3
  7	7	7	7	7	7	7
  9	9	9	9	9	9	0
  0	0	0	0	0	2748	0

$ datamash pcov 1:2 scov 1:2 ppearson 1:2 spearson 1:2 < p; datamash --header-out sum 1,2 pcov 1:2 < p; datamash sum 1-2 mean 2 < p
  6	9	0.99186978380037	0.99186978380037
  sum(field-1)	sum(field-2)	pcov(field-2)
  6	59	6
  6	59	19.666666666667

$ datamash -R 2 mean 2 sum 2 count 1 < g; datamash --round=3 mean 2 < g; for f in %.3f 'x%010.2fy' %g %5g '%-8.3f|' '%+.3e%%' %E; do datamash --format "$f" mean 2 sum 2 < p; done
  2.00	6.00	3.00
  2.000
  19.667	59.000
  x0000019.67y	x0000059.00y
  19.6667	59
  19.6667	   59
  19.667  |	59.000  |
  +1.967e+01%	+5.900e+01%
  1.966667E+01	5.900000E+01

$ datamash --format %s mean 2 < g 2>&1; datamash --format abc mean 2 < g 2>&1; datamash --format %f%f mean 2 < g 2>&1; datamash -R x sum 2 < g 2>&1; datamash -R 0 sum 2 < g 2>&1
  datamash: format ‘%s’ has unknown/invalid type %s directive
  datamash: format ‘abc’ has no % directive
  datamash: format ‘%f%f’ has too many % directives
  datamash: invalid rounding digits value ‘x’
  datamash: invalid rounding digits value ‘0’
[1]

$ datamash sum 1 < missing 2>&1; datamash --narm sum 1 mean 1 count 1 collapse 1 < missing; echo NA | datamash --narm sum 1 mean 1 count 1 min 1 max 1 first 1 last 1 unique 1 countunique 1 median 1 range 1
  datamash: invalid numeric value in line 1 field 1: 'NA'
  3	1.5	2	1,2
  0	nan	0	-inf	inf	N/A	N/A		0	nan	nan

$ printf 'a  1\n b 2\n' | datamash -W sum 2; printf 'a 1\nb 2\n' | datamash --whitespace transpose; printf '#c\n ;d\n1\n' | datamash -C sum 1; printf '#c\n1\n' | datamash --skip-comments count 1
  3
  a	b
  1	2
  1
  1

$ printf 'a,1\nA,2\n' | datamash -t, -i -g1 sum 2; printf 'b\nA\na\nB\n' | datamash --ignore-case unique 1 countunique 1; printf 'b\nA\na\nB\n' | datamash -si -g1 count 1; printf 'a:1\n' | datamash --field-separator=: --output-delimiter=, -g1 sum 2; printf 'b\0a\0' | datamash -z unique 1 | tr '\0' @; printf 'b\0' | datamash --zero-terminated count 1 | tr '\0' @
  a,3
  A,b	2
  A	2
  b	2
  a,1
  a,b@1@
\

$ printf '1e3\n0x10\n 5\n' | datamash sum 1; printf '0.1\n0.2\n' | datamash sum 1; printf '100000000000000\n1000000000000000\n' | datamash sum 1 mean 1; printf 'inf\n' | datamash sum 1; printf '0.00001\n1234567890123456789\n' | datamash min 1 max 1; printf '1.5\n' | datamash svar 1 skurt 1
  1021
  0.3
  1.1e+15	5.5e+14
  inf
  1e-05	1.2345678901235e+18
  nan	nan

$ datamash sum 3 < g 2>&1; datamash sum 1 < g 2>&1; datamash foo 1 < g 2>&1; datamash 2>&1 < g; datamash sum < g 2>&1; datamash sum x < g 2>&1; datamash sum 0 < g 2>&1; datamash sum 1- < g 2>&1; datamash sum 1 2 < g 2>&1; datamash perc:101 1 < g 2>&1; datamash -g 1 < g 2>&1
  datamash: invalid input: field 3 requested, line 1 has only 2 fields
  datamash: invalid numeric value in line 1 field 1: 'a'
  datamash: invalid operation ‘foo’
  datamash: missing operation specifiers
  Try 'datamash --help' for more information.
  datamash: missing field for operation ‘sum’
  datamash: -H or --header-in must be used with named columns
  datamash: invalid field '0' for operation ‘sum’
  datamash: invalid field range for operation ‘sum’
  datamash: invalid operation ‘2’
  datamash: invalid percentile value 101
  datamash: missing operation specifiers
  Try 'datamash --help' for more information.
[1]

$ datamash md5 1 sum 1 < g 2>&1; datamash sum 1 md5 1 < g 2>&1; datamash sum 1 transpose < g 2>&1; datamash transpose 1 < g 2>&1; datamash perc:a 1 < g 2>&1; datamash -t ab sum 1 < g 2>&1; datamash -g1 rmdup 1 < g 2>&1; datamash groupby 1 < g 2>&1; datamash crosstab 1 < g 2>&1; datamash crosstab 1,2 sum 1 sum 2 < g 2>&1
  datamash: conflicting operation found: expecting line operations, but found groupby operation ‘sum’
  datamash: conflicting operation found: expecting groupby operations, but found line operation ‘md5’
  datamash: conflicting operation ‘transpose’
  datamash: extra operand ‘1’
  datamash: invalid parameter a for operation ‘perc’
  datamash: the delimiter must be a single character
  datamash: conflicting operation ‘rmdup’
  datamash: missing operation
  datamash: crosstab requires exactly 2 fields, found 1
  datamash: crosstab supports one operation, found 2
[1]

$ datamash pcov 1 < p 2>&1; datamash sum 1:2 < p 2>&1; datamash pcov 1: < p 2>&1; datamash sum 1, < p 2>&1; datamash sum 1x < p 2>&1; datamash -H sum w < h 2>&1; datamash -H sum k-v < h 2>&1; datamash -s -H -g k sum k < h 2>&1; datamash sum:3 1 < p 2>&1; datamash getnum:z 1 < p 2>&1; datamash bin:x 1 < p 2>&1; datamash trimmean:2 1 < p 2>&1; datamash sum: 1 < p 2>&1
  datamash: operation ‘pcov’ requires field pairs
  datamash: operation ‘sum’ cannot use pair of fields
  datamash: invalid field pair for operation ‘pcov’
  datamash: missing field for operation ‘sum’
  datamash: invalid numeric value '1x'
  datamash: column name ‘w’ not found in input file
  datamash: field range for ‘sum’ must be numeric
  GroupBy(k)	sum(k)
  datamash: invalid numeric value in line 2 field 1: 'a'
  datamash: too many parameters for operation ‘sum’
  datamash: invalid getnum type 'z'
  datamash: invalid parameter x for operation ‘bin’
  datamash: invalid trim mean value 2 (expected 0 <= X <= 0.5)
  datamash: missing parameter for operation ‘sum’
[1]

$ datamash --nosuch sum 1 < p 2>&1; datamash -y < p 2>&1; datamash --format 2>&1; datamash --output-delimiter=ab sum 1 < p 2>&1; datamash sum 1 < /dev/null; datamash -H sum 1 < /dev/null; printf '\n' | datamash sum 1 2>&1
  datamash: unrecognized option '--nosuch'
  Try 'datamash --help' for more information.
  datamash: invalid option -- 'y'
  Try 'datamash --help' for more information.
  datamash: option '--format' requires an argument
  Try 'datamash --help' for more information.
  datamash: the delimiter must be a single character
  datamash: invalid input: field 1 requested, line 1 has only 0 fields
[1]
