//! Another machine: an empty directory, and nothing but the file.

use std::sync::Arc;

use toolgate_agents::{
    bundle::{Bundle, export, read, write},
    replay::{Live, Replay, Report},
};
use toolgate_domain::{InvocationId, RunId, TenantId, ids::OrderedIds, time::SystemClock};
use toolgate_engine::{Engine, EngineOptions, Ports};
use toolgate_test_databases::stores_in;

use crate::run::common::House;

/// The file of a run.
pub async fn file_of(house: &House, outer: InvocationId) -> Vec<u8> {
    let run = RunId::from_uuid(outer.uuid());
    write(&export(&house.engine, TenantId::DEFAULT, run).await.unwrap()).unwrap()
}

pub async fn bundle_of(house: &House, outer: InvocationId) -> Bundle {
    read(&file_of(house, outer).await, false).unwrap()
}

/// What comes out when a run is gone through again.
pub async fn replayed(bundle: Bundle, live: Live) -> Report {
    let directory = tempfile::tempdir().unwrap();
    let replay = Replay::new(bundle, live).unwrap();
    let engine = Engine::start(EngineOptions {
        stores: stores_in(directory.path()).await,
        clock: Arc::new(SystemClock),
        ids: Arc::new(OrderedIds::new(SystemClock)),
        limits: replay.limits(),
        runtimes: replay.runtimes(),
        code_tools: replay.code_tools().unwrap(),
        master_key: "02".repeat(32).parse().unwrap(),
        bypass_approval: false,
        separation: toolgate_engine::Separation::Auto,
        ports: Ports::default(),
    })
    .await
    .unwrap();
    let report = replay.run(&engine).await.unwrap();
    engine.stop().await;
    report
}
