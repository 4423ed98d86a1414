% exec 2>&1

$ df --output / | head -1 | tr -s ' '
  Filesystem Type Inodes IUsed IFree IUse% 1K-blocks Used Avail Use% File Mounted on

$ df --output=target,pcent / | head -1; df -h --output=size,avail / | head -1 | tr -s ' '; df -B1 --output=size / | head -1 | tr -s ' '
  Mounted on Use%
   Size Avail
   1B-blocks

$ df --output=target /
  Mounted on
  /

$ df --output=file,target /; df --output=file /tmp | head -1
  File Mounted on
  /    /
  File

$ df --total --output=target /; df --total --output=source,target / | tail -1
  Mounted on
  /
  total
  total          -

$ df --output=foo /
  df: option --output: field ‘foo’ unknown
  Try 'df --help' for more information.
[1]

$ df --output=size,used,size /; df -T --output /; df -i --output=size /; df -P --output=size /
  df: option --output: field ‘size’ used more than once
  Try 'df --help' for more information.
  df: options -T and --output are mutually exclusive
  Try 'df --help' for more information.
  df: options -i and --output are mutually exclusive
  Try 'df --help' for more information.
  df: options -P and --output are mutually exclusive
  Try 'df --help' for more information.
[1]

$ df --output=size --output=used / | head -1 | tr -s ' '; df --output=target nosuch; echo $?
  1K-blocks Used
  df: nosuch: No such file or directory
  1
