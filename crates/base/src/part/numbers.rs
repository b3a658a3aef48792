//! Numbers, texts and addresses of the standard library as bytes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4};
use std::ops::Range;
use std::time::Duration;

use syscalls::{Errno, Sysno};

use super::{PartError, PartReader, PartWriter, Portable};
use crate::portable;
use crate::rng::Rng;
use crate::stamp::{NextWake, Stamp};

macro_rules! unsigned {
    ($($type:ty: $expected:literal),*) => {$(
        impl Portable for $type {
            #[inline]
            fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
                to.number(*self as u64);
            }

            #[inline]
            fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
                let number = from.number()?;
                <$type>::try_from(number).map_err(|_| from.unexpected($expected))
            }
        }
    )*};
}

unsigned!(u16: "a number of 16 bits", u32: "a number of 32 bits");
unsigned!(u64: "a number of 64 bits", usize: "a number of this machine's width");

/// The sign becomes the lowest bit, so that small numbers of both signs are short.
macro_rules! signed {
    ($($type:ty: $expected:literal),*) => {$(
        impl Portable for $type {
            fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
                let number = i64::from(*self);
                to.number((number << 1 ^ number >> 63) as u64);
            }

            fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
                let number = from.number()?;
                let number = (number >> 1) as i64 ^ -((number & 1) as i64);
                <$type>::try_from(number).map_err(|_| from.unexpected($expected))
            }
        }
    )*};
}

signed!(i32: "a signed number of 32 bits", i64: "a signed number of 64 bits");

/// One byte: most bytes of programs are as likely as others.
impl Portable for u8 {
    #[inline]
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.raw(&[*self]);
    }

    #[inline]
    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        from.byte()
    }
}

impl Portable for bool {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.raw(&[u8::from(*self)]);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(from.unexpected("a truth value")),
        }
    }
}

impl Portable for u128 {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.number(*self as u64);
        to.number((*self >> 64) as u64);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        Ok(u128::from(from.number()?) | u128::from(from.number()?) << 64)
    }
}

impl Portable for i128 {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let number = (*self << 1 ^ *self >> 127) as u128;
        to.number(number as u64);
        to.number((number >> 64) as u64);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let number = u128::read(from)?;
        Ok((number >> 1) as i128 ^ -((number & 1) as i128))
    }
}

macro_rules! floats {
    ($($type:ty),*) => {$(
        impl Portable for $type {
            fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
                to.raw(&self.to_bits().to_le_bytes());
            }

            fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
                Ok(<$type>::from_le_bytes(Portable::read(from)?))
            }
        }
    )*};
}

floats!(f32, f64);

impl Portable for Duration {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.number(self.as_secs());
        to.number(self.subsec_nanos().into());
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let (seconds, nanoseconds) = (from.number()?, u32::read(from)?);
        let is_part = nanoseconds < 1_000_000_000;
        is_part
            .then(|| Duration::new(seconds, nanoseconds))
            .ok_or_else(|| from.unexpected("a time"))
    }
}

impl<T: Portable> Portable for Range<T> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        self.start.write(to);
        self.end.write(to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        Ok(T::read(from)?..T::read(from)?)
    }
}

impl Portable for () {
    fn write<'a>(&'a self, _: &mut PartWriter<'a>) {}

    fn read(_: &mut PartReader<'_>) -> Result<Self, PartError> {
        Ok(())
    }
}

fn text<'a>(from: &mut PartReader<'a>) -> Result<&'a str, PartError> {
    let bytes = from.byte_string()?;
    std::str::from_utf8(bytes).map_err(|_| from.unexpected("text in UTF-8"))
}

impl Portable for String {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.byte_string(self.as_bytes());
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        Ok(text(from)?.to_owned())
    }
}

impl Portable for Box<str> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.byte_string(self.as_bytes());
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        Ok(text(from)?.into())
    }
}

impl Portable for std::sync::Arc<str> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.shared(std::sync::Arc::as_ptr(self), |to| to.byte_string(self.as_bytes()));
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        from.shared(|from| Ok(text(from)?.into()))
    }
}

impl Portable for Ipv4Addr {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.raw(&self.octets());
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let octets: [u8; 4] = Portable::read(from)?;
        Ok(octets.into())
    }
}

impl Portable for IpAddr {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        write_address(*self, to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        match from.byte()? {
            4 => Ok(Ipv4Addr::read(from)?.into()),
            6 => Ok(IpAddr::from(<[u8; 16]>::read(from)?)),
            _ => Err(from.unexpected("an address of IPv4 or IPv6")),
        }
    }
}

fn write_address(address: IpAddr, to: &mut PartWriter<'_>) {
    match address {
        IpAddr::V4(address) => {
            to.raw(&[4]);
            to.raw(&address.octets());
        }
        IpAddr::V6(address) => {
            to.raw(&[6]);
            to.raw(&address.octets());
        }
    }
}

/// Address and port. The other numbers that IPv6 has beside them are 0.
impl Portable for SocketAddr {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        write_address(self.ip(), to);
        to.number(self.port().into());
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        Ok(SocketAddr::new(Portable::read(from)?, Portable::read(from)?))
    }
}

impl Portable for SocketAddrV4 {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.raw(&self.ip().octets());
        to.number(self.port().into());
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        Ok(SocketAddrV4::new(Portable::read(from)?, Portable::read(from)?))
    }
}

impl Portable for Errno {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.number(self.into_raw() as u64);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let number = i32::try_from(from.number()?);
        number.map(Errno::new).map_err(|_| from.unexpected("an error number"))
    }
}

impl Portable for Sysno {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.number(self.id() as u64);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let call = Sysno::new(usize::read(from)?);
        call.ok_or_else(|| from.unexpected("the number of a system call"))
    }
}

/// Random bits would be longer as numbers.
impl Portable for Rng {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        self.words().iter().for_each(|word| to.raw(&word.to_le_bytes()));
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let mut words = [0; 4];
        for word in &mut words {
            *word = u64::from_le_bytes(Portable::read(from)?);
        }
        Ok(Rng::from_words(words))
    }
}

portable!(struct Stamp { time, round });
portable!(enum NextWake { 0 = Never, 1 = NextRound, 2 = At(time) });
