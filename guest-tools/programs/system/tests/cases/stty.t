
$ exec 2>&1; stty
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty -a
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty -g
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty size
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty -F /dev/null
  stty: /dev/null: Inappropriate ioctl for device
[1]

$ exec 2>&1; stty -F nope
  stty: nope: No such file or directory
[1]

$ exec 2>&1; stty -F
  stty: invalid argument ‘-F’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty --file=x -a -g
  stty: the options for verbose and stty-readable output styles are
  mutually exclusive
[1]

$ exec 2>&1; stty -a echo
  stty: when specifying an output style, modes may not be set
[1]

$ exec 2>&1; stty -g sane
  stty: when specifying an output style, modes may not be set
[1]

$ exec 2>&1; stty bogus
  stty: invalid argument ‘bogus’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty -bogus
  stty: invalid argument ‘-bogus’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty rows
  stty: missing argument to ‘rows’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty rows x
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty rows 10 cols
  stty: missing argument to ‘cols’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty intr foo
  stty: invalid integer argument: ‘foo’
[1]

$ exec 2>&1; stty intr ^c
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty --nope
  stty: invalid argument ‘--nope’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty -echo raw
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty 9600
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty ispeed
  stty: missing argument to ‘ispeed’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty ispeed x
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty min x
  stty: invalid integer argument: ‘x’
[1]

$ exec 2>&1; stty min 300
  stty: invalid integer argument: ‘300’: Numerical result out of range
[1]

$ exec 2>&1; stty time -1
  stty: invalid integer argument: ‘-1’
[1]

$ exec 2>&1; stty -drain
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty drain
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty 1:2:3:4
  stty: invalid argument ‘1:2:3:4’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty 500:5:bf:8a3b:3:1c:7f:15:4:0:1:0:11:13:1a:0:12:f:17:16:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty -F /dev/null -F /dev/zero
  stty: only one device may be specified
[1]

$ exec 2>&1; stty rows 99999999999999
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty -- -echo
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty -ax
  stty: when specifying an output style, modes may not be set
[1]

$ exec 2>&1; stty cs9
  stty: invalid argument ‘cs9’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty -cs8
  stty: invalid argument ‘-cs8’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty -rows 5
  stty: invalid argument ‘-rows’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty -- bogus
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty line x
  stty: invalid integer argument: ‘x’
[1]

$ exec 2>&1; stty line 99999999999999999999
  stty: invalid integer argument: ‘99999999999999999999’: Value too large for defined data type
[1]

$ exec 2>&1; stty speed foo
  stty: invalid argument ‘foo’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty -sane
  stty: invalid argument ‘-sane’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty intr 300
  stty: invalid integer argument: ‘300’: Numerical result out of range
[1]

$ exec 2>&1; stty intr 0x100
  stty: invalid integer argument: ‘0x100’: Numerical result out of range
[1]

$ exec 2>&1; stty intr ''
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty -z
  stty: invalid argument ‘-z’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty -F /tmp
  stty: /tmp: Inappropriate ioctl for device
[1]

$ exec 2>&1; stty --all
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty --save
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty --file
  stty: invalid argument ‘--file’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty --al --sa
  stty: the options for verbose and stty-readable output styles are
  mutually exclusive
[1]

$ exec 2>&1; stty intr 99999999999
  stty: invalid integer argument: ‘99999999999’: Value too large for defined data type
[1]

$ exec 2>&1; stty intr 1b
  stty: invalid integer argument: ‘1b’: Numerical result out of range
[1]

$ exec 2>&1; stty flush x
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty -tabs tabs -LCASE
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty --all=3
  stty: invalid argument ‘--all=3’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty 134.5
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty 134.6
  stty: invalid argument ‘134.6’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty 12 34
  stty: invalid argument ‘12’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty "" 
  stty: invalid argument ‘’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty - 
  stty: invalid argument ‘-’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty a b
  stty: invalid argument ‘a’
  Try 'stty --help' for more information.
[1]

$ exec 2>&1; stty -F '' 
  stty: '': No such file or directory
[1]

$ exec 2>&1; stty -F 'a b'
  stty: 'a b': No such file or directory
[1]

$ exec 2>&1; stty lcase parity -parity evenp oddp litout pass8 cooked nl -nl dec ek crt
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty time 010
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty time 09
  stty: invalid integer argument: ‘09’
[1]

$ exec 2>&1; stty time +5
  stty: 'standard input': Inappropriate ioctl for device
[1]

$ exec 2>&1; stty -cbreak -cooked -evenp -litout -nl -oddp -pass8 -raw -tabs -crtkill
  stty: 'standard input': Inappropriate ioctl for device
[1]
