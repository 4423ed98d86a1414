//! The messages of Modal's services, as far as they are used: `modal_proto/api.proto` and
//! `modal_proto/task_command_router.proto` of PyPI `modal` 1.6.4 with their numbers. What is `optional` there, or one
//! of several, is an `Option`; numbers of enumerations are constants.

#![allow(
    missing_docs,
    dead_code,
    unreachable_pub,
    clippy::derive_partial_eq_without_eq,
    reason = "the names are those of Modal's own files, and the tests' service uses more of them"
)]

/// `OBJECT_CREATION_TYPE_CREATE_IF_MISSING`.
pub const CREATE_IF_MISSING: i32 = 1;
/// `GENERIC_STATUS_SUCCESS`.
pub const SUCCESS: i32 = 1;
/// `GENERIC_STATUS_FAILURE`.
pub const FAILURE: i32 = 2;
/// `GENERIC_STATUS_TERMINATED`.
pub const TERMINATED: i32 = 3;
/// `GENERIC_STATUS_TIMEOUT`.
pub const TIMEOUT: i32 = 4;
/// `GENERIC_STATUS_IDLE_TIMEOUT`.
pub const IDLE_TIMEOUT: i32 = 7;
/// `NetworkAccess.NetworkAccessType.OPEN`.
pub const OPEN: i32 = 1;
/// `NetworkAccess.NetworkAccessType.BLOCKED`.
pub const BLOCKED: i32 = 2;
/// `TASK_EXEC_STDOUT_CONFIG_PIPE`, and the same of stderr.
pub const PIPE: i32 = 1;
/// `TASK_EXEC_STDIO_FILE_DESCRIPTOR_STDOUT`.
pub const STDOUT: i32 = 0;
/// `TASK_EXEC_STDIO_FILE_DESCRIPTOR_STDERR`.
pub const STDERR: i32 = 1;

macro_rules! messages {
    ($($(#[$note:meta])* $name:ident { $($(#[$kind:meta])+ $field:ident: $type:ty,)* })*) => {$(
        $(#[$note])*
        #[derive(Clone, PartialEq, prost::Message)]
        pub struct $name { $($(#[$kind])+ pub $field: $type,)* }
    )*};
}

// modal.client
messages! {
    Empty {}
    AppGetOrCreateRequest {
        #[prost(string, tag = "1")] app_name: String,
        #[prost(string, tag = "2")] environment_name: String,
        #[prost(int32, tag = "3")] object_creation_type: i32,
    }
    AppGetOrCreateResponse {
        #[prost(string, tag = "1")] app_id: String,
    }
    AuthTokenGetResponse {
        #[prost(string, tag = "1")] token: String,
    }
    ClientHelloResponse {
        #[prost(string, tag = "2")] image_builder_version: String,
    }
    CommandRouterAccess {
        #[prost(string, tag = "1")] jwt: String,
        #[prost(string, tag = "2")] url: String,
    }
    EnvironmentGetOrCreateRequest {
        #[prost(string, tag = "1")] deployment_name: String,
    }
    EnvironmentGetOrCreateResponse {
        #[prost(string, tag = "1")] environment_id: String,
        #[prost(message, optional, tag = "2")] metadata: Option<EnvironmentMetadata>,
    }
    EnvironmentMetadata {
        #[prost(string, tag = "1")] name: String,
        #[prost(message, optional, tag = "2")] settings: Option<EnvironmentSettings>,
    }
    EnvironmentSettings {
        #[prost(string, tag = "1")] image_builder_version: String,
    }
    GenericResult {
        #[prost(int32, tag = "1")] status: i32,
        #[prost(string, tag = "2")] exception: String,
        #[prost(int32, tag = "3")] exitcode: i32,
    }
    GpuConfig {
        #[prost(uint32, tag = "2")] count: u32,
        #[prost(string, tag = "4")] gpu_type: String,
    }
    Image {
        #[prost(string, repeated, tag = "6")] dockerfile_commands: Vec<String>,
    }
    ImageDeleteRequest {
        #[prost(string, tag = "1")] image_id: String,
    }
    ImageFromIdRequest {
        #[prost(string, tag = "1")] image_id: String,
    }
    ImageFromIdResponse {
        #[prost(string, tag = "1")] image_id: String,
    }
    ImageGetOrCreateRequest {
        #[prost(message, optional, tag = "2")] image: Option<Image>,
        #[prost(string, tag = "4")] app_id: String,
        #[prost(string, tag = "9")] builder_version: String,
    }
    ImageGetOrCreateResponse {
        #[prost(string, tag = "1")] image_id: String,
        #[prost(message, optional, tag = "2")] result: Option<GenericResult>,
    }
    ImageJoinStreamingRequest {
        #[prost(string, tag = "1")] image_id: String,
        #[prost(float, tag = "2")] timeout: f32,
        #[prost(string, tag = "3")] last_entry_id: String,
    }
    ImageJoinStreamingResponse {
        #[prost(message, optional, tag = "1")] result: Option<GenericResult>,
        #[prost(string, tag = "3")] entry_id: String,
    }
    NetworkAccess {
        #[prost(int32, tag = "1")] network_access_type: i32,
    }
    Resources {
        #[prost(uint32, tag = "2")] memory_mb: u32,
        #[prost(uint32, tag = "3")] milli_cpu: u32,
        #[prost(message, optional, tag = "4")] gpu_config: Option<GpuConfig>,
    }
    Sandbox {
        #[prost(string, repeated, tag = "1")] entrypoint_args: Vec<String>,
        #[prost(string, tag = "3")] image_id: String,
        #[prost(string, repeated, tag = "4")] secret_ids: Vec<String>,
        #[prost(message, optional, tag = "5")] resources: Option<Resources>,
        #[prost(uint32, tag = "7")] timeout_secs: u32,
        #[prost(string, optional, tag = "8")] workdir: Option<String>,
        #[prost(message, optional, tag = "22")] network_access: Option<NetworkAccess>,
    }
    /// The same for both kinds, but that the older one has no sources of secrets.
    SandboxCreateRequest {
        #[prost(string, tag = "1")] app_id: String,
        #[prost(message, optional, tag = "2")] definition: Option<Sandbox>,
        #[prost(message, repeated, tag = "4")] tags: Vec<SandboxTag>,
        #[prost(message, repeated, tag = "6")] secret_sources: Vec<SecretSource>,
    }
    SandboxCreateResponse {
        #[prost(string, tag = "1")] sandbox_id: String,
    }
    SandboxCreateV2Response {
        #[prost(string, tag = "1")] sandbox_id: String,
        #[prost(string, tag = "3")] task_id: String,
        #[prost(message, optional, tag = "5")] command_router_access: Option<CommandRouterAccess>,
        #[prost(string, tag = "6")] sandbox_token: String,
    }
    SandboxGetCommandRouterAccessRequest {
        #[prost(string, optional, tag = "1")] sandbox_id: Option<String>,
        #[prost(string, optional, tag = "2")] task_id: Option<String>,
    }
    SandboxGetTaskIdRequest {
        #[prost(string, tag = "1")] sandbox_id: String,
        #[prost(float, optional, tag = "2")] timeout: Option<f32>,
    }
    SandboxGetTaskIdResponse {
        #[prost(string, optional, tag = "1")] task_id: Option<String>,
        #[prost(message, optional, tag = "2")] task_result: Option<GenericResult>,
    }
    SandboxInfo {
        #[prost(string, tag = "1")] id: String,
        #[prost(double, tag = "3")] created_at: f64,
        #[prost(message, optional, tag = "4")] task_info: Option<TaskInfo>,
        #[prost(string, tag = "5")] app_id: String,
        #[prost(message, repeated, tag = "6")] tags: Vec<SandboxTag>,
    }
    SandboxListRequest {
        #[prost(string, tag = "1")] app_id: String,
        #[prost(double, tag = "2")] before_timestamp: f64,
        #[prost(bool, tag = "4")] include_finished: bool,
        #[prost(message, repeated, tag = "5")] tags: Vec<SandboxTag>,
    }
    SandboxListResponse {
        #[prost(message, repeated, tag = "1")] sandboxes: Vec<SandboxInfo>,
    }
    SandboxTag {
        #[prost(string, tag = "1")] tag_name: String,
        #[prost(string, tag = "2")] tag_value: String,
    }
    SandboxTerminateRequest {
        #[prost(string, tag = "1")] sandbox_id: String,
    }
    SandboxTerminateResponse {
        #[prost(message, optional, tag = "1")] existing_result: Option<GenericResult>,
    }
    SandboxWaitRequest {
        #[prost(string, tag = "1")] sandbox_id: String,
        #[prost(float, tag = "2")] timeout: f32,
    }
    SandboxWaitResponse {
        #[prost(message, optional, tag = "1")] result: Option<GenericResult>,
    }
    SecretGetOrCreateRequest {
        #[prost(string, tag = "1")] deployment_name: String,
        #[prost(string, tag = "3")] environment_name: String,
        #[prost(btree_map = "string, string", tag = "5")] env_dict: std::collections::BTreeMap<String, String>,
    }
    SecretGetOrCreateResponse {
        #[prost(string, tag = "1")] secret_id: String,
    }
    SecretSource {
        #[prost(string, optional, tag = "1")] secret_id: Option<String>,
        #[prost(message, optional, tag = "2")] env: Option<StringMap>,
    }
    StringMap {
        #[prost(btree_map = "string, string", tag = "1")] contents: std::collections::BTreeMap<String, String>,
    }
    TaskGetCommandRouterAccessRequest {
        #[prost(string, tag = "1")] task_id: String,
    }
    TaskInfo {
        #[prost(string, tag = "1")] id: String,
        #[prost(message, optional, tag = "4")] result: Option<GenericResult>,
    }
}

// modal.task_command_router
messages! {
    TaskExecStartRequest {
        #[prost(string, tag = "1")] task_id: String,
        #[prost(string, tag = "2")] exec_id: String,
        #[prost(string, repeated, tag = "3")] command_args: Vec<String>,
        #[prost(int32, tag = "4")] stdout_config: i32,
        #[prost(int32, tag = "5")] stderr_config: i32,
        #[prost(uint32, optional, tag = "6")] timeout_secs: Option<u32>,
        #[prost(string, optional, tag = "7")] workdir: Option<String>,
        #[prost(message, repeated, tag = "13")] secret_sources: Vec<SecretSource>,
    }
    /// The same for poll, status of input and wait.
    TaskExecRequest {
        #[prost(string, tag = "1")] task_id: String,
        #[prost(string, tag = "2")] exec_id: String,
    }
    TaskExecStdinStatusResponse {
        #[prost(uint64, tag = "1")] num_bytes_written: u64,
        #[prost(bool, tag = "2")] closed: bool,
    }
    TaskExecStdinWriteRequest {
        #[prost(string, tag = "1")] task_id: String,
        #[prost(string, tag = "2")] exec_id: String,
        #[prost(uint64, tag = "3")] offset: u64,
        #[prost(bytes = "vec", tag = "4")] data: Vec<u8>,
        #[prost(bool, tag = "5")] eof: bool,
    }
    TaskExecStdioReadRequest {
        #[prost(string, tag = "1")] task_id: String,
        #[prost(string, tag = "2")] exec_id: String,
        #[prost(uint64, tag = "3")] offset: u64,
        #[prost(int32, tag = "4")] file_descriptor: i32,
    }
    TaskExecStdioReadResponse {
        #[prost(bytes = "vec", tag = "1")] data: Vec<u8>,
    }
    /// The same for poll and wait.
    TaskExecStatusResponse {
        #[prost(int32, optional, tag = "1")] code: Option<i32>,
        #[prost(int32, optional, tag = "2")] signal: Option<i32>,
    }
    TaskSnapshotFilesystemRequest {
        #[prost(string, tag = "1")] task_id: String,
        #[prost(string, tag = "2")] snapshot_id: String,
        #[prost(int64, optional, tag = "3")] ttl_seconds: Option<i64>,
    }
    TaskSnapshotFilesystemResponse {
        #[prost(string, tag = "1")] image_id: String,
    }
}
