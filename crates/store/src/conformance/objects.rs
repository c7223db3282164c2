//! Stories for the parts that may live outside the database: blobs, rate accounts.

use bytes::Bytes;
use futures::TryStreamExt;
use toolgate_domain::{
    BlobId, TenantId, Timestamp,
    ids::Uuid,
    rate::{RateDecision, RateLimit},
};

use crate::{Blobs, RateLimits};

/// Blobs come back whole, per tenant, and not at all before they are finished.
pub async fn blobs_come_back_whole(blobs: &dyn Blobs) {
    let (tenant, id) = (TenantId::DEFAULT, BlobId::from_uuid(Uuid::from_u128(1)));
    assert!(blobs.read(tenant, id).await.unwrap().is_none());
    let chunk = Bytes::from(vec![b'x'; 1024 * 1024]);
    let mut writer = blobs.create(tenant, id).await.unwrap();
    for _ in 0..12 {
        writer.write(chunk.clone()).await.unwrap();
    }
    writer.write(Bytes::from_static(b"the end")).await.unwrap();
    assert!(blobs.read(tenant, id).await.unwrap().is_none(), "unfinished");
    assert_eq!(writer.finish().await.unwrap(), 12 * 1024 * 1024 + 7);
    let read = blobs.read(tenant, id).await.unwrap().unwrap();
    assert_eq!(read.bytes, 12 * 1024 * 1024 + 7);
    let parts: Vec<Bytes> = read.stream.try_collect().await.unwrap();
    let all = parts.concat();
    assert_eq!(all.len(), 12 * 1024 * 1024 + 7);
    assert!(all.ends_with(b"xthe end"));
    let stranger = TenantId::from_uuid(Uuid::from_u128(9));
    assert!(blobs.read(stranger, id).await.unwrap().is_none());

    let given_up = BlobId::from_uuid(Uuid::from_u128(2));
    let mut writer = blobs.create(tenant, given_up).await.unwrap();
    writer.write(chunk).await.unwrap();
    writer.abort().await.unwrap();
    assert!(blobs.read(tenant, given_up).await.unwrap().is_none());
}

/// A burst up to the limit passes; the next call learns when to come back; accounts are apart.
pub async fn rates_are_kept_per_account(rates: &dyn RateLimits, now: Timestamp) {
    let rate = RateLimit { limit: 5, window_s: 3_600, concurrency: None };
    for n in 0..5 {
        assert!(matches!(rates.check("a", rate, now).await.unwrap(), RateDecision::Allowed { .. }), "{n}");
    }
    let RateDecision::Limited { retry_after_us } = rates.check("a", rate, now).await.unwrap() else {
        panic!("the sixth call in a burst of five passed");
    };
    assert!((1..=720_000_000).contains(&retry_after_us), "{retry_after_us}");
    assert!(matches!(rates.check("b", rate, now).await.unwrap(), RateDecision::Allowed { .. }));
}
