import { isIPv4, isIPv6 } from 'node:net';

/** The eight groups of an IPv6 address; the parser of URLs has checked it and written it one way. */
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

/**
 * Whose guesses are counted together. Whoever has an IPv6 address has 2^64 of them, so the network
 * counts; an IPv4 address in IPv6 clothes is the same caller as without.
 */
export function callerOf(ip: string): string {
  const address = ip.replace(/%.*$/, '');
  if (isIPv4(address) || !isIPv6(address)) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (isMapped) return groups.slice(6).map(bytes).join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}
