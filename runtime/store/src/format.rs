//! The numbers of the stored format, and what holds them in place.
//!
//! Decision: a reader of a new version ships one release before its writer. So a change that older
//! readers cannot read raises [`SCHEMA`] first and [`MIN_READER`] one release later.

/// The layout of the container of an export.
pub const CONTAINER: u16 = 1;
/// What this version writes inside objects.
pub const SCHEMA: u16 = 1;
/// The lowest schema a reader must know for what this version writes.
pub const MIN_READER: u16 = 1;
/// Mixed into every id, so that an object of another encoding never has the id of this one.
pub const OBJECT_VERSION: u8 = 1;
/// The name of the hash in headers. A store holds ids of one hash only.
pub const ALGORITHM: &str = "blake3";
/// Says that a SQLite file is a store: "OFSH".
pub const APPLICATION_ID: i32 = 0x4f46_5348;
/// The tables of a SQLite store.
pub const SQLITE_SCHEMA: i32 = 1;
/// The first bytes of a container.
pub const MAGIC: [u8; 8] = *b"OFFSHOOT";

// Tripwires: whoever changes a number changes what is stored, and with it the golden files.
const _: () = {
    assert!(CONTAINER == 1 && SCHEMA == 1 && MIN_READER == 1 && OBJECT_VERSION == 1);
    assert!(APPLICATION_ID == 1_330_008_904 && SQLITE_SCHEMA == 1);
    assert!(MIN_READER <= SCHEMA);
    assert!(crate::Kind::Chunk as u8 == 1 && crate::Kind::File as u8 == 2);
    assert!(crate::Kind::Names as u8 == 3 && crate::Kind::Inodes as u8 == 4);
    assert!(crate::Kind::Tree as u8 == 5 && crate::Kind::Session as u8 == 6);
    assert!(crate::Kind::Settings as u8 == 7 && crate::Kind::Commit as u8 == 8);
    assert!(
        offshoot_vfs::ObjectKind::Chunk as u8 == 1 && offshoot_vfs::ObjectKind::Tree as u8 == 5
    );
};
