//! Rust files as the compiler reads them: their tokens, without comments, and what they import.

use std::collections::BTreeMap;
use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::UseTree;
use syn::visit::Visit;

/// The tokens of a file.
pub(crate) fn tokens(path: &Path) -> TokenStream {
    let text = std::fs::read_to_string(path).unwrap();
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The tokens outside all brackets, and groups of them, without those that are compiled for tests
/// only.
pub(crate) fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if word(Some(&token)) == "#" && tokens.peek().is_some_and(is_of_tests) {
            // The item, up to its end.
            tokens
                .find(|token| word(Some(token)) == ";" || group(token, Delimiter::Brace).is_some());
        } else {
            kept.push(token);
        }
    }
    kept
}

fn is_of_tests(attribute: &TokenTree) -> bool {
    group(attribute, Delimiter::Bracket)
        .is_some_and(|inside| inside.stream().to_string().replace(' ', "") == "cfg(test)")
}

/// The group in such brackets that a token is.
pub(crate) fn group(token: &TokenTree, brackets: Delimiter) -> Option<&Group> {
    match token {
        TokenTree::Group(group) if group.delimiter() == brackets => Some(group),
        _ => None,
    }
}

/// A word or a sign; nothing for all other tokens.
pub(crate) fn word(token: Option<&TokenTree>) -> String {
    match token {
        Some(TokenTree::Ident(name)) => name.to_string(),
        Some(TokenTree::Punct(sign)) => sign.to_string(),
        _ => String::new(),
    }
}

/// The code of each line: no comments, no texts, no tests, and spaces between words alone.
pub(crate) fn lines(tokens: TokenStream) -> BTreeMap<usize, String> {
    let mut lines = BTreeMap::new();
    add(tokens, &mut lines);
    lines
}

fn add(tokens: TokenStream, lines: &mut BTreeMap<usize, String>) {
    for token in without_tests(tokens) {
        let line = token.span().start().line;
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                put(lines, group.span_open().start().line, open);
                add(group.stream(), lines);
                put(lines, group.span_close().start().line, close);
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                put(lines, line, if text.contains(['"', '\'']) { "" } else { &text });
            }
            other => put(lines, line, &word(Some(&other))),
        }
    }
}

fn put(lines: &mut BTreeMap<usize, String>, line: usize, text: &str) {
    let code = lines.entry(line).or_default();
    let is_word = |one: char| one.is_alphanumeric() || one == '_';
    if code.ends_with(is_word) && text.starts_with(is_word) {
        code.push(' ');
    }
    code.push_str(text);
}

/// Imports of a file: true if it re-exports the names, and the paths in full.
pub(crate) fn uses(tokens: TokenStream) -> Vec<(bool, Vec<String>)> {
    struct Uses(Vec<(bool, Vec<String>)>);

    impl Visit<'_> for Uses {
        fn visit_item_mod(&mut self, module: &syn::ItemMod) {
            if !is_module_of_tests(module) {
                syn::visit::visit_item_mod(self, module);
            }
        }

        fn visit_item_use(&mut self, item: &syn::ItemUse) {
            let hands_on = !matches!(item.vis, syn::Visibility::Inherited);
            let mut paths = Vec::new();
            named(&item.tree, &mut Vec::new(), &mut paths);
            self.0.extend(paths.into_iter().map(|path| (hands_on, path)));
        }
    }

    let file: syn::File = syn::parse2(tokens).unwrap();
    let mut uses = Uses(Vec::new());
    uses.visit_file(&file);
    uses.0
}

/// Returns true if a module is compiled for tests only.
pub(crate) fn is_module_of_tests(module: &syn::ItemMod) -> bool {
    module.attrs.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|it| it.is_ident("test"))
    })
}

/// Returns a path that a module names, from the top of its crate.
pub(crate) fn from_top(mut module: Vec<String>, path: Vec<String>) -> Vec<String> {
    for part in path {
        match part.as_str() {
            "self" => {}
            "crate" => module.clear(),
            "super" => drop(module.pop()),
            _ => module.push(part),
        }
    }
    module
}

/// Paths that a tree of imports names: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn named(tree: &UseTree, before: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let mut found_one = |name: String| found.push([&before[..], &[name]].concat());
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            named(&path.tree, before, found);
            before.pop();
        }
        UseTree::Name(name) => found_one(name.ident.to_string()),
        UseTree::Rename(name) => found_one(name.ident.to_string()),
        UseTree::Glob(_) => found_one("*".to_owned()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| named(tree, before, found)),
    }
}

#[test]
fn imports_are_found() {
    let source = "use crate::a::{b, c::{d, self}, E as F}; 
        /// Text.
        #[cfg(test)] mod tests { use no::one; }
        pub(crate) use super::g::*;";
    let found = uses(source.parse().unwrap());
    let found: Vec<_> = found.into_iter().map(|(on, path)| (on, path.join("/"))).collect();
    let paths = ["crate/a/b", "crate/a/c/d", "crate/a/c/self", "crate/a/E"];
    let mut expected: Vec<_> = paths.map(|path| (false, path.to_owned())).to_vec();
    expected.push((true, "super/g/*".into()));
    assert_eq!(found, expected);
}

#[test]
fn lines_are_code() {
    let source = "fn a<'b>() { // unsafe
            let (c, d) = (1.0f64, \"f32\"); /* f32
            */ e(d)
        }
        #[cfg(test)]
        fn f32() {}
        struct G;";
    let lines: Vec<_> = lines(source.parse().unwrap()).into_iter().collect();
    let expected =
        [(1, "fn a<'b>(){"), (2, "let(c,d)=(1.0f64,);"), (3, "e(d)"), (4, "}"), (7, "struct G;")];
    assert_eq!(lines, expected.map(|(line, text)| (line, text.to_owned())));
}
