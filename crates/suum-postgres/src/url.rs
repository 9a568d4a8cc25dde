//! Connection URLs, split into parts like libpq does.

use suum_core::{Error, Phrase, Result};

use crate::options::Options;

const PARAMETER: &str = "postgresql URL";

/// Returns true if a text has the scheme of a PostgreSQL URL.
///
/// # Example
///
/// ```
/// assert!(suum_postgres::is_postgres_url("postgresql://db.example.org/survey"));
/// assert!(!suum_postgres::is_postgres_url("survey.csv"));
/// ```
pub fn is_postgres_url(text: &str) -> bool {
    after_scheme(text).is_some()
}

/// Replaces the password of a URL with `***`; returns only the scheme if the URL cannot be parsed.
///
/// For every stored or printed command.
///
/// # Example
///
/// ```
/// let shown = suum_postgres::without_password("postgresql://ada:secret@db.example.org/survey");
/// assert_eq!(shown, "postgresql://ada:***@db.example.org/survey");
/// ```
pub fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = after_scheme(url) else { return "***".to_owned() };
    // A URL with a typo can have its password anywhere.
    if parse(url).is_err() {
        return format!("{scheme}***");
    }
    let (place, query) =
        rest.split_once('?').map_or((rest, None), |(place, query)| (place, Some(query)));
    let place = match user_part(place) {
        (Some(user), after) => match user.split_once(':') {
            Some((name, _)) => format!("{name}:***@{after}"),
            None => place.to_owned(),
        },
        (None, _) => place.to_owned(),
    };
    let query = query.map(|query| {
        let shown = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, _)) if decode(name).is_ok_and(|name| name == "password") => {
                format!("{name}=***")
            }
            _ => pair.to_owned(),
        });
        format!("?{}", shown.collect::<Vec<_>>().join("&"))
    });
    format!("{scheme}{place}{}", query.unwrap_or_default())
}

/// Parses the options of a URL:
/// `postgresql://user:password@host:port,host:port/dbname?option=value&…`, each part of which may
/// be left out.
///
/// # Errors
///
/// Refuses other texts. No message repeats any part of it: after a password with a character that
/// should have been encoded, other parts begin inside it.
pub(crate) fn parse(url: &str) -> Result<Options> {
    let (_, rest) = after_scheme(url).ok_or_else(|| {
        refuse("it does not begin with postgresql:// or postgres://", "write it so")
    })?;
    let (place, query) =
        rest.split_once('?').map_or((rest, None), |(place, query)| (place, Some(query)));
    let mut options = Options::default();
    let (user, place) = user_part(place);
    if place.contains('@') {
        return Err(refuse(
            "there is an @ behind the host, or more than one before it",
            "in a user name, password or database name, write @ as %40, / as %2F, : as %3A and % \
            as %25",
        ));
    }
    if let Some(user) = user {
        let (name, password) =
            user.split_once(':').map_or((user, None), |(name, word)| (name, Some(word)));
        options.set(PARAMETER, "user", decode(name)?)?;
        if let Some(password) = password {
            options.set(PARAMETER, "password", decode(password)?)?;
        }
    }
    let (servers, database) =
        place.split_once('/').map_or((place, ""), |(servers, name)| (servers, name));
    let mut hosts = Vec::new();
    let mut ports = Vec::new();
    for server in servers.split(',') {
        let (host, port) = host_and_port(server)?;
        if !port.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(refuse(
                "a port is not a number",
                "write the password behind the user, as in user:password@host:5432",
            ));
        }
        hosts.push(decode(host)?);
        ports.push(port);
    }
    // A list with nothing in it says nothing, so that the environment can.
    if hosts.iter().any(|host| !host.is_empty()) {
        options.set(PARAMETER, "host", hosts.join(","))?;
    }
    if ports.iter().any(|port| !port.is_empty()) {
        options.set(PARAMETER, "port", ports.join(","))?;
    }
    if !database.is_empty() {
        options.set(PARAMETER, "dbname", decode(database)?)?;
    }
    for pair in query.into_iter().flat_map(|query| query.split('&')).filter(|pair| !pair.is_empty())
    {
        let (name, value) = pair.split_once('=').ok_or_else(|| {
            refuse("an option has no value", "write options as ?name=value&name=value")
        })?;
        options.set(PARAMETER, &decode(name)?, decode(value)?)?;
    }
    Ok(options)
}

fn after_scheme(url: &str) -> Option<(&str, &str)> {
    ["postgresql://", "postgres://"].iter().find_map(|scheme| {
        let rest = url.strip_prefix(scheme)?;
        Some((*scheme, rest))
    })
}

/// Text before the first @ of the part that names servers, and the text after it.
fn user_part(place: &str) -> (Option<&str>, &str) {
    match place.find(['@', '/']) {
        Some(end) if place[end..].starts_with('@') => (Some(&place[..end]), &place[end + 1..]),
        _ => (None, place),
    }
}

/// Host, without the brackets around an IPv6 address, and port; both can be empty.
fn host_and_port(server: &str) -> Result<(&str, &str)> {
    let (host, rest) = match server.strip_prefix('[') {
        Some(address) => address.split_once(']').ok_or_else(|| {
            refuse("an IPv6 address has no closing bracket", "write it as [::1]:5432")
        })?,
        None => server.find(':').map_or((server, ""), |colon| server.split_at(colon)),
    };
    let port = match rest.strip_prefix(':') {
        Some(port) => port,
        None if rest.is_empty() => "",
        None => {
            return Err(refuse(
                "something follows the bracket of an IPv6 address",
                "write it as [::1]:5432",
            ));
        }
    };
    Ok((host, port))
}

/// Text of a percent-encoded part.
fn decode(part: &str) -> Result<String> {
    let refused = || {
        refuse(
            "a % is not followed by two hexadecimal digits that make UTF-8",
            "write a % that stands for itself as %25",
        )
    };
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = after.split_at_checked(2).ok_or_else(refused)?;
        let [high, low] = [digits[0], digits[1]].map(|digit| char::from(digit).to_digit(16));
        let byte = high.zip(low).and_then(|(high, low)| u8::try_from(16 * high + low).ok());
        bytes.push(byte.filter(|byte| *byte != 0).ok_or_else(refused)?);
        rest = after;
    }
    String::from_utf8(bytes).map_err(|_| refused())
}

fn refuse(what: impl Into<Phrase>, fix: impl Into<Phrase>) -> Error {
    Error::parameter(PARAMETER, what).with_fix(fix)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn encoded(text: &str) -> String {
        text.bytes().map(|byte| format!("%{byte:02x}")).collect()
    }

    proptest! {
        #[test]
        fn any_password_can_be_encoded(password in "[^\0]{1,12}", user in "[a-z]{1,5}") {
            let url = format!("postgresql://{user}:{}@db/survey", encoded(&password));
            let options = parse(&url).unwrap();
            prop_assert_eq!(options.get("password"), Some(password.as_str()));
            prop_assert_eq!(without_password(&url), format!("postgresql://{user}:***@db/survey"));
        }

        #[test]
        fn no_text_makes_it_panic(rest in "[a@:/?=&%,1f\\[\\]é]{0,16}") {
            let url = format!("postgresql://{rest}");
            let shown = without_password(&url);
            prop_assert!(shown.starts_with("postgresql://"));
            prop_assert_eq!(without_password(&shown), shown);
        }
    }

    #[track_caller]
    fn says(url: &str, expected: &[(&str, &str)]) {
        let options = parse(url).unwrap();
        let names = ["user", "password", "host", "port", "dbname", "sslmode", "application_name"];
        let found: Vec<_> =
            names.iter().filter_map(|name| Some((*name, options.get(name)?))).collect();
        assert_eq!(found, expected, "{url}");
    }

    #[test]
    fn every_part_may_be_left_out() {
        says("postgresql://", &[]);
        says("postgres://localhost", &[("host", "localhost")]);
        says("postgresql:///survey", &[("dbname", "survey")]);
        says("postgresql://ada@", &[("user", "ada")]);
        says("postgresql://:5433", &[("port", "5433")]);
        says("postgresql://ada@/survey", &[("user", "ada"), ("dbname", "survey")]);
        says(
            "postgresql://ada:secret@db:5433/survey?sslmode=require",
            &[
                ("user", "ada"),
                ("password", "secret"),
                ("host", "db"),
                ("port", "5433"),
                ("dbname", "survey"),
                ("sslmode", "require"),
            ],
        );
    }

    #[test]
    fn servers_are_listed_and_addresses_bracketed() {
        says("postgresql://a:1,b,c:3/d", &[("host", "a,b,c"), ("port", "1,,3"), ("dbname", "d")]);
        says("postgresql://[2001:db8::1]:5433", &[("host", "2001:db8::1"), ("port", "5433")]);
        says("postgresql://[::1],other", &[("host", "::1,other")]);
        for refused in ["postgresql://[::1", "postgresql://[::1]5432"] {
            assert!(parse(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn parts_are_percent_decoded() {
        says("postgresql://%2Fvar%2Frun/d", &[("host", "/var/run"), ("dbname", "d")]);
        says(
            "postgresql://a%40b:p%3A%2f%25%C3%A9@/x",
            &[("user", "a@b"), ("password", "p:/%é"), ("dbname", "x")],
        );
        says("postgresql://?application_name=a%20+b", &[("application_name", "a +b")]);
        says(
            "postgresql://a/b?host=c&dbname=d&ssl=true",
            &[("host", "c"), ("dbname", "d"), ("sslmode", "require")],
        );
        for refused in [
            "postgresql://%",
            "postgresql://%2",
            "postgresql://%zz",
            "postgresql://%00",
            "postgresql://%ff",
        ] {
            assert!(parse(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn no_refusal_repeats_a_password() {
        for url in [
            "postgresql://ada:p@hush@db/survey",
            "postgresql://ada:p/hush@db/survey",
            "postgresql://ada:p?hush@db/survey",
            "postgresql://ada:p?hush=1@db/survey",
            "postgresql://ada:1/hush@db/survey",
            "postgresql://ada:%hush@db/survey",
            "postgresql://ada:hush",
            "postgresql://db/survey?hush=1",
            "http://ada:hush@db/survey",
        ] {
            let refused = parse(url).map(|_| ()).unwrap_err();
            assert!(!format!("{refused:?}").contains("hush"), "{refused:?}");
            assert!(refused.fix().is_some());
            assert!(!without_password(url).contains("hush"), "{url}");
        }
    }

    #[test]
    fn passwords_are_left_out_of_what_is_shown() {
        for (url, shown) in [
            ("postgres://db", "postgres://db"),
            ("postgresql://ada@db/s?sslmode=require", "postgresql://ada@db/s?sslmode=require"),
            ("postgresql://ada:a%40b@db:1/s?x", "postgresql://***"),
            ("postgresql://ada:a%40b@db:1/s", "postgresql://ada:***@db:1/s"),
            ("postgresql://db/s?password=a&user=b", "postgresql://db/s?password=***&user=b"),
            ("postgresql://db/s?p%61ssword=a", "postgresql://db/s?p%61ssword=***"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
