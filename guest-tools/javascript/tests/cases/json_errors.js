// What is wrong with a text, in Node's words.
for (const t of ['', '{bad}','abc','[1,]','{"a":1,}','{"a" 1}','[1 2]','{"a":1 "b"}','"abc','"a\x01"','"\\q"','"\\u12"','1 2','01','-','-a','1.','1.a','1e','1ea','[1.]','{"a"','{"a":','{"a":1','[','[1','[1,','{','{"a":1,','tru','trux','nul','undefined','[object Object]','NaN','Infinity','{"a":undefined}','[1,2,3,4,5,6,7,8,9,10,x,12,13,14,15,16]','xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx','[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16','[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,x','{"a":1 , 5:3}','{"a":"b" "c"}','[1"a"]',"{'a':1}",'{5:1}','{true:1}','[tru]','"a\nb"','\u00a01','{"a":.5}','[-01]','+1','"\\ud800"', ' ', '1e5', '-0', '1E+400','{"__proto__":1}','"\\u00zz"','"\\','"\\u', 'nul1','fals e','[1]]','{}}','/*a*/1','\ufeff1','"é\\x"', 'é']) {
  try { const v = JSON.parse(t); console.log(JSON.stringify(t), 'ok', v, Object.is(v,-0)); } catch (e) { console.log(JSON.stringify(t), e.name, e.message); }
}
try { JSON.parse(undefined) } catch (e) { console.log(e.message) }
try { JSON.parse({}) } catch (e) { console.log(e.message) }
