"""What threads agree on when they meet, for each kind of target.

These are the functions that the code of threads calls, in LLVM's language, and the kernel that
calls the function of a thread.
"""

from __future__ import annotations

_DECLARED = """
declare void @thread(ptr)
declare i32 @llvm.nvvm.redux.sync.umin(i32, i32)
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.ctpop.i32(i32)
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
"""

ALONE = """
define linkonce_odr i32 @lowest(i32 %meeting, i32 %number) alwaysinline {
  ret i32 %number
}
define linkonce_odr i32 @most(i32 %meeting, i32 %number) alwaysinline {
  ret i32 %number
}
"""
"""For a processor, on which each thread goes its own way."""

APART = f"""{_DECLARED}
define ptx_kernel void @kernel(ptr %job) "nvvm.maxnreg"="128" {{
  %global = addrspacecast ptr %job to ptr addrspace(1)
  %generic = addrspacecast ptr addrspace(1) %global to ptr
  call void @thread(ptr %generic)
  ret void
}}
"""
"""For threads that never meet. What they compute is straight-line code, and wants registers."""

WARPS = f"""{_DECLARED}
define linkonce_odr i32 @lowest(i32 %meeting, i32 %number) alwaysinline convergent {{
  %lowest = call i32 @llvm.nvvm.redux.sync.umin(i32 %number, i32 -1)
  ret i32 %lowest
}}
define linkonce_odr i32 @most(i32 %meeting, i32 %number) alwaysinline convergent {{
  %same = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %number)
  %count = call i32 @llvm.ctpop.i32(i32 %same)
  %high = shl i32 %count, 16
  %key = or i32 %high, %number
  %best = call i32 @llvm.nvvm.redux.sync.umax(i32 %key, i32 -1)
  %most = and i32 %best, 65535
  ret i32 %most
}}
define ptx_kernel void @kernel(ptr %job) "nvvm.maxnreg"="64" {{
  %global = addrspacecast ptr %job to ptr addrspace(1)
  %generic = addrspacecast ptr addrspace(1) %global to ptr
  call void @thread(ptr %generic)
  ret void
}}
"""
"""For the 32 threads of a warp, which execute the same instruction anyway."""

BLOCKS = f"""{_DECLARED}
; A number for each of three meetings: the current one, the last one and the next one.
@slots = internal addrspace(3) global [3 x i32] poison
; How many have a number, by its last bits.
@counts = internal addrspace(3) global [64 x i32] poison
@best = internal addrspace(3) global i32 poison

define internal void @offer(ptr addrspace(3) %slot, i32 %number) alwaysinline convergent {{
  %lowest = call i32 @llvm.nvvm.redux.sync.umin(i32 %number, i32 -1)
  %here = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  %before = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
  %others = and i32 %here, %before
  %is_first = icmp eq i32 %others, 0
  br i1 %is_first, label %tell, label %end
tell:
  %old = atomicrmw umin ptr addrspace(3) %slot, i32 %lowest monotonic
  br label %end
end:
  ret void
}}
define linkonce_odr i32 @lowest(i32 %meeting, i32 %number) alwaysinline convergent {{
  %index = urem i32 %meeting, 3
  %slot = getelementptr i32, ptr addrspace(3) @slots, i32 %index
  call void @offer(ptr addrspace(3) %slot, i32 %number)
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  %lowest = load volatile i32, ptr addrspace(3) %slot
  %later = add i32 %meeting, 2
  %free = urem i32 %later, 3
  %next = getelementptr i32, ptr addrspace(3) @slots, i32 %free
  store volatile i32 -1, ptr addrspace(3) %next
  ret i32 %lowest
}}
define linkonce_odr i32 @most(i32 %meeting, i32 %number) alwaysinline convergent {{
  store volatile i32 -1, ptr addrspace(3) @best
  %same = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %number)
  %before = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
  %others = and i32 %same, %before
  %is_first = icmp eq i32 %others, 0
  %index = and i32 %number, 63
  %place = getelementptr i32, ptr addrspace(3) @counts, i32 %index
  br i1 %is_first, label %tell, label %wait
tell:
  %count = call i32 @llvm.ctpop.i32(i32 %same)
  %old = atomicrmw add ptr addrspace(3) %place, i32 %count monotonic
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  %sum = load volatile i32, ptr addrspace(3) %place
  %few = sub i32 65535, %sum
  %high = shl i32 %few, 16
  %key = or i32 %high, %number
  call void @offer(ptr addrspace(3) @best, i32 %key)
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  store volatile i32 0, ptr addrspace(3) %place
  %best = load volatile i32, ptr addrspace(3) @best
  %most = and i32 %best, 65535
  ret i32 %most
}}
define ptx_kernel void @kernel(ptr %job) "nvvm.maxnreg"="64" {{
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %index = urem i32 %thread, 3
  %slot = getelementptr i32, ptr addrspace(3) @slots, i32 %index
  store volatile i32 -1, ptr addrspace(3) %slot
  %number = and i32 %thread, 63
  %place = getelementptr i32, ptr addrspace(3) @counts, i32 %number
  store volatile i32 0, ptr addrspace(3) %place
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  %global = addrspacecast ptr %job to ptr addrspace(1)
  %generic = addrspacecast ptr addrspace(1) %global to ptr
  call void @thread(ptr %generic)
  ret void
}}
"""
"""For all threads of a block. Waiting takes longer, but more threads need the same instructions,
and fetching these is what takes most of the time in large games."""
