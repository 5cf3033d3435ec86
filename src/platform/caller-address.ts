import ipaddr from 'ipaddr.js';
import { readAddress } from './network.ts';

/** Some proxies add the port to the addresses in X-Forwarded-For. Every connection of a caller has another one. */
export const withoutPort = (ip: string): string =>
  /^([\d.]+):\d+$/.exec(ip)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(ip)?.[1] ?? ip;

/**
 * Whose limits and counters a request without an account uses. An IPv6 user has 2^64 addresses, so that the network
 * counts. An IPv4-mapped address is the same caller as the IPv4 address.
 */
export function callerOf(ip: string): string {
  const text = withoutPort(ip).replace(/%.*$/, '');
  const address = readAddress(text);
  if (!(address instanceof ipaddr.IPv6)) return text;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
