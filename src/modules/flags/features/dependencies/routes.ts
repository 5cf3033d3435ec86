import { defineUseCase } from '../../../../platform/module.ts';
import { addressOf } from '../address-schema.ts';
import { checks } from './checks.ts';
import { dependencyContract } from './contract.ts';
import {
  addDependencyOf,
  hasDependencies,
  listParentVariants,
  listPossibleParents,
  removeDependencies,
  removeDependency,
} from './service.ts';

export const dependencyUseCase = defineUseCase({
  contract: dependencyContract,
  checks,
  routes: ({ db, transact }) => ({
    addDependency: ({ params, body }, { actor }) =>
      transact(actor, (tx) => addDependencyOf(tx, addressOf(params), body)),
    removeDependency: ({ params: { parent, ...params } }, { actor }) =>
      transact(actor, (tx) => removeDependency(tx, addressOf(params), parent)),
    removeDependencies: ({ params }, { actor }) =>
      transact(actor, (tx) => removeDependencies(tx, addressOf(params))),
    listPossibleParents: ({ params }) => listPossibleParents(db, addressOf(params)),
    listParentVariants: ({ params }) => listParentVariants(db, addressOf(params)),
    hasDependencies: ({ params }) => hasDependencies(db, params.projectId),
  }),
});
