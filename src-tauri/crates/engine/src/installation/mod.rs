//! The installation itself: packages that are taken in from a file. A package is opened only if it is signed with the
//! key that the installation knows. Its content is unpacked beside the running version, read back and compared, and put
//! in its place by one rename. A pack with another libtorch is taken in the same way.

mod about;
#[cfg(all(test, unix))]
mod fixture;
mod home;
mod pack;
mod pack_list;
mod pack_part;
#[cfg(all(test, unix))]
mod pack_tests;
mod release;
mod signature;
#[cfg(all(test, unix))]
mod tests;
mod unpack;
mod update;

pub use about::about;
pub use pack::{packs, remove_pack, take_pack_in};
pub use update::{go_back, installation, update_from};
