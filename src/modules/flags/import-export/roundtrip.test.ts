import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { group } from '../../../../test/support/groups.ts';
import { exported, imported, validated } from '../../../../test/support/import-export.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import type { ExportDocument } from './document-schema.ts';
import type { PlanSummary } from './import/contract.ts';

let app: TestApp;
let rounds = 0;

beforeAll(async () => {
  app = await testApp();
  for (const name of ['segment-a', 'segment-b']) await make(app.ask).segment(name);
});

const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((each) => !each.includes('\0'));
const word = fc.stringMatching(/^[a-z]{2,8}$/);
const stickiness = fc.constantFrom('default', 'userId', 'sessionId', 'tier');

const weights = fc
  .array(fc.record({ name: word, stickiness, payload: fc.option(text, { nil: undefined }) }), {
    maxLength: 3,
  })
  .map((variants) => {
    const names = new Set<string>();
    return variants.filter(({ name }) => !names.has(name) && names.add(name));
  });

const strategyVariants = weights.map((variants) =>
  variants.map(({ payload, ...variant }, index) => ({
    ...variant,
    weight: index === 0 && variants.length > 1 ? 300 : 0,
    weightType: index === 0 && variants.length > 1 ? 'fix' : 'variable',
    ...(payload !== undefined && { payload: { type: 'string', value: payload } }),
  })),
);

/** Titles have no control characters. */
const title = text.filter((value) => !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(value));

const environmentVariants = fc
  .tuple(strategyVariants, fc.array(fc.record({ contextName: word, values: fc.array(text) })))
  .map(([variants, overrides]) => variants.map((variant) => ({ ...variant, overrides })));

const constraint = fc.oneof(
  fc.record({
    contextName: fc.constantFrom('userId', 'tier', 'unheard-of'),
    operator: fc.constantFrom('IN', 'NOT_IN'),
    values: fc.array(text, { maxLength: 3 }),
    inverted: fc.boolean(),
  }),
  fc.record({
    contextName: word,
    operator: fc.constantFrom('NUM_GT', 'NUM_LTE'),
    value: fc.integer().map(String),
    caseInsensitive: fc.boolean(),
  }),
);

const strategy = fc.record(
  {
    name: fc.constantFrom('flexibleRollout', 'default', 'remoteAddress'),
    title: fc.option(title),
    disabled: fc.boolean(),
    sortOrder: fc.nat(3),
    parameters: fc.record({
      rollout: fc.integer({ min: 0, max: 100 }),
      stickiness,
      groupId: text,
      IPs: fc.constant('192.0.2.1'),
      extra: fc.oneof(fc.boolean(), fc.integer(), text),
    }),
    constraints: fc.array(constraint, { maxLength: 3 }),
    variants: strategyVariants,
    segments: fc.uniqueArray(fc.constantFrom(1, 2)),
  },
  { requiredKeys: ['name', 'parameters'] },
);

const feature = fc.record({
  type: fc.constantFrom('release', 'experiment', 'kill-switch'),
  description: text,
  stale: fc.boolean(),
  impressionData: fc.boolean(),
  createdAt: fc
    .date({ min: new Date(0), max: new Date('2026-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  strategies: fc.array(strategy, { maxLength: 4 }),
  enabled: fc.boolean(),
  variants: environmentVariants,
  tags: fc.array(fc.record({ tagType: fc.constantFrom('simple', 'team'), tagValue: word }), {
    maxLength: 3,
  }),
  parent: fc.option(fc.record({ enabled: fc.boolean() })),
});

type Features = typeof feature extends fc.Arbitrary<infer F> ? readonly F[] : never;

/** A document of features with this name prefix; all dependencies are on the first feature. */
function documentOf(features: Features, prefix: string) {
  const named = features.map((each, index) => ({ ...each, name: `${prefix}-${index}` }));
  const first = named[0]?.name ?? '';
  return {
    features: named.map(({ name, type, description, stale, impressionData, createdAt }) => ({
      name,
      type,
      description,
      stale,
      impressionData,
      createdAt,
    })),
    featureStrategies: named.flatMap(({ name: featureName, strategies }) =>
      strategies.map((each) => ({ ...each, featureName })),
    ),
    featureEnvironments: named.map(({ name: featureName, enabled, variants }) => ({
      featureName,
      enabled,
      variants,
    })),
    contextFields: [{ name: 'tier', stickiness: true }],
    featureTags: named.flatMap(({ name: featureName, tags }) =>
      tags.map((each) => ({ ...each, featureName })),
    ),
    segments: [
      { id: 1, name: 'segment-a' },
      { id: 2, name: 'segment-b' },
    ],
    tagTypes: [{ name: 'team' }],
    dependencies: named
      .slice(1)
      .flatMap(({ name, parent }) =>
        parent ? [{ feature: name, dependencies: [{ feature: first, ...parent }] }] : [],
      ),
  };
}

/** Imports, and returns the number of events of each type. */
async function counted(project: string, data: object): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { type } of await imported(app, project, data)) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** Without what differs in another project. */
const placeless = ({ features, featureStrategies, ...rest }: ExportDocument) => ({
  ...rest,
  features: features.map((each) => ({ ...each, project: '' })),
  featureStrategies: featureStrategies.map((each) => ({ ...each, id: '' })),
});

async function forget({ features }: ExportDocument, project: string) {
  const names = features.map(({ name }) => name);
  // Children before the parent: a feature that others depend on cannot be archived.
  for (const batchOf of [names.slice(1), names.slice(0, 1)]) {
    if (batchOf.length === 0) continue;
    const payload = { features: batchOf };
    await app.ask(`POST /api/admin/projects/${project}/archive`, { payload });
    await app.ask(`POST /api/admin/projects/${project}/delete`, { payload });
  }
}

test('an export imported elsewhere and exported again is unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(feature, { minLength: 1, maxLength: 4 }), async (features) => {
      rounds += 1;
      const document = documentOf(features, `round-${rounds}`);
      const [from, to] = [`from-${rounds}`, `to-${rounds}`];
      await make(app.ask).project(from, { defaultStickiness: 'userId' });
      await make(app.ask).project(to);
      await imported(app, from, document);
      const original = await exported(app, from);
      expect(original.features).toHaveLength(features.length);

      await forget(original, from);
      await imported(app, to, original);
      const copy = await exported(app, to);
      expect(placeless(copy)).toEqual(placeless(original));
    }),
    randomCases(4, 100),
  );
});

/** The number of events of each type that a plan announces; types that it does not mention are omitted. */
function announced(plan: PlanSummary): Record<string, number> {
  const counts = {
    'context-field-created': plan.contextFieldsCreated,
    'tag-type-created': plan.tagTypesCreated,
    'feature-created': plan.featuresCreated,
    'feature-tagged': plan.tagsAdded,
    'feature-environment-variants-updated': plan.variantsSet,
    'feature-strategy-remove': plan.strategiesRemoved,
    'feature-strategy-add': plan.strategiesAdded,
    'feature-environment-enabled': plan.switchedOn,
    'feature-environment-disabled': plan.switchedOff,
    'feature-dependency-added': plan.dependenciesSet,
  };
  return Object.fromEntries(
    Object.entries(counts).flatMap(([type, items]) =>
      items.length > 0 ? [[type, items.length]] : [],
    ),
  );
}

test('an import over existing features does what the validation announced, and nothing the second time', async () => {
  const documents = fc.array(feature, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(documents, documents, async (before, after) => {
      rounds += 1;
      const project = `over-${rounds}`;
      await make(app.ask).project(project);
      await imported(app, project, documentOf(before, project));
      const document = documentOf(after, project);
      const { plan, errors } = await validated(app, project, document);
      expect(errors).toEqual([]);

      const {
        'tag-created': _tags,
        'feature-metadata-updated': changed = 0,
        'feature-stale-on': _on,
        'feature-stale-off': _off,
        'features-imported': recorded = 0,
        ...others
      } = await counted(project, document);
      expect(others).toEqual(announced(plan));
      expect(changed).toBeLessThanOrEqual(plan.featuresUpdated.length);
      const touched = plan.featuresCreated.length + plan.featuresUpdated.length;
      expect(recorded).toBe(touched > 0 ? 1 : 0);
      expect(touched + plan.featuresUnchanged.length).toBe(after.length);

      expect(await counted(project, document)).toEqual({});
    }),
    randomCases(4, 100),
  );
});

test('owners and expiry dates are exported and imported; unknown owners are ignored', async () => {
  const ada = await person(app, { rootRole: 1 });
  const team = await group(app);
  const [from, to] = ['owners-from', 'owners-to'];
  for (const project of [from, to]) await make(app.ask).project(project);
  const expiresAt = '2027-01-31T00:00:00.000Z';
  await make(ada.ask).feature('ours', { project: from, owner: { type: 'group', id: team.id } });
  await make(ada.ask).feature('hers', { project: from, expiresAt });
  await make(app.ask).feature('nobodys', { project: from });
  const document = await exported(app, from);
  expect(document.featureMetadata).toEqual([
    { featureName: 'hers', owner: { type: 'user', name: ada.name }, expiresAt },
    { featureName: 'ours', owner: { type: 'group', name: team.name } },
  ]);

  const renamed = JSON.parse(JSON.stringify(document).replace(/(hers|ours|nobodys)/g, 'new-$1'));
  renamed.features.push({ name: 'new-strange' }, { name: 'new-wrong' });
  renamed.featureMetadata.push(
    { featureName: 'new-strange', owner: { type: 'user', name: 'stranger' } },
    { featureName: 'new-wrong', expiresAt: '0000-01-01T00:00:00Z' },
    { featureName: 'not-in-the-document', expiresAt },
  );
  await imported(app, to, renamed);
  const copy = await exported(app, to);
  expect(copy.featureMetadata).toEqual([
    { featureName: 'new-hers', owner: { type: 'user', name: ada.name }, expiresAt },
    { featureName: 'new-ours', owner: { type: 'group', name: team.name } },
  ]);

  const path = `/api/admin/projects/${to}/features/new-hers`;
  await app.ask(`PUT ${path}`, { payload: { owner: null, expiresAt: null } });
  const swapped = {
    ...renamed.featureMetadata[0],
    owner: { type: 'user', name: ada.name.toUpperCase() },
  };
  await imported(app, to, { ...renamed, featureMetadata: [swapped] });
  expect((await app.ask(`GET ${path}`)).json()).toMatchObject({ owner: { id: ada.id }, expiresAt });
});
