import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { applyToHistory } from '../../../../test/support/history.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { type CurrentState, nameOfThing, readPresentStates } from '../../history/index.ts';

const app = await testApp();
const create = make(app.ask);
const segments = [
  (await create.segment('without-a')).id,
  (await create.segment('without-b')).id,
] as const;

const admin = '/api/admin/projects/default/features';
const environments = ['development', 'production'] as const;
const names = ['one', 'two'] as const;

/** A change of one of two features. Its values are those of its step, so that no other change sets the same. */
interface Change {
  readonly kind: keyof typeof requests;
  readonly feature: number;
  readonly environment: number;
  /** The step whose strategy, tag, or link it is about. */
  readonly of: number;
}

/** Where a change is made: the same changes are made to features with other names. */
interface World {
  readonly prefix: string;
  readonly strategies: ReadonlyMap<number, string>;
  readonly links: ReadonlyMap<number, string>;
}

type Ask = Parameters<typeof app.ask>;
type Request = (
  at: {
    readonly path: string;
    readonly within: string;
    readonly name: string;
    readonly other: string;
  },
  change: Change & { readonly step: number },
  world: World,
) => readonly [Ask[0], object?];

/** They share the weight unevenly: the first one gets more, though it is the last by name. */
const unevenVariants = (first: string) =>
  [first, 'm', 'a'].map((name) => ({
    ...{ name, weight: 0, weightType: 'variable', stickiness: 'default' },
  }));

const missing = '00000000-0000-4000-8000-000000000000';

const requests = {
  describe: ({ path }, { step }) => [`PUT ${path}`, { description: `step ${step}` }],
  'make stale': ({ path }) => [`PUT ${path}`, { stale: true }],
  enable: ({ within }) => [`POST ${within}/on`],
  disable: ({ within }) => [`POST ${within}/off`],
  'add strategy': ({ within }, { step }) => [
    `POST ${within}/strategies`,
    {
      name: 'flexibleRollout',
      title: `strategy ${step}`,
      parameters: { rollout: `${step}`, stickiness: 'default', groupId: 'g' },
      // Several strategies have the same sort order.
      sortOrder: step % 3,
      segments: step % 2 === 0 ? [segments[0]] : [],
      variants: step % 3 === 0 ? unevenVariants('z') : [],
    },
  ],
  'change rollout': ({ within }, { step, of }, { strategies }) => [
    `PATCH ${within}/strategies/${strategies.get(of) ?? missing}`,
    [{ op: 'replace', path: '/parameters/rollout', value: `${50 + step}` }],
  ],
  'change constraints': ({ within }, { step, of }, { strategies }) => [
    `PATCH ${within}/strategies/${strategies.get(of) ?? missing}`,
    [
      {
        op: 'replace',
        path: '/constraints',
        value: [{ contextName: 'userId', operator: 'IN', values: [`${step}`] }],
      },
    ],
  ],
  'use segment': ({ within }, { of }, { strategies }) => [
    `PATCH ${within}/strategies/${strategies.get(of) ?? missing}`,
    [{ op: 'add', path: '/segments/-', value: segments[1] }],
  ],
  'remove strategy': ({ within }, { of }, { strategies }) => [
    `DELETE ${within}/strategies/${strategies.get(of) ?? missing}`,
  ],
  'set variants': ({ within }, { step }) => [
    `PUT ${within}/variants`,
    [
      { name: 'a', weight: 100 + step, weightType: 'fix' },
      { name: `b${step}`, weight: 900 - step },
    ],
  ],
  'share variants': ({ within }, { step }) => [
    `PUT ${within}/variants`,
    unevenVariants(`z${step}`),
  ],
  'add tag': ({ name }, { step }) => [
    `POST /api/admin/features/${name}/tags`,
    { type: 'simple', value: `tag ${step}` },
  ],
  'remove tag': ({ name }, { of }) => [
    `DELETE /api/admin/features/${name}/tags/simple/tag%20${of}`,
  ],
  'add link': ({ path }, { step }) => [
    `POST ${path}/link`,
    { url: `https://example.com/${step}`, title: `link ${step}` },
  ],
  'remove link': ({ path }, { of }, { links }) => [
    `DELETE ${path}/link/${links.get(of) ?? missing}`,
  ],
  'add dependency': ({ path, other }) => [`POST ${path}/dependencies`, { feature: other }],
  'remove dependency': ({ path, other }) => [`DELETE ${path}/dependencies/${other}`],
  archive: ({ path }) => [`DELETE ${path}`],
  revive: ({ name }) => [`POST /api/admin/archive/revive/${name}`],
} satisfies Readonly<Record<string, Request>>;

/** These set a value that another change may set as well, which a merge can't tell from leaving it. */
const shared: readonly (readonly Change['kind'][])[] = [
  ['make stale'],
  ['enable', 'disable', 'archive', 'revive'],
  ['use segment'],
  ['add dependency', 'remove dependency'],
];

const steps = 10;

const change = fc.record({
  kind: fc.constantFrom(...(Object.keys(requests) as Change['kind'][])),
  feature: fc.integer({ min: 0, max: 1 }),
  environment: fc.integer({ min: 0, max: 1 }),
  of: fc.integer({ min: 0, max: steps - 1 }),
});

const head = async (): Promise<number> =>
  Number(
    (
      await app.db
        .selectFrom('events')
        .select(({ fn }) => fn.max('id').as('id'))
        .executeTakeFirst()
    )?.id,
  );

/** What each change did: the IDs and types of its events. */
interface Made {
  readonly ids: readonly number[];
  readonly types: readonly string[];
}

async function makeAll(
  prefix: string,
  changes: readonly Change[],
  without?: number,
): Promise<readonly Made[]> {
  const nameOf = (feature: number) => `${prefix}-${names[feature]}`;
  for (const feature of [0, 1]) await create.feature(nameOf(feature));
  const [strategies, links] = [new Map<number, string>(), new Map<number, string>()];
  const made: Made[] = [];
  for (const [step, each] of changes.entries()) {
    if (step === without) {
      made.push({ ids: [], types: [] });
      continue;
    }
    const name = nameOf(each.feature);
    const path = `${admin}/${name}`;
    const within = `${path}/environments/${environments[each.environment]}`;
    const other = nameOf(1 - each.feature);
    const before = await head();
    const [request, payload] = (requests[each.kind] as Request)(
      { path, within, name, other },
      { ...each, step },
      { prefix, strategies, links },
    );
    const response = await app.ask(request, payload ? { payload } : {});
    expect(response.statusCode, response.body).toBeLessThan(500);
    if (response.statusCode < 300 && each.kind === 'add strategy') {
      strategies.set(step, response.json().id);
    }
    const events = await app.db
      .selectFrom('events')
      .select(['id', 'type'])
      .where('id', '>', before)
      .orderBy('id')
      .execute();
    const link = await app.db
      .selectFrom('feature_links')
      .select('id')
      .where('feature_name', '=', name)
      .where('url', '=', `https://example.com/${step}`)
      .executeTakeFirst();
    if (link) links.set(step, link.id);
    made.push({ ids: events.map(({ id }) => Number(id)), types: events.map(({ type }) => type) });
  }
  return made;
}

const byThing = (a: CurrentState, b: CurrentState): number =>
  nameOfThing(a) < nameOfThing(b) ? -1 : 1;

async function stateOf(prefix: string): Promise<CurrentState[]> {
  const states = await readPresentStates(
    app.db,
    names.flatMap((name) =>
      (['feature', 'feature-environment'] as const).map((kind) => ({
        kind,
        key: `${prefix}-${name}`,
      })),
    ),
  );
  return states.toSorted(byThing);
}

const sortedLinks = (links: readonly { readonly url: string }[]) =>
  links.toSorted((a, b) => (a.url < b.url ? -1 : 1));

/** The state without names, IDs and times, which differ between two worlds. */
function comparable(states: readonly CurrentState[], prefix: string): unknown {
  const text = JSON.stringify(states).replaceAll(`${prefix}-`, '');
  return JSON.parse(text, (key, value) => {
    if (key === 'id') return undefined;
    if (key === 'links') return sortedLinks(value);
    if (key === 'createdAt' || key === 'archivedAt') return value === null ? null : 'some time';
    return value;
  });
}

/** The time of an archiving is that of its last event, and a restored item is the last of its list. */
const withoutOrder = (states: readonly CurrentState[]): unknown =>
  JSON.parse(JSON.stringify(states), (key, value) => {
    if (key === 'archivedAt') return value === null ? null : 'some time';
    return key === 'links' ? sortedLinks(value) : value;
  });

let worlds = 0;

/** How often the comparison was possible, so that the property isn't trivially true. */
let compared = 0;

test('reverting any single change results in the state without it, and can itself be reverted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: steps, maxLength: steps }),
      fc.nat({ max: steps - 1 }),
      async (changes, undone) => {
        worlds += 1;
        // What the job does every ten seconds.
        await applyToHistory(app);
        const [mine, other] = [`w${worlds}`, `v${worlds}`];
        const made = await makeAll(mine, changes);
        const events = made[undone]?.ids ?? [];
        fc.pre(events.length > 0);
        const before = await stateOf(mine);
        const answer = await app.ask('POST /api/admin/events/revert', {
          payload: { eventIds: events },
        });
        if (answer.statusCode !== 200) {
          // What can't be merged is refused, and nothing is changed.
          expect([answer.statusCode, answer.body]).toEqual([409, expect.any(String)]);
          expect(await stateOf(mine)).toEqual(before);
          return;
        }
        const { eventIds, notReverted } = answer.json();
        const after = await stateOf(mine);
        const without = await makeAll(other, changes, undone);
        const { kind, feature } = changes[undone] as Change;
        const group = shared.find((kinds) => kinds.includes(kind)) ?? [];
        const isRepeated = changes.some(
          (later, step) =>
            step !== undone && group.includes(later.kind) && later.feature === feature,
        );
        const isSame = made.every(
          ({ types }, step) => step === undone || `${types}` === `${without[step]?.types}`,
        );
        // Otherwise later changes were made only because of it.
        if (isSame && !isRepeated && notReverted.length === 0) {
          compared += 1;
          expect(comparable(after, mine)).toEqual(comparable(await stateOf(other), other));
        }
        const again = await app.ask('POST /api/admin/events/revert', { payload: { eventIds } });
        expect([again.statusCode, again.body]).toEqual([200, expect.any(String)]);
        expect(withoutOrder(await stateOf(mine))).toEqual(withoutOrder(before));
      },
    ),
    { ...randomCases(2, 400), endOnFailure: true },
  );
  expect(compared).toBeGreaterThan(0);
  // The 400 cases of the proof take a quarter of an hour on a busy machine.
}, 3_600_000);

/** A change of the roles of one of three holders in a project. */
const accessRequests = {
  'set roles': (path, roles) => [`PUT ${path}/roles`, { roles }],
  'remove roles': (path) => [`DELETE ${path}/roles`],
  'add role': (path, [role = 5]) => [`POST ${path}/roles/${role}`],
  'remove role': (path, [role = 5]) => [`DELETE ${path}/roles/${role}`],
} satisfies Readonly<
  Record<string, (path: string, roles: readonly number[]) => readonly [string, object?]>
>;

const accessChange = fc.record({
  kind: fc.constantFrom(...(Object.keys(accessRequests) as (keyof typeof accessRequests)[])),
  holder: fc.nat({ max: 2 }),
  roles: fc.uniqueArray(fc.constantFrom(4, 5), { maxLength: 2 }),
});

test('reverting any single change of access results in the access without it', async () => {
  const users = [(await person(app)).id, (await person(app)).id, (await person(app)).id];
  const accessOf = async (project: string) =>
    (await readPresentStates(app.db, [{ kind: 'project-user', key: project }]))
      .map(({ part, state }) => JSON.stringify([part, state]))
      .sort();
  const makeChanges = async (
    project: string,
    changes: readonly { kind: keyof typeof accessRequests; holder: number; roles: number[] }[],
    without?: number,
  ): Promise<number[][]> => {
    await create.project(project);
    const made: number[][] = [];
    for (const [step, { kind, holder, roles }] of changes.entries()) {
      const before = await head();
      const path = `/api/admin/projects/${project}/users/${users[holder]}`;
      const [request, payload] = (
        accessRequests[kind] as (path: string, roles: number[]) => readonly [Ask[0], object?]
      )(path, roles);
      if (step !== without) {
        const { statusCode, body } = await app.ask(request, payload ? { payload } : {});
        expect(statusCode, body).toBeLessThan(500);
      }
      const after = await head();
      made.push(Array.from({ length: after - before }, (_, index) => before + 1 + index));
    }
    return made;
  };
  let same = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(accessChange, { minLength: 5, maxLength: 5 }),
      fc.nat({ max: 4 }),
      async (changes, undone) => {
        worlds += 1;
        const [mine, other] = [`access-${worlds}`, `without-${worlds}`];
        const made = await makeChanges(mine, changes);
        const eventIds = made[undone] ?? [];
        fc.pre(eventIds.length > 0);
        const before = await accessOf(mine);
        const answer = await app.ask('POST /api/admin/events/revert', { payload: { eventIds } });
        if (answer.statusCode !== 200) {
          expect([answer.statusCode, answer.body]).toEqual([409, expect.any(String)]);
          expect(await accessOf(mine)).toEqual(before);
          return;
        }
        const later = changes.slice(undone + 1);
        const without = await makeChanges(other, changes, undone);
        const isSame = made.every(
          (ids, step) => step === undone || ids.length === without[step]?.length,
        );
        // A later change that sets the roles of the same user sets all of them.
        if (isSame && !later.some(({ holder }) => holder === changes[undone]?.holder)) {
          same += 1;
          expect(await accessOf(mine)).toEqual(await accessOf(other));
        }
        const again = await app.ask('POST /api/admin/events/revert', {
          payload: { eventIds: answer.json().eventIds },
        });
        // A project that got an owner by the revert keeps one.
        if (again.statusCode === 200) expect(await accessOf(mine)).toEqual(before);
        else expect(again.json().message).toContain('needs at least one owner');
      },
    ),
    { ...randomCases(2, 150), endOnFailure: true },
  );
  expect(same).toBeGreaterThan(0);
});
