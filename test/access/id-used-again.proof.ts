import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import { type Person, person } from '../support/people.ts';
import {
  type Ask,
  absent,
  addressOf,
  done,
  endpoints,
  type Hidden,
  hidden,
  makeHidden,
  makeInsiders,
  makeShared,
  mark,
  thingsOf,
} from '../support/private-project.ts';

/** A fixed time, so that two resources created in the same way differ only in their names. */
const now = new Date();

let app: TestApp;
let former: Hidden;
/** Users who are not administrators: former members, a viewer, and the owner of the new project. */
let people: Readonly<Record<string, Person>>;
/** Tables that mention the project before and after its deletion, before its id is reused. */
let naming: readonly string[];
let namingStill: readonly string[];

/** Creates the same with both prefixes: a project with two features. */
async function makeAnew(word: string, { ask }: Person): Promise<void> {
  const project = `${word}-project`;
  await make(ask).project(project, { name: 'Made anew' });
  for (const name of [`${word}-child`, `${word}-parent`]) {
    await make(ask).feature(name, { project });
  }
}

beforeAll(async () => {
  app = await testApp({ clock: () => now });
  const shared = await makeShared(app.ask);
  former = await makeHidden(app, shared, await makeInsiders(app));
  naming = await tablesNaming(hidden);
  const path = `/api/admin/projects/${hidden}`;
  await done(
    app.ask(`POST ${path}/archive`, { payload: { features: [`${mark}-child`, `${mark}-parent`] } }),
  );
  await done(app.ask(`DELETE ${path}`));
  namingStill = await tablesNaming(hidden);
  const maker = await person(app, { rootRole: 2 });
  await makeAnew(mark, maker);
  await makeAnew(absent, maker);
  people = {
    'former owner': former.member,
    'former member by a group': former.inGroup,
    viewer: await person(app),
    'new owner': maker,
  };
});

async function tablesNaming(id: string): Promise<string[]> {
  const tables = await app.db.introspection.getTables();
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(name)} t
      where to_jsonb(t)::text like ${`%"${id}"%`}`.execute(app.db);
    if (rows[0]?.count) found.push(name);
  }
  return found.sort();
}

test('only events and revoked tokens mention a deleted project', () => {
  expect(naming).toEqual(
    expect.arrayContaining([
      'application_reach',
      'code_references',
      'code_scans',
      'features',
      'project_access_changes',
      'project_environments',
      'project_favorites',
      'project_group_roles',
      'project_user_roles',
      'projects',
      'segments',
      'tags',
    ]),
  );
  // The tokens were revoked with the project.
  expect(namingStill).toEqual(['api_tokens', 'events']);
});

const nothing = { segment: 2_147_483_647, strategy: '00000000-0000-4000-8000-000000000000' };
const callers = () => Object.entries(people);

const thingsUnder = (word: string) =>
  word === mark
    ? thingsOf(mark, former)
    : { ...thingsOf(absent, { ...nothing, token: nothing.segment }) };

/** Replaces names and ids so that responses can be compared. */
const anonymous = (answer: string): string =>
  answer
    .replaceAll(mark, absent)
    .replaceAll(former.strategy, nothing.strategy)
    .replaceAll(`'${former.segment}'`, `'${nothing.segment}'`)
    .replace(/"(?:id|revision|revisionId)":\d+/g, '"number":0')
    .replace(/"hash":"\w+"/g, '"hash":""')
    .replace(/^(\d+ \{)"id":"[^"]*"/, '$1');

const answerOf = async (ask: Ask, line: Parameters<Ask>[0], payload?: object) => {
  const { statusCode, body } = await ask(line, payload ? { payload } : {});
  return `${statusCode} ${body}`;
};

const reading = endpoints.filter(
  ({ method, path }) =>
    method === 'GET' &&
    path.includes(':') &&
    addressOf({ path } as Endpoint, thingsOf(mark, { ...nothing, token: 1 })),
);

describe('a project that reuses the id of a deleted one', () => {
  test.each(reading.map((endpoint) => [endpoint.id, endpoint] as const))(
    'returns the same from %s as a new project',
    async (_id, endpoint) => {
      for (const [who, { ask }] of callers()) {
        const [again, fresh] = await Promise.all(
          [mark, absent].map((word) =>
            answerOf(ask, `GET ${addressOf(endpoint, thingsUnder(word)) as string}`),
          ),
        );
        expect([who, anonymous(again as string)]).toEqual([who, anonymous(fresh as string)]);
      }
    },
  );

  const lists = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes(':'));

  /** Counts each name in a text, without its prefix. */
  function namesIn(text: string, word: string): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const [, name = ''] of text.matchAll(new RegExp(`${word}[- ]?(\\w*)`, 'g'))) {
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }

  test('appears in every list like a new project', async () => {
    const urls = [
      ...lists.map(({ path }) => path),
      '/api/admin/search/events?limit=1000',
      '/api/admin/search/features?limit=100',
      '/api/admin/metrics/applications/shared-app',
      '/api/admin/metrics/applications/shared-app/overview',
      '/api/admin/context/tenant/strategies',
    ];
    for (const [who, { ask }] of callers()) {
      for (const url of urls) {
        const { body } = await ask(`GET ${url}`);
        expect([who, url, namesIn(body, mark)]).toEqual([who, url, namesIn(body, absent)]);
      }
    }
  });

  const changing = endpoints.filter(
    ({ method, scope, permission }) => method !== 'GET' && scope && permission !== 'none',
  );

  test.each(changing.map((endpoint) => [endpoint.id, endpoint] as const))(
    'gives former members no permission for %s',
    async (_id, endpoint) => {
      const rest = Object.fromEntries(
        [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [name as string, '1']),
      );
      const url = addressOf(endpoint, { ...rest, ...thingsUnder(mark) }) as string;
      const line = `${endpoint.method} ${url}` as Parameters<Ask>[0];
      const asViewer = (await people.viewer?.ask(line, { payload: {} }))?.json();
      for (const who of ['former owner', 'former member by a group']) {
        const answer = (await people[who]?.ask(line, { payload: {} }))?.json();
        expect([who, answer.name, answer.message]).toEqual([who, asViewer.name, asViewer.message]);
        if (!endpoint.demandedByService) expect(answer.name).toBe('NoAccessError');
      }
    },
  );
});
