import { beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import { type Person, person } from '../support/people.ts';
import { endpoints } from '../support/private-project.ts';
import { countEvents } from '../support/recorded.ts';
import { movableClock } from '../support/visitor.ts';

const time = movableClock();
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: time.clock });
  await make(app.ask).feature('starred');
});

const favorites = '/api/admin/projects/default/features/starred/favorites';

const toggle = (by: Person, nth: number) =>
  by.ask(`${nth % 2 === 0 ? 'POST' : 'DELETE'} ${favorites}`);

test('an account without permissions can record a hundred events at once, and then ten a minute', async () => {
  const viewer = await person(app);
  const before = await countEvents(app.db);
  for (let nth = 0; nth < 100; nth += 1) expect((await toggle(viewer, nth)).statusCode).toBe(200);
  const refused = await toggle(viewer, 100);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '6']);
  expect(refused.json()).toMatchObject({
    name: 'UnavailableError',
    message: 'Too many changes by your account. Try again in 6 seconds',
  });
  const follow = '/api/admin/user/follows/projects/default';
  expect((await viewer.ask(`PUT ${follow}`)).statusCode).toBe(503);
  expect(await countEvents(app.db)).toBe(before + 100);
  // Other users and other requests are not limited.
  expect((await (await person(app)).ask(`POST ${favorites}`)).statusCode).toBe(200);
  expect((await viewer.ask('GET /api/admin/projects')).statusCode).toBe(200);
  time.pass({ minutes: 1 });
  const answers = [];
  for (let nth = 0; nth < 11; nth += 1) answers.push((await toggle(viewer, nth)).statusCode);
  expect(answers).toEqual([...Array(10).fill(200), 503]);
});

test('only accounts that can change no features propose a limited number of changes', async () => {
  const [viewer, member] = [await person(app), await person(app, { roles: { default: 5 } })];
  const propose = (by: Person) =>
    by.ask('POST /api/admin/projects/default/environments/development/change-requests', {
      payload: { feature: 'starred', action: 'updateEnabled', payload: { enabled: true } },
    });
  for (const by of [viewer, member]) {
    for (let nth = 0; nth < 99; nth += 1) expect((await toggle(by, nth)).statusCode).toBe(200);
    expect((await propose(by)).statusCode).toBe(200);
  }
  // Only the viewer's proposal counts.
  expect((await toggle(viewer, 99)).statusCode).toBe(503);
  expect((await toggle(member, 99)).statusCode).toBe(200);
  expect((await propose(viewer)).statusCode).toBe(503);
  expect((await propose(member)).statusCode).toBe(200);
});

/** These check the permission for each change, or only read. */
const checkedElsewhere = ['changeFeaturesInBulk', 'exportFeatures', 'revertEvent', 'revertEvents'];

test('every change that needs no permission is rate limited', () => {
  const isChange = ({ method, permission, audience, duringMaintenance }: Endpoint) =>
    method !== 'GET' && permission === 'none' && !audience && !duringMaintenance;
  const unlimited = endpoints.filter((each) => isChange(each) && !each.limitedPerAccount);
  expect(unlimited.map(({ id }) => id).sort()).toEqual(checkedElsewhere);
});
