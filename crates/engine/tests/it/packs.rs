//! Packs: checked together, installed together, upgraded, removed, and never half there.

use std::collections::BTreeMap;

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::{
    Caller, ErrorCode, Lifecycle, Limits, Surface, TenantId,
    pack::{InstalledPack, PackState, PackTool},
};
use toolgate_engine::{
    Bundle, Pack, PackChange, PackError, PackPlan, PackStep, RegistryError, definition_from_json,
};
use toolgate_store::{AuditFilter, Kind, RecordWrite};

use crate::common::{House, caller, code, definition};

/// A TOOL.md of kind `probe`.
fn tool(name: &str, version: &str, more: &str) -> (String, String) {
    let text = format!(
        "---\nname: {name}\nversion: {version}\ndescription: d\ninput_schema: {{type: object}}\nexecution: {{kind: probe, does: echo}}\n{more}---\n# {name}\n"
    );
    (format!("{name}/TOOL.md"), text)
}

fn bundle(version: &str, tools: &[(String, String)]) -> Bundle {
    named("kit", version, tools)
}

fn named(name: &str, version: &str, tools: &[(String, String)]) -> Bundle {
    let names: Vec<_> = tools.iter().map(|(path, _)| path.trim_end_matches("/TOOL.md")).collect();
    let manifest = format!(
        "name: {name}\nversion: {version}\ntitle: Kit\ndescription: A kit.\nlicense: Apache-2.0\ntools: [{}]\n",
        names.join(", ")
    );
    Bundle { manifest, files: tools.iter().cloned().collect() }
}

fn pack(bundle: &Bundle) -> Pack {
    Pack::read(bundle, &Limits::default()).unwrap()
}

async fn install(house: &House, bundle: &Bundle) -> Result<PackPlan, PackError> {
    house.engine.packs().install(&caller(), &pack(bundle), false).await
}

async fn lifecycle(house: &House, reference: &str) -> Option<Lifecycle> {
    match house.engine.registry().get(&caller(), Surface::Rest, reference).await {
        Ok(tool) => Some(tool.lifecycle),
        Err(RegistryError::NotFound(_)) => None,
        Err(other) => panic!("{other}"),
    }
}

fn messages(error: PackError) -> String {
    match error {
        PackError::Invalid(problems) | PackError::Conflict(problems) => {
            problems.iter().map(|problem| format!("{}: {}\n", problem.place, problem.message)).collect()
        }
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_pack_is_installed_listed_called_and_audited() {
    let house = House::new().await;
    let kit = bundle("1.0.0", &[tool("one", "1.0.0", ""), tool("two", "2.1.0", "")]);
    let plan = house.engine.packs().install(&caller(), &pack(&kit), true).await.unwrap();
    assert_eq!(plan.change, PackChange::Install);
    assert!(matches!(&plan.steps[..], [PackStep::Register { .. }, PackStep::Register { .. }]), "{plan:?}");
    assert_eq!(house.engine.packs().list(&caller()).await.unwrap(), [], "a dry run changes nothing");
    assert_eq!(lifecycle(&house, "one").await, None);

    assert_eq!(install(&house, &kit).await.unwrap().steps, plan.steps);
    let installed = house.engine.packs().get(&caller(), "kit").await.unwrap();
    assert_eq!((installed.state, installed.version.to_string()), (PackState::Installed, "1.0.0".to_owned()));
    assert_eq!(installed.tools.iter().map(PackTool::id).collect::<Vec<_>>(), ["one@1.0.0", "two@2.1.0"]);
    assert_eq!(installed.checksum, pack(&kit).checksum);
    assert_eq!(house.done("two", json!({"a": 1})).await.output, Some(json!({"got": {"a": 1}})));

    let events = house
        .stores
        .audit
        .events(TenantId::DEFAULT, &AuditFilter { limit: 50, ..AuditFilter::default() })
        .await;
    let actions: Vec<_> = events.unwrap().into_iter().map(|event| event.action).collect();
    for action in ["pack.begin", "tool.register", "pack.install"] {
        assert!(actions.iter().any(|told| told == action), "{action} is not in {actions:?}");
    }
}

#[tokio::test]
async fn the_same_again_changes_nothing_and_other_content_needs_another_version() {
    let house = House::new().await;
    let kit = bundle("1.0.0", &[tool("one", "1.0.0", "")]);
    install(&house, &kit).await.unwrap();
    let before = house.engine.packs().get(&caller(), "kit").await.unwrap();
    assert_eq!(install(&house, &kit).await.unwrap().change, PackChange::None);
    assert_eq!(house.engine.packs().get(&caller(), "kit").await.unwrap(), before);

    let other = bundle("1.0.0", &[tool("one", "1.0.0", "risk: high\n")]);
    let told = messages(install(&house, &other).await.unwrap_err());
    assert!(told.contains("1.0.0 is installed with other content"), "{told}");
    let older = bundle("0.9.0", &[tool("one", "1.0.0", "")]);
    let told = messages(install(&house, &older).await.unwrap_err());
    assert!(told.contains("newer than 0.9.0"), "{told}");
}

#[tokio::test]
async fn an_upgrade_adds_changes_and_deprecates() {
    let house = House::new().await;
    let kit =
        bundle("1.0.0", &[tool("stays", "1.0.0", ""), tool("grows", "1.0.0", ""), tool("goes", "1.0.0", "")]);
    install(&house, &kit).await.unwrap();
    let next = bundle(
        "1.1.0",
        &[tool("stays", "1.0.0", "risk: high\n"), tool("grows", "1.1.0", ""), tool("comes", "1.0.0", "")],
    );
    let plan = install(&house, &next).await.unwrap();
    assert_eq!((plan.change, plan.from.as_deref()), (PackChange::Upgrade, Some("1.0.0")));
    let does: Vec<_> =
        plan.steps.iter().map(|step| json!(step)).map(|s| format!("{} {}", s["does"], s["tool"])).collect();
    assert_eq!(
        does,
        [
            r#""update" "stays@1.0.0""#,
            r#""register" "grows@1.1.0""#,
            r#""register" "comes@1.0.0""#,
            r#""deprecate" "goes@1.0.0""#
        ]
    );
    assert_eq!(lifecycle(&house, "goes").await, Some(Lifecycle::Deprecated));
    assert_eq!(lifecycle(&house, "grows@1.0.0").await, Some(Lifecycle::Active), "who pinned it keeps it");

    let back = bundle("1.2.0", &[tool("goes", "1.0.0", ""), tool("stays", "1.0.0", "risk: high\n")]);
    let plan = install(&house, &back).await.unwrap();
    assert!(plan.steps.contains(&PackStep::Activate { tool: "goes@1.0.0".to_owned() }), "{plan:?}");
    assert_eq!(lifecycle(&house, "goes").await, Some(Lifecycle::Active));
}

#[tokio::test]
async fn what_a_person_blocked_stays_blocked_through_an_upgrade() {
    let house = House::new().await;
    install(&house, &bundle("1.0.0", &[tool("one", "1.0.0", "")])).await.unwrap();
    house.engine.registry().set_lifecycle(&caller(), "one", Lifecycle::Blocked).await.unwrap();
    install(&house, &bundle("1.1.0", &[tool("one", "1.0.0", ""), tool("two", "1.0.0", "")])).await.unwrap();
    assert_eq!(lifecycle(&house, "one").await, Some(Lifecycle::Blocked));
}

#[tokio::test]
async fn a_removed_pack_is_gone_its_tools_are_blocked_and_it_can_come_back() {
    let house = House::new().await;
    let kit = bundle("1.0.0", &[tool("one", "1.0.0", "")]);
    install(&house, &kit).await.unwrap();
    house.engine.packs().remove(&caller(), "kit").await.unwrap();
    assert_eq!(house.engine.packs().list(&caller()).await.unwrap(), []);
    assert_eq!(code(&house.done("one", json!({})).await), ErrorCode::PolicyDenied);
    let again = house.engine.packs().remove(&caller(), "kit").await;
    assert!(matches!(again, Err(PackError::NotFound(_))), "{again:?}");

    let plan = install(&house, &kit).await.unwrap();
    assert_eq!(plan.steps, [PackStep::Activate { tool: "one@1.0.0".to_owned() }]);
    assert_eq!(lifecycle(&house, "one").await, Some(Lifecycle::Active));
    house.engine.packs().remove(&caller(), "kit").await.unwrap();
    let heir = named("heir", "1.0.0", &[tool("one", "1.1.0", "")]);
    install(&house, &heir).await.unwrap();
    assert_eq!(lifecycle(&house, "one").await, Some(Lifecycle::Active), "what a removed pack left is free");
}

#[tokio::test]
async fn a_name_that_is_taken_refuses_the_whole_pack() {
    let house = House::new().await;
    house.tool("own", "echo", json!({})).await;
    install(&house, &bundle("1.0.0", &[tool("theirs", "1.0.0", "")])).await.unwrap();
    let greedy = named(
        "greedy",
        "1.0.0",
        &[tool("fresh", "1.0.0", ""), tool("own", "2.0.0", ""), tool("theirs", "2.0.0", "")],
    );
    let told = messages(install(&house, &greedy).await.unwrap_err());
    assert!(told.contains("own: own@1.0.0 is the tenant's own"), "{told}");
    assert!(told.contains("theirs: the tool belongs to the pack `kit`"), "{told}");
    assert_eq!(lifecycle(&house, "fresh").await, None, "nothing is half installed");
    assert_eq!(house.engine.packs().list(&caller()).await.unwrap().len(), 1);

    let spec = definition_from_json(definition("theirs", "echo", json!({"version": "9.0.0"}))).unwrap();
    house.engine.registry().register(&caller(), spec, false).await.unwrap();
    let next = bundle("1.1.0", &[tool("theirs", "1.1.0", "")]);
    let told = messages(install(&house, &next).await.unwrap_err());
    assert!(told.contains("theirs@9.0.0 is the tenant's own"), "{told}");
}

#[tokio::test]
async fn a_definition_that_does_not_hold_here_refuses_the_whole_pack() {
    let house = House::new().await;
    install(&house, &bundle("1.0.0", &[tool("one", "1.0.0", "")])).await.unwrap();
    let (path, text) = tool("one", "1.0.0", "");
    let frozen = (path, text.replace("does: echo", "does: fail"));
    let (path, text) = tool("two", "1.0.0", "");
    let unknown = (path, text.replace("kind: probe", "kind: cobol"));
    let hidden = tool("three", "1.0.0", "visibility: internal\n");
    let told = messages(install(&house, &bundle("1.1.0", &[frozen, unknown, hidden])).await.unwrap_err());
    assert!(told.contains("three: `visibility: internal`"), "{told}");
    assert!(told.contains("its execution cannot change"), "{told}");
    assert!(told.contains("`cobol` is no kind of tool"), "{told}");
    let full = House::with(Limits { max_tools: 1, ..Limits::default() }).await;
    let two = bundle("1.0.0", &[tool("one", "1.0.0", ""), tool("two", "1.0.0", "")]);
    let told = messages(install(&full, &two).await.unwrap_err());
    assert!(told.contains("room for 1"), "{told}");
    assert_eq!(lifecycle(&full, "one").await, None);
}

#[tokio::test]
async fn tools_for_other_tenants_are_skipped_and_a_pack_of_only_those_is_refused() {
    let house = House::new().await;
    let mixed = bundle(
        "1.0.0",
        &[
            tool("ours", "1.0.0", "tenant_slugs: [default]\n"),
            tool("theirs", "1.0.0", "tenant_slugs: [ims, oci]\n"),
        ],
    );
    let plan = install(&house, &mixed).await.unwrap();
    assert_eq!(
        plan.steps[1],
        PackStep::Skip {
            tool: "theirs@1.0.0".to_owned(),
            tenant_slugs: vec!["ims".to_owned(), "oci".to_owned()]
        }
    );
    let installed = house.engine.packs().get(&caller(), "kit").await.unwrap();
    assert_eq!((installed.tools.len(), installed.skipped[0].as_str()), (1, "theirs"));
    assert_eq!(lifecycle(&house, "theirs").await, None);

    let foreign = named("foreign", "1.0.0", &[tool("far", "1.0.0", "tenant_slugs: [ims]\n")]);
    let told = messages(install(&house, &foreign).await.unwrap_err());
    assert!(told.contains("none of its tools is for the tenant `default`: far"), "{told}");
    let ims = Caller::system(TenantId::DEFAULT, "ims");
    let plan = house.engine.packs().install(&ims, &pack(&foreign), true).await.unwrap();
    assert!(matches!(&plan.steps[..], [PackStep::Register { .. }]), "{plan:?}");
}

/// What a process leaves that dies between the claim and the end.
async fn half_installed(house: &House, kit: &Bundle) {
    let spec = pack(kit).tools.remove(0);
    install(house, kit).await.unwrap();
    let record = house.stores.records.by_name(TenantId::DEFAULT, Kind::Pack, "kit").await.unwrap().unwrap();
    let whole: InstalledPack = serde_json::from_value(record.body.clone()).unwrap();
    let half = InstalledPack {
        state: PackState::Installing,
        tools: vec![],
        published: vec![
            PackTool { name: spec.name.clone(), version: spec.version.clone() },
            PackTool { name: "never".parse().unwrap(), version: "1.0.0".parse().unwrap() },
        ],
        ..whole
    };
    let mut record = record;
    (record.body, record.revision) = (json!(half), record.revision + 1);
    house.stores.records.commit(TenantId::DEFAULT, vec![RecordWrite::Update(record)], vec![]).await.unwrap();
}

#[tokio::test]
async fn what_a_crash_left_is_finished_by_installing_again_or_removed() {
    let house = House::new().await;
    half_installed(&house, &bundle("1.0.0", &[tool("one", "1.0.0", "")])).await;
    let whole = bundle("1.0.0", &[tool("one", "1.0.0", ""), tool("never", "1.0.0", "")]);
    let plan = install(&house, &whole).await.unwrap();
    assert_eq!(plan.change, PackChange::Finish);
    assert_eq!(plan.steps[0], PackStep::Unchanged { tool: "one@1.0.0".to_owned() });
    let installed = house.engine.packs().get(&caller(), "kit").await.unwrap();
    assert_eq!((installed.state, installed.tools.len()), (PackState::Installed, 2));

    let other = House::new().await;
    half_installed(&other, &bundle("1.0.0", &[tool("one", "1.0.0", "")])).await;
    other.engine.packs().remove(&caller(), "kit").await.unwrap();
    assert_eq!(lifecycle(&other, "one").await, Some(Lifecycle::Blocked));
}

#[rstest]
#[case::no_yaml("[", json!({}), "pack.yaml: the manifest is not YAML")]
#[case::slip("name: a\nversion: 1.0.0\ntitle: t\ndescripton: d\nlicense: l\ntools: [one]", json!({}), "did you mean `description`")]
#[case::name("name: ../a\nversion: 1.0.0\ntitle: t\ndescription: d\nlicense: l\ntools: [one]", json!({}), "lower-case letter")]
#[case::empty("name: a\nversion: 1.0.0\ntitle: t\ndescription: d\nlicense: l\ntools: []", json!({}), "at least one tool")]
#[case::twice("name: a\nversion: 1.0.0\ntitle: t\ndescription: d\nlicense: l\ntools: [one, one]", json!({}), "names one twice")]
#[case::missing("name: a\nversion: 1.0.0\ntitle: t\ndescription: d\nlicense: l\ntools: [one]", json!({}), "one/TOOL.md: is missing")]
#[case::unnamed("name: a\nversion: 1.0.0\ntitle: t\ndescription: d\nlicense: l\ntools: [one]", json!({"two/TOOL.md": "x"}), "does not name two")]
#[case::upwards("name: a\nversion: 1.0.0\ntitle: t\ndescription: d\nlicense: l\ntools: [one]", json!({"../one/TOOL.md": "x"}), "no path in a pack")]
#[case::program("name: a\nversion: 1.0.0\ntitle: t\ndescription: d\nlicense: l\ntools: [one]", json!({"one/run.sh": "x"}), "holds Markdown files")]
#[case::broken("name: a\nversion: 1.0.0\ntitle: t\ndescription: d\nlicense: l\ntools: [one]", json!({"one/TOOL.md": "x"}), "begins with front matter")]
#[case::slip_in_a_tool("name: a\nversion: 1.0.0\ntitle: t\ndescription: d\nlicense: l\ntools: [one]", json!({"one/TOOL.md": "---\nname: one\nversion: 1.0.0\ndescription: d\ninput_schema: {type: object}\nrate_limit: {limit: 1, windows: 60}\nexecution: {kind: probe, does: echo}\n---\n"}), "one/TOOL.md: /rate_limit/windows: unknown key `windows`; did you mean `window_s`?")]
#[case::other_name("name: a\nversion: 1.0.0\ntitle: t\ndescription: d\nlicense: l\ntools: [one]", json!({"one/TOOL.md": "---\nname: two\nversion: 1.0.0\ndescription: d\ninput_schema: {type: object}\nexecution: {kind: probe, does: echo}\n---\n"}), "is named `two`")]
fn a_pack_that_is_not_sound_is_refused_with_the_place(
    #[case] manifest: &str,
    #[case] files: Value,
    #[case] says: &str,
) {
    let files: BTreeMap<String, String> = serde_json::from_value(files).unwrap();
    let bundle = Bundle { manifest: manifest.to_owned(), files };
    let told = messages(Pack::read(&bundle, &Limits::default()).unwrap_err());
    assert!(told.contains(says), "{told}");
}

#[test]
fn a_pack_is_bounded_in_files_and_bytes() {
    let few = Limits { max_pack_files: 2, ..Limits::default() };
    let two = bundle("1.0.0", &[tool("one", "1.0.0", ""), tool("two", "1.0.0", "")]);
    assert!(messages(Pack::read(&two, &few).unwrap_err()).contains("at most 2 files"));
    let small = Limits { max_pack_bytes: 100, ..Limits::default() };
    assert!(messages(Pack::read(&two, &small).unwrap_err()).contains("at most 100 bytes"));
}
