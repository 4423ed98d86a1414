# Functions that the shell adds, as the shells of SQLite 3.40 and 3.54 print them. Series are those of the later one: in
# 3.40 they go on for ever at the ends of 64 bits, and count negative steps from the second number.
% mkdir -p tree/sub; printf one > tree/a; printf three > tree/sub/b; ln -s a tree/link; chmod 640 tree/a; chmod 755 tree tree/sub; touch -d @1000000000 tree/a

$ sqlite3 :memory: 'select value from generate_series(1,5)' 'select * from generate_series(2,11,3)' 'select * from generate_series(1,0)'
  1
  2
  3
  4
  5
  2
  5
  8
  11

$ sqlite3 :memory: 'select value, start, stop, step from generate_series(1,3)' 'select * from generate_series(20) limit 3' 'select start, stop, step from generate_series(7) limit 1'
  1|1|3|1
  2|1|3|1
  3|1|3|1
  20
  21
  22
  7|4294967295|1

$ sqlite3 :memory: 'select group_concat(value) from generate_series(5,1,-2)' 'select group_concat(value) from generate_series(0,-10,-5)' 'select count(*) from generate_series(1,5,-1)' 'select group_concat(value) from generate_series(1,3,0)'
  5,3,1
  0,-5,-10
  0
  1,2,3

$ sqlite3 :memory: 'select value from generate_series(9223372036854775805,9223372036854775807)' 'select value from generate_series(9223372036854775800,9223372036854775807,5)'
  9223372036854775805
  9223372036854775806
  9223372036854775807
  9223372036854775800
  9223372036854775805

$ sqlite3 :memory: 'select value from generate_series(-9223372036854775806,-9223372036854775807-1,-1)' 'select value from generate_series(-9223372036854775807-1,9223372036854775807,4611686018427387904)' 'select value from generate_series(9223372036854775807,-9223372036854775807-1,-9223372036854775807)'
  -9223372036854775806
  -9223372036854775807
  -9223372036854775808
  -9223372036854775808
  -4611686018427387904
  0
  4611686018427387904
  9223372036854775807
  0
  -9223372036854775807

$ sqlite3 :memory: "select group_concat(value) from generate_series('1','3')" "select count(*) from generate_series(1,null)" "select count(*) from generate_series(null)"
  1,2,3
  0
  0

$ sqlite3 :memory: 'select value from generate_series where start=1 and stop=3' 'select value from generate_series(1,10) where value between 3 and 5' 'select value from generate_series(1,10,3) order by value desc'
  1
  2
  3
  3
  4
  5
  10
  7
  4
  1

$ sqlite3 :memory: 'select a.value, b.value from generate_series(1,3) a, generate_series(1,a.value) b' 'select a.value*b.value from generate_series(1,2) a join generate_series(3,4) b'
  1|1
  2|1
  2|2
  3|1
  3|2
  3|3
  3
  4
  6
  8

$ sqlite3 :memory: 'create table t(n); insert into t values(2),(0),(1); select n, value from t, generate_series(1,n)' "select date('2024-02-27','+'||value||' days') from generate_series(0,3)"
  2|1
  2|2
  1|1
  2024-02-27
  2024-02-28
  2024-02-29
  2024-03-01

$ sqlite3 :memory: 'with t as (select value v from generate_series(1,1000000)) select sum(v), count(*), max(v) from t' 'create table k as select value, value*value as square from generate_series(1,3); select * from k'
  500000500000|1000000|1000000
  1|1
  2|4
  3|9

$ sqlite3 :memory: 'create view v as select value from generate_series(1,2); select * from v; insert into generate_series values(1)' 2>/dev/null
  1
  2
[1]

$ sqlite3 :memory: 'select * from generate_series' 2>&1 | grep -o 'first argument.*'
  first argument to "generate_series()" missing or unusable

$ sqlite3 :memory: 'select * from generate_series(1,2,3,4)' 2>&1 | grep -o 'too many.*'
  too many arguments on generate_series() - max 3

$ sqlite3 :memory: "select name, lsmode(mode), cast(data as text) from fsdir('tree') order by name"
  tree|drwxr-xr-x|
  tree/a|-rw-r-----|one
  tree/link|lrwxrwxrwx|a
  tree/sub|drwxr-xr-x|
  tree/sub/b|-rw-r--r--|three

$ sqlite3 :memory: "select name, mode, mtime from fsdir('tree/a')" "select name from fsdir('sub','tree') order by 1" "select path, dir from fsdir('a','tree')"
  tree/a|33184|1000000000
  sub
  sub/b
  |

$ sqlite3 :memory: "select name from fsdir('nosuch')" 2>&1 | grep -o 'cannot.*'
  cannot stat file: nosuch

$ sqlite3 :memory: "select * from fsdir" 2>&1 | grep -o 'table function.*'
  table function fsdir requires an argument

$ sqlite3 :memory: "select * from fsdir(null)" 2>&1 | grep -o 'table function.*'
  table function fsdir requires a non-NULL argument

$ sqlite3 :memory: "select lsmode(33188), lsmode(16877), lsmode(41471), lsmode(7), lsmode(35309)"
  -rw-r--r--|drwxr-xr-x|lrwxrwxrwx|?------rwx|-rwxr-xr-x

$ sqlite3 :memory: "create table t(a); insert into t values('v10'),('v9'),('v009b'),('v9a'),('w'),('v'),('10'),('9'),('010a'); select a from t order by a collate uint" "select '10' < '9' collate uint, 'x007' = 'x7' collate uint"
  9
  10
  010a
  v
  v9
  v9a
  v009b
  v10
  w
  0|1

$ sqlite3 :memory: "select regexpi('A','cab'), regexp('A','cab'), regexpi('^b','abc'), regexpi(null,'a')"
  1|0|0|

$ sqlite3 :memory: "select writefile('new','text',33152)" "select writefile('folder','',16832)" "select writefile('short','new',40960)" "select writefile('old','xy',33188,86400)"; stat -c '%n %a %F' new folder short; stat -c '%n %Y %s' old; cat short
  4
  
  
  2
  new 600 regular file
  folder 700 directory
  short 777 symbolic link
  old 86400 2
  text
\

$ sqlite3 :memory: "select writefile('new/folder/file','text')" "select writefile('new/folder/file/below','text') is null"
  4
  1

$ sqlite3 :memory: "select writefile('tree','text',33188)" 2>&1 | grep -o 'failed.*'
  failed to write file: tree

$ sqlite3 :memory: "select writefile('a')" 2>&1 | grep -o 'wrong.*'
  wrong number of arguments to function writefile()

$ sqlite3 :memory: "select base64(x'00ff10')" "select hex(base64('AP8Q'))" "select typeof(base64(x'61')), base64(cast(zeroblob(60) as blob))" "select hex(base64('aGk='))"
  AP8Q
  
  00FF10
  text|AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
  AAAAAAAA
  
  6869

$ sqlite3 :memory: "select base64(null)" 2>&1 | grep -o 'base64.*'
  base64 accepts only blob or text

$ sqlite3 :memory: "select usleep(1)"
  1
