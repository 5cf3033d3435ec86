import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { person } from '../../../../../test/support/people.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';

let app: TestApp;
let create: ReturnType<typeof make>;
beforeAll(async () => {
  app = await testApp();
  create = make(app.ask);
});

const tried = (
  feature: string,
  payload: object,
  { ask = app.ask, project = 'default', environment = 'development' } = {},
) =>
  ask(
    `POST /api/admin/projects/${project}/features/${feature}/environments/${environment}/playground`,
    { payload },
  );

const everybody = (rollout: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout, stickiness: 'userId', groupId: 'group' },
});
const onlyFor = (...values: string[]) => ({
  ...everybody('100'),
  constraints: [{ contextName: 'userId', operator: 'IN', values }],
});

test('a feature is evaluated as saved and with unsaved changes, each with reasons', async () => {
  await create.feature('tried');
  await create.strategy('tried', onlyFor('ann'));
  await create.switchedOn('tried');
  const events = await countEvents(app.db);
  const response = await tried('tried', {
    context: { userId: 'ann,bob' },
    strategies: [onlyFor('bob')],
  });
  expect(response.statusCode, response.body).toBe(200);
  const { decisions } = response.json();
  const outcomes = decisions.map(
    ({ saved, unsaved }: Record<'saved' | 'unsaved', { isEnabled: boolean; context: object }>) => [
      saved.context,
      saved.isEnabled,
      unsaved.isEnabled,
    ],
  );
  expect(outcomes).toEqual([
    [{ environment: 'development', userId: 'ann' }, true, false],
    [{ environment: 'development', userId: 'bob' }, false, true],
  ]);
  const [{ unsaved }] = decisions;
  expect(unsaved.explanation).toMatch(/\w/);
  const [constraint] = unsaved.strategies.data[0].constraints;
  expect([constraint.actual, constraint.values, constraint.result]).toEqual([
    'ann',
    ['bob'],
    false,
  ]);
  expect(await countEvents(app.db)).toBe(events);
});

test('omitted properties are those of the saved feature', async () => {
  await create.feature('tried-partly');
  await create.strategy('tried-partly', onlyFor('ann'));
  const decide = async (change: object) => {
    const response = await tried('tried-partly', { context: { userId: 'ann' }, ...change });
    return response.json().decisions[0].unsaved.isEnabled;
  };
  expect(await decide({})).toBe(false);
  expect(await decide({ enabled: true })).toBe(true);
  expect(await decide({ enabled: true, strategies: [] })).toBe(true);
  expect(await decide({ enabled: true, strategies: [everybody('0')] })).toBe(false);
});

test('unsaved decisions equal those after saving', async () => {
  await create.feature('tried-then-saved');
  const strategy = { name: 'flexibleRollout', parameters: { rollout: '50' } };
  const context = { userId: Array.from({ length: 20 }, (_, user) => `user-${user}`).join() };
  const before = await tried('tried-then-saved', {
    context,
    enabled: true,
    strategies: [strategy],
  });
  await create.strategy('tried-then-saved', strategy);
  await create.switchedOn('tried-then-saved');
  const after = await tried('tried-then-saved', { context });
  const enabled = (response: typeof after, state: string) =>
    response
      .json()
      .decisions.map((each: Record<string, { isEnabled: boolean }>) => each[state]?.isEnabled);
  expect(enabled(before, 'unsaved')).toEqual(enabled(after, 'saved'));
  expect(new Set(enabled(after, 'saved'))).toEqual(new Set([true, false]));
});

test('unsaved parent dependencies are evaluated', async () => {
  await create.feature('tried-parent');
  await create.feature('tried-child');
  const ask = (change: object) =>
    tried('tried-child', { context: {}, enabled: true, strategies: [], ...change });
  const { decisions } = (await ask({ dependencies: [{ feature: 'tried-parent' }] })).json();
  expect(decisions[0].unsaved.hasUnsatisfiedDependency).toBe(true);
  expect(decisions[0].unsaved.isEnabled).toBe(false);
});

test('validation errors are reported by path', async () => {
  await create.feature('tried-wrongly');
  const pathsOf = async (change: object) => {
    const response = await tried('tried-wrongly', { context: {}, ...change });
    expect(response.statusCode, response.body).toBe(400);
    return response.json().details.map(({ path }: { path: string }) => path);
  };
  const constraint = { contextName: 'userId', operator: 'NUM_EQ', value: 'none' };
  expect(await pathsOf({ strategies: [{ name: 'default', constraints: [constraint] }] })).toEqual([
    '/body/strategies/0/constraints/0/value',
  ]);
  expect(await pathsOf({ strategies: Array(31).fill({ name: 'default' }) })).toEqual([
    '/body/strategies',
  ]);
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  expect(await pathsOf({ context: { userId: numbers, a: numbers, b: numbers } })).toEqual([
    '/body',
  ]);
});

test('segments of projects that the user cannot see are rejected as unknown', async () => {
  await create.project('tried-secret', { mode: 'private' });
  const foreign = await create.segment('tried-foreign', { project: 'tried-secret' });
  const shared = await create.segment('tried-shared');
  await create.feature('tried-segments');
  const { ask } = await person(app);
  const withSegment = ({ id }: { id: number }) =>
    tried(
      'tried-segments',
      { context: {}, strategies: [{ name: 'default', segments: [id] }] },
      { ask },
    );
  expect((await withSegment(shared)).statusCode).toBe(200);
  const refused = await withSegment(foreign);
  expect([refused.statusCode, refused.json().details[0].path]).toEqual([
    400,
    '/body/strategies/0/segments/0',
  ]);
  expect(refused.body).not.toContain('tried-foreign');
});

test('a hidden project and unknown features and environments return 404', async () => {
  await create.project('tried-private', { mode: 'private' });
  await create.feature('tried-hidden', { project: 'tried-private' });
  const { ask } = await person(app, { rootRole: 2 });
  const at = { ask, project: 'tried-private' };
  expect((await tried('tried-hidden', { context: {} }, at)).statusCode).toBe(404);
  expect((await tried('tried-hidden', { context: {} })).statusCode).toBe(404);
  const elsewhere = { environment: 'nowhere', project: 'tried-private' };
  expect((await tried('tried-hidden', { context: {} }, elsewhere)).statusCode).toBe(404);
});
