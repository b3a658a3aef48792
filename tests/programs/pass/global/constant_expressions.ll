; Constant expressions as operands and in initialisers: getelementptr, ptrtoint, sub, inttoptr, trunc.
@array = global [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8]
@offset = global i64 sub (i64 ptrtoint (ptr getelementptr ([8 x i32], ptr @array, i64 0, i64 5) to i64), i64 ptrtoint (ptr @array to i64))
@low = global i32 trunc (i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @array, i64 12) to i64), i64 ptrtoint (ptr @array to i64)) to i32)
@pointer = global ptr inttoptr (i64 add (i64 ptrtoint (ptr @array to i64), i64 24) to ptr)
@nested = global { ptr, [2 x ptr] } { ptr @main, [2 x ptr] [ptr @array, ptr getelementptr inbounds ([8 x i32], ptr @array, i64 0, i64 7)] }

define i32 @main() {
  %o = load i64, ptr @offset
  %l = load i32, ptr @low
  %p = load ptr, ptr @pointer
  %seven = load i32, ptr %p
  %q = load ptr, ptr getelementptr ({ ptr, [2 x ptr] }, ptr @nested, i64 0, i32 1, i64 1)
  %eight = load i32, ptr %q
  %two = load i32, ptr getelementptr ([8 x i32], ptr @array, i64 0, i64 1)
  %f = load ptr, ptr @nested
  %self = icmp eq ptr %f, @main
  %o32 = trunc i64 %o to i32
  %s1 = add i32 %o32, %l
  %s2 = add i32 %seven, %eight
  %s3 = add i32 %s1, %s2
  %s4 = add i32 %s3, %two
  %right = icmp eq i32 %s4, 49
  %ok = and i1 %right, %self
  br i1 %ok, label %good, label %bad
good:
  ret i32 0
bad:
  call void @abort()
  unreachable
}

declare void @abort()
