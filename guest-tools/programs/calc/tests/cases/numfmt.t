# numfmt of GNU coreutils 9.1.

$ for f in '%%%f%%' '%%%%%f' '%f%%%' '%f%%%%' '%%' '%%f' '%f%' '%f%%x' 'x%%y%fz%%' '%5f%%' '%%%5.2f' 'a%%b%%c%fd'; do numfmt --format="$f" 5 2>&1; echo $?; done
  %5%%
  0
  %%5
  0
  numfmt: format ‘%f%%%’ has too many % directives
  1
  5%%%%
  0
  numfmt: format ‘%%’ has no % directive
  1
  numfmt: format ‘%%f’ has no % directive
  1
  numfmt: format ‘%f%’ has too many % directives
  1
  5%%x
  0
  x%%5z%%
  0
      5%%
  0
  % 5.00
  0
  a%%b%5d
  0
