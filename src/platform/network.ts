import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

export interface Network {
  readonly address: Address;
  readonly bits: number;
}

/** Parses an address without its zone. */
export function readAddress(text: string): Address | undefined {
  // The library would also accept octal and incomplete addresses.
  if (isIP(text) === 0) return undefined;
  // It would read `::1.2.3.4` as `::ffff:1.2.3.4`.
  return ipaddr.parse(text.replace(/%.*$/, '').replace(/^::(?=\d+\.)/, '::0:'));
}

/** Parses an address or a CIDR range. */
export function readNetwork(text: string): Network | undefined {
  const [, name = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = readAddress(name);
  if (!address) return undefined;
  const longest = address.toByteArray().length * 8;
  const bits = length === undefined ? longest : Number(length);
  return bits <= longest ? { address, bits } : undefined;
}

export function getNetwork(text: string): Network {
  const network = readNetwork(text);
  if (!network) throw new Error(`'${text}' is neither an address nor a range`);
  return network;
}

/** An IPv4 address is in no IPv6 network. */
export function isIn(address: Address, network: Network): boolean {
  return address.kind() === network.address.kind() && address.match(network.address, network.bits);
}
