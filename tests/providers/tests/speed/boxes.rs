//! The service of Daytona's shape that the command's tests have.

#![allow(dead_code, reason = "a part of what it has is used here")]

#[path = "../../../../host/connectors/tests/components/service.rs"]
mod http;
#[path = "../../../../host/cli/tests/daytona/multipart.rs"]
mod multipart;
#[path = "../../../../host/cli/tests/daytona/service.rs"]
pub(super) mod service;
