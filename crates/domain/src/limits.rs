//! Every bound of the product, with its default, in one place.

use serde::{Deserialize, Serialize};

macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:expr;)*) => {
        /// The bounds in force. Each is a key of `[limits]` in `toolgate.toml`, and `TOOLGATE_LIMIT_…` in the environment.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Limits {
            $($(#[doc = $doc])+ pub $name: u64,)*
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Limits {
            /// Name, default and meaning of each bound, for the documentation.
            pub const TABLE: &'static [(&'static str, u64, &'static str)] =
                &[$((stringify!($name), $default, concat!($($doc),+)),)*];

            /// Sets one bound by name; `false` when there is none of that name.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

limits! {
    /// Bytes of a call's input, and of any other request body.
    max_input_bytes = 2 * 1024 * 1024;
    /// Levels of nesting in JSON from outside.
    max_json_depth = 64;
    /// Bytes of an output that stay in its envelope; the rest goes to a blob.
    max_output_bytes = 2 * 1024 * 1024;
    /// Bytes of an output altogether; a tool that makes more fails.
    max_blob_bytes = 256 * 1024 * 1024;
    /// Bytes of the preview that an envelope keeps of an output that went to a blob.
    max_preview_bytes = 64 * 1024;
    /// Chunks that one call may stream.
    max_output_chunks = 10_000;
    /// Bytes of a tool definition.
    max_definition_bytes = 512 * 1024;
    /// Versions of tools that one tenant may register.
    max_tools = 20_000;
    /// Drafts of tools that one tenant may try; each different one is kept, because receipts name it.
    max_drafts = 2_000;
    /// Files of one pack.
    max_pack_files = 200;
    /// Bytes of one pack: its manifest and its files.
    max_pack_bytes = 2 * 1024 * 1024;
    /// MCP servers of others that one tenant may use.
    max_mcp_servers = 50;
    /// Tools of one such server that are imported; more are left off.
    max_mcp_server_tools = 500;
    /// Bytes of one tool's definition, as such a server gives it; a larger one is not imported.
    max_mcp_tool_bytes = 64 * 1024;
    /// Seconds after which such a server is asked again for its tools.
    mcp_refresh_s = 300;
    /// Milliseconds that a tool may run when its definition does not say.
    default_timeout_ms = 30_000;
    /// The longest timeout that a definition may ask for, in milliseconds.
    max_timeout_ms = 15 * 60_000;
    /// Calls of one tool that run at a time when its definition does not say.
    default_tool_concurrency = 256;
    /// Calls in one batch.
    max_batch_calls = 100;
    /// Calls of one batch that run at a time.
    max_batch_parallel = 16;
    /// Requests that are answered at a time; above it the server sheds load.
    max_requests = 1_024;
    /// Event streams that are open at a time.
    max_streams = 512;
    /// Connections that are open at a time.
    max_connections = 4_096;
    /// Bytes of a request's head.
    max_header_bytes = 32 * 1024;
    /// Milliseconds in which a client must send its request.
    request_read_timeout_ms = 15_000;
    /// Rows in one page.
    max_page_rows = 200;
    /// Calls that wait for the ledger at a time; above it new calls are refused.
    max_ledger_queue = 8_192;
    /// Rows that share one transaction of the ledger.
    max_commit_batch = 512;
    /// Bytes that share one transaction of the ledger in PostgreSQL; a row that is larger has one of its own.
    max_commit_batch_bytes = 16 * 1024 * 1024;
    /// Bytes of results that the in-process cache holds.
    max_cache_bytes = 64 * 1024 * 1024;
    /// Milliseconds after which a running call of class `none` gets a row of its own before it ends.
    lone_commit_after_ms = 20;
    /// Times that a call of an idempotent tool is begun again after a crash.
    max_attempts = 3;
    /// Milliseconds after which a silent node counts as dead (shared database only).
    node_lease_ms = 15_000;
    /// Milliseconds that running calls get to end when the server stops.
    drain_ms = 20_000;
    /// Seconds that a call waits for a person; then it counts as rejected.
    approval_ttl_s = 24 * 3_600;
    /// Iterations of one run; agents and tenants can lower it, not raise it.
    run_max_iterations = 10;
    /// Calls of tools in one run; agents and tenants can lower it, not raise it.
    run_max_tool_calls = 25;
    /// Seconds from the beginning of a run to its end, whatever it waits for; one run can ask for less.
    run_deadline_s = 7 * 24 * 3_600;
    /// Characters of a tool's result that the model of a run is shown; the receipt has all of it.
    run_result_chars = 16_000;
    /// Tools whose schemas the model of a run is shown; with more of them it is given a search and one call for all.
    run_max_listed_tools = 64;
    /// Spans of one trace that are shown.
    max_trace_spans = 5_000;
    /// Spans that may wait to be written; what comes then is not kept, and counted.
    max_span_queue = 8_192;
    /// Earlier messages of a thread that its next run is given; the oldest are left out first.
    chat_history_messages = 100;
    /// Characters of those messages.
    chat_history_chars = 200_000;
    /// Messages of one thread.
    max_thread_messages = 10_000;
    /// How deep calls of tools by tools may stand.
    max_call_depth = 8;
    /// Calls that one call of a tool may make itself.
    max_inner_calls = 200;
    /// Bytes of memory that a Python script may use.
    python_memory_bytes = 64 * 1024 * 1024;
    /// Milliseconds that a Python script may compute. Waiting for a tool does not count.
    python_cpu_ms = 5_000;
    /// Milliseconds that a Python script may take, by the clock on the wall. Waiting for a tool does not count.
    python_wall_ms = 10_000;
    /// Bytes that a Python script may print.
    python_output_bytes = 1024 * 1024;
    /// Levels of calls inside calls of a Python script.
    python_recursion = 200;
    /// Calls of tools in one run of a Python script.
    python_host_calls = 100;
    /// Bytes of a Python script's value, and of the arguments of one call of a tool.
    python_result_bytes = 2 * 1024 * 1024;
    /// Bytes of a Python script.
    python_code_bytes = 256 * 1024;
    /// Python workers that stand ready.
    python_idle_workers = 4;
    /// Python scripts that run at a time.
    python_running = 32;
    /// Calls that wait for a Python worker at a time; above it they are refused.
    python_queued = 512;
    /// Milliseconds that a call waits for a Python worker.
    python_queue_ms = 10_000;
    /// Milliseconds in which a fresh Python worker must be ready.
    python_worker_start_ms = 10_000;
    /// Bytes of an HTTP tool's response, on the wire and unpacked, when its definition does not say.
    http_default_response_bytes = 4 * 1024 * 1024;
    /// The most bytes of a response that the definition of an HTTP tool may ask for; the sum of all pages where there are pages.
    http_max_response_bytes = 64 * 1024 * 1024;
    /// How many times larger than on the wire a response may get when it is unpacked.
    http_unpack_ratio = 100;
    /// Responses below this many bytes may unpack to any ratio.
    http_unpack_ratio_from_bytes = 1024 * 1024;
    /// Headers of a response.
    http_response_headers = 100;
    /// Bytes of the headers of a response.
    http_response_header_bytes = 64 * 1024;
    /// Bytes of a request body of an HTTP tool.
    http_request_bytes = 4 * 1024 * 1024;
    /// Redirects that an HTTP tool follows.
    http_redirects = 5;
    /// Milliseconds in which an HTTP tool must be connected, with TLS.
    http_connect_timeout_ms = 10_000;
    /// The longest timeout of one request that the definition of an HTTP tool may ask for, in milliseconds.
    http_max_timeout_ms = 300_000;
    /// Milliseconds that one request of an HTTP tool may take when its definition does not say.
    http_default_timeout_ms = 30_000;
    /// Requests of HTTP tools to one host at a time.
    http_host_concurrency = 32;
    /// Requests of HTTP tools to one host in a second.
    http_host_requests_per_s = 100;
    /// Hosts that are kept account of at a time.
    http_hosts = 10_000;
    /// The longest that a request of an HTTP tool waits for its turn or for the next attempt, in milliseconds.
    http_wait_ms = 30_000;
    /// Times that a request of an HTTP tool is repeated.
    http_retries = 5;
    /// Pages that one call of an HTTP tool reads.
    http_pages = 100;
    /// Items that one call of an HTTP tool gathers from its pages.
    http_items = 10_000;
    /// Bytes of a response's text that stay in the output; a longer text is cut.
    http_text_bytes = 1024 * 1024;
    /// Bytes of a response that an error quotes.
    http_error_preview_bytes = 1_024;
    /// Rows of a response shown as a table.
    http_table_rows = 1_000;
    /// Columns of a response shown as a table.
    http_table_columns = 200;
    /// OAuth2 tokens that are kept at a time.
    http_tokens = 10_000;
    /// Idle connections that are kept per host.
    http_idle_connections = 8;
    /// Milliseconds after which an idle connection is closed.
    http_idle_ms = 30_000;
    /// Connections to upstream MCP servers that are open at a time.
    mcp_connections = 256;
    /// Connections to one upstream that are open at a time: one for each set of credentials.
    mcp_upstream_connections = 16;
    /// Milliseconds after which a connection to an upstream that nobody uses is closed.
    mcp_idle_ms = 300_000;
    /// Milliseconds in which an upstream must be connected to and have introduced itself.
    mcp_connect_timeout_ms = 20_000;
    /// Milliseconds in which an upstream must have told all of its tools.
    mcp_list_timeout_ms = 30_000;
    /// Calls of one upstream that run at a time.
    mcp_upstream_concurrency = 64;
    /// Calls of one upstream that wait for their turn at a time; above it they are refused.
    mcp_upstream_queue = 256;
    /// Bytes of one message of an upstream.
    mcp_message_bytes = 16 * 1024 * 1024;
    /// Messages that an upstream may send unasked in one second; one that sends more is disconnected.
    mcp_unasked_per_s = 2_000;
    /// Messages of progress and log that are passed on for one call; more are dropped.
    mcp_notices_per_call = 1_000;
    /// Bytes of one message of progress or log; a longer one is dropped.
    mcp_notice_bytes = 16 * 1024;
    /// Failures to connect, one after the other, after which an upstream is left alone for a while.
    mcp_breaker_failures = 5;
    /// Milliseconds that an upstream is left alone at first; twice as long each time that it fails again.
    mcp_breaker_open_ms = 1_000;
    /// The longest that an upstream is left alone, in milliseconds.
    mcp_breaker_max_open_ms = 60_000;
    /// Seconds for which the prompts and resources that an upstream lists are kept; those of one that failed are not asked for either.
    mcp_catalog_s = 60;
    /// Milliseconds that the lists of an upstream are waited for; those of one that is slower are left off.
    mcp_catalog_timeout_ms = 5_000;
    /// Prompts of one upstream that are listed, and as many resources and templates of resources.
    mcp_catalog_items = 1_000;
    /// Resources of upstreams that one MCP session may watch at a time.
    mcp_watches = 64;
    /// Webhooks that one tenant may have.
    max_webhooks = 20;
    /// Letters to webhooks that one process sends at a time.
    webhook_sends = 64;
    /// Letters to the webhooks of one tenant that one process sends at a time; tenants take turns.
    webhook_sends_per_tenant = 8;
    /// Letters to one webhook that one process sends at a time; the webhooks of a tenant take turns.
    webhook_sends_per_webhook = 2;
    /// Milliseconds after which a webhook's receiver must have answered.
    webhook_timeout_ms = 10_000;
    /// Milliseconds after which an answer is slow. A slow webhook is sent one letter at a time, and all slow ones share half of the places.
    webhook_slow_ms = 1_000;
    /// Times that a question is sent to a webhook, the first included.
    webhook_max_attempts = 7;
    /// Milliseconds before the second attempt; the waits grow by 5, 30, 120, 600 and 3600 times this.
    webhook_retry_base_ms = 1_000;
    /// KiB of memory that hashing a password takes: the less, the cheaper it is to guess from a stolen hash. Lower it for tests alone.
    password_memory_kib = 19 * 1024;
    /// Seconds that a browser's session lives.
    login_ttl_s = 12 * 3_600;
    /// Seconds between two notes of when a browser's session was used last.
    login_note_s = 300;
    /// Attempts to sign in to one account in five minutes: from one address, or by one browser that signed in to it before.
    sign_in_attempts = 10;
    /// Attempts to sign in from one address in five minutes, whatever the accounts.
    sign_in_address_attempts = 50;
    /// Attempts to sign in to one account in five minutes, from all addresses together.
    sign_in_account_attempts = 100;
    /// Seconds for which a browser that signed in to an account is known again there, and counted by itself.
    sign_in_device_s = 90 * 24 * 3_600;
    /// Documents of one kind (agents, users, assignments, secrets …) that one tenant may have.
    max_documents = 20_000;
    /// Tools, resources or prompts on one page of a list that an MCP client asks for.
    mcp_page_size = 100;
    /// Seconds that an MCP call which waits for a person is held before it is answered as pending.
    mcp_wait_s = 20;
    /// Times that an MCP client is told to come back for a call that waits; then it is answered as pending. Clients give up after ten.
    mcp_wait_rounds = 6;
    /// Seconds for which an MCP client may come back for a call that waits.
    mcp_state_s = 86_400;
    /// Seconds that an answer may take where an upstream asks in the middle of a call.
    mcp_ask_s = 600;
    /// Times that an upstream may ask in one call.
    mcp_ask_rounds = 10;
    /// Calls of upstreams that wait for an answer with a connection open.
    mcp_held_calls = 256;
    /// Bytes of a result that an MCP client gets as text for its model; more of it is a link to a resource.
    mcp_max_text_bytes = 64 * 1024;
    /// Bytes of a result that an MCP client gets as structured content, and of a resource that it reads.
    mcp_max_result_bytes = 8 * 1024 * 1024;
    /// Seconds after which an MCP session that says nothing is closed.
    mcp_session_idle_s = 1_800;
    /// MCP sessions that are open at a time.
    mcp_max_sessions = 10_000;
    /// MCP sessions that one caller may have open at a time.
    mcp_max_sessions_per_caller = 2_000;
    /// Seconds that a signed blob address stays valid.
    blob_url_ttl_s = 3_600;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_can_be_set_by_its_name() {
        for (name, default, meaning) in Limits::TABLE {
            let mut limits = Limits::default();
            assert!(limits.set(name, default + 1), "{name}");
            assert_ne!(limits, Limits::default(), "{name}");
            assert!(!meaning.is_empty());
        }
        assert!(!Limits::default().set("no_such_limit", 1));
    }
}
