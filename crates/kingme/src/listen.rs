//! Where to listen, as people write it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};

/// The address of `127.0.0.1:8080`, `localhost:8080`, `:8080` or `8080`; a port alone is one of
/// this machine only.
///
/// # Errors
///
/// A sentence that says what is wrong.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    let here = IpAddr::from(Ipv4Addr::LOCALHOST);
    if let Ok(port) = text.strip_prefix(':').unwrap_or(text).parse() {
        return Ok(SocketAddr::new(here, port));
    }
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let has_port = text.rsplit_once(':').is_some_and(|(host, port)| {
        !host.is_empty() && !host.contains(':') && port.parse::<u16>().is_ok()
    });
    if !has_port {
        return Err("write 127.0.0.1:8080, localhost:8080 or 8080".to_owned());
    }
    let found: Vec<SocketAddr> = text.to_socket_addrs().into_iter().flatten().collect();
    // Of both kinds of addresses the older one is reached from everywhere.
    let usual = found.iter().find(|address| address.is_ipv4());
    let usual = usual.or(found.first()).copied();
    usual.ok_or_else(|| "there is no such machine".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_as_people_write_them() {
        let check = |text, expected: &str| {
            assert_eq!(address(text).unwrap().to_string(), expected, "{text}");
        };
        check("8080", "127.0.0.1:8080");
        check(":8080", "127.0.0.1:8080");
        check("localhost:8080", "127.0.0.1:8080");
        check("0.0.0.0:80", "0.0.0.0:80");
        check("[::1]:80", "[::1]:80");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["", ":", "localhost", "80800", "localhost:web", "::1:80"] {
            let error = address(text).unwrap_err();
            assert!(error.starts_with("write "), "{text}: {error}");
        }
    }
}
