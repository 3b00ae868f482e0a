//! Numbers as fractions of a byte: a range coder (Martin 1979) and models that learn how likely
//! each bit is. Knows numbers only.

/// Below this the range is too small to be divided further.
const LEAST_RANGE: u32 = 1 << 24;

/// Writes symbols.
#[derive(Debug)]
pub(super) struct Encoder {
    low: u64,
    range: u32,
    /// The last byte, which a carry may still change, and the 0xFF bytes after it.
    held: Option<u8>,
    full: usize,
    bytes: Vec<u8>,
}

/// Reads what an [`Encoder`] wrote. Beyond the end there are zeros: whoever may be given damaged
/// bytes checks what it reads.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    code: u32,
    range: u32,
    bytes: std::slice::Iter<'a, u8>,
}

/// What both ends do, so that one description of a record serves to write and to read it.
pub(super) trait Coder {
    /// Writes `symbol`, or reads and returns one: each of `0..total` is equally likely, and
    /// `total` is at most 2¹⁶.
    fn uniform(&mut self, symbol: u32, total: u32) -> u32;
    /// Writes `bit` or reads one, the model learning from it.
    fn bit(&mut self, bit: bool, model: &mut BitModel) -> bool;

    /// Writes a number below 2¹⁶ or reads one, small ones in fewer bits.
    fn number(&mut self, number: u32, models: &mut NumberModel) -> u32 {
        let wanted = u32::BITS - number.leading_zeros();
        let mut length = 0;
        while length < 16 && self.bit(length < wanted, &mut models.length[length as usize]) {
            length += 1;
        }
        if length < 2 {
            return length;
        }
        // The bit below the leading one is worth a model, the rest is noise.
        let rest = length - 2;
        let second = self.bit(number >> rest & 1 == 1, &mut models.second[length as usize]);
        let high = 2 | u32::from(second);
        high << rest | self.uniform(number & ((1 << rest) - 1), 1 << rest)
    }
}

/// How likely a bit is to be 0, in 1/4096.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitModel(u16);

impl Default for BitModel {
    fn default() -> Self {
        Self(Self::ONE / 2)
    }
}

impl BitModel {
    const ONE: u16 = 1 << 12;
    /// Models learn by this part of the error: slow enough to be precise.
    const INERTIA: u32 = 5;

    fn split(self) -> u32 {
        u32::from(self.0)
    }

    fn learn(&mut self, bit: bool) {
        // Neither bit ever becomes impossible: at the ends the error shifts to nothing.
        if bit {
            self.0 -= self.0 >> Self::INERTIA;
        } else {
            self.0 += (Self::ONE - self.0) >> Self::INERTIA;
        }
    }
}

/// How long a kind of number tends to be.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NumberModel {
    length: [BitModel; 16],
    second: [BitModel; 17],
}

impl Encoder {
    pub(super) fn new() -> Self {
        Self { low: 0, range: u32::MAX, held: None, full: 0, bytes: Vec::new() }
    }

    /// What has been written.
    pub(super) fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.bytes
    }

    fn narrow(&mut self, start: u32, size: u32, total: u32) {
        let unit = self.range / total;
        self.low += u64::from(start) * u64::from(unit);
        self.range = unit * size;
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.shift();
        }
    }

    /// Moves the highest byte out, as soon as no carry can change it any more.
    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        let top = (self.low >> 24) as u8;
        if carry == 0 && top == 0xFF {
            self.full += 1;
        } else {
            self.bytes.extend(self.held.map(|held| held.wrapping_add(carry)));
            self.bytes.extend(std::iter::repeat_n(0xFF_u8.wrapping_add(carry), self.full));
            self.full = 0;
            self.held = Some(top);
        }
        self.low = self.low << 8 & u64::from(u32::MAX);
    }
}

impl Coder for Encoder {
    fn uniform(&mut self, symbol: u32, total: u32) -> u32 {
        self.narrow(symbol, 1, total);
        symbol
    }

    fn bit(&mut self, bit: bool, model: &mut BitModel) -> bool {
        let (split, one) = (model.split(), u32::from(BitModel::ONE));
        if bit {
            self.narrow(split, one - split, one);
        } else {
            self.narrow(0, split, one);
        }
        model.learn(bit);
        bit
    }
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut new = Self { code: 0, range: u32::MAX, bytes: bytes.iter() };
        for _ in 0..4 {
            new.shift();
        }
        new
    }

    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }

    fn narrow(&mut self, start: u32, size: u32, unit: u32) {
        self.code = self.code.wrapping_sub(start * unit);
        self.range = unit * size;
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.shift();
        }
    }
}

impl Coder for Decoder<'_> {
    fn uniform(&mut self, _: u32, total: u32) -> u32 {
        let unit = self.range / total;
        let symbol = (self.code / unit).min(total - 1);
        self.narrow(symbol, 1, unit);
        symbol
    }

    fn bit(&mut self, _: bool, model: &mut BitModel) -> bool {
        let (split, one) = (model.split(), u32::from(BitModel::ONE));
        let unit = self.range / one;
        let bit = self.code / unit >= split;
        if bit {
            self.narrow(split, one - split, unit);
        } else {
            self.narrow(0, split, unit);
        }
        model.learn(bit);
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::SplitMix64;

    /// Everything that a record is made of, written or read.
    fn code(coder: &mut impl Coder, symbols: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let (mut models, mut model) = (NumberModel::default(), BitModel::default());
        let mut code = |&(number, total): &(u32, u32)| match total {
            0 => (coder.number(number, &mut models), total),
            1 => (u32::from(coder.bit(number == 1, &mut model)), total),
            _ => (coder.uniform(number, total), total),
        };
        symbols.iter().map(&mut code).collect()
    }

    fn symbols(rng: &mut SplitMix64, count: usize) -> Vec<(u32, u32)> {
        let one = |rng: &mut SplitMix64| match rng.below(4) {
            0 => ((rng.below(1 << 16) >> rng.below(17)) as u32, 0),
            1 => (u32::from(rng.below(30) == 0), 1),
            _ => {
                let total = 2 + rng.below((1 << 16) - 1) as u32 / (1 + rng.below(2000)) as u32;
                let high = rng.below(3) == 0;
                (if high { total - 1 } else { rng.below(total as usize) as u32 }, total)
            }
        };
        (0..count).map(|_| one(rng)).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let mut rng = SplitMix64::new(2);
        for count in (0..40).chain([50_000]) {
            let symbols = symbols(&mut rng, count);
            let mut encoder = Encoder::new();
            code(&mut encoder, &symbols);
            let bytes = encoder.finish();
            assert_eq!(code(&mut Decoder::new(&bytes), &symbols), symbols, "{count}");
        }
    }

    #[test]
    fn nonsense_is_read_without_harm() {
        let mut rng = SplitMix64::new(3);
        for _ in 0..200 {
            let bytes: Vec<u8> = (0..rng.below(200)).map(|_| rng.next() as u8).collect();
            let symbols = symbols(&mut rng, 500);
            for (read, (_, total)) in code(&mut Decoder::new(&bytes), &symbols).iter().zip(&symbols)
            {
                assert!(read.0 < if *total == 0 { 1 << 16 } else { (*total).max(2) });
            }
        }
    }

    #[test]
    fn symbols_cost_what_they_tell() {
        let mut encoder = Encoder::new();
        (0..8_000).for_each(|i| _ = encoder.uniform(i % 40, 40));
        let bits = 8.0 * encoder.finish().len() as f64 / 8_000.0;
        assert!((bits - 40_f64.log2()).abs() < 0.02, "{bits}");

        let (mut encoder, mut model) = (Encoder::new(), BitModel::default());
        (0..32_000).for_each(|i| _ = encoder.bit(i % 32 == 0, &mut model));
        let bits = 8.0 * encoder.finish().len() as f64 / 32_000.0;
        assert!(bits < 0.26, "{bits}");
    }
}
