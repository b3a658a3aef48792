; Reductions, masked selects and <N x i1> logic as written by the vectoriser; zero exit means all agree.
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.mul.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.smax.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.umin.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.xor.v4i32(<4 x i32>)
declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>)
declare i1 @llvm.vector.reduce.and.v4i1(<4 x i1>)

@input = global <4 x i32> <i32 3, i32 -5, i32 7, i32 2>

define i32 @main() {
  %v = load volatile <4 x i32>, ptr @input
  %sum = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  %product = call i32 @llvm.vector.reduce.mul.v4i32(<4 x i32> %v)
  %smax = call i32 @llvm.vector.reduce.smax.v4i32(<4 x i32> %v)
  %umin = call i32 @llvm.vector.reduce.umin.v4i32(<4 x i32> %v)
  %xor = call i32 @llvm.vector.reduce.xor.v4i32(<4 x i32> %v)
  %positive = icmp sgt <4 x i32> %v, zeroinitializer
  %any = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %positive)
  %all = call i1 @llvm.vector.reduce.and.v4i1(<4 x i1> %positive)
  %mask = bitcast <4 x i1> %positive to i4
  %chosen = select <4 x i1> %positive, <4 x i32> %v, <4 x i32> zeroinitializer
  %clamped = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %chosen)
  %c1 = icmp ne i32 %sum, 7
  %c2 = icmp ne i32 %product, -210
  %c3 = icmp ne i32 %smax, 7
  %c4 = icmp ne i32 %umin, 2
  %c5 = icmp ne i32 %xor, -3
  %c6 = icmp ne i4 %mask, 13
  %c7 = icmp ne i32 %clamped, 12
  %not.any = xor i1 %any, true
  %o1 = or i1 %c1, %c2
  %o2 = or i1 %c3, %c4
  %o3 = or i1 %c5, %c6
  %o4 = or i1 %c7, %all
  %p1 = or i1 %o1, %o2
  %p2 = or i1 %o3, %o4
  %p3 = or i1 %p1, %p2
  %p4 = or i1 %p3, %not.any
  br i1 %p4, label %wrong, label %right
wrong:
  call void @abort()
  unreachable
right:
  ret i32 0
}

declare void @abort()
