# csvkit 1.0.7 of Debian 12; what it says about dialects it cannot guess goes to standard error.
% printf 'id,name,score,flag,when,note\n1,Ann,10.5,true,2024-01-02,hi\n2,Bob,1234,false,2024-03-01,"a, ""q"""\n10,Cid,,true,,\n3,dan,-7.25,false,2023-12-31,h\303\251\303\251\n' > a.csv
% printf 'x;y\n1;2\n3;4\n' > semi.csv; printf 'a\tb\nc\td\n' > tab.tsv; printf 'k,v\nfoo,1234567\nbar,0.12345\nfoo,\n' > n.csv; printf 'v\n1\n0\n1\n' > bool.csv; printf 'a,b\n1,2,3\n4\n' > ragged.csv

$ csvcut -n a.csv; csvcut -n --zero a.csv
    1: id
    2: name
    3: score
    4: flag
    5: when
    6: note
    0: id
    1: name
    2: score
    3: flag
    4: when
    5: note

$ csvcut -c 1,3-4 a.csv; csvcut -c name,1 a.csv; csvcut -c 5- a.csv; csvcut -c -2 a.csv; csvcut -c 2:3 a.csv
  id,score,flag
  1,10.5,true
  2,1234,false
  10,,true
  3,-7.25,false
  name,id
  Ann,1
  Bob,2
  Cid,10
  dan,3
  when,note
  2024-01-02,hi
  2024-03-01,"a, ""q"""
  ,
  2023-12-31,héé
  id,name
  1,Ann
  2,Bob
  10,Cid
  3,dan
  name,score
  Ann,10.5
  Bob,1234
  Cid,
  dan,-7.25

$ csvcut -C note,when a.csv; csvcut -c 1-3 -C 2 a.csv; csvcut --zero -c 0 a.csv
  id,name,score,flag
  1,Ann,10.5,true
  2,Bob,1234,false
  10,Cid,,true
  3,dan,-7.25,false
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

$ csvcut -c score -x a.csv; csvcut -l -c name a.csv; csvcut -H -c a,c a.csv | head -2; csvcut -K 1 a.csv | head -1
  score
  10.5
  1234
  -7.25
  line_number,name
  1,Ann
  2,Bob
  3,Cid
  4,dan
  a,c
  id,score
  1,Ann,10.5,true,2024-01-02,hi

$ csvcut -d ';' -c y semi.csv; csvcut -t tab.tsv; csvcut -c a ragged.csv; csvcut -c 1 < a.csv; cat a.csv | csvcut -c 2 -
  y
  2
  4
  a,b
  c,d
  a
  1
  4
  id
  1
  2
  10
  3
  name
  Ann
  Bob
  Cid
  dan

$ csvcut -c nosuch a.csv 2>&1; csvcut -c 9 a.csv 2>&1; csvcut nosuch.csv 2>/dev/null; echo $?; csvcut --nope 2>/dev/null; echo $?
  ColumnIdentifierError: Column 'nosuch' is invalid. It is neither an integer nor a column name. Column names are: 'id', 'name', 'score', 'flag', 'when', 'note'
  ColumnIdentifierError: Column 9 is invalid. The last column is 'note' at index 6.
  1
  2

$ csvgrep -c name -m an a.csv; csvgrep -c 1 -r '^1' a.csv; csvgrep -c 1 -r '^1' -i a.csv; csvgrep -c flag,name -m a a.csv; csvgrep -c flag,name -a -m a a.csv
  id,name,score,flag,when,note
  3,dan,-7.25,false,2023-12-31,héé
  id,name,score,flag,when,note
  1,Ann,10.5,true,2024-01-02,hi
  10,Cid,,true,,
  id,name,score,flag,when,note
  2,Bob,1234,false,2024-03-01,"a, ""q"""
  3,dan,-7.25,false,2023-12-31,héé
  id,name,score,flag,when,note
  3,dan,-7.25,false,2023-12-31,héé
  id,name,score,flag,when,note
  2,Bob,1234,false,2024-03-01,"a, ""q"""
  3,dan,-7.25,false,2023-12-31,héé

$ printf 'Bob\ndan\n' > l; csvgrep -c name -f l a.csv; csvgrep -c name -m Bob a.csv | csvcut -c note; csvgrep -n a.csv; csvgrep -m x a.csv 2>/dev/null; echo $?; csvgrep -c 1 a.csv 2>/dev/null; echo $?
  id,name,score,flag,when,note
  2,Bob,1234,false,2024-03-01,"a, ""q"""
  3,dan,-7.25,false,2023-12-31,héé
  note
  "a, ""q"""
    1: id
    2: name
    3: score
    4: flag
    5: when
    6: note
  2
  2

$ csvsort -c score a.csv; csvsort -r -c name a.csv; csvsort -c flag,id a.csv; csvsort -c when a.csv; csvsort -I -c id a.csv
  id,name,score,flag,when,note
  3,dan,-7.25,False,2023-12-31,héé
  1,Ann,10.5,True,2024-01-02,hi
  2,Bob,1234,False,2024-03-01,"a, ""q"""
  10,Cid,,True,,
  id,name,score,flag,when,note
  3,dan,-7.25,False,2023-12-31,héé
  10,Cid,,True,,
  2,Bob,1234,False,2024-03-01,"a, ""q"""
  1,Ann,10.5,True,2024-01-02,hi
  id,name,score,flag,when,note
  2,Bob,1234,False,2024-03-01,"a, ""q"""
  3,dan,-7.25,False,2023-12-31,héé
  1,Ann,10.5,True,2024-01-02,hi
  10,Cid,,True,,
  id,name,score,flag,when,note
  3,dan,-7.25,False,2023-12-31,héé
  1,Ann,10.5,True,2024-01-02,hi
  2,Bob,1234,False,2024-03-01,"a, ""q"""
  10,Cid,,True,,
  id,name,score,flag,when,note
  1,Ann,10.5,true,2024-01-02,hi
  10,Cid,,true,,
  2,Bob,1234,false,2024-03-01,"a, ""q"""
  3,dan,-7.25,false,2023-12-31,héé

$ csvsort semi.csv 2>/dev/null; csvsort -r -c v n.csv; csvsort bool.csv 2>/dev/null
  x,y
  1,2
  3,4
  k,v
  foo,
  foo,1234567
  bar,0.12345
  v
  False
  True
  True

$ csvlook a.csv; csvlook -I a.csv; csvlook n.csv; csvlook semi.csv 2>/dev/null; csvlook -t tab.tsv; csvlook -H -d ';' semi.csv
  | id | name |    score |  flag |       when | note   |
  | -- | ---- | -------- | ----- | ---------- | ------ |
  |  1 | Ann  |    10.50 |  True | 2024-01-02 | hi     |
  |  2 | Bob  | 1,234.00 | False | 2024-03-01 | a, "q" |
  | 10 | Cid  |          |  True |            |        |
  |  3 | dan  |    -7.25 | False | 2023-12-31 | héé    |
  | id | name | score | flag  | when       | note   |
  | -- | ---- | ----- | ----- | ---------- | ------ |
  | 1  | Ann  | 10.5  | true  | 2024-01-02 | hi     |
  | 2  | Bob  | 1234  | false | 2024-03-01 | a, "q" |
  | 10 | Cid  |       | true  |            |        |
  | 3  | dan  | -7.25 | false | 2023-12-31 | héé    |
  | k   |              v |
  | --- | -------------- |
  | foo | 1,234,567.000… |
  | bar |         0.123… |
  | foo |                |
  | x | y |
  | - | - |
  | 1 | 2 |
  | 3 | 4 |
  | a | b |
  | - | - |
  | c | d |
  | a | b |
  | - | - |
  | x | y |
  | 1 | 2 |
  | 3 | 4 |

$ csvlook --max-rows 2 --max-columns 3 a.csv; csvlook --max-column-width 5 a.csv; csvlook -l a.csv | head -3
  | id | name |   score | ... |
  | -- | ---- | ------- | --- |
  |  1 | Ann  |    10.5 | ... |
  |  2 | Bob  | 1,234.0 | ... |
  | ... | ...  |     ... | ... |
  | id | name | score |  flag |  when | note  |
  | -- | ---- | ----- | ----- | ----- | ----- |
  |  1 | Ann  | 10.50 |  True | 20... | hi    |
  |  2 | Bob  | 1,... | False | 20... | a,... |
  | 10 | Cid  |       |  True |       |       |
  |  3 | dan  | -7.25 | False | 20... | héé   |
  | line_numbers | id | name |    score |  flag |       when | note   |
  | ------------ | -- | ---- | -------- | ----- | ---------- | ------ |
  |            1 |  1 | Ann  |    10.50 |  True | 2024-01-02 | hi     |

$ csvlook bool.csv 2>/dev/null; csvlook ragged.csv 2>/dev/null; echo $?
  |     v |
  | ----- |
  |  True |
  | False |
  |  True |
  1

$ csvjson a.csv; echo; csvjson -i 2 a.csv | head -12; csvjson -i 2 a.csv | tail -3; echo; csvjson --stream a.csv; csvjson -k name a.csv; echo; csvjson -I a.csv
  [{"id": 1.0, "name": "Ann", "score": 10.5, "flag": true, "when": "2024-01-02", "note": "hi"}, {"id": 2.0, "name": "Bob", "score": 1234.0, "flag": false, "when": "2024-03-01", "note": "a, \"q\""}, {"id": 10.0, "name": "Cid", "score": null, "flag": true, "when": null, "note": null}, {"id": 3.0, "name": "dan", "score": -7.25, "flag": false, "when": "2023-12-31", "note": "héé"}]
  [
    {
      "id": 1.0,
      "name": "Ann",
      "score": 10.5,
      "flag": true,
      "when": "2024-01-02",
      "note": "hi"
    },
    {
      "id": 2.0,
      "name": "Bob",
      "note": "héé"
    }
  ]
  {"id": 1.0, "name": "Ann", "score": 10.5, "flag": true, "when": "2024-01-02", "note": "hi"}
  {"id": 2.0, "name": "Bob", "score": 1234.0, "flag": false, "when": "2024-03-01", "note": "a, \"q\""}
  {"id": 10.0, "name": "Cid", "score": null, "flag": true, "when": null, "note": null}
  {"id": 3.0, "name": "dan", "score": -7.25, "flag": false, "when": "2023-12-31", "note": "héé"}
  {"Ann": {"id": 1.0, "name": "Ann", "score": 10.5, "flag": true, "when": "2024-01-02", "note": "hi"}, "Bob": {"id": 2.0, "name": "Bob", "score": 1234.0, "flag": false, "when": "2024-03-01", "note": "a, \"q\""}, "Cid": {"id": 10.0, "name": "Cid", "score": null, "flag": true, "when": null, "note": null}, "dan": {"id": 3.0, "name": "dan", "score": -7.25, "flag": false, "when": "2023-12-31", "note": "héé"}}
  [{"id": "1", "name": "Ann", "score": "10.5", "flag": "true", "when": "2024-01-02", "note": "hi"}, {"id": "2", "name": "Bob", "score": "1234", "flag": "false", "when": "2024-03-01", "note": "a, \"q\""}, {"id": "10", "name": "Cid", "score": null, "flag": "true", "when": null, "note": null}, {"id": "3", "name": "dan", "score": "-7.25", "flag": "false", "when": "2023-12-31", "note": "héé"}]
\

$ csvjson bool.csv 2>/dev/null; echo; csvjson -k k n.csv 2>&1 | tail -1; csvjson n.csv; echo; csvjson -k 1 -i 1 a.csv | head -4
  [{"v": true}, {"v": false}, {"v": true}]
  ValueError: Value foo is not unique in the key column.
  [{"k": "foo", "v": 1234567.0}, {"k": "bar", "v": 0.12345}, {"k": "foo", "v": null}]

$ printf 'p,t,d\n$1.50,12:30,2024-01-02T10:00:00\n10%%,1:20:00,2024-01-02 11:00\n' > m.csv; csvjson m.csv; echo; csvlook m.csv
  [{"p": 1.5, "t": "0:12:30", "d": "2024-01-02T10:00:00"}, {"p": 10.0, "t": "1:20:00", "d": "2024-01-02T11:00:00"}]
  |    p |       t |                   d |
  | ---- | ------- | ------------------- |
  |  1.5 | 0:12:30 | 2024-01-02 10:00:00 |
  | 10.0 | 1:20:00 | 2024-01-02 11:00:00 |

$ csvstat a.csv
    1. "id"
  
  	Type of data:          Number
  	Contains null values:  False
  	Unique values:         4
  	Smallest value:        1
  	Largest value:         10
  	Sum:                   16
  	Mean:                  4
  	Median:                2.5
  	StDev:                 4.082
  	Most common values:    1 (1x)
  	                       2 (1x)
  	                       10 (1x)
  	                       3 (1x)
  
    2. "name"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         4
  	Longest value:         3 characters
  	Most common values:    Ann (1x)
  	                       Bob (1x)
  	                       Cid (1x)
  	                       dan (1x)
  
    3. "score"
  
  	Type of data:          Number
  	Contains null values:  True (excluded from calculations)
  	Unique values:         4
  	Smallest value:        -7.25
  	Largest value:         1234
  	Sum:                   1237.25
  	Mean:                  412.417
  	Median:                10.5
  	StDev:                 711.567
  	Most common values:    10.5 (1x)
  	                       1234 (1x)
  	                       None (1x)
  	                       -7.25 (1x)
  
    4. "flag"
  
  	Type of data:          Boolean
  	Contains null values:  False
  	Unique values:         2
  	Most common values:    True (2x)
  	                       False (2x)
  
    5. "when"
  
  	Type of data:          Date
  	Contains null values:  True (excluded from calculations)
  	Unique values:         4
  	Smallest value:        2023-12-31
  	Largest value:         2024-03-01
  	Most common values:    2024-01-02 (1x)
  	                       2024-03-01 (1x)
  	                       None (1x)
  	                       2023-12-31 (1x)
  
    6. "note"
  
  	Type of data:          Text
  	Contains null values:  True (excluded from calculations)
  	Unique values:         4
  	Longest value:         6 characters
  	Most common values:    hi (1x)
  	                       a, "q" (1x)
  	                       None (1x)
  	                       héé (1x)
  
  Row count: 4

$ csvstat --csv a.csv; csvstat -c score --mean a.csv; csvstat --count a.csv; csvstat -c 1,3 --max a.csv; csvstat -c name --freq a.csv; csvstat --names a.csv
  column_id,column_name,type,nulls,unique,min,max,sum,mean,median,stdev,len,freq
  1,id,Number,False,4,1,10,16,4,2.5,4.082,,"1, 2, 10, 3"
  2,name,Text,False,4,,,,,,,3,"Ann, Bob, Cid, dan"
  3,score,Number,True,4,-7.25,1234,1237.25,412.417,10.5,711.567,,"10.5, 1234, None, -7.25"
  4,flag,Boolean,False,2,,,,,,,,"True, False"
  5,when,Date,True,4,2023-12-31,2024-03-01,,,,,,"2024-01-02, 2024-03-01, None, 2023-12-31"
  6,note,Text,True,4,,,,,,,6,"hi, a, ""q"", None, héé"
  412.417
  4
    1. id: 10
    3. score: 1234
  { "Ann": 1, "Bob": 1, "Cid": 1, "dan": 1 }
    1: id
    2: name
    3: score
    4: flag
    5: when
    6: note

$ for o in type nulls unique min max sum median stdev len; do csvstat --$o a.csv; done
    1. id: Number
    2. name: Text
    3. score: Number
    4. flag: Boolean
    5. when: Date
    6. note: Text
    1. id: False
    2. name: False
    3. score: True
    4. flag: False
    5. when: True
    6. note: True
    1. id: 4
    2. name: 4
    3. score: 4
    4. flag: 2
    5. when: 4
    6. note: 4
    1. id: 1
    2. name: None
    3. score: -7.25
    4. flag: None
    5. when: 2023-12-31
    6. note: None
    1. id: 10
    2. name: None
    3. score: 1234
    4. flag: None
    5. when: 2024-03-01
    6. note: None
    1. id: 16
    2. name: None
    3. score: 1237.25
    4. flag: None
    5. when: None
    6. note: None
    1. id: 2.5
    2. name: None
    3. score: 10.5
    4. flag: None
    5. when: None
    6. note: None
    1. id: 4.082
    2. name: None
    3. score: 711.567
    4. flag: None
    5. when: None
    6. note: None
    1. id: None
    2. name: 3
    3. score: None
    4. flag: None
    5. when: None
    6. note: 6

$ csvstat n.csv; csvstat --freq-count 1 -c k n.csv
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         3 characters
  	Most common values:    foo (2x)
  	                       bar (1x)
  
    2. "v"
  
  	Type of data:          Number
  	Contains null values:  True (excluded from calculations)
  	Unique values:         3
  	Smallest value:        0.123
  	Largest value:         1234567
  	Sum:                   1234567.123
  	Mean:                  617283.562
  	Median:                617283.562
  	StDev:                 872970.61
  	Most common values:    1234567 (1x)
  	                       0.123 (1x)
  	                       None (1x)
  
  Row count: 3
    1. "k"
  
  	Type of data:          Text
  	Contains null values:  False
  	Unique values:         2
  	Longest value:         3 characters
  	Most common values:    foo (2x)
  
  Row count: 3
