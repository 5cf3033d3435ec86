import { expect, test } from 'vitest';
import { createAddressCheck } from './addresses.ts';

test.each([
  ['10.1.2.3', ['10.0.0.0/8'], [], true],
  ['11.1.2.3', ['10.0.0.0/8'], [], false],
  ['::ffff:10.1.2.3', ['10.0.0.0/8'], [], true],
  ['10.1.2.3', [], ['10.1.2.3'], false],
  ['10.1.2.4', [], ['10.1.2.3'], true],
  ['10.1.2.3', ['10.0.0.0/8'], ['10.1.0.0/16'], false],
  ['2001:db8::1', ['2001:db8::/32'], [], true],
  ['10.1.2.3:50123', ['10.0.0.0/8'], [], true],
  ['10.1.2.3:50123', [], ['10.1.2.3'], false],
  ['[2001:db8::1]:50123', ['2001:db8::/32'], [], true],
  ['unknown', ['10.0.0.0/8'], [], false],
  ['unknown', [], ['10.0.0.0/8'], false],
])(
  'address %s is allowed with the allow list %j and the deny list %j: %j',
  (ip, allowList, denyList, expected) => {
    expect(createAddressCheck({ allowList, denyList })(ip)).toBe(expected);
  },
);
