import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../support/app.ts';
import { asSpecified } from '../support/as-specified.ts';
import { limitedApp } from '../support/limited-app.ts';
import { make } from '../support/make.ts';
import { countEvents, recordedBy } from '../support/recorded.ts';
import { strategyVariant, variant } from '../support/variants.ts';

const admin = '/api/admin';
const beta = { type: 'simple', value: 'beta' };

let app: TestApp;
let segment: { id: number };
let ofShop: { id: number };

/** A feature that uses every option: two environments, segments, variants, tags, a parent. */
async function makeRich(name: string): Promise<void> {
  const create = make(app.ask);
  await create.feature(`${name}-parent`);
  await create.feature(name, {
    type: 'experiment',
    description: 'Rich',
    impressionData: true,
    tags: [beta, { type: 'simple', value: 'ünï' }],
  });
  await create.strategy(name, {
    title: 'First',
    parameters: { rollout: '50', stickiness: 'userId', groupId: 'another-group' },
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['1', '2'], inverted: true }],
    segments: [segment.id],
    variants: [
      strategyVariant('a'),
      strategyVariant('b', { payload: { type: 'string', value: 'x' } }),
    ],
  });
  await create.strategy(name, { name: 'default', title: 'Second', disabled: true });
  await create.strategy(
    name,
    { name: 'userWithId', parameters: { userIds: '1,2' } },
    { environment: 'production' },
  );
  await create.variants(
    name,
    [variant('x', 1000, { overrides: [{ contextName: 'userId', values: ['7'] }] })],
    {
      environment: 'production',
    },
  );
  await create.dependency(name, `${name}-parent`, { variants: ['v1'] });
  await app.ask(`POST ${admin}/projects/default/features/${name}/environments/development/on`);
}

const clone = (
  source: string,
  payload: object,
  { project = 'default', query = '', app: server = app } = {},
) => server.ask(`POST ${admin}/projects/${project}/features/${source}/clone${query}`, { payload });

const read = async (name: string, project = 'default') =>
  asSpecified((await app.ask(`GET ${admin}/projects/${project}/features/${name}`)).json());

const errorOf = (response: Awaited<ReturnType<typeof clone>>) => [
  response.statusCode,
  response.json().name,
];

beforeAll(async () => {
  app = await testApp();
  const create = make(app.ask);
  await create.environment('staging');
  await create.project('shop', { environments: ['staging', 'production'] });
  segment = await create.segment('global-segment');
  ofShop = await create.segment('shop-segment', { project: 'shop' });
  await makeRich('rich');
});

describe('4.4 Clone a feature', () => {
  test('returns 200 with the complete new feature (2.6), as a later read does', async () => {
    const response = await clone('rich', { name: 'rich-copy' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(await read('rich-copy'));
    expect(response.json()).not.toHaveProperty('notCopied');
  });

  test('copies description, type, impressionData, tags, strategies, variants and parents', async () => {
    const copy = (await clone('rich', { name: 'rich-whole' })).json();
    const original = await read('rich');
    const same = ({ description, type, impressionData, tags, dependencies }: typeof copy) => ({
      description,
      type,
      impressionData,
      tags,
      dependencies,
    });
    expect(same(copy)).toEqual(same(original));
    for (const [index, environment] of copy.environments.entries()) {
      const before = original.environments[index];
      expect(environment.variants).toEqual(before.variants);
      const bare = (strategies: { id: string; featureName: string; parameters: object }[]) =>
        strategies.map(({ id, featureName, parameters, ...rest }) => rest);
      expect(bare(environment.strategies)).toEqual(bare(before.strategies));
      for (const [place, { id, featureName }] of environment.strategies.entries()) {
        expect(id).not.toBe(before.strategies[place].id);
        expect(featureName).toBe('rich-whole');
      }
    }
    expect(copy.tags).toHaveLength(2);
    expect(copy.environments[0].strategies).toHaveLength(2);
    expect(copy.environments[0].strategies[0].segments).toEqual([segment.id]);
  });

  test('does not copy state of the original: enabled, stale, favorite, lifecycle, creation time', async () => {
    await make(app.ask).feature('aged', { createdAt: '2024-01-01T00:00:00.000Z' });
    const at = `${admin}/projects/default/features/aged`;
    await app.ask(`POST ${at}/environments/production/on`);
    await app.ask(`POST ${at}/favorites`);
    await app.ask(`POST ${at}/lifecycle/complete`, { payload: { status: 'kept' } });
    await app.ask(`POST ${admin}/projects/default/stale`, {
      payload: { features: ['aged'], stale: true },
    });
    const original = await read('aged');
    expect(original).toMatchObject({ enabled: true, stale: true, favorite: true });
    const copy = (await clone('aged', { name: 'young' })).json();
    expect(copy).toMatchObject({
      enabled: false,
      stale: false,
      favorite: false,
      archived: false,
      lifecycle: { stage: 'initial' },
      children: [],
      createdBy: { id: testActor.id, name: 'admin' },
    });
    expect(copy.environments.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([
      false,
      false,
    ]);
    expect(Date.parse(copy.createdAt)).toBeGreaterThan(Date.parse('2026-01-01'));
  });

  test('sets the group id to the name of the copy, for strategy types that use a group id', async () => {
    const copy = (await clone('rich', { name: 'regrouped' })).json();
    const [development, production] = copy.environments;
    expect(development.strategies[0].parameters.groupId).toBe('regrouped');
    expect(development.strategies[1].parameters).not.toHaveProperty('groupId');
    expect(production.strategies[0].parameters).toEqual({ userIds: '1,2' });

    await make(app.ask).feature('groupless');
    await make(app.ask).strategy('groupless');
    await app.db
      .updateTable('feature_strategies')
      .set({ parameters: JSON.stringify({ rollout: '10' }) })
      .where('feature_name', '=', 'groupless')
      .execute();
    const grouped = (await clone('groupless', { name: 'grouped' })).json();
    expect(grouped.environments[0].strategies[0].parameters).toEqual({
      rollout: '10',
      groupId: 'grouped',
    });
  });

  test('keeps the group id with replaceGroupId false', async () => {
    const copy = (await clone('rich', { name: 'kept-groups', replaceGroupId: false })).json();
    expect(copy.environments[0].strategies[0].parameters).toEqual({
      rollout: '50',
      stickiness: 'userId',
      groupId: 'another-group',
    });
  });

  test('copies to another project what exists there and lists the rest in notCopied', async () => {
    const response = await clone('rich', { name: 'abroad' }, { project: 'shop' });
    const copy = response.json();
    expect(copy).toMatchObject({ name: 'abroad', project: 'shop', dependencies: [] });
    expect(copy.environments.map(({ name }: { name: string }) => name)).toEqual([
      'production',
      'staging',
    ]);
    expect(copy.notCopied).toEqual([
      { what: "environment 'development'", why: "Not available in 'shop'" },
      { what: "dependency on 'rich-parent'", why: expect.stringContaining("'default'") },
    ]);
    expect(await read('abroad', 'shop')).toEqual({ ...copy, notCopied: undefined });
    const [created] = await recordedBy(app.db, response);
    expect(created).toMatchObject({
      type: 'feature-created',
      project: 'shop',
      data: { clonedFrom: { project: 'default', feature: 'rich' }, notCopied: copy.notCopied },
    });
  });

  test('lists a segment that belongs to another project in notCopied', async () => {
    await make(app.ask).feature('segmented', { project: 'shop' });
    await make(app.ask).strategy(
      'segmented',
      { segments: [segment.id, ofShop.id] },
      { project: 'shop', environment: 'production' },
    );
    const copy = (await clone('segmented', { name: 'less-segmented' })).json();
    expect(copy.environments[1].strategies[0].segments).toEqual([segment.id]);
    expect(copy.notCopied).toEqual([
      { what: "segment 'shop-segment'", why: expect.stringContaining("'shop'") },
    ]);
  });

  test('copies a constraint value that is no longer a legal value', async () => {
    const field = { name: 'plan', legalValues: [{ value: 'gold' }] };
    await app.ask(`POST ${admin}/context`, { payload: field });
    await make(app.ask).feature('legal');
    const constraints = [{ contextName: 'plan', operator: 'IN', values: ['gold'] }];
    await make(app.ask).strategy('legal', { constraints });
    await app.ask(`PUT ${admin}/context/plan`, { payload: { legalValues: [{ value: 'silver' }] } });
    const response = await clone('legal', { name: 'legal-copy' });
    expect(response.statusCode).toBe(200);
    expect(response.json().environments[0].strategies[0].constraints[0].values).toEqual(['gold']);
  });

  test('records events for the creation and for each tag, strategy, set of variants and parent of the copy', async () => {
    const response = await clone('rich', { name: 'told' });
    const events = await recordedBy(app.db, response);
    expect(events.map(({ type, environment }) => [type, environment])).toEqual([
      ['feature-created', null],
      ['feature-tagged', null],
      ['feature-tagged', null],
      ['feature-strategy-add', 'development'],
      ['feature-strategy-add', 'development'],
      ['feature-strategy-add', 'production'],
      ['feature-environment-variants-updated', 'production'],
      ['feature-dependency-added', null],
    ]);
    expect(events.every(({ project }) => project === 'default')).toBe(true);
    expect(events[0]?.data).toMatchObject({
      name: 'told',
      clonedFrom: { project: 'default', feature: 'rich' },
      notCopied: [],
    });
    const found = (await app.ask(`GET ${admin}/events/rich`)).json().events;
    expect(found.map(({ type }: { type: string }) => type)).not.toContain('feature-cloned');
  });

  test('does not change the original', async () => {
    const before = await read('rich');
    await clone('rich', { name: 'harmless' });
    expect(await read('rich')).toEqual(before);
  });

  test('accepts a name that differs from the original only in case', async () => {
    expect((await clone('rich', { name: 'RICH' })).statusCode).toBe(200);
  });
});

describe('4.4 errors, in order of precedence', () => {
  test('401 without valid credentials, before all others', async () => {
    const response = await app.ask(`POST ${admin}/projects/nowhere/features/none/clone`, {
      payload: {},
      headers: { authorization: 'wrong' },
    });
    expect(errorOf(response)).toEqual([401, 'AuthenticationRequired']);
  });

  test('404 for a target project that is unknown, archived or not visible, before the body is read', async () => {
    expect(errorOf(await clone('rich', {}, { project: 'nowhere' }))).toEqual([
      404,
      'NotFoundError',
    ]);
    await make(app.ask).project('gone');
    await app.ask(`POST ${admin}/projects/archive/gone`);
    expect(errorOf(await clone('rich', {}, { project: 'gone' }))).toEqual([404, 'NotFoundError']);
    const blind = limitedApp(app, { sees: new Set(['shop']) });
    expect(errorOf(await clone('rich', {}, { app: blind }))).toEqual([404, 'NotFoundError']);
  });

  test('403 without CREATE_FEATURE in the target project, before the body is read', async () => {
    const idle = limitedApp(app, { may: (permission) => permission === 'none' });
    const response = await clone('rich', {}, { app: idle });
    expect(errorOf(response)).toEqual([403, 'NoAccessError']);
    expect(response.json().message).toContain('CREATE_FEATURE');
  });

  test('415 for a body that is not JSON', async () => {
    const response = await app.ask(`POST ${admin}/projects/default/features/none/clone`, {
      payload: 'name=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(errorOf(response)).toEqual([415, 'ContentTypeerror']);
  });

  test.each([
    [{}, '/body/name'],
    [{ name: '' }, '/body/name'],
    [{ name: null }, '/body/name'],
    [{ name: 123 }, '/body/name'],
    [{ name: true }, '/body/name'],
    [{ name: ['a'] }, '/body/name'],
    [{ name: '.' }, '/body/name'],
    [{ name: '..' }, '/body/name'],
    [{ name: 'a b' }, '/body/name'],
    [{ name: 'a/b' }, '/body/name'],
    [{ name: 'ä' }, '/body/name'],
    [{ name: 'x'.repeat(101) }, '/body/name'],
    [{ name: 'fine', replaceGroupId: 'false' }, '/body/replaceGroupId'],
    [{ name: 'fine', replaceGroupId: null }, '/body/replaceGroupId'],
    [{ name: 'fine', project: 'shop' }, '/body/project'],
    [[], '/body'],
  ])('400 for the body %j, before the original is looked up', async (body, path) => {
    const response = await clone('none', body);
    expect(errorOf(response)).toEqual([400, 'BadDataError']);
    expect(response.json().details[0].path).toBe(path);
  });

  test.each(["A-Z_a.z~0!*'()", 'x'.repeat(100), '*'])('accepts the name %s', async (name) => {
    const response = await clone('rich', { name });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json().name).toBe(name);
  });

  test('accepts the project of the path in the body and ignores unknown fields', async () => {
    const payload = { name: 'repeated', project: 'default', enabled: true };
    expect((await clone('rich', payload)).json()).toMatchObject({ enabled: false });
  });

  test('404 for an original that is unknown, archived or not visible, before the name is checked', async () => {
    expect(errorOf(await clone('none', { name: 'rich' }))).toEqual([404, 'NotFoundError']);
    await make(app.ask).feature('laid-away');
    await app.ask(`DELETE ${admin}/projects/default/features/laid-away`);
    expect(errorOf(await clone('laid-away', { name: 'rich' }))).toEqual([404, 'NotFoundError']);
    const ofTheShop = limitedApp(app, { sees: new Set(['shop']) });
    const response = await clone('rich', { name: 'leak' }, { project: 'shop', app: ofTheShop });
    expect(errorOf(response)).toEqual([404, 'NotFoundError']);
  });

  test.each([
    ['CREATE_FEATURE_STRATEGY', 'development'],
    ['CREATE_FEATURE_STRATEGY', 'production'],
    ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS', 'production'],
  ])('403 without %s in %s, before the name is checked', async (missing, where) => {
    const lacking = limitedApp(app, {
      may: (permission, _scope, environment) => permission !== missing || environment !== where,
    });
    const response = await clone('rich', { name: 'rich' }, { app: lacking });
    expect(errorOf(response)).toEqual([403, 'NoAccessError']);
    expect(response.json().message).toContain(missing);
    expect(response.json().message).toContain(where);
  });

  test('requires no permission in environments where nothing is copied', async () => {
    await make(app.ask).feature('bare');
    const lacking = limitedApp(app, {
      may: (_permission, _scope, environment) => environment === undefined,
    });
    expect((await clone('bare', { name: 'bare-copy' }, { app: lacking })).statusCode).toBe(200);
  });

  test('409 for a name in use, also by an archived feature, before the naming pattern and the limit', async () => {
    await make(app.ask).project('strict', {
      featureNaming: { pattern: 'ok-.*', example: 'ok-yes', description: 'Begin with ok-' },
      featureLimit: 0,
    });
    expect(errorOf(await clone('rich', { name: 'rich' }, { project: 'strict' }))).toEqual([
      409,
      'NameExistsError',
    ]);
    await make(app.ask).feature('old-name');
    await app.ask(`DELETE ${admin}/projects/default/features/old-name`);
    const archived = await clone('rich', { name: 'old-name' }, { project: 'strict' });
    expect(errorOf(archived)).toEqual([409, 'NameExistsError']);
    expect(archived.json().message).toContain('archive');
  });

  test('400 PatternError with pattern, example and description, before the limit', async () => {
    const response = await clone('rich', { name: 'not-ok' }, { project: 'strict' });
    expect(errorOf(response)).toEqual([400, 'PatternError']);
    for (const words of ['ok-.*', 'ok-yes', 'Begin with ok-']) {
      expect(response.json().message).toContain(words);
    }
  });

  test('403 if the project is full', async () => {
    const response = await clone('rich', { name: 'ok-full' }, { project: 'strict' });
    expect(errorOf(response)).toEqual([403, 'InvalidOperationError']);
  });

  test('a failed clone creates no feature, tag or event', async () => {
    const before = await countEvents(app.db);
    const features = async () => (await app.db.selectFrom('features').selectAll().execute()).length;
    const count = await features();
    await clone('rich', { name: 'rich' });
    await clone('rich', { name: 'not-ok' }, { project: 'strict' });
    await clone('rich', { name: 'ok-full' }, { project: 'strict' });
    expect(await features()).toBe(count);
    expect(await countEvents(app.db)).toBe(before);
  });
});
