# What jq 1.8 prints and 1.6 of Debian 12 does not know; not recorded, but written down from its manual.

$ jq -n --raw-output0 '"a", 1, "b"' | tr '\0' '|'; jq -n --raw-output0 '"a\u0000b"' 2>&1; echo $?
  a|1|b|jq: error (at <unknown>): Cannot dump a string containing NUL with --raw-output0 option
  5
