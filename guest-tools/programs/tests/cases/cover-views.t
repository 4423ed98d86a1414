# Options of archives, calendars, units and what the system is.
% exec 2> /dev/null
% printf 'hello hello hello\n' > a.txt; mkdir d; printf 'b\n' > d/b.txt

$ zip -q -1 one.zip a.txt; unzip -p one.zip; zip -qn .txt:.md n.zip a.txt; unzip -v n.zip | awk '/txt/ {print $2}'; zip -q9 s.zip a.txt; unzip -v s.zip | awk '/txt/ {print $2}' | cut -c1-5; yes | head -c 100000 > big.txt; zip -q1 f.zip big.txt; zip -q -9 b.zip big.txt; unzip -p f.zip | cmp - big.txt && echo same; zip -q -n .txt t.zip big.txt; [ $(wc -c < t.zip) -gt 100000 ] && echo stored; zip -n; echo $?
  hello hello hello
  Stored
  Defl:
  same
  stored
  
  zip error: Invalid command arguments (option 'n' (suffixes to not compress: .gz:.zip) requires a value)
  16

$ zip -qr z.zip a.txt d; zipinfo -1 z.zip; zipinfo -1 z.zip 'D/*'; echo $?; zipinfo -1 -C z.zip 'D/*'; zipinfo -h z.zip | sed 's/[0-9][0-9]* bytes/N bytes/'; zipinfo -t z.zip; zipinfo -s z.zip a.txt | cut -c1-10; zipinfo -l z.zip a.txt | wc -w; zipinfo -m z.zip a.txt | grep -c %; zipinfo -M -1 z.zip; zipinfo -2 z.zip; zipinfo -z z.zip | head -1 | cut -d' ' -f1; zipinfo -1 z.zip -x 'd/*'; zipinfo nosuch > /dev/null; echo $?; zipinfo -1 z.zip nosuch; echo $?; zipinfo > out; echo $?
  a.txt
  d/
  d/b.txt
  11
  d/
  d/b.txt
  Archive:  z.zip
  Zip file size: N bytes, number of entries: 3
  3 files, 20 bytes uncompressed, 13 bytes compressed:  35.0%
  -rw-r--r--
  10
  1
  a.txt
  d/
  d/b.txt
  a.txt
  d/
  d/b.txt
  Archive:
  a.txt
  9
  11
  0

$ for o in p f u n o d; do zipinfo -$o z.zip > out; echo $?; done
  10
  10
  10
  10
  10
  10

$ printf 'x\n' > x; zstd -q x; zstd -v -d x.zst -c 2> /dev/null; unzstd -v -c x.zst; zstdcat --verbose x.zst; zstd --progress -dc x.zst; zstd -v -t x.zst; echo $?; zstdmt -v -c x | zstd -dc; unzstd --progress --verbose -f x.zst; cat x; zstd --no-progress -q -f x -o y.zst; echo $?
  x
  x
  x
  x
  0
  x
  x
  0

$ gzip --synchronous a.txt; ls a*; gunzip --synchronous a.txt.gz; ls a*; gzip -c a.txt | zcat --synchronous; bzip2 -s -k a.txt; bzcat -s a.txt.bz2; bunzip2 --small -c a.txt.bz2; bzip2 --small -t a.txt.bz2; echo $?
  a.txt.gz
  a.txt
  hello hello hello
  hello hello hello
  hello hello hello
  0

$ cal -b 2 2024; echo $?; cal -C 2 2024 | sed 's/ *$//'; cal -h 2 2024; echo $?; ncal -C 2 2024 | sed 's/ *$//'; ncal -b 2 2024 | sed 's/ *$//'; ncal -h 2 2024 | sed 's/ *$//'; cal -B 1 2 2024 | sed 's/ *$//'; ncal -B 1 2 2024 | sed 's/ *$//'; ncal -bB1 -A1 1 2024 | sed 's/ *$//'; ncal -y 2024; ncal -3 2 2024; ncal -j 2 2024; ncal -j -3 2 2024; ncal -A3 1 2024; ncal -B1 1 2024; ncal -A4 12 2023; cal -A4 1 2024; cal -A1 1 2024; ncal 9 1752; ncal -1 2 2024; ncal 2 2024 | cat -A; cal 13 2024; echo $?; cal 2 0; echo $?; cal -m 5x; echo $?; cal -j 2 2024 | sed 's/ *$//'; cal x; echo $?
  64
     February 2024
  Su Mo Tu We Th Fr Sa
               1  2  3
   4  5  6  7  8  9 10
  11 12 13 14 15 16 17
  18 19 20 21 22 23 24
  25 26 27 28 29
  
  64
     February 2024
  Su Mo Tu We Th Fr Sa
               1  2  3
   4  5  6  7  8  9 10
  11 12 13 14 15 16 17
  18 19 20 21 22 23 24
  25 26 27 28 29
  
     February 2024
  Su Mo Tu We Th Fr Sa
               1  2  3
   4  5  6  7  8  9 10
  11 12 13 14 15 16 17
  18 19 20 21 22 23 24
  25 26 27 28 29
  
      February 2024
  Su     4 11 18 25
  Mo     5 12 19 26
  Tu     6 13 20 27
  We     7 14 21 28
  Th  1  8 15 22 29
  Fr  2  9 16 23
  Sa  3 10 17 24
      January 2024         February 2024
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa
      1  2  3  4  5  6               1  2  3
   7  8  9 10 11 12 13   4  5  6  7  8  9 10
  14 15 16 17 18 19 20  11 12 13 14 15 16 17
  21 22 23 24 25 26 27  18 19 20 21 22 23 24
  28 29 30 31           25 26 27 28 29
  
      January 2024      February 2024
  Su     7 14 21 28        4 11 18 25
  Mo  1  8 15 22 29        5 12 19 26
  Tu  2  9 16 23 30        6 13 20 27
  We  3 10 17 24 31        7 14 21 28
  Th  4 11 18 25        1  8 15 22 29
  Fr  5 12 19 26        2  9 16 23
  Sa  6 13 20 27        3 10 17 24
     December 2023          January 2024         February 2024
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa
                  1  2      1  2  3  4  5  6               1  2  3
   3  4  5  6  7  8  9   7  8  9 10 11 12 13   4  5  6  7  8  9 10
  10 11 12 13 14 15 16  14 15 16 17 18 19 20  11 12 13 14 15 16 17
  17 18 19 20 21 22 23  21 22 23 24 25 26 27  18 19 20 21 22 23 24
  24 25 26 27 28 29 30  28 29 30 31           25 26 27 28 29
  31
                                    2024
      January           February          March             April             
  Su     7 14 21 28        4 11 18 25        3 10 17 24 31     7 14 21 28   
  Mo  1  8 15 22 29        5 12 19 26        4 11 18 25     1  8 15 22 29   
  Tu  2  9 16 23 30        6 13 20 27        5 12 19 26     2  9 16 23 30   
  We  3 10 17 24 31        7 14 21 28        6 13 20 27     3 10 17 24      
  Th  4 11 18 25        1  8 15 22 29        7 14 21 28     4 11 18 25      
  Fr  5 12 19 26        2  9 16 23        1  8 15 22 29     5 12 19 26      
  Sa  6 13 20 27        3 10 17 24        2  9 16 23 30     6 13 20 27      
  
      May               June              July              August            
  Su     5 12 19 26        2  9 16 23 30     7 14 21 28        4 11 18 25   
  Mo     6 13 20 27        3 10 17 24     1  8 15 22 29        5 12 19 26   
  Tu     7 14 21 28        4 11 18 25     2  9 16 23 30        6 13 20 27   
  We  1  8 15 22 29        5 12 19 26     3 10 17 24 31        7 14 21 28   
  Th  2  9 16 23 30        6 13 20 27     4 11 18 25        1  8 15 22 29   
  Fr  3 10 17 24 31        7 14 21 28     5 12 19 26        2  9 16 23 30   
  Sa  4 11 18 25        1  8 15 22 29     6 13 20 27        3 10 17 24 31   
  
      September         October           November          December          
  Su  1  8 15 22 29        6 13 20 27        3 10 17 24     1  8 15 22 29   
  Mo  2  9 16 23 30        7 14 21 28        4 11 18 25     2  9 16 23 30   
  Tu  3 10 17 24        1  8 15 22 29        5 12 19 26     3 10 17 24 31   
  We  4 11 18 25        2  9 16 23 30        6 13 20 27     4 11 18 25      
  Th  5 12 19 26        3 10 17 24 31        7 14 21 28     5 12 19 26      
  Fr  6 13 20 27        4 11 18 25        1  8 15 22 29     6 13 20 27      
  Sa  7 14 21 28        5 12 19 26        2  9 16 23 30     7 14 21 28      
      January 2024      February 2024     March 2024        
  Su     7 14 21 28        4 11 18 25        3 10 17 24 31
  Mo  1  8 15 22 29        5 12 19 26        4 11 18 25   
  Tu  2  9 16 23 30        6 13 20 27        5 12 19 26   
  We  3 10 17 24 31        7 14 21 28        6 13 20 27   
  Th  4 11 18 25        1  8 15 22 29        7 14 21 28   
  Fr  5 12 19 26        2  9 16 23        1  8 15 22 29   
  Sa  6 13 20 27        3 10 17 24        2  9 16 23 30   
      February 2024           
  Su      35  42  49  56    
  Mo      36  43  50  57    
  Tu      37  44  51  58    
  We      38  45  52  59    
  Th  32  39  46  53  60    
  Fr  33  40  47  54        
  Sa  34  41  48  55        
                                    2024
      January                 February                March                   
  Su       7  14  21  28          35  42  49  56          63  70  77  84  91
  Mo   1   8  15  22  29          36  43  50  57          64  71  78  85    
  Tu   2   9  16  23  30          37  44  51  58          65  72  79  86    
  We   3  10  17  24  31          38  45  52  59          66  73  80  87    
  Th   4  11  18  25          32  39  46  53  60          67  74  81  88    
  Fr   5  12  19  26          33  40  47  54          61  68  75  82  89    
  Sa   6  13  20  27          34  41  48  55          62  69  76  83  90    
                                    2024
      January           February          March             April             
  Su     7 14 21 28        4 11 18 25        3 10 17 24 31     7 14 21 28   
  Mo  1  8 15 22 29        5 12 19 26        4 11 18 25     1  8 15 22 29   
  Tu  2  9 16 23 30        6 13 20 27        5 12 19 26     2  9 16 23 30   
  We  3 10 17 24 31        7 14 21 28        6 13 20 27     3 10 17 24      
  Th  4 11 18 25        1  8 15 22 29        7 14 21 28     4 11 18 25      
  Fr  5 12 19 26        2  9 16 23        1  8 15 22 29     5 12 19 26      
  Sa  6 13 20 27        3 10 17 24        2  9 16 23 30     6 13 20 27      
      December 2023     January 2024      
  Su     3 10 17 24 31     7 14 21 28   
  Mo     4 11 18 25     1  8 15 22 29   
  Tu     5 12 19 26     2  9 16 23 30   
  We     6 13 20 27     3 10 17 24 31   
  Th     7 14 21 28     4 11 18 25      
  Fr  1  8 15 22 29     5 12 19 26      
  Sa  2  9 16 23 30     6 13 20 27      
      December 2023     January 2024      February 2024     March 2024        
  Su     3 10 17 24 31     7 14 21 28        4 11 18 25        3 10 17 24 31
  Mo     4 11 18 25     1  8 15 22 29        5 12 19 26        4 11 18 25   
  Tu     5 12 19 26     2  9 16 23 30        6 13 20 27        5 12 19 26   
  We     6 13 20 27     3 10 17 24 31        7 14 21 28        6 13 20 27   
  Th     7 14 21 28     4 11 18 25        1  8 15 22 29        7 14 21 28   
  Fr  1  8 15 22 29     5 12 19 26        2  9 16 23        1  8 15 22 29   
  Sa  2  9 16 23 30     6 13 20 27        3 10 17 24        2  9 16 23 30   
  
      April 2024        
  Su     7 14 21 28   
  Mo  1  8 15 22 29   
  Tu  2  9 16 23 30   
  We  3 10 17 24      
  Th  4 11 18 25      
  Fr  5 12 19 26      
  Sa  6 13 20 27      
                              2024
        January               February               March          
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
      1  2  3  4  5  6               1  2  3                  1  2  
   7  8  9 10 11 12 13   4  5  6  7  8  9 10   3  4  5  6  7  8  9  
  14 15 16 17 18 19 20  11 12 13 14 15 16 17  10 11 12 13 14 15 16  
  21 22 23 24 25 26 27  18 19 20 21 22 23 24  17 18 19 20 21 22 23  
  28 29 30 31           25 26 27 28 29        24 25 26 27 28 29 30  
                                              31                    
  
         April                  May           
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
      1  2  3  4  5  6            1  2  3  4  
   7  8  9 10 11 12 13   5  6  7  8  9 10 11  
  14 15 16 17 18 19 20  12 13 14 15 16 17 18  
  21 22 23 24 25 26 27  19 20 21 22 23 24 25  
  28 29 30              26 27 28 29 30 31     
                                              
      January 2024         February 2024      
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
      1  2  3  4  5  6               1  2  3  
   7  8  9 10 11 12 13   4  5  6  7  8  9 10  
  14 15 16 17 18 19 20  11 12 13 14 15 16 17  
  21 22 23 24 25 26 27  18 19 20 21 22 23 24  
  28 29 30 31           25 26 27 28 29        
                                              
      September 1752    
  Su    17 24         
  Mo    18 25         
  Tu  1 19 26         
  We  2 20 27         
  Th 14 21 28         
  Fr 15 22 29         
  Sa 16 23 30         
      February 2024     
  Su     4 11 18 25   
  Mo     5 12 19 26   
  Tu     6 13 20 27   
  We     7 14 21 28   
  Th  1  8 15 22 29   
  Fr  2  9 16 23      
  Sa  3 10 17 24      
      February 2024     $
  Su     4 11 18 25   $
  Mo     5 12 19 26   $
  Tu     6 13 20 27   $
  We     7 14 21 28   $
  Th  1  8 15 22 29   $
  Fr  2  9 16 23      $
  Sa  3 10 17 24      $
  64
  64
  64
         February 2024
   Su  Mo  Tu  We  Th  Fr  Sa
                   32  33  34
   35  36  37  38  39  40  41
   42  43  44  45  46  47  48
   49  50  51  52  53  54  55
   56  57  58  59  60
  
  64

$ units -q '2 in' cm; units --quiet 'ft' 'm'; units --silent ft m; units -s 'ft' 'm'; units --strict 'min' 's'; units --compact 'ft' 'm'; units --compact '2 km' 'mi'; units -s -v 'ft' 'm'; printf 'ft\nm\n' | units -q; printf 'ft\nm\n' | units | tail -n 3; printf 'ft\n' | units | tail -n 1; printf '2 km\nmi\nfoo\nkm\n' | units --silent -t; echo; units --compact -1 ft m; units -s ft 's'; echo $?; units -q nosuchunit m; echo $?; units -1 's' 'Hz'; echo; units ft m s; echo $?; units 'tempF(212)' tempC; units '1|3 m' cm; units '3 m^2' 'acre'; units -d 3 'mile' km; units 'kg' 'lb;oz'
  	* 5.08
  	/ 0.19685039
  	* 0.3048
  	/ 3.2808399
  	* 0.3048
  	/ 3.2808399
  	* 0.3048
  	/ 3.2808399
  	* 60
  	/ 0.016666667
  0.3048
  3.2808399
  1.2427424
  0.804672
  	ft = 0.3048 m
  	ft = (1 / 3.2808399) m
  	* 0.3048
  	/ 3.2808399
  You have: You want: 	* 0.3048
  	/ 3.2808399
  You have: 
  You have: You want: 
  1.2427424
  Unknown unit 'foo'
  
  0.3048
  conformability error
  	0.3048 m
  	1 s
  1
  Unknown unit 'nosuchunit'
  1
  	reciprocal conversion
  	* 1
  
  1
  	100
  	* 33.333333
  	/ 0.03
  	* 0.00074131614
  	/ 1348.9521
  	* 1.61
  	/ 0.621
  	2 lb + 3.2739619 oz

$ uuidgen -r | tr 0-9a-f x; uuidgen --random | cut -c15; uuidgen -t | cut -c15; uuidgen -m -n @dns -N example.com; uuidgen --sha1 --namespace @url --name http://x/; uuidgen -s -n @dns -N 6578616d706c65 -x; uuidgen --hex -m -n @oid -N 414243; uuidgen -x -s -n @dns -N zz; echo $?; uuidgen -N x; echo $?; uuidgen -n @nope -s -N x; echo $?; uuidgen -m -s -n @dns -N a; echo $?; uuidgen -x | wc -c; uuidgen -n 6ba7b810-9dad-11d1-80b4-00c04fd430c8 -s -N a; uuidgen a | wc -c
  xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx
  4
  1
  9073926b-929f-31c2-abc9-fad77ae3e8eb
  be3eb191-c297-5830-bbd0-33d52c04f8fc
  7cb48787-6d91-5b9f-bc60-f30298ea5736
  225319e5-95a4-36eb-92d5-7a968f322171
  1
  1
  1
  4f3f2898-69e3-5a0d-820a-c4e87987dbce
  0
  37
  4f3f2898-69e3-5a0d-820a-c4e87987dbce
  37

$ getconf PAGESIZE; getconf -v POSIX_V7_LP64_OFF64 PATH; getconf -a | grep -c '^PAGESIZE'; getconf -a | grep '^CHAR_BIT' | wc -w; getconf -v; echo $?; getconf -v nope PATH; echo $?; getconf NOPE; echo $?; getconf; echo $?; getconf NAME_MAX .; getconf PATH_MAX /; getconf LONG_BIT; getconf INT_MAX; getconf -a / | grep -c '^NAME_MAX'; getconf _POSIX_VERSION; getconf NAME_MAX; echo $?
  4096
  /bin:/usr/bin
  1
  2
  2
  /bin:/usr/bin
  0
  2
  2
  255
  4096
  64
  2147483647
  1
  200809
  2

$ lscpu -J | tr -d ' \n' | cut -c1-20; lscpu --json | jq -r '.lscpu[0].field'; lscpu -p | grep -v '^#' | head -1 | cut -c1-4; lscpu -p=cpu | tail -1 | grep -c '^[0-9]'; lscpu --parse=CPU,CORE | sed -n '/^# CPU/p'; lscpu -p | grep -c '^# '; lscpu -x | grep -c '^Architecture'; lscpu --hex -p=CPU | tail -1 | grep -c '^[0-9]'; lscpu --nope; echo $?; lscpu -p=nope; echo $?; lscpu -J -x | grep -c lscpu
  {"lscpu":[{"field":"
  Architecture:
  0,0,
  1
  # CPU,Core
  4
  1
  1
  1
  1
  1

$ mount -l | grep -c ' on / '; t=$(mount | awk '$3 == "/" {print $5}'); mount -t $t | grep -c ' on / '; mount -l --types no$t | grep -c ' on / '; mount --show-labels -t x,$t | grep -c ' on / '; mount -t x; echo $?; mount | awk '$3 == "/" {print $2, $4}'; mount nosuch; echo $?
  1
  1
  0
  1
  0
  on type
  1

$ top -b -n 1 | head -1 | cut -c1-5; top -bn1 | awk 'NR == 7 {print $1, $2, $NF}'; top -b -n 2 -d 0.1 | grep -c '^top -'; top -b -i -n 1 | sed -n 7p | awk '{print $1}'; top -b -n1 -w 60 | awk 'length > 60' | wc -l; top -b -n1 -p 4194000 | wc -l; top -b -n x; echo $?; top -b -d x -n 1; echo $?; top -b -p x -n1; echo $?; top -n 1; echo $?
  top -
  PID USER COMMAND
  2
  PID
  0
  7
  1
  1
  1
  1

& top -b -n1 -p $$ | tail -n +8 | awk -v p=$$ '{print $1 == p}'; top -b -n 1 -c -p $$ | tail -1 | grep -c bash
  1
  1

$ ls -s a.txt | wc -w; ls -s d | head -1 | cut -d' ' -f1; ls -1s --block-size=1 d/b.txt | awk '{print $1 % 512}'; ls --size -d d | awk '{print $NF}'; dir -s d | head -1 | cut -d' ' -f1; vdir -s d | head -1 | cut -d' ' -f1; vdir --size d | awk 'NR > 1 {print NF, $NF}'
  2
  total
  0
  d
  total
  total
  10 b.txt

$ printf '<a><b/></a>' | xmllint --nowarning --noout -; echo $?; printf '<a>' | xmllint --nowarning - ; echo $?; printf '<a xmlns:p="x:y"/>' | xmllint --nowarning -
  0
  1
  <?xml version="1.0"?>
  <a xmlns:p="x:y"/>
