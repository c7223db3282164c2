//! The only directory, and the only file in it: the standard library.

use std::sync::Arc;

use memmap2::Mmap;

use super::errno::Errno;

pub(super) const DIRECTORY: &str = "/usr/local/lib";
pub(super) const LIBRARY: &str = "python315.zip";
pub(super) const ROOT: u32 = 3;
const MAX_OPEN: usize = 64;

#[derive(Clone, Copy, Debug)]
pub(super) enum Handle {
    Stdin,
    Output,
    Directory,
    Library { position: u64 },
}

/// What a path can lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Directory,
    Library,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Filetype {
    CharacterDevice = 2,
    Directory = 3,
    Regular = 4,
}

/// A guest's open files.
pub(crate) struct Files {
    library: Arc<Mmap>,
    open: Vec<Option<Handle>>,
}

impl Files {
    pub(crate) fn new(library: Arc<Mmap>) -> Self {
        let open =
            vec![Some(Handle::Stdin), Some(Handle::Output), Some(Handle::Output), Some(Handle::Directory)];
        Self { library, open }
    }

    pub(super) fn get(&mut self, fd: u32) -> Result<&mut Handle, Errno> {
        self.open.get_mut(fd as usize).and_then(Option::as_mut).ok_or(Errno::BadDescriptor)
    }

    pub(super) fn close(&mut self, fd: u32) -> Result<(), Errno> {
        self.get(fd)?;
        self.open[fd as usize] = None;
        Ok(())
    }

    pub(super) fn open(&mut self, node: Node) -> Result<u32, Errno> {
        let handle = match node {
            Node::Directory => Handle::Directory,
            Node::Library => Handle::Library { position: 0 },
        };
        let free = self.open.iter().position(Option::is_none).unwrap_or(self.open.len());
        if free >= MAX_OPEN {
            return Err(Errno::TooManyFiles);
        }
        if free == self.open.len() {
            self.open.push(None);
        }
        self.open[free] = Some(handle);
        u32::try_from(free).map_err(|_| Errno::TooManyFiles)
    }

    /// Where a path below a directory leads. There is nothing to climb to and nothing to follow.
    pub(super) fn find(&mut self, directory: u32, path: &[u8]) -> Result<Node, Errno> {
        if !matches!(self.get(directory)?, Handle::Directory) {
            return Err(Errno::NotDirectory);
        }
        let mut node = Node::Directory;
        for part in path.split(|byte| *byte == b'/').filter(|part| !part.is_empty() && *part != b".") {
            node = match node {
                Node::Directory if part == LIBRARY.as_bytes() => Node::Library,
                Node::Directory => return Err(Errno::NoEntry),
                Node::Library => return Err(Errno::NotDirectory),
            };
        }
        Ok(node)
    }

    pub(super) fn library(&self) -> Arc<Mmap> {
        Arc::clone(&self.library)
    }

    /// Type and size of what is open.
    pub(super) fn stat(&mut self, fd: u32) -> Result<(Filetype, u64), Errno> {
        Ok(match self.get(fd)? {
            Handle::Stdin | Handle::Output => (Filetype::CharacterDevice, 0),
            Handle::Directory => self.stat_node(Node::Directory),
            Handle::Library { .. } => self.stat_node(Node::Library),
        })
    }

    pub(super) fn stat_node(&self, node: Node) -> (Filetype, u64) {
        match node {
            Node::Directory => (Filetype::Directory, 0),
            Node::Library => (Filetype::Regular, self.library.len() as u64),
        }
    }
}
