//! `convert_units`: a value in one unit in, the same in another out.

use bigdecimal::BigDecimal;
use serde_json::{Value, json};
use toolgate_domain::{ToolError, ToolSpec, tool::SectionType};

use super::{catalog, convert::convert};
use crate::builtin::{
    decimal,
    definition::{Definition, answers, refuses, section},
    tool::{Builtin, BuiltinContext},
};

const DESCRIPTION: &str = "Converts a value from one unit of measurement to another, by exact definitions. Use it \
whenever units change: length, mass, time, temperature, area, volume, speed, data (SI kB, MB and binary KiB, MiB), \
data rate, energy, pressure, power, angle, force, frequency, fuel economy. Units are symbols or English names, \
singular or plural, with SI prefixes where they make sense: `km`, `kilometres`, `µs`, `°F`, `mph`, `kWh`, `MiB`, \
`ft2`, `square metre`, `miles per hour`, `l/100km`. Capitals matter where they change the meaning (mW and MW, Mb \
for megabit and MB for megabyte). Gallons, pints, cups and ounces are US measures unless `imperial_` stands before; a month \
is a twelfth of the average Gregorian year. Not for currencies, dates or time zones (get_time), nor for arithmetic \
(calculate). `exact` is false where the result was rounded to 20 digits. An unknown unit is answered with the \
nearest known ones.";

/// Units of measurement, by exact definitions.
pub(in crate::builtin) struct ConvertUnits;

impl Builtin for ConvertUnits {
    fn spec(&self) -> ToolSpec {
        let unit = |description: &str| json!({"type": "string", "minLength": 1, "maxLength": 64, "description": description});
        let example = |value: f64, from: &str, to: &str| json!({"value": value, "from": from, "to": to});
        Definition {
            name: "convert_units",
            category: "utility",
            icon: "ruler",
            description: DESCRIPTION,
            input_schema: json!({
                "type": "object",
                "properties": {
                    "value": {"type": "number", "description": "How many of the unit `from`."},
                    "from": unit("The unit of `value`, such as `mile` or `°F`."),
                    "to": unit("The unit wanted, such as `km` or `°C`.")
                },
                "required": ["value", "from", "to"],
                "additionalProperties": false
            }),
            output_schema: json!({
                "type": "object",
                "properties": {
                    "result": {"type": "string", "description": "The converted value as a decimal text."},
                    "number": {
                        "type": ["number", "null"],
                        "description": "The converted value as the nearest JSON number; null beyond ±(2^53-1)."
                    },
                    "exact": {"type": "boolean", "description": "Whether no digit was lost to rounding."},
                    "from": {"type": "string", "description": "The full name of the unit given."},
                    "to": {"type": "string", "description": "The full name of the unit of the result."},
                    "dimension": {"type": "string", "description": "What both units measure."}
                },
                "required": ["result", "number", "exact", "from", "to", "dimension"],
                "additionalProperties": false
            }),
            examples: vec![
                answers(
                    "Distance",
                    example(26.2, "miles", "km"),
                    json!({
                        "result": "42.1648128", "number": 42.164_812_8, "exact": true,
                        "from": "mile", "to": "kilometre", "dimension": "length"
                    }),
                ),
                answers(
                    "Temperature",
                    example(72.0, "°F", "°C"),
                    json!({
                        "result": "22.222222222222222222", "number": 22.222_222_222_222_22, "exact": false,
                        "from": "fahrenheit", "to": "celsius", "dimension": "temperature"
                    }),
                ),
                refuses("Units of different dimensions", example(1.0, "kg", "m")),
                refuses("An unknown unit", example(1.0, "smoot", "m")),
            ],
            output_sections: vec![section("result", "Result", SectionType::Summary)],
            repeatable: true,
        }
        .into_spec()
    }

    fn call(&self, input: &Value, _ctx: &BuiltinContext<'_>) -> Result<Value, ToolError> {
        // The digits as they stand in the JSON text: 0.1 is meant to be 0.1.
        let value: BigDecimal = input["value"]
            .to_string()
            .parse()
            .map_err(|_| ToolError::validation("`value` is not a number"))?;
        let from =
            catalog::find(input["from"].as_str().unwrap_or_default()).map_err(ToolError::validation)?;
        let to = catalog::find(input["to"].as_str().unwrap_or_default()).map_err(ToolError::validation)?;
        let converted = convert(&value, from, to).map_err(ToolError::validation)?;
        Ok(json!({
            "result": decimal::text(&converted.value),
            "number": decimal::json_number(&converted.value.normalized()),
            "exact": converted.exact,
            "from": from.canonical_name(),
            "to": to.canonical_name(),
            "dimension": from.unit.dimension,
        }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::builtin::{
        convert_units::table::UNITS,
        testing::{call, context, refusal},
    };

    #[rstest]
    #[case(1.0, "inch", "cm", "2.54", true)]
    #[case(1.0, "mile", "foot", "5280", true)]
    #[case(100.0, "celsius", "fahrenheit", "212", true)]
    #[case(-40.0, "F", "C", "-40", true)]
    #[case(0.0, "K", "°C", "-273.15", true)]
    #[case(1.0, "GiB", "MB", "1073.741824", true)]
    #[case(1.0, "byte", "bit", "8", true)]
    #[case(100.0, "Mbps", "MB/s", "12.5", true)]
    #[case(1.0, "kWh", "MJ", "3.6", true)]
    #[case(1.0, "hp", "W", "745.69987158227022", true)]
    #[case(1.0, "atm", "psi", "14.695948775513448726", false)]
    #[case(180.0, "deg", "rad", "3.1415926535897932385", false)]
    #[case(1.0, "rad", "radian", "1", true)]
    #[case(90.0, "degrees", "turn", "0.25", true)]
    #[case(8.0, "l/100km", "mpg", "29.401822916666666667", false)]
    #[case(1.0, "eV", "kWh", "0.000000000000000000000000044504906500000000000", true)]
    #[case(1.0, "light year", "nm", "9460730472580800000000000", true)]
    #[case(36.0, "km/h", "m/s", "10", true)]
    #[case(0.1, "m", "dm", "1", true)]
    #[case(1.0, "cup", "ml", "236.5882365", true)]
    fn converts(
        #[case] value: f64,
        #[case] from: &str,
        #[case] to: &str,
        #[case] result: &str,
        #[case] exact: bool,
    ) {
        let output = call(&ConvertUnits, json!({"value": value, "from": from, "to": to}));
        let same = |text: &str| text.parse::<BigDecimal>().unwrap();
        assert_eq!(same(output["result"].as_str().unwrap()), same(result), "{output}");
        assert_eq!(output["exact"], exact, "{output}");
    }

    #[rstest]
    #[case::dimensions(1.0, "kg", "m", "kilogram measures mass, metre measures length")]
    #[case::slip(1.0, "killometre", "m", "did you mean `kilometre`")]
    #[case::cold(-300.0, "C", "F", "absolute zero")]
    #[case::inverse(0.0, "l/100km", "mpg", "zero litre/100_kilometres")]
    #[case::inverse_too(0.0, "mpg", "l/100km", "zero has no counterpart")]
    fn refuses_and_says_why(#[case] value: f64, #[case] from: &str, #[case] to: &str, #[case] says: &str) {
        let message = refusal(&ConvertUnits, json!({"value": value, "from": from, "to": to}));
        assert!(message.contains(says), "{message}");
    }

    #[test]
    fn extreme_doubles_are_converted_or_refused_but_never_fatal() {
        for value in [f64::MAX, f64::MIN_POSITIVE, -f64::MAX, 5e-324, 0.0, -0.0] {
            for unit in UNITS {
                let base = UNITS.iter().find(|other| other.dimension == unit.dimension).unwrap();
                let input = json!({"value": value, "from": unit.names[0], "to": base.names[0]});
                let _ = ConvertUnits.call(&input, &context());
            }
        }
    }

    proptest! {
        #[test]
        fn there_and_back_is_the_same(value in 1_i32..1_000_000, from in 0..UNITS.len(), to: prop::sample::Index) {
            let from = &UNITS[from];
            let alike: Vec<_> = UNITS.iter().filter(|unit| unit.dimension == from.dimension).collect();
            let to = to.get(&alike);
            let there = call(&ConvertUnits, json!({"value": value, "from": from.names[0], "to": to.names[0]}));
            if let Some(number) = there["number"].as_f64() {
                let back = ConvertUnits.call(&json!({"value": number, "from": to.names[0], "to": from.names[0]}), &context());
                let back: f64 = back.unwrap()["result"].as_str().unwrap().parse().unwrap();
                prop_assert!((back - f64::from(value)).abs() <= f64::from(value) * 1e-9, "{} {}", there, back);
            }
        }

        #[test]
        fn arbitrary_names_never_panic(from in "\\PC{0,64}", to in "\\PC{0,64}") {
            let _ = ConvertUnits.call(&json!({"value": 1, "from": from, "to": to}), &context());
        }
    }
}
