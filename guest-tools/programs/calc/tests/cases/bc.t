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
