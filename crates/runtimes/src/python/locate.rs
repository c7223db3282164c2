//! Finds the worker's program, also one that is still being built.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

const NAME: &str = "toolgate-sandbox";
/// Added to the worker's path: a file that is there while the worker is built, and holds the number of the process that builds it.
const BUILDING: &str = ".building";
const LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// The given path, or `toolgate-sandbox` next to the running program. The error says what to do.
pub fn find_worker(given: Option<&Path>) -> Result<PathBuf, String> {
    let candidate = candidate(given)?;
    if candidate.is_file() {
        Ok(candidate)
    } else {
        Err(format!(
            "there is no sandbox worker at {}: build it with `make sandbox`, or give the path of {NAME}",
            candidate.display()
        ))
    }
}

fn candidate(given: Option<&Path>) -> Result<PathBuf, String> {
    match given {
        Some(path) => Ok(path.to_owned()),
        None => Ok(std::env::current_exe()
            .map_err(|e| format!("where this program lies is unknown ({e}): give the path of {NAME}"))?
            .with_file_name(NAME)),
    }
}

/// A worker that a living process builds: `make run` starts the server before the worker is there.
#[derive(Clone, Debug)]
pub struct WorkerBuild {
    worker: PathBuf,
}

impl WorkerBuild {
    /// The build of the worker that `find_worker` would find later.
    pub fn of(given: Option<&Path>) -> Option<Self> {
        let build = Self { worker: candidate(given).ok()? };
        build.goes_on().then_some(build)
    }

    /// The worker, once its build has ended.
    pub async fn ended(&self) -> Result<PathBuf, String> {
        while self.goes_on() {
            tokio::time::sleep(LOOK_INTERVAL).await;
        }
        find_worker(Some(&self.worker)).map_err(|why| format!("the build of the Python worker failed: {why}"))
    }

    /// A file that a killed build left behind names a process that is gone.
    fn goes_on(&self) -> bool {
        let mut marker = self.worker.clone().into_os_string();
        marker.push(BUILDING);
        let Ok(process) = std::fs::read_to_string(marker) else { return false };
        process.trim().parse::<u32>().is_ok_and(|id| Path::new("/proc").join(id.to_string()).exists())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_worker_is_answered_with_what_to_do() {
        let error = find_worker(Some(Path::new("/nowhere/toolgate-sandbox"))).unwrap_err();
        assert!(error.contains("/nowhere/toolgate-sandbox") && error.contains("make sandbox"), "{error}");
    }

    #[test]
    fn only_a_living_process_builds_a_worker() {
        let directory = tempfile::tempdir().unwrap();
        let worker = directory.path().join(NAME);
        let marker = directory.path().join("toolgate-sandbox.building");
        assert!(WorkerBuild::of(Some(&worker)).is_none(), "nobody builds it");
        std::fs::write(&marker, std::process::id().to_string()).unwrap();
        assert!(WorkerBuild::of(Some(&worker)).is_some());
        for stale in ["", "nobody", "4294967295"] {
            std::fs::write(&marker, stale).unwrap();
            assert!(WorkerBuild::of(Some(&worker)).is_none(), "{stale:?}");
        }
    }
}
