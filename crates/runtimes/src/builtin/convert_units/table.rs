//! The units, each by its exact definition in terms of its dimension's base unit.

/// How a unit relates to the base unit of its dimension.
pub(super) enum Scale {
    /// `base = value · factor`.
    Linear(&'static str),
    /// `base = (value + offset) · factor`.
    Affine { offset: &'static str, factor: &'static str },
    /// `base = factor / value`.
    Inverse(&'static str),
    /// As `Linear`, but the factor is a rounded irrational number.
    Rounded(&'static str),
}

/// Which prefixes a unit takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefixes {
    None,
    /// `k`, `m`, `µ` …
    Si,
    /// `k`, `M` … and `Ki`, `Mi` …: data has no fractions.
    Data,
}

pub(super) struct Unit {
    pub(super) dimension: &'static str,
    /// The first is the canonical one. Symbols take prefix symbols (`km`), names take prefix names (`kilometre`).
    pub(super) names: &'static [&'static str],
    pub(super) symbols: &'static [&'static str],
    pub(super) prefixes: Prefixes,
    pub(super) scale: Scale,
}

/// Name, symbol, factor.
pub(super) const SI_PREFIXES: [(&str, &str, &str); 16] = [
    ("exa", "E", "1e18"),
    ("peta", "P", "1e15"),
    ("tera", "T", "1e12"),
    ("giga", "G", "1e9"),
    ("mega", "M", "1e6"),
    ("kilo", "k", "1e3"),
    ("hecto", "h", "1e2"),
    ("deca", "da", "1e1"),
    ("deci", "d", "1e-1"),
    ("centi", "c", "1e-2"),
    ("milli", "m", "1e-3"),
    ("micro", "u", "1e-6"),
    ("nano", "n", "1e-9"),
    ("pico", "p", "1e-12"),
    ("femto", "f", "1e-15"),
    ("atto", "a", "1e-18"),
];

pub(super) const DATA_PREFIXES: [(&str, &str, &str); 13] = [
    ("kilo", "k", "1e3"),
    // Not SI, but what most people write for a kilobyte.
    ("kilo", "K", "1e3"),
    ("mega", "M", "1e6"),
    ("giga", "G", "1e9"),
    ("tera", "T", "1e12"),
    ("peta", "P", "1e15"),
    ("exa", "E", "1e18"),
    ("kibi", "Ki", "1024"),
    ("mebi", "Mi", "1048576"),
    ("gibi", "Gi", "1073741824"),
    ("tebi", "Ti", "1099511627776"),
    ("pebi", "Pi", "1125899906842624"),
    ("exbi", "Ei", "1152921504606846976"),
];

/// One dimension: name, then units as `[names] [symbols] prefixes scale`.
macro_rules! units {
    ($($dimension:literal { $([$($name:literal),+] [$($symbol:literal),*] $prefixes:ident $scale:expr;)+ })+) => {
        pub(super) const UNITS: &[Unit] = &[$($(Unit {
            dimension: $dimension,
            names: &[$($name),+],
            symbols: &[$($symbol),*],
            prefixes: Prefixes::$prefixes,
            scale: $scale,
        },)+)+];
    };
}

use Scale::{Affine, Inverse, Linear, Rounded};

units! {
    "length" {
        ["metre", "meter", "metres", "meters"] ["m"] Si Linear("1");
        ["inch", "inches"] ["in"] None Linear("0.0254");
        ["foot", "feet"] ["ft"] None Linear("0.3048");
        ["yard", "yards"] ["yd"] None Linear("0.9144");
        ["mile", "miles"] ["mi"] None Linear("1609.344");
        ["nautical_mile", "nautical_miles"] ["nmi"] None Linear("1852");
        ["thou", "mil"] [] None Linear("0.0000254");
        ["fathom", "fathoms"] [] None Linear("1.8288");
        ["furlong", "furlongs"] [] None Linear("201.168");
        ["angstrom", "angstroms"] ["Å"] None Linear("1e-10");
        ["astronomical_unit", "astronomical_units"] ["au", "AU"] None Linear("149597870700");
        ["light_year", "light_years"] ["ly"] None Linear("9460730472580800");
        ["parsec", "parsecs"] ["pc"] None Rounded("30856775814913672.789139379577965");
    }
    "mass" {
        ["gram", "grams", "gramme", "grammes"] ["g"] Si Linear("1");
        ["tonne", "tonnes", "metric_ton", "metric_tons"] ["t"] None Linear("1e6");
        ["pound", "pounds"] ["lb", "lbs"] None Linear("453.59237");
        ["ounce", "ounces"] ["oz"] None Linear("28.349523125");
        ["stone", "stones"] ["st"] None Linear("6350.29318");
        ["short_ton", "short_tons", "us_ton"] [] None Linear("907184.74");
        ["long_ton", "long_tons", "imperial_ton"] [] None Linear("1016046.9088");
        ["carat", "carats"] ["ct"] None Linear("0.2");
        ["grain", "grains"] ["gr"] None Linear("0.06479891");
        ["troy_ounce", "troy_ounces"] ["ozt"] None Linear("31.1034768");
    }
    "time" {
        ["second", "seconds", "sec", "secs"] ["s"] Si Linear("1");
        ["minute", "minutes", "mins"] ["min"] None Linear("60");
        ["hour", "hours", "hrs"] ["h", "hr"] None Linear("3600");
        ["day", "days"] ["d"] None Linear("86400");
        ["week", "weeks"] ["wk"] None Linear("604800");
        ["month", "months"] [] None Linear("2629746");
        ["year", "years"] ["yr"] None Linear("31556952");
    }
    "temperature" {
        ["kelvin", "kelvins"] ["K", "degK"] None Linear("1");
        ["celsius", "degree_celsius", "degrees_celsius", "centigrade"] ["C", "degC"] None Affine { offset: "273.15", factor: "1" };
        ["fahrenheit", "degree_fahrenheit", "degrees_fahrenheit"] ["F", "degF"] None Affine { offset: "459.67", factor: "5/9" };
        ["rankine"] ["degR"] None Linear("5/9");
    }
    "area" {
        ["square_metre", "square_meter", "square_metres", "square_meters"] ["m2", "sqm"] None Linear("1");
        ["square_kilometre", "square_kilometer", "square_kilometres", "square_kilometers"] ["km2"] None Linear("1e6");
        ["square_centimetre", "square_centimeter"] ["cm2"] None Linear("1e-4");
        ["square_millimetre", "square_millimeter"] ["mm2"] None Linear("1e-6");
        ["hectare", "hectares"] ["ha"] None Linear("1e4");
        ["acre", "acres"] ["ac"] None Linear("4046.8564224");
        ["square_foot", "square_feet"] ["ft2", "sqft"] None Linear("0.09290304");
        ["square_inch", "square_inches"] ["in2"] None Linear("0.00064516");
        ["square_yard", "square_yards"] ["yd2"] None Linear("0.83612736");
        ["square_mile", "square_miles"] ["mi2"] None Linear("2589988.110336");
    }
    "volume" {
        ["litre", "liter", "litres", "liters"] ["L", "l"] Si Linear("1");
        ["cubic_metre", "cubic_meter", "cubic_metres", "cubic_meters"] ["m3"] None Linear("1000");
        ["cubic_centimetre", "cubic_centimeter"] ["cm3", "cc"] None Linear("0.001");
        ["cubic_inch", "cubic_inches"] ["in3"] None Linear("0.016387064");
        ["cubic_foot", "cubic_feet"] ["ft3"] None Linear("28.316846592");
        ["cubic_yard", "cubic_yards"] ["yd3"] None Linear("764.554857984");
        ["gallon", "gallons", "us_gallon"] ["gal"] None Linear("3.785411784");
        ["quart", "quarts", "us_quart"] ["qt"] None Linear("0.946352946");
        ["pint", "pints", "us_pint"] ["pt"] None Linear("0.473176473");
        ["cup", "cups", "us_cup"] [] None Linear("0.2365882365");
        ["fluid_ounce", "fluid_ounces", "us_fluid_ounce"] ["fl_oz", "floz"] None Linear("0.0295735295625");
        ["tablespoon", "tablespoons"] ["tbsp"] None Linear("0.01478676478125");
        ["teaspoon", "teaspoons"] ["tsp"] None Linear("0.00492892159375");
        ["imperial_gallon", "imperial_gallons"] [] None Linear("4.54609");
        ["imperial_pint", "imperial_pints"] [] None Linear("0.56826125");
        ["imperial_fluid_ounce", "imperial_fluid_ounces"] [] None Linear("0.0284130625");
        ["barrel", "barrels", "oil_barrel"] ["bbl"] None Linear("158.987294928");
    }
    "speed" {
        ["metre/second", "meter/second", "metres/second", "meters/second"] ["m/s", "mps"] None Linear("1");
        ["kilometre/hour", "kilometer/hour", "kilometres/hour", "kilometers/hour"] ["km/h", "kmh", "kph"] None Linear("5/18");
        ["mile/hour", "miles/hour"] ["mph", "mi/h"] None Linear("0.44704");
        ["foot/second", "feet/second"] ["ft/s", "fps"] None Linear("0.3048");
        ["knot", "knots"] ["kn", "kt"] None Linear("1852/3600");
        ["speed_of_light"] [] None Linear("299792458");
    }
    "data" {
        ["bit", "bits"] ["b"] Data Linear("1");
        ["byte", "bytes"] ["B"] Data Linear("8");
    }
    "data rate" {
        ["bit/second", "bits/second"] ["bit/s", "bps", "b/s"] Data Linear("1");
        ["byte/second", "bytes/second"] ["B/s", "Bps"] Data Linear("8");
    }
    "energy" {
        ["joule", "joules"] ["J"] Si Linear("1");
        ["watt_hour", "watt_hours"] ["Wh"] Si Linear("3600");
        ["calorie", "calories"] ["cal"] Si Linear("4.184");
        ["food_calorie", "food_calories"] ["Cal"] None Linear("4184");
        ["electronvolt", "electronvolts"] ["eV"] Si Linear("1.602176634e-19");
        ["british_thermal_unit"] ["BTU", "Btu"] None Linear("1055.05585262");
        ["therm", "therms"] [] None Linear("105505585.262");
        ["foot_pound", "foot_pounds"] ["ft_lbf"] None Linear("1.3558179483314004");
        ["erg", "ergs"] [] None Linear("1e-7");
        ["ton_of_tnt", "tons_of_tnt"] [] None Linear("4.184e9");
    }
    "pressure" {
        ["pascal", "pascals"] ["Pa"] Si Linear("1");
        ["bar", "bars"] ["bar"] Si Linear("100000");
        ["atmosphere", "atmospheres"] ["atm"] None Linear("101325");
        ["pound/square_inch", "pounds/square_inch"] ["psi"] None Linear("4.4482216152605/0.00064516");
        ["torr"] ["Torr"] None Linear("101325/760");
        ["millimetre_of_mercury", "millimeter_of_mercury"] ["mmHg"] None Linear("133.322387415");
        ["inch_of_mercury", "inches_of_mercury"] ["inHg"] None Linear("3386.388640341");
    }
    "power" {
        ["watt", "watts"] ["W"] Si Linear("1");
        ["horsepower"] ["hp"] None Linear("745.69987158227022");
        ["metric_horsepower"] ["PS"] None Linear("735.49875");
        ["btu/hour"] ["BTU/h"] None Linear("1055.05585262/3600");
    }
    "angle" {
        ["turn", "turns", "revolution", "revolutions"] [] None Linear("1");
        ["degree", "degrees"] ["deg"] None Linear("1/360");
        ["radian", "radians"] ["rad"] None Rounded("1/6.2831853071795864769252867665590057683943387987502");
        ["gradian", "gradians", "gon"] ["grad"] None Linear("1/400");
        ["arcminute", "arcminutes"] ["arcmin"] None Linear("1/21600");
        ["arcsecond", "arcseconds"] ["arcsec"] None Linear("1/1296000");
    }
    "force" {
        ["newton", "newtons"] ["N"] Si Linear("1");
        ["kilogram_force"] ["kgf", "kp"] None Linear("9.80665");
        ["pound_force"] ["lbf"] None Linear("4.4482216152605");
        ["dyne", "dynes"] ["dyn"] None Linear("1e-5");
    }
    "frequency" {
        ["hertz"] ["Hz"] Si Linear("1");
        ["revolution/minute", "revolutions/minute"] ["rpm"] None Linear("1/60");
    }
    "fuel economy" {
        ["kilometre/litre", "kilometer/liter", "kilometres/litre", "kilometers/liter"] ["km/l", "km/L"] None Linear("1");
        ["mile/gallon", "miles/gallon", "us_mpg"] ["mpg"] None Linear("1.609344/3.785411784");
        ["mile/imperial_gallon", "miles/imperial_gallon"] ["imperial_mpg"] None Linear("1.609344/4.54609");
        ["litre/100_kilometres", "liter/100_kilometers", "litres/100_kilometres", "liters/100_kilometers"] ["l/100km", "L/100km"] None Inverse("100");
    }
}
