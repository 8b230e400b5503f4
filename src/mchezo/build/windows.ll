; What a library needs where it is linked without a C library: an entry, and the moving of memory.

define dllexport i32 @DllMainCRTStartup(ptr %module, i32 %reason, ptr %reserved) {
  ret i32 1
}

define ptr @memset(ptr %to, i32 %value, i64 %count) noinline "no-builtins" {
entry:
  %byte = trunc i32 %value to i8
  %none = icmp eq i64 %count, 0
  br i1 %none, label %done, label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %loop ]
  %target = getelementptr i8, ptr %to, i64 %at
  store i8 %byte, ptr %target
  %next = add i64 %at, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %loop
done:
  ret ptr %to
}

define ptr @memcpy(ptr %to, ptr %from, i64 %count) noinline "no-builtins" {
entry:
  %words = lshr i64 %count, 3
  %none = icmp eq i64 %words, 0
  br i1 %none, label %rest, label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %loop ]
  %source = getelementptr i64, ptr %from, i64 %at
  %target = getelementptr i64, ptr %to, i64 %at
  %word = load i64, ptr %source, align 1
  store i64 %word, ptr %target, align 1
  %next = add i64 %at, 1
  %end = icmp eq i64 %next, %words
  br i1 %end, label %rest, label %loop
rest:
  %done = and i64 %count, -8
  %left = icmp eq i64 %done, %count
  br i1 %left, label %finished, label %bytes
bytes:
  %byte_at = phi i64 [ %done, %rest ], [ %byte_next, %bytes ]
  %byte_source = getelementptr i8, ptr %from, i64 %byte_at
  %byte_target = getelementptr i8, ptr %to, i64 %byte_at
  %byte = load i8, ptr %byte_source
  store i8 %byte, ptr %byte_target
  %byte_next = add i64 %byte_at, 1
  %byte_end = icmp eq i64 %byte_next, %count
  br i1 %byte_end, label %finished, label %bytes
finished:
  ret ptr %to
}

; Backwards where the source would be overwritten before it is read.
define ptr @memmove(ptr %to, ptr %from, i64 %count) noinline "no-builtins" {
entry:
  %a = ptrtoint ptr %to to i64
  %b = ptrtoint ptr %from to i64
  %distance = sub i64 %a, %b
  %overlaps = icmp ult i64 %distance, %count
  br i1 %overlaps, label %loop, label %forwards
forwards:
  %copied = call ptr @memcpy(ptr %to, ptr %from, i64 %count)
  ret ptr %to
loop:
  %left = phi i64 [ %count, %entry ], [ %at, %loop ]
  %at = sub i64 %left, 1
  %source = getelementptr i8, ptr %from, i64 %at
  %target = getelementptr i8, ptr %to, i64 %at
  %byte = load i8, ptr %source
  store i8 %byte, ptr %target
  %end = icmp eq i64 %at, 0
  br i1 %end, label %finished, label %loop
finished:
  ret ptr %to
}
