//! What is written is what `async-trait` declares.

use async_trait::async_trait;
use offshoot_boxed::boxed;

#[async_trait]
trait Place: Send + Sync {
    fn name(&self) -> &str;
    async fn put(&mut self, key: &str, value: &[u8]) -> Result<usize, String>;
    async fn find(&self, key: Option<&str>, most: usize) -> Vec<u8>;
    async fn clear(&mut self);
    async fn size(&self) -> usize {
        7
    }
}

#[derive(Default)]
struct Shelf<T> {
    rows: Vec<(String, Vec<u8>)>,
    kind: T,
}

#[boxed]
impl<T: Send + Sync + Clone> Place for Shelf<T> {
    fn name(&self) -> &str {
        "shelf"
    }

    async fn put(&mut self, key: &str, value: &[u8]) -> Result<usize, String> {
        if key.is_empty() {
            return Err(format!("{}: no key", self.name()));
        }
        tokio::task::yield_now().await;
        self.rows.push((key.to_owned(), value.to_vec()));
        Ok(self.rows.len())
    }

    async fn find(&self, key: Option<&str>, mut most: usize) -> Vec<u8> {
        let _kind = self.kind.clone();
        most = most.min(8);
        let found = self
            .rows
            .iter()
            .find(|(name, _)| Some(name.as_str()) == key);
        found.map_or_else(Vec::new, |(_, value)| {
            value.iter().copied().take(most).collect()
        })
    }

    async fn clear(&mut self) {
        self.rows.clear();
    }
}

#[tokio::test]
async fn methods_run_through_the_trait() {
    let mut place: Box<dyn Place> = Box::new(Shelf::<u8>::default());
    assert_eq!(place.put("", b"x").await, Err("shelf: no key".to_owned()));
    assert_eq!(place.put("a", b"0123456789").await, Ok(1));
    assert_eq!(place.find(Some("a"), 100).await, b"01234567");
    assert_eq!(place.find(None, 100).await, b"");
    place.clear().await;
    assert_eq!(place.find(Some("a"), 1).await, b"");
    assert_eq!(place.size().await, 7);
}

#[tokio::test]
async fn futures_can_be_sent() {
    let task = tokio::spawn(async {
        let mut shelf = Shelf::<String>::default();
        shelf.put("key", b"value").await
    });
    assert_eq!(task.await.ok(), Some(Ok(1)));
}

#[async_trait]
trait Open {
    async fn open(&self, count: usize) -> Result<Box<dyn Place>, String>;
}

struct Room;

#[boxed]
impl Open for Room {
    async fn open(&self, count: usize) -> Result<Box<dyn Place>, String> {
        if count == 0 {
            return Ok(Box::new(Shelf::<u8>::default()));
        }
        let mut shelf = Shelf::<String>::default();
        for number in 0..count {
            shelf.put(&number.to_string(), &[]).await?;
        }
        Ok(Box::new(shelf))
    }
}

#[tokio::test]
async fn results_become_trait_objects() {
    for count in [0, 2] {
        let opened = Room
            .open(count)
            .await
            .map(|mut place| async move { place.put("k", b"").await });
        let put = match opened {
            Ok(put) => put.await,
            Err(error) => Err(error),
        };
        assert_eq!(put, Ok(count + 1));
    }
}
