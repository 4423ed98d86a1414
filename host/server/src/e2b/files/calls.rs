//! The service `filesystem.Filesystem`.

use super::super::access::Call;
use super::super::connect;
use super::super::endpoint::Endpoint;
use super::super::entry::Guard;
use super::super::failure::{Code, Failure, Result};
use super::super::messages::filesystem::{
    EntryInfo, EntryResponse, FileType, ListDirRequest, ListDirResponse, MoveRequest, PathRequest,
    RemoveResponse,
};
use super::super::web::{Request, Response};
use super::information::{self, Names};
use super::{Account, ENVD, parent, resolve, watch};
use offshoot_vfs::{Error, Kind, Vfs};

/// Serves the method `name`.
pub(in super::super) async fn serve(at: Endpoint, name: &str, request: Request) -> Response {
    match name {
        "Stat" => connect::unary(at, request, stat).await,
        "ListDir" => connect::unary(at, request, list).await,
        "MakeDir" => connect::unary(at, request, make).await,
        "Move" => connect::unary(at, request, rename).await,
        "Remove" => connect::unary(at, request, remove).await,
        "WatchDir" => connect::server_stream(at, request, watch::stream).await,
        "CreateWatcher" => connect::unary(at, request, watch::create).await,
        "GetWatcherEvents" => connect::unary(at, request, watch::events).await,
        "RemoveWatcher" => connect::unary(at, request, watch::remove).await,
        _ => connect::unknown(name),
    }
}

/// What a call has to do with: the sandbox, awake, and the account.
pub(super) struct Scene {
    pub(super) awake: Guard,
    pub(super) account: Account,
}

impl Scene {
    pub(super) async fn of(call: &Call) -> Result<Scene> {
        let awake = call.endpoint.enter(&call.entry).await?;
        let account = Account::find(awake.sandbox(), call.username.as_deref())?;
        Ok(Scene { awake, account })
    }

    pub(super) fn vfs(&self) -> &Vfs {
        self.awake.sandbox().vfs()
    }

    pub(super) fn path(&self, path: &str) -> String {
        resolve(self.awake.sandbox(), &self.account.home, path)
    }

    /// The kind of what is at the end of a path's links; none where nothing is.
    pub(super) fn kind(&self, path: &str) -> Result<Option<Kind>> {
        let vfs = self.vfs();
        match vfs.stat(&ENVD, vfs.root(), path.as_bytes(), true) {
            Ok(metadata) => Ok(Some(metadata.kind)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(Failure::file(path, error)),
        }
    }

    /// Refuses anything but a directory.
    pub(super) fn require_directory(&self, path: &str) -> Result<()> {
        match self.kind(path)? {
            Some(Kind::Directory) => Ok(()),
            Some(_) => Err(Failure::invalid(format!("path is not a directory: {path}"))),
            None => Err(Failure::file(path, Error::NoEntry)),
        }
    }

    fn information(&self, path: &str) -> Result<EntryInfo> {
        information::of(self.vfs(), &Names::of(self.vfs()), path.as_bytes())
    }
}

async fn stat(call: Call, request: PathRequest) -> Result<EntryResponse> {
    let scene = Scene::of(&call).await?;
    let entry = scene.information(&scene.path(&request.path))?;
    Ok(EntryResponse { entry: Some(entry) })
}

async fn list(call: Call, request: ListDirRequest) -> Result<ListDirResponse> {
    let scene = Scene::of(&call).await?;
    let path = scene.path(&request.path);
    scene.require_directory(&path)?;
    // One moment for all entries, however deep.
    let vfs = scene.vfs().fork();
    let names = Names::of(&vfs);
    let mut entries = Vec::new();
    let mut waiting = vec![(path, request.depth.max(1))];
    while let Some((directory, depth)) = waiting.pop() {
        let below = read_directory(&vfs, &names, &directory)?;
        let directories = below.iter().filter(|entry| is_own_directory(entry));
        if depth > 1 {
            waiting.extend(directories.map(|entry| (entry.path.clone(), depth - 1)));
        }
        entries.extend(below);
    }
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(ListDirResponse { entries })
}

/// A directory, and no link to one: those are not gone into.
fn is_own_directory(entry: &EntryInfo) -> bool {
    entry.r#type() == FileType::Directory && !entry.is_symlink
}

fn read_directory(vfs: &Vfs, names: &Names, directory: &str) -> Result<Vec<EntryInfo>> {
    let found = vfs
        .read_dir(&ENVD, vfs.root(), directory.as_bytes())
        .map_err(|error| Failure::file(directory, error))?;
    let base = directory.trim_end_matches('/');
    found
        .into_iter()
        .map(|entry| {
            let path = [base.as_bytes(), b"/", &entry.name].concat();
            information::of(vfs, names, &path)
        })
        .collect()
}

async fn make(call: Call, request: PathRequest) -> Result<EntryResponse> {
    let scene = Scene::of(&call).await?;
    let path = scene.path(&request.path);
    match scene.kind(&path)? {
        None => {}
        Some(Kind::Directory) => {
            let message = format!("directory already exists: {path}");
            return Err(Failure::new(Code::AlreadyExists, message));
        }
        Some(_) => {
            let message = format!("path already exists but it is not a directory: {path}");
            return Err(Failure::invalid(message));
        }
    }
    scene.account.create_directories(scene.vfs(), &path)?;
    let entry = scene.information(&path)?;
    Ok(EntryResponse { entry: Some(entry) })
}

async fn rename(call: Call, request: MoveRequest) -> Result<EntryResponse> {
    let scene = Scene::of(&call).await?;
    let (from, to) = (
        scene.path(&request.source),
        scene.path(&request.destination),
    );
    let vfs = scene.vfs();
    let root = vfs.root();
    // Before directories are made for it.
    vfs.stat(&ENVD, root, from.as_bytes(), false)
        .map_err(|error| Failure::file(&from, error))?;
    scene.account.create_directories(vfs, parent(&to))?;
    vfs.rename(&ENVD, (root, from.as_bytes()), (root, to.as_bytes()))
        .map_err(|error| Failure::file(&to, error))?;
    let entry = scene.information(&to)?;
    Ok(EntryResponse { entry: Some(entry) })
}

async fn remove(call: Call, request: PathRequest) -> Result<RemoveResponse> {
    let scene = Scene::of(&call).await?;
    let path = scene.path(&request.path);
    let vfs = scene.vfs();
    match vfs.remove_tree(&ENVD, vfs.root(), path.as_bytes()) {
        // As `os.RemoveAll`, which envd calls.
        Ok(()) | Err(Error::NoEntry) => Ok(RemoveResponse {}),
        Err(error) => Err(Failure::file(&path, error)),
    }
}
