; insertvalue, extractvalue, undef members and a phi of a struct value; zero exit means all agree.
define internal { i32, [2 x i64] } @make(i32 %a, i64 %b) noinline {
  %s0 = insertvalue { i32, [2 x i64] } undef, i32 %a, 0
  %s1 = insertvalue { i32, [2 x i64] } %s0, i64 %b, 1, 1
  %s2 = insertvalue { i32, [2 x i64] } %s1, i64 7, 1, 0
  ret { i32, [2 x i64] } %s2
}

@choice = global i32 1
@slot = global { i32, [2 x i64] } zeroinitializer

define i32 @main() {
entry:
  %c = load volatile i32, ptr @choice
  %flag = icmp eq i32 %c, 1
  br i1 %flag, label %left, label %join
left:
  %made = call { i32, [2 x i64] } @make(i32 %c, i64 -9)
  br label %join
join:
  %v = phi { i32, [2 x i64] } [ %made, %left ], [ zeroinitializer, %entry ]
  store { i32, [2 x i64] } %v, ptr @slot
  %p = getelementptr { i32, [2 x i64] }, ptr @slot, i32 0, i32 1, i64 1
  %stored = load i64, ptr %p
  %array = extractvalue { i32, [2 x i64] } %v, 1
  %seven = extractvalue [2 x i64] %array, 0
  %one = extractvalue { i32, [2 x i64] } %v, 0
  %chosen = select i1 %flag, [2 x i64] %array, [2 x i64] zeroinitializer
  %nine = extractvalue [2 x i64] %chosen, 1
  %s = add i64 %stored, %seven
  %t = add i64 %s, %nine
  %w = zext i32 %one to i64
  %u = add i64 %t, %w
  %ok = icmp eq i64 %u, -10
  %code = select i1 %ok, i32 0, i32 5
  br i1 %ok, label %good, label %bad
good:
  ret i32 %code
bad:
  call void @abort()
  unreachable
}

declare void @abort()
