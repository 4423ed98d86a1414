% exec 2>&1

$ printf '1+1' | bc
  (standard_in) 1: syntax error

$ printf '1+1\n2+2' | bc 2>/dev/null
  2

$ printf '1;2;3+\n5\n6\n' | bc 2>/dev/null
  6

$ printf '1+)\n5\n' | bc 2>/dev/null
  5

$ printf '1;2;quit\n3\n' | bc

$ printf 'if (0) quit\n3\n' | bc

$ printf 'if (0) halt\n3\n' | bc
  3

$ printf '1\nquit' | bc
  1

$ printf '4*' > a; printf '5' > b; echo | bc a b
  20

$ echo 'define f(x) { return x*2; } f(4); 1' | bc
  8
  1

$ echo 'define f(x) { return (x+1) } define g(x) { return f(x)*2; }; g(3)' | bc
  8

$ printf 'define void f(x) { print x, "\\n" }\nf(3)\nf(4);1\nif (1) f(5)\nlast\n' | bc
  3
  4
  1
  5
  5

$ printf 'define g(*a[]) { a[0] = a[0] + 5; return 1 }\nb[0]=1\ng(b[])\nb[0]\na[0]=7\ng(a[])\na[0]\ndefine void h(x, *c[]) { c[x] = x; x = g(c[]) }\nh(2, d[])\nd[2]\nd[0]\n' | bc
  1
  6
  1
  12
  2
  5

$ bc nof < /dev/null 2>&1
  File nof is unavailable.
[1]

$ printf '1/0;5\n6\n5;1/0;6\n7\nfor(i=0;i<3;i++){i;if(i==1)1/0;9}\n8\ndefine g(){5;1/0;6}\ng();8\n9\n' | bc 2>/dev/null
  6
  5
  7
  0
  9
  1
  8
  5
  9

$ for p in '1@2\n3' '1;@;2\n3' '"x"@\n3' 'x=5 @ 3\nx' '1\n@@@\n2' '@' 'x@y=3\n4' '1+\n2' '1+2)' '\n\n1 2' 'if(1){\n1 2\n3\n}\n4' '"abc\n3\n4' '/* a\nb */ 1 2' '1;2 3;4\n5' 'break\n3' 'continue\n3' 'return 3\n4' 'define f(x){auto x;return x}\n1' 'define f(a,a){return a}\n2' '++3\n4' '3++\n5' '{1 2}\n5' '(1\n4' 'for(1;2\n3\n4\n5'; do printf "$p\n" | bc 2>&1; done
  (standard_in) 1: illegal character: @
  (standard_in) 1: syntax error
  3
  (standard_in) 1: illegal character: @
  3
  (standard_in) 1: illegal character: @
  3
  (standard_in) 1: illegal character: @
  (standard_in) 1: syntax error
  0
  1
  (standard_in) 2: illegal character: @
  (standard_in) 2: illegal character: @
  (standard_in) 2: illegal character: @
  2
  (standard_in) 1: illegal character: @
  (standard_in) 1: illegal character: @
  (standard_in) 1: syntax error
  4
  (standard_in) 2: syntax error
  2
  (standard_in) 1: syntax error
  (standard_in) 3: syntax error
  (standard_in) 2: syntax error
  4
  (standard_in) 1: illegal character: "
  3
  4
  (standard_in) 2: syntax error
  (standard_in) 1: syntax error
  5
  (standard_in) 1: Break outside a for/while
  3
  (standard_in) 1: Continue outside a for
  3
  (standard_in) 2: Return outside of a function.
  4
  (standard_in) 1: variable in both parameter and auto lists
  1
  (standard_in) 1: duplicate parameter names
  2
  (standard_in) 1: syntax error
  4
  (standard_in) 1: syntax error
  5
  (standard_in) 1: syntax error
  5
  (standard_in) 2: syntax error
  4
  (standard_in) 2: syntax error
  3
  4
  5

$ printf 'define f(n){if(n==0)return 0;return f(n-1)+1}\nf(100000)\ndefine f(n){if(n<=1)return 1;return n*f(n-1)}\nlength(f(1000))\n' | bc
  100000
  2568

$ printf 'x=1\nx+=x++\nx\ni=0\na[i++]+=5\ni\na[0]\ni=1\na[i]=i++\na[1]\na[2]\na[1]++;a[1];++a[1];a[1]--;a[1];a[1]^=2;a[1]\nwhile(i<5){i++;if(i==4)continue;print i,"\\n"}\nfor(;;){if(j++>3)break};j\n1==1;1<2<3;!0;!5;1&&0||1\nscale=3;1/3;a=b=3;a;b;(a=4)\n' | bc
  2
  1
  5
  1
  0
  1
  2
  3
  3
  2
  4
  2
  3
  3
  4
  5
  5
  1
  1
  1
  0
  1
  .333
  3
  3
  4

$ printf '2^1.5\nscale=-1\nscale\nobase=1\nobase\nibase=1\nibase\na[-1]=2\nsqrt(-1)\nf(1)\n' | bc 2>&1 | sed 's/adr=[0-9]*/adr/'
  Runtime warning (func=(main), adr): non-zero scale in exponent
  2
  Runtime warning (func=(main), adr): negative scale, set to 0
  0
  Runtime warning (func=(main), adr): obase too small, set to 2
  10
  Runtime warning (func=(main), adr): ibase too small, set to 2
  10
  Runtime error (func=(main), adr): Array a subscript out of bounds.
  Runtime error (func=(main), adr): Square root of a negative number
  Runtime error (func=(main), adr): Function f not defined.

$ printf '1 2\n\n3 )\n' > p.bc; bc p.bc < /dev/null 2>&1
  p.bc 1: syntax error
  p.bc 3: syntax error
