//! Every spelling of every unit, prefixes included.

use std::{collections::HashMap, sync::LazyLock};

use super::table::{DATA_PREFIXES, Prefixes, SI_PREFIXES, UNITS, Unit};
use crate::builtin::suggest;

/// A unit as it was named: `km` is the metre with the factor 1000.
#[derive(Clone, Copy)]
pub(super) struct Named {
    pub(super) unit: &'static Unit,
    /// Name and factor of the prefix, where there is one.
    prefix: Option<(&'static str, &'static str)>,
}

impl Named {
    pub(super) fn prefix_factor(self) -> &'static str {
        self.prefix.map_or("1", |(_, factor)| factor)
    }

    pub(super) fn canonical_name(self) -> String {
        let name = self.unit.names.first().copied().unwrap_or_default();
        format!("{}{name}", self.prefix.map_or("", |(prefix, _)| prefix))
    }

    fn is(self, other: Self) -> bool {
        std::ptr::eq(self.unit, other.unit) && self.prefix_factor() == other.prefix_factor()
    }
}

struct Catalog {
    by_spelling: HashMap<String, Named>,
    /// Lower-case spellings, for those who write `KM`; several where case tells units apart (`mW`, `MW`).
    by_lower_case: HashMap<String, Vec<Named>>,
}

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let mut catalog = Catalog { by_spelling: HashMap::new(), by_lower_case: HashMap::new() };
    // Plain spellings come first: no prefixed one may take the place of `min`, `ft` or `Pa`.
    for unit in UNITS {
        for spelling in unit.names.iter().chain(unit.symbols) {
            catalog.add((*spelling).to_owned(), Named { unit, prefix: None });
        }
    }
    for unit in UNITS {
        let prefixes: &[_] = match unit.prefixes {
            Prefixes::None => &[],
            Prefixes::Si => &SI_PREFIXES,
            Prefixes::Data => &DATA_PREFIXES,
        };
        for (name, symbol, factor) in prefixes {
            let named = Named { unit, prefix: Some((name, factor)) };
            unit.names.iter().for_each(|spelling| catalog.add(format!("{name}{spelling}"), named));
            unit.symbols.iter().for_each(|spelling| catalog.add(format!("{symbol}{spelling}"), named));
        }
    }
    catalog
});

impl Catalog {
    fn add(&mut self, spelling: String, named: Named) {
        let same_in_lower_case = self.by_lower_case.entry(spelling.to_lowercase()).or_default();
        if !same_in_lower_case.iter().any(|known| known.is(named)) {
            same_in_lower_case.push(named);
        }
        self.by_spelling.entry(spelling).or_insert(named);
    }
}

/// The unit that `given` names.
pub(super) fn find(given: &str) -> Result<Named, String> {
    let spelling = normalised(given);
    if let Some(named) = CATALOG.by_spelling.get(&spelling) {
        return Ok(*named);
    }
    match CATALOG.by_lower_case.get(&spelling.to_lowercase()).map(Vec::as_slice) {
        Some([named]) => Ok(*named),
        Some([first, second, ..]) => Err(format!(
            "`{}` may mean {} or {}: write it with the right capitals, or in full",
            suggest::shown(given),
            first.canonical_name(),
            second.canonical_name()
        )),
        _ => {
            let nearest = suggest::nearest(&spelling, CATALOG.by_spelling.keys().map(String::as_str));
            Err(format!("unknown unit `{}`{}", suggest::shown(given), suggest::hint(&nearest)))
        }
    }
}

/// `km²`, `km^2` and `km2` are one spelling; so are `miles per hour` and `miles/hour`.
fn normalised(given: &str) -> String {
    let mut text = String::with_capacity(given.len());
    for c in given.trim().chars() {
        match c {
            ' ' | '-' | '\u{a0}' => text.push('_'),
            '°' | 'º' => text.push_str("deg"),
            'µ' | 'μ' => text.push('u'),
            '²' => text.push('2'),
            '³' => text.push('3'),
            '^' => {}
            other => text.push(other),
        }
    }
    text.replace("_per_", "/").replace("deg_", "deg")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("km", "kilometre")]
    #[case("KM", "kilometre")]
    #[case("Kilometers", "kilometre")]
    #[case("µs", "microsecond")]
    #[case("min", "minute")]
    #[case("Pa", "pascal")]
    #[case("ha", "hectare")]
    #[case("m²", "square_metre")]
    #[case("ft^2", "square_foot")]
    #[case("miles per hour", "mile/hour")]
    #[case("fl oz", "fluid_ounce")]
    #[case("°C", "celsius")]
    #[case("° F", "fahrenheit")]
    #[case("c", "celsius")]
    #[case("MB", "megabyte")]
    #[case("Mb", "megabit")]
    #[case("KB", "kilobyte")]
    #[case("MiB", "mebibyte")]
    #[case("Mbps", "megabit/second")]
    #[case("mW", "milliwatt")]
    #[case("MW", "megawatt")]
    #[case("kWh", "kilowatt_hour")]
    #[case("Cal", "food_calorie")]
    fn spellings(#[case] given: &str, #[case] canonical: &str) {
        assert_eq!(find(given).map(Named::canonical_name), Ok(canonical.to_owned()));
    }

    #[rstest]
    #[case("mw", "may mean")]
    #[case("metr", "did you mean `metre`")]
    #[case("zzzzzz", "unknown unit `zzzzzz`")]
    fn what_is_not_a_unit_is_answered_with_what_may_be_meant(#[case] given: &str, #[case] says: &str) {
        let message = find(given).err().unwrap();
        assert!(message.contains(says), "{message}");
    }

    #[test]
    fn no_plain_spelling_is_given_to_two_units() {
        let mut seen = std::collections::HashSet::new();
        for spelling in UNITS.iter().flat_map(|unit| unit.names.iter().chain(unit.symbols)) {
            // `bar` is both the name and the symbol of one unit.
            assert!(seen.insert(spelling) || *spelling == "bar", "{spelling}");
        }
    }
}
