//! What the program was built for against what runs it. Knows the instruction sets that a build may
//! take for granted, not those that are chosen at run time.

/// The instruction sets that this build takes for granted and that the processor, or the system
/// that runs on it, does not offer. With any of them missing the program would die sooner or later.
#[cfg(target_arch = "x86_64")]
pub fn missing() -> Vec<&'static str> {
    x86::REQUIRED.iter().filter(|set| set.needed && !x86::offers(set)).map(|set| set.name).collect()
}

/// The instruction sets that this build takes for granted and that the processor does not offer.
/// Elsewhere than on x86 a build takes nothing for granted but what each processor has.
#[cfg(not(target_arch = "x86_64"))]
pub fn missing() -> Vec<&'static str> {
    Vec::new()
}

/// The standard library's own question is of no use here: for what a build takes for granted it
/// answers yes without asking. So the processor is asked.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv, CpuidResult};

    /// Where the processor tells of an instruction set.
    #[derive(Clone, Copy, Debug)]
    pub(super) enum Place {
        /// Leaf 1, register ecx.
        Basic,
        /// Leaf 7, register ebx.
        Extended,
        /// Leaf 7, register ecx.
        ExtendedMore,
        /// Leaf `0x8000_0001`, register ecx.
        Amd,
    }

    /// The registers that the system has to keep for each thread, by the bits that say that it does.
    #[derive(Clone, Copy, Debug)]
    pub(super) enum Kept {
        /// None but those that every system keeps.
        Usual = 0,
        /// Those of 256 bits.
        Wide = 0x06,
        /// Those of 512 bits.
        Widest = 0xE6,
    }

    #[derive(Clone, Copy, Debug)]
    pub(super) struct InstructionSet {
        pub(super) name: &'static str,
        pub(super) needed: bool,
        pub(super) place: Place,
        pub(super) bit: u32,
        pub(super) kept: Kept,
    }

    macro_rules! required {
        ($($feature:tt $place:ident $bit:literal $kept:ident;)*) => {
            &[$(InstructionSet {
                name: $feature,
                needed: cfg!(target_feature = $feature),
                place: Place::$place,
                bit: $bit,
                kept: Kept::$kept,
            }),*]
        };
    }

    /// Whatever `x86-64-v2`, `-v3`, `-v4` and the processors beyond them add that compilers use.
    pub(super) const REQUIRED: &[InstructionSet] = required! {
        "sse3" Basic 0 Usual;
        "ssse3" Basic 9 Usual;
        "fma" Basic 12 Wide;
        "sse4.1" Basic 19 Usual;
        "sse4.2" Basic 20 Usual;
        "movbe" Basic 22 Usual;
        "popcnt" Basic 23 Usual;
        "avx" Basic 28 Wide;
        "f16c" Basic 29 Wide;
        "lzcnt" Amd 5 Usual;
        "bmi1" Extended 3 Usual;
        "avx2" Extended 5 Wide;
        "bmi2" Extended 8 Usual;
        "avx512f" Extended 16 Widest;
        "avx512dq" Extended 17 Widest;
        "avx512ifma" Extended 21 Widest;
        "avx512cd" Extended 28 Widest;
        "avx512bw" Extended 30 Widest;
        "avx512vl" Extended 31 Widest;
        "avx512vbmi" ExtendedMore 1 Widest;
        "avx512vbmi2" ExtendedMore 6 Widest;
        "gfni" ExtendedMore 8 Usual;
        "vaes" ExtendedMore 9 Wide;
        "vpclmulqdq" ExtendedMore 10 Wide;
        "avx512vnni" ExtendedMore 11 Widest;
        "avx512bitalg" ExtendedMore 12 Widest;
        "avx512vpopcntdq" ExtendedMore 14 Widest;
    };

    /// Whether the processor has an instruction set and the system supports it.
    pub(super) fn offers(set: &InstructionSet) -> bool {
        let answer = match set.place {
            Place::Basic => leaf(1).ecx,
            Place::Extended => leaf(7).ebx,
            Place::ExtendedMore => leaf(7).ecx,
            Place::Amd => leaf(0x8000_0001).ecx,
        };
        let wanted = set.kept as u64;
        answer >> set.bit & 1 == 1 && kept() & wanted == wanted
    }

    /// What the processor says of itself under this heading; nothing, where it has no such heading.
    fn leaf(number: u32) -> CpuidResult {
        let highest = __cpuid(number & 0x8000_0000).eax;
        if number > highest {
            return CpuidResult { eax: 0, ebx: 0, ecx: 0, edx: 0 };
        }
        __cpuid_count(number, 0)
    }

    /// Which registers the system keeps; where it cannot be asked, none but the usual.
    fn kept() -> u64 {
        let can_be_asked = leaf(1).ecx >> 27 & 1 == 1;
        // SAFETY: bit 27 says that the system allows this instruction.
        if can_be_asked { unsafe { ask_for_kept() } } else { 0 }
    }

    #[target_feature(enable = "xsave")]
    fn ask_for_kept() -> u64 {
        // SAFETY: register 0 is there wherever the instruction is.
        unsafe { _xgetbv(0) }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_runs_the_tests_can_run_them() {
        assert_eq!(super::missing(), [""; 0]);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_processor_and_the_standard_library_agree() {
        for set in super::x86::REQUIRED {
            // For a build that takes everything for granted the library answers without asking.
            let known = match set.name {
                "sse3" => is_x86_feature_detected!("sse3"),
                "popcnt" => is_x86_feature_detected!("popcnt"),
                "lzcnt" => is_x86_feature_detected!("lzcnt"),
                "avx" => is_x86_feature_detected!("avx"),
                "avx2" => is_x86_feature_detected!("avx2"),
                "bmi1" => is_x86_feature_detected!("bmi1"),
                "bmi2" => is_x86_feature_detected!("bmi2"),
                "fma" => is_x86_feature_detected!("fma"),
                "avx512f" => is_x86_feature_detected!("avx512f"),
                "avx512bw" => is_x86_feature_detected!("avx512bw"),
                "avx512vl" => is_x86_feature_detected!("avx512vl"),
                "avx512vnni" => is_x86_feature_detected!("avx512vnni"),
                "avx512vbmi2" => is_x86_feature_detected!("avx512vbmi2"),
                "gfni" => is_x86_feature_detected!("gfni"),
                _ => continue,
            };
            assert_eq!(super::x86::offers(set), known, "{}", set.name);
        }
    }
}
