import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { happen } from '../../../../test/support/happen.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';

let on: TestApp;
let member: Person;
beforeAll(async () => {
  on = await testApp();
  await make(on.ask).project('open-shop');
  await make(on.ask).project('closed-shop', { mode: 'private' });
  member = await person(on);
  const [ann, bob] = [
    { id: 71, name: 'ann@example.com' },
    { id: 72, name: 'bob@example.com' },
  ];
  for (const by of [ann, bob, ann]) {
    await happen(
      on.db,
      {
        project: 'open-shop',
        environment: 'production',
        featureName: 'f',
        by,
        data: { word: 'sale' },
      },
      { project: 'closed-shop', type: 'feature-archived', featureName: 'g', by },
      { project: 'open-shop', type: 'feature-updated', environment: 'development', by },
      { type: 'user-created', by },
    );
  }
});

interface Event {
  readonly type: string;
  readonly project: string | null;
  readonly environment: string | null;
  readonly createdBy: string;
  readonly createdByUserId: number;
}

/** Counts the values in all events that the search finds. */
function counted(events: readonly Event[]) {
  const count = (pick: (event: Event) => string | null) => {
    const counts = new Map<string, number>();
    for (const event of events) {
      const value = pick(event);
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return Object.fromEntries(counts);
  };
  return {
    types: count(({ type }) => type),
    projects: count(({ project }) => project),
    environments: count(({ environment }) => environment),
    creators: count(({ createdBy, createdByUserId }) => `${createdByUserId} ${createdBy}`),
  };
}

const asObject = (list: readonly { value: string; count: number }[]) =>
  Object.fromEntries(list.map(({ value, count }) => [value, count]));

describe('the facets of a search', () => {
  test.each([
    '',
    'project=IS:open-shop',
    'project=IS:closed-shop',
    'type=IS_ANY_OF:feature-archived,feature-updated',
    'notType=IS:feature-updated',
    'query=sale',
    'query=sale&environment=IS:production&createdBy=IS:71',
    'createdBy=IS:ann@example.com',
    'from=IS:2026-01-01',
    'to=IS:2020-01-01',
    'feature=IS:',
  ])('count the values in the events found by "%s"', async (filter) => {
    for (const ask of [on.ask, member.ask]) {
      const [found, facets] = await Promise.all([
        ask(`GET /api/admin/search/events?limit=1000&${filter}`),
        ask(`GET /api/admin/search/events/facets?limit=200&${filter}`),
      ]);
      expect(facets.statusCode, facets.body).toBe(200);
      const { events, total } = found.json();
      const { counted: count, isComplete, since, creators, ...rest } = facets.json();
      expect([count, isComplete, since]).toEqual([total, true, null]);
      expect({
        types: asObject(rest.types),
        projects: asObject(rest.projects),
        environments: asObject(rest.environments),
        creators: Object.fromEntries(
          creators.map((each: { id: number; name: string; count: number }) => [
            `${each.id} ${each.name}`,
            each.count,
          ]),
        ),
      }).toEqual(counted(events));
    }
  });
});

test('the most frequent values come first, up to the limit', async () => {
  const response = await on.ask(
    'GET /api/admin/search/events/facets?limit=1&project=IS_ANY_OF:open-shop,closed-shop&createdBy=IS_ANY_OF:71,72',
  );
  expect(response.json()).toMatchObject({
    projects: [{ value: 'open-shop', count: 6 }],
    creators: [{ id: 71, name: 'ann@example.com', count: 6 }],
  });
});

test('a new event is counted immediately', async () => {
  const count = async () =>
    (await on.ask('GET /api/admin/search/events/facets?type=IS:segment-created')).json().counted;
  expect(await count()).toBe(0);
  await happen(on.db, { type: 'segment-created' });
  expect(await count()).toBe(1);
});

test('a malformed filter is rejected as in the search', async () => {
  const response = await on.ask('GET /api/admin/search/events/facets?type=IS:nosuch&limit=none');
  expect(response.statusCode).toBe(400);
  expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual([
    '/query/type',
    '/query/limit',
  ]);
});
