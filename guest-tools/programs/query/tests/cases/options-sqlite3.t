# sqlite3 3.40.1 of Debian 12.
% sqlite3 d.db "create table a(x integer, y text, z); insert into a values(1,'it''s',1.25),(2,null,x'ab'),(30,'l1' || char(10) || 'l2 | <b>&\"',null)"

$ sqlite3 -ascii d.db 'select * from a' | od -c; sqlite3 -html d.db 'select * from a'; sqlite3 -html -header d.db 'select x, y from a'; sqlite3 -markdown d.db 'select * from a'; sqlite3 -table d.db 'select * from a'; sqlite3 -quote d.db 'select * from a'; sqlite3 -quote -header d.db 'select * from a'; sqlite3 -table -noheader d.db 'select 1, 2'; sqlite3 -markdown d.db 'select * from a where 0'; sqlite3 -html d.db 'select 1 where 0'
  0000000   1 037   i   t   '   s 037   1   .   2   5 036   2 037 037 253
  0000020 036   3   0 037   l   1  \n   l   2       |       <   b   >   &
  0000040   " 037 036
  0000043
  <TR><TD>1</TD>
  <TD>it&#39;s</TD>
  <TD>1.25</TD>
  </TR>
  <TR><TD>2</TD>
  <TD></TD>
  <TD>�</TD>
  </TR>
  <TR><TD>30</TD>
  <TD>l1
  l2 | &lt;b&gt;&amp;&quot;</TD>
  <TD></TD>
  </TR>
  <TR><TH>x</TH>
  <TH>y</TH>
  </TR>
  <TR><TD>1</TD>
  <TD>it&#39;s</TD>
  </TR>
  <TR><TD>2</TD>
  <TD></TD>
  </TR>
  <TR><TD>30</TD>
  <TD>l1
  l2 | &lt;b&gt;&amp;&quot;</TD>
  </TR>
  | x  |     y      |  z   |
  |----|------------|------|
  | 1  | it's       | 1.25 |
  | 2  |            | �     |
  | 30 | l1         |      |
  |    | l2 | <b>&" |      |
  +----+------------+------+
  | x  |     y      |  z   |
  +----+------------+------+
  | 1  | it's       | 1.25 |
  +----+------------+------+
  | 2  |            | �     |
  +----+------------+------+
  | 30 | l1         |      |
  |    | l2 | <b>&" |      |
  +----+------------+------+
  1,'it''s',1.25
  2,NULL,X'ab'
  30,'l1
  l2 | <b>&"',NULL
  'x','y','z'
  1,'it''s',1.25
  2,NULL,X'ab'
  30,'l1
  l2 | <b>&"',NULL
  +---+---+
  | 1 | 2 |
  +---+---+
  | 1 | 2 |
  +---+---+

$ sqlite3 -box d.db 'select x, y from a'; sqlite3 -column d.db 'select x, y from a'; sqlite3 -line d.db 'select x, z from a'; sqlite3 -json d.db 'select x, y, z from a'; sqlite3 -csv d.db 'select * from a'; sqlite3 -tabs d.db 'select x, z from a'; sqlite3 -list d.db 'select x, z from a'; sqlite3 -csv -header d.db 'select * from a where x < 3'; sqlite3 -json d.db 'select 1 where 0'; sqlite3 -column -header d.db 'select 1 as one, 2'
  ┌────┬────────────┐
  │ x  │     y      │
  ├────┼────────────┤
  │ 1  │ it's       │
  ├────┼────────────┤
  │ 2  │            │
  ├────┼────────────┤
  │ 30 │ l1         │
  │    │ l2 | <b>&" │
  └────┴────────────┘
  1   it's      
  
  2             
  
  30  l1        
      l2 | <b>&"
      x = 1
      z = 1.25
  
      x = 2
      z = �
  
      x = 30
      z = 
  [{"x":1,"y":"it's","z":1.25},
  {"x":2,"y":null,"z":"�"},
  {"x":30,"y":"l1\nl2 | <b>&\"","z":null}]
  1,"it's",1.25
  2,,"�"
  30,"l1
  l2 | <b>&""",
  1	1.25
  2	�
  30	
  1|1.25
  2|�
  30|
  x,y,z
  1,"it's",1.25
  2,,"�"
  one  2
  ---  -
  1    2

$ printf 'select 1;\nselect 2;\n' | sqlite3 -batch d.db; printf 'select 1;\n' | sqlite3 -batch -echo; printf 'select 1;\n.print hi\nselect\n2;\n' | sqlite3 -echo; sqlite3 -echo d.db 'select x from a; select 5' '.print q'; printf 'select 1;\nselec;\nselect 2;\n' | sqlite3 -batch -bail 2>/dev/null; echo $?
  1
  2
  select 1;
  1
  select 1;
  1
  .print hi
  hi
  select
  2;
  2
  1
  2
  30
  5
  q
  1
  1

$ sqlite3 -newline '<NL>' d.db 'select x from a'; echo; sqlite3 -newline ',' -separator ':' d.db 'select x, x+1 from a'; echo; sqlite3 -newline '\n--\n' d.db 'select x from a'; sqlite3 -csv -newline ';' d.db 'select x from a'; sqlite3 -nullvalue NULL d.db 'select z from a where x > 1'; sqlite3 -separator '' d.db 'select 1,2'; sqlite3 -separator '\t' d.db 'select 1,2'
  1<NL>2<NL>30<NL>
  1:2,2:3,30:31,
  1\n--\n2\n--\n30\n--\n1;2;30;�
  NULL
  12
  1\t2

$ sqlite3 -version | cut -d' ' -f1 | cut -d. -f1; sqlite3 --version | wc -w; sqlite3 -help 2>&1 | head -4; sqlite3 --help 2>&1 | grep -c separator; sqlite3 -nope 2>&1; sqlite3 -separator 2>&1; sqlite3 -cmd 2>&1; sqlite3 -init 2>&1
  3
  4
  Usage: sqlite3 [OPTIONS] FILENAME [SQL]
  FILENAME is the name of an SQLite database. A new database is created
  if the file does not previously exist.
  OPTIONS include:
  2
  sqlite3: Error: unknown option: -nope
  Use -help for a list of options.
  sqlite3: Error: missing argument to -separator
  sqlite3: Error: missing argument to -cmd
  sqlite3: Error: missing argument to -init
[1]

$ sqlite3 --csv --header d.db 'select x from a'; sqlite3 -header d.db 'select x as n from a limit 1'; sqlite3 -noheader -header d.db 'select 1 as q'; printf '.mode box\nselect 3 as t;\n' > rc; sqlite3 -init rc d.db 'select 4 as u' 2>/dev/null; sqlite3 -init rc d.db < /dev/null 2>/dev/null; sqlite3 -cmd '.mode line' d.db 'select 1 as a, 2 as bb'; sqlite3 -cmd 'select 1' -cmd 'select 2' d.db 'select 3'; sqlite3 -readonly d.db 'insert into a values(1,2,3)' 2>&1; sqlite3 -readonly nope.db 'select 1 from t' 2>&1; sqlite3 nodir/x.db 'select 1' 2>&1
  x
  1
  2
  30
  n
  1
  q
  1
  ┌───┐
  │ t │
  ├───┤
  │ 3 │
  └───┘
  ┌───┐
  │ u │
  ├───┤
  │ 4 │
  └───┘
  ┌───┐
  │ t │
  ├───┤
  │ 3 │
  └───┘
      a = 1
     bb = 2
  1
  2
  3
  Error: stepping, attempt to write a readonly database (8)
  Error: unable to open database "nope.db": unable to open database file
  Error: unable to open database "nodir/x.db": unable to open database file
[1]

$ echo junk > j.db; sqlite3 j.db 'select 1 from sqlite_master' 2>&1; sqlite3 d.db 'select * frm a' 2>&1; sqlite3 d.db 'select nope from a' 2>&1; sqlite3 d.db '.nope' 2>&1; sqlite3 d.db '.tables' '.schema'; sqlite3 d.db 'select 1' 'select 2'; sqlite3 d.db 'select'  2>&1; printf 'select 1' | sqlite3; printf 'select (' | sqlite3 2>&1; printf '\n\n-- c\n/* x */ select 2;' | sqlite3; : | sqlite3; sqlite3 d.db ''; sqlite3 '' 'select 9'; sqlite3 d.db 'insert into a values(1,2)' 2>&1; printf 'select 1;\nselect nope;\n' | sqlite3 2>&1; printf '.mode\n.show\n' | sqlite3 | head -3; sqlite3 d.db 'select x from a order by 9' 2>&1
  Error: in prepare, file is not a database (26)
  Error: in prepare, near "frm": syntax error
    select * frm a
             ^--- error here
  Error: in prepare, no such column: nope
    select nope from a
           ^--- error here
  Error: unknown command or invalid arguments:  "nope". Enter ".help" for help
  a
  CREATE TABLE a(x integer, y text, z);
  1
  2
  Error: in prepare, incomplete input
  1
  Parse error near line 1: incomplete input
  2
  9
  Error: in prepare, table a has 3 columns but 2 values were supplied
  1
  Parse error near line 2: no such column: nope
    select nope;
           ^--- error here
  current output mode: list
          echo: off
           eqp: off
  Error: in prepare, 1st ORDER BY term out of range - should be between 1 and 1
[1]

$ sqlite3 :memory: "select 1.0, 0.5, 1e100, 9223372036854775807, 123456789012345678; select 'a''b', x'00ff', null, true; select typeof(1.0), 10/3, 10%3, 'a'||1; select date('2024-02-28'), strftime('%Y', '2024-01-01'); select json('{\"a\":[1,2]}'), json_extract('{\"a\":1}', '\$.a'), '{\"a\":2}' -> 'a'; select printf('%05.2f|%s|%d', 3.14159, 'x', 7), upper('é'), length('日本'), substr('hello', 2, 3), instr('abc','c'), round(2.567, 2), abs(-3), coalesce(null, 4), group_concat(value) from json_each('[1,2,3]'); with recursive c(n) as (select 1 union all select n+1 from c where n<4) select sum(n), avg(n), min(n), max(n), total(n), count(*) from c; select row_number() over (order by value desc), value from json_each('[3,1,2]'); select 'x' like 'X', 'abc' glob 'a*', 'a' in ('a','b'), 5 between 1 and 9, case when 1 then 'y' end, iif(0,1,2), nullif(1,1), cast('12ab' as int), hex('hi'), quote('it''s'), trim('  a '), replace('aba','a','c'), char(65,66), unicode('A'), 1 is null, random() is not null"
  1.0|0.5|1.0e+100|9223372036854775807|123456789012345678
  a'b|||1
  real|3|1|a1
  2024-02-28|2024
  {"a":[1,2]}|1|2
  03.14|x|7|é|2|ell|3|2.57|3|4|1,2,3
  10|2.5|1|4|10.0|4
  1|3
  2|2
  3|1
  1|1|1|1|y|2||12|6869|'it''s'|a|cbc|AB|65|0|1
