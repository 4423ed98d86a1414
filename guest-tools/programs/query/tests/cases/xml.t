# xmllint 20914; its messages go to standard error, where ours are shorter.
% printf '<?xml version="1.0"?>\n<r a="1"><i id="x">one</i><i id="y">two &amp; <b>bold</b></i><!-- c --><e/><t>  </t></r>\n' > x.xml
% printf '<?xml version="1.0" encoding="UTF-8"?>\n<books>\n  <book year="2001"><title>A</title><price>10.5</price></book>\n  <book year="1999"><title>B &lt;x&gt;</title><price>20</price></book>\n  <?pi some data?>\n  <n:x xmlns:n="urn:n"><n:y/></n:x>\n  <![CDATA[a<b]]>\n</books>\n' > b.xml; printf '<f xmlns="urn:d"><g/></f>' > d.xml

$ xmllint x.xml; xmllint --format x.xml; xmllint --noblanks x.xml; xmllint --noout x.xml; echo $?; xmllint --format b.xml; xmllint b.xml; xmllint --format d.xml; cat x.xml | xmllint --format -
  <?xml version="1.0"?>
  <r a="1"><i id="x">one</i><i id="y">two &amp; <b>bold</b></i><!-- c --><e/><t>  </t></r>
  <?xml version="1.0"?>
  <r a="1">
    <i id="x">one</i>
    <i id="y">two &amp; <b>bold</b></i>
    <!-- c -->
    <e/>
    <t>  </t>
  </r>
  <?xml version="1.0"?>
  <r a="1"><i id="x">one</i><i id="y">two &amp; <b>bold</b></i><!-- c --><e/><t>  </t></r>
  0
  <?xml version="1.0" encoding="UTF-8"?>
  <books><book year="2001"><title>A</title><price>10.5</price></book><book year="1999"><title>B &lt;x&gt;</title><price>20</price></book><?pi some data?><n:x xmlns:n="urn:n"><n:y/></n:x><![CDATA[a<b]]></books>
  <?xml version="1.0" encoding="UTF-8"?>
  <books>
    <book year="2001"><title>A</title><price>10.5</price></book>
    <book year="1999"><title>B &lt;x&gt;</title><price>20</price></book>
    <?pi some data?>
    <n:x xmlns:n="urn:n"><n:y/></n:x>
    <![CDATA[a<b]]>
  </books>
  <?xml version="1.0"?>
  <f xmlns="urn:d">
    <g/>
  </f>
  <?xml version="1.0"?>
  <r a="1">
    <i id="x">one</i>
    <i id="y">two &amp; <b>bold</b></i>
    <!-- c -->
    <e/>
    <t>  </t>
  </r>

$ xmllint --xpath '//i' x.xml; xmllint --xpath '//i/text()' x.xml; xmllint --xpath '//i/@id' x.xml; xmllint --xpath 'string(//i[2])' x.xml; xmllint --xpath 'count(//i)' x.xml; xmllint --xpath 'boolean(//i)' x.xml; xmllint --xpath '//comment()' x.xml
  <i id="x">one</i>
  <i id="y">two &amp; <b>bold</b></i>
  one
  two &amp; 
   id="x"
   id="y"
  two & bold
  2
  true
  <!-- c -->

$ xmllint --xpath '/books/book[@year="1999"]/title/text()' b.xml; xmllint --xpath '//book[price>15]/title' b.xml; xmllint --xpath 'sum(//price)' b.xml; xmllint --xpath '//book[1]/@year' b.xml; xmllint --xpath '//book[last()]/price/text()' b.xml; xmllint --xpath '//book[position()=2]/title' b.xml
  B &lt;x&gt;
  <title>B &lt;x&gt;</title>
  30.5
   year="2001"
  20
  <title>B &lt;x&gt;</title>

$ xmllint --xpath '//title[contains(., "A")]' b.xml; xmllint --xpath '//book[starts-with(title, "B")]/@year' b.xml; xmllint --xpath 'concat(//title[1], "-", //price[1])' b.xml; xmllint --xpath 'normalize-space("  a  b ")' b.xml; xmllint --xpath 'substring("hello", 2, 3)' b.xml; xmllint --xpath 'translate("abc", "ab", "X")' b.xml
  <title>A</title>
   year="1999"
  A-10.5
  a b
  ell
  Xc

$ xmllint --xpath 'name(/*)' b.xml; xmllint --xpath "local-name(//*[local-name()='y'])" b.xml; xmllint --xpath "namespace-uri(//*[local-name()='y'])" b.xml; xmllint --xpath "//*[local-name()='x']" b.xml; xmllint --xpath '//f' d.xml 2>/dev/null; echo $?; xmllint --xpath "//*[local-name()='g']" d.xml
  books
  y
  urn:n
  <n:x xmlns:n="urn:n"><n:y/></n:x>
  10
  <g/>

$ xmllint --xpath '//price/parent::book/@year' b.xml; xmllint --xpath '//title/following-sibling::price' b.xml; xmllint --xpath '//book[2]/preceding-sibling::book/title' b.xml; xmllint --xpath '//b/ancestor::i/@id' x.xml; xmllint --xpath '//e/preceding::b' x.xml; xmllint --xpath '//i/descendant-or-self::*' x.xml; xmllint --xpath '//book/..//processing-instruction()' b.xml
   year="2001"
   year="1999"
  <price>10.5</price>
  <price>20</price>
  <title>A</title>
   id="y"
  <b>bold</b>
  <i id="x">one</i>
  <i id="y">two &amp; <b>bold</b></i>
  <b>bold</b>
  <?pi some data?>

$ xmllint --xpath '1 div 3' x.xml; xmllint --xpath '7 mod 4 + 2 * 3 - -1' x.xml; xmllint --xpath '1000000 * 1000000' x.xml; xmllint --xpath '1 = 1 and not(2 < 1)' x.xml; xmllint --xpath '"a" or ""' x.xml; xmllint --xpath '1 div 0' x.xml; xmllint --xpath 'number("x")' x.xml; xmllint --xpath 'round(2.5) + floor(1.9) + ceiling(1.1)' x.xml; xmllint --xpath 'string(1.50)' x.xml
  0.333333
  10
  1e+12
  true
  true
  Infinity
  NaN
  6
  1.5

$ xmllint --xpath '//e | //t | //b' x.xml; xmllint --xpath '(//i)[2]/b' x.xml; xmllint --xpath '//i[b]/@id' x.xml; xmllint --xpath '//i[@id!="x"]/@id' x.xml; xmllint --xpath '/r/@a' x.xml; xmllint --xpath '//@*' x.xml; xmllint --xpath 'string-length(//i[1])' x.xml; xmllint --xpath '//i[string-length(text()) = 3]/@id' x.xml; xmllint --xpath './/i[1]/@id' x.xml; xmllint --xpath '/r/*[3]' x.xml
  <b>bold</b>
  <e/>
  <t>  </t>
  <b>bold</b>
   id="y"
   id="y"
   a="1"
   a="1"
   id="x"
   id="y"
  3
   id="x"
   id="x"
  <e/>

$ xmllint --xpath '//nosuch' x.xml 2>/dev/null; echo $?; xmllint --xpath '//i[' x.xml 2>/dev/null; echo $?; xmllint --xpath 'nosuch()' x.xml 2>/dev/null; echo $?; xmllint --xpath '//p:q' x.xml 2>/dev/null; echo $?; xmllint nosuch.xml 2>/dev/null; echo $?; xmllint --nope x.xml 2>/dev/null; echo $?
  10
  10
  10
  10
  1
  1

$ printf '<a><b></a>' | xmllint --noout - 2>/dev/null; echo $?; printf '<a></a><b/>' | xmllint --noout - 2>/dev/null; echo $?; printf 'hello' | xmllint --noout - 2>/dev/null; echo $?; printf '<a>&nosuch;</a>' | xmllint --noout - 2>/dev/null; echo $?; printf '<a b="1" b="2"/>' | xmllint --noout - 2>/dev/null; echo $?; printf '<a b=1/>' | xmllint --noout - 2>/dev/null; echo $?
  1
  1
  1
  1
  1
  1

$ xmllint --format --output o.xml x.xml; cat o.xml; printf '<a><b>x</b> tail</a>' | xmllint --format -; printf '<a>\n\n<b/>\n</a>' | xmllint --format -; printf '<a b="&quot;&#10;&lt;"/>' | xmllint -; printf '<!DOCTYPE html>\n<html><p>x</p></html>' | xmllint --format -
  <?xml version="1.0"?>
  <r a="1">
    <i id="x">one</i>
    <i id="y">two &amp; <b>bold</b></i>
    <!-- c -->
    <e/>
    <t>  </t>
  </r>
  <?xml version="1.0"?>
  <a><b>x</b> tail</a>
  <?xml version="1.0"?>
  <a>
    <b/>
  </a>
  <?xml version="1.0"?>
  <a b="&quot;&#10;&lt;"/>
  <?xml version="1.0"?>
  <!DOCTYPE html>
  <html>
    <p>x</p>
  </html>

$ echo "<a><b>3</b></a>" > m.xml; for p in "--1" "- - -1" "-(-2)" "---/a/b" "2--1" "-/a/b * -2"; do xmllint --xpath "$p" m.xml; done
  1
  -1
  2
  -3
  3
  6
