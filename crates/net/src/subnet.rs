//! [`Subnet`]: a block of IPv4 addresses; [`Address`]: one address together with its block.
//!
//! Invariant: the bits of a subnet's base beyond its prefix are zero, and a prefix is at most 32.

use std::fmt;
use std::net::Ipv4Addr;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The addresses that agree in their first `prefix` bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subnet {
    base: u32,
    prefix: u8,
}

everett_base::portable!(struct Subnet { base, prefix });

impl Subnet {
    /// Every address: the destination of a default route.
    pub const EVERYTHING: Subnet = Subnet { base: 0, prefix: 0 };

    /// The subnet with this prefix that holds the address; `None` if the prefix is above 32.
    pub fn around(address: Ipv4Addr, prefix: u8) -> Option<Subnet> {
        (prefix <= 32).then(|| Subnet { base: address.to_bits() & mask(prefix), prefix })
    }

    /// The first address.
    pub fn base(self) -> Ipv4Addr {
        Ipv4Addr::from_bits(self.base)
    }

    /// The last address, which is the broadcast address if there is one.
    pub fn last(self) -> Ipv4Addr {
        Ipv4Addr::from_bits(self.base | !mask(self.prefix))
    }

    /// The number of bits that all addresses have in common.
    pub fn prefix(self) -> u8 {
        self.prefix
    }

    /// The common bits as a mask.
    pub fn netmask(self) -> Ipv4Addr {
        Ipv4Addr::from_bits(mask(self.prefix))
    }

    /// The address that reaches all hosts; links between two hosts (RFC 3021) and single hosts have none.
    pub fn broadcast(self) -> Option<Ipv4Addr> {
        (self.prefix <= 30).then(|| self.last())
    }

    /// Returns true if the address is one of the block.
    pub fn contains(self, address: Ipv4Addr) -> bool {
        address.to_bits() & mask(self.prefix) == self.base
    }

    /// Returns true if an address is in both.
    pub fn overlaps(self, other: Subnet) -> bool {
        self.contains(other.base()) || other.contains(self.base())
    }

    /// The addresses that hosts may have, as numbers.
    pub fn usable(self) -> RangeInclusive<u32> {
        let last = self.last().to_bits();
        match self.prefix {
            31 | 32 => self.base..=last,
            _ => self.base + 1..=last - 1,
        }
    }
}

fn mask(prefix: u8) -> u32 {
    u32::MAX.checked_shl(32 - u32::from(prefix)).unwrap_or(0)
}

impl fmt::Display for Subnet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.base(), self.prefix)
    }
}

impl fmt::Debug for Subnet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Subnet {
    type Err = AddressError;

    /// Reads `10.0.0.0/24`.
    fn from_str(text: &str) -> Result<Subnet, AddressError> {
        let (ip, prefix) = split(text)?;
        let prefix = prefix.ok_or_else(|| AddressError::NoPrefix(text.into()))?;
        let subnet = Subnet::around(ip, prefix).expect("split() checks the prefix");
        if subnet.base() == ip { Ok(subnet) } else { Err(AddressError::HostBits(ip, subnet)) }
    }
}

/// An address of a host, and how many of its bits say which addresses are on the same link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The address.
    pub ip: Ipv4Addr,
    /// The addresses that the host takes to be on the link, this one among them.
    pub subnet: Subnet,
}

everett_base::portable!(struct Address { ip, subnet });

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.ip, self.subnet.prefix)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An address as it is asked for: without a prefix it takes the one of its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AddressSpec {
    /// The address.
    pub ip: Ipv4Addr,
    /// At most 32.
    pub prefix: Option<u8>,
}

impl From<Ipv4Addr> for AddressSpec {
    fn from(ip: Ipv4Addr) -> AddressSpec {
        AddressSpec { ip, prefix: None }
    }
}

impl FromStr for AddressSpec {
    type Err = AddressError;

    /// Reads `10.0.0.1` and `10.0.0.1/24`.
    fn from_str(text: &str) -> Result<AddressSpec, AddressError> {
        split(text).map(|(ip, prefix)| AddressSpec { ip, prefix })
    }
}

fn split(text: &str) -> Result<(Ipv4Addr, Option<u8>), AddressError> {
    let (ip, prefix) = match text.split_once('/') {
        Some((ip, prefix)) => (ip, Some(prefix)),
        None => (text, None),
    };
    let ip = ip.parse().map_err(|_| AddressError::NotAnAddress(ip.into()))?;
    let prefix = match prefix {
        None => None,
        Some(digits) => match digits.parse() {
            Ok(prefix @ 0..=32) if digits.bytes().all(|b| b.is_ascii_digit()) => Some(prefix),
            _ => return Err(AddressError::BadPrefix(digits.into())),
        },
    };
    Ok((ip, prefix))
}

/// The reason why a text is no address or no subnet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Not four numbers.
    #[error("`{0}` is not an IPv4 address, such as 10.0.0.1")]
    NotAnAddress(String),
    /// Not a number up to 32.
    #[error("`{0}` is not a length of a prefix: a number from 0 to 32")]
    BadPrefix(String),
    /// A subnet without its length.
    #[error("the subnet `{0}` lacks the length of its prefix, such as {0}/24")]
    NoPrefix(String),
    /// A subnet with bits set beyond its prefix.
    #[error("{0} is inside of a subnet and not its beginning: write {1}")]
    HostBits(Ipv4Addr, Subnet),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subnet(text: &str) -> Subnet {
        text.parse().unwrap()
    }

    #[test]
    fn block_of_a_prefix() {
        let lan = subnet("192.168.4.0/22");
        assert_eq!(lan.last(), Ipv4Addr::new(192, 168, 7, 255));
        assert_eq!(lan.netmask(), Ipv4Addr::new(255, 255, 252, 0));
        assert_eq!(lan.broadcast(), Some(lan.last()));
        assert!(lan.contains(Ipv4Addr::new(192, 168, 6, 9)));
        assert!(!lan.contains(Ipv4Addr::new(192, 168, 8, 0)));
        assert_eq!(lan.usable().count(), 1022);
        assert!(Subnet::EVERYTHING.contains(lan.base()));
        assert_eq!(Subnet::EVERYTHING.netmask(), Ipv4Addr::UNSPECIFIED);
    }

    #[test]
    fn links_of_two_and_one_have_no_broadcast_and_waste_nothing() {
        assert_eq!(subnet("10.0.0.2/31").broadcast(), None);
        assert_eq!(subnet("10.0.0.2/31").usable().count(), 2);
        assert_eq!(subnet("10.0.0.2/32").usable().count(), 1);
        assert_eq!(subnet("10.0.0.0/30").usable().count(), 2);
    }

    #[test]
    fn overlap_is_containment_either_way() {
        assert!(subnet("10.0.0.0/8").overlaps(subnet("10.3.0.0/16")));
        assert!(subnet("10.3.0.0/16").overlaps(subnet("10.0.0.0/8")));
        assert!(!subnet("10.0.0.0/25").overlaps(subnet("10.0.0.128/25")));
    }

    #[test]
    fn what_is_no_subnet_says_why() {
        let why = |text: &str| text.parse::<Subnet>().unwrap_err().to_string();
        assert_eq!(why("lan"), "`lan` is not an IPv4 address, such as 10.0.0.1");
        assert_eq!(why("10.0.0.0/33"), "`33` is not a length of a prefix: a number from 0 to 32");
        assert_eq!(why("10.0.0.0/+8"), "`+8` is not a length of a prefix: a number from 0 to 32");
        assert_eq!(
            why("10.0.0.0"),
            "the subnet `10.0.0.0` lacks the length of its prefix, such as 10.0.0.0/24"
        );
        assert_eq!(
            why("10.0.0.7/24"),
            "10.0.0.7 is inside of a subnet and not its beginning: write 10.0.0.0/24"
        );
    }

    #[test]
    fn an_address_may_carry_its_prefix() {
        let with: AddressSpec = "10.0.0.7/16".parse().unwrap();
        assert_eq!((with.ip, with.prefix), (Ipv4Addr::new(10, 0, 0, 7), Some(16)));
        assert_eq!("10.0.0.7".parse::<AddressSpec>().unwrap().prefix, None);
        assert!("10.0.0".parse::<AddressSpec>().is_err());
    }
}
