// Sends two requests of a byte each, whatever they are.
use std::net::UdpSocket;
use std::os::raw::{c_char, c_void};
use std::time::Duration;

extern "C" {
    fn klee_make_symbolic(place: *mut c_void, size: usize, name: *const c_char);
}

fn main() -> std::io::Result<()> {
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    socket.set_read_timeout(Some(Duration::from_millis(500)))?;
    let mut requests = [0u8; 2];
    unsafe { klee_make_symbolic(requests.as_mut_ptr().cast(), 2, "requests\0".as_ptr().cast()) };
    let mut last = 0;
    for request in requests {
        socket.send_to(&[request], "server:4000")?;
        let mut answer = [0];
        if socket.recv(&mut answer).is_ok() {
            assert!(answer[0] >= last, "totals grow");
            last = answer[0];
        }
    }
    Ok(())
}
