//! The service `filesystem.Filesystem`.

use super::super::access::Call;
use super::super::connect;
use super::super::endpoint::Endpoint;
use super::super::entry::Guard;
use super::super::failure::{Code, Failure, Result};
use super::super::messages::filesystem::{
    EntryInfo, EntryResponse, ListDirRequest, ListDirResponse, MoveRequest, PathRequest,
    RemoveResponse,
};
use super::super::record::Notes;
use super::super::share::Charge;
use super::information::{self, Names};
use super::{Account, ENVD, parent, removal, resolve, watch};
use crate::web::{Request, Response};
use offshoot_vfs::{Error, Kind, Vfs};

/// About the bytes that one entry of a listing takes, beside its path.
const AN_ENTRY: u64 = 256;

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
    pub(super) notes: Notes,
}

impl Scene {
    pub(super) async fn of(call: &Call) -> Result<Scene> {
        Scene::with(call, call.endpoint.enter(&call.entry).await?)
    }

    pub(super) fn with(call: &Call, awake: Guard) -> Result<Scene> {
        let account = Account::find(awake.sandbox(), call.username.as_deref())?;
        let notes = call.entry.record().notes;
        Ok(Scene {
            awake,
            account,
            notes,
        })
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

    /// How names are shown in its files.
    pub(super) fn names(&self) -> Names {
        Names::of(self.vfs(), self.notes.clone())
    }

    fn information(&self, path: &str) -> Result<EntryInfo> {
        information::of(self.vfs(), &self.names(), path.as_bytes())
    }
}

/// Does what may take long on a thread that nobody else waits for. A call that is given up leaves it to
/// its end.
pub(super) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|fault| Err(Failure::new(Code::Internal, fault.to_string())))
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
    let names = scene.names();
    // One moment for all entries, however deep.
    let vfs = scene.vfs().fork();
    let mut charge = call.entry.share.bytes(0)?;
    let work = move || {
        let entries = listed(&vfs, &names, (path, request.depth.max(1)), &mut charge)?;
        // Held until all of it is known; what is sent then goes as the client reads.
        drop(charge);
        Ok(ListDirResponse { entries })
    };
    aside(work).await
}

/// A directory and what is below it to this depth, in the order of paths.
fn listed(
    vfs: &Vfs,
    names: &Names,
    (top, depth): (String, u32),
    charge: &mut Charge,
) -> Result<Vec<EntryInfo>> {
    let start = vfs
        .resolve(&ENVD, vfs.root(), top.as_bytes(), true)
        .map_err(|error| Failure::file(&top, error))?;
    let mut entries = Vec::new();
    let mut waiting = vec![(start, top.into_bytes(), depth)];
    while let Some((directory, path, depth)) = waiting.pop() {
        let failed = |error| Failure::file(&String::from_utf8_lossy(&path), error);
        let found = vfs.read_dir(&ENVD, directory, b".").map_err(failed)?;
        let count = entries.len() + found.len();
        charge.grow_to((count as u64).saturating_mul(AN_ENTRY + path.len() as u64))?;
        let base = path.strip_suffix(b"/").unwrap_or(&path);
        for entry in found {
            let path = [base, b"/", &entry.name].concat();
            entries.push(information::within(
                vfs,
                names,
                (directory, &entry.name),
                &path,
            )?);
            // Links to directories are not gone into.
            if depth > 1 && entry.kind == Kind::Directory {
                let node = vfs.resolve(&ENVD, directory, &entry.name, false);
                waiting.push((node.map_err(failed)?, path, depth - 1));
            }
        }
    }
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(entries)
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
    let work = move || match removal::remove(scene.vfs(), path.as_bytes()) {
        // As `os.RemoveAll`, which envd calls.
        Ok(()) | Err(Error::NoEntry) => Ok(RemoveResponse {}),
        Err(error) => Err(Failure::file(&path, error)),
    };
    aside(work).await
}
