; atomicrmw min, max, umin, umax, uinc_wrap, udec_wrap and fadd; zero exit means all agree.
@cell = global i32 -5
@real = global double 1.5

define i32 @main() {
  %a = atomicrmw max ptr @cell, i32 3 seq_cst
  %b = atomicrmw umax ptr @cell, i32 -9 seq_cst
  %c = atomicrmw min ptr @cell, i32 -20 monotonic
  %d = atomicrmw umin ptr @cell, i32 17 acq_rel
  %e = atomicrmw uinc_wrap ptr @cell, i32 17 seq_cst
  %f = atomicrmw udec_wrap ptr @cell, i32 30 seq_cst
  %g = load atomic i32, ptr @cell seq_cst, align 4
  %h = atomicrmw fadd ptr @real, double 2.0 seq_cst
  %i = load double, ptr @real
  %j = fptosi double %i to i32
  %s1 = add i32 %a, %b
  %s2 = add i32 %c, %d
  %s3 = add i32 %e, %f
  %s4 = add i32 %g, %j
  %t1 = add i32 %s1, %s2
  %t2 = add i32 %s3, %s4
  %t = add i32 %t1, %t2
  ; -5 + 3 + -9 + -20 + 17 + 0 + 30 + 3
  %ok = icmp eq i32 %t, 19
  br i1 %ok, label %good, label %bad
good:
  ret i32 0
bad:
  call void @abort()
  unreachable
}

declare void @abort()
