// Datagrams and streams over the loopback interface.
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

fn main() -> std::io::Result<()> {
    let a = UdpSocket::bind("127.0.0.1:0")?;
    let b = UdpSocket::bind("127.0.0.1:0")?;
    b.set_read_timeout(Some(Duration::from_millis(50)))?;
    a.send_to(b"datagram", b.local_addr()?)?;
    let mut buffer = [0; 16];
    let (length, from) = b.recv_from(&mut buffer)?;
    println!("{} {}", String::from_utf8_lossy(&buffer[..length]), from == a.local_addr()?);
    let start = Instant::now();
    let error = b.recv(&mut buffer).unwrap_err().kind();
    println!("{error:?} {}", start.elapsed() >= Duration::from_millis(50));
    let listener = TcpListener::bind("[::1]:0")?;
    let address: SocketAddr = listener.local_addr()?;
    let server = std::thread::spawn(move || -> std::io::Result<usize> {
        let (mut stream, _) = listener.accept()?;
        let mut all = Vec::new();
        stream.read_to_end(&mut all)?;
        all.reverse();
        stream.write_all(&all)?;
        Ok(all.len())
    });
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    write!(stream, "{}-{}", "stream", 12)?;
    stream.shutdown(std::net::Shutdown::Write)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    println!("{answer} {}", server.join().unwrap()?);
    Ok(())
}
