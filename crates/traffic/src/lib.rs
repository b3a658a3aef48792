//! The messages of recorded network traffic.
//!
//! [`Trace::read`] reads a pcap or pcapng file and gives the datagrams of UDP and the streams of TCP in it,
//! over IPv4 and IPv6: fragments and segments are put together. Each message has its packet, its time, and
//! the addresses and ports of both ends. Frames may be of Ethernet (with VLAN tags), Linux cooked mode, a
//! loopback interface, or raw IP.
//!
//! A packet is part of a message, or is counted by the reason why it is not ([`LeftOut`]). A packet that was
//! not captured as a whole is never taken for one that was. Memory is bounded ([`TraceOptions`]), whatever
//! the file says.
//!
//! ```
//! use everett_traffic::{LeftOut, TcpFraming, Trace, TraceOptions};
//!
//! // A pcap file of raw IP: its header, the header of a packet, and a datagram that says "hi".
//! let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 101, 0, 0, 0];
//! file.extend([7, 0, 0, 0, 0, 0, 0, 0, 30, 0, 0, 0, 30, 0, 0, 0]);
//! file.extend([0x45, 0, 0, 30, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
//! file.extend([0x04, 0xd2, 0, 53, 0, 10, 0, 0, b'h', b'i']);
//! let messages = Trace::read(&*file, &TraceOptions::default())?.into_messages(TcpFraming::Segments);
//! assert_eq!((messages[0].bytes.as_slice(), messages[0].destination.port()), (&b"hi"[..], 53));
//!
//! let options = TraceOptions { to: ":80".parse()?, ..TraceOptions::default() };
//! assert_eq!(Trace::read(&*file, &options)?.left_out()[&LeftOut::NotSelected], 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Not here: checksums of packets, which network cards fill in after the capture; what senders can send
//! (`everett-trojan`).
#![forbid(unsafe_code)]

mod capture;
mod error;
mod filter;
mod fragments;
mod frame;
mod reader;
mod stream;
mod trace;

pub use self::capture::TraceTime;
pub use self::error::TraceError;
pub use self::filter::{EndpointError, EndpointFilter};
pub use self::stream::{StreamGap, StreamSegment, TcpStream};
pub use self::trace::{LeftOut, TcpFraming, Trace, TraceMessage, TraceOptions, Transport};
