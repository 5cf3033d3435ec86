import type { TestApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import type { Mutations } from './mutations.ts';

const features = '/api/admin/projects/default/features';
const variants = [{ name: 'blue', weight: 1000 }];
const patch = [{ op: 'add', path: '/-', value: variants[0] }];

/** A feature that depends on another one, both with unique names. */
async function dependent(ask: TestApp['ask'], name: string): Promise<void> {
  await make(ask).feature(`${name}-child`);
  await make(ask).feature(`${name}-parent`);
  await make(ask).dependency(`${name}-child`, `${name}-parent`);
}

/** A feature with a link. Returns the path of the link. */
async function linked(ask: TestApp['ask'], name: string): Promise<string> {
  await make(ask).feature(name);
  await ask(`POST ${features}/${name}/link`, { payload: { url: 'https://tickets.example/1' } });
  const { links } = (await ask(`GET ${features}/${name}`)).json();
  return `${features}/${name}/link/${links[0].id}`;
}

export const featurePartMutations: Mutations = {
  scenarios: {
    updateFeatureTypeLifetime: (ask) =>
      ask('PUT /api/admin/feature-types/release/lifetime', { payload: { lifetimeDays: 77 } }),

    overwriteEnvironmentFeatureVariants: async (ask) => {
      await make(ask).feature('to-vary');
      return ask(`PUT ${features}/to-vary/environments/production/variants`, { payload: variants });
    },
    patchEnvironmentsFeatureVariants: async (ask) => {
      await make(ask).feature('to-patch-variants');
      return ask(`PATCH ${features}/to-patch-variants/environments/production/variants`, {
        payload: patch,
      });
    },
    overwriteFeatureVariantsOnEnvironments: async (ask) => {
      await make(ask).feature('to-vary-in-batch');
      return ask(`PUT ${features}/to-vary-in-batch/variants-batch`, {
        payload: { variants, environments: ['development', 'production'] },
      });
    },
    overwriteFeatureVariants: async (ask) => {
      await make(ask).feature('to-vary-everywhere');
      return ask(`PUT ${features}/to-vary-everywhere/variants`, { payload: variants });
    },
    patchFeatureVariants: async (ask) => {
      await make(ask).feature('to-patch-everywhere');
      return ask(`PATCH ${features}/to-patch-everywhere/variants`, { payload: patch });
    },

    addFeatureDependency: async (ask) => {
      await make(ask).feature('to-depend');
      await make(ask).feature('to-depend-on');
      return ask(`POST ${features}/to-depend/dependencies`, {
        payload: { feature: 'to-depend-on' },
      });
    },
    deleteFeatureDependency: async (ask) => {
      await dependent(ask, 'to-free');
      return ask(`DELETE ${features}/to-free-child/dependencies/to-free-parent`);
    },
    addFeatureLink: async (ask) => {
      await make(ask).feature('to-link');
      return ask(`POST ${features}/to-link/link`, {
        payload: { url: 'https://tickets.example/1', title: 'Ticket' },
      });
    },
    updateFeatureLink: async (ask) =>
      ask(`PUT ${await linked(ask, 'to-link-anew')}`, {
        payload: { url: 'https://tickets.example/2' },
      }),
    deleteFeatureLink: async (ask) => ask(`DELETE ${await linked(ask, 'to-unlink')}`),
    deleteFeatureDependencies: async (ask) => {
      await dependent(ask, 'to-free-of-all');
      return ask(`DELETE ${features}/to-free-of-all-child/dependencies`);
    },

    saveFeatureChanges: async (ask) => {
      await make(ask).feature('to-save');
      return ask(`POST ${features}/to-save/changes`, {
        payload: { changes: [{ action: 'updateFeature', payload: { description: 'Saved' } }] },
      });
    },

    complete: async (ask) => {
      await make(ask).feature('to-complete');
      return ask(`POST ${features}/to-complete/lifecycle/complete`, {
        payload: { status: 'kept' },
      });
    },
    uncomplete: async (ask) => {
      await make(ask).feature('to-uncomplete');
      await ask(`POST ${features}/to-uncomplete/lifecycle/complete`, {
        payload: { status: 'discarded' },
      });
      return ask(`POST ${features}/to-uncomplete/lifecycle/uncomplete`);
    },

    addFavoriteFeature: async (ask) => {
      await make(ask).feature('to-favour');
      return ask(`POST ${features}/to-favour/favorites`);
    },
    removeFavoriteFeature: async (ask) => {
      await make(ask).feature('to-disfavour');
      await ask(`POST ${features}/to-disfavour/favorites`);
      return ask(`DELETE ${features}/to-disfavour/favorites`);
    },
  },

  conflicts: {
    saveFeatureChanges: async (ask) => {
      await make(ask).feature('to-save-late');
      return ask(`POST ${features}/to-save-late/changes`, {
        payload: {
          expected: { lastEventId: 0 },
          changes: [{ action: 'updateFeature', payload: { description: 'Saved' } }],
        },
      });
    },
  },

  changesNothing: {},
};
