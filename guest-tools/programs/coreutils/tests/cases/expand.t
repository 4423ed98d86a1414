# expand and unexpand of GNU coreutils 9.1 count a column for each byte.

$ printf 'é\tx\né  \ty\naé      b\n日\tq\n' > m; expand m; expand -t4 m; expand -3 m; unexpand -a m; printf 'é       x\nééé     x\n日本    y\n' | unexpand -a
  é      x
  é      y
  aé      b
  日     q
  é  x
  é      y
  aé      b
  日 q
  é x
  é    y
  aé      b
  日   q
  é	x
  é	y
  aé	 b
  日	q
  é	 x
  ééé	   x
  日本	  y
