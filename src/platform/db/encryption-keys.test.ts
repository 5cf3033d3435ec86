import { expect, test } from 'vitest';
import { testActor, testApp } from '../../../test/support/app.ts';
import { requireEncryptionKeys, retireOtherKeys } from './encryption-keys.ts';

const [one, two, three] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [
  Buffer,
  Buffer,
  Buffer,
];

test('if several instances start at once with different keys, only one starts', async () => {
  const { transact } = await testApp();
  const starts = await Promise.allSettled(
    [one, two, three].map((key) => transact(testActor, (tx) => requireEncryptionKeys(tx, [key]))),
  );
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a key can be rotated: start with both, re-encrypt, then use only the new one', async () => {
  const { transact } = await testApp();
  const start = (...keys: Buffer[]) => transact(testActor, (tx) => requireEncryptionKeys(tx, keys));
  const reseal = (giveUpLost: boolean, ...keys: Buffer[]) =>
    transact(testActor, (tx) => retireOtherKeys(tx, keys, { giveUpLost }));
  const lacks = /^ENCRYPTION_KEY does not contain a key \([0-9a-f]{8}\)/;
  await start(one);
  await expect(start(two)).rejects.toThrow(lacks);
  await expect(start()).rejects.toThrow('ENCRYPTION_KEY is not set');
  await start(two, one);
  await expect(start(one)).rejects.toThrow(lacks);
  await expect(reseal(false, two)).rejects.toThrow(lacks);
  await expect(start(two)).rejects.toThrow(lacks);
  await reseal(false, two, one);
  await start(two);
  // A wrong key by mistake: instances with the right key still start.
  await expect(reseal(false, three)).rejects.toThrow(lacks);
  await start(two);
  // The key is lost.
  await expect(start(three)).rejects.toThrow(lacks);
  await reseal(true, three);
  await start(three);
});
