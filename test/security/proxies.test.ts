import { describe, expect, test } from 'vitest';
import { testApp } from '../support/app.ts';

/** The IP address recorded for a change that was sent with X-Forwarded-For. */
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

describe('X-Forwarded-For', () => {
  test('is ignored if no trusted proxy is configured', async () => {
    expect(await recordedAddress([], '127.0.0.1')).toBe('127.0.0.1');
  });

  test('is used if it comes from a trusted proxy', async () => {
    expect(await recordedAddress(['10.1.0.0/16'], '10.1.2.3')).toBe('203.0.113.9');
  });

  test('is ignored if it comes from another address', async () => {
    expect(await recordedAddress(['10.1.0.0/16'], '198.51.100.7')).toBe('198.51.100.7');
  });
});
