import { describe, expect, test } from 'vitest';
import { closeLater } from '../../../test/support/closing.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { createOutgoing } from './send.ts';

const limits = { timeoutMs: 60_000 };
const get = (url: string) => ({ method: 'GET', url, headers: {} }) as const;

const opened = (policy: Parameters<typeof createOutgoing>[0]) => {
  const outgoing = createOutgoing(policy);
  closeLater(async () => outgoing.close());
  return outgoing;
};

describe('this machine', () => {
  test('can be reached only by requests that may use loopback, and the error says how to allow it', async () => {
    const outgoing = opened({ privateTargets: false, loopback: true });
    const { url, received } = await startReceiver();
    for (const address of [
      url,
      url.replace('127.0.0.1', 'localhost'),
      url.replace('127.0.0.1', '0'),
    ]) {
      await expect(outgoing.send(get(address), limits)).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(
          /this machine itself; add it to ALLOW_PRIVATE_TARGETS, or have an admin save the integration\.$/,
        ),
      });
    }
    expect(received).toEqual([]);
    expect((await outgoing.send(get(url), { ...limits, loopback: true })).status).toBe(200);
  });

  test('cannot be reached over a connection left open by a request that may use loopback', async () => {
    const outgoing = opened({ privateTargets: false, loopback: true });
    const { url, received } = await startReceiver();
    const named = url.replace('127.0.0.1', 'localhost');
    await outgoing.send(get(named), { ...limits, loopback: true });
    await expect(outgoing.send(get(named), limits)).rejects.toMatchObject({ kind: 'refused' });
    expect(received).toHaveLength(1);
  });

  test('can be reached by all requests if ALLOW_PRIVATE_TARGETS names it, and by none without loopback', async () => {
    const { url } = await startReceiver();
    for (const privateTargets of [true, ['127.0.0.0/8']]) {
      const allowed = opened({ privateTargets, loopback: false });
      expect((await allowed.send(get(url), limits)).status).toBe(200);
    }
    const closed = opened({ privateTargets: false, loopback: false });
    await expect(closed.send(get(url), { ...limits, loopback: true })).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/add it to ALLOW_PRIVATE_TARGETS to allow it\.$/),
    });
  });
});
