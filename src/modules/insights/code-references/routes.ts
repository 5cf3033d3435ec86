import { defineUseCase } from '../../../platform/module.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { removeScan, replaceReferences, searchReferences } from './service.ts';

export const codeReferenceUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ readSnapshot, transact }) => ({
    listCodeReferences: ({ params, query, parsed: { limit, offset } }) => {
      const { feature, repository } = query;
      return searchReferences(readSnapshot, params.projectId, {
        feature,
        repository,
        limit,
        offset,
      });
    },

    replaceCodeReferences: ({ params, body }, { actor }) =>
      transact(actor, (tx) => replaceReferences(tx, params.projectId, body)),
    deleteCodeReferences: ({ params, query }, { actor }) =>
      transact(actor, (tx) => removeScan(tx, params.projectId, query.repository)),
  }),
});
