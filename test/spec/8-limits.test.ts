import { beforeAll, describe, expect, test } from 'vitest';
import { defineEvent, record } from '../../src/modules/events/index.ts';
import { type TestApp, testActor, testApp } from '../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
  const made = defineEvent({ type: 'feature-created', label: 'Made', summary: ({ user }) => user });
  await app.transact(testActor, async (tx) => {
    for (let number = 0; number < 1100; number += 1) record(tx, made({ data: { number } }));
  });
});

const rows = async (parameters: string) =>
  (await app.ask(`GET /api/admin/search/events?${parameters}`)).json().events.length;

describe('8 Limits', () => {
  test('event search returns 50 events by default', async () => {
    expect(await rows('')).toBe(50);
  });

  test('event search returns at most 1000 events, also for a larger limit', async () => {
    expect(await rows('limit=1000')).toBe(1000);
    expect(await rows('limit=1001')).toBe(1000);
    expect(await rows('limit=99999999999999999999')).toBe(1000);
    expect(await rows('limit=99999999999999999999&query=number')).toBe(1000);
  });

  test('the offset is 0 by default', async () => {
    const first = (await app.ask('GET /api/admin/search/events?limit=2')).json();
    const second = (await app.ask('GET /api/admin/search/events?limit=1&offset=1')).json();
    expect(second.events[0]).toEqual(first.events[1]);
  });

  test('event ids start at 1', async () => {
    const { events } = (await app.ask('GET /api/admin/search/events?order=asc&limit=1')).json();
    expect(events[0].id).toBe(1);
  });

  test('a body of exactly 1 MiB is accepted, and one byte more is not', async () => {
    const body = (bytes: number) => `{"id":"x","pad":"${'x'.repeat(bytes - 19)}"}`;
    const post = (payload: string) =>
      app.ask('POST /api/admin/projects/validate', {
        payload,
        headers: { 'content-type': 'application/json' },
      });
    expect(body(100)).toHaveLength(100);
    expect((await post(body(1024 * 1024))).statusCode).not.toBe(413);
    const refused = await post(body(1024 * 1024 + 1));
    expect(refused.statusCode).toBe(413);
    expect(refused.json()).toMatchObject({
      name: 'PayloadTooLargeError',
      message: expect.stringContaining('1048576'),
    });
  });
});
