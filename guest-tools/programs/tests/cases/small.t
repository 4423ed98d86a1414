% printf abc > f; printf 'x%.0s' $(seq 100) > long
% exec 2>&1

$ crc32 f; crc32 f long; crc32 < f
  352441c2
  352441c2	f
  5e0e5d8f	long

$ crc32 nosuch 2>&1 | sed 's,/usr/bin/,,'
  crc32: Cannot open nosuch: No such file or directory

$ openssl dgst f; openssl dgst -md5 -hex f; openssl dgst -sha256 -r f; openssl dgst -sha1 -binary f | xxd -p; printf abc | openssl dgst -sha512; openssl sha256 f; openssl md5 < f | tail -c 34
  SHA256(f)= ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
  MD5(f)= 900150983cd24fb0d6963f7d28e17f72
  ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad *f
  a9993e364706816aba3e25717850c26c9cd0d89d
  SHA2-512(stdin)= ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
  SHA2-256(f)= ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
   900150983cd24fb0d6963f7d28e17f72

$ openssl dgst -sha256 -hmac key f; openssl dgst -sha256 -c f; openssl dgst -sha3-256 f; openssl dgst -sha1 -mac HMAC -macopt key:abc f; openssl dgst -sha512-256 f; openssl dgst -sha224 f long
  HMAC-SHA2-256(f)= 9c196e32dc0175f86f4b1cb89289d6619de6bee699e4c378e68309ed97a1a6ab
  SHA2-256(f)= ba:78:16:bf:8f:01:cf:ea:41:41:40:de:5d:ae:22:23:b0:03:61:a3:96:17:7a:9c:b4:10:ff:61:f2:00:15:ad
  SHA3-256(f)= 3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532
  HMAC-SHA1(f)= 5b333a389b4e9a2358ac5392bf2a64dc68e3c943
  SHA2-512/256(f)= 53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23
  SHA2-224(f)= 23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7
  SHA2-224(long)= c49c94d0d9ac260177d358388f0461b8ea251125c11187b0878a361e

$ openssl rand -hex 8 | wc -c; openssl rand -base64 48 | wc -lc; openssl rand 5 | wc -c; openssl rand -hex 4 | grep -c '^[0-9a-f]*$'
  17
        1      65
  5
  1

$ openssl enc -base64 -in long; openssl base64 -in f -A; echo; echo YWJj | openssl enc -d -base64; openssl base64 -d -in <(openssl base64 -in long) -out o; cmp o long
  eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
  eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
  eHh4eA==
  YWJj
  abc
\

$ uuidgen | grep -Ec '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'; uuidgen -m -n @dns -N example.com; uuidgen -s -n @url -N http://a; uuidgen -t | cut -c15
  1
  9073926b-929f-31c2-abc9-fad77ae3e8eb
  bcf7b280-b0ac-52cf-aa46-68920fe34ea0
  1

$ cal 2 2024; cal 9 1752; cal -j 2 2024; cal feb 2024
     February 2024      
  Su Mo Tu We Th Fr Sa  
               1  2  3  
   4  5  6  7  8  9 10  
  11 12 13 14 15 16 17  
  18 19 20 21 22 23 24  
  25 26 27 28 29        
                        
     September 1752     
  Su Mo Tu We Th Fr Sa  
         1  2 14 15 16  
  17 18 19 20 21 22 23  
  24 25 26 27 28 29 30  
                        
                        
                        
         February 2024         
   Su  Mo  Tu  We  Th  Fr  Sa  
                   32  33  34  
   35  36  37  38  39  40  41  
   42  43  44  45  46  47  48  
   49  50  51  52  53  54  55  
   56  57  58  59  60          
                               
     February 2024      
  Su Mo Tu We Th Fr Sa  
               1  2  3  
   4  5  6  7  8  9 10  
  11 12 13 14 15 16 17  
  18 19 20 21 22 23 24  
  25 26 27 28 29        
                        

$ cal 2024; cal -3 1 2024; cal -3 2 2024; cal -A8 10 2023; cal -j -A1 2 2023; cal -A1 5 2023; cal -y 1900
                              2024
        January               February               March          
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
      1  2  3  4  5  6               1  2  3                  1  2  
   7  8  9 10 11 12 13   4  5  6  7  8  9 10   3  4  5  6  7  8  9  
  14 15 16 17 18 19 20  11 12 13 14 15 16 17  10 11 12 13 14 15 16  
  21 22 23 24 25 26 27  18 19 20 21 22 23 24  17 18 19 20 21 22 23  
  28 29 30 31           25 26 27 28 29        24 25 26 27 28 29 30  
                                              31                    
  
         April                  May                   June          
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
      1  2  3  4  5  6            1  2  3  4                     1  
   7  8  9 10 11 12 13   5  6  7  8  9 10 11   2  3  4  5  6  7  8  
  14 15 16 17 18 19 20  12 13 14 15 16 17 18   9 10 11 12 13 14 15  
  21 22 23 24 25 26 27  19 20 21 22 23 24 25  16 17 18 19 20 21 22  
  28 29 30              26 27 28 29 30 31     23 24 25 26 27 28 29  
                                              30                    
  
          July                 August              September        
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
      1  2  3  4  5  6               1  2  3   1  2  3  4  5  6  7  
   7  8  9 10 11 12 13   4  5  6  7  8  9 10   8  9 10 11 12 13 14  
  14 15 16 17 18 19 20  11 12 13 14 15 16 17  15 16 17 18 19 20 21  
  21 22 23 24 25 26 27  18 19 20 21 22 23 24  22 23 24 25 26 27 28  
  28 29 30 31           25 26 27 28 29 30 31  29 30                 
                                                                    
  
        October               November              December        
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
         1  2  3  4  5                  1  2   1  2  3  4  5  6  7  
   6  7  8  9 10 11 12   3  4  5  6  7  8  9   8  9 10 11 12 13 14  
  13 14 15 16 17 18 19  10 11 12 13 14 15 16  15 16 17 18 19 20 21  
  20 21 22 23 24 25 26  17 18 19 20 21 22 23  22 23 24 25 26 27 28  
  27 28 29 30 31        24 25 26 27 28 29 30  29 30 31              
                                                                    
     December 2023          January 2024         February 2024      
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
                  1  2      1  2  3  4  5  6               1  2  3  
   3  4  5  6  7  8  9   7  8  9 10 11 12 13   4  5  6  7  8  9 10  
  10 11 12 13 14 15 16  14 15 16 17 18 19 20  11 12 13 14 15 16 17  
  17 18 19 20 21 22 23  21 22 23 24 25 26 27  18 19 20 21 22 23 24  
  24 25 26 27 28 29 30  28 29 30 31           25 26 27 28 29        
  31                                                                
                              2024
        January               February               March          
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
      1  2  3  4  5  6               1  2  3                  1  2  
   7  8  9 10 11 12 13   4  5  6  7  8  9 10   3  4  5  6  7  8  9  
  14 15 16 17 18 19 20  11 12 13 14 15 16 17  10 11 12 13 14 15 16  
  21 22 23 24 25 26 27  18 19 20 21 22 23 24  17 18 19 20 21 22 23  
  28 29 30 31           25 26 27 28 29        24 25 26 27 28 29 30  
                                              31                    
                              2023
        October               November              December        
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
   1  2  3  4  5  6  7            1  2  3  4                  1  2  
   8  9 10 11 12 13 14   5  6  7  8  9 10 11   3  4  5  6  7  8  9  
  15 16 17 18 19 20 21  12 13 14 15 16 17 18  10 11 12 13 14 15 16  
  22 23 24 25 26 27 28  19 20 21 22 23 24 25  17 18 19 20 21 22 23  
  29 30 31              26 27 28 29 30        24 25 26 27 28 29 30  
                                              31                    
  
                              2024
        January               February               March          
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
      1  2  3  4  5  6               1  2  3                  1  2  
   7  8  9 10 11 12 13   4  5  6  7  8  9 10   3  4  5  6  7  8  9  
  14 15 16 17 18 19 20  11 12 13 14 15 16 17  10 11 12 13 14 15 16  
  21 22 23 24 25 26 27  18 19 20 21 22 23 24  17 18 19 20 21 22 23  
  28 29 30 31           25 26 27 28 29        24 25 26 27 28 29 30  
                                              31                    
  
         April                  May                   June          
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
      1  2  3  4  5  6            1  2  3  4                     1  
   7  8  9 10 11 12 13   5  6  7  8  9 10 11   2  3  4  5  6  7  8  
  14 15 16 17 18 19 20  12 13 14 15 16 17 18   9 10 11 12 13 14 15  
  21 22 23 24 25 26 27  19 20 21 22 23 24 25  16 17 18 19 20 21 22  
  28 29 30              26 27 28 29 30 31     23 24 25 26 27 28 29  
                                              30                    
         February 2023                 March 2023           
   Su  Mo  Tu  We  Th  Fr  Sa   Su  Mo  Tu  We  Th  Fr  Sa  
               32  33  34  35               60  61  62  63  
   36  37  38  39  40  41  42   64  65  66  67  68  69  70  
   43  44  45  46  47  48  49   71  72  73  74  75  76  77  
   50  51  52  53  54  55  56   78  79  80  81  82  83  84  
   57  58  59                   85  86  87  88  89  90      
                                                            
        May 2023             June 2023        
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
      1  2  3  4  5  6               1  2  3  
   7  8  9 10 11 12 13   4  5  6  7  8  9 10  
  14 15 16 17 18 19 20  11 12 13 14 15 16 17  
  21 22 23 24 25 26 27  18 19 20 21 22 23 24  
  28 29 30 31           25 26 27 28 29 30     
                                              
                              1900
        January               February               March          
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
      1  2  3  4  5  6               1  2  3               1  2  3  
   7  8  9 10 11 12 13   4  5  6  7  8  9 10   4  5  6  7  8  9 10  
  14 15 16 17 18 19 20  11 12 13 14 15 16 17  11 12 13 14 15 16 17  
  21 22 23 24 25 26 27  18 19 20 21 22 23 24  18 19 20 21 22 23 24  
  28 29 30 31           25 26 27 28           25 26 27 28 29 30 31  
                                                                    
  
         April                  May                   June          
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
   1  2  3  4  5  6  7         1  2  3  4  5                  1  2  
   8  9 10 11 12 13 14   6  7  8  9 10 11 12   3  4  5  6  7  8  9  
  15 16 17 18 19 20 21  13 14 15 16 17 18 19  10 11 12 13 14 15 16  
  22 23 24 25 26 27 28  20 21 22 23 24 25 26  17 18 19 20 21 22 23  
  29 30                 27 28 29 30 31        24 25 26 27 28 29 30  
                                                                    
  
          July                 August              September        
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
   1  2  3  4  5  6  7            1  2  3  4                     1  
   8  9 10 11 12 13 14   5  6  7  8  9 10 11   2  3  4  5  6  7  8  
  15 16 17 18 19 20 21  12 13 14 15 16 17 18   9 10 11 12 13 14 15  
  22 23 24 25 26 27 28  19 20 21 22 23 24 25  16 17 18 19 20 21 22  
  29 30 31              26 27 28 29 30 31     23 24 25 26 27 28 29  
                                              30                    
  
        October               November              December        
  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  
      1  2  3  4  5  6               1  2  3                     1  
   7  8  9 10 11 12 13   4  5  6  7  8  9 10   2  3  4  5  6  7  8  
  14 15 16 17 18 19 20  11 12 13 14 15 16 17   9 10 11 12 13 14 15  
  21 22 23 24 25 26 27  18 19 20 21 22 23 24  16 17 18 19 20 21 22  
  28 29 30 31           25 26 27 28 29 30     23 24 25 26 27 28 29  
                                              30 31                 

$ cal 13 2024 2>&1 | head -1; cal 0 2>&1 | head -1; cal x 2>&1 | head -1; cal -d 2024-02; cal -m 3 2021
  cal: 13 is neither a month number (1..12) nor a name
  cal: year `0' not in range 1..9999
  cal: not a valid year x
     February 2024      
  Su Mo Tu We Th Fr Sa  
               1  2  3  
   4  5  6  7  8  9 10  
  11 12 13 14 15 16 17  
  18 19 20 21 22 23 24  
  25 26 27 28 29        
                        
       March 2021       
  Su Mo Tu We Th Fr Sa  
      1  2  3  4  5  6  
   7  8  9 10 11 12 13  
  14 15 16 17 18 19 20  
  21 22 23 24 25 26 27  
  28 29 30 31           
                        

$ for c in sed grep tar diff patch cpio awk; do $c --version | head -n 1 | grep -c GNU; done; find --version | grep -c 'GNU findutils'; xargs --version | grep -c findutils
  1
  1
  1
  1
  1
  1
  1
  1
  1

$ for c in mkdir ls sort cp stat; do case $($c --version | head -n 1) in "$c ("*'coreutils) '*) echo yes;; esac; done
  yes
  yes
  yes
  yes
  yes

$ echo a | nl -l 0; echo $?; echo a | nl --join-blank=0; tr '[=ab=]' x < f; echo $?; tr '[===]' x < f; echo; tr '[=\\=][=a=]' x < f; echo; pathchk ''; echo $?; pathchk -p a ''; echo $?
  nl: invalid line number of blank lines: ‘0’: Numerical result out of range
  1
  nl: invalid line number of blank lines: ‘0’: Numerical result out of range
  tr: ab: equivalence class operand must be a single character
  1
  abc
  xbc
  pathchk: '': No such file or directory
  1
  pathchk: empty file name
  1
