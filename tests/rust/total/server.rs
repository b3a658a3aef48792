// Counts what it is asked to add, and answers the sum.
use std::net::UdpSocket;

fn main() -> std::io::Result<()> {
    let socket = UdpSocket::bind("0.0.0.0:4000")?;
    let mut total: u8 = 0;
    let mut buffer = [0; 16];
    loop {
        let (length, from) = socket.recv_from(&mut buffer)?;
        for byte in &buffer[..length] {
            total = total.checked_add(*byte).expect("the total fits"); // mark: overflow
        }
        socket.send_to(&[total], from)?;
    }
}
