//! A checksum against damage, and files that end with one. Not made against malice.

/// Bytes of a seal.
pub const SEAL: usize = 8;

/// A file whose bytes are no longer those that were sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is damaged: its checksum is {found:016x}, not {wanted:016x}")]
pub struct Damaged {
    /// The sum of what is there.
    pub found: u64,
    /// The sum that was stored.
    pub wanted: u64,
}

/// Adds the checksum of all bytes, of which the lowest comes first.
pub fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// What was sealed. Too few bytes to hold a seal are damaged, too.
///
/// # Errors
/// When the seal is not that of the bytes before it.
pub fn unseal(bytes: &[u8]) -> Result<&[u8], Damaged> {
    let (body, seal) = bytes.split_last_chunk::<SEAL>().unwrap_or((bytes, &[0; SEAL]));
    let (found, wanted) = (checksum(body), u64::from_le_bytes(*seal));
    if found == wanted { Ok(body) } else { Err(Damaged { found, wanted }) }
}

/// FNV-1a (Fowler, Noll and Vo) in 64 bits: changes with every single byte.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_the_published_ones() {
        assert_eq!(checksum(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(checksum(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn a_seal_tells_of_every_byte_that_changes_and_of_a_lost_end() {
        assert_eq!(seal(b"a".to_vec()), b"a\x8C\xEC\x01\x86\x4C\xDC\x63\xAF");
        let sealed = seal(b"foobar".to_vec());
        assert_eq!(unseal(&sealed), Ok(&b"foobar"[..]));
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(unseal(&changed).is_err(), "{at}");
            assert!(unseal(&sealed[..at]).is_err(), "{at}");
        }
    }
}
