//! [`EndpointFilter`]: the addresses and ports whose messages are wanted.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

/// An address, a port or both that a message has to come from or go to.
///
/// ```
/// use everett_traffic::EndpointFilter;
///
/// let filter: EndpointFilter = "[::1]:53".parse()?;
/// assert!(filter.accepts("[::1]:53".parse()?));
/// assert!(!filter.accepts("127.0.0.1:53".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct EndpointFilter {
    address: Option<IpAddr>,
    port: Option<u16>,
}

/// A text is neither an address nor a port.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected ADDRESS, ADDRESS:PORT, [IPV6]:PORT or :PORT")]
pub struct EndpointError;

impl EndpointFilter {
    /// Returns `true` if the endpoint has the wanted address and port.
    pub fn accepts(&self, endpoint: SocketAddr) -> bool {
        self.address.is_none_or(|address| address == endpoint.ip())
            && self.port.is_none_or(|port| port == endpoint.port())
    }
}

impl FromStr for EndpointFilter {
    type Err = EndpointError;

    fn from_str(text: &str) -> Result<Self, EndpointError> {
        let (address, port) = if let Ok(address) = text.parse::<IpAddr>() {
            (Some(address), None)
        } else if let Ok(endpoint) = text.parse::<SocketAddr>() {
            (Some(endpoint.ip()), Some(endpoint.port()))
        } else {
            let port = text.strip_prefix(':').and_then(|port| port.parse().ok());
            (None, Some(port.ok_or(EndpointError)?))
        };
        Ok(EndpointFilter { address, port })
    }
}

impl fmt::Display for EndpointFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.address, self.port) {
            (Some(address), Some(port)) => SocketAddr::new(address, port).fmt(f),
            (Some(address), None) => address.fmt(f),
            (None, Some(port)) => write!(f, ":{port}"),
            (None, None) => f.write_str("any"),
        }
    }
}
