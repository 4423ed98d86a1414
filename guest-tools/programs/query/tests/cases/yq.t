# No mikefarah's yq is in Debian 12; the results were checked against its documentation.
% printf '# shop\nname: corner # open\nitems:\n  - id: 1\n    price: 2.50\n    tags: [a, b]\n  # second\n  - id: 2\n    price: 10\n    tags: []\nowner: &me\n  first: "Ann"\n  last: '"'"'Lee'"'"'\nagain: *me\ntext: |\n  one\n  two\n' > f.yaml
% printf '{"a": {"b": [1, 2.0, "x"]}, "on": "yes", "n": null}' > j.json; printf 'a: 1\n---\na: 2\nb: z\n' > two.yaml; printf '<r v="1"><i>x</i><i>y</i><t>hi</t></r>\n' > x.xml; printf 'n,v\nx,1\ny,true\n' > c.csv; printf 'title = "t"\n[a]\nb = 1\nc = [1, 2]\n[[l]]\nk = "v"\n' > t.toml

$ yq . f.yaml; yq '.name' f.yaml; yq '.items[1].price' f.yaml; yq '.items[].id' f.yaml; yq '.items.0.tags[0]' f.yaml; yq '.nope' f.yaml; yq -r '.owner.first' f.yaml
  # shop
  name: corner # open
  items:
    - id: 1
      price: 2.50
      tags: [a, b]
    # second
    - id: 2
      price: 10
      tags: []
  owner: &me
    first: "Ann"
    last: 'Lee'
  again: *me
  text: |
    one
    two
  corner
  10
  1
  2
  a
  null
  Ann

$ yq '.items[0]' f.yaml; yq '.again.last' f.yaml; yq '.text' f.yaml; yq '.owner' f.yaml; yq '.items | length' f.yaml; yq 'keys' f.yaml; yq '.items[] | select(.price > 5) | .id' f.yaml
  id: 1
  price: 2.50
  tags: [a, b]
  Lee
  one
  two
  
  &me
  first: "Ann"
  last: 'Lee'
  2
  - name
  - items
  - owner
  - again
  - text
  2

$ yq -i '.name = "new" | .items[0].price += 1 | .items += [{"id": 3}] | del(.text)' f.yaml; cat f.yaml
  # shop
  name: new # open
  items:
    - id: 1
      price: 3.5
      tags: [a, b]
    # second
    - id: 2
      price: 10
      tags: []
    - id: 3
  owner: &me
    first: "Ann"
    last: 'Lee'
  again: *me

$ yq '.items[0].tags += "c" | .owner.age = 7 | .a.b.c = true' f.yaml | tail -n +2 | head -8; yq '.items |= map(.id)' f.yaml | sed -n '3,7p'; yq 'explode(.) | .again' f.yaml
  name: corner # open
  items:
    - id: 1
      price: 2.50
      tags: [a, b, c]
    # second
    - id: 2
      price: 10
  items:
    - 1
    - 2
  owner: &me
    first: "Ann"
  first: "Ann"
  last: 'Lee'

$ yq -o=json f.yaml; yq -o json -I0 '.items' f.yaml; yq -o json '.name' f.yaml; yq -o json -r '.name' f.yaml; yq '.items[0] | @json' f.yaml; yq -P -p json j.json; yq j.json; yq -p json -o yaml '.a.b[2]' j.json
  {
    "name": "corner",
    "items": [
      {
        "id": 1,
        "price": 2.50,
        "tags": [
          "a",
          "b"
        ]
      },
      {
        "id": 2,
        "price": 10,
        "tags": []
      }
    ],
    "owner": {
      "first": "Ann",
      "last": "Lee"
    },
    "again": {
      "first": "Ann",
      "last": "Lee"
    },
    "text": "one\ntwo\n"
  }
  [{"id":1,"price":2.50,"tags":["a","b"]},{"id":2,"price":10,"tags":[]}]
  "corner"
  corner
  {"id":1,"price":2.50,"tags":["a","b"]}
  a:
    b:
      - 1
      - 2.0
      - x
  on: yes
  n: null
  {
    "a": {
      "b": [
        1,
        2.0,
        "x"
      ]
    },
    "on": "yes",
    "n": null
  }
  x

$ yq '.a' two.yaml; yq 'select(document_index == 1)' two.yaml; yq ea '. as $d ireduce ({}; . * $d)' two.yaml; yq ea '[.[] | select(. != "z")]' two.yaml; yq -N . two.yaml; yq ea 'select(di == 0) * select(di == 1)' two.yaml
  1
  ---
  2
  a: 2
  b: z
  a: 2
  b: z
  - 1
  - 2
  a: 1
  a: 2
  b: z
  a: 2
  b: z

$ yq -p xml -o yaml . x.xml; yq -p xml -o json '.r.i' x.xml; yq -o xml '.r.t = "a<b" | .r.i += "z"' x.xml; yq -n -o xml '.a.b = 1 | .a."+@c" = "d"'
  r:
    +@v: "1"
    i:
      - x
      - y
    t: hi
  [
    "x",
    "y"
  ]
  <r v="1">
    <i>x</i>
    <i>y</i>
    <i>z</i>
    <t>a&lt;b</t>
  </r>
  <a c="d">
    <b>1</b>
  </a>

$ yq c.csv -p csv -o json -I0; yq -p csv -o yaml '.[] | select(.n == "x") | .v' c.csv; yq -o csv '.items | map({"id": .id, "price": .price})' f.yaml; yq -o tsv '.items | map([.id, .price])' f.yaml
  [{"n":"x","v":1},{"n":"y","v":true}]
  1
  id,price
  1,2.50
  2,10
  1	2.50
  2	10

$ yq -p toml -o json -I0 . t.toml; yq t.toml; yq -o toml '.owner' f.yaml; yq -o props '.items, .owner' f.yaml; printf 'a.b = 1\na.c.0 = x\n' | yq -p props -o yaml .; yq -o shell '.owner' f.yaml
  {"title":"t","a":{"b":1,"c":[1,2]},"l":[{"k":"v"}]}
  title = "t"
  
  [a]
  b = 1
  c = [1, 2]
  
  [[l]]
  k = "v"
  first = "Ann"
  last = "Lee"
  0.id = 1
  0.price = 2.50
  0.tags.0 = a
  0.tags.1 = b
  1.id = 2
  1.price = 10
  first = Ann
  last = Lee
  a:
    b: 1
    c:
      - x
  first=Ann
  last=Lee

$ yq 'to_entries | .[0]' f.yaml; yq '.owner | with_entries(.key |= upcase)' f.yaml; yq '.owner | to_entries | map(.key + "=" + .value) | join(",")' f.yaml; yq 'has("name"), (.owner | has("x"))' f.yaml
  key: name
  value: corner # open
  FIRST: "Ann"
  LAST: 'Lee'
  first=Ann,last=Lee
  true
  false

$ yq '.items | sort_by(-.id)' f.yaml >/dev/null 2>&1; echo $?; yq '.items | sort_by(.price) | reverse | .[].id' f.yaml; yq '[.items[].price] | max' f.yaml; yq '.items | group_by(.id > 1) | length' f.yaml; yq 'sort_keys(.) | keys | .[0]' f.yaml; yq '.items | map(.tags) | flatten | unique' f.yaml
  1
  2
  1
  10
  2
  again
  - a
  - b

$ yq '.name | test("^c")' f.yaml; yq '.name | sub("o", "0")' f.yaml; yq '.name | split("r")' f.yaml; yq '.name | upcase' f.yaml; yq '"n: \(.name)"' f.yaml; yq '.name == "c*"' f.yaml; yq '.name | length' f.yaml; yq '.x // "none"' f.yaml
  true
  c0rner
  - co
  - ne
  - ""
  CORNER
  n: corner
  true
  6
  none

$ yq '.. | select(tag == "!!int")' f.yaml; yq '.items[0] | path' f.yaml; yq '[.. | select(tag == "!!str")] | length' f.yaml; yq '.owner.first | style' f.yaml; yq '.owner | anchor' f.yaml; yq '.name | line_comment' f.yaml; yq '.items[1] | head_comment' f.yaml; yq '.again | alias' f.yaml
  1
  2
  10
  - items
  - 0
  6
  double
  me
  open
  second
  me

$ yq '.name line_comment = "closed" | .owner.first style = "single" | .name' f.yaml; yq '.name line_comment = "closed"' f.yaml | head -2; X='a b' yq -n '.v = strenv(X) | .n = env(Y) // 1' 2>/dev/null; X=5 yq -n '.v = env(X)'; X='q' yq -n '"v ${X} $X ${Z:-d}" | envsubst'
  corner
  # shop
  name: corner # closed
  v: 5
  v q q d

$ yq -n '{"a": 1, "b": [1, 2], "c": {"d": null}}'; yq -n '[1, 2] + [3] - [2]'; yq -n '7 / 2'; yq -n '7 % 4, 2 * 3, 1.5 + 1, "a" + "b", "ab" * 2'; yq -n '{"a": {"x": 1}} * {"a": {"y": 2}}'; yq -n '{"a": [1]} *+ {"a": [2]}'; yq -n '[1,2,3] | .[1:]'
  a: 1
  b:
    - 1
    - 2
  c:
    d: null
  - 1
  - 2
  - 3
  3.5
  3
  6
  2.5
  ab
  abab
  a:
    x: 1
    y: 2
  a:
    - 1
    - 2
  - 2
  - 3

$ yq '.items[] |= pick(["id"])' f.yaml | sed -n '3,6p'; yq 'with(.owner; .first = "Bo" | .last = "X") | .owner' f.yaml; yq 'del(.items[0], .owner.last)' f.yaml | sed -n '3,9p'; yq '.items[] |= . * {"ok": true} | .items[0].ok' f.yaml; yq '.items | any_c(.id == 2)' f.yaml
  items:
    - id: 1
    # second
    - id: 2
  &me
  first: "Bo"
  last: 'X'
  items:
    # second
    - id: 2
      price: 10
      tags: []
  owner: &me
    first: "Ann"
  true
  true

$ yq -e '.nope' f.yaml; echo $?; yq -e '.name' f.yaml; echo $?; yq '.a b c (' f.yaml 2>/dev/null; echo $?; yq . nosuch.yaml 2>&1; printf 'a: [1\n' | yq . 2>/dev/null; echo $?; yq -o lua . f.yaml 2>&1; yq '.a | nosuchfunction' f.yaml >/dev/null 2>&1; echo $?
  null
  1
  corner
  0
  1
  Error: open nosuch.yaml: no such file or directory
  1
  Error: format 'lua' is not supported
  1

$ yq -s '.a' two.yaml; ls; cat 2.yml; yq --front-matter=extract '.t' <<< $'---\nt: 1\n---\nrest: x'; printf -- '---\nt: 1\n---\nbody\n' > p.md; yq -f process '.t = 2' p.md; yq -0 '.items[].id' f.yaml | tr '\0' ,
  1.yml
  2.yml
  c.csv
  f.yaml
  j.json
  t.toml
  two.yaml
  x.xml
  a: 2
  b: z
  1
  ---
  t: 2
  ---
  body
  1,2,
\

$ printf 'a: "1"\nb: 0x10\nc: 1e3\nd: 2024-01-02\ne: ~\nf: "no"\ng: ""\nh: "a: b"\ni: "x #y"\n' | yq -o json -I0 '.[] | [tag, .]'; yq -n '.a = "1" | .b = "true" | .c = "- x" | .d = "" | .e = " x" | .f = "a\tb" | .g = "it'"'"'s: x" | .h = "l1\nl2"'
  ["!!str","1"]
  ["!!int",16]
  ["!!float",1e3]
  ["!!timestamp","2024-01-02"]
  ["!!null",null]
  ["!!str","no"]
  ["!!str",""]
  ["!!str","a: b"]
  ["!!str","x #y"]
  a: "1"
  b: "true"
  c: '- x'
  d: ""
  e: ' x'
  f: "a\tb"
  g: 'it''s: x'
  h: |-
    l1
    l2

$ printf 'base: &b {x: 1, y: 2}\nd:\n  <<: *b\n  y: 3\n' | yq '.d.x, .d, (.d | explode(.))'; printf 'a: 1 # one\n\n# two\nb: 2\n\n# end\n' | yq '.a = 5'; printf -- '- a: 1\n  # in\n  b: 2\n# out\n- c\n' | yq '.[1] = "d"'
  1
  x: 1
  y: 3
  x: 1
  y: 3
  a: 5 # one
  # two
  b: 2
  
  # end
  - a: 1
    # in
    b: 2
  # out
  - d

$ printf 'a:\n  - x\n  - y: 1\n    z: 2\n' | yq -I4 .; printf 'a:\n- x\n' | yq -c .; printf '{a: 1, b: [x, "y"]}\n' | yq '.c = 2'; printf '{a: 1, b: [x, "y"]}\n' | yq -P; printf 'k: >\n  folded\n  text\n\n  para\n' | yq .
  a:
      - x
      - y: 1
        z: 2
  a:
  - x
  {a: 1, b: [x, "y"], c: 2}
  a: 1
  b:
    - x
    - "y"
  k: >
    folded text
  
    para

$ yq -n '0x10 + 0xa'; yq -n '0x1 - 2'; echo 'a: 0o7' | yq '.a + 1'; echo 'a: 0X1f' | yq '.a - 0x20'
  0x1A
  0x-1
  0o10
  0x-1

$ echo 'a: 2024-01-02T03:04:05.678901Z' > t; for l in 15:04:05.000 05.0 2006-01-02T15:04:05.999999999Z07:00 05,999 .05; do yq ".a |= format_datetime(\"$l\")" t; done; echo 'a: 2024-01-02T03:04:05Z' | yq '.a |= format_datetime("05.999|05.000")'; echo 'a: "03:04:05.25"' | yq '.a |= with_dtf("15:04:05", format_datetime("05.00"))'
  a: 03:04:05.678
  a: 05.6
  a: 2024-01-02T03:04:05.678901Z
  a: 05,678
  a: .05
  a: 05|05.000
  a: "05.25"

$ echo 'a: 2024-01-02T03:04:05Z' > t; for d in 1500000us 2000000000ns 1h.5m 3000000µs; do yq ".a += \"$d\"" t; done
  a: 2024-01-02T03:04:06Z
  a: 2024-01-02T03:04:07Z
  a: 2024-01-02T04:04:35Z
  a: 2024-01-02T03:04:08Z
