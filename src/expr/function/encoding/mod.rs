//! Functions that write data as text in another form, and read it back.

pub(super) mod charset;
pub(super) mod digits;
pub(super) mod inet;
pub(super) mod java_url;
pub(super) mod url;
