//! `render_template`: text from a Jinja template.

use minijinja::value::{Serde, Value as TemplateValue};
use serde_json::{Value, json};
use toolgate_domain::{ToolError, ToolSpec, json::JsonSize, tool::SectionType};

use super::render::render;
use crate::builtin::{
    definition::{Definition, answers, refuses, section},
    tool::{Builtin, BuiltinContext, Weight},
};

const DESCRIPTION: &str = "Fills a Jinja template with values and answers with the text. Use it for e-mails, reports, \
tables, configuration files or prompts that follow a pattern, above all where a list is repeated or numbers are \
formatted. Syntax: {{ value }}, {{ user.name }}, {{ items[0] }}, {% if a > 1 and b %}…{% elif %}…{% else %}…{% endif \
%}, {% for item in items %}{{ loop.index }}…{% else %}…{% endfor %}, {% set x = 1 %}, {# comment #}; operators + - * \
/ // % ** ~ == != < <= > >= in and or not; filters such as default, join, length, lower, upper, title, trim, replace, \
round, sort, unique, sum, map(attribute='x'), selectattr, groupby, dictsort, items, tojson, escape, indent, and \
'%.2f'|format(x); range(n) up to 10,000. A value that is not defined is an error, not an empty text: write {{ x | \
default('') }} where it may be missing. Nothing is escaped for HTML unless you apply escape. Not supported: macros, \
includes, inheritance, set blocks, methods such as .upper(). Templates have up to 50,000 \
characters, the text up to 1 MiB.";

const MAX_TEMPLATE_CHARS: usize = 50_000;
const MAX_VALUES_BYTES: u64 = 1024 * 1024;
const MAX_DEPTH: u64 = 64;

/// Jinja templates.
pub(in crate::builtin) struct RenderTemplate;

impl Builtin for RenderTemplate {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "render_template",
            category: "utility",
            icon: "file-text",
            description: DESCRIPTION,
            input_schema: json!({
                "type": "object",
                "properties": {
                    "template": {
                        "type": "string", "maxLength": MAX_TEMPLATE_CHARS,
                        "description": "The template, in Jinja syntax."
                    },
                    "values": {
                        "type": "object", "default": {},
                        "description": "The values that the template names."
                    }
                },
                "required": ["template"],
                "additionalProperties": false
            }),
            output_schema: json!({
                "type": "object",
                "properties": {"text": {"type": "string", "description": "The template with everything filled in."}},
                "required": ["text"],
                "additionalProperties": false
            }),
            examples: vec![
                answers(
                    "A list",
                    json!({
                        "template": "Dear {{ name }},\n{% for item in items %}- {{ item.title }}: {{ '%.2f'|format(item.price) }}\n{% endfor %}",
                        "values": {"name": "Ann", "items": [{"title": "Tea", "price": 3.5}, {"title": "Cake", "price": 4}]}
                    }),
                    json!({"text": "Dear Ann,\n- Tea: 3.50\n- Cake: 4.00\n"}),
                ),
                answers(
                    "A value that may be missing",
                    json!({"template": "Hello {{ name | default('there') }}!"}),
                    json!({"text": "Hello there!"}),
                ),
                refuses("A value that is missing", json!({"template": "Hello {{ name }}!", "values": {}})),
            ],
            output_sections: vec![section("text", "Text", SectionType::Custom)],
            repeatable: true,
        }
        .into_spec()
    }

    /// Only filling in values is sure to be quick: a short template may loop, repeat or filter for long.
    fn weight(&self, input: &Value) -> Weight {
        const MAX_INLINE_BYTES: usize = 1_000;
        let template = input["template"].as_str().unwrap_or_default();
        let plain = template.len() <= MAX_INLINE_BYTES
            && !["{%", "|", "*", "range"].iter().any(|costly| template.contains(costly));
        if plain && JsonSize::of(&input["values"]).about_bytes() <= MAX_INLINE_BYTES as u64 {
            Weight::Inline
        } else {
            Weight::Blocking
        }
    }

    fn call(&self, input: &Value, _ctx: &BuiltinContext<'_>) -> Result<Value, ToolError> {
        let text = fill(input["template"].as_str().unwrap_or_default(), &input["values"])?;
        Ok(json!({"text": text}))
    }
}

/// The template with the values filled in.
pub(crate) fn fill(template: &str, values: &Value) -> Result<String, ToolError> {
    if template.len() > MAX_TEMPLATE_CHARS && template.chars().count() > MAX_TEMPLATE_CHARS {
        return Err(ToolError::validation(format!(
            "the template has more than {MAX_TEMPLATE_CHARS} characters"
        )));
    }
    let size = JsonSize::of(values);
    if size.depth > MAX_DEPTH || size.about_bytes() > MAX_VALUES_BYTES {
        return Err(ToolError::validation(format!(
            "the values have more than {MAX_DEPTH} levels or {MAX_VALUES_BYTES} bytes"
        )));
    }
    // Names that no template can spell are those of our own functions.
    let spellable = |(name, _): &(&String, &Value)| !name.starts_with('\0');
    let fields = values.as_object().into_iter().flatten().filter(spellable);
    let values = TemplateValue::from_pairs(
        fields.map(|(name, value)| (name.as_str(), TemplateValue::from(Serde(value)))),
    );
    render(template, values).map_err(ToolError::validation)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::builtin::testing::{call, context, refusal};

    fn values() -> Value {
        json!({
            "n": 3, "x": 2.5, "s": "abc", "t": true, "none": null, "list": [3, 1, 2], "words": ["b", "a"],
            "people": [{"name": "Ann", "age": 30}, {"name": "Bob", "age": 20}], "map": {"k": "v", "a": 1}
        })
    }

    fn text(template: &str) -> String {
        call(&RenderTemplate, json!({"template": template, "values": values()}))["text"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    #[rstest]
    #[case(
        "{{ n + 1 }} {{ n * x }} {{ n - 1 }} {{ 7 // 2 }} {{ 7 % 4 }} {{ 2 ** 10 }} {{ 7 / 2 }}",
        "4 7.5 2 3 3 1024 3.5"
    )]
    #[case(
        "{{ s ~ n ~ none }} {{ 'a' + 'b' }} {{ '=' * 5 }} {{ [1] + [2] }} {{ [0] * 3 }}",
        "abc3none ab ===== [1, 2] [0, 0, 0]"
    )]
    #[case(
        "{{ s[0] }} {{ s[1:] }} {{ s[:-1] }} {{ list[1:2] }} {{ list[-1] }} {{ list[5:] }}",
        "a bc ab [1] 2 []"
    )]
    #[case("{% for p in people if p.age > 25 %}{{ loop.index }}.{{ p.name }}{% endfor %}", "1.Ann")]
    #[case("{% for k, v in map|items %}{{ k }}={{ v }};{% endfor %}", "a=1;k=v;")]
    #[case("{% for x in [] %}{% else %}empty{% endfor %}", "empty")]
    #[case(
        "{% if n == 3 and s != 'x' and not (n < 2) and 'b' in s and 9 not in list %}yes{% endif %}",
        "yes"
    )]
    #[case("{% if none %}a{% elif n > 5 %}b{% else %}c{% endif %}", "c")]
    #[case("{% set y = n * 2 %}{% with z = y + 1 %}{{ z }}{% endwith %}", "7")]
    #[case("{{ list|sort|join(', ') }} {{ list|sum }} {{ people|map(attribute='age')|sum }}", "1, 2, 3 6 50")]
    #[case("{{ people|selectattr('age', 'gt', 25)|map(attribute='name')|join }}", "Ann")]
    #[case(
        "{{ s|upper }} {{ s|replace('b', 'x') }} {{ 'a b'|title }} {{ ' a '|trim }} {{ s|length }}",
        "ABC axc A B a 3"
    )]
    #[case(
        "{{ '%.2f'|format(x) }} {{ '%5s|%-3s|'|format(s, n) }} {{ x|round }} {{ 2.345|round(2) }}",
        "2.50   abc|3  | 2.0 2.35"
    )]
    #[case("{{ map|tojson }} {{ '<a>'|escape }} {{ '<a>' }}", "{\"a\": 1, \"k\": \"v\"} &lt;a&gt; <a>")]
    #[case(
        "{{ missing|default('d') }} {{ 'y' if t else 'n' }} {{ missing is defined }} {{ n is odd }}",
        "d y False True"
    )]
    #[case("{% for i in range(3) %}{{ i }}{% endfor %} {{ {'a': 1}.a }} {{ [1, [2]] }}", "012 1 [1, [2]]")]
    #[case("{# no #}{% raw %}{{ raw }}{% endraw %}", "{{ raw }}")]
    #[case("a\n{% autoescape 'html' %}{{ '<' }}{% endautoescape %}\n", "a\n&lt;")]
    #[case(
        "{{ people|groupby('age')|length }} {{ 'a,b'|split(',')|list }} {{ 'a\nb'|indent(2) }}",
        "2 ['a', 'b'] a\n  b"
    )]
    fn renders(#[case] template: &str, #[case] expected: &str) {
        assert_eq!(text(template).to_lowercase(), expected.to_lowercase());
    }

    #[rstest]
    #[case::undefined("a\n{{ missing }}", "line 2: something is used that is not defined: `missing`")]
    #[case::attribute("{{ map.zzz }}", "map.zzz")]
    #[case::comparison("{{ missing == 1 }}", "not defined")]
    #[case::concat("{{ missing ~ 'a' }}", "not defined")]
    #[case::arithmetic("{{ missing + 1 }}", "not defined")]
    #[case::syntax("\n\n{% if %}", "line 3")]
    #[case::unclosed("{% for x in list %}", "line 1")]
    #[case::filter("{{ s|nope }}", "filter nope is unknown")]
    #[case::function("{{ nope() }}", "nope is unknown")]
    #[case::method("{{ s.upper() }}", "upper")]
    #[case::types("{{ s + 1 }}", "`+` does not work on string and number")]
    #[case::zero("{{ 1 // 0 }}", "line 1")]
    #[case::include("{% include 'x' %}", "line 1")]
    #[case::capture("{% set x %}a{% endset %}", "a `set` block")]
    #[case::recursion("{% for x in list recursive %}{{ loop(list) }}{% endfor %}", "recursive loop")]
    #[case::spread("{{ range(*list) }}", "spread")]
    #[case::step("{{ list[::-1] }}", "step")]
    fn refuses_and_says_where(#[case] template: &str, #[case] says: &str) {
        let message = refusal(&RenderTemplate, json!({"template": template, "values": values()}));
        assert!(message.contains(says), "{message}");
    }

    fn doubled(step: &str, times: usize) -> String {
        "{% set x = 'ab' %}".to_owned() + &step.repeat(times) + "{{ x }}"
    }

    #[rstest]
    #[case::repeated("{{ 'x' * 10**9 }}")]
    #[case::repeated_less("{{ 'x' * 99999999 }}".repeat(100))]
    #[case::repeated_list("{{ [1] * 10**9 }}")]
    #[case::loops("{% for a in range(10000) %}{% for b in range(10000) %}{{ a }}{% endfor %}{% endfor %}")]
    #[case::silent_loops("{% for a in range(10000) %}{% for b in range(10000) %}{% endfor %}{% endfor %}")]
    #[case::raw_loops("{% for a in range(10000) %}".to_owned() + &"x".repeat(10_000) + "{% endfor %}")]
    #[case::doubling(doubled("{% set x = x ~ x %}", 60))]
    #[case::adding(doubled("{% set x = x + x %}", 60))]
    #[case::listing(doubled("{% set x = [x, x] %}", 60))]
    #[case::nesting(doubled("{% set x = [x] %}", 500))]
    #[case::mapping(doubled("{% set x = {'a': x, 'b': x} %}", 60))]
    #[case::replacing(doubled("{% set x = x|replace('a', 'aaaaaaaaaaaa') %}", 60))]
    #[case::replacing_nothing("{{ ('x' * 100000)|replace('', 'y' * 100000) }}")]
    #[case::joining("{{ range(10000)|join('y' * 100000) }}")]
    #[case::escaping(doubled("{% set x = x|tojson %}", 60))]
    #[case::indenting("{{ 'a\nb'|indent(1000000000) }}")]
    #[case::formatting("{{ '%1000000000d'|format(1) }}")]
    #[case::formatting_again("{{ ('%(a)s' * 10000)|format(a='x' * 100000) }}")]
    #[case::precise("{{ '%.999999999f'|format(1.5) }}")]
    #[case::starred("{{ '%*d'|format(1000000000, 1) }}")]
    #[case::ranging("{{ range(1000000000) }}")]
    #[case::comparing(
        "{% set x = range(9999) %}{% set y = range(9999) %}{% for i in x %}{% if x == y %}{% endif %}{% endfor %}"
    )]
    #[case::searching("{% set x = range(9999) %}{% for i in x %}{% if -1 in x %}{% endif %}{% endfor %}")]
    #[case::sorting("{% set x = range(9999) %}{% for i in x %}{% if x|sort %}{% endif %}{% endfor %}")]
    #[case::powers("{{ 10 ** 10 ** 10 }}")]
    #[case::signs("{{ ".to_owned() + &"-".repeat(40_000) + "1 }}")]
    #[case::negations("{{ ".to_owned() + &"not ".repeat(10_000) + "1 }}")]
    #[case::chain("{{ 1".to_owned() + &"+1".repeat(20_000) + " }}")]
    #[case::parentheses("{{ ".to_owned() + &"(".repeat(20_000))]
    #[case::brackets("{{ ".to_owned() + &"[".repeat(20_000))]
    #[case::attributes("{{ a".to_owned() + &".a".repeat(20_000) + " }}")]
    #[case::subscripts("{{ a".to_owned() + &"[0]".repeat(10_000) + " }}")]
    #[case::calls("{{ a".to_owned() + &"()".repeat(10_000) + " }}")]
    #[case::pipes("{{ 1".to_owned() + &"|abs".repeat(10_000) + " }}")]
    #[case::blocks("{% if 1 %}".repeat(4_000))]
    #[case::branches("{% if 0 %}".to_owned() + &"{% elif 0 %}".repeat(4_000) + "{% endif %}")]
    #[case::tags("{{1}}".repeat(9_999))]
    #[case::shadowed_function("{{ 'x' * 10**9 }}")]
    fn hostile_templates_are_refused_before_they_cost_much(#[case] template: impl Into<String>) {
        let began = Instant::now();
        let values = json!({"\u{0}multiply": 1, "a": {}});
        refusal(&RenderTemplate, json!({"template": template.into(), "values": values}));
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }

    #[rstest]
    #[case("(", "1", ")")]
    #[case("[", "1", "]")]
    #[case("-", "1", "")]
    #[case("not ", "1", "")]
    #[case("1 + ", "1", "")]
    #[case("1 if 1 else ", "1", "")]
    #[case("range(", "1", ")")]
    #[case("", "1", "|abs")]
    #[case("", "1", "[0]")]
    #[case("", "range", "(1)")]
    #[case("", "1", ".a")]
    fn the_deepest_expressions_that_are_let_through_fit_the_stack(
        #[case] open: &str,
        #[case] inner: &str,
        #[case] close: &str,
    ) {
        for levels in [5, 20, 24, 25, 60, 95, 190] {
            let template = format!("{{{{ {}{inner}{} }}}}", open.repeat(levels), close.repeat(levels));
            let _ = RenderTemplate.call(&json!({"template": template}), &context());
        }
    }

    #[test]
    fn the_edges_of_operators_and_filters_answer_or_refuse() {
        for expression in [
            "-9223372036854775808 // -1",
            "10**18 * 10**18 * 10**18",
            "170141183460469231731687303715884105727 + 1",
            "5 % 0",
            "5 / 0",
            "2 ** -1",
            "2 ** 99999",
            "1e308 * 10",
            "x|round(-400)",
            "x|round(999999999)",
            "x|round(-9223372036854775808)",
            "s|int(base=99)",
            "'z'|int",
            "'%c'|format(1114112)",
            "'%s'|format",
            "'%'|format(1)",
            "'%999.999f'|format(x)",
            "'{:>999}'|format(1)",
            "s|split('')",
            "[]|max",
            "[]|min",
            "[]|first",
            "[]|last",
            "[]|sum",
            "n|sort",
            "n|join",
            "people|sort(attribute='zzz')",
            "people|groupby",
            "people|groupby('zzz')",
            "people|unique",
            "map|dictsort(by='zzz')",
            "list|reverse|reverse",
            "s|reverse",
            "n|reverse",
            "s[5:1]",
            "s[-9:-8]",
            "list[9223372036854775807:]",
            "list[-9223372036854775807:-9223372036854775807]",
            "list[9999999999999999999]",
            "list['a']",
            "map[list]",
            "n.a.b",
            "range(-5)",
            "range(5, -5, -1)",
            "range(0, 9223372036854775807, 9223372036854775807)",
            "range('a')",
            "range",
            "none|length",
            "n|length",
            "none + 1",
            "t + t",
            "[] == {}",
            "{} < {}",
            "s < n",
            "n in n",
            "s in s",
            "map in list",
            "{[1]: 2}",
            "{none: 1}",
            "n is divisibleby(0)",
            "s is nope",
            "s|upper(1)",
            "people|map(attribute='a.b.c')",
            "people|map('upper')",
            "people|map(attribute=1)",
            "people|selectattr('zzz')",
            "list|select('nope')",
            "none|trim",
            "s|trim('abc')",
            "s|replace('', '')",
            "s|indent(0)",
            "map|tojson(99)",
            "x|tojson",
            "s|default(n, true)",
            "'a\\u0000b'",
            "s|title|capitalize|lower",
            "t|bool",
            "list|list|string",
            "map|items|list",
            "s|lines",
            "s|safe|e",
        ] {
            let _ = RenderTemplate.call(
                &json!({"template": format!("{{{{ {expression} }}}}"), "values": values()}),
                &context(),
            );
        }
        for statement in [
            "{% for x in 5 %}{% endfor %}",
            "{% for a, b in list %}{% endfor %}",
            "{% for a in list %}{{ loop.cycle() }}{% endfor %}",
            "{% for a in list %}{{ loop.cycle('a', 'b') }}{{ loop.changed(a) }}{{ loop }}{% endfor %}",
            "{% set a, b = 1 %}",
            "{% set loop = 1 %}{{ loop(1) }}",
            "{% for a in list %}{{ loop(list) }}{% endfor %}",
            "{{ loop(list) }}",
            "{% autoescape 'nope' %}{% endautoescape %}",
            "{% autoescape 'json' %}{{ map }}{% endautoescape %}",
            "{% set range = 1 %}{{ range(2) }}",
            "{% for a in map %}{{ a }}{% endfor %}",
            "{% for a in s %}{{ a }}{% endfor %}",
            "{% with %}{% endwith %}",
            "{% set map.k = 1 %}",
            "{% if missing %}{% endif %}",
            "{% for a in missing %}{% endfor %}",
            "{{ super() }}",
            "{{ caller() }}",
            "{{ self.x() }}",
        ] {
            let _ = RenderTemplate.call(&json!({"template": statement, "values": values()}), &context());
        }
    }

    #[test]
    fn a_long_table_fits_the_budget() {
        let rows: Vec<Value> =
            (0..5_000).map(|n| json!({"id": n, "name": format!("row {n}"), "price": 1.5})).collect();
        let template = "{% for r in rows %}{{ r.id }},{{ r.name }},{{ '%.2f'|format(r.price) }}\n{% endfor %}{{ rows|length }}";
        let output = call(&RenderTemplate, json!({"template": template, "values": {"rows": rows}}));
        assert_eq!(output["text"].as_str().unwrap().lines().count(), 5_001);
    }

    #[test]
    fn only_filling_in_runs_inline() {
        let weight =
            |template: &str| RenderTemplate.weight(&json!({"template": template, "values": {"a": 1}}));
        assert_eq!(weight("Hello {{ a }}"), Weight::Inline);
        for template in ["{% for x in a %}{% endfor %}", "{{ 'x' * 9 }}", "{{ a|upper }}", &"x".repeat(2_000)]
        {
            assert_eq!(weight(template), Weight::Blocking, "{template}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(template in "\\PC{0,300}") {
            let _ = RenderTemplate.call(&json!({"template": template, "values": values()}), &context());
        }

        #[test]
        fn templates_made_of_the_grammar_never_panic(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "{{ ", " }}", "{% ", " %}", "{# ", " #}", "if ", "endif", "else", "elif ", "for ", "x in ", "endfor",
                    "set ", "with ", "endwith", "raw", "endraw", "n", "s", "list", "people", "map", "none", "missing", "x",
                    " = ", " + ", " * ", " - ", " ~ ", " / ", " // ", " % ", " ** ", " == ", " < ", " in ", " is ", "not ",
                    "|upper", "|join", "|sort", "|tojson", "|format", "|reverse", "|int", "|round", "defined", "(", ")",
                    "[", "]", ":", ",", ".", "{", "}", "1", "-9223372036854775808", "1e308", "'%d'", "'a'", "\n",
                    "{{ list[-1:] }}", "{% for p in people %}", "{% endfor %}", "{% if n %}", "{% endif %}",
                ]),
                0..40,
            )
        ) {
            let _ = RenderTemplate.call(&json!({"template": parts.concat(), "values": values()}), &context());
        }

        #[test]
        fn plain_text_comes_back_as_it_is(text in "[a-zA-Z0-9 .,;:!?äöü<>&\\n]{0,200}x") {
            let output = RenderTemplate.call(&json!({"template": text}), &context()).unwrap();
            prop_assert_eq!(output["text"].as_str().unwrap(), text);
        }
    }
}
