//! TOOL.md: front matter in YAML, then prose.

use serde_json::Value;
use toolgate_domain::json::check_value;

use super::{Definition, DefinitionError, definition_from_json};

/// Nesting that a file may have before it is looked at any further.
const MAX_DEPTH: usize = 64;

/// Reads a TOOL.md. The prose becomes the long description; a fenced `python` block in it is the code of a Python tool.
pub fn parse_tool_md(text: &str) -> Result<Definition, DefinitionError> {
    let (front, prose) = split(text)?;
    let mut definition: Value = serde_saphyr::from_str(front)
        .map_err(|e| DefinitionError::at("", format!("the front matter is not YAML: {e}")))?;
    check_value(&definition, MAX_DEPTH).map_err(|e| DefinitionError::at("", e.to_string()))?;
    if definition.get("long_description").is_some() {
        return Err(DefinitionError::at(
            "/long_description",
            "is the prose below the front matter; leave the key out",
        ));
    }
    if let Some(fields) = definition.as_object_mut()
        && !prose.trim().is_empty()
    {
        fields.insert("long_description".to_owned(), Value::from(prose.trim()));
    }
    let execution = definition.get_mut("execution").and_then(Value::as_object_mut);
    if let Some(execution) =
        execution.filter(|execution| execution.get("kind").and_then(Value::as_str) == Some("python"))
        && let Some(code) = fenced(prose, "python")
    {
        execution.insert("code".to_owned(), Value::from(code));
    }
    definition_from_json(definition)
}

fn split(text: &str) -> Result<(&str, &str), DefinitionError> {
    let missing = || {
        DefinitionError::at("", "a TOOL.md begins with front matter: a line `---`, YAML, and a line `---`")
    };
    let text = text.trim_start_matches('\u{feff}');
    let rest = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")).ok_or_else(missing)?;
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Ok((&rest[..at], &rest[at + line.len()..]));
        }
        at += line.len();
    }
    Err(missing())
}

/// The first fenced block of a language.
fn fenced(prose: &str, language: &str) -> Option<String> {
    let mut lines = prose.lines();
    lines.find(|line| line.trim_end().strip_prefix("```") == Some(language))?;
    let code: Vec<_> = lines.take_while(|line| line.trim_end() != "```").collect();
    Some(code.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREET: &str = "---\nname: greet\nversion: 1.0.0\ndescription: Greets.\ninput_schema:\n  type: object\nexecution:\n  kind: builtin\n  handler: render_template\n---\n# Greet\n\nA long story.\n";

    #[test]
    fn front_matter_and_prose_become_a_definition() {
        let spec = parse_tool_md(GREET).unwrap();
        assert_eq!(spec.id(), "greet@1.0.0");
        assert_eq!(spec.long_description, "# Greet\n\nA long story.");
    }

    #[test]
    fn a_slip_in_a_key_is_answered_with_the_right_one() {
        let error = parse_tool_md(&GREET.replace("description:", "descripton:")).unwrap_err();
        assert!(error.to_string().contains("did you mean `description`"), "{error}");
    }

    #[test]
    fn a_slip_in_an_object_is_answered_with_its_place_as_well() {
        let slip = "examples:\n  - input: {}\n  - inptu: {}\nexecution:";
        let error = parse_tool_md(&GREET.replace("execution:", slip)).unwrap_err();
        assert_eq!(error.to_string(), "/examples/1/inptu: unknown key `inptu`; did you mean `input`?");
    }

    #[test]
    fn the_code_of_a_python_tool_stands_in_the_prose() {
        let text = GREET
            .replace("kind: builtin", "kind: python")
            .replace("A long story.", "```python\nreturn 1\n```");
        let spec = parse_tool_md(&text).unwrap();
        assert_eq!(spec.execution.config["code"], "return 1\n");
    }

    #[test]
    fn a_class_that_a_file_does_not_declare_is_not_made_up() {
        let silent = parse_tool_md(GREET).unwrap();
        assert_eq!(serde_json::json!(silent).get("egress_class"), None);
        let said = parse_tool_md(&GREET.replace("version:", "side_effects: none\nversion:")).unwrap();
        assert_eq!(serde_json::json!(said)["egress_class"], "none");
    }

    #[test]
    fn hostile_files_are_refused_in_bounded_time() {
        assert!(parse_tool_md("").is_err());
        assert!(parse_tool_md("---\nname: x").is_err());
        assert!(parse_tool_md(&format!("---\na: {}\n---\n", "[".repeat(5_000))).is_err());
        let laughs = "---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: [*g,*g,*g,*g,*g,*g,*g,*g,*g]\n---\n";
        assert!(parse_tool_md(laughs).is_err());
    }
}
