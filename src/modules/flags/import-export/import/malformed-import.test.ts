import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { sent, strategyOf } from '../../../../../test/support/import-export.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
});

describe('a malformed import document', () => {
  test.each(['import', 'validate'] as const)(
    'returns all schema errors for %s',
    async (operation) => {
      const response = await app.ask(`POST /api/admin/features-batch/${operation}`, {
        payload: {
          project: 7,
          data: {
            features: [{ name: 'a b' }, {}],
            featureEnvironments: [{ featureName: 'x', enabled: 'yes' }],
            featureTags: [{ featureName: 'x', tagType: 's', tagValue: 'y' }],
            segments: [{ id: 'one', name: 'x' }],
          },
        },
      });
      expect(response.statusCode).toBe(400);
      const paths = response.json().details.map(({ path }: { path: string }) => path);
      expect(paths.sort()).toEqual([
        '/body/data/featureEnvironments/0/enabled',
        '/body/data/featureStrategies',
        '/body/data/featureTags/0/tagType',
        '/body/data/featureTags/0/tagValue',
        '/body/data/features/0/name',
        '/body/data/features/1/name',
        '/body/data/segments/0/id',
        '/body/environment',
        '/body/project',
      ]);
    },
  );

  test('returns all contradictions together', async () => {
    const variant = { name: 'v', weight: 400, weightType: 'fix' };
    const response = await sent(app, 'import', {
      features: [{ name: 'a' }, { name: 'a' }, { name: 'b', archived: true }],
      featureStrategies: [
        strategyOf('stranger'),
        strategyOf('a', { parameters: { rollout: '101' }, segments: [9] }),
        strategyOf('a', { constraints: [{ contextName: 'x', operator: 'NUM_EQ', value: 'x' }] }),
      ],
      featureEnvironments: [
        { featureName: 'a', enabled: true, variants: [variant] },
        { featureName: 'a', enabled: false },
      ],
      featureTags: [{ featureName: 'stranger', tagType: 'simple', tagValue: 'value' }],
      contextFields: [{ name: 'x', legalValues: [{ value: '1' }, { value: '1' }] }, { name: 'x' }],
      tagTypes: [{ name: 'tt' }, { name: 'tt' }],
      segments: [
        { id: 1, name: 's' },
        { id: 1, name: 't' },
      ],
      dependencies: [
        { feature: 'a', dependencies: [{ feature: 'a' }, { feature: 'b' }, { feature: 'b' }] },
        { feature: 'b', dependencies: [{ feature: 'a', enabled: false, variants: ['v'] }] },
        { feature: 'a', dependencies: [] },
      ],
    });
    expect(response.statusCode).toBe(400);
    const paths = response.json().details.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual([
      '/body/data/contextFields/0/legalValues/1/value',
      '/body/data/contextFields/1/name',
      '/body/data/dependencies/0/dependencies/0/feature',
      '/body/data/dependencies/0/dependencies/2/feature',
      '/body/data/dependencies/1/dependencies/0/variants',
      '/body/data/dependencies/2/feature',
      '/body/data/featureEnvironments/0/variants',
      '/body/data/featureEnvironments/1/featureName',
      '/body/data/featureStrategies/0/featureName',
      '/body/data/featureStrategies/1/parameters/rollout',
      '/body/data/featureStrategies/1/segments/0',
      '/body/data/featureStrategies/2/constraints/0/value',
      '/body/data/featureTags/0/featureName',
      '/body/data/features/1/name',
      '/body/data/features/2/archived',
      '/body/data/segments/1/id',
      '/body/data/tagTypes/1/name',
    ]);
  });

  test('returns 400 for more strategies than a feature may have', async () => {
    const response = await sent(app, 'validate', {
      features: [{ name: 'crowded' }],
      featureStrategies: Array.from({ length: 31 }, () => strategyOf('crowded')),
    });
    expect([response.statusCode, response.json().details]).toEqual([
      400,
      [
        {
          path: '/body/data/featureStrategies',
          message:
            "/body/data/featureStrategies has 31 strategies of 'crowded': at most 30 are allowed",
        },
      ],
    ]);
  });
});
