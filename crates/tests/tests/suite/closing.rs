//! A memory that is closed has finished what it began, and leaves nothing beside its files.

use truthkeeper::{MemoryError, StoreError, Times};
use truthkeeper_tests::on_both_engines;

use super::scene::{Scene, ann, draft, says};

on_both_engines! {
    async fn what_was_acknowledged_before_is_there_and_what_comes_later_is_refused(store: Store) {
        let scene = Scene::on(store).await;
        let writers: Vec<_> = (0..8)
            .map(|writer| {
                let memory = scene.memory.clone();
                tokio::spawn(async move {
                    let mut written = Vec::new();
                    for number in 0.. {
                        let said = draft(says(&format!("tea {writer} {number}")));
                        match memory.remember(&ann(), None, said).await {
                            Ok(receipt) => written.push(receipt.fact),
                            Err(error) => return (written, error),
                        }
                    }
                    unreachable!("the memory is closed meanwhile")
                })
            })
            .collect();
        while scene.memory.events().await.unwrap() < 20 {
            tokio::task::yield_now().await;
        }
        scene.memory.close().await.unwrap();
        let beside = ["-wal", "-shm"].map(|end| [scene.store.address.clone(), scene.store.index_address()].map(|file| file + end));
        for file in beside.into_iter().flatten() {
            assert!(!std::path::Path::new(&file).exists(), "{file}");
        }
        let memory = scene.opened_again().await;
        let mut all = 0;
        for writer in writers {
            let (written, error) = writer.await.unwrap();
            assert!(matches!(error, MemoryError::Store(StoreError::Closed | StoreError::Unreachable(_))), "{error:?}");
            for fact in &written {
                memory.get(&ann(), *fact, Times::default()).await.unwrap();
            }
            all += written.len();
        }
        assert!(all >= 20, "{all}");
        memory.project_all(scene.now()).await.unwrap();
        assert!(memory.check(|_| {}).await.unwrap().problems.is_empty());
        // Closing twice is closing once.
        scene.memory.close().await.unwrap();
    }
}
