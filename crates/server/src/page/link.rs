//! Addresses within the page.

/// A path with a query.
pub(crate) fn of<'a>(path: &str, fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut link = path.to_owned();
    let mut before = '?';
    for (name, value) in fields {
        link.push(before);
        link.push_str(&encoded(name));
        link.push('=');
        link.push_str(&encoded(value));
        before = '&';
    }
    link
}

/// Text as a value in a query.
pub(crate) fn encoded(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut out, byte| {
        match byte {
            b'/' | b'-' | b'_' | b'.' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
        out
    })
}
