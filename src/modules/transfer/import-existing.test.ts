import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '../../../test/support/app.ts';
import { make } from '../../../test/support/make.ts';
import { recordedBy } from '../../../test/support/recorded.ts';

const batch = '/api/admin/features-batch';

const sent = ({ ask }: TestApp, operation: 'import' | 'validate', project: string, data: object) =>
  ask(`POST ${batch}/${operation}`, { payload: { project, environment: 'production', data } });

async function imported(on: TestApp, project: string, data: object) {
  const response = await sent(on, 'import', project, data);
  expect([response.statusCode, response.body]).toEqual([200, '']);
  return recordedBy(on.db, response);
}

const validated = async (on: TestApp, project: string, data: object) =>
  (await sent(on, 'validate', project, data)).json();

const featureOf = async ({ ask }: TestApp, project: string, name: string) =>
  (await ask(`GET /api/admin/projects/${project}/features/${name}`)).json();

const environmentOf = async ({ ask }: TestApp, project: string, name: string) =>
  (await ask(`GET /api/admin/projects/${project}/features/${name}/environments/production`)).json();

const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);

describe('features that exist', () => {
  let on: TestApp;
  beforeAll(async () => {
    on = await testApp();
  });

  async function existing(name: string, more: object = {}) {
    const { feature, strategy } = make(on.ask);
    await feature(name, { description: 'as it was', impressionData: true, ...more });
    await strategy(name, { title: 'old' }, { environment: 'production' });
    await on.ask(`POST /api/admin/projects/default/features/${name}/environments/production/on`);
  }

  const rollout = (featureName: string, more: object = {}) => ({
    featureName,
    name: 'flexibleRollout',
    ...more,
  });

  test('get the metadata of the document; what it leaves out stays', async () => {
    await existing('described');
    const events = await imported(on, 'default', {
      features: [{ name: 'described', description: 'as it is', stale: true, type: 'operational' }],
      featureStrategies: [rollout('described', { title: 'old' })],
    });
    expect(events.map(({ type, data, preData }) => ({ type, data, preData }))).toMatchObject([
      {
        type: 'feature-metadata-updated',
        data: { description: 'as it is', stale: true, type: 'operational', impressionData: true },
        preData: { description: 'as it was', stale: false, type: 'release' },
      },
      { type: 'feature-stale-on' },
      { type: 'features-imported', data: { featuresUpdated: 1, featuresCreated: 0 } },
    ]);
  });

  test('get their strategies replaced, and stay on meanwhile', async () => {
    await existing('replaced');
    const document = {
      features: [{ name: 'replaced' }],
      featureStrategies: [
        rollout('replaced', { title: 'old' }),
        rollout('replaced', { title: 'new' }),
      ],
    };
    const { plan, warnings } = await validated(on, 'default', document);
    expect(plan).toMatchObject({
      featuresUpdated: ['replaced'],
      strategiesRemoved: [{ featureName: 'replaced', name: 'flexibleRollout' }],
      strategiesAdded: [{ featureName: 'replaced' }, { featureName: 'replaced' }],
      switchedOff: [],
    });
    expect(warnings).toEqual([
      { message: expect.stringContaining('exist'), affectedItems: ['replaced'] },
    ]);
    const events = await imported(on, 'default', document);
    expect(typesOf(events)).toEqual([
      'feature-strategy-remove',
      'feature-strategy-add',
      'feature-strategy-add',
      'features-imported',
    ]);
    const { enabled, strategies } = await environmentOf(on, 'default', 'replaced');
    expect([enabled, strategies.map(({ title }: { title: string }) => title)]).toEqual([
      true,
      ['old', 'new'],
    ]);
  });

  test('keep strategies that are the same, whatever their places are called', async () => {
    await existing('same');
    const document = {
      features: [{ name: 'same' }],
      featureStrategies: [rollout('same', { title: 'old', sortOrder: 99 })],
    };
    expect(await imported(on, 'default', document)).toEqual([]);
  });

  test('are switched off when they keep no enabled strategy, and the validation says so', async () => {
    await existing('lost');
    const document = {
      features: [{ name: 'lost' }],
      featureStrategies: [rollout('lost', { disabled: true })],
      featureEnvironments: [{ featureName: 'lost', enabled: true }],
    };
    const { plan, warnings } = await validated(on, 'default', document);
    expect(plan.switchedOff).toEqual(['lost']);
    expect(warnings).toContainEqual({
      message: expect.stringContaining('no enabled strategy'),
      affectedItems: ['lost'],
    });
    const events = await imported(on, 'default', document);
    expect(typesOf(events)).toContain('feature-environment-disabled');
    expect(await environmentOf(on, 'default', 'lost')).toMatchObject({ enabled: false });
  });

  test('are switched as the document says, and keep variants that it does not name', async () => {
    await existing('switched');
    await make(on.ask).variants('switched', [{ name: 'v', weight: 1000 }], {
      environment: 'production',
    });
    const events = await imported(on, 'default', {
      features: [{ name: 'switched' }],
      featureStrategies: [rollout('switched', { title: 'old' })],
      featureEnvironments: [{ featureName: 'switched', enabled: false }],
    });
    expect(typesOf(events)).toEqual(['feature-environment-disabled', 'features-imported']);
    expect(await environmentOf(on, 'default', 'switched')).toMatchObject({
      enabled: false,
      variants: [{ name: 'v' }],
    });
  });

  test('lose variants when the document says that there are none', async () => {
    await existing('unvaried');
    await make(on.ask).variants('unvaried', [{ name: 'v', weight: 1000 }], {
      environment: 'production',
    });
    const events = await imported(on, 'default', {
      features: [{ name: 'unvaried' }],
      featureStrategies: [rollout('unvaried', { title: 'old' })],
      featureEnvironments: [{ featureName: 'unvaried', enabled: true, variants: [] }],
    });
    expect(events).toMatchObject([
      {
        type: 'feature-environment-variants-updated',
        data: { variants: [] },
        preData: { variants: [{ name: 'v' }] },
      },
      { type: 'features-imported' },
    ]);
  });

  test('keep the tags and dependencies that the document does not have', async () => {
    await existing('tagged', { tags: [{ type: 'simple', value: 'mine' }] });
    await make(on.ask).feature('first-parent');
    await make(on.ask).feature('second-parent');
    await make(on.ask).dependency('tagged', 'first-parent');
    const events = await imported(on, 'default', {
      features: [{ name: 'tagged' }],
      featureStrategies: [rollout('tagged', { title: 'old' })],
      featureTags: [{ featureName: 'tagged', tagType: 'simple', tagValue: 'theirs' }],
      dependencies: [
        {
          feature: 'tagged',
          dependencies: [{ feature: 'first-parent' }, { feature: 'second-parent' }],
        },
      ],
    });
    expect(typesOf(events)).toEqual([
      'tag-created',
      'feature-tagged',
      'feature-dependency-added',
      'features-imported',
    ]);
    const { tags, dependencies } = await featureOf(on, 'default', 'tagged');
    expect(tags).toEqual([
      { type: 'simple', value: 'mine' },
      { type: 'simple', value: 'theirs' },
    ]);
    expect(dependencies.map(({ feature }: { feature: string }) => feature)).toEqual([
      'first-parent',
      'second-parent',
    ]);
  });

  test('events of what follows carry the new tags', async () => {
    await imported(on, 'default', {
      features: [{ name: 'fresh' }],
      featureStrategies: [rollout('fresh')],
      featureTags: [{ featureName: 'fresh', tagType: 'simple', tagValue: 'fresh' }],
    });
    const added = await on.db
      .selectFrom('events')
      .where('feature_name', '=', 'fresh')
      .where('type', '=', 'feature-strategy-add')
      .select('tags')
      .executeTakeFirstOrThrow();
    expect(added.tags).toEqual([{ type: 'simple', value: 'fresh' }]);
  });

  test('a hundred of them take as many statements as five', async () => {
    const statements = async (prefix: string, size: number) => {
      const names = Array.from({ length: size }, (_, index) => `${prefix}-${index}`);
      const query = vi.spyOn(pg.Client.prototype, 'query');
      try {
        const events = await imported(on, 'default', crowd(names));
        // Each: created, tagged, varied, a strategy, on; each but the first: depending.
        expect(events).toHaveLength(6 * size - 1 + 2);
        const texts = query.mock.calls.map(([first]) =>
          typeof first === 'string' ? first : (first as { text: string }).text,
        );
        // Without what the look at the token takes, and a connection that is new.
        return texts.slice(texts.findIndex((text) => text.startsWith('begin'))).length;
      } finally {
        query.mockRestore();
      }
    };
    const crowd = (names: readonly string[]) => ({
      features: names.map((name) => ({ name })),
      featureStrategies: names.map((name) => rollout(name)),
      featureEnvironments: names.map((featureName) => ({
        featureName,
        enabled: true,
        variants: [{ name: 'v', weight: 1000 }],
      })),
      featureTags: names.map((featureName) => ({
        featureName,
        tagType: 'simple',
        tagValue: names[0],
      })),
      dependencies: names
        .slice(1)
        .map((feature) => ({ feature, dependencies: [{ feature: names[0] }] })),
    });
    expect(await statements('many', 100)).toBe(await statements('some', 5));
  });
});
