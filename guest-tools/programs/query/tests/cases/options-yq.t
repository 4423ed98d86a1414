# No mikefarah's yq is in Debian 12; the results were checked against its documentation.
% printf 'n,v\nx,1\ny,true\nz,1.5\n' > c.csv; printf 'n\tv\nx\t1\n' > t.tsv; printf 'n;v\nx;1\n' > s.csv; printf 'a: 1\nb: [x, y]\nc: {d: e}\n' > f.yaml; printf '<?xml version="1.0"?><!DOCTYPE r><r v="1">hi<i>x</i></r>\n' > x.xml; printf '# head\n\na: 1\n' > h.yaml; printf '.a = 5\n' > e.yq

$ yq -p csv -o json -I0 . c.csv; yq -p csv --csv-auto-parse=false -o json -I0 . c.csv; yq -p tsv -o json -I0 . t.tsv; yq -p tsv --tsv-auto-parse=false -o json -I0 . t.tsv; yq -p csv --csv-separator=';' -o json -I0 . s.csv; yq -o csv --csv-separator='|' '[["a", "b"], [1, 2]]' f.yaml; yq -p tsv --tsv-separator=';' -o json -I0 . s.csv; yq -o tsv --tsv-separator=',' '[["a", "b"], [1, 2]]' f.yaml
  [{"n":"x","v":1},{"n":"y","v":true},{"n":"z","v":1.5}]
  [{"n":"x","v":"1"},{"n":"y","v":"true"},{"n":"z","v":"1.5"}]
  [{"n":"x","v":1}]
  [{"n":"x","v":"1"}]
  [{"n":"x","v":1}]
  a|b
  1|2
  [{"n":"x","v":1}]
  a,b
  1,2

$ yq --expression '.a' f.yaml; yq --expression='.c.d' f.yaml; yq --from-file e.yq f.yaml; yq --from-file=e.yq -o json -I0 f.yaml; yq --from-file nope f.yaml 2>/dev/null; echo $?
  1
  e
  a: 5
  b: [x, y]
  c: {d: e}
  {"a":5,"b":["x","y"],"c":{"d":"e"}}
  1

$ yq --header-preprocess=false '.a' h.yaml; yq '.' h.yaml; yq --header-preprocess '.' h.yaml
  1
  # head
  
  a: 1
  # head
  
  a: 1

$ yq -o props . f.yaml; yq -o props --properties-separator=' : ' . f.yaml; yq -o props --properties-separator='=' . f.yaml; yq -o props --properties-array-brackets . f.yaml; yq -o shell . f.yaml; yq -o shell --shell-key-separator=__ . f.yaml
  a = 1
  b.0 = x
  b.1 = y
  c.d = e
  a : 1
  b.0 : x
  b.1 : y
  c.d : e
  a=1
  b.0=x
  b.1=y
  c.d=e
  a = 1
  b[0] = x
  b[1] = y
  c.d = e
  a=1
  b_0=x
  b_1=y
  c_d=e
  a=1
  b__0=x
  b__1=y
  c__d=e

$ K=val yq -n 'env(K)'; K=val yq -n --security-disable-env-ops 'env(K)' 2>/dev/null; echo $?; yq -n 'load("f.yaml").a'; yq -n --security-disable-file-ops 'load("f.yaml").a' 2>/dev/null; echo $?; yq --security-disable-file-ops .a f.yaml; yq --security-disable-env-ops .a f.yaml
  val
  1
  1
  1
  1
  1

$ yq -p xml -o json -I0 '.r' x.xml; yq -p xml --xml-attribute-prefix=@ -o json -I0 '.r' x.xml; yq -p xml --xml-content-name=text -o json -I0 '.r' x.xml; yq -p xml -o json -I0 . x.xml; yq -p xml --xml-proc-inst-prefix=PI_ --xml-directive-name=DIR -o json -I0 . x.xml; yq -o xml '.c' f.yaml; yq -n -o xml --xml-attribute-prefix=@ '{"r": {"@k": "v", "+content": "t"}}'; yq -n -o xml --xml-content-name=c '{"r": {"+@k": "v", "c": "t"}}'
  {"+content":"hi","+@v":"1","i":"x"}
  {"+content":"hi","@v":"1","i":"x"}
  {"text":"hi","+@v":"1","i":"x"}
  {"+p_xml":"version=\"1.0\"","+directive":"DOCTYPE r","r":{"+content":"hi","+@v":"1","i":"x"}}
  {"PI_xml":"version=\"1.0\"","DIR":"DOCTYPE r","r":{"+content":"hi","+@v":"1","i":"x"}}
  <d>e</d>
  <r k="v">t</r>
  <r k="v">t</r>

$ yq -M .c f.yaml; yq --no-colors .b f.yaml; yq -v .a f.yaml 2>/dev/null; yq --verbose .a f.yaml 2>/dev/null; yq -V f.yaml | grep -c 'a: 1'; yq -V | wc -l
  {d: e}
  [x, y]
  1
  1
  0
  1
