//! Circles of files that import each other, with re-exports resolved: `use crate::Plan` leads to
//! the file that defines `Plan`. The files that lie in one today are listed, and the list only
//! shrinks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::Visit;

use crate::architecture::{is_of_tests, sources, workspace};
use crate::source;

/// Files in circles, by crate; to be removed from the list as soon as they are in none.
const LIST: &str = "crates/suum-cli/tests/it/circles.txt";

/// Words with which a path begins that leads to another file.
const LEADING: [&str; 3] = ["crate", "super", "self"];

/// A file of a crate.
struct Module {
    file: String,
    /// Names of the items that it defines.
    defined: BTreeSet<String>,
    /// Paths from the top of the crate that it imports.
    imports: Vec<Vec<String>>,
    /// Paths that lead elsewhere: of its imports and in its code those that begin at the crate or
    /// above the file. A folder that hands on what its files have does not import it.
    paths: Vec<Vec<String>>,
}

/// The modules of a crate by their paths.
struct Modules(BTreeMap<Vec<String>, Module>);

impl Modules {
    fn read(source: &Path) -> Self {
        let files = sources(source).into_iter().filter(|path| !is_of_tests(path));
        let module = |path: std::path::PathBuf| {
            let file = path.strip_prefix(source).unwrap();
            let mut name: Vec<String> =
                file.with_extension("").iter().map(|part| part.to_str().unwrap().into()).collect();
            name.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
            let tokens = source::tokens(&path);
            let imports = source::uses(tokens.clone());
            let mut items = Items::default();
            items.visit_file(&syn::parse2(tokens).unwrap());
            let imports = imports.into_iter().map(|(_, path)| path);
            let leading = imports.clone().filter(|path| LEADING.contains(&path[0].as_str()));
            let from_top = |path: Vec<String>| source::from_top(name.clone(), path);
            let module = Module {
                file: file.to_str().unwrap().to_owned(),
                defined: items.defined,
                paths: leading.chain(items.paths).map(from_top).collect(),
                imports: imports.map(from_top).collect(),
            };
            (name, module)
        };
        Self(files.map(module).collect())
    }

    /// Returns the module that defines what a path names, through re-exports.
    fn defining(&self, path: &[String], seen: &mut BTreeSet<Vec<String>>) -> Option<&Module> {
        if !seen.insert(path.to_vec()) {
            return None;
        }
        let length = (0..=path.len()).rev().find(|length| self.0.contains_key(&path[..*length]))?;
        let module = &self.0[&path[..length]];
        let Some(name) = path.get(length).filter(|name| *name != "self" && *name != "*") else {
            return Some(module);
        };
        if module.defined.contains(name) {
            return Some(module);
        }
        let named = module.imports.iter().filter(|import| import.last() == Some(name));
        let by_name = named.clone().find_map(|import| self.defining(import, seen));
        by_name.or_else(|| {
            let globs = module.imports.iter().filter(|import| import.last().unwrap() == "*");
            globs.clone().find_map(|import| {
                let target = [&import[..import.len() - 1], std::slice::from_ref(name)].concat();
                self.defining(&target, seen)
            })
        })
    }

    /// Returns the files that import themselves by way of others.
    fn in_circles(&self) -> BTreeSet<&str> {
        let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for module in self.0.values() {
            for path in &module.paths {
                let target = self.defining(path, &mut BTreeSet::new());
                let target = target.map(|target| target.file.as_str());
                // Everything is named by the root of a crate.
                let others = target.filter(|file| *file != module.file && *file != "lib.rs");
                edges.entry(&module.file).or_default().extend(others);
            }
        }
        let is_in_circle = |file: &&str| {
            let (mut reached, mut next) = (BTreeSet::new(), vec![*file]);
            while let Some(from) = next.pop() {
                for to in edges.get(from).into_iter().flatten() {
                    if reached.insert(*to) {
                        next.push(*to);
                    }
                }
            }
            reached.contains(file)
        };
        edges.keys().copied().filter(is_in_circle).collect()
    }
}

/// Items that a file defines, and paths that its code names.
#[derive(Default)]
struct Items {
    defined: BTreeSet<String>,
    paths: Vec<Vec<String>>,
    depth: usize,
}

impl Visit<'_> for Items {
    fn visit_item(&mut self, item: &syn::Item) {
        let name = match item {
            syn::Item::Struct(item) => Some(&item.ident),
            syn::Item::Enum(item) => Some(&item.ident),
            syn::Item::Trait(item) => Some(&item.ident),
            syn::Item::Type(item) => Some(&item.ident),
            syn::Item::Const(item) => Some(&item.ident),
            syn::Item::Static(item) => Some(&item.ident),
            syn::Item::Union(item) => Some(&item.ident),
            syn::Item::Fn(item) => Some(&item.sig.ident),
            syn::Item::Macro(item) => item.ident.as_ref(),
            _ => None,
        };
        if self.depth == 0 {
            self.defined.extend(name.map(ToString::to_string));
        }
        self.depth += 1;
        syn::visit::visit_item(self, item);
        self.depth -= 1;
    }

    fn visit_item_mod(&mut self, module: &syn::ItemMod) {
        if !source::is_module_of_tests(module) {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let parts: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if parts.len() > 1 && LEADING.contains(&parts[0].as_str()) {
            self.paths.push(parts);
        }
        syn::visit::visit_path(self, path);
    }
}

#[test]
fn files_in_circles_are_those_of_a_shrinking_list() {
    let mut found = BTreeSet::new();
    for folder in fs::read_dir(workspace().join("crates")).unwrap() {
        let folder = folder.unwrap().path();
        if !folder.join("src").is_dir() {
            continue;
        }
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let modules = Modules::read(&folder.join("src"));
        found.extend(modules.in_circles().into_iter().map(|file| format!("{name}/src/{file}")));
    }
    let list = fs::read_to_string(workspace().join(LIST)).unwrap();
    let listed: BTreeSet<String> = list.lines().map(str::to_owned).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    assert!(new.is_empty(), "new files in circles of imports: {new:#?}");
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(gone.is_empty(), "in no circle any more; remove them from {LIST}: {gone:#?}");
}

#[test]
fn re_exports_lead_to_the_file_that_defines_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    file("lib.rs", "mod a; mod b; mod c; pub use a::Plan; pub use b::*;");
    file("a.rs", "use crate::Part; pub struct Plan;");
    file("b/mod.rs", "mod part; pub use part::Part;");
    file("b/part.rs", "pub struct Part; fn plan() -> crate::Plan { crate::Plan }");
    file("c.rs", "use crate::Part; #[cfg(test)] mod tests { use crate::a; }");
    let modules = Modules::read(folder.path());
    assert_eq!(modules.in_circles(), BTreeSet::from(["a.rs", "b/part.rs"]));
}
