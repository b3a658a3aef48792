//! From a captured frame to the payload of its IP packet.
//!
//! The headers of links are short and are taken off here. `etherparse` reads those of IP.

use std::net::IpAddr;

use etherparse::{IpNumber, Ipv6ExtensionSlice, LaxIpSlice, LenSource};

use crate::capture::CapturedPacket;
use crate::trace::LeftOut;

/// VLAN tags in one frame.
const VLAN_TAGS_MAX: usize = 4;

/// Link types, by <https://www.tcpdump.org/linktypes.html>.
mod link {
    pub(super) const NULL: u16 = 0;
    pub(super) const ETHERNET: u16 = 1;
    /// Raw IP in files of systems that write their own number for it.
    pub(super) const RAW_BSD: u16 = 12;
    pub(super) const RAW_OPENBSD: u16 = 14;
    pub(super) const RAW: u16 = 101;
    pub(super) const LOOP: u16 = 108;
    pub(super) const LINUX_COOKED: u16 = 113;
    pub(super) const IPV4: u16 = 228;
    pub(super) const IPV6: u16 = 229;
    pub(super) const LINUX_COOKED_2: u16 = 276;
}

/// Values of the field that names the protocol of an Ethernet frame.
mod ether_type {
    pub(super) const IPV4: u16 = 0x0800;
    pub(super) const IPV6: u16 = 0x86dd;
    pub(super) const VLAN: [u16; 3] = [0x8100, 0x88a8, 0x9100];
}

/// Numbers of the address families of IP on the systems that capture with a loopback header.
const IP_FAMILIES: [u32; 5] = [2, 10, 24, 28, 30];

/// The payload of an IP packet, or of a fragment of one.
#[derive(Clone, Debug)]
pub(crate) struct IpPayload<'a> {
    pub(crate) source: IpAddr,
    pub(crate) destination: IpAddr,
    pub(crate) protocol: IpNumber,
    pub(crate) fragment: Option<FragmentPlace>,
    pub(crate) bytes: &'a [u8],
}

/// The place of a fragment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FragmentPlace {
    pub(crate) identification: u32,
    pub(crate) offset: u32,
    pub(crate) is_last: bool,
}

/// The payload of a packet, or the reason why it has none that can be looked at.
pub(crate) fn ip_payload<'a>(packet: &CapturedPacket<'a>) -> Result<IpPayload<'a>, LeftOut> {
    let cut = if packet.is_snapped { LeftOut::Snapped } else { LeftOut::Damaged };
    let data = network_packet(packet.link_type, packet.data, cut)?;
    let (ip, extension_error) = LaxIpSlice::from_slice(data).map_err(|_| cut)?;
    let payload = ip.payload();
    let has_own_length = payload.len_source != LenSource::Slice;
    if payload.incomplete || extension_error.is_some() || !(has_own_length || has_no_length(&ip)) {
        return Err(cut);
    }
    if !has_own_length && packet.is_snapped {
        return Err(LeftOut::Snapped);
    }
    Ok(IpPayload {
        source: ip.source_addr(),
        destination: ip.destination_addr(),
        protocol: payload.ip_number,
        fragment: fragment_place(&ip),
        bytes: payload.payload,
    })
}

/// Returns `true` for packets of which the sender's network card makes several: they have the length 0 when
/// they are recorded before that, and end with the frame.
fn has_no_length(ip: &LaxIpSlice<'_>) -> bool {
    let is_zero = match ip {
        LaxIpSlice::Ipv4(ip) => ip.header().total_len() == 0,
        LaxIpSlice::Ipv6(ip) => ip.header().payload_length() == 0,
    };
    is_zero && ip.payload_ip_number() == IpNumber::TCP
}

fn fragment_place(ip: &LaxIpSlice<'_>) -> Option<FragmentPlace> {
    if !ip.is_fragmenting_payload() {
        return None;
    }
    match ip {
        LaxIpSlice::Ipv4(ip) => Some(FragmentPlace {
            identification: u32::from(ip.header().identification()),
            offset: u32::from(ip.header().fragments_offset().byte_offset()),
            is_last: !ip.header().more_fragments(),
        }),
        LaxIpSlice::Ipv6(ip) => ip.extensions().clone().into_iter().find_map(|extension| {
            let Ipv6ExtensionSlice::Fragment(fragment) = extension else { return None };
            Some(FragmentPlace {
                identification: fragment.identification(),
                offset: u32::from(fragment.fragment_offset().byte_offset()),
                is_last: !fragment.more_fragments(),
            })
        }),
    }
}

/// Takes the header of the link off.
fn network_packet(link_type: u16, data: &[u8], cut: LeftOut) -> Result<&[u8], LeftOut> {
    match link_type {
        link::ETHERNET => ethernet_payload(data, 12, 14, cut),
        link::LINUX_COOKED => ethernet_payload(data, 14, 16, cut),
        link::LINUX_COOKED_2 => ethernet_payload(data, 0, 20, cut),
        link::RAW | link::RAW_BSD | link::RAW_OPENBSD | link::IPV4 | link::IPV6 => Ok(data),
        link::NULL | link::LOOP => {
            let (family, rest) = data.split_first_chunk::<4>().ok_or(cut)?;
            // `NULL` has the byte order of the machine that captured, `LOOP` that of the network.
            let family = u32::from_le_bytes(*family).min(u32::from_be_bytes(*family));
            if IP_FAMILIES.contains(&family) { Ok(rest) } else { Err(LeftOut::OtherNetwork) }
        }
        _ => Err(LeftOut::LinkType(link_type)),
    }
}

/// The IP packet in a frame that has the number of its protocol at an offset, and VLAN tags behind its
/// header.
fn ethernet_payload(
    data: &[u8],
    protocol_offset: usize,
    header_size: usize,
    cut: LeftOut,
) -> Result<&[u8], LeftOut> {
    let number = |at: usize| -> Result<u16, LeftOut> {
        let bytes = data.get(at..).and_then(<[u8]>::first_chunk::<2>).ok_or(cut)?;
        Ok(u16::from_be_bytes(*bytes))
    };
    let (mut protocol, mut start) = (number(protocol_offset)?, header_size);
    for _ in 0..VLAN_TAGS_MAX {
        if ether_type::VLAN.contains(&protocol) {
            (protocol, start) = (number(start + 2)?, start + 4);
        }
    }
    match protocol {
        ether_type::IPV4 | ether_type::IPV6 => data.get(start..).ok_or(cut),
        _ => Err(LeftOut::OtherNetwork),
    }
}
