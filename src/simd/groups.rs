//! Processors, also those of machines so large that Windows deals them out in groups of up to 64, of which a thread
//! runs on one only. Knows nothing of what runs there.

/// How many processors the process can use.
pub fn processors() -> usize {
    let here = std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(windows)]
    if let Some(sizes) = system::group_sizes() {
        return here.max(sizes.iter().sum());
    }
    here
}

/// Lets the calling thread run where there is a processor for it, by its number among those that work side by side:
/// the first ones stay in the group that they were born in. Nothing where there are no groups.
pub fn settle(thread: usize) {
    #[cfg(windows)]
    if let Some(sizes) = system::group_sizes()
        && let Some(born) = system::own_group()
    {
        let group = home(thread, &sizes, born);
        if group != born {
            system::enter_group(group, sizes[group]);
        }
    }
    #[cfg(not(windows))]
    let _ = thread;
}

/// The group of a thread when each processor is to have one thread; from the beginning again when each has one.
#[cfg(any(windows, test))]
fn home(thread: usize, sizes: &[usize], born: usize) -> usize {
    let all: usize = sizes.iter().sum();
    let mut before_it = thread.checked_rem(all).unwrap_or(0);
    for group in (born..sizes.len()).chain(0..born) {
        if before_it < sizes[group] {
            return group;
        }
        before_it -= sizes[group];
    }
    born
}

#[cfg(windows)]
mod system {
    use std::ptr::null_mut;

    use windows_sys::Win32::System::{
        SystemInformation::GROUP_AFFINITY,
        Threading::{
            GetActiveProcessorCount, GetActiveProcessorGroupCount, GetCurrentThread,
            GetThreadGroupAffinity, SetThreadGroupAffinity,
        },
    };

    /// The processors of each group. `None`: there are no groups, or only one.
    pub(super) fn group_sizes() -> Option<Vec<usize>> {
        // SAFETY: both only count.
        let count = unsafe { GetActiveProcessorGroupCount() };
        let size = |group| unsafe { GetActiveProcessorCount(group) } as usize;
        (count > 1).then(|| (0..count).map(size).collect())
    }

    /// The group that the calling thread runs in.
    pub(super) fn own_group() -> Option<usize> {
        let mut affinity = GROUP_AFFINITY::default();
        // SAFETY: a thread's own handle needs no closing, and `affinity` is there to be written.
        let known = unsafe { GetThreadGroupAffinity(GetCurrentThread(), &raw mut affinity) };
        (known != 0).then_some(affinity.Group.into())
    }

    /// Lets the calling thread run on all processors of a group. Where that is refused it stays.
    pub(super) fn enter_group(group: usize, size: usize) {
        let affinity = GROUP_AFFINITY {
            Mask: usize::MAX >> (usize::BITS as usize - size.clamp(1, 64)),
            Group: group as u16,
            Reserved: [0; 3],
        };
        // SAFETY: a thread's own handle needs no closing; the old affinity is not asked for.
        unsafe { SetThreadGroupAffinity(GetCurrentThread(), &raw const affinity, null_mut()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_processor_of_every_group_has_one_thread_before_any_has_two() {
        for (sizes, born) in [(vec![64, 64], 0), (vec![64, 16, 48], 1), (vec![3, 1], 1)] {
            let all: usize = sizes.iter().sum();
            for round in 0..2 {
                let mut threads = vec![0; sizes.len()];
                for thread in round * all..(round + 1) * all {
                    threads[home(thread, &sizes, born)] += 1;
                }
                assert_eq!(threads, sizes);
            }
            assert!((0..sizes[born]).all(|thread| home(thread, &sizes, born) == born));
        }
    }

    #[test]
    fn there_is_a_processor_and_whoever_settles_goes_on() {
        assert!(processors() > 0);
        (0..200).for_each(settle);
    }
}
