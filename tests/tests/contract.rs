//! The WIT contract: it resolves, and every item of ours has a doc comment.

#[test]
fn every_item_of_the_contract_is_documented() {
    // The build script reads the contract.
    let bare = include_str!(concat!(env!("OUT_DIR"), "/undocumented.txt"));
    assert_eq!(bare, "", "without a doc comment");
}
