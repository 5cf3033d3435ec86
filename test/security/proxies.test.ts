import { describe, expect, test } from 'vitest';
import { testApp } from '../support/app.ts';

/** Which address a change is recorded with, when a request says that it was forwarded. */
async function recordedAddress(trustedProxies: string[], from: string): Promise<unknown> {
  const app = await testApp({ config: { trustedProxies } });
  await app.ask('POST /api/admin/tag-types', {
    payload: { name: 'proxied' },
    headers: { 'x-forwarded-for': '203.0.113.9' },
    remoteAddress: from,
  });
  const { events } = (
    await app.ask('GET /api/admin/search/events?type=IS:tag-type-created&limit=1')
  ).json();
  return events[0].ip;
}

describe('X-Forwarded-For is trusted only from configured proxies', () => {
  test('from nobody, when none is configured', async () => {
    expect(await recordedAddress([], '127.0.0.1')).toBe('127.0.0.1');
  });

  test('from a configured one', async () => {
    expect(await recordedAddress(['10.1.0.0/16'], '10.1.2.3')).toBe('203.0.113.9');
  });

  test('not from anybody else, who may write into the header what they like', async () => {
    expect(await recordedAddress(['10.1.0.0/16'], '198.51.100.7')).toBe('198.51.100.7');
  });
});
