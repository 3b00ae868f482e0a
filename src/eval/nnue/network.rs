//! A network: its numbers, its file and the one built into the program. Computes nothing.

use std::{fmt, path::Path, sync::Arc};

use once_cell::sync::OnceCell;

use super::{
    buckets::{BucketedBy, Census},
    features,
};
use crate::{
    files::{self, Damaged, ReadError, SEAL, checksum, seal, unseal},
    position::Position,
    simd::{CLAMP, I16x32, Kernels},
    types::SplitMix64,
};

/// What a file begins with.
const MAGIC: [u8; 8] = *b"CHUHENET";
/// The version of the format, and of what the numbers in it mean.
const VERSION: u16 = 2;
/// The version before, which outputs by the number of men are still written in: it knows no others.
const MEN_ONLY: u16 = 1;
/// No network is larger; whatever is, is not read.
const LARGEST_FILE: u64 = 64 << 20;
/// Bytes before the description: magic, and six numbers of two bytes.
const HEAD: usize = MAGIC.len() + 6 * 2;

/// QB: output weights are stored multiplied by this.
pub const QB: i32 = 64;
/// QA: feature weights and biases are stored multiplied by this, where activations are clamped.
pub const QA: i32 = CLAMP as i32;

/// The network that belongs to the program; no bytes where there is none.
static EMBEDDED: &[u8] = include_bytes!("../../../nnue/chuhe.nnue");

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The width of the hidden layer of each side: a multiple of [`I16x32::LANES`].
    pub hidden: usize,
    /// How many output buckets there are.
    pub output_buckets: usize,
    /// What they go by.
    pub bucketed_by: BucketedBy,
    /// What an output of 1 is worth, in [`Value`](crate::types::Value) units.
    pub scale: i32,
}

impl Shape {
    const MOST_HIDDEN: usize = 1024;
    const MOST_OUTPUTS: usize = 16;

    /// Sizes with outputs by the number of men.
    pub const fn by_men(hidden: usize, output_buckets: usize, scale: i32) -> Self {
        Self { hidden, output_buckets, bucketed_by: BucketedBy::Men, scale }
    }

    /// Whether such a network can be run.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(self) -> Result<(), NetworkError> {
        let Self { hidden, output_buckets, bucketed_by, scale } = self;
        if hidden == 0 || !hidden.is_multiple_of(I16x32::LANES) || hidden > Self::MOST_HIDDEN {
            Err(NetworkError::Hidden(hidden))
        } else if output_buckets == 0 || output_buckets > Self::MOST_OUTPUTS {
            Err(NetworkError::Outputs(output_buckets))
        } else if bucketed_by == BucketedBy::Material && output_buckets != BucketedBy::MATERIAL {
            Err(NetworkError::MaterialOutputs(output_buckets))
        } else if scale <= 0 || scale > 10_000 {
            Err(NetworkError::Scale(scale))
        } else {
            Ok(())
        }
    }

    /// The output for a position with these men.
    #[inline]
    pub fn bucket(self, census: Census) -> usize {
        self.bucketed_by.bucket(self.output_buckets, census)
    }

    /// The output for a position.
    #[inline]
    pub fn bucket_of(self, position: &Position) -> usize {
        self.bucketed_by.bucket_of(self.output_buckets, position)
    }

    /// Bytes of all numbers.
    fn bytes(self) -> usize {
        2 * self.hidden * (features::COUNT + 1) + self.output_buckets * (2 * self.hidden + 4)
    }
}

/// The numbers of a network as they are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The sizes.
    pub shape: Shape,
    /// Where it comes from, in a few words.
    pub description: String,
    /// For each input, what it adds to the hidden layer, in [`QA`]s.
    pub input_weights: Vec<i16>,
    /// The hidden layer without any input, in [`QA`]s.
    pub input_bias: Vec<i16>,
    /// For each output, the weights of the mover's hidden layer and then of the other side's, in
    /// [`QB`]s.
    pub output_weights: Vec<i8>,
    /// What each output starts from, in units of both.
    pub output_bias: Vec<i32>,
}

/// Why a network cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file.
    #[error(transparent)]
    File(#[from] ReadError),
    /// The first bytes.
    #[error("it is no network of this program")]
    Magic,
    /// Of another time.
    #[error("its format is version {0}, not {VERSION}")]
    Version(u16),
    /// Other inputs.
    #[error("it has {0} inputs, not {count}", count = features::COUNT)]
    Features(usize),
    /// A hidden layer that does not fit.
    #[error("a hidden layer of {0} cannot be run (32 to 1024, in steps of 32)")]
    Hidden(usize),
    /// Outputs that do not fit.
    #[error("{0} output buckets cannot be run (1 to 16)")]
    Outputs(usize),
    /// Outputs by material that do not fit.
    #[error("{0} output buckets by material cannot be run ({count})", count = BucketedBy::MATERIAL)]
    MaterialOutputs(usize),
    /// What outputs go by is not known.
    #[error("output buckets of kind {0} cannot be run (0 by men, 1 by material)")]
    Buckets(u16),
    /// Output units that make no sense.
    #[error("an output scale of {0} cannot be run (1 to 10000)")]
    Scale(i32),
    /// The end is missing, or something follows it.
    #[error("it has {found} bytes, not {wanted}")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        wanted: usize,
    },
    /// Some bytes have changed.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// The description is no text.
    #[error("its description is not UTF-8")]
    Description,
    /// A board full of men could exceed 16 bits.
    #[error("its weights are too large: neuron {0} can overflow")]
    Overflow(usize),
}

/// A network that can be run.
#[derive(Clone)]
pub struct Network {
    shape: Shape,
    description: String,
    checksum: u64,
    input_weights: Vec<I16x32>,
    input_bias: Vec<I16x32>,
    output_weights: Vec<I16x32>,
    output_bias: Vec<i32>,
    kernels: Kernels,
}

impl fmt::Display for Network {
    /// Its sizes, what it is run by and where it comes from, in a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { hidden, output_buckets, bucketed_by, .. } = self.shape;
        write!(
            f,
            "{} -> {hidden} x 2 -> {output_buckets}{}, {:016x}",
            features::COUNT,
            if bucketed_by == BucketedBy::Material { " by material" } else { "" },
            self.checksum
        )?;
        write!(f, ", {}", self.kernels.name())?;
        let line = self.description.lines().next().filter(|line| !line.is_empty());
        line.map_or(Ok(()), |line| write!(f, ", {line}"))
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({self})")
    }
}

impl Network {
    /// The network built into the program, if there is one.
    ///
    /// # Panics
    /// When the program was built with a damaged one.
    pub fn embedded() -> Option<Arc<Self>> {
        static NETWORK: OnceCell<Option<Arc<Network>>> = OnceCell::new();
        let read = || {
            let read = || Self::from_bytes(EMBEDDED).expect("invariant: the built-in net is sound");
            (!EMBEDDED.is_empty()).then(|| Arc::new(read()))
        };
        NETWORK.get_or_init(read).clone()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read or is no sound network.
    pub fn load(path: &Path) -> Result<Self, NetworkError> {
        Self::from_bytes(&files::read(path, LARGEST_FILE)?)
    }

    /// Reads what [`Parameters::to_bytes`] wrote.
    ///
    /// # Errors
    /// When it is no sound network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::new(&Parameters::from_bytes(bytes)?)
    }

    /// Makes the numbers ready to be run.
    ///
    /// # Errors
    /// When their sizes do not fit or sums could overflow.
    pub fn new(parameters: &Parameters) -> Result<Self, NetworkError> {
        let shape = parameters.shape;
        shape.check()?;
        let numbers = 2 * (parameters.input_weights.len() + parameters.input_bias.len())
            + parameters.output_weights.len()
            + 4 * parameters.output_bias.len();
        if numbers != shape.bytes() {
            return Err(NetworkError::Length { found: numbers, wanted: shape.bytes() });
        }
        check_overflow(parameters)?;
        let wide: Vec<_> = parameters.output_weights.iter().copied().map(i16::from).collect();
        Ok(Self {
            shape,
            description: parameters.description.clone(),
            checksum: checksum(&parameters.body()),
            input_weights: blocks(&parameters.input_weights),
            input_bias: blocks(&parameters.input_bias),
            output_weights: blocks(&wide),
            output_bias: parameters.output_bias.clone(),
            kernels: Kernels::detect(),
        })
    }

    /// The same network run by other instructions.
    #[must_use]
    pub fn with_kernels(self, kernels: Kernels) -> Self {
        Self { kernels, ..self }
    }

    /// Its numbers as they are stored.
    pub fn parameters(&self) -> Parameters {
        let numbers = |blocks: &[I16x32]| blocks.iter().flat_map(|block| block.0).collect();
        let weights = self.output_weights.iter().flat_map(|block| block.0);
        Parameters {
            shape: self.shape,
            description: self.description.clone(),
            input_weights: numbers(&self.input_weights),
            input_bias: numbers(&self.input_bias),
            output_weights: weights.map(|weight| weight as i8).collect(),
            output_bias: self.output_bias.clone(),
        }
    }

    /// Its sizes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Where it comes from, in a few words.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Identifies its numbers and its description.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The instructions it is run by.
    pub fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    /// How many blocks a row of the hidden layer has.
    pub(super) fn row_vectors(&self) -> usize {
        self.shape.hidden / I16x32::LANES
    }

    pub(super) fn input_weights(&self) -> &[I16x32] {
        &self.input_weights
    }

    /// What an input adds to the hidden layer.
    #[inline]
    pub(super) fn input_row(&self, index: u16) -> &[I16x32] {
        let blocks = self.row_vectors();
        &self.input_weights[usize::from(index) * blocks..][..blocks]
    }

    pub(super) fn input_bias(&self) -> &[I16x32] {
        &self.input_bias
    }

    /// The weights of the mover's hidden layer and the other side's.
    #[inline]
    pub(super) fn output_rows(&self, output: usize) -> [&[I16x32]; 2] {
        let blocks = self.row_vectors();
        let both = &self.output_weights[2 * output * blocks..][..2 * blocks];
        let (own, other) = both.split_at(blocks);
        [own, other]
    }

    #[inline]
    pub(super) fn output_bias(&self, output: usize) -> i32 {
        self.output_bias[output]
    }
}

/// Cuts numbers into blocks; their count must be a multiple of a block's.
fn blocks(numbers: &[i16]) -> Vec<I16x32> {
    let (blocks, _) = numbers.as_chunks();
    blocks.iter().copied().map(I16x32).collect()
}

/// Whether no board, however full, makes a sum of the hidden layer exceed its 16 bits.
fn check_overflow(parameters: &Parameters) -> Result<(), NetworkError> {
    let hidden = parameters.shape.hidden;
    let mut largest = vec![0_i32; hidden];
    for row in parameters.input_weights.chunks_exact(hidden) {
        for (largest, &weight) in largest.iter_mut().zip(row) {
            *largest = i32::from(weight).abs().max(*largest);
        }
    }
    let bias = parameters.input_bias.iter().map(|&bias| i32::from(bias).abs());
    let most = |(largest, bias)| bias + features::MOST_MEN as i32 * largest > i32::from(i16::MAX);
    let over = largest.into_iter().zip(bias).position(most);
    over.map_or(Ok(()), |neuron| Err(NetworkError::Overflow(neuron)))
}

impl Parameters {
    /// Numbers drawn at random, of the size that training gives with a few of the largest among
    /// them: a network without sense, to test and time with.
    pub fn made_up(shape: Shape, seed: u64) -> Self {
        let Shape { hidden, output_buckets, .. } = shape;
        let mut rng = SplitMix64::new(seed);
        let mut number = |bound: usize| rng.below(2 * bound + 1) as i32 - bound as i32;
        let mut weight = |bound: usize, most: i32| {
            if number(50) == 0 { most * number(1) } else { number(bound) }
        };
        Self {
            shape,
            description: "made up".into(),
            input_weights: (0..hidden * features::COUNT).map(|_| weight(90, 500) as i16).collect(),
            input_bias: (0..hidden).map(|_| weight(200, 5_000) as i16).collect(),
            output_weights: (0..2 * hidden * output_buckets)
                .map(|_| weight(60, 127) as i8)
                .collect(),
            output_bias: (0..output_buckets).map(|_| weight(20_000, 1_000_000)).collect(),
        }
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        seal(self.body())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is no network, of another kind, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let Some((magic, rest)) = bytes.split_first_chunk() else {
            return Err(NetworkError::Magic);
        };
        if *magic != MAGIC {
            return Err(NetworkError::Magic);
        }
        let short = |wanted| NetworkError::Length { found: bytes.len(), wanted };
        let (head, rest) = rest.split_at_checked(HEAD - MAGIC.len()).ok_or_else(|| short(HEAD))?;
        let (numbers, _) = head.as_chunks();
        let number = |at: usize| usize::from(u16::from_le_bytes(numbers[at]));
        let version = number(0) as u16;
        if ![MEN_ONLY, VERSION].contains(&version) {
            return Err(NetworkError::Version(version));
        }
        if number(1) != features::COUNT {
            return Err(NetworkError::Features(number(1)));
        }
        let (output_buckets, bucketed_by) = match (version, number(3) >> 8) {
            (MEN_ONLY, _) | (_, 0) => (number(3), BucketedBy::Men),
            (_, 1) => (number(3) & 0xFF, BucketedBy::Material),
            (_, kind) => return Err(NetworkError::Buckets(kind as u16)),
        };
        let (hidden, scale) = (number(2), number(4) as i32);
        let shape = Shape { hidden, output_buckets, bucketed_by, scale };
        shape.check()?;
        let wanted = HEAD + number(5) + shape.bytes() + SEAL;
        if bytes.len() != wanted {
            return Err(short(wanted));
        }
        unseal(bytes)?;

        let (description, rest) = rest.split_at(number(5));
        let description =
            String::from_utf8(description.to_vec()).map_err(|_| NetworkError::Description)?;
        let (input_weights, rest) = rest.split_at(2 * shape.hidden * features::COUNT);
        let (input_bias, rest) = rest.split_at(2 * shape.hidden);
        let (output_weights, rest) = rest.split_at(2 * shape.hidden * shape.output_buckets);
        let (output_bias, _) = rest.split_at(4 * shape.output_buckets);
        let two =
            |bytes: &[u8]| bytes.as_chunks().0.iter().copied().map(i16::from_le_bytes).collect();
        let four =
            |bytes: &[u8]| bytes.as_chunks().0.iter().copied().map(i32::from_le_bytes).collect();
        Ok(Self {
            shape,
            description,
            input_weights: two(input_weights),
            input_bias: two(input_bias),
            output_weights: output_weights.iter().map(|&byte| byte as i8).collect(),
            output_bias: four(output_bias),
        })
    }

    /// The file without its checksum.
    fn body(&self) -> Vec<u8> {
        let Shape { hidden, output_buckets, bucketed_by, scale } = self.shape;
        let (version, outputs) = match bucketed_by {
            BucketedBy::Men => (MEN_ONLY, output_buckets),
            BucketedBy::Material => (VERSION, output_buckets | 1 << 8),
        };
        // Longer descriptions end where two bytes can no longer count them.
        let text = &self.description;
        let text = &text[..text.floor_char_boundary(usize::from(u16::MAX))];
        let mut bytes = MAGIC.to_vec();
        let numbers = [features::COUNT, hidden, outputs, scale as usize, text.len()];
        bytes.extend(version.to_le_bytes());
        bytes.extend(numbers.into_iter().flat_map(|number| (number as u16).to_le_bytes()));
        bytes.extend(text.as_bytes());
        let inputs = self.input_weights.iter().chain(&self.input_bias);
        bytes.extend(inputs.flat_map(|number| number.to_le_bytes()));
        bytes.extend(self.output_weights.iter().map(|&number| number as u8));
        bytes.extend(self.output_bias.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }
}
