//! A release holds the web application. When its files change, and above all when there are others, the program is built again.
//! (A debug build reads them from their directory and need not be.)

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo:rerun-if-changed=../../web/dist");
    }
}
