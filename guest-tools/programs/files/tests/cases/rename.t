% touch a.txt b.txt 'C D.TXT' img1.JPG img22.JPG

$ rename 's/\.txt$/.md/' *; ls
  C D.TXT
  a.md
  b.md
  img1.JPG
  img22.JPG

$ rename -v 's/\.txt$/.md/' *.txt; ls
  a.txt renamed as a.md
  b.txt renamed as b.md
  C D.TXT
  a.md
  b.md
  img1.JPG
  img22.JPG

$ rename -n 's/\.txt$/.md/' *.txt; ls
  rename(a.txt, a.md)
  rename(b.txt, b.md)
  C D.TXT
  a.txt
  b.txt
  img1.JPG
  img22.JPG

$ rename 'y/A-Z/a-z/' *; ls
  a.txt
  b.txt
  c d.txt
  img1.jpg
  img22.jpg

$ rename 'tr/a-z/A-Z/' *.txt; ls
  A.TXT
  B.TXT
  C D.TXT
  img1.JPG
  img22.JPG

$ rename 's/ /_/g' *; ls
  C_D.TXT
  a.txt
  b.txt
  img1.JPG
  img22.JPG

$ rename 's/(\w+)\.JPG/photo-$1.jpg/' *; ls
  C D.TXT
  a.txt
  b.txt
  photo-img1.jpg
  photo-img22.jpg

$ rename 's/(\d+)/sprintf("%03d",$1)/' nothing; ls
  C D.TXT
  a.txt
  b.txt
  img1.JPG
  img22.JPG

$ rename 's/^(.)/\U$1/' *.txt; ls
  A.txt
  B.txt
  C D.TXT
  img1.JPG
  img22.JPG

$ rename 's/(.*)/\L$1/' *; ls
  a.txt
  b.txt
  c d.txt
  img1.jpg
  img22.jpg

$ rename 's/[0-9]+//; s/JPG/jpeg/' img1.JPG; ls
  C D.TXT
  a.txt
  b.txt
  img.jpeg
  img22.JPG

$ rename 's/a/b/' a.txt; echo $?; ls
  0
  C D.TXT
  a.txt
  b.txt
  img1.JPG
  img22.JPG

$ rename -f 's/a/b/' a.txt; echo $?; ls
  0
  C D.TXT
  b.txt
  img1.JPG
  img22.JPG

$ rename '$_ = uc' *.txt; ls
  A.TXT
  B.TXT
  C D.TXT
  img1.JPG
  img22.JPG

$ ls *.txt | rename 's/txt/log/'; ls
  C D.TXT
  a.log
  b.log
  img1.JPG
  img22.JPG

$ mkdir a; mv a.txt a; rename -d 's/a/z/' a/a.txt; ls a
  z.txt

$ rename 's{txt}{x}' *; ls
  C D.TXT
  a.x
  b.x
  img1.JPG
  img22.JPG

$ rename 's/(?<=g)\d+/N/' img1.JPG; ls
  C D.TXT
  a.txt
  b.txt
  img22.JPG
  imgN.JPG

$ rename.ul txt md *.txt; ls
  C D.TXT
  a.md
  b.md
  img1.JPG
  img22.JPG

$ rename.ul -v .txt .md *.txt; ls
  `a.txt' -> `a.md'
  `b.txt' -> `b.md'
  C D.TXT
  a.md
  b.md
  img1.JPG
  img22.JPG

$ rename 'tr/a-zA-Z//cd' *; ls
  CDTXT
  atxt
  btxt
  img22.JPG
  imgJPG

$ rename 'tr/a-zA-Z/_/cs' *.txt; ls
  C D.TXT
  a_txt
  b_txt
  img1.JPG
  img22.JPG
