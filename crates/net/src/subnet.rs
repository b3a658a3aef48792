//! [`Subnet`]: a block of IP addresses; [`Address`]: one address together with its block.
//!
//! Invariant: the bits of a subnet's base beyond its prefix are zero, and a prefix is at most as long as the
//! addresses of its family.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The addresses of one family that agree in their first `prefix` bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subnet {
    base: IpAddr,
    prefix: u8,
}

everett_base::portable!(struct Subnet { base, prefix });

impl Subnet {
    /// Every address of IPv4: the destination of a default route.
    pub const EVERYTHING: Subnet = Subnet { base: IpAddr::V4(Ipv4Addr::UNSPECIFIED), prefix: 0 };
    /// Every address of IPv6.
    pub const EVERYTHING_V6: Subnet = Subnet { base: IpAddr::V6(Ipv6Addr::UNSPECIFIED), prefix: 0 };

    /// The subnet with this prefix that holds the address; `None` if the prefix is longer than the address.
    pub fn around(address: impl Into<IpAddr>, prefix: u8) -> Option<Subnet> {
        let address = address.into();
        let fits = prefix <= width(address);
        fits.then(|| Subnet {
            base: numbered(address, number(address) & mask(address, prefix)),
            prefix,
        })
    }

    /// The first address.
    pub fn base(self) -> IpAddr {
        self.base
    }

    /// The last address, which is the broadcast address if there is one.
    pub fn last(self) -> IpAddr {
        let rest = mask(self.base, width(self.base)) ^ mask(self.base, self.prefix);
        numbered(self.base, number(self.base) | rest)
    }

    /// The number of bits that all addresses have in common.
    pub fn prefix(self) -> u8 {
        self.prefix
    }

    /// The common bits as a mask.
    pub fn netmask(self) -> IpAddr {
        numbered(self.base, mask(self.base, self.prefix))
    }

    /// The address that reaches all hosts. IPv6 has none, nor have links between two hosts (RFC 3021) and
    /// single hosts.
    pub fn broadcast(self) -> Option<IpAddr> {
        (self.base.is_ipv4() && self.prefix <= 30).then(|| self.last())
    }

    /// Returns true if the address is one of the block.
    #[inline]
    pub fn contains(self, address: IpAddr) -> bool {
        match (self.base, address) {
            (IpAddr::V4(base), IpAddr::V4(address)) => {
                let differs = base.to_bits() ^ address.to_bits();
                differs.checked_shr(32u32.saturating_sub(self.prefix.into())).unwrap_or(0) == 0
            }
            (IpAddr::V6(base), IpAddr::V6(address)) => {
                let differs = base.to_bits() ^ address.to_bits();
                differs.checked_shr(128u32.saturating_sub(self.prefix.into())).unwrap_or(0) == 0
            }
            _ => false,
        }
    }

    /// Returns true if an address is in both.
    pub fn overlaps(self, other: Subnet) -> bool {
        self.contains(other.base()) || other.contains(self.base())
    }

    /// The addresses that hosts may have, as numbers: all but the first and the last one, unless there are
    /// only two.
    pub fn usable(self) -> RangeInclusive<u128> {
        let (first, last) = (number(self.base), number(self.last()));
        match width(self.base) - self.prefix {
            0 | 1 => first..=last,
            _ => first + 1..=last - 1,
        }
    }

    /// The address of the family with this number.
    pub(crate) fn address(self, number: u128) -> IpAddr {
        numbered(self.base, number)
    }
}

/// The number of bits of an address.
fn width(of: IpAddr) -> u8 {
    if of.is_ipv4() { 32 } else { 128 }
}

/// An address as a number.
pub(crate) fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_bits().into(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

/// The address with this number, of the family of another one.
fn numbered(like: IpAddr, number: u128) -> IpAddr {
    match like {
        IpAddr::V4(_) => Ipv4Addr::from_bits(number as u32).into(),
        IpAddr::V6(_) => Ipv6Addr::from_bits(number).into(),
    }
}

/// The first bits of an address of the family of another one.
fn mask(like: IpAddr, prefix: u8) -> u128 {
    let ones = |width: u32| u128::MAX.checked_shr(128 - width).unwrap_or(0);
    let rest = u32::from(width(like).saturating_sub(prefix));
    ones(width(like).into()) ^ ones(rest)
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

    /// Reads `10.0.0.0/24` and `fd00::/64`.
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
    pub ip: IpAddr,
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
    pub ip: IpAddr,
    /// At most as long as the address.
    pub prefix: Option<u8>,
}

impl<A: Into<IpAddr>> From<A> for AddressSpec {
    fn from(ip: A) -> AddressSpec {
        AddressSpec { ip: ip.into(), prefix: None }
    }
}

impl FromStr for AddressSpec {
    type Err = AddressError;

    /// Reads `10.0.0.1`, `10.0.0.1/24` and `fd00::1/64`.
    fn from_str(text: &str) -> Result<AddressSpec, AddressError> {
        split(text).map(|(ip, prefix)| AddressSpec { ip, prefix })
    }
}

fn split(text: &str) -> Result<(IpAddr, Option<u8>), AddressError> {
    let (ip, prefix) = match text.split_once('/') {
        Some((ip, prefix)) => (ip, Some(prefix)),
        None => (text, None),
    };
    let ip: IpAddr = ip.parse().map_err(|_| AddressError::NotAnAddress(ip.into()))?;
    let most = width(ip);
    let prefix = match prefix {
        None => None,
        Some(digits) => match digits.parse() {
            Ok(prefix) if prefix <= most && digits.bytes().all(|b| b.is_ascii_digit()) => {
                Some(prefix)
            }
            _ => return Err(AddressError::BadPrefix(digits.into(), most)),
        },
    };
    Ok((ip, prefix))
}

/// The reason why a text is no address or no subnet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Neither four numbers nor eight.
    #[error("`{0}` is not an IP address, such as 10.0.0.1 or fd00::1")]
    NotAnAddress(String),
    /// Not a number up to the length of an address.
    #[error("`{0}` is not a length of a prefix: a number from 0 to {1}")]
    BadPrefix(String, u8),
    /// A subnet without its length.
    #[error("the subnet `{0}` lacks the length of its prefix, such as {0}/24")]
    NoPrefix(String),
    /// A subnet with bits set beyond its prefix.
    #[error("{0} is inside of a subnet and not its beginning: write {1}")]
    HostBits(IpAddr, Subnet),
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
        assert!(lan.contains(Ipv4Addr::new(192, 168, 6, 9).into()));
        assert!(!lan.contains(Ipv4Addr::new(192, 168, 8, 0).into()));
        assert_eq!(lan.usable().count(), 1022);
        assert!(Subnet::EVERYTHING.contains(lan.base()));
        assert_eq!(Subnet::EVERYTHING.netmask(), Ipv4Addr::UNSPECIFIED);
    }

    #[test]
    fn a_block_of_ipv6_has_no_broadcast_and_no_address_of_ipv4() {
        let lan = subnet("fd00:1::/64");
        assert_eq!(lan.last().to_string(), "fd00:1::ffff:ffff:ffff:ffff");
        assert_eq!(lan.netmask().to_string(), "ffff:ffff:ffff:ffff::");
        assert_eq!(lan.broadcast(), None);
        assert!(lan.contains("fd00:1::9".parse().unwrap()));
        assert!(!lan.contains("fd00:2::9".parse().unwrap()));
        assert_eq!(lan.address(*lan.usable().start()).to_string(), "fd00:1::1");
        assert_eq!(subnet("fd00::1/128").usable().count(), 1);
        assert!(Subnet::EVERYTHING_V6.contains(lan.base()));
        assert!(!Subnet::EVERYTHING_V6.contains(Ipv4Addr::LOCALHOST.into()));
        assert!(!Subnet::EVERYTHING.contains(lan.base()));
        assert!(!lan.overlaps(subnet("0.0.0.0/0")));
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
        assert_eq!(why("lan"), "`lan` is not an IP address, such as 10.0.0.1 or fd00::1");
        assert_eq!(why("10.0.0.0/33"), "`33` is not a length of a prefix: a number from 0 to 32");
        assert_eq!(why("fd00::/129"), "`129` is not a length of a prefix: a number from 0 to 128");
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
        assert_eq!((with.ip, with.prefix), (Ipv4Addr::new(10, 0, 0, 7).into(), Some(16)));
        assert_eq!("10.0.0.7".parse::<AddressSpec>().unwrap().prefix, None);
        assert!("10.0.0".parse::<AddressSpec>().is_err());
    }
}
