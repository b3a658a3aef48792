; The null pointer has size 0 where its size is not said to be unknown; sizes may have 32 bits.
;@ opt: O0
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
declare i32 @llvm.objectsize.i32.p0(ptr, i1, i1, i1)

define i32 @main() {
  %object = alloca [12 x i8]
  %null = inttoptr i64 0 to ptr
  %a = call i64 @llvm.objectsize.i64.p0(ptr %null, i1 false, i1 false, i1 true)
  %b = call i64 @llvm.objectsize.i64.p0(ptr %null, i1 true, i1 true, i1 true)
  %c = call i32 @llvm.objectsize.i32.p0(ptr %null, i1 false, i1 true, i1 true)
  %d = call i32 @llvm.objectsize.i32.p0(ptr %object, i1 false, i1 true, i1 false)
  %e = add i64 %a, %b
  %f = trunc i64 %e to i32
  %g = add i32 %c, 1
  %h = sub i32 %d, 12
  %i = or i32 %f, %g
  %j = or i32 %i, %h
  ret i32 %j
}
