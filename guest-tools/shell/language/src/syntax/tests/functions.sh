function_01() {
((  a + b ));  for ((i=0;i<3; i++)) do echo; done; [[ a  ==  b && ! ( c -nt d ) || -f x ]]
case  x  in a|b) c;; (d) e ;& *) f ; g;;& h) ;; esac
case x in esac
while a; do b; done & until a; do b; done; select x in a b; do c; done; for x do a; done; for x in ; do a; done
a=(1 [2]=3   4) b=1 c; declare x=(1  2); function g { a; }; g() (a); g() { a; } >x 2>&1; time -p a; time a | b; ! a
coproc X { a; }; { a; b; } 2>x; (a;b); a && b || c; a & b & 
}
function_02() ( a; b )
function_03() { a; } > x 2>&1
function_04() while a; do b; done
function_05() { { a; b; } | ( c ) && { d; } & }
function_06() { if a && b; then c; d; elif e; then f; elif g; then h; else i; fi | j; ! ! a; time; time ! a; ! time a; ! ; a; }
function_07() { a <<X; b; }
x
X
function_08() { a <<X && b; c <<Y | d <<Z; while a; do b <<W; done; }
x
X
y
Y
z
Z
w
W
function_09() { a <<X & b; (a <<X); { a <<X; }; if a; then b <<X; fi; }
1
X
2
X
3
X
4
X
function_10() { while a; do b; done < x > y; if a; then b; fi <<X; for i in a; do b; done 2>/dev/null; ((1)) > x; [[ a ]] <x; case x in a) b;; esac > y; }
x
X
function_11() { for ((;;)); do a; done; for ((  i = 0 ; i < 1 ; i++  )); do a; done; (( )) ; (( a,b )); a=() ; a+=(1 2) b[1]=2 b[x y]+=3; a=([1]="x y" [2]=); }
function_12() { x > a 2> b >& c >> d <e <>f >|g <&0 >&1 <&- >&- 2>&- 3<&4- &>x &>>y {a}>b 1>2 0<3 {v[1]}<x <<<"x y"; >x; a >b c; a |& b; }
function_13() { function h { a; }; h() { b; } >z; i() if a; then b; fi; h () ( a ); }
function_14() { echo "$(a; b)" $(a <<X
x
X
) <(a;b) >(c) `a "b" \`c\`` $((1+2)) $[1+2] "$((a))" "${a:-b}" ${a/b/c} "a\$\"b" \a'b'$'c\n' $"x"; }
function_15() { echo $(if a; then b; fi) $( (a) ) $( { a; } ) $(a & b) $(for i in a; do b; done) $(case x in a) b;; esac) $(f() { a; }) $(a
b) $(a | b && c) $(<x) $(); }
function_16() { [[ -n a ]]; [[ a =~ b|c ]]; [[ ( a ) ]]; [[ ! a ]]; [[ a = b || c != d ]]; [[ a < b && c > d ]]; [[ a -eq 1 ]]; [[ !  ( a && b ) ]]; }
function_17() { a & }
function_18() { a; b & c; d & }
function_19() { { a & }; (a &); if a & then b & fi; while a & do b & done; case x in a) b & ;; esac; for i in a; do b & done; a && b & c || d; }
function_20() { coproc while a; do b; done; coproc X (a); coproc { a; } > x; time { a; }; ! { a; }; time (a); }
function_21()
{
  # comment
  a
  b

  c
}
function function-22.y { a; }
function_23() { select x; do a; done; select x in "a b" c; do a; done; for x in "$@" 'a' ; do
a
b
done; }
function_24() { a <<'A B' <<-E | b; [[ a = b ]]; [[ a =~ (x|y)z ]]; [[ a == @(x|y) ]]; }
x
A B
	y $x `a` $( b ) \$ \a "q"
	E
function_25() { echo ${a#'x'} "${a#"x"}" ${a:1:2} ${a: -1} ${a[1]} ${a[x y]:-z} ${a[@]@Q} ${!a} ${!a*} ${!a[@]} ${#a} ${#a[@]} ${a^^} ${a,b} ${a//\//_} ${a/%b/} ${a/#b} "${a:-"b c"}" "${a:-'b'}" ${a:-'b'} $1 ${10} $@ "$*" $# $? $- $$ $!; }
function_26() { if a; then b; fi; if a; then b; else c; fi; if a; then if b; then c; else d; fi; elif e; then f; fi; }
function_27() { while a; do while b; do c; d; done; e; done; for a in b c; do for d in e; do f; done; done; case a in b) case c in d) e;; esac;; esac; }
function_28() { (a; (b; c); { d; e; }); { (a); { b; }; }; }
function_29() { x=$(a; b | c
d && e) y="$(a
b)" z=`a`; echo $(echo $(echo $(a;b))) "$(echo "$(a)")"; }
function_30() { echo $(a <<X; b
x
X
c) $(while a; do b; c; done; d) $({ a; b; } | c); }
function_31() { a && { b; c; } || ( d ); a | while b; do c; done | d; ! a | b; a && ! b; }
function_32() { trap 'a; b' EXIT; alias a='b c'; export a=b c; declare -A d=([x]=1 ["y z"]=2); local e="f g"; readonly h=$i; eval a=(1 2); let x=1; }
function_33() { echo a\ b "c	d" 'e
f' "g
h" $'i\tj' é "ü"; }
function_34() { $(($x+${y:-1})); ((x=y?1:2, z<<=1)); echo $((a[$i]+"1")) $[a[1]]; }
function_35() { a; } 2>&1 <<X
text $a
X
function_36() { case "$1" in -h | --help) usage; exit 0 ;; --) shift; break ;; -*) a ;; *) b
c
;; esac < x; }
