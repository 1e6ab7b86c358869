//! Tables that are connected to files and streams.

mod common;
mod datagen;
mod faker;
mod files;
mod flaws;
mod options;
mod places;
mod recordings;
mod round_trip;
