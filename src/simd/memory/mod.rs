//! Large blocks of zeros in large pages, where the system has them: tables that are looked up all over
//! the place then miss the processor's list of pages far less often. Knows memory only.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

use std::{
    alloc::{Layout, alloc_zeroed, dealloc},
    ffi::c_void,
    ops::{Deref, DerefMut},
    ptr::NonNull,
    sync::atomic::AtomicU64,
};

#[cfg(target_os = "linux")]
use linux as pages;
#[cfg(windows)]
use windows as pages;

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
    source: Source,
}

/// Where a block is from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// Nowhere: it is empty.
    Nothing,
    /// The allocator.
    Heap,
    /// The system, in whole pages.
    #[cfg(any(target_os = "linux", windows))]
    Pages,
}

impl Source {
    /// A block of zeros and where it is from.
    fn take(layout: Layout) -> Option<(NonNull<c_void>, Self)> {
        if layout.size() == 0 {
            return Some((NonNull::dangling(), Self::Nothing));
        }
        #[cfg(target_os = "linux")]
        if layout.size() >= LARGE_PAGE {
            return Some((pages::map(layout)?, Self::Pages));
        }
        #[cfg(windows)]
        if layout.size() >= LARGE_PAGE
            && let Some(start) = pages::map(layout)
        {
            return Some((start, Self::Pages));
        }
        // SAFETY: the layout's size is not zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some((start.cast(), Self::Heap))
    }
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
        let (start, source) = Source::take(layout)?;
        // An empty block points to nothing, but well aligned.
        let start = if layout.size() == 0 { NonNull::dangling() } else { start.cast() };
        Some(Self { start, len, layout, source })
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
        match self.source {
            Source::Nothing => {}
            // SAFETY: it was allocated by this layout and is not used any more.
            Source::Heap => unsafe { dealloc(self.start.as_ptr().cast(), self.layout) },
            #[cfg(any(target_os = "linux", windows))]
            Source::Pages => pages::unmap(self.start.cast(), self.layout),
        }
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
