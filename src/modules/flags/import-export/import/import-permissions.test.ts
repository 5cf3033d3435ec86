import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { documentOf, sent, strategyOf } from '../../../../../test/support/import-export.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';
import type { Actor } from '../../../../platform/actor.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
  const { feature, strategy } = make(app.ask);
  for (const name of ['parent', 'plain', 'planned']) await feature(name);
  await strategy('planned', {}, { environment: 'production' });
});

/** A caller with all permissions, but not in the project of these tests. */
const elsewhere: Actor['may'] = (permission, project) =>
  permission === 'none' || project === undefined;

describe('permissions for an import', () => {
  const everything = {
    features: [{ name: 'permitted' }, { name: 'parent', description: 'changed' }],
    featureStrategies: [strategyOf('permitted')],
    featureEnvironments: [
      { featureName: 'permitted', enabled: true, variants: [{ name: 'v', weight: 1000 }] },
    ],
    contextFields: [{ name: 'permitted' }],
    tagTypes: [{ name: 'permitted' }],
    dependencies: [{ feature: 'permitted', dependencies: [{ feature: 'parent' }] }],
  };

  test('are checked for each part and all missing ones are reported together', async () => {
    const installation = ['CREATE_CONTEXT_FIELD', 'CREATE_TAG_TYPE'];
    const through = limitedApp(app, {
      may: (permission, project) =>
        elsewhere(permission, project) && !installation.includes(permission),
    });
    const { permissions } = (await sent(through, 'validate', everything)).json();
    expect(permissions).toEqual([
      { message: 'You need these permissions', affectedItems: installation },
      {
        message: "You need these permissions in the project 'default'",
        affectedItems: ['CREATE_FEATURE', 'UPDATE_FEATURE', 'UPDATE_FEATURE_DEPENDENCY'],
      },
      {
        message:
          "You need these permissions in the environment 'production' of the project 'default'",
        affectedItems: [
          'CREATE_FEATURE_STRATEGY',
          'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
          'UPDATE_FEATURE_ENVIRONMENT',
        ],
      },
    ]);
    const before = await countEvents(app.db);
    const response = await sent(through, 'import', everything);
    expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
    expect(response.json().details).toHaveLength(3);
    expect(response.json().message).toContain("environment 'production'");
    expect(await countEvents(app.db)).toBe(before);
  });

  const needs: readonly [string, object, 'installation' | 'project' | 'environment'][] = [
    ['CREATE_FEATURE', documentOf('needed'), 'project'],
    [
      'UPDATE_FEATURE',
      { features: [{ name: 'plain', description: 'changed' }], featureStrategies: [] },
      'project',
    ],
    [
      'UPDATE_FEATURE',
      documentOf('plain', {
        featureTags: [{ featureName: 'plain', tagType: 'simple', tagValue: 'needed' }],
      }),
      'project',
    ],
    [
      'CREATE_FEATURE_STRATEGY',
      documentOf('plain', { featureStrategies: [strategyOf('plain')] }),
      'environment',
    ],
    ['DELETE_FEATURE_STRATEGY', documentOf('planned'), 'environment'],
    [
      'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
      documentOf('plain', {
        featureEnvironments: [
          { featureName: 'plain', enabled: false, variants: [{ name: 'v', weight: 1 }] },
        ],
      }),
      'environment',
    ],
    [
      'UPDATE_FEATURE_ENVIRONMENT',
      documentOf('planned', {
        featureStrategies: [strategyOf('planned')],
        featureEnvironments: [{ featureName: 'planned', enabled: true }],
      }),
      'environment',
    ],
    [
      'UPDATE_FEATURE_DEPENDENCY',
      documentOf('plain', {
        dependencies: [{ feature: 'plain', dependencies: [{ feature: 'parent' }] }],
      }),
      'project',
    ],
    [
      'CREATE_CONTEXT_FIELD',
      { features: [], featureStrategies: [], contextFields: [{ name: 'needed' }] },
      'installation',
    ],
    [
      'CREATE_TAG_TYPE',
      { features: [], featureStrategies: [], tagTypes: [{ name: 'needed' }] },
      'installation',
    ],
  ];

  test.each(needs)(
    'include exactly %s for a document that requires it',
    async (needed, data, where) => {
      const without = limitedApp(app, { may: (permission) => permission !== needed });
      const refused = await sent(without, 'import', data);
      expect([refused.statusCode, refused.json().message]).toEqual([
        403,
        expect.stringContaining(needed),
      ]);

      const scope = {
        installation: [],
        project: ['default'],
        environment: ['default', 'production'],
      };
      const only = limitedApp(app, {
        may: (permission, ...place) =>
          permission === 'none' ||
          (permission === needed &&
            [[], scope[where]].some(
              (held) => JSON.stringify(place.filter(Boolean)) === JSON.stringify(held),
            )),
      });
      const { permissions } = (await sent(only, 'validate', data)).json();
      expect(permissions).toEqual([]);
    },
  );

  test('are not needed in the project if nothing changes', async () => {
    const through = limitedApp(app, { may: elsewhere });
    const response = await sent(through, 'import', documentOf('parent'));
    expect([response.statusCode, response.body]).toEqual([200, '']);
  });

  test('are required somewhere, even if nothing changes', async () => {
    const through = limitedApp(app, { may: (permission) => permission === 'none' });
    for (const what of ['validate', 'import'] as const) {
      expect((await sent(through, what, documentOf('parent'))).statusCode).toBe(403);
    }
  });
});
