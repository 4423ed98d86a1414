# sqlite3 3.40.1 of Debian 12. What depends on the version of the engine is left out.
% sqlite3 d.db 'create table a(x integer primary key autoincrement, y text, z); create table "b c"(k,v); create view vv as select x,y from a; create index ai on a(y); create trigger tt after insert on a begin select 1; end; create table c2(p primary key, q, unique(q));'
% sqlite3 d.db "insert into a(y,z) values('it''s',1.25),(null,x'ab'),('l1' || char(10) || 'l2',1e999); insert into \"b c\" values(1,2); insert into c2 values('k','v')"
% printf 'a,b\n1,"x,y"\n2,z\n' > i.csv; printf 'one,two,three,four,five,six\n1,2,3,4,5,6\n' > wide.csv; printf 'p|q\n"a|b"|c\n\nlast' > bars.txt

$ sqlite3 :memory: 'selec 1'
[1]

$ sqlite3 :memory: 'select 1; select * from nope; select 2' 2>/dev/null
  1
[1]

$ sqlite3 :memory: 'select * from nope' 2>&1
  Error: in prepare, no such table: nope
[1]

$ sqlite3 :memory: 'create table t(a primary key); insert into t values(1); insert into t values(1); select 5' 2>&1
  Error: stepping, UNIQUE constraint failed: t.a (19)
[19]

$ printf 'select 1;\nselec 2;\nselect 3;\n' | sqlite3 2>/dev/null
  1
  3
[1]

$ printf 'selec 2;\n' | sqlite3 2>&1
  Parse error near line 1: near "selec": syntax error
    selec 2;
    ^--- error here
[1]

$ printf 'select 1;\nselec 2;\nselect 3;\n' | sqlite3 -bail 2>/dev/null
  1
[1]

$ printf 'create table t(a primary key);\ninsert into t values(1);insert into t values(1);\nselect 4' | sqlite3 2>/dev/null
  4
[1]

$ printf 'create table t(a primary key);\n\ninsert into t\n values(1);insert into t values(1);\n' | sqlite3 2>&1
  Runtime error near line 3: UNIQUE constraint failed: t.a (19)
[1]

$ printf 'select 1 +' | sqlite3 2>&1
  Parse error near line 1: incomplete input
[1]

$ printf "select 'abc" | sqlite3 2>&1
  Parse error near line 1: unrecognized token: "'abc"
    select 'abc
           ^--- error here
[1]

$ sqlite3 :memory: "select 1 as aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, 2 as bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, 3 as cccccccccc, nope from sqlite_schema where type = 'table'" 2>&1
  Error: in prepare, no such column: nope
    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, 3 as cccccccccc, nope from sqlite_schema wher
                                        error here ---^
[1]

$ printf '.foo\n' | sqlite3 2>&1
  Error: unknown command or invalid arguments:  "foo". Enter ".help" for help
[1]

$ printf '.mode foo\n' | sqlite3 2>&1
  Error: mode should be one of: ascii box column csv html insert json line list markdown qbox quote table tabs tcl
[1]

$ printf '.headers\n.mode\n.nullvalue\n.separator\n' | sqlite3 2>/dev/null
  current output mode: list
[1]

$ printf '.headers\n' | sqlite3 2>&1
  Usage: .headers on|off
[1]

$ printf '.read nofile\n' | sqlite3 2>&1; sqlite3 :memory: '.import nofile t' 2>&1
  Error: cannot open "nofile"
  Error: cannot open "nofile"
[1]

$ sqlite3 -foo 2>&1; sqlite3 :memory: --bar 2>&1; sqlite3 -cmd 2>&1
  sqlite3: Error: unknown option: -foo
  Use -help for a list of options.
  sqlite3: Error: unknown option: -bar
  Use -help for a list of options.
  sqlite3: Error: missing argument to -cmd
[1]

$ sqlite3 :memory: "select 'x'" '.mode csv' "select 'a,b', 'c\"d', null, 1.0, x'4142', 'plain', 'sp ace', ''" | tr -d '\r'
  x
  "a,b","c""d",,1.0,AB,plain,"sp ace",""

$ sqlite3 /nonexistent/x.db 'select 1' 2>&1
  Error: unable to open database "/nonexistent/x.db": unable to open database file
[1]

$ for m in ascii box column csv html json line list markdown qbox quote table tabs tcl insert; do echo "$m:"; sqlite3 d.db ".mode $m" "select x, y, 1.5 as \"c d\", 'é' || x as e from a" ".headers on" "select 1 as a, 'b,c' as \"x y\" union select 22222222222, null" "select 5 where 0"; done | tr -d '\r'
  ascii:
  21.5é21it's1.5é13l1
  l21.5é3ax y1b,c22222222222box:
  ┌───┬──────┬─────┬────┐
  │ x │  y   │ c d │ e  │
  ├───┼──────┼─────┼────┤
  │ 2 │      │ 1.5 │ é2 │
  ├───┼──────┼─────┼────┤
  │ 1 │ it's │ 1.5 │ é1 │
  ├───┼──────┼─────┼────┤
  │ 3 │ l1   │ 1.5 │ é3 │
  │   │ l2   │     │    │
  └───┴──────┴─────┴────┘
  ┌─────────────┬─────┐
  │      a      │ x y │
  ├─────────────┼─────┤
  │ 1           │ b,c │
  │ 22222222222 │     │
  └─────────────┴─────┘
  column:
  x  y     c d  e 
  -  ----  ---  --
  2        1.5  é2
  
  1  it's  1.5  é1
  
  3  l1    1.5  é3
     l2           
  a            x y
  -----------  ---
  1            b,c
  22222222222     
  csv:
  2,,1.5,"é2"
  1,"it's",1.5,"é1"
  3,"l1
  l2",1.5,"é3"
  a,"x y"
  1,"b,c"
  22222222222,
  html:
  <TR><TD>2</TD>
  <TD></TD>
  <TD>1.5</TD>
  <TD>é2</TD>
  </TR>
  <TR><TD>1</TD>
  <TD>it&#39;s</TD>
  <TD>1.5</TD>
  <TD>é1</TD>
  </TR>
  <TR><TD>3</TD>
  <TD>l1
  l2</TD>
  <TD>1.5</TD>
  <TD>é3</TD>
  </TR>
  <TR><TH>a</TH>
  <TH>x y</TH>
  </TR>
  <TR><TD>1</TD>
  <TD>b,c</TD>
  </TR>
  <TR><TD>22222222222</TD>
  <TD></TD>
  </TR>
  json:
  [{"x":2,"y":null,"c d":1.5,"e":"é2"},
  {"x":1,"y":"it's","c d":1.5,"e":"é1"},
  {"x":3,"y":"l1\nl2","c d":1.5,"e":"é3"}]
  [{"a":1,"x y":"b,c"},
  {"a":22222222222,"x y":null}]
  line:
      x = 2
      y = 
    c d = 1.5
      e = é2
  
      x = 1
      y = it's
    c d = 1.5
      e = é1
  
      x = 3
      y = l1
  l2
    c d = 1.5
      e = é3
      a = 1
    x y = b,c
  
      a = 22222222222
    x y = 
  list:
  2||1.5|é2
  1|it's|1.5|é1
  3|l1
  l2|1.5|é3
  a|x y
  1|b,c
  22222222222|
  markdown:
  | x |  y   | c d | e  |
  |---|------|-----|----|
  | 2 |      | 1.5 | é2 |
  | 1 | it's | 1.5 | é1 |
  | 3 | l1   | 1.5 | é3 |
  |   | l2   |     |    |
  |      a      | x y |
  |-------------|-----|
  | 1           | b,c |
  | 22222222222 |     |
  qbox:
  ┌───┬─────────┬─────┬──────┐
  │ x │    y    │ c d │  e   │
  ├───┼─────────┼─────┼──────┤
  │ 2 │ NULL    │ 1.5 │ 'é2' │
  ├───┼─────────┼─────┼──────┤
  │ 1 │ 'it''s' │ 1.5 │ 'é1' │
  ├───┼─────────┼─────┼──────┤
  │ 3 │ 'l1     │ 1.5 │ 'é3' │
  │   │ l2'     │     │      │
  └───┴─────────┴─────┴──────┘
  ┌─────────────┬───────┐
  │      a      │  x y  │
  ├─────────────┼───────┤
  │ 1           │ 'b,c' │
  │ 22222222222 │ NULL  │
  └─────────────┴───────┘
  quote:
  2,NULL,1.5,'é2'
  1,'it''s',1.5,'é1'
  3,'l1
  l2',1.5,'é3'
  'a','x y'
  1,'b,c'
  22222222222,NULL
  table:
  +---+------+-----+----+
  | x |  y   | c d | e  |
  +---+------+-----+----+
  | 2 |      | 1.5 | é2 |
  +---+------+-----+----+
  | 1 | it's | 1.5 | é1 |
  +---+------+-----+----+
  | 3 | l1   | 1.5 | é3 |
  |   | l2   |     |    |
  +---+------+-----+----+
  +-------------+-----+
  |      a      | x y |
  +-------------+-----+
  | 1           | b,c |
  | 22222222222 |     |
  +-------------+-----+
  tabs:
  2		1.5	é2
  1	it's	1.5	é1
  3	l1
  l2	1.5	é3
  a	x y
  1	b,c
  22222222222	
  tcl:
  "2" "" "1.5" "\303\2512"
  "1" "it's" "1.5" "\303\2511"
  "3" "l1\nl2" "1.5" "\303\2513"
  "a" "x y"
  "1" "b,c"
  "22222222222" ""
  insert:
  INSERT INTO "table" VALUES(2,NULL,1.5,'é2');
  INSERT INTO "table" VALUES(1,'it''s',1.5,'é1');
  INSERT INTO "table" VALUES(3,replace('l1\nl2','\n',char(10)),1.5,'é3');
  INSERT INTO "table"(a,"x y") VALUES(1,'b,c');
  INSERT INTO "table"(a,"x y") VALUES(22222222222,NULL);

$ for m in box column table markdown; do sqlite3 :memory: ".mode $m" "select 'tab	x' as t, 12345 as number union all select 'multi' || char(10) || 'line', null union all select '漢字', 3"; done
  ┌───────────┬────────┐
  │     t     │ number │
  ├───────────┼────────┤
  │ tab     x │ 12345  │
  ├───────────┼────────┤
  │ multi     │        │
  │ line      │        │
  ├───────────┼────────┤
  │ 漢字        │ 3      │
  └───────────┴────────┘
  t          number
  ---------  ------
  tab     x  12345 
  
  multi            
  line             
  
  漢字         3     
  +-----------+--------+
  |     t     | number |
  +-----------+--------+
  | tab     x | 12345  |
  +-----------+--------+
  | multi     |        |
  | line      |        |
  +-----------+--------+
  | 漢字        | 3      |
  +-----------+--------+
  |     t     | number |
  |-----------|--------|
  | tab     x | 12345  |
  | multi     |        |
  | line      |        |
  | 漢字        | 3      |

$ sqlite3 -box :memory: "select 'xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx' a"
  ┌─────────────────────────────────────────────────────────────────────────────────┐
  │                                        a                                        │
  ├─────────────────────────────────────────────────────────────────────────────────┤
  │ xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx │
  └─────────────────────────────────────────────────────────────────────────────────┘

$ sqlite3 :memory: '.mode box' "select 'xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx' a"
  ┌──────────────────────────────────────────────────────────────┐
  │                              a                               │
  ├──────────────────────────────────────────────────────────────┤
  │ xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx xxxxxxxxx  │
  │ xxxxxxxxx xxxxxxxxx                                          │
  └──────────────────────────────────────────────────────────────┘

$ printf '.mode box --wrap 20 --ww\n%s\n' "select 'the quick brown fox jumps over the lazy dog-and-others' a, 2 b;" | sqlite3
  ┌──────────────────────┬───┐
  │          a           │ b │
  ├──────────────────────┼───┤
  │ the quick brown fox  │ 2 │
  │ jumps over the lazy  │   │
  │ dog-and-others       │   │
  └──────────────────────┴───┘

$ sqlite3 :memory: '.mode column' '.width 5 -10' "select 'abcdefghij' as a, 'x' as bb, 3"
  a              bb  3
  -----  ----------  -
  abcde           x  3
  fghij               

$ sqlite3 -column :memory: 'select 1 as abc, 2 as d'; sqlite3 -column -header :memory: 'select 1 as abc, 2 as d'
  1    2
  abc  d
  ---  -
  1    2

$ sqlite3 -csv -header :memory: "select 1 a, null b, 'x' c" | tr -d '\r'; sqlite3 -line :memory: "select 1 a, null b, 'x' c"
  a,b,c
  1,,x
      a = 1
      b = 
      c = x

$ sqlite3 -separator , -nullvalue NIL :memory: "select 1 a, null b, 'x' c"; sqlite3 -json :memory: "select 1 where 0"; sqlite3 -tabs :memory: 'select 1,2'; sqlite3 -list -separator '--' :memory: 'select 1,2'
  1,NIL,x
  1	2
  1--2

$ sqlite3 d.db .dump
  PRAGMA foreign_keys=OFF;
  BEGIN TRANSACTION;
  CREATE TABLE a(x integer primary key autoincrement, y text, z);
  INSERT INTO a VALUES(1,'it''s',1.25);
  INSERT INTO a VALUES(2,NULL,X'ab');
  INSERT INTO a VALUES(3,replace('l1\nl2','\n',char(10)),1e999);
  CREATE TABLE IF NOT EXISTS "b c"(k,v);
  INSERT INTO "b c" VALUES(1,2);
  CREATE TABLE c2(p primary key, q, unique(q));
  INSERT INTO c2 VALUES('k','v');
  DELETE FROM sqlite_sequence;
  INSERT INTO sqlite_sequence VALUES('a',3);
  CREATE VIEW vv as select x,y from a;
  CREATE INDEX ai on a(y);
  CREATE TRIGGER tt after insert on a begin select 1; end;
  COMMIT;

$ sqlite3 d.db '.dump a'; sqlite3 d.db '.dump --data-only'; sqlite3 d.db '.dump --nosys --newlines a'
  PRAGMA foreign_keys=OFF;
  BEGIN TRANSACTION;
  CREATE TABLE a(x integer primary key autoincrement, y text, z);
  INSERT INTO a VALUES(1,'it''s',1.25);
  INSERT INTO a VALUES(2,NULL,X'ab');
  INSERT INTO a VALUES(3,replace('l1\nl2','\n',char(10)),1e999);
  COMMIT;
  INSERT INTO a VALUES(1,'it''s',1.25);
  INSERT INTO a VALUES(2,NULL,X'ab');
  INSERT INTO a VALUES(3,replace('l1\nl2','\n',char(10)),1e999);
  INSERT INTO "b c" VALUES(1,2);
  INSERT INTO c2 VALUES('k','v');
  INSERT INTO sqlite_sequence VALUES('a',3);
  PRAGMA foreign_keys=OFF;
  BEGIN TRANSACTION;
  CREATE TABLE a(x integer primary key autoincrement, y text, z);
  INSERT INTO a VALUES(1,'it''s',1.25);
  INSERT INTO a VALUES(2,NULL,X'ab');
  INSERT INTO a VALUES(3,'l1
  l2',1e999);
  COMMIT;

$ sqlite3 d.db .dump | sqlite3 copy.db; sqlite3 copy.db 'select count(*), sum(x) from a; pragma integrity_check'; sqlite3 copy.db .dump | cmp - <(sqlite3 d.db .dump) && echo same
  3|6
  ok
  same

$ sqlite3 d.db .schema; echo; sqlite3 d.db '.schema b%'; echo; sqlite3 d.db '.schema a'; echo; sqlite3 d.db '.schema --nosys c2*'
  CREATE TABLE a(x integer primary key autoincrement, y text, z);
  CREATE TABLE sqlite_sequence(name,seq);
  CREATE TABLE IF NOT EXISTS "b c"(k,v);
  CREATE VIEW vv as select x,y from a
  /* vv(x,y) */;
  CREATE INDEX ai on a(y);
  CREATE TRIGGER tt after insert on a begin select 1; end;
  CREATE TABLE c2(p primary key, q, unique(q));
  
  CREATE TABLE IF NOT EXISTS "b c"(k,v);
  
  CREATE TABLE a(x integer primary key autoincrement, y text, z);
  CREATE INDEX ai on a(y);
  CREATE TRIGGER tt after insert on a begin select 1; end;
  
  CREATE TABLE c2(p primary key, q, unique(q));

$ sqlite3 d.db .tables; sqlite3 d.db '.tables a'; sqlite3 d.db .indexes; sqlite3 d.db '.indexes c2'; sqlite3 d.db .fullschema
  a    b c  c2   vv 
  a
  ai                     sqlite_autoindex_c2_1  sqlite_autoindex_c2_2
  sqlite_autoindex_c2_1  sqlite_autoindex_c2_2
  CREATE TABLE a(x integer primary key autoincrement, y text, z);
  CREATE TABLE IF NOT EXISTS "b c"(k,v);
  CREATE VIEW vv as select x,y from a;
  CREATE INDEX ai on a(y);
  CREATE TRIGGER tt after insert on a begin select 1; end;
  CREATE TABLE c2(p primary key, q, unique(q));
  /* No STAT tables available */

$ sqlite3 :memory: 'create table t1(a); create table table_number_two(a); create table x(a); create table yy(a); create table zz(a); create table another_long_name(b)' .tables
  another_long_name  table_number_two   yy               
  t1                 x                  zz               

$ sqlite3 d.db .show
          echo: off
           eqp: off
       explain: auto
       headers: off
          mode: list
     nullvalue: ""
        output: stdout
  colseparator: "|"
  rowseparator: "\n"
         stats: off
         width: 
      filename: d.db

$ sqlite3 :memory: '.mode csv' '.import i.csv t' 'select * from t' .schema | tr -d '\r'
  1,"x,y"
  2,z
  CREATE TABLE IF NOT EXISTS "t"(
  "a" TEXT, "b" TEXT);

$ sqlite3 :memory: '.import --csv --skip 1 i.csv t' 'select * from t'; sqlite3 :memory: '.import --csv wide.csv w' .schema 'select * from w'; sqlite3 :memory: '.import bars.txt w' 'select * from w' 2>/dev/null
  2|z
  CREATE TABLE IF NOT EXISTS "w"(
  "one" TEXT, "two" TEXT, "three" TEXT, "four" TEXT,
   "five" TEXT, "six" TEXT);
  1|2|3|4|5|6
  a|b|c
  |
  last|

$ sqlite3 :memory: 'create table t(a int,b,c)' '.import --csv i.csv t' 'select * from t' 2>/dev/null
  a|b|
  1|x,y|
  2|z|

$ sqlite3 :memory: 'create table t(a int,b,c)' '.import --csv i.csv t' 2>&1; sqlite3 :memory: 'create table t(a int)' '.import --csv i.csv t' 2>&1; sqlite3 :memory: '.import' 2>&1; sqlite3 :memory: '.import a' 2>&1 | head -1
  i.csv:1: expected 3 columns but found 2 - filling the rest with NULL
  i.csv:2: expected 3 columns but found 2 - filling the rest with NULL
  i.csv:3: expected 3 columns but found 2 - filling the rest with NULL
  i.csv:1: expected 1 columns but found 2 - extras ignored
  i.csv:2: expected 1 columns but found 2 - extras ignored
  i.csv:3: expected 1 columns but found 2 - extras ignored
  ERROR: missing FILE argument. Usage:
  .import FILE TABLE       Import data from FILE into TABLE
     Options:
       --ascii               Use \037 and \036 as column and row separators
       --csv                 Use , and \n as column and row separators
       --skip N              Skip the first N rows of input
       --schema S            Target table to be S.TABLE
       -v                    "Verbose" - increase auxiliary output
     Notes:
       *  If TABLE does not exist, it is created.  The first row of input
          determines the column names.
       *  If neither --csv or --ascii are used, the input mode is derived
          from the ".mode" output mode
       *  If FILE begins with "|" then it is a command that generates the
          input text.
  ERROR: missing TABLE argument. Usage:

$ sqlite3 :memory: '.import --csv "|printf \"n,m\n7,8\n\"" t' 'select * from t'
  7|8

$ sqlite3 d.db 'explain query plan select * from a where x=1 union select * from a order by 1'
  QUERY PLAN
  `--MERGE (UNION)
     |--LEFT
     |  `--SEARCH a USING INTEGER PRIMARY KEY (rowid=?)
     `--RIGHT
        `--SCAN a

$ printf '.echo on\nselect 1;\n-- comment\nselect\n 2;\n.print hello "a b" c\n.changes on\ncreate table t(a);insert into t values(1),(2);\n.exit 3\n' | sqlite3
  select 1;
  1
  -- comment
  select
   2;
  2
  .print hello "a b" c
  hello a b c
  .changes on
  create table t(a);insert into t values(1),(2);
  changes: 2   total_changes: 2
  .exit 3
[3]

$ sqlite3 d.db '.mode insert foo' 'select * from a'; sqlite3 d.db '.mode insert "q t"' '.headers on' 'select x, y as "a b" from a limit 1'
  INSERT INTO foo VALUES(1,'it''s',1.25);
  INSERT INTO foo VALUES(2,NULL,X'ab');
  INSERT INTO foo VALUES(3,replace('l1\nl2','\n',char(10)),1e999);
  INSERT INTO "q t"(x,"a b") VALUES(2,NULL);

$ printf 'select 1; select nope;\nselect 3;\n.bail on\nselect x;\nselect 4;\n' | sqlite3 2>/dev/null
  1
  3
[1]

$ sqlite3 :memory: "select 'abc' regexp 'b.', 'abc' regexp '^b'" "select readfile('i.csv')" "select writefile('o.txt','hi')"; cat o.txt; echo; sqlite3 :memory: "select readfile('none') is null"
  1|0
  a,b
  1,"x,y"
  2,z
  
  2
  hi
  1

$ sqlite3 :memory: '.parameter set @x 5' '.parameter set @name text' 'select @x, :y, @name' '.parameter list' '.parameter unset @x' 'select @x' '.parameter clear' 'select @name'
  5||text
  @name 'text'
  @x    5
  
  

$ sqlite3 -readonly d.db 'insert into a(y) values(1)' 2>&1
  Error: stepping, attempt to write a readonly database (8)
[8]

$ echo garbage-garbage-garbage-garbage > bad.db; sqlite3 bad.db 'select * from a' 2>&1
  Error: in prepare, file is not a database (26)
[26]

$ sqlite3 :memory: '.once o1.txt' 'select 1' 'select 2' '.output o2.txt' 'select 3' '.output' 'select 4'; cat o1.txt o2.txt
  4
  1
  2
  3

$ printf '.mode csv\n.headers on\n.once out.csv\nselect x, y from a;\nselect 9;\n' | sqlite3 d.db | tr -d '\r'; cat out.csv | tr -d '\r'
  9
  9
  x,y
  2,
  1,"it's"
  3,"l1
  l2"

$ printf '.read s.sql\nselect v from s;\n' > r.sql; printf 'create table s(v);\ninsert into s values(42);\n' > s.sql; sqlite3 :memory: '.read r.sql'; sqlite3 -init s.sql :memory: 'select * from s' 2>/dev/null; sqlite3 -cmd '.mode json' :memory: 'select 1 a'; sqlite3 < r.sql
  42
  42
  [{"a":1}]
  42

$ sqlite3 d.db '.backup b.db' && sqlite3 b.db 'select count(*) from a'; sqlite3 :memory: '.restore b.db' .tables; sqlite3 :memory: 'create table n(a)' '.save n.db'; sqlite3 n.db .schema
  3
  a    b c  c2   vv 
  CREATE TABLE n(a);

$ sqlite3 d.db "pragma table_info(a)"; sqlite3 d.db '.sep ,' '.null NIL' 'select * from a where x<3'; sqlite3 d.db '.shell echo hi there' '.cd /' '.system pwd'
  0|x|INTEGER|0||1
  1|y|TEXT|0||0
  2|z||0||0
  1,it's,1.25
  2,NIL,�
  hi there
  /

$ sqlite3 d.db "insert into a(y) values('new') returning x, y; select changes(), total_changes(), last_insert_rowid(); update a set z=0 where x>2; select changes();"
  4|new
  1|1|4
  2

$ sqlite3 new.db 'pragma journal_mode=wal; create table t(a); insert into t values(1);'; sqlite3 new.db 'insert into t values(2)'; sqlite3 new.db 'pragma journal_mode; select * from t'; ls new.db*
  wal
  wal
  1
  2
  new.db

$ sqlite3 d.db "attach 'e.db' as e; create table e.far(a); insert into e.far values(1); select * from far"; sqlite3 e.db 'select * from far' .tables; sqlite3 d.db "attach 'e.db' as e" .tables '.schema far'
  1
  1
  far
  a      b c    c2     e.far  vv   
  CREATE TABLE e.far(a);

$ sqlite3 :memory: "select date(0,'unixepoch'), strftime('%H:%M', '2024-05-06 07:08:09'), julianday('2000-01-01'), datetime('2024-01-31','+1 month'), time('12:00','+90 minutes')"; TZ=Europe/Berlin sqlite3 :memory: "select datetime(1720000000,'unixepoch','localtime'), datetime(1704067200,'unixepoch','localtime')"
  1970-01-01|07:08|2451544.5|2024-03-02 00:00:00|13:30:00
  2024-07-03 11:46:40|2024-01-01 01:00:00

$ sqlite3 :memory: "with recursive f(n) as (select 1 union all select n+1 from f where n<5) select group_concat(n) from f; select sum(x) over (order by x) from (select 1 x union select 2 union select 3); select json_extract('{\"a\":[1,2,{\"b\":3}]}', '\$.a[2].b'), json_group_array(value) from json_each('[3,4]'); select round(2.567, 2), 7/2, 7%3, abs(-3), upper('aé'), length('漢字'), typeof(1e3), printf('%05d|%-4s|%.2f', 42, 'x', 3.14159), hex('AB'), instr('hello','l'), substr('hello',2,3), replace('aba','a','c'), trim('  x '), coalesce(null,1), iif(1,'y','n')"
  1,2,3,4,5
  1
  3
  6
  3|[3,4]
  2.57|3|1|3|Aé|2|real|00042|x   |3.14|4142|3|ell|cbc|x|1|y

$ sqlite3 :memory: "create virtual table f using fts5(t); insert into f values('the quick brown fox'),('lazy dog'); select t from f where f match 'quick OR dog' order by rowid"
  the quick brown fox
  lazy dog

$ printf 'begin;\ncreate table t(a);\ninsert into t values(1);\nrollback;\nselect count(*) from sqlite_schema;\n' | sqlite3 tx.db; printf '/* a comment\n over lines */ select 1;\n\n-- only a comment\nselect 2 -- tail\n;\nselect 3\n/\n' | sqlite3
  0
  1
  2
  3

$ printf '.help mode\n' | sqlite3 | head -1; printf '.tab\n.sch\n.q\nselect 1;\n' | sqlite3 d.db
  .mode MODE ?OPTIONS?     Set output mode
  a    b c  c2   vv 
  CREATE TABLE a(x integer primary key autoincrement, y text, z);
  CREATE TABLE sqlite_sequence(name,seq);
  CREATE TABLE IF NOT EXISTS "b c"(k,v);
  CREATE VIEW vv as select x,y from a
  /* vv(x,y) */;
  CREATE INDEX ai on a(y);
  CREATE TRIGGER tt after insert on a begin select 1; end;
  CREATE TABLE c2(p primary key, q, unique(q));

$ printf 'a,b\n1,x\n' > i.csv; sqlite3 -cmd '.mode csv' :memory: "select 1, 'y'" '.import i.csv t' 'select * from t' ".import --csv i.csv u" 'select * from u' | cat -A
  1,y^M$
  1,x$
  1,x$
