# OpenSSL 3.0 of Debian 12: passwords, ciphers, keys, requests and certificates.
% exec 2>&1
% real() { PATH=/usr/bin:/bin openssl "$@"; }

$ for m in -6 -5 -1 -apr1; do openssl passwd $m -salt abc pw; openssl passwd $m -salt abcdefghijklmnopqrstu 'a longer password than sixteen'; done; openssl passwd -salt abc pw; openssl passwd -6 -salt 'rounds=1000$ab' pw; printf 'a\nb\n' | openssl passwd -6 -salt x -stdin -table; printf 'a\nb\n' > p; openssl passwd -1 -salt x -in p -table -reverse; openssl passwd -5 -salt y one two; openssl passwd -x; echo $?; openssl passwd -6 pw | cut -c1-3; openssl passwd -1 pw | wc -c; openssl passwd -quiet -noverify -1 -salt q pw
  $6$abc$MtSdWSZbhct2oe.SOqOUM2M/GA/uj5.vyVtJgRHgKi9uqXuWuJqOYE7H/YlsYGVg/YYzDV0xt3fEIwYt580.5.
  $6$abcdefghijklmnop$OUseyGPB3yWGEFimjk5M0y0ssYcCLri/IxxkgqlObNOb.O0Tx9boNWmalZagNPjaSzl8v5iY/PvH6bPdWjqr81
  $5$abc$/LKlXd6vuvdFX3oWbf2vGk3DgflzzsvOtMZsiOxqqY5
  $5$abcdefghijklmnop$LsBJaNbiYUVjraez4StQbOHjPt5McJh3A.RWh7gtQw9
  $1$abc$Kb85XxsXB.VXinPhbS4431
  $1$abcdefgh$/7XdlI5xfK3ZxuAI/IZxv/
  $apr1$abc$NKxAkoTtUloZMd1uGIvNG0
  $apr1$abcdefgh$O77Ykrgvmw5yySwDPdvTi1
  $1$abc$Kb85XxsXB.VXinPhbS4431
  $6$rounds=1000$ab$8/vdebh7.eIeNufFrLK0jMMqafLdKpZbPY1ppG7x22R2yDSMj7XkxuEn2jtBuNS.VYAmIhpV6haXB82POC/MC0
  a	$6$x$6Zqbz8j5rMHIeJ1ujjjFXuZXSa/VORj.fVUEQcJc.rjR9.wCKlhZuymRQLtIEzcxNmqwX/fRNvM45BbvFayY51
  b	$6$x$tyq2SLIMVRuOcUsf8mZo4T/E8OFf/t4cZOEddgow8bnDU57/tRVG0n5zN6xlZLHQtnRw02KwpDyUxArfd3giB0
  $1$x$P8VObTrxaqT4VBmnH06P8.	a
  $1$x$uTcaoE2vJUbzyKq1.YZ4h1	b
  $5$y$sZYcRVWdd2/kBEB3dZPotJFEO5NKTKmAVLXizthb.N0
  $5$y$FzSVdmqZaVln/TeFvVJ4jIE9HrtmUWJa9RZ4x1.duL.
  passwd: Unknown option: -x
  passwd: Use -help for summary.
  1
  $6$
  35
  $1$q$99W/JBE5zJhULdKD2CZx81

$ for c in aes-128-cbc aes-192-cbc aes-256-cbc aes-128-ctr aes-256-ctr aes-128-ecb aes-256-ecb des-ede3-cbc; do echo hello | openssl enc -$c -pbkdf2 -pass pass:x -S 0102030405060708 -a; echo hello | openssl enc -$c -k x -S 0102030405060708 -base64; done; echo hello | openssl aes256 -pbkdf2 -iter 5 -md sha512 -k x -nosalt -a -A; echo; echo hello | openssl enc -aes-256-cbc -pbkdf2 -k x -S 0102030405060708 -p -a; echo hello | openssl enc -aes-256-cbc -pbkdf2 -k x -S 0102030405060708 -P
  JH/SOsSU/JbqTTBS7ZHtjA==
  *** WARNING : deprecated key derivation used.
  Using -iter or -pbkdf2 would be better.
  KKqrbQgUc8rMEZ60xVOnTA==
  xYQ3e6SHfjwMKpFhelAwPA==
  *** WARNING : deprecated key derivation used.
  Using -iter or -pbkdf2 would be better.
  03uYdNw7xupYJI4+0k885w==
  8C8axrIWCYFb6wdKgjAGAQ==
  *** WARNING : deprecated key derivation used.
  Using -iter or -pbkdf2 would be better.
  t5s/wQwvOA6p1V5mMv/eVA==
  1thddVJm
  *** WARNING : deprecated key derivation used.
  Using -iter or -pbkdf2 would be better.
  /a8FQQhE
  o1fDWds5
  *** WARNING : deprecated key derivation used.
  Using -iter or -pbkdf2 would be better.
  3ptKjMSw
  YuTEpcDbOnTZMeqkt09kqg==
  *** WARNING : deprecated key derivation used.
  Using -iter or -pbkdf2 would be better.
  6cmmHzCdHUafDVMMdS4CJA==
  TItY6tHx10HeZEDAxv1lYw==
  *** WARNING : deprecated key derivation used.
  Using -iter or -pbkdf2 would be better.
  pZHy7lH4tVd8UlGMRU0iMw==
  tVTPxM8GR4g=
  *** WARNING : deprecated key derivation used.
  Using -iter or -pbkdf2 would be better.
  gu0+rZ9QUAo=
  kqPz5q5mKYitWAVywaCIWQ==
  salt=0102030405060708
  key=5C2BDDE12F9952B39C017D85CC3F009A0D1477AEE22C8E2D8E8F5DC54C2501F2
  iv =FB02DB717D214067AA4F31F1D7F345CF
  8C8axrIWCYFb6wdKgjAGAQ==
  salt=0102030405060708
  key=5C2BDDE12F9952B39C017D85CC3F009A0D1477AEE22C8E2D8E8F5DC54C2501F2
  iv =FB02DB717D214067AA4F31F1D7F345CF

$ echo hello | openssl enc -aes-128-cbc -K 000102030405060708090a0b0c0d0e0f -iv 0f0e0d0c0b0a09080706050403020100 -a; echo hello | openssl enc -aes-128-ctr -K 00 -iv 01 | od -An -tx1; printf '0123456789abcdef' | openssl enc -aes-128-cbc -nopad -K 00112233445566778899aabbccddeeff -iv 00 -a; echo hello | openssl enc -aes-128-cbc -K 00112233445566778899aabbccddeeff; echo $?
  LgQnBO8wnEnHZnU90YogfQ==
  hex string is too short, padding with zero bytes to length
  hex string is too short, padding with zero bytes to length
   2f 14 74 7a 86 17
  hex string is too short, padding with zero bytes to length
  rr3TmxRAidXjHKzTW3oROg==
  iv undefined
  1

$ echo hello > f; P=word; export P; printf 'word\n' > w; openssl enc -aes-256-cbc -salt -pbkdf2 -pass env:P -in f -out e; head -c 8 e; echo; openssl enc -d -aes-256-cbc -pbkdf2 -pass file:w -in e; openssl enc -d -aes-256-cbc -pbkdf2 -kfile w -in e -out g; cat g; echo word | openssl enc -d -aes-256-cbc -pbkdf2 -pass stdin -in e; { printf Salted__12345678; openssl enc -aes-256-cbc -pbkdf2 -k word -S 3132333435363738 -in f; } > s; openssl enc -d -aes-256-cbc -pbkdf2 -k word -in s; openssl enc -d -aes-256-cbc -pbkdf2 -k nope -in s 2> err; echo $?; head -n 1 err; openssl enc -d -aes-256-cbc -pbkdf2 -k x -in f; echo $?; openssl enc -aes-256-cbc -in nosuch -k x -pbkdf2 2>&1 | head -n 1; openssl enc -a -in f | openssl enc -d -a; openssl base64 -in f; openssl enc -aes-256-cbc -e -pbkdf2 -k x -a -in f | openssl aes-256-cbc -d -pbkdf2 -k x -a
  Salted__
  hello
  hello
  hello
  hello
  1
  bad decrypt
  error reading input file
  1
  Can't open "nosuch" for reading, No such file or directory
  hello
  aGVsbG8K
  hello

& for c in aes-256-cbc aes-192-ctr aes-128-ecb des3; do seq 1000 | openssl enc -$c -pbkdf2 -k x | real enc -d -$c -pbkdf2 -k x | cksum; seq 1000 | real enc -$c -k x -a 2> /dev/null | openssl enc -d -$c -k x -a 2> /dev/null | cksum; done
  1830648734 3893
  1830648734 3893
  1830648734 3893
  1830648734 3893
  1830648734 3893
  1830648734 3893
  1830648734 3893
  1830648734 3893

& openssl genrsa -out k 2048; stat -c %a k; real rsa -in k -check -noout; real rsa -in k -noout -modulus > a; openssl rsa -in k -noout -modulus | cmp - a; openssl rsa -in k -traditional -out t; head -n 1 t; real rsa -in t -noout -check; openssl rsa -in k -pubout -out p; real rsa -in k -pubout 2> /dev/null | cmp - p; real pkey -in k -noout -text > a; openssl pkey -in k -noout -text | cmp - a; openssl genrsa -aes256 -passout pass:word 1024 > e; head -n 1 e; real rsa -in e -passin pass:word -noout -check; openssl rsa -in e -passin pass:word -noout -check; openssl rsa -in e -passin pass:nope -noout 2> err; echo $?; head -n 1 err
  600
  RSA key ok
  writing RSA key
  -----BEGIN RSA PRIVATE KEY-----
  RSA key ok
  writing RSA key
  -----BEGIN ENCRYPTED PRIVATE KEY-----
  RSA key ok
  RSA key ok
  1
  Could not read private key from e

& real genrsa -out k 1024; openssl rsa -in k -noout -check; openssl pkey -in k -pubout | real pkey -pubin -noout -text | head -n 1; real rsa -in k -aes128 -passout pass:x -traditional -out t; openssl rsa -in t -passin pass:x -check -noout; real rsa -in k -aes256 -passout pass:x -out e; openssl pkey -in e -passin pass:x -noout -check; openssl rsa -in k -outform der -out d; real rsa -inform der -in d -noout -check; openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out g 2> err; real pkey -in g -noout -text | head -n 1; openssl rsa -in nosuch 2>&1 | head -n 1; echo x > n; openssl rsa -in n 2>&1 | head -n 1
  RSA key ok
  Public-Key: (1024 bit)
  writing RSA key
  RSA key ok
  writing RSA key
  Key is valid
  writing RSA key
  RSA key ok
  Private-Key: (1024 bit, 2 primes)
  Could not open file or uri for loading private key from nosuch
  Could not read private key from n

& real genrsa -out k 1024; echo data > f; for d in sha1 sha256 sha384 sha512; do openssl dgst -$d -sign k -out s f; real rsa -in k -pubout -out p 2> /dev/null; real dgst -$d -verify p -signature s f; real dgst -$d -sign k f | cmp - s; openssl dgst -$d -verify p -signature s f; echo x | openssl dgst -$d -verify p -signature s 2> /dev/null; echo $?; done
  Verified OK
  Verified OK
  Verification failure
  1
  Verified OK
  Verified OK
  Verification failure
  1
  Verified OK
  Verified OK
  Verification failure
  1
  Verified OK
  Verified OK
  Verification failure
  1

& real genrsa -out k 1024; openssl req -new -key k -subj '/C=DE/ST=A b/L=X/O=My Org, Inc/OU=u/CN=a.b/emailAddress=a@b.c' -out r -addext 'subjectAltName=DNS:a.b,DNS:*.a.b,IP:1.2.3.4,email:a@b'; real req -in r -noout -verify; real req -in r -noout -text > a; openssl req -in r -noout -text | cmp - a; openssl req -in r -noout -subject -verify; openssl req -in r -noout -subject -nameopt RFC2253; openssl req -in r -noout -subject -nameopt compat; openssl req -in r -noout -subject -nameopt multiline; openssl req -in r -noout -pubkey | cksum > b; real req -in r -noout -pubkey | cksum | cmp - b; openssl req -new -key k -subj /CN=x | real req -noout -text | grep -c none; openssl req -in r -noout -modulus | cksum > b; real req -in r -noout -modulus | cksum | cmp - b
  Certificate request self-signature verify OK
  Certificate request self-signature verify OK
  subject=C = DE, ST = A b, L = X, O = "My Org, Inc", OU = u, CN = a.b, emailAddress = a@b.c
  subject=emailAddress=a@b.c,CN=a.b,OU=u,O=My Org\, Inc,L=X,ST=A b,C=DE
  subject=/C=DE/ST=A b/L=X/O=My Org, Inc/OU=u/CN=a.b/emailAddress=a@b.c
  subject=
      countryName               = DE
      stateOrProvinceName       = A b
      localityName              = X
      organizationName          = My Org, Inc
      organizationalUnitName    = u
      commonName                = a.b
      emailAddress              = a@b.c
  1

& openssl req -x509 -newkey rsa:1024 -nodes -keyout k -out c -days 365 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2> /dev/null; head -n 1 k c; real verify -CAfile c c; real x509 -in c -noout -text > a; openssl x509 -in c -noout -text | cmp - a; for o in -subject -issuer -dates -startdate -enddate -serial -fingerprint '-sha256 -fingerprint' '-md5 -fingerprint' -pubkey -modulus '-ext subjectAltName,basicConstraints' '-checkend 100' '-checkend 99999999' '-text -certopt no_pubkey,no_sigdump' '-ext keyUsage'; do real x509 -in c -noout $o > a 2>&1; x=$?; openssl x509 -in c -noout $o > b 2>&1; [ $? = $x ] && cmp a b && echo "ok $o"; done; openssl x509 -in c -outform der -out d; real x509 -inform der -in d | cmp - c; openssl x509 -inform der -in d | cmp - c; openssl verify -CAfile c c; openssl x509 -in k -noout 2> err; echo $?; grep -v :error: err
  ==> k <==
  -----BEGIN PRIVATE KEY-----
  
  ==> c <==
  -----BEGIN CERTIFICATE-----
  c: OK
  ok -subject
  ok -issuer
  ok -dates
  ok -startdate
  ok -enddate
  ok -serial
  ok -fingerprint
  ok -sha256 -fingerprint
  ok -md5 -fingerprint
  ok -pubkey
  ok -modulus
  ok -ext subjectAltName,basicConstraints
  ok -checkend 100
  ok -checkend 99999999
  ok -text -certopt no_pubkey,no_sigdump
  ok -ext keyUsage
  c: OK
  1
  Could not read certificate from k
  Unable to load certificate

& openssl req -x509 -newkey rsa:1024 -nodes -keyout ca.key -out ca.pem -subj '/O=Our CA/CN=root' 2> /dev/null; openssl req -new -newkey rsa:1024 -nodes -keyout n.key -out n.csr -subj /CN=site 2> /dev/null; printf 'subjectAltName = DNS:site\nbasicConstraints=CA:FALSE\nkeyUsage = critical, digitalSignature, keyEncipherment\nextendedKeyUsage=serverAuth,clientAuth\n' > ext; openssl x509 -req -in n.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile ext -days 3 -out n.pem -sha512; real verify -CAfile ca.pem n.pem; openssl verify -CAfile ca.pem n.pem; openssl verify n.pem; echo $?; real x509 -in n.pem -noout -text > a; openssl x509 -in n.pem -noout -text | cmp - a; grep -A 20 extensions: a | sed -n '2,9p'; wc -c < ca.srl; openssl x509 -req -in n.csr -CA ca.pem -CAkey ca.key -CAserial ca.srl -out m.pem 2> /dev/null; real verify -CAfile ca.pem m.pem; real x509 -in m.pem -noout -text | grep -c Version:.1; real x509 -in m.pem -noout -serial | cut -d= -f2 | cmp - ca.srl; openssl x509 -req -in n.csr -signkey n.key -set_serial 5 -days 1 2> /dev/null | real x509 -noout -serial -subject -issuer; openssl x509 -req -in n.csr -signkey n.key -set_serial 0x8001 2> /dev/null | real x509 -noout -serial
  Certificate request self-signature ok
  subject=CN = site
  n.pem: OK
  n.pem: OK
  CN = site
  error 20 at 0 depth lookup: unable to get local issuer certificate
  error n.pem: verification failed
  2
              X509v3 Subject Alternative Name: 
                  DNS:site
              X509v3 Basic Constraints: 
                  CA:FALSE
              X509v3 Key Usage: critical
                  Digital Signature, Key Encipherment
              X509v3 Extended Key Usage: 
                  TLS Web Server Authentication, TLS Web Client Authentication
  41
  m.pem: OK
  1
  serial=05
  subject=CN = site
  issuer=CN = site
  serial=8001

& real req -x509 -newkey rsa:1024 -nodes -keyout ca.key -out ca.pem -subj '/CN=root' 2> /dev/null; real req -new -newkey rsa:1024 -nodes -keyout n.key -out n.csr -subj /CN=site -addext subjectAltName=DNS:s 2> /dev/null; openssl x509 -req -in n.csr -CA ca.pem -CAkey ca.key -CAcreateserial -copy_extensions copy -out n.pem; real verify -CAfile ca.pem n.pem; openssl x509 -in n.pem -noout -ext subjectAltName; real x509 -req -in n.csr -CA ca.pem -CAkey ca.key -set_serial 7 -out m.pem 2> /dev/null; openssl verify -CAfile ca.pem m.pem n.pem; openssl x509 -in m.pem -noout -serial -issuer -subject; openssl verify -CAfile m.pem n.pem 2>&1 | head -n 2
  Certificate request self-signature ok
  subject=CN = site
  n.pem: OK
  X509v3 Subject Alternative Name: 
      DNS:s
  m.pem: OK
  n.pem: OK
  serial=07
  issuer=CN = root
  subject=CN = site
  CN = site
  error 20 at 0 depth lookup: unable to get local issuer certificate

$ openssl req -new -key nosuch -subj /CN=x 2>&1 | head -n 1; openssl x509 -in nosuch -noout 2>&1 | head -n 1; openssl genrsa x 2>&1 | head -n 2
  Could not open file or uri for loading private key from nosuch
  Could not open file or uri for loading certificate from nosuch
  genrsa: Can't parse "x" as a number
