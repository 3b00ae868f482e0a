//! Large pages of Windows, which a user has to be allowed ("lock pages in memory"); hardly any is. Knows the
//! system's calls alone.

use std::{
    alloc::Layout,
    ffi::c_void,
    ptr::{NonNull, null, null_mut},
};

use windows_sys::Win32::{
    Foundation::{CloseHandle, LUID},
    Security::{
        AdjustTokenPrivileges, LUID_AND_ATTRIBUTES, LookupPrivilegeValueW, SE_LOCK_MEMORY_NAME,
        SE_PRIVILEGE_ENABLED, TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES, TOKEN_QUERY,
    },
    System::{
        Memory::{
            GetLargePageMinimum, MEM_COMMIT, MEM_LARGE_PAGES, MEM_RELEASE, MEM_RESERVE,
            PAGE_READWRITE, VirtualAlloc, VirtualFree,
        },
        Threading::{GetCurrentProcess, OpenProcessToken},
    },
};

/// Takes zeros in large pages. `None`: there are none, or not for this user.
pub(super) fn map(layout: Layout) -> Option<NonNull<c_void>> {
    // SAFETY: it takes nothing and touches nothing.
    let page = unsafe { GetLargePageMinimum() };
    if page < layout.align() {
        return None;
    }
    let size = layout.size().checked_next_multiple_of(page)?;
    use_privilege();
    let how = MEM_RESERVE | MEM_COMMIT | MEM_LARGE_PAGES;
    // SAFETY: new memory at an address of the system's choice touches nothing that there is.
    NonNull::new(unsafe { VirtualAlloc(null(), size, how, PAGE_READWRITE) })
}

/// Gives back what was taken for a layout.
pub(super) fn unmap(start: NonNull<c_void>, _: Layout) {
    // SAFETY: it was taken by `map`, which gave this address, and nobody uses it any more.
    let done = unsafe { VirtualFree(start.as_ptr(), 0, MEM_RELEASE) };
    debug_assert!(done != 0, "pages of our own can be given back");
}

/// Makes use of the right to large pages, if the user has it: it is off until a process asks.
fn use_privilege() {
    let mut token = null_mut();
    let access = TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY;
    // SAFETY: the process's own handle needs no closing, and `token` is there to be written.
    if unsafe { OpenProcessToken(GetCurrentProcess(), access, &raw mut token) } == 0 {
        return;
    }
    let mut luid = LUID::default();
    // SAFETY: the name ends with a zero, and `luid` is there to be written.
    if unsafe { LookupPrivilegeValueW(null(), SE_LOCK_MEMORY_NAME, &raw mut luid) } != 0 {
        let wanted = LUID_AND_ATTRIBUTES { Luid: luid, Attributes: SE_PRIVILEGE_ENABLED };
        let wanted = TOKEN_PRIVILEGES { PrivilegeCount: 1, Privileges: [wanted] };
        // Whether it was granted shows where the pages are asked for.
        // SAFETY: `wanted` has as many privileges as it says, and the old ones are not asked for.
        unsafe { AdjustTokenPrivileges(token, 0, &raw const wanted, 0, null_mut(), null_mut()) };
    }
    // SAFETY: the token was opened above and is not used any more.
    unsafe { CloseHandle(token) };
}
