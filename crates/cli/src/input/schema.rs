//! A schema, as far as it helps to read what a person types. The server has the last word on what is valid.

use serde_json::Value;

const MAX_REFERENCES: usize = 16;
const MAX_VIEWS: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Null,
    Boolean,
    Integer,
    Number,
    Array,
    Object,
    String,
}

impl Kind {
    const ALL: [Self; 7] =
        [Self::Null, Self::Boolean, Self::Integer, Self::Number, Self::Array, Self::Object, Self::String];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Array => "array",
            Self::Object => "object",
            Self::String => "string",
        }
    }

    pub(crate) fn is_scalar(self) -> bool {
        !matches!(self, Self::Array | Self::Object)
    }
}

/// Whether keys that the schema does not name are welcome.
pub(crate) enum Others<'a> {
    Refused,
    Welcome(Option<Schema<'a>>),
}

/// A place in a schema; references are followed within the whole.
#[derive(Clone, Copy)]
pub(crate) struct Schema<'a> {
    root: &'a Value,
    node: &'a Value,
}

impl<'a> Schema<'a> {
    pub(crate) fn new(root: &'a Value) -> Self {
        Self { root, node: root }
    }

    fn at(self, node: &'a Value) -> Self {
        let mut node = node;
        for _ in 0..MAX_REFERENCES {
            let target = node["$ref"]
                .as_str()
                .and_then(|reference| reference.strip_prefix('#'))
                .and_then(|path| self.root.pointer(path));
            match target {
                Some(target) => node = target,
                None => break,
            }
        }
        Self { root: self.root, node }
    }

    fn list(self, key: &str) -> impl Iterator<Item = Self> + use<'a> {
        self.node[key].as_array().into_iter().flatten().map(move |node| self.at(node))
    }

    /// This schema, and those it is combined of.
    fn views(self, keys: &[&str]) -> Vec<Self> {
        let mut views = vec![self];
        let mut next = 0;
        while next < views.len() && views.len() < MAX_VIEWS {
            let view = views[next];
            views.extend(keys.iter().flat_map(|key| view.list(key)));
            next += 1;
        }
        views.truncate(MAX_VIEWS);
        views
    }

    fn all_views(self) -> Vec<Self> {
        self.views(&["allOf", "anyOf", "oneOf"])
    }

    /// The types a value may have; empty when the schema does not say.
    pub(crate) fn kinds(self) -> Vec<Kind> {
        let mut kinds: Vec<_> = self
            .all_views()
            .into_iter()
            .flat_map(|view| match &view.node["type"] {
                Value::String(name) => vec![name.as_str()],
                Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
                _ if view.node["properties"].is_object() => vec!["object"],
                _ => vec![],
            })
            .filter_map(|name| Kind::ALL.into_iter().find(|kind| kind.as_str() == name))
            .collect();
        kinds.sort();
        kinds.dedup();
        kinds
    }

    /// The only values there are, where the schema lists them.
    pub(crate) fn choices(self) -> Option<Vec<Value>> {
        let own = |view: Self| match (&view.node["enum"], view.node.get("const")) {
            (Value::Array(values), _) => Some(values.clone()),
            (_, Some(value)) => Some(vec![value.clone()]),
            _ => None,
        };
        if let Some(values) = self.views(&["allOf"]).into_iter().find_map(own) {
            return Some(values);
        }
        let branches: Vec<_> = self.list("anyOf").chain(self.list("oneOf")).collect();
        if branches.is_empty() {
            return None;
        }
        let lists: Option<Vec<_>> = branches.into_iter().map(own).collect();
        lists.map(|lists| lists.into_iter().flatten().collect())
    }

    pub(crate) fn properties(self) -> Vec<&'a str> {
        let mut names: Vec<_> = self
            .all_views()
            .into_iter()
            .filter_map(|view| view.node["properties"].as_object())
            .flat_map(|all| all.keys().map(String::as_str))
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    pub(crate) fn property(self, name: &str) -> Option<Self> {
        self.all_views()
            .into_iter()
            .find_map(|view| view.node["properties"].get(name))
            .map(|node| self.at(node))
    }

    /// A schema that names no key takes any; one that names some takes others only where it says so.
    pub(crate) fn others(self) -> Others<'a> {
        for view in self.views(&["allOf"]) {
            match view.node.get("additionalProperties") {
                Some(Value::Bool(true)) => return Others::Welcome(None),
                Some(Value::Bool(false)) => return Others::Refused,
                Some(schema) => return Others::Welcome(Some(self.at(schema))),
                None if view.node["patternProperties"].is_object() => return Others::Welcome(None),
                None => {}
            }
        }
        if self.properties().is_empty() { Others::Welcome(None) } else { Others::Refused }
    }

    pub(crate) fn required(self) -> Vec<&'a str> {
        let mut names = Vec::new();
        for view in self.views(&["allOf"]) {
            for name in view.node["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    pub(crate) fn items(self) -> Option<Self> {
        self.all_views()
            .into_iter()
            .find_map(|view| view.node.get("items").filter(|items| items.is_object()))
            .map(|node| self.at(node))
    }

    pub(crate) fn description(self) -> Option<&'a str> {
        self.all_views().into_iter().find_map(|view| view.node["description"].as_str())
    }

    /// The type in a few words: `integer`, `array of string`, `"a" | "b"`.
    pub(crate) fn shape(self) -> String {
        if let Some(choices) = self.choices() {
            return choices.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
        }
        let kinds = self.kinds();
        if kinds.is_empty() {
            return "any".to_owned();
        }
        let word = |kind: &Kind| match (kind, self.items()) {
            (Kind::Array, Some(items))
                if items.kinds().iter().all(|kind| kind.is_scalar()) && !items.kinds().is_empty() =>
            {
                format!("array of {}", items.shape())
            }
            _ => kind.as_str().to_owned(),
        };
        kinds.iter().map(word).collect::<Vec<_>>().join(" | ")
    }
}
