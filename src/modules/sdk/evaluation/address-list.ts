import { BlockList, isIP, type SocketAddress } from 'node:net';

/**
 * Returns a test whether an address is in these addresses and ranges (CIDR). Invalid entries are ignored. An IPv4
 * address equals its IPv6-mapped form, but `::/0` contains no IPv4 address.
 */
export function addressList(entries: readonly string[]): (address: SocketAddress) => boolean {
  const list = new BlockList();
  // A BlockList matches every IPv4 address against IPv6 ranges that contain the mapped addresses.
  const wide = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix = '', ...more] = entry.trim().split('/');
    const version = isIP(address);
    const longest = version === 4 ? 32 : 128;
    const bits = prefix === '' ? longest : Number(prefix);
    if (version === 0 || more.length > 0 || !/^\d*$/.test(prefix) || bits > longest) continue;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    (version === 6 && bits < 96 ? wide : list).addSubnet(address, bits, family);
  }
  return (address) => list.check(address) || (address.family === 'ipv6' && wide.check(address));
}
