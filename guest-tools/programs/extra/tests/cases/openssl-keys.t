# OpenSSL 3.0 of Debian 12: keys on elliptic curves and of Ed25519.
% exec 2>&1
% real() { PATH=/usr/bin:/bin openssl "$@"; }
% same() { openssl "$@" > ours 2>&1; set -- $? "$@"; o=$1; shift; real "$@" > theirs 2>&1; [ $o = $? ] && cmp ours theirs && echo "same: $*"; }

& openssl ecparam -list_curves > l; real ecparam -list_curves > a; grep -vxFf a l; grep -c -e prime256v1 -e secp[35] -e secp256k1 l; for c in prime256v1 P-256 secp384r1 P-384 secp521r1 secp256k1; do openssl ecparam -name $c -genkey -noout -out k; stat -c %a k; head -n 1 k; real ec -in k -noout -check; real ec -in k -pubout -out p 2> /dev/null; same ec -in k; same ec -in k -text -noout; same ec -in k -pubout; same ec -in k -outform der; same ec -in k -param_out; same pkey -in k; same pkey -in k -text; same pkey -in k -pubout -text; same pkey -in k -outform der; same pkey -in k -traditional; same pkey -pubin -in p -text -noout; same pkey -in k -noout -check; same ec -pubin -in p -text; openssl pkey -in k -pubout | cmp - p; done
  4
  600
  -----BEGIN EC PRIVATE KEY-----
  read EC key
  EC Key valid.
  same: ec -in k
  same: ec -in k -text -noout
  same: ec -in k -pubout
  same: ec -in k -outform der
  same: ec -in k -param_out
  same: pkey -in k
  same: pkey -in k -text
  same: pkey -in k -pubout -text
  same: pkey -in k -outform der
  same: pkey -in k -traditional
  same: pkey -pubin -in p -text -noout
  same: pkey -in k -noout -check
  same: ec -pubin -in p -text
  600
  -----BEGIN EC PRIVATE KEY-----
  read EC key
  EC Key valid.
  same: ec -in k
  same: ec -in k -text -noout
  same: ec -in k -pubout
  same: ec -in k -outform der
  same: ec -in k -param_out
  same: pkey -in k
  same: pkey -in k -text
  same: pkey -in k -pubout -text
  same: pkey -in k -outform der
  same: pkey -in k -traditional
  same: pkey -pubin -in p -text -noout
  same: pkey -in k -noout -check
  same: ec -pubin -in p -text
  600
  -----BEGIN EC PRIVATE KEY-----
  read EC key
  EC Key valid.
  same: ec -in k
  same: ec -in k -text -noout
  same: ec -in k -pubout
  same: ec -in k -outform der
  same: ec -in k -param_out
  same: pkey -in k
  same: pkey -in k -text
  same: pkey -in k -pubout -text
  same: pkey -in k -outform der
  same: pkey -in k -traditional
  same: pkey -pubin -in p -text -noout
  same: pkey -in k -noout -check
  same: ec -pubin -in p -text
  600
  -----BEGIN EC PRIVATE KEY-----
  read EC key
  EC Key valid.
  same: ec -in k
  same: ec -in k -text -noout
  same: ec -in k -pubout
  same: ec -in k -outform der
  same: ec -in k -param_out
  same: pkey -in k
  same: pkey -in k -text
  same: pkey -in k -pubout -text
  same: pkey -in k -outform der
  same: pkey -in k -traditional
  same: pkey -pubin -in p -text -noout
  same: pkey -in k -noout -check
  same: ec -pubin -in p -text
  600
  -----BEGIN EC PRIVATE KEY-----
  read EC key
  EC Key valid.
  same: ec -in k
  same: ec -in k -text -noout
  same: ec -in k -pubout
  same: ec -in k -outform der
  same: ec -in k -param_out
  same: pkey -in k
  same: pkey -in k -text
  same: pkey -in k -pubout -text
  same: pkey -in k -outform der
  same: pkey -in k -traditional
  same: pkey -pubin -in p -text -noout
  same: pkey -in k -noout -check
  same: ec -pubin -in p -text
  600
  -----BEGIN EC PRIVATE KEY-----
  read EC key
  EC Key valid.
  same: ec -in k
  same: ec -in k -text -noout
  same: ec -in k -pubout
  same: ec -in k -outform der
  same: ec -in k -param_out
  same: pkey -in k
  same: pkey -in k -text
  same: pkey -in k -pubout -text
  same: pkey -in k -outform der
  same: pkey -in k -traditional
  same: pkey -pubin -in p -text -noout
  same: pkey -in k -noout -check
  same: ec -pubin -in p -text

& for c in prime256v1 secp384r1 P-521 secp256k1; do real ecparam -name $c -genkey -out k 2> /dev/null; real pkey -in k -out 8; real pkey -in k -pubout -out p; for d in sha1 sha224 sha256 sha384 sha512; do echo data > f; openssl dgst -$d -sign k -out s f; real dgst -$d -verify p -signature s f; real dgst -$d -sign k -out s f; openssl dgst -$d -verify p -signature s f; openssl dgst -$d -verify p -signature s k > o; echo $?; cat o; done; same pkey -in 8; same ec -in 8; same pkey -in 8 -pubout -outform der; real pkey -in k -outform der -out d; same pkey -inform der -in d; real ec -in k -pubout -conv_form compressed -out q 2> /dev/null; same pkey -pubin -in q -pubcheck -noout; openssl dgst -sha512 -verify q -signature s f; done
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  same: pkey -in 8
  same: ec -in 8
  same: pkey -in 8 -pubout -outform der
  same: pkey -inform der -in d
  same: pkey -pubin -in q -pubcheck -noout
  Verified OK
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  same: pkey -in 8
  same: ec -in 8
  same: pkey -in 8 -pubout -outform der
  same: pkey -inform der -in d
  same: pkey -pubin -in q -pubcheck -noout
  Verified OK
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  same: pkey -in 8
  same: ec -in 8
  same: pkey -in 8 -pubout -outform der
  same: pkey -inform der -in d
  same: pkey -pubin -in q -pubcheck -noout
  Verified OK
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  Verified OK
  Verified OK
  1
  Verification failure
  same: pkey -in 8
  same: ec -in 8
  same: pkey -in 8 -pubout -outform der
  same: pkey -inform der -in d
  same: pkey -pubin -in q -pubcheck -noout
  Verified OK

& for i in 1 2 3 4 5 6; do openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-521 -out k; real pkey -in k -noout -check; openssl pkey -in k -noout -text > a; real pkey -in k -noout -text | cmp - a; done; openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -pkeyopt ec_param_enc:named_curve -text | real pkey -noout -text | head -n 1; openssl genpkey -algorithm ec -pkeyopt group:P-384 -outform der | real ec -inform der -noout -text 2> /dev/null | tail -n 2; openssl ecparam -name P-256 -out pp; same ecparam -in pp; same ecparam -in pp -text -noout; same ecparam -in pp -check -noout; same ecparam -name secp256r1; same ecparam -name secp384r1 -outform der; same genpkey -genparam -algorithm EC -pkeyopt ec_paramgen_curve:P-256; openssl genpkey -paramfile pp | real pkey -noout -check; openssl ecparam -in pp -genkey | real ec -noout -check; openssl ecparam -name P-256 -genkey | head -n 4 | grep -e -----
  Key is valid
  Key is valid
  Key is valid
  Key is valid
  Key is valid
  Key is valid
  Private-Key: (256 bit)
  ASN1 OID: secp384r1
  NIST CURVE: P-384
  same: ecparam -in pp
  same: ecparam -in pp -text -noout
  same: ecparam -in pp -check -noout
  same: ecparam -name secp256r1
  same: ecparam -name secp384r1 -outform der
  same: genpkey -genparam -algorithm EC -pkeyopt ec_paramgen_curve:P-256
  Key is valid
  read EC key
  EC Key valid.
  -----BEGIN EC PARAMETERS-----
  -----END EC PARAMETERS-----
  -----BEGIN EC PRIVATE KEY-----

& openssl genpkey -algorithm ED25519 -out e; stat -c %a e; real pkey -in e -noout -check; for o in '' -text '-noout -text' -pubout '-pubout -text' '-pubout -outform der' '-outform der' -text_pub '-check -noout'; do same pkey -in e $o; done; real genpkey -algorithm ed25519 -out r; same pkey -in r; same pkey -in r -text; real pkey -in r -pubout -out p; same pkey -pubin -in p -text; openssl pkey -in e -pubout -out q; echo data > f; openssl pkeyutl -sign -inkey e -rawin -in f -out s; real pkeyutl -sign -inkey e -rawin -in f | cmp - s; wc -c < s; real pkeyutl -verify -pubin -inkey q -rawin -in f -sigfile s; openssl pkeyutl -verify -pubin -inkey q -rawin -in f -sigfile s; openssl pkeyutl -verify -inkey e -rawin -in f -sigfile s; same pkeyutl -verify -pubin -inkey p -rawin -in f -sigfile s; openssl genpkey -algorithm ED25519 -text | real pkey -noout -text | sed -n '1p;2p'
  600
  Key is valid
  same: pkey -in e
  same: pkey -in e -text
  same: pkey -in e -noout -text
  same: pkey -in e -pubout
  same: pkey -in e -pubout -text
  same: pkey -in e -pubout -outform der
  same: pkey -in e -outform der
  same: pkey -in e -text_pub
  same: pkey -in e -check -noout
  same: pkey -in r
  same: pkey -in r -text
  same: pkey -pubin -in p -text
  64
  Signature Verified Successfully
  Signature Verified Successfully
  Signature Verified Successfully
  same: pkeyutl -verify -pubin -inkey p -rawin -in f -sigfile s
  ED25519 Private-Key:
  priv:

& openssl ecparam -name P-256 -genkey -noout -out k; real genpkey -algorithm ED25519 -out e; for k in k e; do openssl pkey -in $k -aes256 -passout pass:x -out l; head -n 1 l; real pkey -in l -passin pass:x | cmp - <(real pkey -in $k); openssl pkey -in l -passin pass:x | cmp - <(real pkey -in $k); real pkey -in $k -aes128 -passout pass:y -out l; openssl pkey -in l -passin pass:y | cmp - <(real pkey -in $k); openssl pkey -in l -passin pass:n > o 2>&1; echo $?; head -n 1 o; done; for c in aes128 aes256 des3; do openssl ec -in k -$c -passout pass:x -out l; sed -n '1,2p;4p' l; sed -n 3p l | cut -d, -f1; real ec -in l -passin pass:x -noout -check; real ec -in k -$c -passout pass:x -out l; openssl ec -in l -passin pass:x 2> o | cmp - k; cat o; done; openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -pass pass:w | real pkey -passin pass:w -noout -check; openssl genpkey -algorithm ED25519 -aes-128-cbc -pass pass:w | real pkey -passin pass:w -noout -check
  -----BEGIN ENCRYPTED PRIVATE KEY-----
  1
  Could not read key from l
  -----BEGIN ENCRYPTED PRIVATE KEY-----
  1
  Could not read key from l
  read EC key
  writing EC key
  -----BEGIN EC PRIVATE KEY-----
  Proc-Type: 4,ENCRYPTED
  
  DEK-Info: AES-128-CBC
  read EC key
  EC Key valid.
  read EC key
  writing EC key
  read EC key
  writing EC key
  read EC key
  writing EC key
  -----BEGIN EC PRIVATE KEY-----
  Proc-Type: 4,ENCRYPTED
  
  DEK-Info: AES-256-CBC
  read EC key
  EC Key valid.
  read EC key
  writing EC key
  read EC key
  writing EC key
  read EC key
  writing EC key
  -----BEGIN EC PRIVATE KEY-----
  Proc-Type: 4,ENCRYPTED
  
  DEK-Info: DES-EDE3-CBC
  read EC key
  EC Key valid.
  read EC key
  writing EC key
  read EC key
  writing EC key
  Key is valid
  Key is valid

& openssl ecparam -name P-256 -genkey -noout -out k; openssl pkey -in k -pubout -out p; echo data > f; openssl dgst -sha256 -binary f > h; openssl pkeyutl -sign -inkey k -in h -out s; real dgst -sha256 -verify p -signature s f; same pkeyutl -verify -inkey k -in h -sigfile s; openssl pkeyutl -sign -inkey k -rawin -in f -digest sha384 -out s; real dgst -sha384 -verify p -signature s f; same pkeyutl -verify -pubin -inkey p -rawin -digest sha384 -in f -sigfile s; same pkeyutl -verify -pubin -inkey p -rawin -in f -sigfile s; openssl pkeyutl -sign -inkey k -in k -out s 2>&1 | head -n 1; real genrsa -out r 1024; real rsa -in r -pubout -out q 2> /dev/null; openssl pkeyutl -sign -inkey r -rawin -in f -digest sha256 -out s; real dgst -sha256 -verify q -signature s f; openssl pkeyutl -sign -inkey r -in h -pkeyopt digest:sha256 | cmp - s; same pkeyutl -verify -pubin -inkey q -in h -sigfile s -pkeyopt digest:sha256; same pkeyutl -sign -in h; same pkeyutl -verify -inkey k -in h
  Verified OK
  same: pkeyutl -verify -inkey k -in h -sigfile s
  Verified OK
  same: pkeyutl -verify -pubin -inkey p -rawin -digest sha384 -in f -sigfile s
  same: pkeyutl -verify -pubin -inkey p -rawin -in f -sigfile s
  Error: The input data looks too long to be a hash
  Verified OK
  same: pkeyutl -verify -pubin -inkey q -in h -sigfile s -pkeyopt digest:sha256
  same: pkeyutl -sign -in h
  same: pkeyutl -verify -inkey k -in h

& for k in ec:pp ed25519 'ec -pkeyopt ec_paramgen_curve:P-384'; do openssl ecparam -name secp521r1 -out pp; openssl req -x509 -newkey $k -nodes -keyout k -out c -days 30 -subj /CN=localhost -addext subjectAltName=DNS:localhost > o; cat o; head -n 1 k c | grep -e ---; real verify -CAfile c c; same verify -CAfile c c; for o in -text -pubkey -fingerprint -modulus '-subject -issuer -serial'; do same x509 -in c -noout $o; done; openssl req -new -key k -subj /CN=x -addext subjectAltName=DNS:x -out r; same req -in r -noout -verify; for o in -text -pubkey -modulus -subject; do same req -in r -noout $o; done; real req -x509 -key k -subj /CN=y -out c -sha384 2> /dev/null; same x509 -in c -noout -text; same verify -CAfile c c; real req -new -key k -subj /CN=x -out r; same req -in r -noout -verify -text; done
  -----
  -----BEGIN PRIVATE KEY-----
  -----BEGIN CERTIFICATE-----
  c: OK
  same: verify -CAfile c c
  same: x509 -in c -noout -text
  same: x509 -in c -noout -pubkey
  same: x509 -in c -noout -fingerprint
  same: x509 -in c -noout -modulus
  same: x509 -in c -noout -subject -issuer -serial
  same: req -in r -noout -verify
  same: req -in r -noout -text
  same: req -in r -noout -pubkey
  same: req -in r -noout -modulus
  same: req -in r -noout -subject
  same: x509 -in c -noout -text
  same: verify -CAfile c c
  same: req -in r -noout -verify -text
  -----
  -----BEGIN PRIVATE KEY-----
  -----BEGIN CERTIFICATE-----
  c: OK
  same: verify -CAfile c c
  same: x509 -in c -noout -text
  same: x509 -in c -noout -pubkey
  same: x509 -in c -noout -fingerprint
  same: x509 -in c -noout -modulus
  same: x509 -in c -noout -subject -issuer -serial
  same: req -in r -noout -verify
  same: req -in r -noout -text
  same: req -in r -noout -pubkey
  same: req -in r -noout -modulus
  same: req -in r -noout -subject
  same: x509 -in c -noout -text
  same: verify -CAfile c c
  same: req -in r -noout -verify -text
  -----
  -----BEGIN PRIVATE KEY-----
  -----BEGIN CERTIFICATE-----
  c: OK
  same: verify -CAfile c c
  same: x509 -in c -noout -text
  same: x509 -in c -noout -pubkey
  same: x509 -in c -noout -fingerprint
  same: x509 -in c -noout -modulus
  same: x509 -in c -noout -subject -issuer -serial
  same: req -in r -noout -verify
  same: req -in r -noout -text
  same: req -in r -noout -pubkey
  same: req -in r -noout -modulus
  same: req -in r -noout -subject
  same: x509 -in c -noout -text
  same: verify -CAfile c c
  same: req -in r -noout -verify -text

& openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -subj '/O=Our CA/CN=root' > o; openssl req -new -newkey ed25519 -nodes -keyout n.key -out n.csr -subj /CN=site > o; printf 'subjectAltName = DNS:site\nbasicConstraints=CA:FALSE\n' > ext; openssl x509 -req -in n.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile ext -days 3 -out n.pem -sha384; real verify -CAfile ca.pem n.pem; same verify -CAfile ca.pem n.pem; same x509 -in n.pem -noout -text; real x509 -in n.pem -noout -text | grep -E 'Signature Algorithm|Public Key Alg'; real req -x509 -newkey ed25519 -nodes -keyout ed.key -out ed.pem -subj /CN=ed > o; real req -new -newkey ec -pkeyopt ec_paramgen_curve:secp384r1 -nodes -keyout m.key -out m.csr -subj /CN=m > o; openssl x509 -req -in m.csr -CA ed.pem -CAkey ed.key -set_serial 7 -out m.pem; real verify -CAfile ed.pem m.pem; same verify -CAfile ed.pem m.pem; same x509 -in m.pem -noout -text; real x509 -req -in n.csr -CA ed.pem -CAkey ed.key -set_serial 8 -out o.pem > o; same verify -CAfile ed.pem o.pem m.pem; openssl verify -CAfile ca.pem m.pem 2>&1 | head -n 2; openssl x509 -req -in m.csr -signkey m.key -set_serial 5 | real x509 -noout -issuer -serial
  -----
  -----
  Certificate request self-signature ok
  subject=CN = site
  n.pem: OK
  same: verify -CAfile ca.pem n.pem
  same: x509 -in n.pem -noout -text
          Signature Algorithm: ecdsa-with-SHA384
              Public Key Algorithm: ED25519
      Signature Algorithm: ecdsa-with-SHA384
  -----
  -----
  Certificate request self-signature ok
  subject=CN = m
  m.pem: OK
  same: verify -CAfile ed.pem m.pem
  same: x509 -in m.pem -noout -text
  Certificate request self-signature ok
  subject=CN = site
  same: verify -CAfile ed.pem o.pem m.pem
  CN = m
  error 20 at 0 depth lookup: unable to get local issuer certificate
  Certificate request self-signature ok
  subject=CN = m
  issuer=CN = m
  serial=05

$ openssl ecparam -name P-256 -genkey -noout -out k; openssl pkey -in k -pubout -out p; echo data > f; openssl dgst -sha256 -sign k -out s f; openssl dgst -sha256 -verify p -signature s f; openssl genpkey -algorithm ED25519 -out e; openssl pkeyutl -sign -inkey e -rawin -in f -out s; openssl pkeyutl -verify -inkey e -rawin -in f -sigfile s; openssl req -x509 -key k -subj /CN=x -out c; openssl verify -CAfile c c; openssl rsa -in k; openssl ec -in nosuch 2>&1 | head -n 2; openssl pkey -in f 2>&1 | head -n 1; openssl pkey -in nosuch 2>&1 | head -n 1; openssl pkey -pubin -in f 2>&1 | head -n 1; openssl ec -in k -pubout | cmp - p
  Verified OK
  Signature Verified Successfully
  c: OK
  Not an RSA key
  read EC key
  Could not open file or uri for loading private key from nosuch
  Could not read key from f
  Could not open file or uri for loading key from nosuch
  Could not read key of Public Key from f
  read EC key
  writing EC key
