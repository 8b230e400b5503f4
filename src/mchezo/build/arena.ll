; Memory from an arena, for one thread: the loader says where it begins and ends, and nothing outside is given away.
; Blocks have powers of two as sizes; released ones are kept in lists by size. The logarithm of a block's size stands 16
; bytes before it.

; Set when the module is loaded: the first byte not yet given away, and the end.
@arena = global [2 x i64] zeroinitializer
@released = internal global [31 x ptr] zeroinitializer

declare i64 @llvm.ctlz.i64(i64, i1)

define ptr @NRT_Allocate(i64 %size) {
  %large = icmp ugt i64 %size, 1000000000
  br i1 %large, label %full, label %fits
fits:
  %with = add i64 %size, 15
  %zeros = call i64 @llvm.ctlz.i64(i64 %with, i1 false)
  %class = sub i64 64, %zeros
  %list = getelementptr [31 x ptr], ptr @released, i64 0, i64 %class
  %first = load ptr, ptr %list
  %none = icmp eq ptr %first, null
  br i1 %none, label %new, label %again
again:
  %next = load ptr, ptr %first
  store ptr %next, ptr %list
  ret ptr %first
new:
  %free = load i64, ptr @arena
  %up = add i64 %free, 15
  %begin = and i64 %up, -16
  %bytes = shl i64 1, %class
  %behind = add i64 %begin, %bytes
  %end_at = getelementptr [2 x i64], ptr @arena, i64 0, i64 1
  %end = load i64, ptr %end_at
  %beyond = icmp ugt i64 %behind, %end
  br i1 %beyond, label %full, label %ready
ready:
  store i64 %behind, ptr @arena
  %head = inttoptr i64 %begin to ptr
  store i64 %class, ptr %head
  %block = getelementptr i8, ptr %head, i64 16
  ret ptr %block
full:
  ret ptr null
}

define void @NRT_Free(ptr %block) {
  %head = getelementptr i8, ptr %block, i64 -16
  %class = load i64, ptr %head
  %list = getelementptr [31 x ptr], ptr @released, i64 0, i64 %class
  %next = load ptr, ptr %list
  store ptr %next, ptr %block
  store ptr %block, ptr %list
  ret void
}
