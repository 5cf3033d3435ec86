import ipaddr from 'ipaddr.js';
import { type Address, getNetwork, isIn, type Network, readAddress } from '../network.ts';

/** `loopback` is this machine itself; `never` cannot be allowed by any setting. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'never';

export interface AddressClass {
  readonly kind: AddressKind;
  /** The name of the kind in a sentence: "a private address". */
  readonly words: string;
  /** The embedded IPv4 address, if the address only wraps one. */
  readonly leadsTo?: string;
}

/** The IPv4 address in these bytes of an IPv6 address. */
const embedded = (address: Address, at: readonly number[]): Address => {
  const bytes = address.toByteArray();
  return new ipaddr.IPv4(at.map((index) => bytes[index] as number));
};

const lastFour = (address: Address): Address => embedded(address, [12, 13, 14, 15]);

const inverted = (address: Address): Address =>
  new ipaddr.IPv4(address.toByteArray().map((byte) => byte ^ 0xff));

const mapped = getNetwork('::ffff:0:0/96');

/** Parses a range. An IPv4-mapped range is the IPv4 range; `::/0` is all of IPv6 and no IPv4. */
export const readRange = (text: string): Network => {
  const range = getNetwork(text);
  return range.bits >= 96 && isIn(range.address, mapped)
    ? { address: lastFour(range.address), bits: range.bits - 96 }
    : range;
};

const metadata: AddressClass = { kind: 'never', words: 'an address of cloud metadata' };
const linkLocal: AddressClass = { kind: 'never', words: 'a link-local address' };
const multicast: AddressClass = { kind: 'never', words: 'a multicast address' };
const broadcast: AddressClass = { kind: 'never', words: 'the broadcast address' };
const loopback: AddressClass = { kind: 'loopback', words: 'an address of this machine itself' };
const inside: AddressClass = { kind: 'private', words: 'a private address' };
const reserved: AddressClass = { kind: 'private', words: 'a reserved address' };
const open: AddressClass = { kind: 'public', words: 'a public address' };

/**
 * The first range that contains an address decides its class. Based on the IANA registries and the cloud providers'
 * manuals.
 */
const classes: readonly (AddressClass & { readonly range: Network })[] = (
  [
    ['169.254.169.254', metadata],
    ['100.100.100.200', metadata],
    ['168.63.129.16', metadata],
    ['192.0.0.192', metadata],
    ['fe80::a9fe:a9fe', metadata],
    ['fd00:ec2::/32', metadata],
    ['fd20:ce::254', metadata],
    ['fd00:42::42', metadata],
    ['fd00:c1::a9fe:a9fe', metadata],

    ['0.0.0.0/8', loopback],
    ['10.0.0.0/8', inside],
    ['100.64.0.0/10', inside],
    ['127.0.0.0/8', loopback],
    ['169.254.0.0/16', linkLocal],
    ['172.16.0.0/12', inside],
    ['192.0.0.0/24', reserved],
    ['192.0.2.0/24', reserved],
    ['192.88.99.0/24', reserved],
    ['192.168.0.0/16', inside],
    ['198.18.0.0/15', reserved],
    ['198.51.100.0/24', reserved],
    ['203.0.113.0/24', reserved],
    ['224.0.0.0/4', multicast],
    ['255.255.255.255', broadcast],
    ['240.0.0.0/4', reserved],

    ['::', loopback],
    ['::1', loopback],
    ['fe80::/10', linkLocal],
    ['ff00::/8', multicast],
    ['fc00::/7', inside],
    ['fec0::/10', inside],
    ['64:ff9b:1::/48', inside],
    ['2001::/23', reserved],
    ['2001:db8::/32', reserved],
    ['3fff::/20', reserved],
    // All assigned global unicast addresses begin with the bits 001.
    ['2000::/3', open],
    ['::/0', reserved],
  ] as const
).map(([range, addressClass]) => ({ ...addressClass, range: getNetwork(range) }));

/**
 * Addresses that embed an IPv4 address: requests to them are translated, tunnelled or connected to it. If several
 * readings are possible, all of them count.
 */
const wrappings: readonly { range: Network; unwrap: (address: Address) => readonly Address[] }[] = [
  { range: mapped, unwrap: (address) => [lastFour(address)] },
  { range: getNetwork('::ffff:0:0:0/96'), unwrap: (address) => [lastFour(address)] },
  // These two are addresses of their own.
  { range: getNetwork('::/127'), unwrap: (address) => [address] },
  { range: getNetwork('::/96'), unwrap: (address) => [lastFour(address)] },
  { range: getNetwork('64:ff9b::/96'), unwrap: (address) => [lastFour(address)] },
  { range: getNetwork('64:ff9b:1::/96'), unwrap: (address) => [lastFour(address)] },
  {
    range: getNetwork('64:ff9b:1::/48'),
    // The operator of the translator chose the length of its prefix (RFC 6052, 2.2), which we cannot know.
    unwrap: (address) => [
      address,
      embedded(address, [6, 7, 9, 10]),
      embedded(address, [7, 9, 10, 11]),
      embedded(address, [9, 10, 11, 12]),
      lastFour(address),
    ],
  },
  // 6to4: the address of the site's router.
  { range: getNetwork('2002::/16'), unwrap: (address) => [embedded(address, [2, 3, 4, 5])] },
  // Teredo: the client, with all bits inverted, and the server that relays to it.
  {
    range: getNetwork('2001::/32'),
    unwrap: (address) => [inverted(lastFour(address)), embedded(address, [4, 5, 6, 7])],
  },
];

const unwrap = (address: Address): readonly Address[] =>
  wrappings.find(({ range }) => isIn(address, range))?.unwrap(address) ?? [address];

const strictness: Record<AddressKind, number> = { public: 0, loopback: 1, private: 2, never: 3 };

const classOf = (address: Address): AddressClass => {
  const { kind, words } = classes.find(({ range }) => isIn(address, range)) ?? open;
  return { kind, words };
};

/** Classifies an address, including the one it embeds. */
export const classify = (text: string): AddressClass => {
  const address = readAddress(text);
  if (address === undefined) return { kind: 'never', words: 'no address' };
  return unwrap(address)
    .map((reading) => ({
      ...classOf(reading),
      ...(reading.kind() !== address.kind() && { leadsTo: reading.toString() }),
    }))
    .reduce((one, other) => (strictness[other.kind] > strictness[one.kind] ? other : one));
};

/** Returns whether the ranges contain a non-public address, or all non-public addresses that it embeds. */
export const covers = (ranges: readonly Network[], text: string): boolean => {
  const address = readAddress(text);
  if (address === undefined) return false;
  const named = (candidate: Address) => ranges.some((range) => isIn(candidate, range));
  return (
    named(address) ||
    unwrap(address).every((reading) => classOf(reading).kind === 'public' || named(reading))
  );
};
