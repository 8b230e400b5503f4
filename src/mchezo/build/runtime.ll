; What compiled code needs besides itself: arrays made in kernels, as Numba's runtime has them.
; A MemInfo is { i64 references, ptr destructor, ptr its argument, ptr data, i64 size, ptr allocator }.

%meminfo = type { i64, ptr, ptr, ptr, i64, ptr }

; python.ll or arena.ll: a block of memory, null where there is none; and giving it back.
declare ptr @NRT_Allocate(i64)
declare void @NRT_Free(ptr)

; One block holds the MemInfo and, behind it at the next multiple of 64, the data.
define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %room = add i64 %size, 128
  %info = call ptr @NRT_Allocate(i64 %room)
  %none = icmp eq ptr %info, null
  br i1 %none, label %failed, label %made
failed:
  ret ptr null
made:
  %address = ptrtoint ptr %info to i64
  %behind = add i64 %address, 111
  %begin = and i64 %behind, -64
  %data = inttoptr i64 %begin to ptr
  store i64 1, ptr %info
  %destructor = getelementptr %meminfo, ptr %info, i32 0, i32 1
  store ptr null, ptr %destructor
  %at = getelementptr %meminfo, ptr %info, i32 0, i32 3
  store ptr %data, ptr %at
  %length = getelementptr %meminfo, ptr %info, i32 0, i32 4
  store i64 %size, ptr %length
  ret ptr %info
}

define ptr @NRT_MemInfo_alloc(i64 %size) {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 8)
  ret ptr %info
}

define ptr @NRT_MemInfo_alloc_safe_aligned(i64 %size, i32 %align) {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align)
  ret ptr %info
}

define ptr @NRT_MemInfo_alloc_aligned_external(i64 %size, i32 %align, ptr %allocator) {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align)
  ret ptr %info
}

define void @NRT_MemInfo_call_dtor(ptr %info) {
  call void @NRT_Free(ptr %info)
  ret void
}

; Numba calls it only for the text of an exception, which is not kept.
define double @log10_of_text(double %number) {
  ret double 0.0
}
