//! The contract of settings: every flag is also a variable and a key of the file, and the first of them that says something wins.

use std::collections::BTreeSet;

use clap::{Arg, ArgAction, CommandFactory, Parser};

use super::*;
use crate::cli::{Cli, Command};

/// From the weakest to the strongest.
const SOURCES: [&str; 3] = ["file", "variable", "flag"];

/// One setting in all of its spellings. `{}` is what is said, by each source something else.
struct Setting {
    id: String,
    flag: String,
    variable: String,
    key: String,
    /// In the settings that the server runs with.
    shown: String,
    said: [String; 3],
}

impl Setting {
    fn of(arg: &Arg) -> Self {
        let id = arg.get_id().as_str();
        let flag = format!("--{}={{}}", arg.get_long().unwrap());
        let each = |said: [&str; 3]| said.map(str::to_owned);
        let words = |before: &str, after: &str| SOURCES.map(|source| format!("{before}{source}{after}"));
        let text = words("https://", &format!(".example/{id}"));
        let (key, shown, said) = match id {
            "listen" => {
                let addresses = ["127.0.0.1:7001", "127.0.0.1:7002", "127.0.0.1:7003"];
                ("listen = '{}'", "listen: {},", each(addresses))
            }
            "data_dir" => ("data_dir = '{}'", "data_dir: '{}'", text),
            "log_format" => ("log_format = '{}'", "log_format: {},", each(["json", "text", "json"])),
            "separation" => ("separation = '{}'", "separation: {},", each(["strict", "auto", "strict"])),
            "allow_hosts" => {
                ("allow_hosts = ['{}']", "[Name { name: '{}', port: None }]", words("", ".example"))
            }
            "trusted_proxies" => {
                let addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];
                ("trusted_proxies = ['{}']", "TrustedProxies([{}/32])", each(addresses))
            }
            "mcp_stdio_commands" => ("mcp_stdio_commands = ['{}']", "lines: [['{}']]", text),
            "sandbox_worker" => ("sandbox_worker = '{}'", " worker: Some('{}')", text),
            "sandbox_cpython" => ("sandbox_cpython = '{}'", " full_worker: Some('{}')", text),
            "sandbox_dir" => ("sandbox_dir = '{}'", " full_dir: Some('{}')", text),
            "oidc_issuer" => ("oidc_issuer = '{}'", "Oidc { issuer: '{}'", text),
            "oidc_client_id" => ("oidc_client_id = '{}'", "client_id: '{}'", text),
            "oauth_issuers" => ("oauth.issuers = [{ issuer = '{}' }]", "[OauthIssuer { issuer: '{}'", text),
            "oauth_resource" => ("oauth.resource = '{}'", "resource: Some('{}')", text),
            "otlp_endpoint" => ("otlp_endpoint = '{}'", "Otlp { endpoint: '{}/v1/traces'", text),
            "otlp_headers" => ("otlp_headers = ['{}']", "otlp_headers: ['{}']", words("name=", "")),
            "limit" => {
                ("limits.max_input_bytes = {}", "max_input_bytes: {},", each(["1001", "1002", "1003"]))
            }
            _ if arg.is_require_equals_set() => ("ID = {}", "ID: {},", each(["true", "false", "true"])),
            _ if matches!(arg.get_action(), ArgAction::Append) => ("ID = ['{}']", "ID: ['{}']", text),
            _ => ("ID = '{}'", "ID: Some('{}')", text),
        };
        let (flag, variable) = match arg.get_env() {
            Some(variable) => (flag, variable.to_str().unwrap().to_owned()),
            None => (flag.replace("{}", "max_input_bytes={}"), "TOOLGATE_LIMIT_MAX_INPUT_BYTES".to_owned()),
        };
        let [key, shown] = [key, shown].map(|text| text.replace("ID", id));
        Self { id: id.to_owned(), flag, variable, key, shown, said }
    }

    fn all() -> Vec<Self> {
        let cli = Cli::command();
        cli.find_subcommand("serve").unwrap().get_arguments().map(Self::of).collect()
    }

    fn filled(&self, spelling: &str, source: usize) -> String {
        spelling.replace("{}", &self.said[source])
    }
}

/// Where a process of this test finds its flags and its file, and leaves what it made of them.
const FOLDER: &str = "TOLD_IN";

/// What a process settles on where these sources speak. It is one of its own: the environment of this one belongs to all tests.
fn settled(speaks: [bool; 3]) -> String {
    let settings = Setting::all();
    let lines = |source: usize, spelling: fn(&Setting) -> &str| -> String {
        let line = |setting: &Setting| setting.filled(spelling(setting), source) + "\n";
        settings.iter().filter(|_| speaks[source]).map(line).collect()
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("toolgate.toml"), lines(0, |setting| &setting.key)).unwrap();
    std::fs::write(folder.path().join("flags"), lines(2, |setting| &setting.flag)).unwrap();
    let variables =
        settings.iter().filter(|_| speaks[1]).map(|setting| (&setting.variable, &setting.said[1]));
    let ran = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "config::tests::the_strongest_source_that_says_something_wins"])
        .current_dir(folder.path())
        .env_clear()
        .envs(variables)
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    std::fs::read_to_string(folder.path().join("told")).unwrap()
}

/// What that process does.
fn settle(folder: &Path) {
    let flags = std::fs::read_to_string(folder.join("flags")).unwrap();
    let cli = Cli::try_parse_from(["toolgate", "serve"].into_iter().chain(flags.lines())).unwrap();
    let Command::Serve(args) = cli.command else { panic!("that is not `serve`") };
    let config = Config::load(args, Some(&folder.join("toolgate.toml"))).unwrap();
    let otlp = config.otlp.clone().unwrap();
    let headers: Vec<_> = otlp.headers.iter().map(|(name, value)| format!("{name}={value}")).collect();
    // What `Config` keeps to itself because it may be secret, or has in another form.
    let more = format!(
        "oidc_client_secret: {:?}, otlp_headers: {headers:?}, otlp_service_name: {:?}, log_format: {}, separation: {},",
        config.oidc.as_ref().and_then(|oidc| oidc.client_secret.as_ref()),
        Some(otlp.service_name),
        if config.json_logs { "json" } else { "text" },
        format!("{:?}", config.separation).to_lowercase(),
    );
    std::fs::write(folder.join("told"), format!("{config:?} {more}").replace('"', "'")).unwrap();
}

#[test]
fn the_strongest_source_that_says_something_wins() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return settle(Path::new(&folder));
    }
    for (speaks, strongest) in [
        ([true, false, false], 0),
        ([true, true, false], 1),
        ([false, true, false], 1),
        ([true, false, true], 2),
        ([true, true, true], 2),
    ] {
        let told = settled(speaks);
        for setting in Setting::all() {
            let shown = setting.filled(&setting.shown, strongest);
            assert!(told.contains(&shown), "{}: `{shown}` is not in {told}", setting.id);
            for weaker in (0..strongest).filter(|weaker| setting.said[*weaker] != setting.said[strongest]) {
                let lost = &setting.said[weaker];
                let shown = setting.filled(&setting.shown, weaker);
                assert!(!told.contains(&shown), "{}: `{lost}` of the {} counts", setting.id, SOURCES[weaker]);
            }
        }
    }
}

#[test]
fn a_switch_is_on_where_it_is_only_named_and_off_where_that_is_said() {
    for (line, said) in [
        ("toolgate serve --bypass-approval", true),
        ("toolgate serve --bypass-approval --log-format json", true),
        ("toolgate serve --bypass-approval=true", true),
        ("toolgate serve --bypass-approval=false", false),
    ] {
        let cli = Cli::try_parse_from(line.split(' ')).unwrap();
        let Command::Serve(args) = cli.command else { panic!("{line} is not `serve`") };
        assert_eq!(args.bypass_approval, Some(said), "{line}");
    }
    for flag in ["--bypass-approval=", "--bypass-approval=maybe"] {
        assert!(Cli::try_parse_from(["toolgate", "serve", flag]).is_err(), "{flag}");
    }
}

#[test]
fn lists_with_more_than_one_entry_replace_and_are_replaced_whole() {
    let list = |entries: &[&str]| entries.iter().map(|entry| (*entry).to_owned()).collect::<Vec<_>>();
    assert_eq!(first(list(&["a", "b"]), list(&["b", "c"])), ["a", "b"]);
    assert_eq!(first(list(&[]), list(&["b", "c"])), ["b", "c"]);
}

/// Whoever reads the file lists its keys to somebody who gives another.
fn keys_of_the_file() -> BTreeSet<String> {
    let refused = toml::from_str::<ServeArgs>("unheard_of = 1").unwrap_err();
    refused.message().split('`').skip(3).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_page_names_every_flag_with_its_variable_and_its_key_and_no_others() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/configuration.md");
    let page = std::fs::read_to_string(page).unwrap();
    let cli = Cli::command();
    let serve = cli.find_subcommand("serve").unwrap();
    let row_of = |flag: &str| {
        let starts = [format!("| `--{flag}`"), format!("| `--{flag} ")];
        page.lines().find(|line| starts.iter().any(|start| line.starts_with(start)))
    };
    let flags: BTreeSet<_> = serve.get_arguments().filter_map(Arg::get_long).collect();
    let named = page.lines().filter_map(|line| line.strip_prefix("| `--")?.split([' ', '`']).next());
    assert_eq!(named.collect::<BTreeSet<_>>(), flags);
    let keys = keys_of_the_file();
    assert!(keys.contains("listen") && keys.contains("prices"), "{keys:?}");
    for arg in serve.get_arguments() {
        let row = row_of(arg.get_long().unwrap()).unwrap();
        let variable = arg.get_env().map_or("TOOLGATE_LIMIT_NAME", |variable| variable.to_str().unwrap());
        assert!(row.contains(&format!("`{variable}`")), "{variable} is not in {row}");
        let id = arg.get_id().as_str();
        assert!(!keys.contains(id) || row.contains(&format!("`{id}`")), "the key {id} is not in {row}");
    }
    for key in keys {
        let spellings = [format!("`{key}`"), format!("`[{key}]`"), format!("`[[{key}]]`")];
        assert!(spellings.iter().any(|spelling| page.contains(spelling)), "the key {key} is not on the page");
    }
}
