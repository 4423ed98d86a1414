# csvkit 1.0.7 of Debian 12; what it says about dialects it cannot guess goes to standard error.
% printf 'id,name,score\n1,Ann,10.5\n2,Bob,1234\n10,,\n3,dan,-7.25\n' > a.csv; printf 'x;y\n1;2\n30;4\n' > semi.csv; printf 'b\ta\nc\td\na\te\n' > tab.tsv; printf "k,v\n'p,q',1\n'it''s',2\n" > q.csv; printf 'k,v\n"p,q",1\n"it\\"s",2\n' > esc.csv; printf 'k,v\np\\,q,1\n"r",2\n' > none.csv
% printf 'k, v\n z, "1,5"\n a,  2\n' > sp.csv; printf 'k,v\ncaf\351,1\nb,2\n' > l1.csv; printf '# one\n# two\nk,v\nz,2\nb,1\n' > skip.csv; printf 'k,v\nabcdefghij,1\nb,2\n' > long.csv; printf 'k,v\nna,1\n,2\nn/a,3\nb,\n' > na.csv; printf 'm,n\n5,x\n2,w\n' > h.csv; printf '"k","v"\n"u",3.0\n"t",4\n' > nn.csv

$ csvcut -S sp.csv; csvcut sp.csv; csvcut --skipinitialspace sp.csv
  k,v
  z,"1,5"
  a,2
  k, v
   z," ""1"
   a,  2
  k,v
  z,"1,5"
  a,2

$ csvcut -q "'" q.csv; csvcut --quotechar="'" q.csv; csvcut q.csv 2>/dev/null; echo $?
  k,v
  "p,q",1
  it's,2
  k,v
  "p,q",1
  it's,2
  k,v
  'p,q'
  'it''s',2
  0

$ csvcut -b -p '\' esc.csv; csvcut --no-doublequote --escapechar='\' esc.csv; csvcut -b none.csv 2>/dev/null; echo $?
  k,v
  "p,q",1
  "it""s",2
  k,v
  "p,q",1
  "it""s",2
  k,v
  p\,q
  r,2
  0

$ csvcut -u 3 -p '\' none.csv; csvcut --quoting=3 nn.csv; csvcut -u 0 nn.csv; csvcut -u 1 nn.csv; csvcut -u 2 nn.csv 2>/dev/null; echo $?; csvcut -u 7 nn.csv 2>/dev/null; echo $?
  k,v
  "p,q",1
  """r""",2
  """k""","""v"""
  """u""",3.0
  """t""",4
  k,v
  u,3.0
  t,4
  k,v
  u,3.0
  t,4
  k,v
  u,3.0
  t,4.0
  0
  2

$ csvcut -z 5 long.csv 2>/dev/null; echo $?; csvcut -z 5 long.csv 2>&1 >/dev/null | tail -1; csvcut --maxfieldsize=10 long.csv; csvcut -z x long.csv 2>/dev/null; echo $?
  k,v
  1
  FieldSizeLimitError: CSV contains a field longer than the maximum length of 5 characters on line 2. Try raising the maximum with the field_size_limit parameter, or try setting quoting=csv.QUOTE_NONE.
  k,v
  abcdefghij,1
  b,2
  2

$ csvcut -e latin1 l1.csv; csvcut --encoding=iso-8859-1 l1.csv; csvcut l1.csv 2>&1 | tail -1; csvcut -e nope l1.csv 2>/dev/null; echo $?; printf '\377\376k\0,\0v\0\n\0z\0,\0001\0\n\0' > u16; csvcut -e utf-16 u16; printf '\357\273\277k,v\nz,1\n' > bom; csvcut bom
  k,v
  café,1
  b,2
  k,v
  café,1
  b,2
  Your file is not "utf-8-sig" encoded. Please specify the correct encoding with the -e flag or with the PYTHONIOENCODING environment variable. Use the -v flag to see the complete error.
  1
  k,v
  z,1
  k,v
  z,1

$ csvcut -v nope.csv 2>&1 | head -1; csvcut --verbose nope.csv 2>&1 | tail -1; csvcut nope.csv 2>&1; csvcut a.csv >/dev/null; csvcut --no-such a.csv 2>/dev/null; echo $?
  Traceback (most recent call last):
  FileNotFoundError: [Errno 2] No such file or directory: 'nope.csv'
  FileNotFoundError: [Errno 2] No such file or directory: 'nope.csv'
  2

$ csvcut -V a.csv | grep -c Ann; csvcut -h a.csv | cut -c1-11 | head -1; csvcut -h a.csv | grep -c Ann; csvcut --version | cut -d' ' -f1
  0
  usage: csvc
  0
  csvcut

$ csvcut -K 2 skip.csv; csvcut --skip-lines=3 skip.csv; csvcut -K x skip.csv 2>/dev/null; echo $?
  k,v
  z,2
  b,1
  z,2
  b,1
  2

$ csvcut -H h.csv; csvcut --no-header-row h.csv
  a,b
  m,n
  5,x
  2,w
  a,b
  m,n
  5,x
  2,w

$ csvcut -d ';' semi.csv; csvcut --delimiter=';' semi.csv; csvcut -t tab.tsv; csvcut --tabs -d, tab.tsv; csvcut -d ab a.csv 2>/dev/null; echo $?
  x,y
  1,2
  30,4
  x,y
  1,2
  30,4
  b,a
  c,d
  a,e
  b,a
  c,d
  a,e
  1

$ csvcut -l a.csv; csvcut -l -c name a.csv; csvcut --linenumbers -H h.csv; csvcut -H h.csv; csvcut -H -c b h.csv; csvcut -H -n h.csv 2>/dev/null; echo $?; csvcut -n --zero a.csv; csvcut --zero -c 0,2 a.csv; csvcut --zero -c 3 a.csv 2>&1; csvcut -c 0 a.csv 2>&1; csvcut -c nope a.csv 2>&1; csvcut -c 9 a.csv 2>&1; csvcut -c 2-1 a.csv 2>&1; csvcut -c 1-x a.csv 2>&1; csvcut -C 2 a.csv; csvcut -C name,score a.csv; csvcut -C nope a.csv 2>&1; csvcut -x -c name a.csv; csvcut -c id,id a.csv; csvcut -c 3,1 a.csv
  line_number,id,name,score
  1,1,Ann,10.5
  2,2,Bob,1234
  3,10,,
  4,3,dan,-7.25
  line_number,name
  1,Ann
  2,Bob
  3,
  4,dan
  line_number,a,b
  1,m,n
  2,5,x
  3,2,w
  a,b
  m,n
  5,x
  2,w
  b
  n
  x
  w
  1
    0: id
    1: name
    2: score
  id,score
  1,10.5
  2,1234
  10,
  3,-7.25
  ColumnIdentifierError: Column 3 is invalid. The last column is 'score' at index 2.
  ColumnIdentifierError: Column 0 is invalid. Columns are 1-based.
  ColumnIdentifierError: Column 'nope' is invalid. It is neither an integer nor a column name. Column names are: 'id', 'name', 'score'
  ColumnIdentifierError: Column 9 is invalid. The last column is 'score' at index 3.
  
  
  
  
  
  ColumnIdentifierError: Invalid range %s. Ranges must be two integers separated by a - or : character.
  id,score
  1,10.5
  2,1234
  10,
  3,-7.25
  id
  1
  2
  10
  3
  ColumnIdentifierError: Column 'nope' is invalid. It is neither an integer nor a column name. Column names are: 'id', 'name', 'score'
  name
  Ann
  Bob
  dan
  id,id
  1,1
  2,2
  10,10
  3,3
  score,id
  10.5,1
  1234,2
  ,10
  -7.25,3

$ printf 'a,b\n1\n1,2,3\n' > r; csvcut r; csvcut -c b r; : > e; csvcut e; printf 'a,b\n' > o; csvcut o; csvcut -c b o; printf 'a,b\n"x\ny",2' > nl; csvcut nl; csvcut -c a nl; printf 'a,b\r\n1,2\r\n' | csvcut -c b | od -c | head -2; printf 'a\n"q""q"\n"un' | csvcut; printf 'a,b\n\n1,2\n' | csvcut; printf 'a,b\n\n1,2\n' | csvcut -x; printf 'a,a\n1,2\n' | csvcut -c a; printf 'a,\n1,2\n' | csvcut -n; csvcut - < a.csv | head -1; csvcut -n < a.csv; printf 'a "b" c,d\n' | csvcut; printf '"a"b,c\n' | csvcut
  a,b
  1,
  1,2
  b
  ""
  2
  
  a,b
  b
  a,b
  "x
  y",2
  a
  "x
  y"
  0000000   b  \n   2  \n
  0000004
  a
  "q""q"
  un
  a,b
  ,
  1,2
  a,b
  1,2
  a
  1
    1: a
    2: 
  id,name,score
    1: id
    2: name
    3: score
  "a ""b"" c",d
  ab,c

$ csvgrep -m 1 -S -c 2 sp.csv; csvgrep -m 1 -c 2 sp.csv; csvgrep -m 1 --skipinitialspace -c 2 sp.csv
  k,v
  z,"1,5"
  k, v
   z," ""1","5"""
  k,v
  z,"1,5"

$ csvgrep -m 1 -q "'" -c v q.csv; csvgrep -m 1 --quotechar="'" -c v q.csv; csvgrep -m 1 -c v q.csv 2>/dev/null; echo $?
  k,v
  "p,q",1
  k,v
  "p,q",1
  k,v
  0

$ csvgrep -m 1 -b -p '\' -c v esc.csv; csvgrep -m 1 --no-doublequote --escapechar='\' -c v esc.csv; csvgrep -m 1 -b -c v none.csv 2>/dev/null; echo $?
  k,v
  "p,q",1
  k,v
  "p,q",1
  k,v
  0

$ csvgrep -m 1 -u 3 -p '\' -c v none.csv; csvgrep -m 1 --quoting=3 -c v nn.csv; csvgrep -m 1 -u 0 -c v nn.csv; csvgrep -m 1 -u 1 -c v nn.csv; csvgrep -m 1 -u 7 -c v nn.csv 2>/dev/null; echo $?
  k,v
  "p,q",1
  k,v
  k,v
  2

$ csvgrep -m 1 -z 5 -c v long.csv 2>/dev/null; echo $?; csvgrep -m 1 -z 5 -c v long.csv 2>&1 >/dev/null | tail -1; csvgrep -m 1 --maxfieldsize=10 -c v long.csv; csvgrep -m 1 -z x -c v long.csv 2>/dev/null; echo $?
  k,v
  1
  FieldSizeLimitError: CSV contains a field longer than the maximum length of 5 characters on line 2. Try raising the maximum with the field_size_limit parameter, or try setting quoting=csv.QUOTE_NONE.
  k,v
  abcdefghij,1
  2

$ csvgrep -m 1 -e latin1 -c v l1.csv; csvgrep -m 1 --encoding=iso-8859-1 -c v l1.csv; csvgrep -m 1 -c v l1.csv 2>&1 | tail -1; csvgrep -m 1 -e nope -c v l1.csv 2>/dev/null; echo $?; printf '\377\376k\0,\0v\0\n\0z\0,\0001\0\n\0' > u16; csvgrep -m 1 -e utf-16 -c v u16; printf '\357\273\277k,v\nz,1\n' > bom; csvgrep -m 1 -c v bom
  k,v
  café,1
  k,v
  café,1
  Your file is not "utf-8-sig" encoded. Please specify the correct encoding with the -e flag or with the PYTHONIOENCODING environment variable. Use the -v flag to see the complete error.
  1
  k,v
  z,1
  k,v
  z,1

$ csvgrep -m 1 -v -c id nope.csv 2>&1 | head -1; csvgrep -m 1 --verbose -c id nope.csv 2>&1 | tail -1; csvgrep -m 1 -c id nope.csv 2>&1; csvgrep -m 1 -c id a.csv >/dev/null; csvgrep -m 1 --no-such a.csv 2>/dev/null; echo $?
  Traceback (most recent call last):
  FileNotFoundError: [Errno 2] No such file or directory: 'nope.csv'
  FileNotFoundError: [Errno 2] No such file or directory: 'nope.csv'
  2

$ csvgrep -V -c id -m 1 a.csv | grep -c Ann; csvgrep -h -c id -m 1 a.csv | cut -c1-14 | head -1; csvgrep --version | cut -d' ' -f1
  0
  usage: csvgrep
  csvgrep

$ csvgrep -m 1 -K 2 -c v skip.csv; csvgrep -m 1 --skip-lines=3 -c v skip.csv; csvgrep -m 1 -K x -c v skip.csv 2>/dev/null; echo $?
  k,v
  b,1
  2

$ csvgrep -m x -H -c b h.csv; csvgrep -m 5 --no-header-row -c 1 h.csv
  a,b
  5,x
  a,b
  5,x

$ csvgrep -m 3 -d ';' -c x semi.csv; csvgrep -m 3 --delimiter=';' -c x semi.csv; csvgrep -m c -t -c b tab.tsv; csvgrep -m c --tabs -c b tab.tsv; csvgrep -m 3 -c 1 semi.csv; csvgrep -m 1 -d ab -c id a.csv 2>/dev/null; echo $?
  x,y
  30,4
  x,y
  30,4
  b,a
  c,d
  b,a
  c,d
  x;y
  30;4
  1

$ csvgrep -c name -m n a.csv; csvgrep -c name -r '^[AB]' a.csv; csvgrep -c 1 -r '^1' -i a.csv; csvgrep --zero -c 1 -m o a.csv; csvgrep -l -c name -m an a.csv; csvgrep --linenumbers -c id -m 10 a.csv; csvgrep -c name,id -a -m 1 a.csv; csvgrep -c name,id -m 1 a.csv; csvgrep -c 1-2 -r '[0n]' --any-match a.csv; printf '1\n3\n' > f; csvgrep -c id -f f a.csv; csvgrep -c id -f f -i a.csv; csvgrep -c name -r '^$' a.csv; csvgrep -c name -m '' a.csv; csvgrep -n a.csv; csvgrep --zero -n a.csv; csvgrep -m x a.csv 2>/dev/null; echo $?; csvgrep -c id a.csv 2>/dev/null; echo $?; csvgrep -c id -r '(' a.csv 2>/dev/null; echo $?; csvgrep -c nope -m x a.csv 2>&1; csvgrep -c id -f nope a.csv 2>/dev/null; echo $?; csvgrep -c name -m zzz a.csv; csvgrep -c name -r '(?i)ANN' a.csv; csvgrep -c name -r 'A(?=n)' a.csv; csvgrep -H -c 2 -m x h.csv; csvgrep -H -c b -m x h.csv
  id,name,score
  1,Ann,10.5
  3,dan,-7.25
  id,name,score
  1,Ann,10.5
  2,Bob,1234
  id,name,score
  2,Bob,1234
  3,dan,-7.25
  id,name,score
  2,Bob,1234
  line_numbers,id,name,score
  4,3,dan,-7.25
  line_numbers,id,name,score
  3,10,,
  id,name,score
  1,Ann,10.5
  10,,
  id,name,score
  id,name,score
  1,Ann,10.5
  10,,
  3,dan,-7.25
  id,name,score
  1,Ann,10.5
  3,dan,-7.25
  id,name,score
  2,Bob,1234
  10,,
  id,name,score
  10,,
  id,name,score
  1,Ann,10.5
  2,Bob,1234
  10,,
  3,dan,-7.25
    1: id
    2: name
    3: score
    0: id
    1: name
    2: score
  2
  2
  1
  ColumnIdentifierError: Column 'nope' is invalid. It is neither an integer nor a column name. Column names are: 'id', 'name', 'score'
  2
  id,name,score
  id,name,score
  1,Ann,10.5
  id,name,score
  1,Ann,10.5
  a,b
  5,x
  a,b
  5,x

$ csvjson -S sp.csv; csvjson sp.csv; csvjson --skipinitialspace sp.csv
  [{"k": "z", "v": 15.0}, {"k": "a", "v": 2.0}][{"k": "z", "v": 15.0}, {"k": "a", "v": 2.0}]
\

$ csvjson -q "'" q.csv; csvjson --quotechar="'" q.csv; csvjson q.csv 2>/dev/null; echo $?
  [{"k": "p,q", "v": 1.0}, {"k": "it's", "v": 2.0}][{"k": "p,q", "v": 1.0}, {"k": "it's", "v": 2.0}][{"k": "p,q", "v": 1.0}, {"k": "it's", "v": 2.0}]0

$ csvjson -b -p '\' esc.csv; csvjson --no-doublequote --escapechar='\' esc.csv; csvjson -b none.csv 2>/dev/null; echo $?
  [{"k": "p,q", "v": 1.0}, {"k": "it\"s", "v": 2.0}][{"k": "p,q", "v": 1.0}, {"k": "it\"s", "v": 2.0}]1

$ csvjson -u 3 -p '\' none.csv; csvjson --quoting=3 nn.csv; csvjson -u 0 nn.csv; csvjson -u 1 nn.csv; csvjson -u 2 nn.csv 2>/dev/null; echo $?; csvjson -u 7 nn.csv 2>/dev/null; echo $?
  [{"k": "p,q", "v": 1.0}, {"k": "\"r\"", "v": 2.0}][{"\"k\"": "\"u\"", "\"v\"": 3.0}, {"\"k\"": "\"t\"", "\"v\"": 4.0}][{"k": "u", "v": 3.0}, {"k": "t", "v": 4.0}][{"k": "u", "v": 3.0}, {"k": "t", "v": 4.0}][{"k": "u", "v": 3.0}, {"k": "t", "v": 4.0}]0
  2

$ csvjson -z 5 long.csv 2>/dev/null; echo $?; csvjson -z 5 long.csv 2>&1 >/dev/null | tail -1; csvjson --maxfieldsize=10 long.csv; csvjson -z x long.csv 2>/dev/null; echo $?
  1
  FieldSizeLimitError: CSV contains a field longer than the maximum length of 5 characters on line 2. Try raising the maximum with the field_size_limit parameter, or try setting quoting=csv.QUOTE_NONE.
  [{"k": "abcdefghij", "v": 1.0}, {"k": "b", "v": 2.0}]2

$ csvjson -e latin1 l1.csv; csvjson --encoding=iso-8859-1 l1.csv; csvjson l1.csv 2>&1 | tail -1; csvjson -e nope l1.csv 2>/dev/null; echo $?; printf '\377\376k\0,\0v\0\n\0z\0,\0001\0\n\0' > u16; csvjson -e utf-16 u16; printf '\357\273\277k,v\nz,1\n' > bom; csvjson bom
  [{"k": "café", "v": 1.0}, {"k": "b", "v": 2.0}][{"k": "café", "v": 1.0}, {"k": "b", "v": 2.0}]Your file is not "utf-8-sig" encoded. Please specify the correct encoding with the -e flag or with the PYTHONIOENCODING environment variable. Use the -v flag to see the complete error.
  1
  [{"k": "z", "v": true}][{"k": "z", "v": true}]
\

$ csvjson -v nope.csv 2>&1 | head -1; csvjson --verbose nope.csv 2>&1 | tail -1; csvjson nope.csv 2>&1; csvjson a.csv >/dev/null; csvjson --no-such a.csv 2>/dev/null; echo $?
  Traceback (most recent call last):
  FileNotFoundError: [Errno 2] No such file or directory: 'nope.csv'
  FileNotFoundError: [Errno 2] No such file or directory: 'nope.csv'
  2

$ csvjson -V a.csv | grep -c Ann; csvjson -h a.csv | cut -c1-11 | head -1; csvjson -h a.csv | grep -c Ann; csvjson --version | cut -d' ' -f1
  0
  usage: csvj
  0
  csvjson

$ csvjson -K 2 skip.csv; csvjson --skip-lines=3 skip.csv; csvjson -K x skip.csv 2>/dev/null; echo $?
  [{"k": "z", "v": 2.0}, {"k": "b", "v": 1.0}][{"z": "b", "2": true}]2

$ csvjson -H h.csv; csvjson --no-header-row h.csv
  [{"a": "m", "b": "n"}, {"a": "5", "b": "x"}, {"a": "2", "b": "w"}][{"a": "m", "b": "n"}, {"a": "5", "b": "x"}, {"a": "2", "b": "w"}]
\

$ csvjson -d ';' semi.csv; csvjson --delimiter=';' semi.csv; csvjson -t tab.tsv; csvjson --tabs -d, tab.tsv; csvjson -d ab a.csv 2>/dev/null; echo $?
  [{"x": 1.0, "y": 2.0}, {"x": 30.0, "y": 4.0}][{"x": 1.0, "y": 2.0}, {"x": 30.0, "y": 4.0}][{"b": "c", "a": "d"}, {"b": "a", "a": "e"}][{"b": "c", "a": "d"}, {"b": "a", "a": "e"}]1

$ csvjson -l a.csv; csvjson --linenumbers -i 1 h.csv; csvjson --blanks na.csv; csvjson na.csv; csvjson -I na.csv; csvjson --blanks -I na.csv; csvjson --stream na.csv; csvjson -y 0 semi.csv; csvjson -y -1 semi.csv; csvjson --snifflimit 3 semi.csv; csvjson semi.csv; csvjson -k k long.csv; csvjson -k v long.csv; csvjson -k nope long.csv 2>&1; csvjson -k k -i 2 long.csv; csvjson --zero -k 0 long.csv 2>/dev/null; echo $?; csvjson -k 1 long.csv 2>/dev/null; echo $?; csvjson -i 4 h.csv; csvjson --stream -k k long.csv 2>/dev/null; echo $?; printf 'a,b\nx,1\nx,2\n' | csvjson -k a 2>&1
  [{"id": 1.0, "name": "Ann", "score": 10.5}, {"id": 2.0, "name": "Bob", "score": 1234.0}, {"id": 10.0, "name": null, "score": null}, {"id": 3.0, "name": "dan", "score": -7.25}][
   {
    "m": 5.0,
    "n": "x"
   },
   {
    "m": 2.0,
    "n": "w"
   }
  ][{"k": "na", "v": "1"}, {"k": "", "v": "2"}, {"k": "n/a", "v": "3"}, {"k": "b", "v": ""}][{"k": null, "v": 1.0}, {"k": null, "v": 2.0}, {"k": null, "v": 3.0}, {"k": "b", "v": null}][{"k": null, "v": "1"}, {"k": null, "v": "2"}, {"k": null, "v": "3"}, {"k": "b", "v": null}][{"k": "na", "v": "1"}, {"k": "", "v": "2"}, {"k": "n/a", "v": "3"}, {"k": "b", "v": ""}]{"k": null, "v": 1.0}
  {"k": null, "v": 2.0}
  {"k": null, "v": 3.0}
  {"k": "b", "v": null}
  [{"x;y": "1;2"}, {"x;y": "30;4"}][{"x": 1.0, "y": 2.0}, {"x": 30.0, "y": 4.0}][{"x": 1.0, "y": 2.0}, {"x": 30.0, "y": 4.0}][{"x": 1.0, "y": 2.0}, {"x": 30.0, "y": 4.0}]{"abcdefghij": {"k": "abcdefghij", "v": 1.0}, "b": {"k": "b", "v": 2.0}}{"1": {"k": "abcdefghij", "v": 1.0}, "2": {"k": "b", "v": 2.0}}KeyError: 'nope'
  {
    "abcdefghij": {
      "k": "abcdefghij",
      "v": 1.0
    },
    "b": {
      "k": "b",
      "v": 2.0
    }
  }1
  1
  [
      {
          "m": 5.0,
          "n": "x"
      },
      {
          "m": 2.0,
          "n": "w"
      }
  ]2
  ValueError: Value x is not unique in the key column.
[1]

$ printf 'b,d,n,t,s\ntrue,2024-01-02,1.50,2024-01-02 03:04:05,caf\303\251 "q"\nfalse,2023-12-31,1e3,2023-12-31T23:59:59,\n,,,,\n' | csvjson -d, -y 0; printf 'a\n1e3\n1.5e-3\n2.50e1\n-1E2\n12e-9\n' | csvsort -y 0; : | csvjson 2>/dev/null; echo $?; printf 'a\n' | csvjson; printf 'a,b\n1\n' | csvjson; printf 'a,b\n1,2,3\n' | csvjson 2>/dev/null; echo $?; printf 'a,a,\n1,2,3\n' | csvjson 2>/dev/null; printf 'a\n1.0\n2\n' | csvjson; printf 'a\n007\n1,000\n' | csvjson 2>/dev/null; printf 'a\n$1.5\n10%%\n' | csvjson; printf 'a\n12:30\n1:00\n' | csvjson; printf 'a\nT\nF\n' | csvjson; printf 'a\n0\n1\n' | csvjson; printf 'a\n-0\n1e5\n' | csvjson; printf 'a\n01/02/2024\n12/31/2023\n' | csvjson
  [{"b": true, "d": "2024-01-02", "n": 1.5, "t": "2024-01-02T03:04:05", "s": "café \"q\""}, {"b": false, "d": "2023-12-31", "n": 1000.0, "t": "2023-12-31T23:59:59", "s": null}, {"b": null, "d": null, "n": null, "t": null, "s": null}]a
  -1E+2
  1.2E-8
  0.0015
  25.0
  1E+3
  1
  [][{"a": true, "b": null}]1
  [{"a": true, "a_2": 2.0, "c": 3.0}][{"a": 1.0}, {"a": 2.0}][{"a": 1.5}, {"a": 10.0}][{"a": "0:12:30"}, {"a": "0:01:00"}][{"a": true}, {"a": false}][{"a": false}, {"a": true}][{"a": -0.0}, {"a": 100000.0}][{"a": "2024-01-02"}, {"a": "2023-12-31"}]
\

$ csvlook -S sp.csv; csvlook sp.csv; csvlook --skipinitialspace sp.csv
  | k |  v |
  | - | -- |
  | z | 15 |
  | a |  2 |
  | k |  v |
  | - | -- |
  | z | 15 |
  | a |  2 |

$ csvlook -q "'" q.csv; csvlook --quotechar="'" q.csv; csvlook q.csv 2>/dev/null; echo $?
  | k    | v |
  | ---- | - |
  | p,q  | 1 |
  | it's | 2 |
  | k    | v |
  | ---- | - |
  | p,q  | 1 |
  | it's | 2 |
  | k    | v |
  | ---- | - |
  | p,q  | 1 |
  | it's | 2 |
  0

$ csvlook -b -p '\' esc.csv; csvlook --no-doublequote --escapechar='\' esc.csv; csvlook -b none.csv 2>/dev/null; echo $?
  | k    | v |
  | ---- | - |
  | p,q  | 1 |
  | it"s | 2 |
  | k    | v |
  | ---- | - |
  | p,q  | 1 |
  | it"s | 2 |
  1

$ csvlook -u 3 -p '\' none.csv; csvlook --quoting=3 nn.csv; csvlook -u 0 nn.csv; csvlook -u 1 nn.csv; csvlook -u 2 nn.csv 2>/dev/null; echo $?; csvlook -u 7 nn.csv 2>/dev/null; echo $?
  | k   | v |
  | --- | - |
  | p,q | 1 |
  | "r" | 2 |
  | "k" | "v" |
  | --- | --- |
  | "u" |   3 |
  | "t" |   4 |
  | k | v |
  | - | - |
  | u | 3 |
  | t | 4 |
  | k | v |
  | - | - |
  | u | 3 |
  | t | 4 |
  | k | v |
  | - | - |
  | u | 3 |
  | t | 4 |
  0
  2

$ csvlook -z 5 long.csv 2>/dev/null; echo $?; csvlook -z 5 long.csv 2>&1 >/dev/null | tail -1; csvlook --maxfieldsize=10 long.csv; csvlook -z x long.csv 2>/dev/null; echo $?
  1
  FieldSizeLimitError: CSV contains a field longer than the maximum length of 5 characters on line 2. Try raising the maximum with the field_size_limit parameter, or try setting quoting=csv.QUOTE_NONE.
  | k          | v |
  | ---------- | - |
  | abcdefghij | 1 |
  | b          | 2 |
  2

$ csvlook -e latin1 l1.csv; csvlook --encoding=iso-8859-1 l1.csv; csvlook l1.csv 2>&1 | tail -1; csvlook -e nope l1.csv 2>/dev/null; echo $?; printf '\377\376k\0,\0v\0\n\0z\0,\0001\0\n\0' > u16; csvlook -e utf-16 u16; printf '\357\273\277k,v\nz,1\n' > bom; csvlook bom
  | k    | v |
  | ---- | - |
  | café | 1 |
  | b    | 2 |
  | k    | v |
  | ---- | - |
  | café | 1 |
  | b    | 2 |
  Your file is not "utf-8-sig" encoded. Please specify the correct encoding with the -e flag or with the PYTHONIOENCODING environment variable. Use the -v flag to see the complete error.
  1
  | k |    v |
  | - | ---- |
  | z | True |
  | k |    v |
  | - | ---- |
  | z | True |

$ csvlook -v nope.csv 2>&1 | head -1; csvlook --verbose nope.csv 2>&1 | tail -1; csvlook nope.csv 2>&1; csvlook a.csv >/dev/null; csvlook --no-such a.csv 2>/dev/null; echo $?
  Traceback (most recent call last):
  FileNotFoundError: [Errno 2] No such file or directory: 'nope.csv'
  FileNotFoundError: [Errno 2] No such file or directory: 'nope.csv'
  2

$ csvlook -V a.csv | grep -c Ann; csvlook -h a.csv | cut -c1-11 | head -1; csvlook -h a.csv | grep -c Ann; csvlook --version | cut -d' ' -f1
  0
  usage: csvl
  0
  csvlook

$ csvlook -K 2 skip.csv; csvlook --skip-lines=3 skip.csv; csvlook -K x skip.csv 2>/dev/null; echo $?
  | k | v |
  | - | - |
  | z | 2 |
  | b | 1 |
  | z |    2 |
  | - | ---- |
  | b | True |
  2

$ csvlook -H h.csv; csvlook --no-header-row h.csv
  | a | b |
  | - | - |
  | m | n |
  | 5 | x |
  | 2 | w |
  | a | b |
  | - | - |
  | m | n |
  | 5 | x |
  | 2 | w |

$ csvlook -d ';' semi.csv; csvlook --delimiter=';' semi.csv; csvlook -t tab.tsv; csvlook --tabs -d, tab.tsv; csvlook -d ab a.csv 2>/dev/null; echo $?
  |  x | y |
  | -- | - |
  |  1 | 2 |
  | 30 | 4 |
  |  x | y |
  | -- | - |
  |  1 | 2 |
  | 30 | 4 |
  | b | a |
  | - | - |
  | c | d |
  | a | e |
  | b | a |
  | - | - |
  | c | d |
  | a | e |
  1

$ csvlook --blanks na.csv; csvlook na.csv; csvlook -I na.csv; csvlook --zero a.csv; csvlook -l a.csv; csvlook -y 0 semi.csv; csvlook --snifflimit=-1 semi.csv; csvlook -y x semi.csv 2>/dev/null; echo $?; csvlook --max-rows 1 a.csv; csvlook --max-columns 1 a.csv; csvlook --max-column-width 3 long.csv; csvlook --max-rows 0 a.csv; csvlook --max-column-width 1 long.csv 2>/dev/null; csvlook -H h.csv; printf 'n\n1.23456\n2\n' | csvlook; printf 'n\n1234567.5\n0.001\n' | csvlook; printf 'a,b\n"x\ny",z|w\n' | csvlook; printf 'a\n' | csvlook; : | csvlook 2>/dev/null; echo $?; printf 'w\n\346\227\245\346\234\254\n' | csvlook; printf 'a,b\ntrue,\nfalse,2020-01-01\n' | csvlook; printf 'a\n3.0\n4.50\n' | csvlook; printf 'a b\n1 2\n' | csvlook; printf 'a|b\n1|2\n' | csvlook; printf 'a:b\n1:2\n' | csvlook
  | k   | v |
  | --- | - |
  | na  | 1 |
  |     | 2 |
  | n/a | 3 |
  | b   |   |
  | k | v |
  | - | - |
  |   | 1 |
  |   | 2 |
  |   | 3 |
  | b |   |
  | k | v |
  | - | - |
  |   | 1 |
  |   | 2 |
  |   | 3 |
  | b |   |
  | id | name |    score |
  | -- | ---- | -------- |
  |  1 | Ann  |    10.50 |
  |  2 | Bob  | 1,234.00 |
  | 10 |      |          |
  |  3 | dan  |    -7.25 |
  | line_numbers | id | name |    score |
  | ------------ | -- | ---- | -------- |
  |            1 |  1 | Ann  |    10.50 |
  |            2 |  2 | Bob  | 1,234.00 |
  |            3 | 10 |      |          |
  |            4 |  3 | dan  |    -7.25 |
  | x;y  |
  | ---- |
  | 1;2  |
  | 30;4 |
  |  x | y |
  | -- | - |
  |  1 | 2 |
  | 30 | 4 |
  2
  | id | name | score |
  | -- | ---- | ----- |
  |  1 | Ann  |  10.5 |
  | ... | ...  |   ... |
  | id | ... |
  | -- | --- |
  |  1 | ... |
  |  2 | ... |
  | 10 | ... |
  |  3 | ... |
  | k   | v |
  | --- | - |
  | ... | 1 |
  | b   | 2 |
  | id | name | score |
  | -- | ---- | ----- |
  | ... | ...  |   ... |
  | k           | v |
  | ----------- | - |
  | abcdefgh... | 1 |
  | b           | 2 |
  | a | b |
  | - | - |
  | m | n |
  | 5 | x |
  | 2 | w |
  |      n |
  | ------ |
  | 1.235… |
  | 2.000… |
  |             n |
  | ------------- |
  | 1,234,567.500 |
  |         0.001 |
  | a   | b   |
  | --- | --- |
  | x
  y | z|w |
  | a |
  | - |
  1
  | w  |
  | -- |
  | 日本 |
  |     a |          b |
  | ----- | ---------- |
  |  True |            |
  | False | 2020-01-01 |
  |   a |
  | --- |
  | 3.0 |
  | 4.5 |
  |    a | b |
  | ---- | - |
  | True | 2 |
  |    a | b |
  | ---- | - |
  | True | 2 |
  |    a | b |
  | ---- | - |
  | True | 2 |

$ csvsort -S sp.csv; csvsort sp.csv; csvsort --skipinitialspace sp.csv
  k,v
  a,2
  z,15
  k,v
  a,2
  z,15

$ csvsort -q "'" q.csv; csvsort --quotechar="'" q.csv; csvsort q.csv 2>/dev/null; echo $?
  k,v
  it's,2
  "p,q",1
  k,v
  it's,2
  "p,q",1
  k,v
  it's,2
  "p,q",1
  0

$ csvsort -b -p '\' esc.csv; csvsort --no-doublequote --escapechar='\' esc.csv; csvsort -b none.csv 2>/dev/null; echo $?
  k,v
  "it""s",2
  "p,q",1
  k,v
  "it""s",2
  "p,q",1
  1

$ csvsort -u 3 -p '\' none.csv; csvsort --quoting=3 nn.csv; csvsort -u 0 nn.csv; csvsort -u 1 nn.csv; csvsort -u 2 nn.csv 2>/dev/null; echo $?; csvsort -u 7 nn.csv 2>/dev/null; echo $?
  k,v
  """r""",2
  "p,q",1
  """k""","""v"""
  """t""",4
  """u""",3.0
  k,v
  t,4
  u,3.0
  k,v
  t,4
  u,3.0
  k,v
  t,4.0
  u,3.0
  0
  2

$ csvsort -z 5 long.csv 2>/dev/null; echo $?; csvsort -z 5 long.csv 2>&1 >/dev/null | tail -1; csvsort --maxfieldsize=10 long.csv; csvsort -z x long.csv 2>/dev/null; echo $?
  1
  FieldSizeLimitError: CSV contains a field longer than the maximum length of 5 characters on line 2. Try raising the maximum with the field_size_limit parameter, or try setting quoting=csv.QUOTE_NONE.
  k,v
  abcdefghij,1
  b,2
  2

$ csvsort -e latin1 l1.csv; csvsort --encoding=iso-8859-1 l1.csv; csvsort l1.csv 2>&1 | tail -1; csvsort -e nope l1.csv 2>/dev/null; echo $?; printf '\377\376k\0,\0v\0\n\0z\0,\0001\0\n\0' > u16; csvsort -e utf-16 u16; printf '\357\273\277k,v\nz,1\n' > bom; csvsort bom
  k,v
  b,2
  café,1
  k,v
  b,2
  café,1
  Your file is not "utf-8-sig" encoded. Please specify the correct encoding with the -e flag or with the PYTHONIOENCODING environment variable. Use the -v flag to see the complete error.
  1
  k,v
  z,True
  k,v
  z,True

$ csvsort -v nope.csv 2>&1 | head -1; csvsort --verbose nope.csv 2>&1 | tail -1; csvsort nope.csv 2>&1; csvsort a.csv >/dev/null; csvsort --no-such a.csv 2>/dev/null; echo $?
  Traceback (most recent call last):
  FileNotFoundError: [Errno 2] No such file or directory: 'nope.csv'
  FileNotFoundError: [Errno 2] No such file or directory: 'nope.csv'
  2

$ csvsort -V a.csv | grep -c Ann; csvsort -h a.csv | cut -c1-11 | head -1; csvsort -h a.csv | grep -c Ann; csvsort --version | cut -d' ' -f1
  0
  usage: csvs
  0
  csvsort

$ csvsort -K 2 skip.csv; csvsort --skip-lines=3 skip.csv; csvsort -K x skip.csv 2>/dev/null; echo $?
  k,v
  b,1
  z,2
  z,2
  b,True
  2

$ csvsort -H h.csv; csvsort --no-header-row h.csv
  a,b
  2,w
  5,x
  m,n
  a,b
  2,w
  5,x
  m,n

$ csvsort -d ';' semi.csv; csvsort --delimiter=';' semi.csv; csvsort -t tab.tsv; csvsort --tabs -d, tab.tsv; csvsort -d ab a.csv 2>/dev/null; echo $?
  x,y
  1,2
  30,4
  x,y
  1,2
  30,4
  b,a
  a,e
  c,d
  b,a
  a,e
  c,d
  1

$ csvsort -c name a.csv; csvsort -c score -r a.csv; csvsort --blanks -c k na.csv; csvsort -c k na.csv; csvsort -I -c id a.csv; csvsort -c id a.csv; csvsort --zero -c 1 a.csv; csvsort -n a.csv; csvsort --names --zero a.csv; csvsort -l -c id -r a.csv; csvsort --linenumbers h.csv; csvsort -y 0 -c 1 semi.csv; csvsort --snifflimit=0 semi.csv; csvsort semi.csv; csvsort -c x,y semi.csv; csvsort -c nope a.csv 2>&1; csvsort -c 9 a.csv 2>&1; csvsort -r h.csv; printf 'a\nb\nA\nB\na\n' | csvsort; printf 'a,b\n1,z\n1,y\n0,x\n' | csvsort -c a; printf 'a,b\n1,z\n1,y\n0,x\n' | csvsort -c a -r; printf 'd\n2024-01-02\n2023-01-01\n\n' | csvsort; printf 'a\n1.50\n1.5\n001\n' | csvsort; : | csvsort 2>/dev/null; echo $?; printf 'a,b\n' | csvsort; printf 'a\ntrue\nF\n' | csvsort; printf 't\n2024-01-02 03:04\n2023-01-01 00:00:01\n' | csvsort
  id,name,score
  1,Ann,10.5
  2,Bob,1234
  3,dan,-7.25
  10,,
  id,name,score
  10,,
  2,Bob,1234
  1,Ann,10.5
  3,dan,-7.25
  k,v
  ,2
  b,
  n/a,3
  na,1
  k,v
  b,
  ,1
  ,2
  ,3
  id,name,score
  1,Ann,10.5
  10,,
  2,Bob,1234
  3,dan,-7.25
  id,name,score
  1,Ann,10.5
  2,Bob,1234
  3,dan,-7.25
  10,,
  id,name,score
  1,Ann,10.5
  2,Bob,1234
  3,dan,-7.25
  10,,
    1: id
    2: name
    3: score
    0: id
    1: name
    2: score
  line_number,id,name,score
  1,10,,
  2,3,dan,-7.25
  3,2,Bob,1234
  4,1,Ann,10.5
  line_number,m,n
  1,2,w
  2,5,x
  x;y
  1;2
  30;4
  x;y
  1;2
  30;4
  x,y
  1,2
  30,4
  x,y
  1,2
  30,4
  ColumnIdentifierError: Column 'nope' is invalid. It is neither an integer nor a column name. Column names are: 'id', 'name', 'score'
  ColumnIdentifierError: Column 9 is invalid. The last column is 'score' at index 3.
  m,n
  5,x
  2,w
  a
  A
  B
  a
  b
  a,b
  False,x
  True,z
  True,y
  a,b
  True,z
  True,y
  False,x
  d
  2023-01-01
  2024-01-02
  ""
  a
  1
  1.50
  1.5
  1
  a,b
  a
  False
  True
  t
  2023-01-01T00:00:01
  2024-01-02T03:04:00

$ csvstat -S sp.csv; csvstat sp.csv; csvstat --skipinitialspace sp.csv
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         1 characters
  	Most common values:    z (1x)
  	                       a (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        2
  	Largest value:         15
  	Sum:                   17
  	Mean:                  8.5
  	Median:                8.5
  	StDev:                 9.192
  	Most common values:    15 (1x)
  	                       2 (1x)
  
  Row count: 2
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         1 characters
  	Most common values:    z (1x)
  	                       a (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        2
  	Largest value:         15
  	Sum:                   17
  	Mean:                  8.5
  	Median:                8.5
  	StDev:                 9.192
  	Most common values:    15 (1x)
  	                       2 (1x)
  
  Row count: 2

$ csvstat -q "'" q.csv; csvstat --quotechar="'" q.csv; csvstat q.csv 2>/dev/null; echo $?
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         4 characters
  	Most common values:    p,q (1x)
  	                       it's (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        1
  	Largest value:         2
  	Sum:                   3
  	Mean:                  1.5
  	Median:                1.5
  	StDev:                 0.707
  	Most common values:    1 (1x)
  	                       2 (1x)
  
  Row count: 2
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         4 characters
  	Most common values:    p,q (1x)
  	                       it's (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        1
  	Largest value:         2
  	Sum:                   3
  	Mean:                  1.5
  	Median:                1.5
  	StDev:                 0.707
  	Most common values:    1 (1x)
  	                       2 (1x)
  
  Row count: 2
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         4 characters
  	Most common values:    p,q (1x)
  	                       it's (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        1
  	Largest value:         2
  	Sum:                   3
  	Mean:                  1.5
  	Median:                1.5
  	StDev:                 0.707
  	Most common values:    1 (1x)
  	                       2 (1x)
  
  Row count: 2
  0

$ csvstat -b -p '\' esc.csv; csvstat --no-doublequote --escapechar='\' esc.csv; csvstat -b none.csv 2>/dev/null; echo $?
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         4 characters
  	Most common values:    p,q (1x)
  	                       it"s (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        1
  	Largest value:         2
  	Sum:                   3
  	Mean:                  1.5
  	Median:                1.5
  	StDev:                 0.707
  	Most common values:    1 (1x)
  	                       2 (1x)
  
  Row count: 2
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         4 characters
  	Most common values:    p,q (1x)
  	                       it"s (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        1
  	Largest value:         2
  	Sum:                   3
  	Mean:                  1.5
  	Median:                1.5
  	StDev:                 0.707
  	Most common values:    1 (1x)
  	                       2 (1x)
  
  Row count: 2
  1

$ csvstat -u 3 -p '\' none.csv; csvstat --quoting=3 nn.csv; csvstat -u 0 nn.csv; csvstat -u 1 nn.csv; csvstat -u 2 nn.csv 2>/dev/null; echo $?; csvstat -u 7 nn.csv 2>/dev/null; echo $?
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         3 characters
  	Most common values:    p,q (1x)
  	                       "r" (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        1
  	Largest value:         2
  	Sum:                   3
  	Mean:                  1.5
  	Median:                1.5
  	StDev:                 0.707
  	Most common values:    1 (1x)
  	                       2 (1x)
  
  Row count: 2
    1. ""k""
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         3 characters
  	Most common values:    "u" (1x)
  	                       "t" (1x)
  
    2. ""v""
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        3
  	Largest value:         4
  	Sum:                   7
  	Mean:                  3.5
  	Median:                3.5
  	StDev:                 0.707
  	Most common values:    3 (1x)
  	                       4 (1x)
  
  Row count: 2
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         1 characters
  	Most common values:    u (1x)
  	                       t (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        3
  	Largest value:         4
  	Sum:                   7
  	Mean:                  3.5
  	Median:                3.5
  	StDev:                 0.707
  	Most common values:    3 (1x)
  	                       4 (1x)
  
  Row count: 2
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         1 characters
  	Most common values:    u (1x)
  	                       t (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        3
  	Largest value:         4
  	Sum:                   7
  	Mean:                  3.5
  	Median:                3.5
  	StDev:                 0.707
  	Most common values:    3 (1x)
  	                       4 (1x)
  
  Row count: 2
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         1 characters
  	Most common values:    u (1x)
  	                       t (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        3
  	Largest value:         4
  	Sum:                   7
  	Mean:                  3.5
  	Median:                3.5
  	StDev:                 0.707
  	Most common values:    3 (1x)
  	                       4 (1x)
  
  Row count: 2
  0
  2

$ csvstat -z 5 long.csv 2>/dev/null; echo $?; csvstat -z 5 long.csv 2>&1 >/dev/null | tail -1; csvstat --maxfieldsize=10 long.csv; csvstat -z x long.csv 2>/dev/null; echo $?
  1
  FieldSizeLimitError: CSV contains a field longer than the maximum length of 5 characters on line 2. Try raising the maximum with the field_size_limit parameter, or try setting quoting=csv.QUOTE_NONE.
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         10 characters
  	Most common values:    abcdefghij (1x)
  	                       b (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        1
  	Largest value:         2
  	Sum:                   3
  	Mean:                  1.5
  	Median:                1.5
  	StDev:                 0.707
  	Most common values:    1 (1x)
  	                       2 (1x)
  
  Row count: 2
  2

$ csvstat -e latin1 l1.csv; csvstat --encoding=iso-8859-1 l1.csv; csvstat l1.csv 2>&1 | tail -1; csvstat -e nope l1.csv 2>/dev/null; echo $?; printf '\377\376k\0,\0v\0\n\0z\0,\0001\0\n\0' > u16; csvstat -e utf-16 u16; printf '\357\273\277k,v\nz,1\n' > bom; csvstat bom
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         4 characters
  	Most common values:    café (1x)
  	                       b (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        1
  	Largest value:         2
  	Sum:                   3
  	Mean:                  1.5
  	Median:                1.5
  	StDev:                 0.707
  	Most common values:    1 (1x)
  	                       2 (1x)
  
  Row count: 2
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         4 characters
  	Most common values:    café (1x)
  	                       b (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        1
  	Largest value:         2
  	Sum:                   3
  	Mean:                  1.5
  	Median:                1.5
  	StDev:                 0.707
  	Most common values:    1 (1x)
  	                       2 (1x)
  
  Row count: 2
  Your file is not "utf-8-sig" encoded. Please specify the correct encoding with the -e flag or with the PYTHONIOENCODING environment variable. Use the -v flag to see the complete error.
  1
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         1
  	Longest value:         1 characters
  	Most common values:    z (1x)
  
    2. "v"
  
  	Type of data:          Boolean
  	Contains null values:  False
  	Unique values:         1
  	Most common values:    True (1x)
  
  Row count: 1
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         1
  	Longest value:         1 characters
  	Most common values:    z (1x)
  
    2. "v"
  
  	Type of data:          Boolean
  	Contains null values:  False
  	Unique values:         1
  	Most common values:    True (1x)
  
  Row count: 1

$ csvstat -v nope.csv 2>&1 | head -1; csvstat --verbose nope.csv 2>&1 | tail -1; csvstat nope.csv 2>&1; csvstat a.csv >/dev/null; csvstat --no-such a.csv 2>/dev/null; echo $?
  Traceback (most recent call last):
  FileNotFoundError: [Errno 2] No such file or directory: 'nope.csv'
  FileNotFoundError: [Errno 2] No such file or directory: 'nope.csv'
  2

$ csvstat -V a.csv | grep -c Ann; csvstat -h a.csv | cut -c1-11 | head -1; csvstat -h a.csv | grep -c Ann; csvstat --version | cut -d' ' -f1
  0
  usage: csvs
  0
  csvstat

$ csvstat -K 2 skip.csv; csvstat --skip-lines=3 skip.csv; csvstat -K x skip.csv 2>/dev/null; echo $?
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         1 characters
  	Most common values:    z (1x)
  	                       b (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        1
  	Largest value:         2
  	Sum:                   3
  	Mean:                  1.5
  	Median:                1.5
  	StDev:                 0.707
  	Most common values:    2 (1x)
  	                       1 (1x)
  
  Row count: 2
    1. "z"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         1
  	Longest value:         1 characters
  	Most common values:    b (1x)
  
    2. "2"
  
  	Type of data:          Boolean
  	Contains null values:  False
  	Unique values:         1
  	Most common values:    True (1x)
  
  Row count: 1
  2

$ csvstat -H h.csv; csvstat --no-header-row h.csv
    1. "a"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         3
  	Longest value:         1 characters
  	Most common values:    m (1x)
  	                       5 (1x)
  	                       2 (1x)
  
    2. "b"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         3
  	Longest value:         1 characters
  	Most common values:    n (1x)
  	                       x (1x)
  	                       w (1x)
  
  Row count: 3
    1. "a"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         3
  	Longest value:         1 characters
  	Most common values:    m (1x)
  	                       5 (1x)
  	                       2 (1x)
  
    2. "b"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         3
  	Longest value:         1 characters
  	Most common values:    n (1x)
  	                       x (1x)
  	                       w (1x)
  
  Row count: 3

$ csvstat -d ';' semi.csv; csvstat --delimiter=';' semi.csv; csvstat -t tab.tsv; csvstat --tabs -d, tab.tsv; csvstat -d ab a.csv 2>/dev/null; echo $?
    1. "x"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        1
  	Largest value:         30
  	Sum:                   31
  	Mean:                  15.5
  	Median:                15.5
  	StDev:                 20.506
  	Most common values:    1 (1x)
  	                       30 (1x)
  
    2. "y"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        2
  	Largest value:         4
  	Sum:                   6
  	Mean:                  3
  	Median:                3
  	StDev:                 1.414
  	Most common values:    2 (1x)
  	                       4 (1x)
  
  Row count: 2
    1. "x"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        1
  	Largest value:         30
  	Sum:                   31
  	Mean:                  15.5
  	Median:                15.5
  	StDev:                 20.506
  	Most common values:    1 (1x)
  	                       30 (1x)
  
    2. "y"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        2
  	Largest value:         4
  	Sum:                   6
  	Mean:                  3
  	Median:                3
  	StDev:                 1.414
  	Most common values:    2 (1x)
  	                       4 (1x)
  
  Row count: 2
    1. "b"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         1 characters
  	Most common values:    c (1x)
  	                       a (1x)
  
    2. "a"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         1 characters
  	Most common values:    d (1x)
  	                       e (1x)
  
  Row count: 2
    1. "b"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         1 characters
  	Most common values:    c (1x)
  	                       a (1x)
  
    2. "a"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         1 characters
  	Most common values:    d (1x)
  	                       e (1x)
  
  Row count: 2
  1

$ csvstat --type a.csv; csvstat --type -c 3 a.csv; csvstat --nulls a.csv; csvstat --nulls -c 3 a.csv; csvstat --unique a.csv; csvstat --unique -c 3 a.csv; csvstat --min a.csv; csvstat --min -c 3 a.csv; csvstat --max a.csv; csvstat --max -c 3 a.csv; csvstat --sum a.csv; csvstat --sum -c 3 a.csv
    1. id: Number
    2. name: Text
    3. score: Number
  Number
    1. id: False
    2. name: True
    3. score: True
  True
    1. id: 4
    2. name: 4
    3. score: 4
  4
    1. id: 1
    2. name: None
    3. score: -7.25
  -7.25
    1. id: 10
    2. name: None
    3. score: 1234
  1234
    1. id: 16
    2. name: None
    3. score: 1237.25
  1237.25

$ csvstat --mean a.csv; csvstat --mean -c 2 a.csv; csvstat --median a.csv; csvstat --median -c 2 a.csv; csvstat --stdev a.csv; csvstat --stdev -c 2 a.csv; csvstat --len a.csv; csvstat --len -c 2 a.csv; csvstat --freq a.csv; csvstat --freq -c 2 a.csv
    1. id: 4
    2. name: None
    3. score: 412.417
  None
    1. id: 2.5
    2. name: None
    3. score: 10.5
  None
    1. id: 4.082
    2. name: None
    3. score: 711.567
  None
    1. id: None
    2. name: 3
    3. score: None
  3
    1. id: { "1": 1, "2": 1, "10": 1, "3": 1 }
    2. name: { "Ann": 1, "Bob": 1, "None": 1, "dan": 1 }
    3. score: { "10.5": 1, "1234": 1, "None": 1, "-7.25": 1 }
  { "Ann": 1, "Bob": 1, "None": 1, "dan": 1 }

$ csvstat -l a.csv --names; csvstat --linenumbers --type h.csv; csvstat --zero -c 0 --type a.csv; csvstat --zero --min a.csv; csvstat --zero -n a.csv; csvstat -y 0 --type semi.csv; csvstat --snifflimit=0 --count semi.csv; csvstat --type semi.csv; csvstat --count a.csv; csvstat --csv a.csv; csvstat --freq --freq-count 1 na.csv; csvstat --freq-count 2 na.csv; csvstat --min --max a.csv 2>/dev/null; echo $?; csvstat --csv --min a.csv 2>/dev/null; echo $?; csvstat --count --min a.csv 2>/dev/null; echo $?; csvstat -c nope a.csv 2>&1; csvstat -H --type h.csv
    1: id
    2: name
    3: score
    1. m: Number
    2. n: Text
  Number
    1. id: 1
    2. name: None
    3. score: -7.25
    0: id
    1: name
    2: score
  Text
  2
    1. x: Number
    2. y: Number
  4
  column_id,column_name,type,nulls,unique,min,max,sum,mean,median,stdev,len,freq
  1,id,Number,False,4,1,10,16,4,2.5,4.082,,"1, 2, 10, 3"
  2,name,Text,True,4,,,,,,,3,"Ann, Bob, None, dan"
  3,score,Number,True,4,-7.25,1234,1237.25,412.417,10.5,711.567,,"10.5, 1234, None, -7.25"
    1. k: { "None": 3 }
    2. v: { "1": 1 }
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  True (excluded from calculations)
  	Unique values:         2
  	Longest value:         1 characters
  	Most common values:    None (3x)
  	                       b (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  True (excluded from calculations)
  	Unique values:         4
  	Smallest value:        1
  	Largest value:         3
  	Sum:                   6
  	Mean:                  2
  	Median:                2
  	StDev:                 1
  	Most common values:    1 (1x)
  	                       2 (1x)
  
  Row count: 4
  2
  2
  2
  ColumnIdentifierError: Column 'nope' is invalid. It is neither an integer nor a column name. Column names are: 'id', 'name', 'score'
    1. a: Text
    2. b: Text

$ csvstat na.csv; printf 'n\n1000000\n2.5\n2.5\n' | csvstat; printf 'd,t,b\n2024-01-02,2024-01-02 03:04:05,true\n2023-12-31,2023-01-01 00:00:00,false\n' | csvstat; : | csvstat 2>/dev/null; echo $?; printf 'a\n' | csvstat; printf 'a\n\n\n' | csvstat; printf 'a\n1\n' | csvstat; printf 'd\n1:30\n2:00\n' | csvstat; printf 'a\n0.1\n0.2\n' | csvstat --sum; printf 'a\n1\n2\n' | csvstat --csv; printf 'a\n1\n2\n3\n4\n' | csvstat --median
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  True (excluded from calculations)
  	Unique values:         2
  	Longest value:         1 characters
  	Most common values:    None (3x)
  	                       b (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  True (excluded from calculations)
  	Unique values:         4
  	Smallest value:        1
  	Largest value:         3
  	Sum:                   6
  	Mean:                  2
  	Median:                2
  	StDev:                 1
  	Most common values:    1 (1x)
  	                       2 (1x)
  	                       3 (1x)
  	                       None (1x)
  
  Row count: 4
    1. "n"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        2.5
  	Largest value:         1000000
  	Sum:                   1000005
  	Mean:                  333335
  	Median:                2.5
  	StDev:                 577348.826
  	Most common values:    2.5 (2x)
  	                       1000000 (1x)
  
  Row count: 3
    1. "d"
  
  	Type of data:          Date
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        2023-12-31
  	Largest value:         2024-01-02
  	Most common values:    2024-01-02 (1x)
  	                       2023-12-31 (1x)
  
    2. "t"
  
  	Type of data:          DateTime
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        2023-01-01 00:00:00
  	Largest value:         2024-01-02 03:04:05
  	Most common values:    2024-01-02 03:04:05 (1x)
  	                       2023-01-01 00:00:00 (1x)
  
    3. "b"
  
  	Type of data:          Boolean
  	Contains null values:  False
  	Unique values:         2
  	Most common values:    True (1x)
  	                       False (1x)
  
  Row count: 2
  1
    1. "a"
  
  	Type of data:          Boolean
  	Contains null values:  False
  	Unique values:         0
  
  Row count: 0
    1. "a"
  
  	Type of data:          Boolean
  	Contains null values:  True (excluded from calculations)
  	Unique values:         1
  	Most common values:    None (2x)
  
  Row count: 2
    1. "a"
  
  	Type of data:          Boolean
  	Contains null values:  False
  	Unique values:         1
  	Most common values:    True (1x)
  
  Row count: 1
    1. "d"
  
  	Type of data:          TimeDelta
  	Contains null values:  False
  	Unique values:         2
  	Smallest value:        0:01:30
  	Largest value:         0:02:00
  	Sum:                   0:03:30
  	Most common values:    0:01:30 (1x)
  	                       0:02:00 (1x)
  
  Row count: 2
  0.3
  column_id,column_name,type,nulls,unique,min,max,sum,mean,median,stdev,len,freq
  1,a,Number,False,2,1,2,3,1.5,1.5,0.707,,"1, 2"
  2.5
