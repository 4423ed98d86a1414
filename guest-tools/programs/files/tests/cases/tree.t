% mkdir -p x/a x/b/c x/empty; cd x; printf hello > f; printf '%2000s' > a/g; touch 'b/c/h i' .hid v10 v9; ln -s f lnk; ln -s a ldir; ln -s nope dead; mkfifo p; chmod 755 f; cd ..
% find x -exec touch -h -d 2020-02-03T04:05:06 {} +

$ tree x
  x
  ├── a
  │   └── g
  ├── b
  │   └── c
  │       └── h i
  ├── dead -> nope
  ├── empty
  ├── f
  ├── ldir -> a
  ├── lnk -> f
  ├── p
  ├── v10
  └── v9
  
  6 directories, 8 files

$ tree -a x
  x
  ├── .hid
  ├── a
  │   └── g
  ├── b
  │   └── c
  │       └── h i
  ├── dead -> nope
  ├── empty
  ├── f
  ├── ldir -> a
  ├── lnk -> f
  ├── p
  ├── v10
  └── v9
  
  6 directories, 9 files

$ tree -F x
  x/
  ├── a/
  │   └── g
  ├── b/
  │   └── c/
  │       └── h i
  ├── dead -> nope
  ├── empty/
  ├── f*
  ├── ldir -> a/
  ├── lnk -> f*
  ├── p|
  ├── v10
  └── v9
  
  6 directories, 8 files

$ tree -F x/
  x//
  ├── a/
  │   └── g
  ├── b/
  │   └── c/
  │       └── h i
  ├── dead -> nope
  ├── empty/
  ├── f*
  ├── ldir -> a/
  ├── lnk -> f*
  ├── p|
  ├── v10
  └── v9
  
  6 directories, 8 files

$ tree -J x
  [
    {"type":"directory","name":"x","contents":[
      {"type":"directory","name":"a","contents":[
        {"type":"file","name":"g"}
      ]},
      {"type":"directory","name":"b","contents":[
        {"type":"directory","name":"c","contents":[
          {"type":"file","name":"h i"}
        ]}
      ]},
      {"type":"link","name":"dead","target":"nope"},
      {"type":"directory","name":"empty"},
      {"type":"file","name":"f"},
      {"type":"link","name":"ldir","target":"a"},
      {"type":"link","name":"lnk","target":"f"},
      {"type":"fifo","name":"p"},
      {"type":"file","name":"v10"},
      {"type":"file","name":"v9"}
    ]}
  ,
    {"type":"report","directories":6,"files":8}
  ]

$ tree -X x
  <?xml version="1.0" encoding="UTF-8"?>
  <tree>
    <directory name="x">
      <directory name="a">
        <file name="g"></file>
      </directory>
      <directory name="b">
        <directory name="c">
          <file name="h i"></file>
        </directory>
      </directory>
      <link name="dead" target="nope"></link>
      <directory name="empty"></directory>
      <file name="f"></file>
      <link name="ldir" target="a"></link>
      <link name="lnk" target="f"></link>
      <fifo name="p"></fifo>
      <file name="v10"></file>
      <file name="v9"></file>
    </directory>
    <report>
      <directories>6</directories>
      <files>8</files>
    </report>
  </tree>

$ tree -J -p -s x/a
  [
    {"type":"directory","name":"x/a","mode":"0755","prot":"drwxr-xr-x","size":4096,"contents":[
      {"type":"file","name":"g","mode":"0644","prot":"-rw-r--r--","size":2000}
    ]}
  ,
    {"type":"report","directories":1,"files":1}
  ]

$ tree -h x/a | tail -n +2
  └── [2.0K]  g
  
  1 directory, 1 file

$ tree -s x/a | tail -n +2
  └── [       2000]  g
  
  1 directory, 1 file

$ tree -p x/a
  [drwxr-xr-x]  x/a
  └── [-rw-r--r--]  g
  
  1 directory, 1 file

$ tree -D x/a
  [Feb  3  2020]  x/a
  └── [Feb  3  2020]  g
  
  1 directory, 1 file

$ tree --timefmt %F x/a
  [2020-02-03]  x/a
  └── [2020-02-03]  g
  
  1 directory, 1 file

$ tree -d x
  x
  ├── a
  ├── b
  │   └── c
  ├── empty
  └── ldir -> a
  
  6 directories

$ tree -L 1 x
  x
  ├── a
  ├── b
  ├── dead -> nope
  ├── empty
  ├── f
  ├── ldir -> a
  ├── lnk -> f
  ├── p
  ├── v10
  └── v9
  
  5 directories, 6 files

$ tree -P 'g*|h*' x
  x
  ├── a
  │   └── g
  ├── b
  │   └── c
  │       └── h i
  └── empty
  
  5 directories, 2 files

$ tree -I 'b|v*' x
  x
  ├── a
  │   └── g
  ├── dead -> nope
  ├── empty
  ├── f
  ├── ldir -> a
  ├── lnk -> f
  └── p
  
  4 directories, 5 files

$ tree -i -f --noreport x
  x
  x/a
  x/a/g
  x/b
  x/b/c
  x/b/c/h i
  x/dead -> nope
  x/empty
  x/f
  x/ldir -> a
  x/lnk -> f
  x/p
  x/v10
  x/v9

$ tree --dirsfirst x
  x
  ├── a
  │   └── g
  ├── b
  │   └── c
  │       └── h i
  ├── empty
  ├── ldir -> a
  ├── dead -> nope
  ├── f
  ├── lnk -> f
  ├── p
  ├── v10
  └── v9
  
  6 directories, 8 files

$ tree --filesfirst x
  x
  ├── dead -> nope
  ├── f
  ├── lnk -> f
  ├── p
  ├── v10
  ├── v9
  ├── a
  │   └── g
  ├── b
  │   └── c
  │       └── h i
  ├── empty
  └── ldir -> a
  
  6 directories, 8 files

$ tree -r x
  x
  ├── v9
  ├── v10
  ├── p
  ├── lnk -> f
  ├── ldir -> a
  ├── f
  ├── empty
  ├── dead -> nope
  ├── b
  │   └── c
  │       └── h i
  └── a
      └── g
  
  6 directories, 8 files

$ tree -v x
  x
  ├── a
  │   └── g
  ├── b
  │   └── c
  │       └── h i
  ├── dead -> nope
  ├── empty
  ├── f
  ├── ldir -> a
  ├── lnk -> f
  ├── p
  ├── v9
  └── v10
  
  6 directories, 8 files

$ tree -t x
  x
  ├── a
  │   └── g
  ├── b
  │   └── c
  │       └── h i
  ├── dead -> nope
  ├── empty
  ├── f
  ├── ldir -> a
  ├── lnk -> f
  ├── p
  ├── v10
  └── v9
  
  6 directories, 8 files

$ tree -l x
  x
  ├── a
  │   └── g
  ├── b
  │   └── c
  │       └── h i
  ├── dead -> nope
  ├── empty
  ├── f
  ├── ldir -> a  [recursive, not followed]
  ├── lnk -> f
  ├── p
  ├── v10
  └── v9
  
  6 directories, 8 files

$ tree -Q x
  "x"
  ├── "a"
  │   └── "g"
  ├── "b"
  │   └── "c"
  │       └── "h i"
  ├── "dead" -> "nope"
  ├── "empty"
  ├── "f"
  ├── "ldir" -> "a"
  ├── "lnk" -> "f"
  ├── "p"
  ├── "v10"
  └── "v9"
  
  6 directories, 8 files

$ tree --prune x
  x
  ├── a
  │   └── g
  ├── b
  │   └── c
  │       └── h i
  ├── dead -> nope
  ├── f
  ├── lnk -> f
  ├── p
  ├── v10
  └── v9
  
  4 directories, 8 files

$ tree --prune -P 'g*' x
  x
  └── a
      └── g
  
  2 directories, 1 file

$ tree --charset=ascii x
  x
  |-- a
  |   `-- g
  |-- b
  |   `-- c
  |       `-- h i
  |-- dead -> nope
  |-- empty
  |-- f
  |-- ldir -> a
  |-- lnk -> f
  |-- p
  |-- v10
  `-- v9
  
  6 directories, 8 files

$ tree --filelimit 2 x
  x  [10 entries exceeds filelimit, not opening dir]
  
  1 directory, 0 files

$ tree nonexistent; echo $?
  nonexistent  [error opening dir]
  
  0 directories, 0 files
  2

$ tree x/a x/b
  x/a
  └── g
  x/b
  └── c
      └── h i
  
  3 directories, 2 files

$ cd x/b; tree
  .
  └── c
      └── h i
  
  2 directories, 1 file

$ tree x/empty
  x/empty
  
  0 directories, 0 files

$ tree -o out x/a; cat out
  x/a
  └── g
  
  1 directory, 1 file

$ tree -L 0 x 2>/dev/null; echo $?
  1
