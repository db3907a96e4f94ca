//! Errors of network files.

use thiserror::Error;

/// Reason why a file is not a usable network.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum BadNetwork {
    /// The signature at the start of the file is missing.
    #[error("not a Chuhe network")]
    NoNetwork,
    /// Unsupported version.
    #[error("network version {0} is not supported")]
    Version(u16),
    /// Invalid architecture.
    #[error("invalid network: {0}")]
    Shape(#[from] BadShape),
    /// The length of the file does not match its architecture.
    #[error("the network needs {needed} bytes, but the file has {found}")]
    Length {
        /// Required number of bytes.
        needed: usize,
        /// Actual number of bytes.
        found: usize,
    },
    /// Wrong checksum.
    #[error("damaged network: wrong checksum")]
    Checksum,
    /// Weights could overflow the integers used for inference.
    #[error("the network could overflow: {0}")]
    Overflow(#[from] Overflow),
}

/// Fault of an architecture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BadShape {
    /// Invalid number of hidden units.
    #[error("{found} hidden units: not a multiple of 32 up to {most}")]
    HiddenUnits {
        /// Number in the file.
        found: usize,
        /// Maximum number.
        most: usize,
    },
    /// Unknown mirroring.
    #[error("unknown mirroring {0}")]
    Mirroring(u8),
    /// Too many king buckets.
    #[error("more than 6 king buckets")]
    KingBuckets,
    /// Unknown attack buckets.
    #[error("unknown attack buckets {0}")]
    AttackBuckets(u8),
    /// Invalid number of hidden units connected to the threats.
    #[error("{found} hidden units with threats: not a multiple of 32 up to {most}")]
    ThreatUnits {
        /// Number in the file.
        found: usize,
        /// Number of hidden units.
        most: usize,
    },
    /// Unknown output buckets.
    #[error("unknown output buckets")]
    Outputs,
    /// Invalid scale in centipawns.
    #[error("invalid scale: {0} centipawns")]
    Scale(i32),
    /// Invalid scale of the output weights.
    #[error("invalid scale of the output weights: {0}")]
    OutputUnit(u16),
    /// Numbers of biases, weights, weights of threats, output weights and output biases that differ from those
    /// required.
    #[error("{found:?} numbers instead of {wanted:?}")]
    Counts {
        /// Actual numbers.
        found: [usize; 5],
        /// Required numbers.
        wanted: [usize; 5],
    },
}

/// Number that could exceed its integer type.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum Overflow {
    /// A floating-point parameter is infinite or not a number.
    #[error("a parameter is not finite")]
    NotFinite,
    /// A floating-point parameter is too large.
    #[error("the parameter {0} is too large")]
    Parameter(f32),
    /// The range of a hidden unit exceeds 16 bits.
    #[error("hidden unit {unit} can lie anywhere from {least} to {most}")]
    HiddenUnit {
        /// Index of the unit.
        unit: usize,
        /// Minimum over all positions.
        least: i32,
        /// Maximum over all positions.
        most: i32,
    },
    /// The sum of an output's weights of one sign is too large.
    #[error("output weights of bucket {bucket} add up to {sum}")]
    Output {
        /// Output bucket.
        bucket: usize,
        /// Absolute sum.
        sum: i64,
    },
    /// An output bias is too large.
    #[error("an output bias of {0}")]
    OutputBias(i32),
}
