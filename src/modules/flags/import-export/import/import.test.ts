import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { featuresOn } from '../../../../../test/support/features.ts';
import {
  exported,
  imported,
  inProduction,
  validated,
} from '../../../../../test/support/import-export.ts';
import { make } from '../../../../../test/support/make.ts';
import type { ImportDocument } from '../document-schema.ts';

const fixture = new URL('../../../../../test/fixtures/features-export.json', import.meta.url);
const published: ImportDocument = JSON.parse(readFileSync(fixture, 'utf8'));

const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);

describe('an import of a published document', () => {
  let app: TestApp;
  let segment: { id: number };
  let plan: Record<string, unknown[]>;
  let events: Awaited<ReturnType<typeof imported>>;

  beforeAll(async () => {
    app = await testApp();
    const { project, segment: madeSegment } = make(app.ask);
    await project('target', { defaultStickiness: 'sessionId' });
    await madeSegment('another');
    segment = await madeSegment('beta-testers');
    ({ plan } = await validated(app, 'target', published));
    events = await imported(app, 'target', published);
  });

  test('creates the features', async () => {
    expect(await featuresOn(app).read('checkout-redesign', 'target')).toMatchObject({
      name: 'checkout-redesign',
      project: 'target',
      type: 'experiment',
      description: 'The new way through the checkout',
      stale: true,
      impressionData: true,
      archived: false,
      createdAt: '2024-03-05T10:11:12.000Z',
      createdBy: { name: 'admin' },
      tags: [
        { type: 'simple', value: 'frontend' },
        { type: 'team', value: 'checkout' },
      ],
      dependencies: [{ feature: 'payments-kill-switch', enabled: false, variants: [] }],
    });
    expect(await featuresOn(app).read('payments-kill-switch', 'target')).toMatchObject({
      type: 'kill-switch',
      description: null,
      stale: false,
      createdAt: '2024-01-02T03:04:05.678Z',
      tags: [{ type: 'team', value: 'checkout' }],
      children: ['checkout-redesign'],
    });
    expect(await featuresOn(app).read('bare', 'target')).toMatchObject({
      type: 'release',
      description: null,
      stale: false,
      impressionData: false,
      tags: [],
    });
  });

  test('creates their strategies in order, with the segments of the same names', async () => {
    const { strategies } = await inProduction(app, 'checkout-redesign', 'target');
    expect(strategies).toEqual([
      {
        id: expect.any(String),
        name: 'remoteAddress',
        title: null,
        featureName: 'checkout-redesign',
        disabled: true,
        sortOrder: 3,
        parameters: { IPs: '192.0.2.1' },
        constraints: [],
        variants: [],
        segments: [],
      },
      {
        id: expect.any(String),
        name: 'flexibleRollout',
        title: 'Half of everybody',
        featureName: 'checkout-redesign',
        disabled: false,
        sortOrder: 7,
        parameters: { groupId: 'checkout', rollout: '50', stickiness: 'companyId' },
        constraints: published.featureStrategies[0]?.constraints,
        variants: published.featureStrategies[0]?.variants,
        segments: [segment.id],
      },
    ]);
    const ids = strategies.map(({ id }: { id: string }) => id);
    expect(ids).not.toContain('6a9f5a9e-2f3f-4d52-9a52-7f0f7f6c1f11');
  });

  test('sets their state and variants only in the requested environment', async () => {
    const { environments } = await featuresOn(app).read('checkout-redesign', 'target');
    expect(environments).toMatchObject([
      { name: 'development', enabled: false, strategies: [], variants: [] },
      {
        name: 'production',
        enabled: true,
        variants: published.featureEnvironments?.[0]?.variants as object[],
      },
    ]);
    expect(await inProduction(app, 'payments-kill-switch', 'target')).toMatchObject({
      enabled: false,
      strategies: [{ sortOrder: 0, disabled: false }],
    });
  });

  test('creates missing context fields and tag types and keeps existing ones', async () => {
    const company = await app.ask('GET /api/admin/context/companyId');
    expect(company.json()).toMatchObject({
      description: 'The company of the user',
      stickiness: true,
      sortOrder: 20,
      legalValues: [{ value: 'acme', description: 'Our first customer' }, { value: 'umbrella' }],
    });
    const user = await app.ask('GET /api/admin/context/userId');
    expect(user.json()).toMatchObject({ stickiness: true });
    const { tagTypes } = (await app.ask('GET /api/admin/tag-types')).json();
    expect(tagTypes).toEqual([
      expect.not.objectContaining({ icon: '#' }),
      {
        name: 'team',
        description: 'Who looks after it',
        color: '#6C65E5',
        usedInFeatures: 2,
      },
    ]);
  });

  test('records exactly the events announced by the validation', () => {
    expect(plan).toEqual({
      featuresCreated: ['bare', 'checkout-redesign', 'payments-kill-switch'],
      featuresUpdated: [],
      featuresUnchanged: [],
      strategiesAdded: [
        { featureName: 'checkout-redesign', name: 'remoteAddress' },
        { featureName: 'checkout-redesign', name: 'flexibleRollout' },
        { featureName: 'payments-kill-switch', name: 'flexibleRollout' },
      ],
      strategiesRemoved: [],
      variantsSet: ['checkout-redesign'],
      switchedOn: ['checkout-redesign'],
      switchedOff: [],
      tagsAdded: [
        { featureName: 'checkout-redesign', type: 'simple', value: 'frontend' },
        { featureName: 'checkout-redesign', type: 'team', value: 'checkout' },
        { featureName: 'payments-kill-switch', type: 'team', value: 'checkout' },
      ],
      dependenciesSet: [{ featureName: 'checkout-redesign', parent: 'payments-kill-switch' }],
      contextFieldsCreated: ['companyId'],
      tagTypesCreated: ['team'],
    });
    expect(typesOf(events)).toEqual([
      'context-field-created',
      'tag-type-created',
      'feature-created',
      'feature-created',
      'feature-created',
      'tag-created',
      'tag-created',
      'feature-tagged',
      'feature-tagged',
      'feature-tagged',
      'feature-environment-variants-updated',
      'feature-strategy-add',
      'feature-strategy-add',
      'feature-strategy-add',
      'feature-environment-enabled',
      'feature-dependency-added',
      'features-imported',
    ]);
    expect(events.at(-1)).toEqual({
      type: 'features-imported',
      project: 'target',
      environment: 'production',
      data: {
        features: 3,
        featuresCreated: 3,
        featuresUpdated: 0,
        strategiesAdded: 3,
        strategiesRemoved: 0,
        variantsSet: 1,
        switchedOn: 1,
        switchedOff: 0,
        tagsAdded: 3,
        dependenciesSet: 1,
        contextFieldsCreated: 1,
        tagTypesCreated: 1,
      },
      preData: null,
    });
    const ofFeatures = events.filter(({ type }) => type === 'feature-strategy-add');
    expect(ofFeatures.every(({ environment }) => environment === 'production')).toBe(true);
  });

  test('changes and records nothing the second time', async () => {
    const { plan: again, warnings } = await validated(app, 'target', published);
    expect(again.featuresUnchanged).toHaveLength(3);
    expect(warnings).toMatchObject([
      { affectedItems: ['bare', 'checkout-redesign', 'payments-kill-switch'] },
    ]);
    expect(await imported(app, 'target', published)).toEqual([]);
  });

  test('can be exported again, and importing that changes nothing', async () => {
    const document = await exported(app, 'target');
    expect(await imported(app, 'target', document)).toEqual([]);
  });
});

test('an import into another project recreates features completely', async () => {
  const app = await testApp();
  const { project, segment } = make(app.ask);
  await project('from');
  await project('to');
  await segment('beta-testers');
  await imported(app, 'from', published);
  const original = await exported(app, 'from');
  for (const name of ['checkout-redesign', 'payments-kill-switch', 'bare']) {
    await app.ask(`DELETE /api/admin/projects/from/features/${name}`);
    await app.ask(`DELETE /api/admin/archive/${name}`);
  }
  await imported(app, 'to', original);
  const copy = await exported(app, 'to');

  const withoutIds = (document: typeof original) => ({
    ...document,
    features: document.features.map((feature: object) => ({ ...feature, project: '' })),
    featureStrategies: document.featureStrategies.map((each: object) => ({ ...each, id: '' })),
  });
  expect(withoutIds(copy)).toEqual(withoutIds(original));
});
