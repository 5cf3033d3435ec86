import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../../test/support/app.ts';
import { make } from '../../../../../../test/support/make.ts';
import { recordedBy } from '../../../../../../test/support/recorded.ts';
import { strategiesOn } from '../../../../../../test/support/strategies.ts';

let app: TestApp;
let strategies: ReturnType<typeof strategiesOn>;
beforeAll(async () => {
  app = await testApp();
  strategies = strategiesOn(app);
});

const constraint = (contextName: string, ...values: string[]) => ({
  contextName,
  operator: 'IN',
  caseInsensitive: false,
  inverted: false,
  values,
});
const factsOf = ({ featureName, ...strategy }: { featureName: string }) => ({
  title: null,
  ...strategy,
});
const pathsOf = (response: { json: () => { details: { path: string }[] } }) =>
  response.json().details.map(({ path }) => path);

async function aStrategy(feature: string, more: object = {}) {
  await strategies.feature(feature);
  return strategies.added(feature, more);
}

describe('replacing a strategy', () => {
  test('keeps omitted properties whose removal would widen it: title, disabled, segments, type and sort order', async () => {
    const { id: segment } = await make(app.ask).segment('kept-by-silence');
    const before = await aStrategy('replaced', {
      segments: [segment],
      title: 'Old',
      disabled: true,
      sortOrder: 4,
      parameters: { rollout: '10', stickiness: 'userId', groupId: 'group', more: 'x' },
      constraints: [constraint('country', 'no')],
      variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }],
    });
    const response = await strategies.replace('replaced', before.id, {
      parameters: { rollout: 20 },
    });
    expect(response.statusCode, response.body).toBe(200);
    const after = response.json();
    expect(after).toEqual({
      id: before.id,
      featureName: 'replaced',
      name: 'flexibleRollout',
      title: 'Old',
      disabled: true,
      sortOrder: 4,
      parameters: { rollout: '20', stickiness: 'default', groupId: 'replaced' },
      constraints: [],
      variants: [],
      segments: [segment],
    });
    expect(await strategies.list('replaced')).toEqual([after]);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'feature-strategy-update',
        project: 'default',
        environment: 'development',
        data: factsOf(after),
        preData: factsOf(before),
      },
    ]);
  });

  test('keeps omitted parameters unless the type changes', async () => {
    const parameters = { rollout: '10', stickiness: 'userId', groupId: 'group' };
    const { id } = await aStrategy('untouched', { parameters, title: 'Kept', disabled: true });
    const response = await strategies.replace('untouched', id, {
      ...{ name: 'flexibleRollout', title: null, disabled: null },
    });
    expect(response.json()).toMatchObject({ parameters, title: 'Kept', disabled: true });
    const other = await strategies.replace('untouched', id, { name: 'default' });
    expect(other.json()).toMatchObject({ name: 'default', parameters: {} });
  });

  test('clears properties that are sent empty', async () => {
    const { id: segment } = await make(app.ask).segment('sent-empty');
    const { id } = await aStrategy('emptied', { title: 'T', disabled: true, segments: [segment] });
    const response = await strategies.replace('emptied', id, {
      title: '',
      disabled: false,
      segments: [],
    });
    expect(response.json()).toMatchObject({ disabled: false, segments: [] });
    expect(response.json().title ?? '').toBe('');
  });

  test('records nothing if nothing changes', async () => {
    const before = await aStrategy('replaced-by-same', { constraints: [constraint('a', 'b')] });
    const response = await strategies.replace('replaced-by-same', before.id, before);
    expect(response.json()).toEqual(before);
    expect(await recordedBy(app.db, response)).toEqual([]);
  });

  test('can change its type', async () => {
    const { id } = await aStrategy('retyped');
    const response = await strategies.replace('retyped', id, { name: 'userWithId' });
    expect(response.json()).toMatchObject({ name: 'userWithId', parameters: {} });
    const unknown = await strategies.replace('retyped', id, { name: 'nosuch' });
    expect([unknown.statusCode, ...pathsOf(unknown)]).toEqual([400, '/body/name']);
  });

  test('can change its segments', async () => {
    const created = [];
    for (const name of ['first', 'second', 'third']) {
      created.push((await make(app.ask).segment(`exchanged-${name}`)).id);
    }
    const [first, second, third] = created;
    const before = await aStrategy('exchanging', { segments: [first, second] });
    const response = await strategies.replace('exchanging', before.id, {
      ...before,
      segments: [third, second],
    });
    expect(response.json().segments).toEqual([second, third]);
    expect(await strategies.list('exchanging')).toMatchObject([{ segments: [second, third] }]);
    expect(await recordedBy(app.db, response)).toMatchObject([
      { data: { segments: [second, third] }, preData: { segments: [first, second] } },
    ]);
    await strategies.replace('exchanging', before.id, before);
    const without = { ...before, segments: [] };
    expect((await strategies.replace('exchanging', before.id, without)).json().segments).toEqual(
      [],
    );
  });

  test('returns all validation errors and changes nothing', async () => {
    const before = await aStrategy('kept');
    const response = await strategies.replace('kept', before.id, {
      title: 1,
      parameters: { rollout: -1 },
      constraints: [{ contextName: 'x', operator: 'NUM_EQ', value: 'many' }],
    });
    expect(response.statusCode).toBe(400);
    expect(pathsOf(response).sort()).toEqual([
      '/body/constraints/0/value',
      '/body/parameters/rollout',
      '/body/title',
    ]);
    expect(await strategies.list('kept')).toEqual([before]);
    expect((await strategies.replace('kept', 'nosuch', {})).statusCode).toBe(404);
  });
});

describe('patching a strategy', () => {
  beforeAll(() => strategies.feature('patched-badly'));

  test('changes the given properties', async () => {
    const before = await aStrategy('patched', { title: 'Old', constraints: [constraint('a')] });
    const response = await strategies.patch('patched', before.id, [
      { op: 'test', path: '/title', value: 'Old' },
      { op: 'remove', path: '/title' },
      { op: 'replace', path: '/parameters/rollout', value: 33 },
      { op: 'add', path: '/constraints/-', value: { contextName: 'b', operator: 'NOT_IN' } },
    ]);
    expect(response.statusCode, response.body).toBe(200);
    const after = {
      ...before,
      title: null,
      parameters: { ...before.parameters, rollout: '33' },
      constraints: [constraint('a'), { ...constraint('b'), operator: 'NOT_IN' }],
    };
    expect(response.json()).toEqual(after);
    expect(await strategies.list('patched')).toEqual([after]);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'feature-strategy-update',
        project: 'default',
        environment: 'development',
        data: factsOf(after),
        preData: factsOf(before),
      },
    ]);
  });

  test('records nothing if nothing changes', async () => {
    const before = await aStrategy('patched-in-vain');
    for (const patch of [
      [],
      [{ op: 'replace', path: '/parameters/rollout', value: 100 }],
      [{ op: 'remove', path: '/parameters/groupId' }],
      [{ op: 'add', path: '/id', value: 'mine' }],
      [{ op: 'add', path: '/featureName', value: 'other' }],
    ]) {
      const response = await strategies.patch('patched-in-vain', before.id, patch);
      expect([response.statusCode, response.json()]).toEqual([200, before]);
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
  });

  test.each([
    ['/body/0', [{ op: 'remove', path: '/nosuch' }]],
    ['/body/0', [{ op: 'test', path: '/disabled', value: true }]],
    ['/body/0', [{ op: 'replace', path: '/segments/length', value: 1_000_000_000 }]],
    ['/body/0', [{ op: 'add', path: '/segments/length', value: 1 }]],
    ['/body/0', [{ op: 'add', path: '/constraints/1', value: {} }]],
    ['/body/0', [{ op: 'add', path: '/segments/-1', value: 1 }]],
    ['/body/0', [{ op: 'replace', path: '/segments/-', value: 1 }]],
    ['/body/0', [{ op: 'add', path: '/__proto__/polluted', value: 'x' }]],
    ['/body/0', [{ op: 'add', path: '/parameters/__proto__', value: 'x' }]],
    ['/body/0', [{ op: 'add', path: '/constructor/prototype/polluted', value: 'x' }]],
    ['/body/0', [{ op: 'copy', from: '/parameters/toString', path: '/title' }]],
    ['/body/0', [{ op: 'move', from: '/nosuch', path: '/title' }]],
    ['/body/0', [{ op: 'move', from: '/parameters', path: '/parameters/own' }]],
    ['/body/0', [{ op: 'add', path: '/name/below', value: 'x' }]],
    ['/body/title', [{ op: 'copy', from: '', path: '/title' }]],
    ['/body/0/value', [{ op: 'add', path: '/title' }]],
    ['/body/0/op', [{ op: 'set', path: '/title', value: 'x' }]],
    ['/body/0/path', [{ op: 'remove', path: 'title' }]],
    ['/body/0', [null]],
    ['/body/1', [{ op: 'remove', path: '/title' }, 7]],
    ['/body', [{ op: 'replace', path: '', value: 7 }]],
    ['/body/name', [{ op: 'remove', path: '/name' }]],
    ['/body/name', [{ op: 'replace', path: '/name', value: 'nosuch' }]],
    ['/body/disabled', [{ op: 'replace', path: '/disabled', value: 'yes' }]],
    ['/body/parameters', [{ op: 'replace', path: '/parameters', value: null }]],
    ['/body/parameters/rollout', [{ op: 'add', path: '/parameters/rollout', value: '200' }]],
    ['/body/segments/0', [{ op: 'add', path: '/segments/0', value: 999_999 }]],
    [
      '/body/constraints/0/value',
      [{ op: 'add', path: '/constraints/0', value: { contextName: 'x', operator: 'DATE_AFTER' } }],
    ],
  ])('returns 400 at %s for %j', async (path, patch) => {
    const before = await strategies.added('patched-badly');
    const response = await strategies.patch('patched-badly', before.id, patch as object[]);
    expect([response.statusCode, ...pathsOf(response)]).toEqual([400, path]);
    expect(await strategies.list('patched-badly')).toContainEqual(before);
    expect(await recordedBy(app.db, response)).toEqual([]);
    await strategies.remove('patched-badly', before.id);
  });

  test('returns 400 for a patch that is not a list', async () => {
    const { id } = await aStrategy('patched-by-object');
    const response = await strategies.patch('patched-by-object', id, {
      op: 'x',
    } as unknown as object[]);
    expect([response.statusCode, ...pathsOf(response)]).toEqual([400, '/body']);
  });
});

describe('a strategy stored before rules became stricter', () => {
  test('must satisfy new legal values only for constraints that change', async () => {
    const before = await aStrategy('outdated', { constraints: [constraint('tier', 'gold')] });
    const legalValues = [{ value: 'silver' }];
    await app.ask('POST /api/admin/context', { payload: { name: 'tier', legalValues } });
    const replaced = await strategies.replace('outdated', before.id, { ...before, title: 'New' });
    expect(replaced.statusCode, replaced.body).toBe(200);
    const patch = [{ op: 'replace', path: '/parameters/rollout', value: '5' }];
    expect((await strategies.patch('outdated', before.id, patch)).statusCode).toBe(200);
    const more = { ...before, constraints: [constraint('tier', 'bronze'), ...before.constraints] };
    const refused = await strategies.replace('outdated', before.id, more);
    expect([refused.statusCode, ...pathsOf(refused)]).toEqual([
      400,
      '/body/constraints/0/values/0',
    ]);
    const moved = { ...before, constraints: [constraint('tier', 'silver'), ...before.constraints] };
    expect((await strategies.replace('outdated', before.id, moved)).statusCode).toBe(200);
  });

  test('must have newly required parameters only when its parameters change', async () => {
    const types = '/api/admin/strategies';
    const parameter = { name: 'who', type: 'string', required: false };
    await app.ask(`POST ${types}`, { payload: { name: 'picky', parameters: [parameter] } });
    const before = await aStrategy('picked', { name: 'picky' });
    const parameters = [{ ...parameter, required: true }];
    const changed = await app.ask(`PUT ${types}/picky`, { payload: { name: 'picky', parameters } });
    expect(changed.statusCode, changed.body).toBeLessThan(300);
    const titled = await strategies.replace('picked', before.id, { ...before, title: 'New' });
    expect(titled.statusCode).toBe(200);
    const refused = await strategies.replace('picked', before.id, { parameters: { other: 'x' } });
    expect([refused.statusCode, ...pathsOf(refused)]).toEqual([400, '/body/parameters/who']);
  });
});

describe('the event summary of a changed strategy', () => {
  const summaryOf = async (feature: string) => {
    const { summary } = await app.db
      .selectFrom('events')
      .where('feature_name', '=', feature)
      .select('summary')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return summary?.split(': ').slice(1).join(': ');
  };

  test.each([
    ['rollout', { parameters: { rollout: '5' } }, 'rollout 100% → 5%'],
    [
      'stickiness and group',
      { parameters: { stickiness: 'userId', groupId: 'other' } },
      'stickiness default → userId, group ID X → other',
    ],
    ['title', { title: 'New' }, 'set title to New'],
    ['disabled', { disabled: true }, 'disabled'],
    [
      'constraints',
      { constraints: [constraint('a', '1'), { ...constraint('b', '2'), inverted: true }] },
      'added constraints a IN and b not IN',
    ],
    ['sort order', { sortOrder: 3 }, 'sort order 0 → 3'],
    [
      'variants',
      { variants: [{ name: 'v', weight: 1000, weightType: 'fix', stickiness: 'random' }] },
      'added variant v',
    ],
    [
      'others',
      { parameters: { a: '1', b: '2', c: '3', d: '4' } },
      'changed parameters a, b, c, and 1 more',
    ],
    [
      'type',
      { name: 'default' },
      'type flexibleRollout → default, removed rollout, removed stickiness, removed group ID',
    ],
    [
      'long',
      { parameters: { groupId: '😀'.repeat(99) } },
      `group ID X → ${'😀'.repeat(28)}\ufffd...`,
    ],
  ])('describes a change of %s', async (what, input, words) => {
    const feature = `told-${what.replaceAll(' ', '-')}`;
    const { id } = await aStrategy(feature);
    expect((await strategies.replace(feature, id, input)).statusCode).toBe(200);
    expect(await summaryOf(feature)).toBe(words.replace('X', feature));
  });

  test('distinguishes changed, added and removed constraints', async () => {
    const before = await aStrategy('told-values', {
      constraints: [constraint('a', '1'), constraint('b', '1')],
    });
    await strategies.replace('told-values', before.id, {
      ...before,
      constraints: [constraint('a', '2'), constraint('c', '1')],
    });
    expect(await summaryOf('told-values')).toBe(
      'changed constraint a IN, added constraint c IN, removed constraint b IN',
    );
  });

  test('mentions removed and reordered parts', async () => {
    const { id: segment } = await make(app.ask).segment('told-segment');
    const before = await aStrategy('told-back', {
      title: 'Old',
      constraints: [constraint('a'), constraint('b')],
      segments: [segment],
    });
    await strategies.replace('told-back', before.id, {
      ...before,
      title: '',
      constraints: [constraint('b'), constraint('a')],
      segments: [],
    });
    expect(await summaryOf('told-back')).toBe(
      'removed title, reordered constraints, removed segment told-segment',
    );
  });
});
