//! Updates of the installed program from a signed package file. A package is opened only if it is signed with the key
//! that the installation knows. It is unpacked beside the running version, read back and compared, and then put in
//! place by one rename. A pack (another build of libtorch) is installed in the same way. This module also goes back to
//! the previous version.

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

pub use pack::{packs, remove_pack, take_pack_in};
pub use update::{go_back, installation, update_from};
