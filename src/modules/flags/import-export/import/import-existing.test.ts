import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';
import { featuresOn } from '../../../../../test/support/features.ts';
import {
  imported,
  inProduction,
  strategyOf,
  validated,
} from '../../../../../test/support/import-export.ts';
import { make } from '../../../../../test/support/make.ts';

const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);

describe('an import of existing features', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
  });

  async function existing(name: string, more: object = {}) {
    const { feature, strategy, switchedOn } = make(app.ask);
    await feature(name, { description: 'as it was', impressionData: true, ...more });
    await strategy(name, { title: 'old' }, { environment: 'production' });
    await switchedOn(name, { environment: 'production' });
  }

  test('updates metadata and keeps what the document omits', async () => {
    await existing('described');
    const events = await imported(app, 'default', {
      features: [{ name: 'described', description: 'as it is', stale: true, type: 'operational' }],
      featureStrategies: [strategyOf('described', { title: 'old' })],
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

  test('replaces strategies and keeps the features enabled', async () => {
    await existing('replaced');
    const document = {
      features: [{ name: 'replaced' }],
      featureStrategies: [
        strategyOf('replaced', { title: 'old' }),
        strategyOf('replaced', { title: 'new' }),
      ],
    };
    const { plan, warnings } = await validated(app, 'default', document);
    expect(plan).toMatchObject({
      featuresUpdated: ['replaced'],
      strategiesRemoved: [{ featureName: 'replaced', name: 'flexibleRollout' }],
      strategiesAdded: [{ featureName: 'replaced' }, { featureName: 'replaced' }],
      switchedOff: [],
    });
    expect(warnings).toEqual([
      { message: 'Existing features are updated', affectedItems: ['replaced'] },
    ]);
    const events = await imported(app, 'default', document);
    expect(typesOf(events)).toEqual([
      'feature-strategy-remove',
      'feature-strategy-add',
      'feature-strategy-add',
      'features-imported',
    ]);
    const { enabled, strategies } = await inProduction(app, 'replaced');
    expect([enabled, strategies.map(({ title }: { title: string }) => title)]).toEqual([
      true,
      ['old', 'new'],
    ]);
  });

  test('keeps equal strategies, whatever their sort order', async () => {
    await existing('same');
    const document = {
      features: [{ name: 'same' }],
      featureStrategies: [strategyOf('same', { title: 'old', sortOrder: 99 })],
    };
    expect(await imported(app, 'default', document)).toEqual([]);
  });

  test('disables features without an enabled strategy, and the validation warns about it', async () => {
    await existing('lost');
    const document = {
      features: [{ name: 'lost' }],
      featureStrategies: [strategyOf('lost', { disabled: true })],
      featureEnvironments: [{ featureName: 'lost', enabled: true }],
    };
    const { plan, warnings } = await validated(app, 'default', document);
    expect(plan.switchedOff).toEqual(['lost']);
    expect(warnings).toContainEqual({
      message: expect.stringContaining('no enabled strategy'),
      affectedItems: ['lost'],
    });
    const events = await imported(app, 'default', document);
    expect(typesOf(events)).toContain('feature-environment-disabled');
    expect(await inProduction(app, 'lost')).toMatchObject({ enabled: false });
  });

  test('sets the enabled state and keeps variants that the document omits', async () => {
    await existing('switched');
    await make(app.ask).variants('switched', [{ name: 'v', weight: 1000 }], {
      environment: 'production',
    });
    const events = await imported(app, 'default', {
      features: [{ name: 'switched' }],
      featureStrategies: [strategyOf('switched', { title: 'old' })],
      featureEnvironments: [{ featureName: 'switched', enabled: false }],
    });
    expect(typesOf(events)).toEqual(['feature-environment-disabled', 'features-imported']);
    expect(await inProduction(app, 'switched')).toMatchObject({
      enabled: false,
      variants: [{ name: 'v' }],
    });
  });

  test('removes variants if the document has an empty list', async () => {
    await existing('unvaried');
    await make(app.ask).variants('unvaried', [{ name: 'v', weight: 1000 }], {
      environment: 'production',
    });
    const events = await imported(app, 'default', {
      features: [{ name: 'unvaried' }],
      featureStrategies: [strategyOf('unvaried', { title: 'old' })],
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

  test('keeps tags and dependencies that the document omits', async () => {
    await existing('tagged', { tags: [{ type: 'simple', value: 'mine' }] });
    await make(app.ask).feature('first-parent');
    await make(app.ask).feature('second-parent');
    await make(app.ask).dependency('tagged', 'first-parent');
    const events = await imported(app, 'default', {
      features: [{ name: 'tagged' }],
      featureStrategies: [strategyOf('tagged', { title: 'old' })],
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
    const { tags, dependencies } = await featuresOn(app).read('tagged');
    expect(tags).toEqual([
      { type: 'simple', value: 'mine' },
      { type: 'simple', value: 'theirs' },
    ]);
    expect(dependencies.map(({ feature }: { feature: string }) => feature)).toEqual([
      'first-parent',
      'second-parent',
    ]);
  });

  test('records later events with the new tags', async () => {
    await imported(app, 'default', {
      features: [{ name: 'fresh' }],
      featureStrategies: [strategyOf('fresh')],
      featureTags: [{ featureName: 'fresh', tagType: 'simple', tagValue: 'fresh' }],
    });
    const added = await app.db
      .selectFrom('events')
      .where('feature_name', '=', 'fresh')
      .where('type', '=', 'feature-strategy-add')
      .select('tags')
      .executeTakeFirstOrThrow();
    expect(added.tags).toEqual([{ type: 'simple', value: 'fresh' }]);
  });

  test('runs the same number of statements for a hundred features as for five', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => query.mockRestore());
    // A separate instance, because a connection keeps the function with which it was opened.
    const server = await appOn(app);
    const statements = async (prefix: string, size: number) => {
      const names = Array.from({ length: size }, (_, index) => `${prefix}-${index}`);
      query.mockClear();
      const events = await imported(server, 'default', crowd(names));
      // Each is created and tagged, gets variants and a strategy, and is enabled; all but the first have a dependency.
      expect(events).toHaveLength(6 * size - 1 + 2);
      const sent = query.mock.calls.map(([first], index) => ({
        connection: query.mock.contexts[index],
        text: typeof first === 'string' ? first : (first as { text: string }).text,
      }));
      const adds = (text: string) => text.includes('into "feature_strategies"');
      const importing = sent.find(({ text }) => adds(text))?.connection;
      const texts = sent
        .filter(({ connection }) => connection === importing)
        .map(({ text }) => text);
      // Only its transaction: others write at the same time, for example when a token was last seen.
      const adding = texts.findIndex(adds);
      return (
        texts.indexOf('commit', adding) -
        texts.findLastIndex((text, at) => at < adding && text.startsWith('begin'))
      );
    };
    const crowd = (names: readonly string[]) => ({
      features: names.map((name) => ({ name })),
      featureStrategies: names.map((name) => strategyOf(name)),
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
    const few = await statements('some', 5);
    expect(few).toBeGreaterThan(5);
    expect(await statements('many', 100)).toBe(few);
  });
});
