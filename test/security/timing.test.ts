import { beforeAll, expect, test } from 'vitest';
import { createGate } from '../../src/modules/access/gate/index.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/log.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { person } from '../support/people.ts';
import { adminToken } from '../support/tokens.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const now = new Date();

/** A gate without cached credentials, and a count of its select statements. */
function freshGate() {
  let asked = 0;
  const db: Db = new Proxy(app.db, {
    get(target, name) {
      if (name === 'selectFrom') asked += 1;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const gate = createGate({
    db,
    transact: app.transact,
    // Stopped, because the cache trusts a token for a second.
    clock: () => now,
    log: createLogger('silent'),
    settings: { baseUrl: 'http://localhost:4242', sessionTtlHours: 48, sessionIdleHours: 12 },
  });
  const authenticate = (headers: Record<string, string>) =>
    gate.authenticate(
      { headers, cookies: {}, method: 'GET', ip: '', id: '' } as never,
      {} as never,
    );
  return { authenticate, asked: () => asked };
}

test('every unknown credential takes exactly one query, whatever its format', async () => {
  const revoked = await person(app);
  await app.db.deleteFrom('personal_tokens').where('user_id', '=', revoked.id).execute();
  const refused: Record<string, string>[] = [
    {},
    { authorization: '' },
    { authorization: 'Bearer ' },
    { authorization: 'two words' },
    { authorization: `${adminToken.slice(0, -1)}x` },
    { authorization: 'x'.repeat(5000) },
    { authorization: 'user:unknown' },
    { authorization: revoked.token },
  ];
  for (const headers of refused) {
    const { authenticate, asked } = freshGate();
    expect(await authenticate(headers), JSON.stringify(headers)).toBeUndefined();
    expect(asked(), JSON.stringify(headers).slice(0, 60)).toBe(1);
  }
});

test('an invalid token is looked up every time, a valid token is cached', async () => {
  const { authenticate, asked } = freshGate();
  for (let times = 0; times < 3; times += 1) await authenticate({ authorization: '*:*.unknown' });
  expect(asked()).toBe(3);
  for (let times = 0; times < 3; times += 1) await authenticate({ authorization: adminToken });
  expect(asked()).toBe(4);
});

test('concurrent requests with the same token share one lookup', async () => {
  const { authenticate, asked } = freshGate();
  const actors = await Promise.all(
    Array.from({ length: 20 }, () => authenticate({ authorization: adminToken })),
  );
  expect(new Set(actors.map((actor) => actor?.name))).toEqual(new Set(['admin']));
  expect(asked()).toBe(1);
});
