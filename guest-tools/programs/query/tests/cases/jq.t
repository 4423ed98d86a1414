# Queries that mean the same in jq 1.6 of Debian 12 and in jq 1.8.
% printf '[1,{"b":2},[3],{"b":4}]' > j; printf '{"u":[{"n":"x","t":["a","b"]},{"n":"y","t":null},{"n":"z"}]}' > u

$ jq -c '.[].b?' j
  2
  4

$ jq -c '.[]?.b?' j
  2
  4

$ jq -c '[.[] | .b?]' j
  [2,4]

$ jq -c '[.[].b?]' j
  [2,4]

$ jq -c '[.[]["b"]?]' j
  [2,4]

$ jq -c '[.[][0]?]' j
  [3]

$ jq -c '[.[].b?.c?]' j
  []

$ jq -c '[.[]?.b?, 7]' j
  [2,4,7]

$ jq -c '[(.[].b)?]' j
  []

$ jq -c '[.[][]?]' j
  [2,3,4]

$ jq -c '[.[][1:]?]' j
  [[]]

$ jq -c '[..?]' j
  [[1,{"b":2},[3],{"b":4}],1,{"b":2},2,[3],3,{"b":4},4]

$ jq -c '[.. | .b?]' j
  [2,4]

$ jq -c '[.[] | try .b catch "e"]' j
  ["e",2,"e",4]

$ jq -c '[.[]."b"?]' j
  [2,4]

$ jq -c '[.[]?|tonumber?]' <<< '["1","x","3"]'
  [1,3]

$ jq -c '[(1,error("x"),3)?]' <<< 1
  [1]

$ jq -c '[.[]|(1,error,3)?]' <<< '[1,2]'
  [1,1]

$ jq -c 'first(.[].b?)' j
  2

$ jq -c 'path(.[].b?)' j
  [1,"b"]
  [3,"b"]

$ jq -c 'del(.[].b?)' j
  [1,{},[3],{}]

$ jq -c '.[].b? |= 9' j
  [1,{"b":9},[3],{"b":9}]

$ jq -c '.u[].t[]?' u
  "a"
  "b"

$ jq -c '.u[] | .t[]?' u
  "a"
  "b"

$ jq -c '[.u[].t?[0]?]' u
  ["a",null,null]

$ jq -c '.u | map(.t // [] | length)' u
  [2,0,0]

$ jq -c '.u[] | "\(.n): \(.t? // "none")"' u
  "x: [\"a\",\"b\"]"
  "y: none"
  "z: none"

$ jq -c '[.u[] | select(.t? | index("a")?) | .n]' u
  ["x"]

$ jq -c '[.u[].t | .[1:]?]' u
  [["b"],null,null]

$ jq -c '[.u[]["n","t"]?]' u
  ["x","y","z",["a","b"],null,null]

$ jq -c '[.. | strings]' u
  ["x","a","b","y","z"]

$ jq -c '[.u[].n?.x?]' u
  []

$ jq -c '[.u[].n??]' u
  ["x","y","z"]

$ printf '[1,' > a; printf '2] 12' > b; printf '34 "x' > c; printf 'y" nul' > d; printf 'l' > e; jq -c . a b c d e; jq -c -s . a b c d e; jq -cn '[inputs]' a b
  [1,2]
  1234
  "xy"
  null
  [[1,2],1234,"xy",null]
  [[1,2],12]

$ printf '{"a":\n' > a; printf '[1,\n2' > b; printf ']}' > c; jq -c '[., input_filename]' a b c; jq -c . a b 2> /dev/null || echo failed
  [{"a":[1,2]},"c"]
  failed

$ printf '1\n2\n[1,}\n' | jq -c . 2>&1 > /dev/null | sed 's/^jq: //'
  parse error: Unmatched '}' at line 3, column 4
