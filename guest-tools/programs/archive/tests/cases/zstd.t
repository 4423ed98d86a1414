# Several inputs and one output, with Zstandard 1.5.
% exec 2>&1; printf aaa > a; printf bbb > b; size() { sed 's/:.*(/: (/; s/[0-9]*   B)/N B)/; s/[0-9]* B, /N B, /'; }

$ zstd -qf a b -o c; echo $?; zstd -dcq c; echo; rm c; zstd a b -o c; echo $?; ls; zstd -q a b -o c; echo $?; echo old > c; zstd a b -o c; echo $?; cat c; echo y | zstd -q a b -o c; echo $?; cat c
  0
  aaabbb
  zstd: WARNING: all input files will be processed and concatenated into a single output file: c 
  The concatenated output CANNOT regenerate original file names nor directory structure. 
  Proceed? (y/n): Aborting... 
  1
  a
  b
  Concatenating multiple processed inputs into a single output loses file metadata. 
  Aborting. 
  1
  zstd: WARNING: all input files will be processed and concatenated into a single output file: c 
  The concatenated output CANNOT regenerate original file names nor directory structure. 
  Proceed? (y/n): Aborting... 
  1
  old
  Concatenating multiple processed inputs into a single output loses file metadata. 
  Aborting. 
  1
  old

$ echo y | zstd a b -o c 2>&1 | size; zstd -dcq c; echo; zstd -f --rm a b -o d 2>&1 | size; ls
  zstd: WARNING: all input files will be processed and concatenated into a single output file: c 
  The concatenated output CANNOT regenerate original file names nor directory structure. 
  Proceed? (y/n): (     6   B =>     N B)
  aaabbb
  zstd: WARNING: all input files will be processed and concatenated into a single output file: d 
  The concatenated output CANNOT regenerate original file names nor directory structure. 
  Since it's a destructive operation, input files will not be removed. 
    2 files compressed : (     6   B =>     N B)
  a
  b
  c
  d

$ zstd -f a -o a; echo $?; cat a; zstd -q a -o b < /dev/null; echo $?; cat b; zstd -f - a -o q < b 2>&1 | size; zstd - a -o q; echo $?
  zstd: Refusing to open an output file which will overwrite the input file 
  1
  aaazstd: b already exists; not overwritten  
  1
  bbbzstd: WARNING: all input files will be processed and concatenated into a single output file: q 
  The concatenated output CANNOT regenerate original file names nor directory structure. 
    2 files compressed : (     6   B =>     N B)
  zstd: WARNING: all input files will be processed and concatenated into a single output file: q 
  The concatenated output CANNOT regenerate original file names nor directory structure. 
  stdin is an input - not proceeding.
  1

$ zstd -q a -o a.zst; zstd -q b -o b.zst; zstd -df a.zst b.zst -o e; echo $?; cat e; zstd -f a nosuch -o g 2>&1 | size; ls; zstd -c a b | zstd -dc; zstd -t a.zst b.zst; zstd -t a.zst; zstd a; zstd -q a; echo $?; echo y | zstd a 2>&1 | size; zstd a b nosuch 2>&1 < /dev/null | size
  zstd: WARNING: all input files will be processed and concatenated into a single output file: e 
  The concatenated output CANNOT regenerate original file names nor directory structure. 
  2 files decompressed :      6 bytes total 
  0
  aaabbbzstd: WARNING: all input files will be processed and concatenated into a single output file: g 
  The concatenated output CANNOT regenerate original file names nor directory structure. 
  zstd: can't stat nosuch : No such file or directory -- ignored 
    1 files compressed : (     3   B =>     N B)
  a
  a.zst
  b
  b.zst
  e
  g
  aaabbb2 files decompressed :      6 bytes total 
  a.zst               : 3 bytes 
  zstd: a.zst already exists; overwrite (y/n) ? Not overwritten  
   
  zstd: a.zst already exists; not overwritten  
  1
  zstd: (     3 B =>     N B, a.zst) 
  zstd: (y/n) ? Not overwritten  
   
  zstd: (y/n) ? Not overwritten  
   
  zstd: can't stat nosuch : No such file or directory -- ignored 

$ seq 10000 > n; zstd n 2>&1 | sed 's/:.*(/: (/; s/=>.*,/=>/'
  n                    : (  47.7 KiB => n.zst) 
