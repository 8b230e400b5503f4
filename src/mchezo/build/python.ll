; Memory from Python.

; Set when the library is loaded.
@allocate = global ptr null
@release = global ptr null

define ptr @NRT_Allocate(i64 %size) {
  %function = load ptr, ptr @allocate
  %block = call ptr %function(i64 %size)
  ret ptr %block
}

define void @NRT_Free(ptr %block) {
  %function = load ptr, ptr @release
  call void %function(ptr %block)
  ret void
}
