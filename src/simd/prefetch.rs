//! Asking for memory ahead of its use. Knows one instruction a processor.

/// Asks for the cache line that `value` starts on, without waiting for it. Nothing on processors
/// that no instruction is known for.
#[inline]
pub fn prefetch<T>(value: &T) {
    let line = std::ptr::from_ref(value).cast::<i8>();

    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing the program can see, and SSE is part of x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(line);
    }

    #[cfg(target_arch = "aarch64")]
    // SAFETY: `prfm` is a hint: it changes no register, no flag and no memory.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{line}]",
            line = in(reg) line,
            options(nostack, preserves_flags, readonly)
        );
    }

    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = line;
}
