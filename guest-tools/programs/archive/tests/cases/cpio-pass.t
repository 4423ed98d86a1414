% exec 2>&1

$ mkdir d; echo hi > d/f; find "$PWD/d" | cpio -pdm out 2>/dev/null; echo $?; cat "out$PWD/d/f"
  0
  hi
