import { defineUseCase } from '../../../../platform/module.ts';
import { sendPieces } from '../send-pieces.ts';
import { checks } from './checks.ts';
import { unsavedContract } from './contract.ts';
import { evaluateUnsaved } from './service.ts';

export const unsavedUseCase = defineUseCase({
  contract: unsavedContract,
  checks,
  routes: ({ db, clock, definitions }) => ({
    evaluateUnsaved: async ({ params, body }, { actor, reply }) => {
      const sources = { snapshot: await definitions.current(), actor, clock };
      const { projectId: project, featureName, environment } = params;
      const address = { project, featureName, environment };
      return sendPieces(reply, await evaluateUnsaved(db, address, body, sources));
    },
  }),
});
