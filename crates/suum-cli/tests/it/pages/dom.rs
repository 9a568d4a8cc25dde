//! A page as a tree of elements.

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// A page that was read.
pub(crate) struct Document {
    /// Errors that a parser of HTML finds in it.
    pub(crate) errors: Vec<String>,
    root: Element,
}

/// An element of a page.
pub(crate) struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    inside: Vec<Node>,
}

enum Node {
    Element(Element),
    Text(String),
}

impl Document {
    pub(crate) fn read(html: &str) -> Self {
        let mut options = ParseOpts::default();
        options.tokenizer.exact_errors = true;
        options.tree_builder.exact_errors = true;
        let dom = parse_document(RcDom::default(), options).one(html);
        let errors = dom.errors.borrow().iter().map(|error| error.to_string()).collect();
        Self { errors, root: Element::from_node(&dom.document) }
    }

    /// All elements of this name, in the order of the page; `*` for every name.
    pub(crate) fn find(&self, name: &str) -> Vec<&Element> {
        self.root.find(name)
    }

    /// The element with this identifier.
    pub(crate) fn by_id(&self, id: &str) -> Option<&Element> {
        self.find("*").into_iter().find(|element| element.attribute("id") == Some(id))
    }

    /// The text of every block that `shown` lets through.
    pub(crate) fn lines(&self, shown: impl Fn(&Element) -> bool) -> Vec<String> {
        let blocks =
            ["h1", "h2", "h3", "p", "li", "caption", "tr", "math", "summary", "pre", "text"];
        let elements =
            self.find("*").into_iter().filter(|element| blocks.contains(&element.name()));
        elements
            .filter(|element| shown(element))
            .map(Element::words)
            .filter(|line| !line.is_empty())
            .collect()
    }
}

impl Element {
    fn from_node(node: &Handle) -> Self {
        let (name, attributes) = match &node.data {
            NodeData::Element { name, attrs, .. } => {
                let attributes = attrs.borrow();
                let pairs = attributes
                    .iter()
                    .map(|one| (one.name.local.to_string(), one.value.to_string()));
                (name.local.to_string(), pairs.collect())
            }
            _ => Default::default(),
        };
        let children = node.children.borrow();
        let inside = children.iter().filter_map(|child| match &child.data {
            NodeData::Element { .. } => Some(Node::Element(Self::from_node(child))),
            NodeData::Text { contents } => Some(Node::Text(contents.borrow().to_string())),
            _ => None,
        });
        Self { name, attributes, inside: inside.collect() }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn attributes(&self) -> &[(String, String)] {
        &self.attributes
    }

    pub(crate) fn attribute(&self, wanted: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
    }

    /// All elements of this name in it, in their order; `*` for every name.
    pub(crate) fn find(&self, name: &str) -> Vec<&Element> {
        let mut found = Vec::new();
        for node in &self.inside {
            let Node::Element(element) = node else { continue };
            if name == "*" || element.name == name {
                found.push(element);
            }
            found.extend(element.find(name));
        }
        found
    }

    /// All text in it.
    pub(crate) fn text(&self) -> String {
        let text = |node: &Node| match node {
            Node::Element(element) => element.text(),
            Node::Text(text) => text.clone(),
        };
        self.inside.iter().map(text).collect()
    }

    /// All text in it with cells apart, and white space as one space.
    pub(crate) fn words(&self) -> String {
        let cells = || self.find("*").into_iter().filter(|one| matches!(one.name(), "th" | "td"));
        let parts: Vec<String> = match self.name() {
            "tr" => cells().map(Element::text).collect(),
            _ => vec![self.text()],
        };
        let tidy = |part: &String| part.split_whitespace().collect::<Vec<_>>().join(" ");
        parts.iter().map(tidy).collect::<Vec<_>>().join(" | ")
    }
}
