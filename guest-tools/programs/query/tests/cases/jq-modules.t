# Modules that mean the same in jq 1.6 of Debian 12 and in jq 1.8.
% export HOME=$PWD/home; mkdir -p home/.jq lib/sub lib/pk deep/pkg/jq cwd; echo 'def a: "lib/a"; def d: "d";' > lib/a.jq; echo 'import "a" as a; def b: a::a + "-b";' > lib/b.jq; echo 'import "./sub/c" as c; def e: c::c;' > lib/e.jq; echo 'def c: "c";' > lib/sub/c.jq; echo 'import "c" as c {search:"./sub"}; def f: c::c;' > lib/f.jq; echo 'import "c" as c {search:"sub"}; def g: c::c;' > lib/g.jq; echo 'def m: "main";' > deep/pkg/jq/main.jq; echo '{"k":1} [2]' > lib/data.json; echo 'def h: "home";' > home/.jq/h.jq; echo 'def p: "p";' > lib/pk/pk.jq; echo 'import "lib/a" as a; a::a' > prog.jq; echo 'import "a" as a {search:"./"}; a::a' > lib/prog.jq; echo 'import "a" as a; a::a' > lib/prog2.jq; echo 'import "data" as $d {search:"./"}; def i: $d; def j: $d::d;' > lib/i.jq

$ jq -nc 'import "lib/a" as a; a::a'; jq -nc 'import "lib/b" as b; b::b'; jq -nc -L lib 'import "b" as b; b::b'; jq -nc 'import "lib/e" as b; b::e'; jq -nc 'import "lib/f" as b; b::f'; jq -nc 'import "lib/g" as b; b::g'; jq -nc 'import "deep/pkg" as b; b::m'; jq -nc 'import "lib/pk" as h; h::p'
  "lib/a"
  "lib/a-b"
  "lib/a-b"
  "c"
  "c"
  "c"
  "main"
  "p"

$ jq -nc 'import "lib/data" as $d; $d, $d::d'; jq -nc 'import "lib/i" as i; i::i, i::j'; jq -nc -L lib -L nosuch 'import "data" as $data; $data::data[1]'; jq -nc 'import "lib/nosuch" as $x; 1' 2>&1; echo $?; echo hello > raw.json; jq -n 'import "raw" as $x {raw:true}; $x'; jq -n 'import "raw" as $x; 1' 2>&1 | cut -c1-24
  [{"k":1},[2]]
  [{"k":1},[2]]
  [{"k":1},[2]]
  [{"k":1},[2]]
  [2]
  jq: error: module not found: lib/nosuch
  
  jq: 1 compile error
  3
  "hello\n"
  jq: error loading data f
  
  jq: 1 compile error

$ jq -nf prog.jq; jq -nf lib/prog.jq; jq -nf lib/prog2.jq; cd cwd; jq -nf ../lib/prog.jq; jq -n 'import "lib/a" as a; 1' 2>&1; echo $?
  "lib/a"
  "lib/a"
  "lib/a"
  "lib/a"
  jq: error: module not found: lib/a
  
  jq: 1 compile error
  3

$ jq -nc 'import "h" as h; h::h'; jq -n 'import "h" as h {search:"~/.jq"}; h::h'; jq -n -L '~/.jq' 'import "h" as h; h::h'; jq -n 'import "a" as a {search:"~/x"}; a::a' 2>&1; jq -n 'import "a" as a {search:["nosuch","./lib"]}; a::a'; jq -n 'include "lib/a"; a, d'; jq -n 'include "a" {search:"lib"}; a'; jq -n -Llib 'import "a" as b; b::a'; jq -n 'import "a" as a {search: 5}; 1' 2>&1
  "home"
  "home"
  "home"
  jq: error: module not found: a
  
  jq: 1 compile error
  "lib/a"
  "lib/a"
  "d"
  "lib/a"
  "lib/a"
  jq: error: module not found: a
  
  jq: 1 compile error
[3]

$ jq -n 'include "nosuch"; a' 2>&1; echo $?; jq -n 'import "nosuch" as $x; a' 2>&1; jq -n 'import "nosuch" as a; import "lib/a" as b; 1' 2>&1
  jq: error: module not found: nosuch
  
  jq: 1 compile error
  3
  jq: error: module not found: nosuch
  
  jq: 1 compile error
  jq: error: module not found: nosuch
  
  jq: 1 compile error
[3]

$ jq -nc -L lib 'get_search_list | map(sub(".*/"; ""))'; jq -n 'get_search_list[0]'; jq -nc -L lib '"i" | modulemeta | .deps'; jq -nc -L lib '"b" | modulemeta | .deps'
  ["lib"]
  "~/.jq"
  [{"search":"./","as":"d","is_data":true,"relpath":"data"}]
  [{"as":"a","is_data":false,"relpath":"a"}]

$ rm -r home/.jq; echo 'def homey: "homey"; def map(f): "mine";' > home/.jq; jq -n 'homey, ([1] | map(.))'; HOME=/nosuch jq -n '[1] | map(.)' -c; echo 'def homey: 1; include "lib/a";' > cwd/x.jq; jq -n 'include "lib/a"; homey, a'
  "homey"
  "mine"
  [1]
  "homey"
  "lib/a"
