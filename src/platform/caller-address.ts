import { isIPv4, isIPv6 } from 'node:net';

/** The eight groups of an IPv6 address that the URL parser has validated and normalised. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const left = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(left).fill('0'), ...after];
}

const bytes = (group: string) => {
  const value = Number.parseInt(group, 16);
  return `${value >> 8}.${value & 255}`;
};

/** Some proxies add the port to the addresses in X-Forwarded-For. Every connection of a caller has another one. */
const withoutPort = (ip: string): string =>
  /^([\d.]+):\d+$/.exec(ip)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(ip)?.[1] ?? ip;

/**
 * Whose limits and counters a request without an account uses. An IPv6 user has 2^64 addresses, so that the network
 * counts. An IPv4-mapped address is the same caller as the IPv4 address.
 */
export function callerOf(ip: string): string {
  const address = withoutPort(ip).replace(/%.*$/, '');
  if (isIPv4(address) || !isIPv6(address)) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (isMapped) return groups.slice(6).map(bytes).join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}
