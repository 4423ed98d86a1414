//! Naming a state of a sandbox: now, a snapshot, or some states before.

use super::service::Sandboxes;
use crate::error::{Code, Error, Result};
use offshoot_store::ObjectId;
use offshoot_vfs::Vfs;

/// `NAME`, `NAME@LABEL` or `NAME~2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) name: String,
    when: When,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum When {
    Now,
    Snapshot(String),
    Before(usize),
}

impl Point {
    pub(super) fn parse(text: &str) -> Result<Point> {
        let point = |name: &str, when| Point {
            name: name.to_owned(),
            when,
        };
        if let Some((name, label)) = text.split_once('@') {
            return Ok(point(name, When::Snapshot(label.to_owned())));
        }
        let Some((name, count)) = text.rsplit_once('~') else {
            return Ok(point(text, When::Now));
        };
        let count = if count.is_empty() {
            Ok(1)
        } else {
            count.parse()
        };
        match count {
            Ok(count) => Ok(point(name, When::Before(count))),
            Err(_) => {
                let message = format!("{text}: write NAME, NAME@LABEL or NAME~NUMBER");
                Err(Error::new(Code::Invalid, "point", message))
            }
        }
    }
}

impl Sandboxes {
    /// The commit of a point.
    pub(super) async fn find(&self, point: &Point) -> Result<ObjectId> {
        let missing = |what: String| Error::new(Code::NotFound, "point", what);
        match &point.when {
            When::Now => self.present(&point.name).await,
            When::Snapshot(label) => {
                let pin = format!("snapshot/{}/{label}", point.name);
                let pins = self.blocking("point", |store| store.pins()).await?;
                let found = pins.into_iter().find(|known| known.name == pin);
                let what = format!("{} has no snapshot {label}", point.name);
                Ok(found.ok_or_else(|| missing(what))?.commit)
            }
            When::Before(count) => {
                let log = self.snapshots(&point.name).log(count + 1).await?;
                let what = format!("{} has no state {count} before its last", point.name);
                Ok(log.get(*count).ok_or_else(|| missing(what))?.commit)
            }
        }
    }

    /// The files of a point.
    pub(super) async fn files(&self, point: &Point) -> Result<Vfs> {
        if point.when == When::Now {
            let slot = self.slot(&point.name);
            let live = slot.live.lock().await;
            if let Some(live) = live.as_ref() {
                return Ok(live.sandbox.vfs().fork());
            }
        }
        let commit = self.find(point).await?;
        Ok(self.checkout(commit).await?.vfs)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::{Point, When};

    #[test]
    fn points_are_read() {
        for (text, name, when) in [
            ("box", "box", When::Now),
            ("box@first", "box", When::Snapshot("first".to_owned())),
            ("box~", "box", When::Before(1)),
            ("box~3", "box", When::Before(3)),
        ] {
            let point = Point::parse(text).unwrap();
            assert_eq!((point.name.as_str(), point.when), (name, when));
        }
        assert!(Point::parse("box~x").is_err());
    }
}
