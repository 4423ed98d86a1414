# `ptx`: the permuted index.
% printf 'The quick brown fox\njumps over the lazy dog. The End\n' > p; printf 'r1 alpha beta\nr2 gamma\n\nlong:3 delta alpha  beta gamma\n' > r; printf 'the\nover\n' > ign; printf 'fox\nDOG\n' > only; printf 'e ,\n' > brk; printf 'say "a" $b_{c} \\d #%%& \303\251t\303\251\tx\n' > q; seq -s ' word' 1 40 > l

$ ptx p; ptx < p; ptx - < p; ptx p r; ptx q; : | ptx
          jumps over the lazy dog. The   End                       /brown fox
     lazy dog. The End                   The quick brown fox jumps over the
          fox jumps over the lazy dog.   The End                       /brown
     The End                 The quick   brown fox jumps over the lazy dog.
         brown fox jumps over the lazy   dog. The End               The quick
     End               The quick brown   fox jumps over the lazy dog. The
                   The quick brown fox   jumps over the lazy dog. The End
        quick brown fox jumps over the   lazy dog. The End                The
             The quick brown fox jumps   over the lazy dog. The End
     lazy dog. The End             The   quick brown fox jumps over the
        The quick brown fox jumps over   the lazy dog. The End
          jumps over the lazy dog. The   End                       /brown fox
     lazy dog. The End                   The quick brown fox jumps over the
          fox jumps over the lazy dog.   The End                       /brown
     The End                 The quick   brown fox jumps over the lazy dog.
         brown fox jumps over the lazy   dog. The End               The quick
     End               The quick brown   fox jumps over the lazy dog. The
                   The quick brown fox   jumps over the lazy dog. The End
        quick brown fox jumps over the   lazy dog. The End                The
             The quick brown fox jumps   over the lazy dog. The End
     lazy dog. The End             The   quick brown fox jumps over the
        The quick brown fox jumps over   the lazy dog. The End
          jumps over the lazy dog. The   End                       /brown fox
     lazy dog. The End                   The quick brown fox jumps over the
          fox jumps over the lazy dog.   The End                       /brown
     The End                 The quick   brown fox jumps over the lazy dog.
         brown fox jumps over the lazy   dog. The End               The quick
     End               The quick brown   fox jumps over the lazy dog. The
                   The quick brown fox   jumps over the lazy dog. The End
        quick brown fox jumps over the   lazy dog. The End                The
             The quick brown fox jumps   over the lazy dog. The End
     lazy dog. The End             The   quick brown fox jumps over the
        The quick brown fox jumps over   the lazy dog. The End
          jumps over the lazy dog. The   End                       /brown fox
     lazy dog. The End                   The quick brown fox jumps over the
          fox jumps over the lazy dog.   The End                       /brown
     alpha  beta gamma              r1   alpha beta r2 gamma  long:3 delta
           beta r2 gamma  long:3 delta   alpha  beta gamma           r1 alpha
     beta gamma               r1 alpha   beta r2 gamma  long:3 delta alpha
          r2 gamma  long:3 delta alpha   beta gamma                     /beta
     The End                 The quick   brown fox jumps over the lazy dog.
        r1 alpha beta r2 gamma  long:3   delta alpha  beta gamma
         brown fox jumps over the lazy   dog. The End               The quick
     End               The quick brown   fox jumps over the lazy dog. The
     gamma            r1 alpha beta r2   gamma  long:3 delta alpha  beta
       gamma  long:3 delta alpha  beta   gamma                       /beta r2
                   The quick brown fox   jumps over the lazy dog. The End
        quick brown fox jumps over the   lazy dog. The End                The
                r1 alpha beta r2 gamma   long:3 delta alpha  beta gamma
             The quick brown fox jumps   over the lazy dog. The End
     lazy dog. The End             The   quick brown fox jumps over the
     delta alpha  beta gamma             r1 alpha beta r2 gamma  long:3
     gamma               r1 alpha beta   r2 gamma  long:3 delta alpha  beta
        The quick brown fox jumps over   the lazy dog. The End
                                 say "   a" $b_{c} \d #%& été x
                             say "a" $   b_{c} \d #%& été x
                          say "a" $b_{   c} \d #%& été x
                      say "a" $b_{c} \   d #%& été x
                                         say "a" $b_{c} \d #%& été x
              say "a" $b_{c} \d #%& é   té x
           say "a" $b_{c} \d #%& été   x

$ ptx -f p; ptx --ignore-case p p; ptx -w 30 p; ptx --width=100 p; ptx -w 10 l; ptx -w 1 q; ptx -w 0x20 p; ptx -w 024 p
     The End                 The quick   brown fox jumps over the lazy dog.
         brown fox jumps over the lazy   dog. The End               The quick
          jumps over the lazy dog. The   End                       /brown fox
     End               The quick brown   fox jumps over the lazy dog. The
                   The quick brown fox   jumps over the lazy dog. The End
        quick brown fox jumps over the   lazy dog. The End                The
             The quick brown fox jumps   over the lazy dog. The End
     lazy dog. The End             The   quick brown fox jumps over the
     lazy dog. The End                   The quick brown fox jumps over the
        The quick brown fox jumps over   the lazy dog. The End
          fox jumps over the lazy dog.   The End                       /brown
     The End                 The quick   brown fox jumps over the lazy dog.
     The End                 The quick   brown fox jumps over the lazy dog.
         brown fox jumps over the lazy   dog. The End               The quick
         brown fox jumps over the lazy   dog. The End               The quick
          jumps over the lazy dog. The   End                       /brown fox
          jumps over the lazy dog. The   End                       /brown fox
     End               The quick brown   fox jumps over the lazy dog. The
     End               The quick brown   fox jumps over the lazy dog. The
                   The quick brown fox   jumps over the lazy dog. The End
                   The quick brown fox   jumps over the lazy dog. The End
        quick brown fox jumps over the   lazy dog. The End                The
        quick brown fox jumps over the   lazy dog. The End                The
             The quick brown fox jumps   over the lazy dog. The End
             The quick brown fox jumps   over the lazy dog. The End
     lazy dog. The End             The   quick brown fox jumps over the
     lazy dog. The End             The   quick brown fox jumps over the
     lazy dog. The End                   The quick brown fox jumps over the
        The quick brown fox jumps over   the lazy dog. The End
          fox jumps over the lazy dog.   The End                       /brown
     lazy dog. The End                   The quick brown fox jumps over the
        The quick brown fox jumps over   the lazy dog. The End
          fox jumps over the lazy dog.   The End                       /brown
         dog. The   End       /lazy
     brown/         The quick
        lazy dog.   The End    /the
        The quick   brown fox/
        /the lazy   dog. The End
           /brown   fox jumps/
       /brown fox   jumps over/
        /over the   lazy dog. The/
       /fox jumps   over the lazy/
     fox/     The   quick brown
      /jumps over   the lazy dog./
        quick brown fox jumps over the lazy dog. The   End                                            The
     End                                               The quick brown fox jumps over the lazy dog. The
        The quick brown fox jumps over the lazy dog.   The End
                                           The quick   brown fox jumps over the lazy dog. The End
             The quick brown fox jumps over the lazy   dog. The End
                                     The quick brown   fox jumps over the lazy dog. The End
                                 The quick brown fox   jumps over the lazy dog. The End
                  The quick brown fox jumps over the   lazy dog. The End
                           The quick brown fox jumps   over the lazy dog. The End
                                                 The   quick brown fox jumps over the lazy dog. The End
                      The quick brown fox jumps over   the lazy dog. The End
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
       /   word/
     /   a/
     /   b/
     /   c/
     /   d/
        say/
     /   t/
     /   x
          dog. The   End    /the lazy
     brown/          The quick
         lazy dog.   The End     /the
         The quick   brown fox/
         /the lazy   dog. The End
      /quick brown   fox jumps over/
        /brown fox   jumps over the/
         /over the   lazy dog. The/
        /fox jumps   over the lazy/
     fox/      The   quick brown
       /jumps over   the lazy dog./
      /. The   End
               The/
       /dog.   The End
      /quick   brown/
       /lazy   dog. The/
      /brown   fox/
        /fox   jumps/
        /the   lazy dog/
      /jumps   over the/
         The   quick/
       /over   the lazy/

$ ptx -G p; ptx --traditional q; ptx -G p out; cat out; ptx -G -w 30 -F '' l; ptx -G -T p
  .xx "" "jumps over the lazy dog. The" "End" ""
  .xx "" "" "The quick brown fox" ""
  .xx "" "jumps over the lazy dog." "The End" ""
  .xx "" "The quick" "brown fox" ""
  .xx "" "jumps over the lazy" "dog. The End" ""
  .xx "" "The quick brown" "fox" ""
  .xx "" "" "jumps over the lazy dog. The End" ""
  .xx "" "jumps over the" "lazy dog. The End" ""
  .xx "" "jumps" "over the lazy dog. The End" ""
  .xx "" "The" "quick brown fox" ""
  .xx "" "jumps over" "the lazy dog. The End" ""
  .xx "" "say" """a"" $b_{c} \d #%& été x" ""
  .xx "" "say ""a"" $b_{c} \d" "#%& été x" ""
  .xx "" "say ""a""" "$b_{c} \d #%& été x" ""
  .xx "" "say ""a"" $b_{c}" "\d #%& été x" ""
  .xx "" "" "say ""a"" $b_{c} \d #%& été x" ""
  .xx "" "say ""a"" $b_{c} \d #%& été" "x" ""
  .xx "" "say ""a"" $b_{c} \d #%&" "été x" ""
  .xx "" "jumps over the lazy dog. The" "End" ""
  .xx "" "" "The quick brown fox" ""
  .xx "" "jumps over the lazy dog." "The End" ""
  .xx "" "The quick" "brown fox" ""
  .xx "" "jumps over the lazy" "dog. The End" ""
  .xx "" "The quick brown" "fox" ""
  .xx "" "" "jumps over the lazy dog. The End" ""
  .xx "" "jumps over the" "lazy dog. The End" ""
  .xx "" "jumps" "over the lazy dog. The End" ""
  .xx "" "The" "quick brown fox" ""
  .xx "" "jumps over" "the lazy dog. The End" ""
  .xx "word4" "" "1 word2 word3" ""
  .xx "" "word8 word9" "word10 word11" ""
  .xx "" "word9 word10" "word11 word12" ""
  .xx "" "word11" "word12 word13" ""
  .xx "" "word12" "word13 word14" ""
  .xx "" "word13" "word14 word15" ""
  .xx "" "word14" "word15 word16" ""
  .xx "" "word15" "word16 word17" ""
  .xx "" "word16" "word17 word18" ""
  .xx "" "word17" "word18 word19" ""
  .xx "" "word18" "word19 word20" ""
  .xx "word4" "1" "word2 word3" ""
  .xx "" "word19" "word20 word21" ""
  .xx "" "word20" "word21 word22" ""
  .xx "" "word21" "word22 word23" ""
  .xx "" "word22" "word23 word24" ""
  .xx "" "word23" "word24 word25" ""
  .xx "" "word24" "word25 word26" ""
  .xx "" "word25" "word26 word27" ""
  .xx "" "word26" "word27 word28" ""
  .xx "" "word27" "word28 word29" ""
  .xx "" "word28" "word29 word30" ""
  .xx "" "1 word2" "word3 word4" ""
  .xx "" "word29" "word30 word31" ""
  .xx "" "word30" "word31 word32" ""
  .xx "" "word31" "word32 word33" ""
  .xx "" "word32" "word33 word34" ""
  .xx "" "word33" "word34 word35" ""
  .xx "" "word34" "word35 word36" ""
  .xx "" "word35" "word36 word37" ""
  .xx "" "word36" "word37 word38" ""
  .xx "" "word37" "word38 word39" ""
  .xx "" "word38" "word39 word40" ""
  .xx "" "word2 word3" "word4 word5" ""
  .xx "" "word39" "word40" ""
  .xx "" "word3 word4" "word5 word6" ""
  .xx "" "word4 word5" "word6 word7" ""
  .xx "" "word5 word6" "word7 word8" ""
  .xx "" "word6 word7" "word8 word9" ""
  .xx "" "word7 word8" "word9 word10" ""
  \xx {}{jumps over the lazy dog. The}{End}{}{}
  \xx {}{}{The}{ quick brown fox}{}
  \xx {}{jumps over the lazy dog.}{The}{ End}{}
  \xx {}{The quick}{brown}{ fox}{}
  \xx {}{jumps over the lazy}{dog.}{ The End}{}
  \xx {}{The quick brown}{fox}{}{}
  \xx {}{}{jumps}{ over the lazy dog. The End}{}
  \xx {}{jumps over the}{lazy}{ dog. The End}{}
  \xx {}{jumps}{over}{ the lazy dog. The End}{}
  \xx {}{The}{quick}{ brown fox}{}
  \xx {}{jumps over}{the}{ lazy dog. The End}{}

$ ptx -A p; ptx --auto-reference r; ptx -A < r; ptx -A -R p r; ptx -A -O p; ptx -A -r r; ptx -A -G p
  p:2:    jumps over the lazy dog. The   End                          /fox
  p:1:  the lazy dog. The End            The quick brown fox jumps over
  p:2:    fox jumps over the lazy dog.   The End                    /brown
  p:1:  dog. The End         The quick   brown fox jumps over the lazy
  p:2:         fox jumps over the lazy   dog. The End         /quick brown
  p:1:  The End        The quick brown   fox jumps over the lazy dog.
  p:2:  End        The quick brown fox   jumps over the lazy dog. The
  p:2:        brown fox jumps over the   lazy dog. The End       The quick
  p:2:       The quick brown fox jumps   over the lazy dog. The End
  p:1:  lazy dog. The End          The   quick brown fox jumps over the
  p:2:      quick brown fox jumps over   the lazy dog. The End         The
  r:1:  delta alpha  beta/          r1   alpha beta r2 gamma  long:3
  r:4:     beta r2 gamma  long:3 delta   alpha  beta gamma        r1 alpha
  r:1:  alpha  beta/          r1 alpha   beta r2 gamma  long:3 delta
  r:4:    r2 gamma  long:3 delta alpha   beta gamma                  /beta
  r:4:     alpha beta r2 gamma  long:3   delta alpha  beta gamma        r1
  r:2:  gamma         r1 alpha beta r2   gamma  long:3 delta alpha  beta
  r:4:        long:3 delta alpha  beta   gamma                   /r2 gamma
  r:4:          r1 alpha beta r2 gamma   long:3 delta alpha  beta gamma
  r:1:  delta alpha  beta gamma          r1 alpha beta r2 gamma  long:3
  r:2:  beta gamma       r1 alpha beta   r2 gamma  long:3 delta alpha
  :1:  delta alpha  beta/          r1   alpha beta r2 gamma  long:3
  :4:     beta r2 gamma  long:3 delta   alpha  beta gamma        r1 alpha
  :1:  alpha  beta/          r1 alpha   beta r2 gamma  long:3 delta
  :4:    r2 gamma  long:3 delta alpha   beta gamma                  /beta
  :4:     alpha beta r2 gamma  long:3   delta alpha  beta gamma        r1
  :2:  gamma         r1 alpha beta r2   gamma  long:3 delta alpha  beta
  :4:        long:3 delta alpha  beta   gamma                   /r2 gamma
  :4:          r1 alpha beta r2 gamma   long:3 delta alpha  beta gamma
  :1:  delta alpha  beta gamma          r1 alpha beta r2 gamma  long:3
  :2:  beta gamma       r1 alpha beta   r2 gamma  long:3 delta alpha
       jumps over the lazy dog. The   End                       /brown fox   p:2
  lazy dog. The End                   The quick brown fox jumps over the     p:1
       fox jumps over the lazy dog.   The End                       /brown   p:2
  alpha  beta gamma              r1   alpha beta r2 gamma  long:3 delta      r:1
        beta r2 gamma  long:3 delta   alpha  beta gamma           r1 alpha   r:4
  beta gamma               r1 alpha   beta r2 gamma  long:3 delta alpha      r:1
       r2 gamma  long:3 delta alpha   beta gamma                     /beta   r:4
  The End                 The quick   brown fox jumps over the lazy dog.     p:1
     r1 alpha beta r2 gamma  long:3   delta alpha  beta gamma                r:4
      brown fox jumps over the lazy   dog. The End               The quick   p:2
  End               The quick brown   fox jumps over the lazy dog. The       p:1
  gamma            r1 alpha beta r2   gamma  long:3 delta alpha  beta        r:2
    gamma  long:3 delta alpha  beta   gamma                       /beta r2   r:4
                The quick brown fox   jumps over the lazy dog. The End       p:2
     quick brown fox jumps over the   lazy dog. The End                The   p:2
             r1 alpha beta r2 gamma   long:3 delta alpha  beta gamma         r:4
          The quick brown fox jumps   over the lazy dog. The End             p:2
  lazy dog. The End             The   quick brown fox jumps over the         p:1
  delta alpha  beta gamma             r1 alpha beta r2 gamma  long:3         r:1
  gamma               r1 alpha beta   r2 gamma  long:3 delta alpha  beta     r:2
     The quick brown fox jumps over   the lazy dog. The End                  p:2
  .xx "" "jumps over the lazy dog. The" "End" "/fox" "p:2"
  .xx "the lazy dog. The End" "" "The quick brown fox jumps over" "" "p:1"
  .xx "" "fox jumps over the lazy dog." "The End" "/brown" "p:2"
  .xx "dog. The End" "The quick" "brown fox jumps over the lazy" "" "p:1"
  .xx "" "fox jumps over the lazy" "dog. The End" "/quick brown" "p:2"
  .xx "The End" "The quick brown" "fox jumps over the lazy dog." "" "p:1"
  .xx "End" "The quick brown fox" "jumps over the lazy dog. The" "" "p:2"
  .xx "" "brown fox jumps over the" "lazy dog. The End" "The quick" "p:2"
  .xx "" "The quick brown fox jumps" "over the lazy dog. The End" "" "p:2"
  .xx "lazy dog. The End" "The" "quick brown fox jumps over the" "" "p:1"
  .xx "" "quick brown fox jumps over" "the lazy dog. The End" "The" "p:2"
  .xx "" "jumps over the lazy dog. The" "End" "" "p:2"
  .xx "" "" "The quick brown fox" "" "p:1"
  .xx "" "jumps over the lazy dog." "The End" "" "p:2"
  .xx "" "The quick" "brown fox" "" "p:1"
  .xx "" "jumps over the lazy" "dog. The End" "" "p:2"
  .xx "" "The quick brown" "fox" "" "p:1"
  .xx "End" "" "jumps over the lazy dog. The" "" "p:2"
  .xx "" "jumps over the" "lazy dog. The End" "" "p:2"
  .xx "" "jumps" "over the lazy dog. The End" "" "p:2"
  .xx "" "The" "quick brown fox" "" "p:1"
  .xx "" "jumps over" "the lazy dog. The End" "" "p:2"

$ ptx -r r; ptx --references -R r; ptx -r -O r; ptx -r -T r; ptx -r -w 30 r; ptx --right-side-refs r; printf 'a b\nc d\n' | ptx -r -G
  alpha  beta gamma              r1   alpha beta r2 gamma  long:3 delta
        beta r2 gamma  long:3 delta   alpha  beta gamma           r1 alpha
  beta gamma               r1 alpha   beta r2 gamma  long:3 delta alpha
       r2 gamma  long:3 delta alpha   beta gamma                     /beta
     r1 alpha beta r2 gamma  long:3   delta alpha  beta gamma
  gamma            r1 alpha beta r2   gamma  long:3 delta alpha  beta
    gamma  long:3 delta alpha  beta   gamma                       /beta r2
             r1 alpha beta r2 gamma   long:3 delta alpha  beta gamma
  delta alpha  beta gamma             r1 alpha beta r2 gamma  long:3
  gamma               r1 alpha beta   r2 gamma  long:3 delta alpha  beta
  .xx "" "" "b" "" "a"
  .xx "" "" "d" "" "c"

$ ptx -i ign p; ptx --ignore-file=ign -f p; ptx -o only p; ptx --only-file=only -f p; ptx -i ign -o only -f p; ptx -b brk p; ptx --break-file=brk q; ptx -G -b brk p
          jumps over the lazy dog. The   End                       /brown fox
     lazy dog. The End                   The quick brown fox jumps over the
          fox jumps over the lazy dog.   The End                       /brown
     The End                 The quick   brown fox jumps over the lazy dog.
         brown fox jumps over the lazy   dog. The End               The quick
     End               The quick brown   fox jumps over the lazy dog. The
                   The quick brown fox   jumps over the lazy dog. The End
        quick brown fox jumps over the   lazy dog. The End                The
     lazy dog. The End             The   quick brown fox jumps over the
     The End                 The quick   brown fox jumps over the lazy dog.
         brown fox jumps over the lazy   dog. The End               The quick
          jumps over the lazy dog. The   End                       /brown fox
     End               The quick brown   fox jumps over the lazy dog. The
                   The quick brown fox   jumps over the lazy dog. The End
        quick brown fox jumps over the   lazy dog. The End                The
     lazy dog. The End             The   quick brown fox jumps over the
     End               The quick brown   fox jumps over the lazy dog. The
         brown fox jumps over the lazy   dog. The End               The quick
     End               The quick brown   fox jumps over the lazy dog. The
         brown fox jumps over the lazy   dog. The End               The quick
     End               The quick brown   fox jumps over the lazy dog. The
          jumps over the lazy dog. The   End                       /brown fox
     lazy dog. The End                   The quick brown fox jumps over the
          fox jumps over the lazy dog.   The End                       /brown
     The End                 The quick   brown fox jumps over the lazy dog.
         brown fox jumps over the lazy   dog. The End               The quick
     End               The quick brown   fox jumps over the lazy dog. The
                   The quick brown fox   jumps over the lazy dog. The End
        quick brown fox jumps over the   lazy dog. The End                The
             The quick brown fox jumps   over the lazy dog. The End
     lazy dog. The End             The   quick brown fox jumps over the
         The quick brown fox jumps ove   r the lazy dog. The End
        The quick brown fox jumps over   the lazy dog. The End
                                   say   "a" $b_{c} \d #%& été x
                     say "a" $b_{c} \d   #%& été x
                               say "a"   $b_{c} \d #%& été x
                        say "a" $b_{c}   \d #%& été x
                                         say "a" $b_{c} \d #%& été x
                 say "a" $b_{c} \d #%&   été x
  .xx "" "jumps over the lazy dog. The" "End" ""
  .xx "" "" "The quick brown fox" ""
  .xx "" "jumps over the lazy dog." "The End" ""
  .xx "" "The quick" "brown fox" ""
  .xx "" "jumps over the lazy" "dog. The End" ""
  .xx "" "The quick brown" "fox" ""
  .xx "" "" "jumps over the lazy dog. The End" ""
  .xx "" "jumps over the" "lazy dog. The End" ""
  .xx "" "jumps" "over the lazy dog. The End" ""
  .xx "" "The" "quick brown fox" ""
  .xx "" "jumps ove" "r the lazy dog. The End" ""
  .xx "" "jumps over" "the lazy dog. The End" ""

$ ptx -W '[a-z]+' p; ptx --word-regexp='o[a-z]*' p; ptx -f -W 'the\|fox' p; ptx -W '[[:alpha:]]' p; ptx -W '\w\w\w' p; ptx -W 'f.x' p; ptx -W '\x66ox' p; ptx -W '' p; ptx -W '[^ \n]+' q
     The End                 The quick   brown fox jumps over the lazy dog.
         brown fox jumps over the lazy   dog. The End               The quick
     nd                The quick brown   fox jumps over the lazy dog. The E
     lazy dog. The End               T   he quick brown fox jumps over the
        fox jumps over the lazy dog. T   he End                        /brown
                   The quick brown fox   jumps over the lazy dog. The End
        quick brown fox jumps over the   lazy dog. The End                The
        jumps over the lazy dog. The E   nd                        /brown fox
             The quick brown fox jumps   over the lazy dog. The End
     lazy dog. The End             The   quick brown fox jumps over the
        The quick brown fox jumps over   the lazy dog. The End
       brown fox jumps over the lazy d   og. The End                 /e quick
             The quick brown fox jumps   over the lazy dog. The End
     he End               The quick br   own fox jumps over the lazy dog. T
     d               The quick brown f   ox jumps over the lazy dog. The En
     nd                The quick brown   fox jumps over the lazy dog. The E
     lazy dog. The End                   The quick brown fox jumps over the
        The quick brown fox jumps over   the lazy dog. The End
       wn fox jumps over the lazy dog.   The End                      /ck bro
          jumps over the lazy dog. The   End                          /wn fox
     lazy dog. The End                   The quick brown fox jumps over the
       wn fox jumps over the lazy dog.   The End                         /bro
     The End                 The quick   brown fox jumps over the lazy dog.
       k brown fox jumps over the lazy   dog. The End                 /e quic
     End               The quick brown   fox jumps over the lazy dog. The
                   The quick brown fox   jumps over the lazy dog. The End
        quick brown fox jumps over the   lazy dog. The End                The
             The quick brown fox jumps   over the lazy dog. The End
     y dog. The End                The   quick brown fox jumps over the laz
        The quick brown fox jumps over   the lazy dog. The End
     nd                The quick brown   fox jumps over the lazy dog. The E
     nd                The quick brown   fox jumps over the lazy dog. The E
          jumps over the lazy dog. The   End                       /brown fox
     lazy dog. The End                   The quick brown fox jumps over the
          fox jumps over the lazy dog.   The End                       /brown
     The End                 The quick   brown fox jumps over the lazy dog.
         brown fox jumps over the lazy   dog. The End               The quick
     End               The quick brown   fox jumps over the lazy dog. The
                   The quick brown fox   jumps over the lazy dog. The End
        quick brown fox jumps over the   lazy dog. The End                The
             The quick brown fox jumps   over the lazy dog. The End
     lazy dog. The End             The   quick brown fox jumps over the
        The quick brown fox jumps over   the lazy dog. The End
                                   say   "a" $b_{c} \d #%& été x
                     say "a" $b_{c} \d   #%& été x
                               say "a"   $b_{c} \d #%& été x
                        say "a" $b_{c}   \d #%& été x
                                         say "a" $b_{c} \d #%& été x
                 say "a" $b_{c} \d #%&   été x

$ ptx -S '\.' p; ptx --sentence-regexp='[.]' p; ptx -S '' p; ptx -S '\n' p; ptx -S 'fox\|dog' p; printf 'One two.  Three four? Five\nsix. seven.\n\nEight\n' | ptx
                                   The   End
     lazy dog.                           The quick brown fox jumps over the
                                          The End
                             The quick   brown fox jumps over the lazy dog.
         brown fox jumps over the lazy   dog.                       The quick
                       The quick brown   fox jumps over the lazy dog.
                   The quick brown fox   jumps over the lazy dog.
        quick brown fox jumps over the   lazy dog.                        The
             The quick brown fox jumps   over the lazy dog.
     lazy dog.                     The   quick brown fox jumps over the
        The quick brown fox jumps over   the lazy dog.
                                   The   End
     lazy dog.                           The quick brown fox jumps over the
                                          The End
                             The quick   brown fox jumps over the lazy dog.
         brown fox jumps over the lazy   dog.                       The quick
                       The quick brown   fox jumps over the lazy dog.
                   The quick brown fox   jumps over the lazy dog.
        quick brown fox jumps over the   lazy dog.                        The
             The quick brown fox jumps   over the lazy dog.
     lazy dog.                     The   quick brown fox jumps over the
        The quick brown fox jumps over   the lazy dog.
          jumps over the lazy dog. The   End                       /brown fox
     lazy dog. The End                   The quick brown fox jumps over the
          fox jumps over the lazy dog.   The End                       /brown
     The End                 The quick   brown fox jumps over the lazy dog.
         brown fox jumps over the lazy   dog. The End               The quick
     End               The quick brown   fox jumps over the lazy dog. The
                   The quick brown fox   jumps over the lazy dog. The End
        quick brown fox jumps over the   lazy dog. The End                The
             The quick brown fox jumps   over the lazy dog. The End
     lazy dog. The End             The   quick brown fox jumps over the
        The quick brown fox jumps over   the lazy dog. The End
          jumps over the lazy dog. The   End
                                         The quick brown fox
              jumps over the lazy dog.   The End
                             The quick   brown fox
                   jumps over the lazy   dog. The End
                       The quick brown   fox
                                         jumps over the lazy dog. The End
                        jumps over the   lazy dog. The End
                                 jumps   over the lazy dog. The End
                                   The   quick brown fox
                            jumps over   the lazy dog. The End
                                 . The   End
                                         The quick brown fox
                                     .   The End
                             The quick   brown fox
                   jumps over the lazy   dog
                       The quick brown   fox
                                          jumps over the lazy dog
                        jumps over the   lazy dog
                                 jumps   over the lazy dog
                                   The   quick brown fox
                            jumps over   the lazy dog
                                         Eight
                           Three four?   Five six. seven.
                                         One two.
                                         Three four? Five six. seven.
                                 Three   four? Five six. seven.
                 Three four? Five six.   seven.
                      Three four? Five   six. seven.
                                   One   two.

$ ptx -F '~' -w 20 p; ptx --flag-truncation='...' -w 40 l | head -n 5; ptx -F '' -w 30 l | head -n 5; ptx -F '\x3e\t' -w 40 p; ptx -g 5 p; ptx --gap-size=1 p; ptx -g 10 -w 30 p
      ~. The   End
               The~
       ~dog.   The End
      ~quick   brown~
       ~lazy   dog. The~
      ~brown   fox~
        ~fox   jumps~
        ~the   lazy dog~
      ~jumps   over the~
         The   quick~
       ~over   the lazy~
     word4...        1   word2 word3
               1 word2   word3 word4...
        ...word2 word3   word4 word5...
        ...word3 word4   word5 word6...
        ...word4 word5   word6 word7...
     word4      1   word2 word3
          1 word2   word3 word4
      word2 word3   word4 word5   1
      word3 word4   word5 word6   2
      word4 word5   word6 word7   3
         lazy dog. The   End       >	over the
     fox jumps>	         The quick brown
         the lazy dog.   The End       >	over
             The quick   brown fox jumps>	
       >	over the lazy   dog. The End
         >	quick brown   fox jumps over>	
           >	brown fox   jumps over the>	
            >	over the   lazy dog. The>	
           >	fox jumps   over the lazy>	
     jumps>	       The   quick brown fox
          >	jumps over   the lazy dog.>	
          jumps over the lazy dog. The     End                       /brown fox
       lazy dog. The End                   The quick brown fox jumps over the
          fox jumps over the lazy dog.     The End                       /brown
       The End               The quick     brown fox jumps over the lazy dog.
         brown fox jumps over the lazy     dog. The End               The quick
       End             The quick brown     fox jumps over the lazy dog. The
                   The quick brown fox     jumps over the lazy dog. The End
              brown fox jumps over the     lazy dog. The End          The quick
             The quick brown fox jumps     over the lazy dog. The End
       lazy dog. The End           The     quick brown fox jumps over the
            quick brown fox jumps over     the lazy dog. The End            The
      fox jumps over the lazy dog. The End                           /brown
   lazy dog. The End                   The quick brown fox jumps over the
          fox jumps over the lazy dog. The End                       /brown
   The End                   The quick brown fox jumps over the lazy dog.
         brown fox jumps over the lazy dog. The End               The quick
   End                 The quick brown fox jumps over the lazy dog. The
                   The quick brown fox jumps over the lazy dog. The End
        quick brown fox jumps over the lazy dog. The End                The
             The quick brown fox jumps over the lazy dog. The End
   lazy dog. The End               The quick brown fox jumps over the
        The quick brown fox jumps over the lazy dog. The End
             /The          End
                           The quick/
               /.          The End
                 /          brown fox/
                 /          dog. The End
                 /          fox jumps/
             /fox          jumps over/
             /the          lazy dog. The/
                 /          over the lazy/
              The          quick brown/
                 /          the lazy dog./

$ ptx -O q; ptx --format=roff -w 40 l | head -n 3; ptx -T q; ptx --format=tex -w 40 p; ptx --format=r p; ptx -O -M ZZ p | head -n 2; ptx --macro-name=QQ -T p | head -n 2; ptx -t p | head -n 3; ptx --typeset-mode -w 60 p | head -n 3
  .xx "" "say """ "a"" $b_{c} \d #%& été x" ""
  .xx "" "say ""a"" $" "b_{c} \d #%& été x" ""
  .xx "" "say ""a"" $b_{" "c} \d #%& été x" ""
  .xx "" "say ""a"" $b_{c} \" "d #%& été x" ""
  .xx "" "" "say ""a"" $b_{c} \d #%& été x" ""
  .xx "" "say ""a"" $b_{c} \d #%& é" "té x" ""
  .xx "" "say ""a"" $b_{c} \d #%& été" "x" ""
  .xx "word5 word/" "1" "word2 word3 word4" ""
  .xx "word/" "1 word2" "word3 word4 word5" ""
  .xx "" "1 word2 word3" "word4 word5 word6/" ""
  \xx {}{say "}{a}{" \$b\_$\{$c$\}$ \backslash{}d \#\%\& été x}{}
  \xx {}{say "a" \$}{b}{\_$\{$c$\}$ \backslash{}d \#\%\& été x}{}
  \xx {}{say "a" \$b\_$\{$}{c}{$\}$ \backslash{}d \#\%\& été x}{}
  \xx {}{say "a" \$b\_$\{$c$\}$ \backslash{}}{d}{ \#\%\& été x}{}
  \xx {}{}{say}{ "a" \$b\_$\{$c$\}$ \backslash{}d \#\%\& été x}{}
  \xx {}{say "a" \$b\_$\{$c$\}$ \backslash{}d \#\%\& é}{t}{é x}{}
  \xx {}{say "a" \$b\_$\{$c$\}$ \backslash{}d \#\%\& été}{x}{}{}
  \xx {}{lazy dog. The}{End}{}{over the}
  \xx {fox jumps}{}{The}{ quick brown}{}
  \xx {}{the lazy dog.}{The}{ End}{over}
  \xx {}{The quick}{brown}{ fox jumps}{}
  \xx {}{over the lazy}{dog}{. The End}{}
  \xx {}{The quick brown}{fox}{ jumps over the}{}
  \xx {}{quick brown fox}{jumps}{ over the}{}
  \xx {}{jumps over the}{lazy}{ dog. The End}{}
  \xx {}{brown fox jumps}{over}{ the lazy dog.}{}
  \xx {jumps}{The}{quick}{ brown fox}{}
  \xx {}{fox jumps over}{the}{ lazy dog. The}{}
  .xx "" "jumps over the lazy dog. The" "End" "/brown fox"
  .xx "lazy dog. The End" "" "The quick brown fox jumps over the" ""
  .xx "" "fox jumps over the lazy dog." "The End" "/brown"
  .xx "The End" "The quick" "brown fox jumps over the lazy dog." ""
  .xx "" "brown fox jumps over the lazy" "dog. The End" "The quick"
  .xx "End" "The quick brown" "fox jumps over the lazy dog. The" ""
  .xx "" "The quick brown fox" "jumps over the lazy dog. The End" ""
  .xx "" "quick brown fox jumps over the" "lazy dog. The End" "The"
  .xx "" "The quick brown fox jumps" "over the lazy dog. The End" ""
  .xx "lazy dog. The End" "The" "quick brown fox jumps over the" ""
  .xx "" "The quick brown fox jumps over" "the lazy dog. The End" ""
  .ZZ "" "jumps over the lazy dog. The" "End" "/brown fox"
  .ZZ "lazy dog. The End" "" "The quick brown fox jumps over the" ""
  \QQ {}{jumps over the lazy dog. The}{End}{}{brown fox}
  \QQ {lazy dog. The End}{}{The}{ quick brown fox jumps over the}{}
          jumps over the lazy dog. The   End                       /brown fox
     lazy dog. The End                   The quick brown fox jumps over the
          fox jumps over the lazy dog.   The End                       /brown
          over the lazy dog. The   End                 /fox jumps
     over the lazy dog./           The quick brown fox jumps
        jumps over the lazy dog.   The End                   /fox

$ exec 2>&1; ptx nope; echo $?; ptx -g 0 p; ptx -g x p; ptx -w -1 p; ptx -w 3k p; echo $?; ptx --format=x p; echo $?; ptx -G p out x; echo $?; ptx -W '\(' p; ptx -S '[' p; echo $?; ptx -b nope p; ptx -i nope p; ptx -o a:b p; ptx .; ptx -Z; ptx --re p; printf '\nx\n' | ptx -G; echo $?
  ptx: nope: No such file or directory
  1
  ptx: invalid gap width: ‘0’
  ptx: invalid gap width: ‘x’
  ptx: invalid line width: ‘-1’
  ptx: invalid line width: ‘3k’
  1
  ptx: invalid argument ‘x’ for ‘--format’
  Valid arguments are:
    - ‘roff’
    - ‘tex’
  Try 'ptx --help' for more information.
  1
  ptx: extra operand ‘x’
  Try 'ptx --help' for more information.
  1
  ptx: Unmatched ( or \( (for regexp ‘\\(’)
  ptx: Invalid regular expression (for regexp ‘[’)
  1
  ptx: nope: No such file or directory
  ptx: nope: No such file or directory
  ptx: 'a:b': No such file or directory
  ptx: .: Is a directory
  ptx: invalid option -- 'Z'
  Try 'ptx --help' for more information.
  jumps          over the lazy dog. The   End
  jumps              over the lazy dog.   The End
  The                             quick   brown fox
  jumps                   over the lazy   dog. The End
  The                       quick brown   fox
  jumps                        over the   lazy dog. The End
  jumps                                   over the lazy dog. The End
  The                                     quick brown fox
  jumps                            over   the lazy dog. The End
  ptx: error: regular expression has a match of length zero: ‘\n’
  1
