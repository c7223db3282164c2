//! Blobs in a directory or in an S3-compatible bucket, through one trait.

mod blobs;

pub use blobs::ObjectBlobs;
