; fshl and fshr, where the amount is taken modulo the width; zero exit means all agree.
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i24 @llvm.fshr.i24(i24, i24, i24)

@amount = global i32 36

define internal void @expect(i32 %got, i32 %want) {
  %same = icmp eq i32 %got, %want
  br i1 %same, label %good, label %bad
good:
  ret void
bad:
  call void @abort()
  unreachable
}

define i32 @main() {
  %n = load volatile i32, ptr @amount
  %a = call i32 @llvm.fshl.i32(i32 305419896, i32 -1, i32 %n)
  call void @expect(i32 %a, i32 591751055)
  %b = call i32 @llvm.fshr.i32(i32 305419896, i32 -16, i32 %n)
  call void @expect(i32 %b, i32 -1879048193)
  %c = call i32 @llvm.fshl.i32(i32 5, i32 9, i32 32)
  call void @expect(i32 %c, i32 5)
  %d = call i32 @llvm.fshr.i32(i32 5, i32 9, i32 64)
  call void @expect(i32 %d, i32 9)
  %n8 = trunc i32 %n to i8
  %e = call i8 @llvm.fshl.i8(i8 -127, i8 -127, i8 %n8)
  %e32 = zext i8 %e to i32
  call void @expect(i32 %e32, i32 24)
  %n24 = trunc i32 %n to i24
  %f = call i24 @llvm.fshr.i24(i24 1, i24 4096, i24 %n24)
  %f32 = zext i24 %f to i32
  call void @expect(i32 %f32, i32 4097)
  ret i32 0
}

declare void @abort()
