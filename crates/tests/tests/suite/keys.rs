//! Keys of the API: kept without their secrets, refused alike, revoked for good.

use truthkeeper::{Bounds, Caller, KeyToken, MemoryError, NewKey, Right, Scope};
use truthkeeper_tests::on_both_engines;

use super::raw;
use super::scene::{Scene, ann, id, local, says, scope};

fn new(rights: &[Right], writes: Vec<Scope>) -> NewKey {
    let rights = rights.iter().copied().collect();
    NewKey {
        label: "desk".to_owned(),
        actor: ann().actor,
        bounds: Bounds { rights, reads: Vec::new(), writes },
    }
}

on_both_engines! {
    async fn a_key_opens_what_it_was_made_for(store: Store) {
        let scene = Scene::on(store).await;
        let new = new(&[Right::FactsRead], vec![scope("user:ann")]);
        let (key, token) = scene.memory.create_key(&local(), new).await.unwrap();
        let found = scene.memory.key_of(&token.reveal()).await.unwrap();
        assert_eq!(found, key);
        assert_eq!(scene.memory.keys(&local()).await.unwrap(), std::slice::from_ref(&key));
        assert_eq!(scene.memory.keys(&id("elsewhere")).await.unwrap(), []);
        let caller = Caller::from(&found);
        assert_eq!(caller.actor, ann().actor);
        let receipt = scene.write(&caller, says("tea")).await.unwrap();
        assert!(scene.memory.get(&ann(), receipt.fact, Default::default()).await.is_ok());
    }

    async fn nothing_in_the_store_is_the_secret(store: Store) {
        let scene = Scene::on(store).await;
        let (_, token) = scene.memory.create_key(&local(), new(&[Right::Admin], Vec::new())).await.unwrap();
        let text = token.reveal();
        let secret = &text[text.len() - 72..text.len() - 8];
        let body = raw::value(&scene.store, "SELECT body FROM keys").await;
        assert!(!body.contains(secret), "{body}");
        assert!(!format!("{token:?}").contains(secret));
        assert_ne!(token.digest().to_vec(), secret.as_bytes());
    }

    async fn what_is_no_key_is_refused_in_the_same_words(store: Store) {
        let scene = Scene::on(store).await;
        let new = new(&[Right::Admin], Vec::new());
        let (revoked, token) = scene.memory.create_key(&local(), new).await.unwrap();
        scene.memory.revoke_key(&local(), &revoked.id).await.unwrap();
        let unknown = KeyToken::new([7; 8], [7; 32]).reveal();
        let mut id_bytes = [0; 8];
        for (place, byte) in id_bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&revoked.id.as_str()[2 * place..2 * place + 2], 16).unwrap();
        }
        let other_secret = KeyToken::new(id_bytes, [9; 32]).reveal();
        let mut refusals = Vec::new();
        for text in ["", "mem_", &unknown, &other_secret, &token.reveal()] {
            refusals.push(format!("{:?}", scene.memory.key_of(text).await));
        }
        assert!(refusals.iter().all(|refusal| refusal == "Err(BadKey)"), "{refusals:?}");
        let since = scene.memory.keys(&local()).await.unwrap()[0].revoked_at;
        scene.memory.revoke_key(&local(), &revoked.id).await.unwrap();
        assert_eq!(scene.memory.keys(&local()).await.unwrap()[0].revoked_at, since);
        let elsewhere = scene.memory.revoke_key(&id("elsewhere"), &revoked.id).await;
        assert!(matches!(elsewhere, Err(MemoryError::NoSuchKey)));
    }
}
