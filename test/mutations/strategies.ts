import type { TestApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import { featureEnvironmentPath, strategiesOn } from '../support/strategies.ts';
import type { Mutations } from './mutations.ts';

const bulk = '/api/admin/projects/default/bulk_features/environments/development';

/** A new feature with this many strategies. */
async function featureWith(ask: TestApp['ask'], name: string, count: number) {
  const strategies = strategiesOn({ ask });
  await make(ask).feature(name);
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth += 1) ids.push((await strategies.added(name)).id);
  return { strategies, ids, path: featureEnvironmentPath(name) };
}

export const strategyMutations: Mutations = {
  scenarios: {
    addFeatureStrategy: async (ask) => {
      const { strategies } = await featureWith(ask, 'strategy-to-add', 0);
      return strategies.add('strategy-to-add');
    },
    updateFeatureStrategy: async (ask) => {
      const { strategies, ids } = await featureWith(ask, 'strategy-to-update', 1);
      return strategies.replace('strategy-to-update', ids[0] ?? '', { title: 'New' });
    },
    patchFeatureStrategy: async (ask) => {
      const { strategies, ids } = await featureWith(ask, 'strategy-to-patch', 1);
      const patch = [{ op: 'add', path: '/title', value: 'New' }];
      return strategies.patch('strategy-to-patch', ids[0] ?? '', patch);
    },
    deleteFeatureStrategy: async (ask) => {
      const { strategies, ids } = await featureWith(ask, 'strategy-to-delete', 1);
      return strategies.remove('strategy-to-delete', ids[0] ?? '');
    },
    setStrategySortOrder: async (ask) => {
      const { strategies, ids } = await featureWith(ask, 'strategies-to-order', 2);
      return strategies.order('strategies-to-order', [{ id: ids[0], sortOrder: 9 }]);
    },
    updateFeatureStrategySegments: async (ask) => {
      const { ids } = await featureWith(ask, 'strategy-to-segment', 1);
      const { id } = await make(ask).segment('segment-to-set');
      return ask('POST /api/admin/segments/strategies', {
        payload: {
          projectId: 'default',
          environmentId: 'development',
          strategyId: ids[0],
          segmentIds: [id],
        },
      });
    },
    toggleFeatureEnvironmentOn: async (ask) => {
      const { path } = await featureWith(ask, 'feature-to-switch-on', 0);
      return ask(`POST ${path}/on`);
    },
    toggleFeatureEnvironmentOff: async (ask) => {
      const { path } = await featureWith(ask, 'feature-to-switch-off', 0);
      await ask(`POST ${path}/on`);
      return ask(`POST ${path}/off`);
    },
    bulkToggleFeaturesEnvironmentOn: async (ask) => {
      await make(ask).feature('features-to-switch-on');
      return ask(`POST ${bulk}/on`, { payload: { features: ['features-to-switch-on'] } });
    },
    bulkToggleFeaturesEnvironmentOff: async (ask) => {
      await make(ask).feature('features-to-switch-off');
      const payload = { features: ['features-to-switch-off'] };
      await ask(`POST ${bulk}/on`, { payload });
      return ask(`POST ${bulk}/off`, { payload });
    },
  },
  conflicts: {},
  changesNothing: {},
};
