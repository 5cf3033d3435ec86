import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/endpoint.ts';
import type { Services } from '../../../platform/module.ts';
import { dependencyContract } from './contract/dependencies.ts';
import { favoriteContract } from './contract/favorites.ts';
import { featureTypeContract } from './contract/feature-types.ts';
import { lifecycleContract } from './contract/lifecycle.ts';
import { variantContract } from './contract/variants.ts';
import {
  addDependencyOf,
  hasDependencies,
  listParentVariants,
  listPossibleParents,
  removeDependencies,
  removeDependency,
} from './service/dependencies.ts';
import { addFavorite, removeFavorite } from './service/favorites.ts';
import { listFeatureTypes, setLifetime } from './service/feature-types.ts';
import {
  completeFeature,
  countStagesFor,
  getLifecycle,
  uncompleteFeature,
} from './service/lifecycle.ts';
import {
  getEnvironmentVariants,
  getVariants,
  patchEnvironmentVariants,
  patchVariants,
  replaceEnvironmentVariants,
  replaceVariants,
  replaceVariantsInBatch,
} from './service/variants.ts';

/** What belongs to a feature: types, variants, dependencies, lifecycle, favourites. */
export const partContract = {
  ...featureTypeContract,
  ...variantContract,
  ...dependencyContract,
  ...lifecycleContract,
  ...favoriteContract,
};

/** The version of the answers' shape, as clients of the reference product expect it. */
const version = 1;

interface Named {
  readonly projectId: string;
  readonly featureName: string;
}

const addressOf = ({ projectId, featureName }: Named) => ({
  project: projectId,
  feature: featureName,
});

const inEnvironment = ({ environment, ...named }: Named & { readonly environment: string }) => ({
  ...addressOf(named),
  environment,
});

export function partRoutes(app: FastifyInstance, services: Services): void {
  routeFeatureTypes(app, services);
  routeVariants(app, services);
  routeDependencies(app, services);
  routeLifecycle(app, services);
  routeFavorites(app, services);
}

function routeFeatureTypes(app: FastifyInstance, { db, transact }: Services): void {
  const contract = featureTypeContract;

  route(app, contract.listFeatureTypes, async () => ({
    version,
    types: await listFeatureTypes(db),
  }));

  route(app, contract.setLifetime, ({ params, body }, { actor }) =>
    transact(actor, (tx) => setLifetime(tx, params.id, body.lifetimeDays)),
  );
}

function routeVariants(app: FastifyInstance, { db, transact }: Services): void {
  const contract = variantContract;

  route(app, contract.getEnvironmentVariants, async ({ params }) => ({
    version,
    variants: await getEnvironmentVariants(db, inEnvironment(params)),
  }));

  route(app, contract.replaceEnvironmentVariants, async ({ params, body }, { actor }) => ({
    version,
    variants: await transact(actor, (tx) =>
      replaceEnvironmentVariants(tx, inEnvironment(params), body),
    ),
  }));

  route(app, contract.patchEnvironmentVariants, async ({ params, body }, { actor }) => ({
    version,
    variants: await transact(actor, (tx) =>
      patchEnvironmentVariants(tx, inEnvironment(params), body),
    ),
  }));

  route(app, contract.replaceVariantsInBatch, async ({ params, body }, { actor }) => ({
    version,
    variants: await transact(actor, (tx) => replaceVariantsInBatch(tx, addressOf(params), body)),
  }));

  route(app, contract.getVariants, async ({ params }) => ({
    version,
    variants: await getVariants(db, addressOf(params)),
  }));

  route(app, contract.replaceVariants, async ({ params, body }, { actor }) => ({
    version,
    variants: await transact(actor, (tx) => replaceVariants(tx, addressOf(params), body)),
  }));

  route(app, contract.patchVariants, async ({ params, body }, { actor }) => ({
    version,
    variants: await transact(actor, (tx) => patchVariants(tx, addressOf(params), body)),
  }));
}

function routeDependencies(app: FastifyInstance, { db, transact }: Services): void {
  const contract = dependencyContract;

  route(app, contract.addDependency, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addDependencyOf(tx, addressOf(params), body)),
  );

  route(app, contract.removeDependency, ({ params: { parent, ...params } }, { actor }) =>
    transact(actor, (tx) => removeDependency(tx, addressOf(params), parent)),
  );

  route(app, contract.removeDependencies, ({ params }, { actor }) =>
    transact(actor, (tx) => removeDependencies(tx, addressOf(params))),
  );

  route(app, contract.listPossibleParents, ({ params }) =>
    listPossibleParents(db, addressOf(params)),
  );

  route(app, contract.listParentVariants, ({ params }) =>
    listParentVariants(db, addressOf(params)),
  );

  route(app, contract.hasDependencies, ({ params }) => hasDependencies(db, params.projectId));
}

function routeLifecycle(app: FastifyInstance, { db, transact }: Services): void {
  const contract = lifecycleContract;

  route(app, contract.getLifecycle, ({ params }) => getLifecycle(db, addressOf(params)));

  route(app, contract.completeFeature, ({ params, body }, { actor }) =>
    transact(actor, (tx) => completeFeature(tx, addressOf(params), body)),
  );

  route(app, contract.uncompleteFeature, ({ params }, { actor }) =>
    transact(actor, (tx) => uncompleteFeature(tx, addressOf(params))),
  );

  route(app, contract.countStages, (_input, { actor }) => countStagesFor(db, actor));
}

function routeFavorites(app: FastifyInstance, { transact }: Services): void {
  const contract = favoriteContract;

  route(app, contract.addFavorite, ({ params }, { actor }) =>
    transact(actor, (tx) => addFavorite(tx, params.projectId, params.featureName)),
  );

  route(app, contract.removeFavorite, ({ params }, { actor }) =>
    transact(actor, (tx) => removeFavorite(tx, params.projectId, params.featureName)),
  );
}
