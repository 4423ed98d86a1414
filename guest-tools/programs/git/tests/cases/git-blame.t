% export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
% export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=:
% exec 2>&1
% git config --global init.defaultBranch main
% git init -q
% commit() { n=$((n + 10)); export GIT_COMMITTER_DATE="$((1700000000 + n)) +0000" GIT_AUTHOR_DATE="$((1700000000 + n)) +0100"; git commit -qam "$1"; }
% seq 10 > f; git add f; commit base; sed -i '3s/$/ three/; 8d' f; echo eleven >> f; GIT_AUTHOR_NAME='Bertha B' GIT_AUTHOR_EMAIL=b@x commit change

$ git blame f; git blame -s f; git blame -l f; git blame -e f; git blame -t f; git blame -f f; git blame -n f; git blame -b f; git blame --root f; git blame -c f; git annotate f; git annotate -e f; git blame --abbrev=10 f; git blame --abbrev=4 -s f; git blame -sfn f; git blame --date=short f; git blame --date=raw f; git blame --date=rfc f; git blame --date=default f; git blame --date=unix -s f
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  1) 1
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  2) 2
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  4) 4
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  5) 5
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  8) 9
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  ^b8b3649  1) 1
  ^b8b3649  2) 2
  81ecc2b4  3) 3 three
  ^b8b3649  4) 4
  ^b8b3649  5) 5
  ^b8b3649  6) 6
  ^b8b3649  7) 7
  ^b8b3649  8) 9
  ^b8b3649  9) 10
  81ecc2b4 10) eleven
  ^b8b364930d8f6f0646043e2f05c701297ef3c61 (Ann      2023-11-14 23:13:30 +0100  1) 1
  ^b8b364930d8f6f0646043e2f05c701297ef3c61 (Ann      2023-11-14 23:13:30 +0100  2) 2
  81ecc2b4df9cfe9e39dc6a6ae249f0fd54072095 (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b364930d8f6f0646043e2f05c701297ef3c61 (Ann      2023-11-14 23:13:30 +0100  4) 4
  ^b8b364930d8f6f0646043e2f05c701297ef3c61 (Ann      2023-11-14 23:13:30 +0100  5) 5
  ^b8b364930d8f6f0646043e2f05c701297ef3c61 (Ann      2023-11-14 23:13:30 +0100  6) 6
  ^b8b364930d8f6f0646043e2f05c701297ef3c61 (Ann      2023-11-14 23:13:30 +0100  7) 7
  ^b8b364930d8f6f0646043e2f05c701297ef3c61 (Ann      2023-11-14 23:13:30 +0100  8) 9
  ^b8b364930d8f6f0646043e2f05c701297ef3c61 (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4df9cfe9e39dc6a6ae249f0fd54072095 (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  ^b8b3649 (<ann@x.org> 2023-11-14 23:13:30 +0100  1) 1
  ^b8b3649 (<ann@x.org> 2023-11-14 23:13:30 +0100  2) 2
  81ecc2b4 (<b@x>       2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b3649 (<ann@x.org> 2023-11-14 23:13:30 +0100  4) 4
  ^b8b3649 (<ann@x.org> 2023-11-14 23:13:30 +0100  5) 5
  ^b8b3649 (<ann@x.org> 2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 (<ann@x.org> 2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 (<ann@x.org> 2023-11-14 23:13:30 +0100  8) 9
  ^b8b3649 (<ann@x.org> 2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 (<b@x>       2023-11-14 23:13:40 +0100 10) eleven
  ^b8b3649 (Ann      1700000010 +0100  1) 1
  ^b8b3649 (Ann      1700000010 +0100  2) 2
  81ecc2b4 (Bertha B 1700000020 +0100  3) 3 three
  ^b8b3649 (Ann      1700000010 +0100  4) 4
  ^b8b3649 (Ann      1700000010 +0100  5) 5
  ^b8b3649 (Ann      1700000010 +0100  6) 6
  ^b8b3649 (Ann      1700000010 +0100  7) 7
  ^b8b3649 (Ann      1700000010 +0100  8) 9
  ^b8b3649 (Ann      1700000010 +0100  9) 10
  81ecc2b4 (Bertha B 1700000020 +0100 10) eleven
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  1) 1
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  2) 2
  81ecc2b4 f (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  4) 4
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  5) 5
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  8) 9
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 f (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  ^b8b3649  1 (Ann      2023-11-14 23:13:30 +0100  1) 1
  ^b8b3649  2 (Ann      2023-11-14 23:13:30 +0100  2) 2
  81ecc2b4  3 (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b3649  4 (Ann      2023-11-14 23:13:30 +0100  4) 4
  ^b8b3649  5 (Ann      2023-11-14 23:13:30 +0100  5) 5
  ^b8b3649  6 (Ann      2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649  7 (Ann      2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649  9 (Ann      2023-11-14 23:13:30 +0100  8) 9
  ^b8b3649 10 (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 10 (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
           (Ann      2023-11-14 23:13:30 +0100  1) 1
           (Ann      2023-11-14 23:13:30 +0100  2) 2
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
           (Ann      2023-11-14 23:13:30 +0100  4) 4
           (Ann      2023-11-14 23:13:30 +0100  5) 5
           (Ann      2023-11-14 23:13:30 +0100  6) 6
           (Ann      2023-11-14 23:13:30 +0100  7) 7
           (Ann      2023-11-14 23:13:30 +0100  8) 9
           (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  b8b36493 (Ann      2023-11-14 23:13:30 +0100  1) 1
  b8b36493 (Ann      2023-11-14 23:13:30 +0100  2) 2
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  b8b36493 (Ann      2023-11-14 23:13:30 +0100  4) 4
  b8b36493 (Ann      2023-11-14 23:13:30 +0100  5) 5
  b8b36493 (Ann      2023-11-14 23:13:30 +0100  6) 6
  b8b36493 (Ann      2023-11-14 23:13:30 +0100  7) 7
  b8b36493 (Ann      2023-11-14 23:13:30 +0100  8) 9
  b8b36493 (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	1)1
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	2)2
  81ecc2b4	(  Bertha B	2023-11-14 23:13:40 +0100	3)3 three
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	4)4
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	5)5
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	6)6
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	7)7
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	8)9
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	9)10
  81ecc2b4	(  Bertha B	2023-11-14 23:13:40 +0100	10)eleven
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	1)1
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	2)2
  81ecc2b4	(  Bertha B	2023-11-14 23:13:40 +0100	3)3 three
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	4)4
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	5)5
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	6)6
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	7)7
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	8)9
  b8b36493	(       Ann	2023-11-14 23:13:30 +0100	9)10
  81ecc2b4	(  Bertha B	2023-11-14 23:13:40 +0100	10)eleven
  b8b36493	(<ann@x.org>	2023-11-14 23:13:30 +0100	1)1
  b8b36493	(<ann@x.org>	2023-11-14 23:13:30 +0100	2)2
  81ecc2b4	(     <b@x>	2023-11-14 23:13:40 +0100	3)3 three
  b8b36493	(<ann@x.org>	2023-11-14 23:13:30 +0100	4)4
  b8b36493	(<ann@x.org>	2023-11-14 23:13:30 +0100	5)5
  b8b36493	(<ann@x.org>	2023-11-14 23:13:30 +0100	6)6
  b8b36493	(<ann@x.org>	2023-11-14 23:13:30 +0100	7)7
  b8b36493	(<ann@x.org>	2023-11-14 23:13:30 +0100	8)9
  b8b36493	(<ann@x.org>	2023-11-14 23:13:30 +0100	9)10
  81ecc2b4	(     <b@x>	2023-11-14 23:13:40 +0100	10)eleven
  ^b8b364930d (Ann      2023-11-14 23:13:30 +0100  1) 1
  ^b8b364930d (Ann      2023-11-14 23:13:30 +0100  2) 2
  81ecc2b4df9 (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b364930d (Ann      2023-11-14 23:13:30 +0100  4) 4
  ^b8b364930d (Ann      2023-11-14 23:13:30 +0100  5) 5
  ^b8b364930d (Ann      2023-11-14 23:13:30 +0100  6) 6
  ^b8b364930d (Ann      2023-11-14 23:13:30 +0100  7) 7
  ^b8b364930d (Ann      2023-11-14 23:13:30 +0100  8) 9
  ^b8b364930d (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4df9 (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  ^b8b3  1) 1
  ^b8b3  2) 2
  81ecc  3) 3 three
  ^b8b3  4) 4
  ^b8b3  5) 5
  ^b8b3  6) 6
  ^b8b3  7) 7
  ^b8b3  8) 9
  ^b8b3  9) 10
  81ecc 10) eleven
  ^b8b3649 f  1  1) 1
  ^b8b3649 f  2  2) 2
  81ecc2b4 f  3  3) 3 three
  ^b8b3649 f  4  4) 4
  ^b8b3649 f  5  5) 5
  ^b8b3649 f  6  6) 6
  ^b8b3649 f  7  7) 7
  ^b8b3649 f  9  8) 9
  ^b8b3649 f 10  9) 10
  81ecc2b4 f 10 10) eleven
  ^b8b3649 (Ann      2023-11-14  1) 1
  ^b8b3649 (Ann      2023-11-14  2) 2
  81ecc2b4 (Bertha B 2023-11-14  3) 3 three
  ^b8b3649 (Ann      2023-11-14  4) 4
  ^b8b3649 (Ann      2023-11-14  5) 5
  ^b8b3649 (Ann      2023-11-14  6) 6
  ^b8b3649 (Ann      2023-11-14  7) 7
  ^b8b3649 (Ann      2023-11-14  8) 9
  ^b8b3649 (Ann      2023-11-14  9) 10
  81ecc2b4 (Bertha B 2023-11-14 10) eleven
  ^b8b3649 (Ann      1700000010 +0100  1) 1
  ^b8b3649 (Ann      1700000010 +0100  2) 2
  81ecc2b4 (Bertha B 1700000020 +0100  3) 3 three
  ^b8b3649 (Ann      1700000010 +0100  4) 4
  ^b8b3649 (Ann      1700000010 +0100  5) 5
  ^b8b3649 (Ann      1700000010 +0100  6) 6
  ^b8b3649 (Ann      1700000010 +0100  7) 7
  ^b8b3649 (Ann      1700000010 +0100  8) 9
  ^b8b3649 (Ann      1700000010 +0100  9) 10
  81ecc2b4 (Bertha B 1700000020 +0100 10) eleven
  ^b8b3649 (Ann      Tue, 14 Nov 2023 23:13:30 +0100  1) 1
  ^b8b3649 (Ann      Tue, 14 Nov 2023 23:13:30 +0100  2) 2
  81ecc2b4 (Bertha B Tue, 14 Nov 2023 23:13:40 +0100  3) 3 three
  ^b8b3649 (Ann      Tue, 14 Nov 2023 23:13:30 +0100  4) 4
  ^b8b3649 (Ann      Tue, 14 Nov 2023 23:13:30 +0100  5) 5
  ^b8b3649 (Ann      Tue, 14 Nov 2023 23:13:30 +0100  6) 6
  ^b8b3649 (Ann      Tue, 14 Nov 2023 23:13:30 +0100  7) 7
  ^b8b3649 (Ann      Tue, 14 Nov 2023 23:13:30 +0100  8) 9
  ^b8b3649 (Ann      Tue, 14 Nov 2023 23:13:30 +0100  9) 10
  81ecc2b4 (Bertha B Tue, 14 Nov 2023 23:13:40 +0100 10) eleven
  ^b8b3649 (Ann      Tue Nov 14 23:13:30 2023 +0100  1) 1
  ^b8b3649 (Ann      Tue Nov 14 23:13:30 2023 +0100  2) 2
  81ecc2b4 (Bertha B Tue Nov 14 23:13:40 2023 +0100  3) 3 three
  ^b8b3649 (Ann      Tue Nov 14 23:13:30 2023 +0100  4) 4
  ^b8b3649 (Ann      Tue Nov 14 23:13:30 2023 +0100  5) 5
  ^b8b3649 (Ann      Tue Nov 14 23:13:30 2023 +0100  6) 6
  ^b8b3649 (Ann      Tue Nov 14 23:13:30 2023 +0100  7) 7
  ^b8b3649 (Ann      Tue Nov 14 23:13:30 2023 +0100  8) 9
  ^b8b3649 (Ann      Tue Nov 14 23:13:30 2023 +0100  9) 10
  81ecc2b4 (Bertha B Tue Nov 14 23:13:40 2023 +0100 10) eleven
  ^b8b3649  1) 1
  ^b8b3649  2) 2
  81ecc2b4  3) 3 three
  ^b8b3649  4) 4
  ^b8b3649  5) 5
  ^b8b3649  6) 6
  ^b8b3649  7) 7
  ^b8b3649  8) 9
  ^b8b3649  9) 10
  81ecc2b4 10) eleven

$ git blame -L 2,4 f; git blame -L 3 f; git blame -L ,2 f; git blame -L 9,+2 f; git blame -L 4,-2 f; git blame -L 4,2 f; git blame -L /three/,+2 f; git blame -L '/^5/,/7/' f; git blame -L 1,2 -L 5,6 f; git blame -L 1,3 -L 2,4 f; git blame -L 9,100 f; git blame -L 40 f; echo $?; git blame -n -L 8,9 f
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100 2) 2
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 3) 3 three
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100 4) 4
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  4) 4
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  5) 5
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  8) 9
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100 1) 1
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100 2) 2
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 3) 3 three
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100 4) 4
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100 2) 2
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 3) 3 three
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100 4) 4
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 3) 3 three
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100 4) 4
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100 5) 5
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100 6) 6
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100 7) 7
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100 1) 1
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100 2) 2
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100 5) 5
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100 6) 6
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100 1) 1
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100 2) 2
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 3) 3 three
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100 4) 4
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  fatal: file f has only 10 lines
  128
  ^b8b3649  9 (Ann 2023-11-14 23:13:30 +0100 8) 9
  ^b8b3649 10 (Ann 2023-11-14 23:13:30 +0100 9) 10

$ git blame --porcelain f; git blame --line-porcelain -L 2,4 f; git blame -p -L 3,3 f; git blame -p HEAD~1 -- f
  b8b364930d8f6f0646043e2f05c701297ef3c612 1 1 2
  author Ann
  author-mail <ann@x.org>
  author-time 1700000010
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000010
  committer-tz +0000
  summary base
  boundary
  filename f
  	1
  b8b364930d8f6f0646043e2f05c701297ef3c612 2 2
  	2
  81ecc2b4df9cfe9e39dc6a6ae249f0fd54072095 3 3 1
  author Bertha B
  author-mail <b@x>
  author-time 1700000020
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000020
  committer-tz +0000
  summary change
  previous b8b364930d8f6f0646043e2f05c701297ef3c612 f
  filename f
  	3 three
  b8b364930d8f6f0646043e2f05c701297ef3c612 4 4 4
  	4
  b8b364930d8f6f0646043e2f05c701297ef3c612 5 5
  	5
  b8b364930d8f6f0646043e2f05c701297ef3c612 6 6
  	6
  b8b364930d8f6f0646043e2f05c701297ef3c612 7 7
  	7
  b8b364930d8f6f0646043e2f05c701297ef3c612 9 8 2
  	9
  b8b364930d8f6f0646043e2f05c701297ef3c612 10 9
  	10
  81ecc2b4df9cfe9e39dc6a6ae249f0fd54072095 10 10 1
  	eleven
  b8b364930d8f6f0646043e2f05c701297ef3c612 2 2 1
  author Ann
  author-mail <ann@x.org>
  author-time 1700000010
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000010
  committer-tz +0000
  summary base
  boundary
  filename f
  	2
  81ecc2b4df9cfe9e39dc6a6ae249f0fd54072095 3 3 1
  author Bertha B
  author-mail <b@x>
  author-time 1700000020
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000020
  committer-tz +0000
  summary change
  previous b8b364930d8f6f0646043e2f05c701297ef3c612 f
  filename f
  	3 three
  b8b364930d8f6f0646043e2f05c701297ef3c612 4 4 1
  author Ann
  author-mail <ann@x.org>
  author-time 1700000010
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000010
  committer-tz +0000
  summary base
  boundary
  filename f
  	4
  81ecc2b4df9cfe9e39dc6a6ae249f0fd54072095 3 3 1
  author Bertha B
  author-mail <b@x>
  author-time 1700000020
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000020
  committer-tz +0000
  summary change
  previous b8b364930d8f6f0646043e2f05c701297ef3c612 f
  filename f
  	3 three
  b8b364930d8f6f0646043e2f05c701297ef3c612 1 1 10
  author Ann
  author-mail <ann@x.org>
  author-time 1700000010
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000010
  committer-tz +0000
  summary base
  boundary
  filename f
  	1
  b8b364930d8f6f0646043e2f05c701297ef3c612 2 2
  	2
  b8b364930d8f6f0646043e2f05c701297ef3c612 3 3
  	3
  b8b364930d8f6f0646043e2f05c701297ef3c612 4 4
  	4
  b8b364930d8f6f0646043e2f05c701297ef3c612 5 5
  	5
  b8b364930d8f6f0646043e2f05c701297ef3c612 6 6
  	6
  b8b364930d8f6f0646043e2f05c701297ef3c612 7 7
  	7
  b8b364930d8f6f0646043e2f05c701297ef3c612 8 8
  	8
  b8b364930d8f6f0646043e2f05c701297ef3c612 9 9
  	9
  b8b364930d8f6f0646043e2f05c701297ef3c612 10 10
  	10

$ git blame HEAD f; git blame HEAD~1 f; git blame f HEAD~1; git blame HEAD~1 -- f; git blame nosuch; echo $?; git blame HEAD nosuch; echo $?; git blame nosuch f; echo $?; mkdir d; git mv f d/g; commit move; cd d; git blame g; git blame -p -L 2,3 g; git blame -s HEAD -- g; git blame -L 3,3 -w g
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  1) 1
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  2) 2
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  4) 4
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  5) 5
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  8) 9
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  1) 1
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  2) 2
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  3) 3
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  4) 4
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  5) 5
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  8) 8
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  9) 9
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100 10) 10
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  1) 1
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  2) 2
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  3) 3
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  4) 4
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  5) 5
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  8) 8
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  9) 9
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100 10) 10
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  1) 1
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  2) 2
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  3) 3
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  4) 4
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  5) 5
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  8) 8
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100  9) 9
  ^b8b3649 (Ann 2023-11-14 23:13:30 +0100 10) 10
  fatal: no such path 'nosuch' in HEAD
  128
  fatal: no such path nosuch in HEAD
  128
  fatal: bad revision 'nosuch'
  128
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  1) 1
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  2) 2
  81ecc2b4 f (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  4) 4
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  5) 5
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  8) 9
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 f (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  b8b364930d8f6f0646043e2f05c701297ef3c612 2 2 1
  author Ann
  author-mail <ann@x.org>
  author-time 1700000010
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000010
  committer-tz +0000
  summary base
  boundary
  filename f
  	2
  81ecc2b4df9cfe9e39dc6a6ae249f0fd54072095 3 3 1
  author Bertha B
  author-mail <b@x>
  author-time 1700000020
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000020
  committer-tz +0000
  summary change
  previous b8b364930d8f6f0646043e2f05c701297ef3c612 f
  filename f
  	3 three
  ^b8b3649 f  1) 1
  ^b8b3649 f  2) 2
  81ecc2b4 f  3) 3 three
  ^b8b3649 f  4) 4
  ^b8b3649 f  5) 5
  ^b8b3649 f  6) 6
  ^b8b3649 f  7) 7
  ^b8b3649 f  8) 9
  ^b8b3649 f  9) 10
  81ecc2b4 f 10) eleven
  81ecc2b4 f (Bertha B 2023-11-14 23:13:40 +0100 3) 3 three

$ git mv f g; sed -i '5s/$/ five/' g; commit 'move and change'; sed -i '1s/^/    /' g; commit blanks; git blame g; git blame -w g; git blame -p -L 1,6 g; git blame -n g; git blame -f -s g
  48f19376 g (Ann      2023-11-14 23:14:00 +0100  1)     1
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  2) 2
  81ecc2b4 f (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  4) 4
  a1434139 g (Ann      2023-11-14 23:13:50 +0100  5) 5 five
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  8) 9
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 f (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  1)     1
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  2) 2
  81ecc2b4 f (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  4) 4
  a1434139 g (Ann      2023-11-14 23:13:50 +0100  5) 5 five
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  8) 9
  ^b8b3649 f (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 f (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  48f1937645a041bc26d08277976bd5b6f6b7d786 1 1 1
  author Ann
  author-mail <ann@x.org>
  author-time 1700000040
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000040
  committer-tz +0000
  summary blanks
  previous a1434139390dfde4c4e112cdb31bc1a289bc3588 g
  filename g
  	    1
  b8b364930d8f6f0646043e2f05c701297ef3c612 2 2 1
  author Ann
  author-mail <ann@x.org>
  author-time 1700000010
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000010
  committer-tz +0000
  summary base
  boundary
  filename f
  	2
  81ecc2b4df9cfe9e39dc6a6ae249f0fd54072095 3 3 1
  author Bertha B
  author-mail <b@x>
  author-time 1700000020
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000020
  committer-tz +0000
  summary change
  previous b8b364930d8f6f0646043e2f05c701297ef3c612 f
  filename f
  	3 three
  b8b364930d8f6f0646043e2f05c701297ef3c612 4 4 1
  	4
  a1434139390dfde4c4e112cdb31bc1a289bc3588 5 5 1
  author Ann
  author-mail <ann@x.org>
  author-time 1700000030
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000030
  committer-tz +0000
  summary move and change
  previous 81ecc2b4df9cfe9e39dc6a6ae249f0fd54072095 f
  filename g
  	5 five
  b8b364930d8f6f0646043e2f05c701297ef3c612 6 6 1
  	6
  48f19376 g  1 (Ann      2023-11-14 23:14:00 +0100  1)     1
  ^b8b3649 f  2 (Ann      2023-11-14 23:13:30 +0100  2) 2
  81ecc2b4 f  3 (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b3649 f  4 (Ann      2023-11-14 23:13:30 +0100  4) 4
  a1434139 g  5 (Ann      2023-11-14 23:13:50 +0100  5) 5 five
  ^b8b3649 f  6 (Ann      2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 f  7 (Ann      2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 f  9 (Ann      2023-11-14 23:13:30 +0100  8) 9
  ^b8b3649 f 10 (Ann      2023-11-14 23:13:30 +0100  9) 10
  81ecc2b4 f 10 (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  48f19376 g  1)     1
  ^b8b3649 f  2) 2
  81ecc2b4 f  3) 3 three
  ^b8b3649 f  4) 4
  a1434139 g  5) 5 five
  ^b8b3649 f  6) 6
  ^b8b3649 f  7) 7
  ^b8b3649 f  8) 9
  ^b8b3649 f  9) 10
  81ecc2b4 f 10) eleven

$ git switch -qc dev; sed -i '2s/$/ dev/' f; commit dev; git switch -q main; sed -i '9s/$/ main/' f; commit main; git merge -q dev -m merged; git blame f; git blame --first-parent f; git blame -s HEAD^2 f; git blame -p -L 2,3 f
  Auto-merging f
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  1) 1
  0f0c6e75 (Ann      2023-11-14 23:13:50 +0100  2) 2 dev
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  4) 4
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  5) 5
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  8) 9
  529eaf1d (Ann      2023-11-14 23:14:00 +0100  9) 10 main
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  1) 1
  e5e311f5 (Ann      2023-11-14 23:14:00 +0100  2) 2 dev
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100  3) 3 three
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  4) 4
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  5) 5
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  6) 6
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  7) 7
  ^b8b3649 (Ann      2023-11-14 23:13:30 +0100  8) 9
  529eaf1d (Ann      2023-11-14 23:14:00 +0100  9) 10 main
  81ecc2b4 (Bertha B 2023-11-14 23:13:40 +0100 10) eleven
  ^b8b3649  1) 1
  0f0c6e75  2) 2 dev
  81ecc2b4  3) 3 three
  ^b8b3649  4) 4
  ^b8b3649  5) 5
  ^b8b3649  6) 6
  ^b8b3649  7) 7
  ^b8b3649  8) 9
  ^b8b3649  9) 10
  81ecc2b4 10) eleven
  0f0c6e7522bc90688ce783229fcccbc94ff32235 2 2 1
  author Ann
  author-mail <ann@x.org>
  author-time 1700000030
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000030
  committer-tz +0000
  summary dev
  previous 81ecc2b4df9cfe9e39dc6a6ae249f0fd54072095 f
  filename f
  	2 dev
  81ecc2b4df9cfe9e39dc6a6ae249f0fd54072095 3 3 1
  author Bertha B
  author-mail <b@x>
  author-time 1700000020
  author-tz +0100
  committer Ann
  committer-mail <ann@x.org>
  committer-time 1700000020
  committer-tz +0000
  summary change
  previous b8b364930d8f6f0646043e2f05c701297ef3c612 f
  filename f
  	3 three

$ echo new >> f; sed -i 1d f; git blame f | sed 's/ 20[2-9][0-9]-[-0-9]* [0-9:]* / DATE /'; git blame -s f; git blame -p -L 10,10 f | grep -v time; echo u > u; git blame u; echo $?; git add u; git blame -s u; printf 'a\nb' > f; git blame -s f; git blame -s HEAD -- f; : > f; git blame f
  ^b8b3649 (Ann               DATE +0100  1) 2
  81ecc2b4 (Bertha B          DATE +0100  2) 3 three
  ^b8b3649 (Ann               DATE +0100  3) 4
  ^b8b3649 (Ann               DATE +0100  4) 5
  ^b8b3649 (Ann               DATE +0100  5) 6
  ^b8b3649 (Ann               DATE +0100  6) 7
  ^b8b3649 (Ann               DATE +0100  7) 9
  ^b8b3649 (Ann               DATE +0100  8) 10
  81ecc2b4 (Bertha B          DATE +0100  9) eleven
  00000000 (Not Committed Yet DATE +0000 10) new
  ^b8b3649  1) 2
  81ecc2b4  2) 3 three
  ^b8b3649  3) 4
  ^b8b3649  4) 5
  ^b8b3649  5) 6
  ^b8b3649  6) 7
  ^b8b3649  7) 9
  ^b8b3649  8) 10
  81ecc2b4  9) eleven
  00000000 10) new
  0000000000000000000000000000000000000000 10 10 1
  author Not Committed Yet
  author-mail <not.committed.yet>
  author-tz +0000
  committer Not Committed Yet
  committer-mail <not.committed.yet>
  committer-tz +0000
  summary Version of f from f
  previous 81ecc2b4df9cfe9e39dc6a6ae249f0fd54072095 f
  filename f
  	new
  fatal: no such path 'u' in HEAD
  128
  00000000 1) u
  00000000 1) a
  00000000 2) b
  ^b8b3649  1) 1
  ^b8b3649  2) 2
  81ecc2b4  3) 3 three
  ^b8b3649  4) 4
  ^b8b3649  5) 5
  ^b8b3649  6) 6
  ^b8b3649  7) 7
  ^b8b3649  8) 9
  ^b8b3649  9) 10
  81ecc2b4 10) eleven
