//! No template lets text through as HTML, or holds a script or a style that the policy would refuse.

#[test]
fn no_template_has_a_way_around_escaping() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
    let mut read = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for way in [
            "|safe",
            "| safe",
            "escape none",
            "|escape(",
            " style=",
            "<style",
            " onclick",
            "javascript:",
            "http",
        ] {
            assert!(!text.contains(way), "{}: {way}", path.display());
        }
        let scripts = text.matches("<script").count();
        assert_eq!(scripts, usize::from(path.ends_with("bare.html")), "{}", path.display());
        read += 1;
    }
    assert!(read > 10, "{read} templates");
}
