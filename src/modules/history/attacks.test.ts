import { expect, test } from 'vitest';
import { testActor, testApp } from '../../../test/support/app.ts';
import { applyToHistory } from '../../../test/support/history.ts';
import { make } from '../../../test/support/make.ts';
import { person } from '../../../test/support/people.ts';
import { firstCases } from '../../../test/support/random-cases.ts';
import { forgetEverywhere } from '../../app/installation.ts';
import { contract } from '../../contract.ts';
import type { Endpoint } from '../../platform/contract/endpoint.ts';

const app = await testApp();
const create = make(app.ask);
const admin = '/api/admin';

const head = async (): Promise<number> =>
  (await app.ask(`GET ${admin}/search/events?limit=1`)).json().events[0].id;

await create.project('closed', { mode: 'private' });
await create.feature('of-closed', { project: 'closed', description: 'Confidential' });
await create.feature('seen');

/** The values of parameters of paths, so that most of them exist. */
const values: Readonly<Record<string, string>> = {
  projectId: 'default',
  featureName: 'seen',
  environment: 'development',
  name: 'development',
  id: '1',
  roleId: '4',
  type: 'simple',
  contextField: 'userId',
};

/** Every read that takes a moment. */
const reads = Object.values(contract)
  .flatMap((module) => Object.values(module) as Endpoint[])
  .filter(({ method, query }) => {
    const { properties } = (query ?? {}) as { properties?: Record<string, unknown> };
    return method === 'GET' && properties !== undefined && 'asOf' in properties;
  })
  .map(({ path }) => path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'x'));

const oddMoments = [
  '0',
  '999999999999999',
  '0001-01-01T00:00:00Z',
  '2026-02-30T99:99:99Z',
  '99999999999999999999',
  '-1',
  '1.5',
  '1e3',
  '',
  'now',
  '%00',
  "1'%20or%20'1'='1",
  '٣',
  '9999-12-31T23:59:59Z',
  '2026-11-17T14:03:00+25:00',
  '2026-11-17T....Z',
  '1&asOf=2',
  '1,2',
];

test('every read rejects malformed moments without a server error', async () => {
  expect(reads.length).toBeGreaterThan(30);
  for (const path of reads) {
    for (const moment of firstCases(4, oddMoments)) {
      const { statusCode, body } = await app.ask(`GET ${path as '/'}?asOf=${moment}`);
      expect([400, 404], `${path}?asOf=${moment}: ${body}`).toContain(statusCode);
    }
  }
  for (const moment of oddMoments) {
    for (const path of [
      `GET ${admin}/history/difference?from=${moment}&to=${moment}`,
      `GET ${admin}/history/incident?from=${moment}&to=${moment}&environment=production`,
    ] as const) {
      const { statusCode, body } = await app.ask(path);
      expect([400, 404], `${path}: ${body}`).toContain(statusCode);
    }
  }
});

test('users without access to a project see nothing of its past, even if they had access then', async () => {
  const member = await person(app);
  const grant = { roles: [5], groups: [], users: [member.id] };
  await app.ask(`POST ${admin}/projects/closed/access`, { payload: grant });
  const then = await head();
  expect((await member.ask(`GET ${admin}/projects/closed/features/of-closed`)).statusCode).toBe(
    200,
  );
  const viewer = await person(app);
  await app.ask(`DELETE ${admin}/projects/closed/users/${member.id}/roles`);
  await applyToHistory(app);
  const now = await head();
  for (const { ask } of [member, viewer]) {
    for (const path of [
      ...reads.map((read) => read.replace('/default', '/closed').replace('/seen', '/of-closed')),
      ...reads,
    ]) {
      const today = await ask(`GET ${path as '/'}`);
      const past = await ask(`GET ${path as '/'}?asOf=${then}`);
      expect(past.body, path).not.toMatch(/Confidential|of-closed"/);
      if (today.statusCode >= 400) expect(past.statusCode, path).toBe(today.statusCode);
    }
    for (const path of [
      `GET ${admin}/history/difference?from=1&to=${now}`,
      `GET ${admin}/history/difference?from=1&to=${now}&project=closed`,
      `GET ${admin}/environments/development/client-features?asOf=${then}`,
    ] as const) {
      expect((await ask(path)).body, path).not.toMatch(/Confidential|of-closed/);
    }
  }
});

test('the difference contains no event that the user cannot see in the log', async () => {
  await create.feature('wanderer');
  const from = await head();
  const moveTo = (project: string, newProjectId: string) =>
    app.ask(`POST ${admin}/projects/${project}/features/wanderer/changeProject`, {
      payload: { newProjectId },
    });
  await moveTo('default', 'closed');
  await app.ask(`PUT ${admin}/projects/closed/features/wanderer`, {
    payload: { description: 'Confidential plans' },
  });
  await moveTo('closed', 'default');
  const to = await head();
  const path = `${admin}/history/difference?from=${from}&to=${to}` as const;
  const whole = (await app.ask(`GET ${path}`)).json();
  expect(whole.changes[0].events.length).toBeGreaterThan(2);
  const viewer = await person(app);
  const seen = (await viewer.ask(`GET ${path}`)).json();
  for (const { events } of seen.changes) {
    for (const id of events) {
      expect((await viewer.ask(`GET ${admin}/search/events/${id}`)).statusCode, `event ${id}`).toBe(
        200,
      );
    }
  }
  expect(
    JSON.stringify(seen.changes.map(({ summary }: { summary: unknown }) => summary)),
  ).not.toContain('closed');
});

test('responses about the past contain no secrets of settings or tokens', async () => {
  const from = await head();
  await app.ask(`POST ${admin}/auth/oidc/settings`, {
    payload: { discoverUrl: 'https://example.com', clientId: 'c', secret: 'hush-hush-secret' },
  });
  const token = (
    await app.ask(`POST ${admin}/api-tokens`, {
      payload: { tokenName: 'ci', type: 'client', environment: 'development', projects: ['*'] },
    })
  ).json().secret;
  const to = await head();
  for (const path of [
    `GET ${admin}/auth/oidc/settings?asOf=${to}`,
    `GET ${admin}/projects/default/overview?asOf=${to}`,
    `GET ${admin}/history/difference?from=${from}&to=${to}`,
  ] as const) {
    const { statusCode, body } = await app.ask(path);
    expect([statusCode, body.includes('hush-hush'), body.includes(token)], path).toEqual([
      200,
      false,
      false,
    ]);
  }
});

test('responses about the past contain nothing about an erased user', async () => {
  const name = 'erika-mustermann';
  const { id } = (
    await app.ask(`POST ${admin}/user-admin`, {
      payload: { username: name, name: 'Erika Mustermann', rootRole: 2, sendEmail: false },
    })
  ).json();
  await app.ask(`POST ${admin}/groups`, { payload: { name: 'team', users: [{ user: { id } }] } });
  await app.ask(`POST ${admin}/projects/default/access`, {
    payload: { roles: [5], groups: [], users: [id] },
  });
  await app.ask(`PUT ${admin}/projects/default/features/seen`, {
    payload: { owner: { type: 'user', id } },
  });
  await applyToHistory(app);
  const then = await head();
  const access = `GET ${admin}/projects/default/access?asOf=${then}` as const;
  expect((await app.ask(access)).body).toContain(name);
  await app.ask(`DELETE ${admin}/user-admin/${id}`);
  await forgetEverywhere(app.transact, testActor, id);
  for (const path of [
    ...reads.map((read) => `${read}?asOf=${then}`),
    `${admin}/groups?asOf=${then}`,
    `${admin}/history/difference?from=1&to=${then}`,
  ]) {
    expect((await app.ask(`GET ${path as '/'}`)).body, path).not.toMatch(/erika/i);
  }
});
