//! The pages, embedded in the program.
//!
//! Files have the version of all of them in their addresses, so that a browser keeps them for good
//! and asks again only for the page itself, whose head names everything it needs.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::sync::LazyLock;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use crate::body::Path;

/// Everything under `web/`. Debug builds read it from the disk, so an edit needs no build.
#[derive(RustEmbed)]
#[folder = "web/"]
struct Web;

/// A page.
#[derive(Copy, Clone, Debug)]
pub struct Page {
    /// Its address.
    pub address: &'static str,
    title: &'static str,
    script: &'static str,
    /// What its script asks for at once.
    data: Option<&'static str>,
}

/// All pages.
pub const PAGES: [Page; 6] = [
    Page {
        data: Some("/api/variants"),
        ..Page::new("/", "Play", "home.js")
    },
    Page::new("/game/{id}", "Game", "game.js"),
    Page::new("/watch", "Watch", "watch.js"),
    Page::new("/analyse", "Analyse", "analyse.js"),
    Page::new("/variants", "Variants", "variants.js"),
    Page::new("/account", "Account", "account.js"),
];

/// For what may change with the next version of the program.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");
/// For what never changes.
const KEEP: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

impl Page {
    const fn new(address: &'static str, title: &'static str, script: &'static str) -> Page {
        Page {
            address,
            title,
            script,
            data: None,
        }
    }

    /// The page as it is sent.
    pub fn show(self) -> Response {
        static FIXED: LazyLock<HashMap<&str, String>> =
            LazyLock::new(|| PAGES.map(|page| (page.address, page.html())).into());
        // What is read from the disk may change.
        let html = if cfg!(debug_assertions) {
            self.html()
        } else {
            FIXED[self.address].clone()
        };
        let mut response = html.into_response();
        let headers = response.headers_mut();
        let kind = HeaderValue::from_static(content_type("page.html"));
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::CACHE_CONTROL, ASK_AGAIN);
        response
    }

    fn html(self) -> String {
        let web = format!("/web/{}", version());
        let mut preloads = String::new();
        if let Some(data) = self.data {
            let _ = writeln!(
                preloads,
                r#"<link rel="preload" href="{data}" as="fetch" crossorigin="anonymous">"#
            );
        }
        for module in modules(self.script) {
            let _ = writeln!(
                preloads,
                r#"<link rel="modulepreload" href="{web}/{module}">"#
            );
        }
        text("page.html")
            .replace("{title}", self.title)
            .replace("{preloads}", &preloads)
            .replace("{script}", self.script)
            .replace("{web}", &web)
    }
}

/// A file that a page needs, with the version in its address or without.
pub async fn asset(Path(path): Path<String>) -> Response {
    let (path, cache) = match path.split_once('/') {
        Some((first, rest)) if first == version() => (rest, KEEP),
        // A page that was opened before the program became a newer one.
        Some((first, rest)) if is_version(first) => (rest, ASK_AGAIN),
        _ => (path.as_str(), ASK_AGAIN),
    };
    let Some(file) = Web::get(path).filter(|_| path != "page.html") else {
        return missing_page();
    };
    let mut response = file.data.into_owned().into_response();
    let headers = response.headers_mut();
    let kind = HeaderValue::from_static(content_type(path));
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CACHE_CONTROL, cache);
    response
}

/// For every other address.
pub async fn missing() -> Response {
    missing_page()
}

fn missing_page() -> Response {
    (StatusCode::NOT_FOUND, "There is no such page.\n").into_response()
}

/// The version of all files together.
fn version() -> String {
    static FIXED: LazyLock<String> = LazyLock::new(hash);
    // What is read from the disk may change.
    if cfg!(debug_assertions) {
        hash()
    } else {
        FIXED.clone()
    }
}

const VERSION_LETTERS: usize = 16;

fn is_version(text: &str) -> bool {
    text.len() == VERSION_LETTERS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn hash() -> String {
    let mut all = Sha256::new();
    for path in Web::iter() {
        all.update(path.as_bytes());
        all.update(
            Web::get(&path)
                .map(|file| file.metadata.sha256_hash())
                .unwrap_or_default(),
        );
    }
    let mut text = String::new();
    for byte in &all.finalize()[..VERSION_LETTERS / 2] {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn text(path: &str) -> String {
    let file = Web::get(path).unwrap_or_else(|| panic!("{path} is among the pages' files"));
    String::from_utf8_lossy(&file.data).into_owned()
}

/// All modules that a script imports, and those that they import.
fn modules(script: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![script.to_owned()];
    while let Some(path) = waiting.pop() {
        for import in imports(&text(&path)) {
            let import = beside(&path, import);
            if found.insert(import.clone()) {
                waiting.push(import);
            }
        }
    }
    found
}

/// What a module imports from the start.
fn imports(module: &str) -> Vec<&str> {
    let statements = module.split('\n').scan(0, |at, line| {
        let begin = *at;
        *at += line.len() + 1;
        Some((begin, line))
    });
    let imports = statements.filter(|(_, line)| line.starts_with("import "));
    let quoted = |(begin, _)| module[begin..].split(';').next()?.split('\'').nth(1);
    imports.filter_map(quoted).collect()
}

/// The path of a file that is named from another one.
fn beside(path: &str, name: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => (),
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_names_what_it_imports() {
        let module =
            "import './a.js';\nimport { b,\n  c } from '../d/e.js';\nconst x = 'import';\n";
        assert_eq!(imports(module), ["./a.js", "../d/e.js"]);
        assert_eq!(beside("board/board.js", "../dom.js"), "dom.js");
        assert_eq!(beside("game.js", "./board/board.js"), "board/board.js");
    }

    #[test]
    fn every_page_names_modules_that_are_there() {
        for page in PAGES {
            let html = page.html();
            assert!(html.contains("/dom.js"), "{html}");
            assert!(!html.contains('{'), "{html}");
        }
    }
}
