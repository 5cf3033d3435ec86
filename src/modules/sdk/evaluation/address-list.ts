import { BlockList, isIP, type SocketAddress } from 'node:net';

/**
 * Whether an address is among these addresses and ranges (CIDR); what is neither is passed over.
 * An IPv4 address is the same when it is mapped into IPv6, but `::/0` is nothing of IPv4.
 */
export function addressList(entries: readonly string[]): (address: SocketAddress) => boolean {
  const list = new BlockList();
  // A BlockList finds every IPv4 address in the ranges that the mapped addresses lie in.
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
