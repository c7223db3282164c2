//! Blobs in a bucket, over the wire: a real S3-compatible server on loopback.

use std::{path::Path, sync::Arc};

use hyper_util::rt::TokioIo;
use object_store::aws::AmazonS3Builder;
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use tokio::net::TcpListener;
use toolgate_store::conformance;
use toolgate_store_sql::objects::ObjectBlobs;

/// Serves the directories below `root` as buckets; the address to reach them.
async fn serve(root: &Path) -> String {
    let mut builder = S3ServiceBuilder::new(s3s_fs::FileSystem::new(root).unwrap());
    builder.set_auth(SimpleAuth::from_single("access", "secret"));
    let service = builder.build();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let connection = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(socket), service.clone());
            tokio::spawn(connection);
        }
    });
    format!("http://{address}")
}

#[tokio::test]
async fn blobs_in_a_bucket_come_back_whole() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("bucket")).unwrap();
    let bucket = AmazonS3Builder::new()
        .with_endpoint(serve(directory.path()).await)
        .with_allow_http(true)
        .with_region("us-east-1")
        .with_access_key_id("access")
        .with_secret_access_key("secret")
        .with_bucket_name("bucket")
        .build()
        .unwrap();
    let blobs = ObjectBlobs::with_store(Arc::new(bucket), "some/prefix/");
    conformance::blobs_come_back_whole(&blobs).await;
}
