//! What can stand in a directive: the providers of Datafaker and their methods, as far as they are here.

use std::sync::Arc;

use fake::Fake;
use fake::faker::{
    address, barcode, company, creditcard, currency, filesystem, finance, internet, job, lorem, name,
};
use fake::faker::{number, phone_number};
use fake::locales::EN;

use super::super::random::Random;
use super::expression::Make;
use super::pattern::{Pattern, filled};
use super::time;
use crate::spelling;

/// A method of a provider.
pub(super) struct Directive {
    /// How it is written, with arguments that it could have.
    pub(super) usage: &'static str,
    how: How,
}

/// How a method makes its texts.
enum How {
    /// It has no arguments.
    Plain(fn(&mut Random) -> String),
    /// It is told by its arguments, if it can have those.
    Told(fn(&[&str]) -> Option<Make>),
}

const fn plain(usage: &'static str, make: fn(&mut Random) -> String) -> Directive {
    Directive { usage, how: How::Plain(make) }
}

const fn told(usage: &'static str, make: fn(&[&str]) -> Option<Make>) -> Directive {
    Directive { usage, how: How::Told(make) }
}

/// What `fake` makes.
macro_rules! fake {
    ($module:ident :: $name:ident) => {
        |random| $module::raw::$name(EN).fake_with_rng(random)
    };
}

/// All directives, in the order of their names.
static DIRECTIVES: [Directive; 87] = [
    plain("#{Address.buildingNumber}", fake!(address::BuildingNumber)),
    plain("#{Address.city}", fake!(address::CityName)),
    plain("#{Address.cityName}", fake!(address::CityName)),
    plain("#{Address.country}", fake!(address::CountryName)),
    plain("#{Address.countryCode}", fake!(address::CountryCode)),
    plain("#{Address.fullAddress}", full_address),
    plain("#{Address.latitude}", |random| format!("{:.6}", random.between(-90.0, 90.0))),
    plain("#{Address.longitude}", |random| format!("{:.6}", random.between(-180.0, 180.0))),
    plain("#{Address.postcode}", fake!(address::PostCode)),
    plain("#{Address.secondaryAddress}", fake!(address::SecondaryAddress)),
    plain("#{Address.state}", fake!(address::StateName)),
    plain("#{Address.stateAbbr}", fake!(address::StateAbbr)),
    plain("#{Address.streetAddress}", street_address),
    plain("#{Address.streetAddressNumber}", fake!(address::BuildingNumber)),
    plain("#{Address.streetName}", fake!(address::StreetName)),
    plain("#{Address.timeZone}", fake!(address::TimeZone)),
    plain("#{Address.zipCode}", fake!(address::ZipCode)),
    plain("#{Bool.bool}", |random| (random.below(2) == 1).to_string()),
    plain("#{Code.isbn10}", fake!(barcode::Isbn10)),
    plain("#{Code.isbn13}", fake!(barcode::Isbn13)),
    plain("#{Commerce.department}", |random| one(&DEPARTMENTS, random)),
    plain("#{Commerce.material}", |random| one(&MATERIALS, random)),
    told("#{Commerce.price '5','100'}", price),
    plain("#{Commerce.productName}", |random| {
        [one(&QUALITIES, random), one(&MATERIALS, random), one(&PRODUCTS, random)].join(" ")
    }),
    plain("#{Company.bs}", fake!(company::Bs)),
    plain("#{Company.buzzword}", fake!(company::Buzzword)),
    plain("#{Company.catchPhrase}", fake!(company::CatchPhrase)),
    plain("#{Company.industry}", fake!(company::Industry)),
    plain("#{Company.name}", fake!(company::CompanyName)),
    plain("#{Company.profession}", fake!(company::Profession)),
    plain("#{Company.suffix}", fake!(company::CompanySuffix)),
    plain("#{Currency.code}", fake!(currency::CurrencyCode)),
    plain("#{Currency.name}", fake!(currency::CurrencyName)),
    told("#{Date.between '2024-01-01 00:00:00','2024-12-31 00:00:00'}", time::between),
    told("#{Date.birthday '18','65'}", time::birthday),
    told("#{Date.future '15','SECONDS'}", time::future),
    told("#{Date.past '15','5','SECONDS'}", time::past),
    plain("#{File.extension}", fake!(filesystem::FileExtension)),
    plain("#{File.fileName}", fake!(filesystem::FileName)),
    plain("#{File.mimeType}", fake!(filesystem::MimeType)),
    plain("#{Finance.bic}", fake!(finance::Bic)),
    plain("#{Finance.creditCard}", fake!(creditcard::CreditCardNumber)),
    plain("#{Internet.domainName}", |random| {
        let suffix: &str = internet::raw::DomainSuffix(EN).fake_with_rng(random);
        format!("{}.{suffix}", domain_word(random))
    }),
    plain("#{Internet.domainSuffix}", fake!(internet::DomainSuffix)),
    plain("#{Internet.domainWord}", domain_word),
    plain("#{Internet.emailAddress}", fake!(internet::FreeEmail)),
    plain("#{Internet.httpMethod}", |random| one(&["DELETE", "GET", "PATCH", "POST", "PUT"], random)),
    plain("#{Internet.ipV4Address}", fake!(internet::IPv4)),
    plain("#{Internet.ipV6Address}", |random| {
        let mut parts = (0..8).map(|_| format!("{:x}", random.below(0x1_0000)));
        parts.by_ref().collect::<Vec<_>>().join(":")
    }),
    plain("#{Internet.macAddress}", |random| {
        (0..6).map(|_| format!("{:02x}", random.below(0x100))).collect::<Vec<_>>().join(":")
    }),
    plain("#{Internet.password}", |random| internet::raw::Password(EN, 8..17).fake_with_rng(random)),
    plain("#{Internet.privateIpV4Address}", |random| {
        format!("10.{}.{}.{}", random.below(256), random.below(256), random.within(1, 254))
    }),
    plain("#{Internet.publicIpV4Address}", public_address),
    plain("#{Internet.safeEmailAddress}", fake!(internet::SafeEmail)),
    plain("#{Internet.slug}", |random| format!("{}_{}", word(random), word(random))),
    plain("#{Internet.url}", |random| format!("www.{}.com", domain_word(random))),
    plain("#{Internet.userAgent}", fake!(internet::UserAgent)),
    plain("#{Internet.userAgentAny}", fake!(internet::UserAgent)),
    plain("#{Internet.uuid}", uuid),
    plain("#{Job.field}", fake!(job::Field)),
    plain("#{Job.position}", fake!(job::Position)),
    plain("#{Job.seniority}", fake!(job::Seniority)),
    plain("#{Job.title}", fake!(job::Title)),
    told("#{Lorem.characters '10'}", characters),
    plain("#{Lorem.paragraph}", |random| (0..3).map(|_| sentence(random)).collect::<Vec<_>>().join(" ")),
    plain("#{Lorem.sentence}", sentence),
    plain("#{Lorem.word}", word),
    told("#{Lorem.words '3'}", |arguments| {
        let count = one_count(arguments, 3)?;
        Some(Arc::new(move |random, _| (0..count).map(|_| word(random)).collect::<Vec<_>>().join(" ")))
    }),
    plain("#{Name.firstName}", fake!(name::FirstName)),
    plain("#{Name.fullName}", fake!(name::Name)),
    plain("#{Name.lastName}", fake!(name::LastName)),
    plain("#{Name.name}", fake!(name::Name)),
    plain("#{Name.prefix}", fake!(name::Title)),
    plain("#{Name.suffix}", fake!(name::Suffix)),
    plain("#{Name.title}", fake!(job::Title)),
    plain("#{Name.username}", fake!(internet::Username)),
    plain("#{Number.digit}", fake!(number::Digit)),
    told("#{Number.digits '5'}", |arguments| {
        let digits = "#".repeat(one_count(arguments, 5)?);
        Some(Arc::new(move |random, _| filled(&digits, true, None, random)))
    }),
    told("#{Number.numberBetween '1','100'}", number_between),
    told("#{Number.randomDouble '2','1','100'}", random_double),
    told("#{Options.option 'red','green','blue'}", options),
    plain("#{PhoneNumber.cellPhone}", fake!(phone_number::CellNumber)),
    plain("#{PhoneNumber.phoneNumber}", fake!(phone_number::PhoneNumber)),
    told("#{bothify '??-###'}", |arguments| fill(arguments, true, true)),
    told("#{letterify '????'}", |arguments| fill(arguments, false, true)),
    told("#{numerify '###-####'}", |arguments| fill(arguments, true, false)),
    told("#{regexify '(GET|POST) /[a-z]{3}'}", regexify),
];

impl Directive {
    /// What is written before the arguments, without `#{`.
    fn name(&self) -> &'static str {
        let inside = self.usage.trim_start_matches("#{");
        inside.split([' ', '}']).next().unwrap_or(inside)
    }

    /// Makes texts with these arguments, if it takes them.
    pub(super) fn make(&self, arguments: &[&str]) -> Option<Make> {
        match self.how {
            How::Plain(make) => {
                arguments.is_empty().then(|| Arc::new(move |random: &mut Random, _| make(random)) as Make)
            }
            How::Told(make) => make(arguments),
        }
    }
}

/// Names of providers that are others of the same.
const ALIASES: [(&str, &str); 4] =
    [("dateandtime", "date"), ("time", "date"), ("timeanddate", "date"), ("random", "number")];

/// A name as names are compared: with neither case nor underscores.
fn plain_name(name: &str) -> String {
    let mut plain = name.replace('_', "").to_ascii_lowercase();
    if let Some((provider, method)) = plain.split_once('.')
        && let Some((_, other)) = ALIASES.iter().find(|(alias, _)| *alias == provider)
    {
        plain = format!("{other}.{method}");
    }
    plain
}

/// The directive of a name, such as `Name.firstName` or `name.first_name`.
pub(super) fn find(name: &str) -> Option<&'static Directive> {
    let wanted = plain_name(name);
    DIRECTIVES.iter().find(|directive| plain_name(directive.name()) == wanted)
}

/// The directive that is like a misspelt one.
pub(super) fn nearest(name: &str) -> Option<String> {
    let plain: Vec<String> = DIRECTIVES.iter().map(|directive| plain_name(directive.name())).collect();
    let found = spelling::nearest(&plain_name(name), plain.iter().map(String::as_str))?;
    let place = plain.iter().position(|name| *name == found)?;
    Some(DIRECTIVES[place].name().to_owned())
}

/// The directives of the same provider, or if there is no such the providers.
pub(super) fn alike(name: &str) -> Vec<&'static str> {
    let provider = |name: &str| name.split_once('.').map(|(provider, _)| provider.to_owned());
    let wanted = provider(&plain_name(name));
    let of_provider = DIRECTIVES.iter().map(Directive::name);
    let found: Vec<_> =
        of_provider.filter(|name| wanted.is_some() && provider(&plain_name(name)) == wanted).collect();
    if !found.is_empty() {
        return found;
    }
    let mut all: Vec<_> =
        DIRECTIVES.iter().map(|directive| directive.name().split('.').next().unwrap_or_default()).collect();
    all.dedup();
    all
}

/// The directives that expressions of the connector `faker` can have, each with arguments that it could have.
pub fn expressions() -> impl Iterator<Item = &'static str> {
    DIRECTIVES.iter().map(|directive| directive.usage)
}

fn one(texts: &[&str], random: &mut Random) -> String {
    texts[random.index(texts.len())].to_owned()
}

const DEPARTMENTS: [&str; 10] =
    ["Books", "Clothing", "Electronics", "Garden", "Grocery", "Health", "Home", "Music", "Sports", "Toys"];
const QUALITIES: [&str; 10] =
    ["Compact", "Durable", "Elegant", "Handy", "Lightweight", "Modern", "Plain", "Quiet", "Rustic", "Sturdy"];
const MATERIALS: [&str; 10] =
    ["Bamboo", "Copper", "Cotton", "Glass", "Leather", "Linen", "Paper", "Steel", "Wooden", "Wool"];
const PRODUCTS: [&str; 10] =
    ["Bag", "Bench", "Bottle", "Bowl", "Clock", "Hat", "Keyboard", "Lamp", "Table", "Watch"];

fn street_address(random: &mut Random) -> String {
    let number: String = address::raw::BuildingNumber(EN).fake_with_rng(random);
    let street: String = address::raw::StreetName(EN).fake_with_rng(random);
    format!("{number} {street}")
}

fn full_address(random: &mut Random) -> String {
    let street = street_address(random);
    let city: String = address::raw::CityName(EN).fake_with_rng(random);
    let state: &str = address::raw::StateAbbr(EN).fake_with_rng(random);
    let code: String = address::raw::ZipCode(EN).fake_with_rng(random);
    format!("{street}, {city}, {state} {code}")
}

fn domain_word(random: &mut Random) -> String {
    let name: &str = name::raw::LastName(EN).fake_with_rng(random);
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

/// An address of none of the ranges that are kept for something: those that begin with 0, 10, 100, 127, 169,
/// 172, 192, 198, 203 or 224 and more.
fn public_address(random: &mut Random) -> String {
    const KEPT: [u64; 9] = [0, 10, 100, 127, 169, 172, 192, 198, 203];
    let first = loop {
        let first = random.below(224);
        if !KEPT.contains(&first) {
            break first;
        }
    };
    format!("{first}.{}.{}.{}", random.below(256), random.below(256), random.within(1, 254))
}

fn uuid(random: &mut Random) -> String {
    // As RFC 9562 says of random ones: version 4, variant 10.
    let (high, low) = (random.next() & !0xf000 | 0x4000, random.next() >> 2 | 1 << 63);
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}

fn word(random: &mut Random) -> String {
    lorem::raw::Word(EN).fake_with_rng(random)
}

fn sentence(random: &mut Random) -> String {
    let sentence: String = lorem::raw::Sentence(EN, 4..10).fake_with_rng(random);
    let mut chars = sentence.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The one argument, which is a number of parts, or another number without it.
fn one_count(arguments: &[&str], default: usize) -> Option<usize> {
    const MOST: usize = 10_000;
    match arguments {
        [] => Some(default),
        [count] => count.trim().parse().ok().filter(|count| (1..=MOST).contains(count)),
        _ => None,
    }
}

fn characters(arguments: &[&str]) -> Option<Make> {
    let count = one_count(arguments, 255)?;
    let pattern = Pattern::parse(&format!("[a-z0-9]{{{count}}}"))?;
    Some(pattern_maker(pattern))
}

fn regexify(arguments: &[&str]) -> Option<Make> {
    let [expression] = arguments else { return None };
    Some(pattern_maker(Pattern::parse(expression)?))
}

fn pattern_maker(pattern: Pattern) -> Make {
    Arc::new(move |random, _| {
        let mut text = String::new();
        pattern.write(random, &mut text);
        text
    })
}

/// `bothify` and the like: the text, and `true` if letters are in upper case.
fn fill(arguments: &[&str], digits: bool, letters: bool) -> Option<Make> {
    let (text, is_upper) = match arguments {
        [text] => (*text, false),
        [text, upper] if letters => (*text, upper.eq_ignore_ascii_case("true")),
        _ => return None,
    };
    let text = text.to_owned();
    let letters = letters.then_some(if is_upper { 'A' } else { 'a' });
    Some(Arc::new(move |random, _| filled(&text, digits, letters, random)))
}

fn options(arguments: &[&str]) -> Option<Make> {
    let options: Vec<String> = arguments.iter().map(|&option| option.to_owned()).collect();
    (!options.is_empty())
        .then(|| -> Make { Arc::new(move |random, _| options[random.index(options.len())].clone()) })
}

/// As in Datafaker the upper bound does not occur, unless it is the lower one.
fn number_between(arguments: &[&str]) -> Option<Make> {
    let [one, other] = arguments else { return None };
    let (one, other): (i64, i64) = (one.trim().parse().ok()?, other.trim().parse().ok()?);
    let min = one.min(other);
    let max = one.max(other).saturating_sub(1).max(min);
    Some(Arc::new(move |random, _| random.within(min, max).to_string()))
}

/// The most decimals, and two bounds.
fn random_double(arguments: &[&str]) -> Option<Make> {
    let [decimals, one, other] = arguments else { return None };
    let decimals: usize = decimals.trim().parse().ok().filter(|decimals| *decimals <= 15)?;
    let (min, max) = bounds(one, other)?;
    Some(Arc::new(move |random, _| {
        let rounded = format!("{:.decimals$}", random.between(min, max));
        rounded.parse().map_or(rounded, |number: f64| format!("{number:?}"))
    }))
}

/// Two decimals, between two bounds.
fn price(arguments: &[&str]) -> Option<Make> {
    let (min, max) = match arguments {
        [] => (0.0, 1000.0),
        [one, other] => bounds(one, other)?,
        _ => return None,
    };
    Some(Arc::new(move |random, _| format!("{:.2}", random.between(min, max))))
}

fn bounds(one: &str, other: &str) -> Option<(f64, f64)> {
    const MOST: f64 = 1e15;
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.abs() <= MOST);
    let (one, other) = (number(one)?, number(other)?);
    Some((one.min(other), one.max(other)))
}
