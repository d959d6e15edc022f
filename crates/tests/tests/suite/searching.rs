//! Finding facts by words: plain words whatever they look like, other scripts, and an order that is one's own.

use serde_json::json;
use truthkeeper::{FactId, Recall};
use truthkeeper_tests::on_both_engines;

use super::scene::{Scene, ann, bob, kind, says, texts};

on_both_engines! {
    // RCL-01
    async fn no_query_is_syntax(store: Store) {
        let scene = Scene::on(store).await;
        let literal = [
            ("check the pre-edit hook", "pre-edit"),
            ("they don't drink milk", "don't"),
            ("reads 3 GB/s", "GB/s"),
            ("runs Ubuntu 20.04", "20.04"),
            ("writes C++ at work", "C++"),
            ("ratio a:b here", "a:b"),
            ("smoking is not allowed", "NOT allowed"),
            ("edit the file", "edit OR"),
            ("near the station", "NEAR("),
            ("caret x here", "^x"),
        ];
        for (text, _) in literal {
            scene.say(text).await;
        }
        for (text, query) in literal {
            assert!(texts(&scene.recall(query).await).contains(&text.to_owned()), "{query}");
        }
        for query in [
            "(",
            ")",
            "*",
            "\"",
            "-",
            "",
            " ",
            "AND",
            "OR",
            "NEAR",
            "'; DROP TABLE facts; --",
            "\0",
            "a\0b",
            "\u{202e}",
        ] {
            scene.recall(query).await;
        }
    }

    // RCL-03, RCL-04
    async fn words_inside_other_scripts_are_found(store: Store) {
        let scene = Scene::on(store).await;
        let (devices, job) = ("设备清单(devices) NAS", "重跑gen-itgc后50条");
        for text in [devices, job, "東京に住んでいる", "早报", "أسكن في القاهرة", "ресторан закрыт"]
        {
            scene.say(text).await;
        }
        for (query, text) in [
            ("设备", devices),
            ("清单", devices),
            ("nas", devices),
            ("itgc", job),
            ("早报", "早报"),
            ("東京", "東京に住んでいる"),
            ("القاهرة", "أسكن في القاهرة"),
            ("РЕСТОРАН", "ресторан закрыт"),
            ("NA", devices),
        ] {
            let found = texts(&scene.recall(query).await);
            assert_eq!(found.contains(&text.to_owned()), query != "NA", "{query}: {found:?}");
        }
    }

    // RCL-09
    async fn long_and_odd_texts_are_kept_whole(store: Store) {
        let scene = Scene::on(store).await;
        let odd = [
            format!("{}\u{200c}end", "x".repeat(2_046)),
            "👩‍👩‍👧‍👦 ".repeat(500),
            "needle 🫖🫖🫖🫖".to_owned(),
            format!("needle {}", "é".repeat(8_000)),
        ];
        for text in &odd {
            let text = text.trim();
            let fact = scene.say(text).await;
            assert_eq!(scene.text(fact).await, text);
        }
        let found = scene.memory.recall(&ann(), &Recall::query("needle").limit(5)).await.unwrap();
        assert_eq!(found.facts.len(), 2);
        let block = recall::Block::render(&found, recall::Budget::tokens(1_000));
        assert_eq!(block.counts(), (1, 1), "whole facts only");
    }

    // RCL-10
    async fn the_order_of_ones_facts_does_not_depend_on_what_others_write(store: Store) {
        let scene = Scene::on(store).await;
        for text in [
            "tea in the morning",
            "coffee in the evening",
            "tea and coffee and tea",
            "the evening tea room",
            "morning walk",
        ] {
            scene.say(text).await;
        }
        let order = async || -> Vec<(FactId, String)> {
            let recalled = scene.recall("tea morning evening").await;
            recalled.facts.iter().map(|one| (one.case.head.fact, format!("{:?}", one.score))).collect()
        };
        let before = order().await;
        assert!(before.len() >= 4);
        for n in 0..40 {
            let text = if n % 2 == 0 { "evening evening evening" } else { "tea tea tea tea morning" };
            scene
                .wrote(
                    &bob(),
                    json!({"scope": {"userId": "bob"}, "key": format!("k{n}"), "content": {"text": text}}),
                )
                .await;
        }
        assert_eq!(order().await, before);
    }

    // 116: a kind narrows, and a limit is a total
    async fn kinds_and_limit_are_kept_to(store: Store) {
        let scene = Scene::on(store).await;
        for n in 0..6 {
            let kind = ["acme.a", "acme.b", "acme.c"][n % 3];
            scene.wrote(&ann(), json!({"type": kind, "content": {"text": format!("tea number {n}")}})).await;
        }
        for recall in [Recall::query("tea"), Recall::newest()] {
            let ask = async |kinds: &[&str], limit| {
                let recall = recall.clone().kinds(kinds.iter().map(|name| kind(name)).collect()).limit(limit);
                scene.memory.recall(&ann(), &recall).await.unwrap()
            };
            assert_eq!(ask(&["acme.a"], 10).await.facts.len(), 2);
            assert_eq!(ask(&["acme.a", "acme.b"], 10).await.facts.len(), 4);
            assert_eq!(ask(&["acme.a", "acme.b"], 3).await.facts.len(), 3);
            assert_eq!(ask(&["acme.a", "acme.a"], 10).await.facts.len(), 2, "a kind named twice is one");
            assert_eq!(ask(&["acme.d"], 10).await.facts.len(), 0);
        }
        assert_eq!(scene.memory.recall(&ann(), &Recall::newest().limit(2)).await.unwrap().facts.len(), 2);
    }

    // RCL-06 and the ledger: the newest list is by what was recorded last
    async fn the_newest_list_is_newest_first(store: Store) {
        let scene = Scene::on(store).await;
        let first = scene.say("first").await;
        scene.say("second").await;
        assert_eq!(texts(&scene.newest().await), ["second", "first"]);
        scene.change(first, "first again").await;
        assert_eq!(texts(&scene.newest().await), ["first again", "second"]);
        scene.wrote(&ann(), says("third")).await;
        assert_eq!(texts(&scene.newest().await), ["third", "first again", "second"]);
    }
}
