% printf 'a\nb\nd\nd\n' > x; printf 'b\nc\nd\n' > y; printf 'a\nB\nc\n' > u; printf 'b\nc\na' > v; : > e

$ comm x y
  a
  		b
  	c
  		d
  d

$ comm -1 x y; comm -2 x y; comm -3 x y
  	b
  c
  	d
  a
  	b
  	d
  d
  a
  	c
  d

$ comm -12 x y; comm -13 x y; comm -23 x y; comm -123 x y
  b
  d
  c
  a
  d

$ comm x e; comm e x; comm e e; comm - y < x; comm x - < y
  a
  b
  d
  d
  	a
  	b
  	d
  	d
  a
  		b
  	c
  		d
  d
  a
  		b
  	c
  		d
  d

$ comm --total x y; comm --total -3 x y; comm --total --output-delimiter=, x y
  a
  		b
  	c
  		d
  d
  2	1	2	total
  a
  	c
  d
  2	1	2	total
  a
  ,,b
  ,c
  ,,d
  d
  2,1,2,total

$ comm --output-delimiter=:: x y
  a
  ::::b
  ::c
  ::::d
  d

$ comm --output-delimiter= --total x y | od -c
  0000000   a  \n  \0  \0   b  \n  \0   c  \n  \0  \0   d  \n   d  \n   2
  0000020   1   2   t   o   t   a   l  \n
  0000030

$ comm --output-delimiter=a --output-delimiter=b x y
[1]

$ printf 'a\0b\0' > z; printf 'b\0c' | comm -z z - | od -c
  0000000   a  \0  \t  \t   b  \0  \t   c  \0
  0000011

$ comm x u
  		a
  	B
  b
  	c
  d
  d

$ comm u v; echo $?
  a
  B
  	b
  		c
  	a
  1

$ comm v x
  	a
  		b
  c
  a
  	d
  	d
[1]

$ comm --check-order v x
  	a
  		b
  c
[1]

$ comm --nocheck-order v x
  	a
  		b
  c
  a
  	d
  	d

$ comm --check-order u u
  		a
[1]

$ comm
[1]

$ comm x
[1]

$ comm x y e
[1]

$ comm nosuch x
[1]

$ comm x nosuch
[1]

$ comm . x
[1]

$ comm -q x y
[1]

$ comm --out x y
[1]
