//! Small files with one job.

use std::process::Command;

use anyhow::Context;

const MAX_LINES: usize = 500;
/// Made from the OpenAPI document; nobody writes it, and nobody reads it from top to bottom.
const GENERATED: &str = "web/src/api/schema.d.ts";

pub(crate) fn complaints() -> anyhow::Result<Vec<String>> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "*.rs", "*.ts", "*.tsx"])
        .output()
        .context("git cannot be run")?;
    let mut complaints = Vec::new();
    for path in String::from_utf8_lossy(&listed.stdout).lines() {
        // A file that was deleted and not yet committed is still listed.
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        if !path.contains("/tests/") && path != GENERATED {
            let lines = lines_without_tests(&text);
            if lines > MAX_LINES {
                complaints.push(format!("{path} has {lines} lines without tests; at most {MAX_LINES}: which two jobs does it have?"));
            }
        }
        let only_exports =
            !path.contains("/tests/") && (path.ends_with("/lib.rs") || path.ends_with("/mod.rs"));
        if only_exports && text.lines().any(is_code) {
            complaints.push(format!("{path} holds code; lib.rs and mod.rs only export"));
        }
    }
    Ok(complaints)
}

/// What stands under `#[cfg(test)]` does not count, wherever in the file it is.
fn lines_without_tests(text: &str) -> usize {
    let (mut count, mut is_test) = (0, false);
    for line in text.lines() {
        is_test |= line.starts_with("#[cfg(test)]");
        count += usize::from(!is_test);
        // All of an item but its beginning and its end is indented.
        is_test &= line.starts_with(' ') || !line.ends_with([';', '}']);
    }
    count
}

/// A function or an implementation, whoever may use it. What is indented is part of something else.
fn is_code(line: &str) -> bool {
    let of_some = line.strip_prefix("pub(").and_then(|scope| scope.split_once(") "));
    let item = of_some.map(|(_, item)| item).or(line.strip_prefix("pub ")).unwrap_or(line);
    let mut words = item.split(' ').skip_while(|word| ["async", "const", "unsafe"].contains(word));
    words.next().is_some_and(|word| word == "fn" || word == "impl" || word.starts_with("impl<"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_implementations_are_code_whoever_may_use_them() {
        let code = [
            "fn f() {",
            "pub fn f() {",
            "pub(crate) async fn f(",
            "pub(in crate::a) const fn f() -> u8 {",
            "async fn f() {",
            "impl A {",
            "impl<T> A for B<T> {",
            "unsafe impl Send for A {}",
        ];
        for line in code {
            assert!(is_code(line), "{line}");
        }
        let exports =
            ["pub(crate) use a::f;", "pub const F: u8 = 1;", "mod implied;", "    fn f();", "// fn f()", ""];
        for line in exports {
            assert!(!is_code(line), "{line}");
        }
    }

    #[test]
    fn the_lines_of_tests_do_not_count_and_those_after_them_do() {
        let modules = "//! A.\n#[cfg(test)]\nmod a;\n#[cfg(test)]\n#[path = \"b.rs\"]\nmod b;\nfn c() {}\n";
        assert_eq!(lines_without_tests(modules), 2);
        let block = "fn a() {\n}\n\n#[cfg(test)]\nimpl A {\n    fn b() {}\n\n    fn c() {}\n}\nfn d() {\n}\n";
        assert_eq!(lines_without_tests(block), 5);
    }
}
