//! The parts of a URL as Java's `java.net.URL` takes them apart, which follows no standard.

/// A URL with a protocol that Java knows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct JavaUrl {
    /// The protocol in lower case.
    pub protocol: String,
    /// User information, host and port.
    pub authority: Option<String>,
    /// What precedes the `@` of the authority.
    pub user_info: Option<String>,
    /// The host, empty if there is none.
    pub host: String,
    /// The path, empty if there is none.
    pub path: String,
    /// What follows the `?`.
    pub query: Option<String>,
    /// What follows the `#`.
    pub reference: Option<String>,
}

/// The protocols that a Java runtime can open.
const PROTOCOLS: [&str; 7] = ["http", "https", "ftp", "file", "jar", "mailto", "jrt"];

impl JavaUrl {
    /// Takes a URL apart; `None` if Java refuses it.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches(|c| c <= ' ');
        let text = match text.get(..4) {
            Some(prefix) if prefix.eq_ignore_ascii_case("url:") => &text[4..],
            _ => text,
        };
        let (protocol, rest) = text.split_once(':')?;
        let protocol = protocol.to_ascii_lowercase();
        if !PROTOCOLS.contains(&protocol.as_str()) {
            return None;
        }
        let (rest, reference) = cut(rest, '#');
        let mut url = Self { protocol, reference, ..Self::default() };
        if url.protocol == "mailto" {
            if rest.trim().is_empty() {
                return None;
            }
            // A mail address has no authority; of several question marks the last one counts.
            let (path, query) =
                rest.rsplit_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
            path.clone_into(&mut url.path);
            url.query = query.map(str::to_owned);
            return Some(url);
        }
        let (rest, query) = cut(rest, '?');
        url.query = query;
        let path = match rest.strip_prefix("//").filter(|_| !rest.starts_with("////")) {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                url.read_authority(authority)?;
                path
            }
            None => rest,
        };
        path.clone_into(&mut url.path);
        Some(url)
    }

    /// An authority with several `@` has neither user information nor a host.
    fn read_authority(&mut self, authority: &str) -> Option<()> {
        self.authority = Some(authority.to_owned());
        let host = match authority.split_once('@') {
            Some((_, host)) if host.contains('@') => return Some(()),
            Some((user, host)) => {
                self.user_info = Some(user.to_owned());
                host
            }
            None => authority,
        };
        let (host, port) = if host.starts_with('[') {
            let end = host.find(']')?;
            host[1..end].parse::<std::net::Ipv6Addr>().ok()?;
            match &host[end + 1..] {
                "" => (&host[..=end], ""),
                port => (&host[..=end], port.strip_prefix(':')?),
            }
        } else {
            host.split_once(':').unwrap_or((host, ""))
        };
        if !port.is_empty() && port.parse::<i32>().ok()? < -1 {
            return None;
        }
        host.clone_into(&mut self.host);
        Some(())
    }

    /// The path with the query.
    pub(super) fn file(&self) -> String {
        match &self.query {
            Some(query) => format!("{}?{query}", self.path),
            None => self.path.clone(),
        }
    }
}

/// What precedes and what follows the first such character.
fn cut(text: &str, at: char) -> (&str, Option<String>) {
    match text.split_once(at) {
        Some((before, after)) => (before, Some(after.to_owned())),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_part_of_the_authority_only() {
        let url = JavaUrl::parse("http://u:p@h:80/a?b#c").unwrap();
        assert_eq!((url.host.as_str(), url.authority.as_deref()), ("h", Some("u:p@h:80")));
        assert_eq!((url.user_info.as_deref(), url.reference.as_deref()), (Some("u:p"), Some("c")));
        assert_eq!(url.file(), "/a?b");
    }

    #[test]
    fn what_java_refuses_is_no_url() {
        for none in ["", "nonsense", "s3://b/k", "http://h:x/", "http://h:-2/", "http://[x]/", "mailto: "] {
            assert_eq!(JavaUrl::parse(none), None, "{none}");
        }
        assert!(JavaUrl::parse("http://h:-1/a").is_some());
        assert!(JavaUrl::parse("http://[::1]:80/a").is_some());
    }
}
