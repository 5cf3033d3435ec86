import { isIP } from 'node:net';

/** `loopback` is this machine itself; `never` cannot be allowed by any setting. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'never';

export interface AddressClass {
  readonly kind: AddressKind;
  /** The name of the kind in a sentence: "a private address". */
  readonly words: string;
  /** The embedded IPv4 address, if the address only wraps one. */
  readonly leadsTo?: string;
}

/** 4 or 16 bytes. */
type Bytes = readonly number[];

export interface AddressRange {
  readonly bytes: Bytes;
  readonly bits: number;
}

const bytesOf4 = (text: string): Bytes => text.split('.').map(Number);

const bytesOfGroups = (text: string): Bytes =>
  text === ''
    ? []
    : text.split(':').flatMap((group) => {
        if (group.includes('.')) return bytesOf4(group);
        const value = Number.parseInt(group, 16);
        return [value >> 8, value & 0xff];
      });

const bytesOf6 = (text: string): Bytes => {
  const [front = [], back = []] = text.split('::').map(bytesOfGroups);
  return [...front, ...new Array<number>(16 - front.length - back.length).fill(0), ...back];
};

const readBytes = (address: string): Bytes | undefined => {
  const version = isIP(address);
  if (version === 0) return undefined;
  // The zone after the % names the network interface.
  return version === 4 ? bytesOf4(address) : bytesOf6(address.split('%', 1)[0] ?? '');
};

/** Parses a range. An IPv4-mapped range is the IPv4 range; `::/0` is all of IPv6 and no IPv4. */
export const readRange = (text: string): AddressRange => {
  const [address = '', length] = text.split('/');
  const bytes = readBytes(address);
  if (bytes === undefined) throw new Error(`'${text}' is neither an address nor a range`);
  const bits = length === undefined ? bytes.length * 8 : Number(length);
  return bits >= 96 && contains(mapped, bytes)
    ? { bytes: bytes.slice(12), bits: bits - 96 }
    : { bytes, bits };
};

const contains = (range: AddressRange, bytes: Bytes): boolean => {
  if (range.bytes.length !== bytes.length) return false;
  const whole = range.bits >> 3;
  for (let i = 0; i < whole; i++) if (range.bytes[i] !== bytes[i]) return false;
  const mask = (0xff00 >> (range.bits & 7)) & 0xff;
  return ((range.bytes[whole] ?? 0) & mask) === ((bytes[whole] ?? 0) & mask);
};

const mapped: AddressRange = { bytes: bytesOf6('::ffff:0:0'), bits: 96 };

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
const classes: readonly (AddressClass & { readonly range: AddressRange })[] = (
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
).map(([range, addressClass]) => ({ ...addressClass, range: readRange(range) }));

const lastFour = (bytes: Bytes): readonly Bytes[] => [bytes.slice(12)];

/**
 * Addresses that embed an IPv4 address: requests to them are translated, tunnelled or connected to it. If several
 * readings are possible, all of them count.
 */
const wrappings: readonly { range: AddressRange; unwrap: (bytes: Bytes) => readonly Bytes[] }[] = [
  { range: mapped, unwrap: lastFour },
  { range: readRange('::ffff:0:0:0/96'), unwrap: lastFour },
  {
    range: readRange('::/96'),
    unwrap: (bytes) =>
      // `::` and `::1` are addresses of their own.
      bytes.every((byte, i) => byte === 0 || (i === 15 && byte === 1)) ? [bytes] : lastFour(bytes),
  },
  { range: readRange('64:ff9b::/96'), unwrap: lastFour },
  {
    range: readRange('64:ff9b:1::/48'),
    // The operator of the translator chose the length of its prefix (RFC 6052, 2.2), which we cannot know.
    unwrap: (bytes) =>
      bytes.slice(6, 12).every((byte) => byte === 0)
        ? lastFour(bytes)
        : [
            bytes,
            [...bytes.slice(6, 8), ...bytes.slice(9, 11)],
            [...bytes.slice(7, 8), ...bytes.slice(9, 12)],
            bytes.slice(9, 13),
            bytes.slice(12),
          ],
  },
  // 6to4: the address of the site's router.
  { range: readRange('2002::/16'), unwrap: (bytes) => [bytes.slice(2, 6)] },
  // Teredo: the client, with all bits inverted, and the server that relays to it.
  {
    range: readRange('2001::/32'),
    unwrap: (bytes) => [bytes.slice(12).map((byte) => byte ^ 0xff), bytes.slice(4, 8)],
  },
];

const unwrap = (bytes: Bytes): readonly Bytes[] =>
  wrappings.find(({ range }) => contains(range, bytes))?.unwrap(bytes) ?? [bytes];

const strictness: Record<AddressKind, number> = { public: 0, loopback: 1, private: 2, never: 3 };

const classOfBytes = (bytes: Bytes): AddressClass => {
  const { kind, words } = classes.find(({ range }) => contains(range, bytes)) ?? open;
  return { kind, words };
};

/** Classifies an address, including the one it embeds. */
export const classify = (address: string): AddressClass => {
  const bytes = readBytes(address);
  if (bytes === undefined) return { kind: 'never', words: 'no address' };
  return unwrap(bytes)
    .map((reading) => ({
      ...classOfBytes(reading),
      ...(reading.length < bytes.length ? { leadsTo: reading.join('.') } : {}),
    }))
    .reduce((one, other) => (strictness[other.kind] > strictness[one.kind] ? other : one));
};

/** Returns whether the ranges contain a non-public address, or all non-public addresses that it embeds. */
export const covers = (ranges: readonly AddressRange[], address: string): boolean => {
  const bytes = readBytes(address);
  if (bytes === undefined) return false;
  const named = (candidate: Bytes) => ranges.some((range) => contains(range, candidate));
  return (
    named(bytes) ||
    unwrap(bytes).every((reading) => classOfBytes(reading).kind === 'public' || named(reading))
  );
};
