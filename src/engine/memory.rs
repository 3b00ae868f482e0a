//! How much memory the machine can spare, as far as the system tells.
//! Knows nothing of their use.

use std::fs;

/// The table's MB when nobody asks for more: the option's default, and what to take when the system
/// does not tell what there is.
pub(super) const USUAL_MB: usize = 64;
/// The bounds of the size that is chosen without being asked: enough for a quick game, and not so
/// much that clearing it is felt.
const CHOSEN_MB: std::ops::RangeInclusive<usize> = 16..=1024;

/// What a worker, messages and positions may take besides tables.
const RESERVE_MB: usize = 24;

/// The MB that can be taken without driving the machine to swap, if the system tells.
pub(super) fn available_mb() -> Option<usize> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| meminfo_mb(&text));
    // A container may have less than its machine. Only version 2 of the control groups tells in
    // one place; elsewhere the machine's figure stands.
    let read = |name| fs::read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok();
    let group = read("max").zip(read("current")).and_then(|(max, used)| group_mb(&max, &used));
    [machine, group, address_space_mb()].into_iter().flatten().min()
}

/// The MB that the process may still ask for where its user limits it (`ulimit -v`), less what
/// everything but tables takes: when that is gone, too, the process ends.
fn address_space_mb() -> Option<usize> {
    let read = |name| fs::read_to_string(format!("/proc/self/{name}")).ok();
    let left = limit_mb(&read("limits")?)?.saturating_sub(size_mb(&read("status")?)?);
    Some(left.saturating_sub(RESERVE_MB))
}

fn limit_mb(limits: &str) -> Option<usize> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    Some(line.split_whitespace().next()?.parse::<usize>().ok()? >> 20)
}

fn size_mb(status: &str) -> Option<usize> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    Some(line.split_whitespace().next()?.parse::<usize>().ok()? >> 10)
}

/// The table size to take when nobody asks for one.
pub(super) fn automatic_mb() -> usize {
    let share = |mb: usize| (mb / 8).clamp(*CHOSEN_MB.start(), *CHOSEN_MB.end());
    available_mb().map_or(USUAL_MB, share)
}

fn meminfo_mb(text: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024)
}

fn group_mb(max: &str, used: &str) -> Option<usize> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    Some(number(max)?.saturating_sub(number(used)?) >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_as_megabytes() {
        let text = "MemTotal:  8000000 kB\nMemAvailable:    2048000 kB\n";
        assert_eq!(meminfo_mb(text), Some(2000));
        assert_eq!(meminfo_mb("MemFree: 5 kB"), None);
        assert_eq!(group_mb("1073741824\n", "73741824\n"), Some(953));
        assert_eq!(group_mb("max\n", "73741824\n"), None);
        let limits =
            "Max data size unlimited unlimited bytes\nMax address space  104857600  x bytes\n";
        assert_eq!(limit_mb(limits), Some(100));
        assert_eq!(limit_mb(&limits.replace("104857600", "unlimited")), None);
        assert_eq!(size_mb("VmPeak:\t 9 kB\nVmSize:\t    2048 kB\n"), Some(2));
    }

    #[test]
    fn the_chosen_size_is_moderate() {
        assert!(CHOSEN_MB.contains(&automatic_mb()));
    }
}
