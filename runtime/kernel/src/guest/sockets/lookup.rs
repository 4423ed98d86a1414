//! `wasi:sockets/ip-name-lookup`: the names that a sandbox knows.

use std::net::IpAddr;
use std::vec;

use offshoot_boxed::boxed;
use wasmtime::component::Resource;
use wasmtime_wasi_io::poll::{DynPollable, Pollable, subscribe};

use super::{Answer, Network};
use crate::guest::Guest;
use crate::guest::bindings::wasi::sockets::ip_name_lookup;
use crate::guest::bindings::wasi::sockets::network::{ErrorCode, IpAddress};
use crate::loopback;

/// `resolve-address-stream`: the addresses of a name.
pub struct Addresses(vec::IntoIter<IpAddr>);

#[boxed]
impl Pollable for Addresses {
    async fn ready(&mut self) {}
}

impl ip_name_lookup::Host for Guest {
    fn resolve_addresses(
        &mut self,
        _network: Resource<Network>,
        name: String,
    ) -> Answer<Resource<Addresses>> {
        let hostname = &self.kernel.settings().identity.hostname;
        let addresses = loopback::resolve(&name, hostname);
        if addresses.is_empty() {
            return Err(ErrorCode::NameUnresolvable.into());
        }
        Ok(self.resources.push(Addresses(addresses.into_iter()))?)
    }
}

impl ip_name_lookup::HostResolveAddressStream for Guest {
    fn resolve_next_address(&mut self, stream: Resource<Addresses>) -> Answer<Option<IpAddress>> {
        let stream = self.resources.get_mut(&stream)?;
        Ok(stream.0.next().map(IpAddress::from))
    }

    fn subscribe(
        &mut self,
        stream: Resource<Addresses>,
    ) -> wasmtime::Result<Resource<DynPollable>> {
        subscribe(&mut self.resources, stream)
    }

    fn drop(&mut self, stream: Resource<Addresses>) -> wasmtime::Result<()> {
        self.resources.delete(stream)?;
        Ok(())
    }
}
