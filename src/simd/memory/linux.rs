//! Pages of Linux: large ones where the kernel will. Knows the system's calls alone.

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
