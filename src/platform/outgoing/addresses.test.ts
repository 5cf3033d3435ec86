import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AddressKind, classify, covers, readRange } from './addresses.ts';

const table: Record<AddressKind, readonly string[]> = {
  public: [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    // Embedded IPv4 addresses.
    '::ffff:8.8.8.8',
    '::8.8.8.8',
    '64:ff9b::808:808',
    '64:ff9b:1::808:808',
    '2002:808:808::1',
    // Teredo: the client 8.8.8.8 with inverted bits, the server 65.54.227.120.
    '2001:0:4136:e378:8000:63bf:f7f7:f7f7',
  ],
  loopback: [
    '0.0.0.0',
    '0.1.2.3',
    '127.0.0.1',
    '127.255.255.255',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0.0.0.0',
    '::ffff:0:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:4136:e378:8000:63bf:80ff:fffe',
    '2001:0:7f00:1:8000:63bf:f7f7:f7f7',
  ],
  private: [
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.0.1',
    '192.168.255.255',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '255.255.255.254',
    'fc00::1',
    'fd12:3456:789a::1',
    'fdff:ffff::',
    'fec0::1',
    '100::1',
    '2001:db8::1',
    '2001:2::1',
    '3fff::1',
    '4000::1',
    '::ffff:10.0.0.5',
    '::ffff:a00:5',
    '::10.0.0.5',
    '64:ff9b::a00:5',
    '64:ff9b:1::a00:5',
    // A translator with a prefix of 48 bits reads 10.0.0.5 here, one of 96 bits 8.8.8.8.
    '64:ff9b:1:a00:0:500:808:808',
    '64:ff9b:1:808:8:800::',
    '2002:a00:5::1',
    '2001:0:4136:e378:8000:63bf:f5ff:fffa',
  ],
  never: [
    '169.254.0.0',
    '169.254.169.254',
    '169.254.255.255',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '224.0.0.1',
    '239.255.255.255',
    '255.255.255.255',
    'fe80::1',
    'fe80::1%eth0',
    'fe80::a9fe:a9fe',
    'febf:ffff::1',
    'fd00:ec2::254',
    'FD00:0EC2:0:0:0:0:0:0254',
    'fd20:ce::254',
    'ff02::1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '64:ff9b:1:a9fe:a9:fe00::',
    '2002:a9fe:a9fe::1',
    '2001:0:4136:e378:8000:63bf:5601:5601',
    'localhost',
    '',
    '1.2.3',
  ],
};

describe.each(Object.entries(table))('the class %s', (kind, addresses) => {
  test.each(addresses)('contains %s', (address) => {
    expect(classify(address).kind).toBe(kind);
  });
});

const byte = fc.integer({ min: 0, max: 255 });
const hex = (high: number, low: number) => (high * 256 + low).toString(16);

test('an IPv4 address embedded in IPv6 has the same class and is reported', () => {
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), ([a, b, c, d]) => {
      const plain = `${a}.${b}.${c}.${d}`;
      const { kind, words } = classify(plain);
      const [front, back] = [hex(a, b), hex(c, d)];
      for (const wrapped of [
        `::ffff:${plain}`,
        `::ffff:0:${front}:${back}`,
        `64:ff9b::${front}:${back}`,
        `64:ff9b:1::${front}:${back}`,
        `2002:${front}:${back}::5`,
      ]) {
        expect(classify(wrapped), wrapped).toEqual({ kind, words, leadsTo: plain });
      }
    }),
    { examples: [[[169, 254, 169, 254]], [[10, 0, 0, 5]], [[0, 0, 0, 0]], [[127, 0, 0, 1]]] },
  );
});

test.each([
  ['10.0.0.0/8', '10.255.0.1', true],
  ['10.0.0.0/8', '192.168.0.1', false],
  ['10.0.0.0/9', '10.127.255.255', true],
  ['10.0.0.0/9', '10.128.0.0', false],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '10.1.2.4', false],
  ['172.16.0.0/12', '172.31.255.255', true],
  ['172.16.0.0/13', '172.24.0.0', false],
  ['10.0.0.0/8', '::ffff:10.0.0.1', true],
  ['10.0.0.0/8', '64:ff9b::a00:1', true],
  ['64:ff9b::/96', '64:ff9b::a00:1', true],
  ['::ffff:10.0.0.0/104', '10.2.3.4', true],
  ['::ffff:10.0.0.0/105', '10.128.3.4', false],
  ['0.0.0.0/0', '192.168.1.1', true],
  ['0.0.0.0/0', 'fd00::1', false],
  ['::/0', 'fd00::1', true],
  ['::/0', '10.0.0.1', false],
  ['fd00::/8', 'fdab::1', true],
  ['fd00::/8', 'fc00::1', false],
  ['::1', '::1', true],
  ['::1', '127.0.0.1', false],
  // Both the client and the server of a Teredo address must be listed.
  ['10.0.0.0/8', '2001:0:c0a8:101:8000:63bf:f5ff:fffa', false],
  ['10.0.0.0/8', '2001:0:a00:1:8000:63bf:f5ff:fffa', true],
  ['10.0.0.0/8', 'localhost', false],
])('the range %s contains %s: %s', (range, address, covered) => {
  expect(covers([readRange(range)], address)).toBe(covered);
});
