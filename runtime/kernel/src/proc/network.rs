//! `/proc/net`: the sockets of the sandbox's loopback, as Linux lists them.

use std::fmt::Write;
use std::net::{IpAddr, SocketAddr};

use crate::Kernel;
use crate::loopback::{Protocol, Socket};

/// States of a TCP socket, as Linux numbers them.
const ESTABLISHED: u8 = 1;
const CLOSED: u8 = 7;
const LISTENING: u8 = 10;

pub(super) fn tcp(kernel: &Kernel) -> String {
    table(kernel, Protocol::Tcp, false)
}

pub(super) fn tcp6(kernel: &Kernel) -> String {
    table(kernel, Protocol::Tcp, true)
}

pub(super) fn udp(kernel: &Kernel) -> String {
    table(kernel, Protocol::Udp, false)
}

pub(super) fn udp6(kernel: &Kernel) -> String {
    table(kernel, Protocol::Udp, true)
}

fn table(kernel: &Kernel, protocol: Protocol, v6: bool) -> String {
    let (local, remote) = match v6 {
        true => (
            "local_address                        ",
            "remote_address                       ",
        ),
        false => ("local_address", "rem_address  "),
    };
    let mut text = format!(
        "  sl  {local} {remote} st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    );
    let sockets = kernel.loopback().sockets().into_iter();
    let wanted =
        sockets.filter(|socket| socket.protocol == protocol && socket.local.is_ipv6() == v6);
    let user = kernel.settings().identity.uid;
    for (number, socket) in wanted.enumerate() {
        let remote = socket.remote.unwrap_or(match v6 {
            true => ([0_u16; 8], 0).into(),
            false => ([0_u8; 4], 0).into(),
        });
        let (local, remote) = (address(socket.local), address(remote));
        let state = state(&socket);
        let _ = writeln!(
            text,
            "{number:4}: {local} {remote} {state:02X} 00000000:00000000 00:00000000 00000000 {user:5}        0 0"
        );
    }
    text
}

fn state(socket: &Socket) -> u8 {
    match (socket.protocol, socket.remote) {
        (Protocol::Tcp, Some(_)) => ESTABLISHED,
        (Protocol::Tcp, None) => LISTENING,
        (Protocol::Udp, _) => CLOSED,
    }
}

/// Words of an address as a little-endian machine prints them, and the port.
fn address(address: SocketAddr) -> String {
    let octets = match address.ip() {
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    let mut text = String::new();
    for word in octets.chunks(4) {
        word.iter()
            .rev()
            .for_each(|byte| _ = write!(text, "{byte:02X}"));
    }
    _ = write!(text, ":{:04X}", address.port());
    text
}
