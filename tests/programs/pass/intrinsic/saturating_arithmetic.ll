; Saturating add, subtract and shift, signed and unsigned, at the edges; zero exit means all agree.
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.uadd.sat.i8(i8, i8)
declare i8 @llvm.ssub.sat.i8(i8, i8)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare i8 @llvm.sshl.sat.i8(i8, i8)
declare i8 @llvm.ushl.sat.i8(i8, i8)
declare <2 x i16> @llvm.uadd.sat.v2i16(<2 x i16>, <2 x i16>)

@hundred = global i8 100
@vector = global <2 x i16> <i16 -10, i16 5>

define internal void @expect(i8 %got, i8 %want) {
  %same = icmp eq i8 %got, %want
  br i1 %same, label %good, label %bad
good:
  ret void
bad:
  call void @abort()
  unreachable
}

define i32 @main() {
  %h = load volatile i8, ptr @hundred
  %n = sub i8 0, %h
  %a = call i8 @llvm.sadd.sat.i8(i8 %h, i8 100)
  call void @expect(i8 %a, i8 127)
  %b = call i8 @llvm.sadd.sat.i8(i8 %n, i8 -100)
  call void @expect(i8 %b, i8 -128)
  %c = call i8 @llvm.uadd.sat.i8(i8 %h, i8 200)
  call void @expect(i8 %c, i8 -1)
  %d = call i8 @llvm.ssub.sat.i8(i8 %n, i8 100)
  call void @expect(i8 %d, i8 -128)
  %e = call i8 @llvm.usub.sat.i8(i8 %h, i8 101)
  call void @expect(i8 %e, i8 0)
  %f = call i8 @llvm.sshl.sat.i8(i8 %h, i8 1)
  call void @expect(i8 %f, i8 127)
  %g = call i8 @llvm.ushl.sat.i8(i8 %h, i8 2)
  call void @expect(i8 %g, i8 -1)
  %i = call i8 @llvm.sshl.sat.i8(i8 3, i8 4)
  call void @expect(i8 %i, i8 48)
  %v = load <2 x i16>, ptr @vector
  %w = call <2 x i16> @llvm.uadd.sat.v2i16(<2 x i16> %v, <2 x i16> <i16 20, i16 20>)
  %x = extractelement <2 x i16> %w, i32 1
  %y = trunc i16 %x to i8
  call void @expect(i8 %y, i8 25)
  %z = extractelement <2 x i16> %w, i32 0
  %u = trunc i16 %z to i8
  call void @expect(i8 %u, i8 -1)
  ret i32 0
}

declare void @abort()
