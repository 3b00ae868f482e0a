//! Large blocks of zeros in large pages, where the system has them: tables that are looked up all over
//! the place then miss the processor's list of pages far less often. Knows memory only.

use std::{
    alloc::{Layout, alloc_zeroed, dealloc},
    ops::{Deref, DerefMut},
    ptr::NonNull,
    sync::atomic::AtomicU64,
};

/// The size of a large page on the processors that have them, and what blocks as large are aligned to.
const LARGE_PAGE: usize = 2 << 20;
/// What smaller blocks are aligned to: a cache line.
const CACHE_LINE: usize = 64;

/// Types that may consist of nothing but zero bytes.
///
/// # Safety
/// Zero bytes must be a value of the type, and dropping it must do nothing.
pub unsafe trait Zeroed {}

// SAFETY: zero bytes are the number 0.
unsafe impl Zeroed for i16 {}
// SAFETY: zero bytes are the number 0.
unsafe impl Zeroed for u64 {}
// SAFETY: zero bytes are the number 0.
unsafe impl Zeroed for AtomicU64 {}
// SAFETY: an array is its elements one after the other.
unsafe impl<T: Zeroed, const N: usize> Zeroed for [T; N] {}

/// Whether the system still has so many bytes, and some more for all that is small. A thread whose stack takes the
/// last of the memory cannot even tell so.
pub fn has_room(bytes: usize) -> bool {
    Zeros::<u64>::new(bytes / size_of::<u64>()).is_some()
}

/// A slice on the heap that begins as zeros, aligned to cache lines at least.
#[derive(Debug)]
pub struct Zeros<T: Zeroed> {
    start: NonNull<T>,
    len: usize,
    layout: Layout,
}

// SAFETY: it owns its elements like a boxed slice.
unsafe impl<T: Zeroed + Send> Send for Zeros<T> {}
// SAFETY: shared, it gives shared access to its elements alone, like a boxed slice.
unsafe impl<T: Zeroed + Sync> Sync for Zeros<T> {}

impl<T: Zeroed> Zeros<T> {
    /// So many elements. Memory that the system hands out in pages is found when it is first written.
    /// `None`: there is no such memory.
    pub fn new(len: usize) -> Option<Self> {
        let layout = Layout::array::<T>(len).ok()?;
        let align = if layout.size() >= LARGE_PAGE { LARGE_PAGE } else { CACHE_LINE };
        let layout = layout.align_to(align).ok()?;
        if layout.size() == 0 {
            return Some(Self { start: NonNull::dangling(), len, layout });
        }
        #[cfg(target_os = "linux")]
        if layout.size() >= LARGE_PAGE {
            let start = linux::map(layout)?.cast();
            return Some(Self { start, len, layout });
        }
        // SAFETY: the layout's size is not zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?.cast();
        Some(Self { start, len, layout })
    }
}

impl<T: Zeroed> Deref for Zeros<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` has `len` elements that were zero bytes, which are values, and lives as long
        // as `self`; an empty block is well aligned, if dangling.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroed> DerefMut for Zeros<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and `self` is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroed> Drop for Zeros<T> {
    fn drop(&mut self) {
        if self.layout.size() == 0 {
            return;
        }
        #[cfg(target_os = "linux")]
        if self.layout.size() >= LARGE_PAGE {
            linux::unmap(self.start.cast(), self.layout);
            return;
        }
        // SAFETY: it was allocated by this layout and is not used any more.
        unsafe { dealloc(self.start.as_ptr().cast(), self.layout) };
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{alloc::Layout, ffi::c_void, num::NonZeroUsize, ptr::NonNull};

    use nix::sys::mman::{MapFlags, MmapAdvise, ProtFlags, madvise, mmap_anonymous, munmap};

    const PAGE: usize = 4096;
    /// What must be left for all that is small once a block is there: who lacks a few bytes cannot tell
    /// of it, but a block that is refused is told.
    const RESERVE: usize = 4 << 20;

    /// Bytes that are mapped for a layout: whole pages.
    fn whole(layout: Layout) -> usize {
        layout.size().next_multiple_of(PAGE)
    }

    /// Maps zeros, in large pages if the system will.
    pub(super) fn map(layout: Layout) -> Option<NonNull<c_void>> {
        let (size, align) = (whole(layout), layout.align());
        let spare = align + RESERVE;
        let room = NonZeroUsize::new(size.checked_add(spare)?)?;
        let access = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
        // SAFETY: new memory at an address of the system's choice touches nothing that there is.
        let mapped = unsafe { mmap_anonymous(None, room, access, MapFlags::MAP_PRIVATE) }.ok()?;
        let before = mapped.addr().get().next_multiple_of(align) - mapped.addr().get();
        let give_back = |from: usize, len: usize| {
            if len > 0 {
                // SAFETY: these whole pages lie within what was just mapped, and nobody uses them.
                let done = unsafe { munmap(mapped.byte_add(from), len) };
                debug_assert!(done.is_ok(), "pages of our own can be given back");
            }
        };
        give_back(0, before);
        give_back(before + size, spare - before);
        // SAFETY: the aligned part lies within what was mapped.
        let start = unsafe { mapped.byte_add(before) };
        // A kernel without large pages refuses, and nothing is lost.
        // SAFETY: this advice changes no byte, and the range is ours.
        let _ = unsafe { madvise(start, size, MmapAdvise::MADV_HUGEPAGE) };
        Some(start)
    }

    /// Gives back what was mapped for a layout.
    pub(super) fn unmap(start: NonNull<c_void>, layout: Layout) {
        // SAFETY: it was mapped for this layout, and nobody uses it any more.
        let done = unsafe { munmap(start, whole(layout)) };
        debug_assert!(done.is_ok(), "pages of our own can be given back");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_every_size_are_zeros_aligned_and_writable() {
        for len in [0, 1, 33, 1 << 12, LARGE_PAGE / 2 - 1, LARGE_PAGE / 2, 3 * LARGE_PAGE / 2 + 7] {
            let mut block = Zeros::<i16>::new(len).unwrap();
            assert_eq!(block.len(), len);
            assert!(block.iter().all(|&number| number == 0));
            let align = if len >= LARGE_PAGE / 2 { LARGE_PAGE } else { CACHE_LINE };
            assert!(len == 0 || block.as_ptr().addr().is_multiple_of(align), "{len}");
            block.fill(-7);
            assert!(block.iter().all(|&number| number == -7));
        }
    }

    #[test]
    fn what_no_machine_has_is_refused() {
        assert!(Zeros::<AtomicU64>::new(usize::MAX).is_none());
        assert!(Zeros::<AtomicU64>::new(usize::MAX >> 4).is_none());
    }
}
