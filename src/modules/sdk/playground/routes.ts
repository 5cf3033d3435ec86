import type { Actor } from '../../../platform/actor.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { checks } from './checks.ts';
import { evaluateContract } from './contract.ts';
import type { PlaygroundSelection } from './environments.ts';
import { readPastSources } from './past.ts';
import { sendPieces } from './send-pieces.ts';
import { evaluate, evaluateAll } from './service.ts';

export const evaluateUseCase = defineUseCase({
  contract: evaluateContract,
  checks,
  routes: (services) => {
    const { clock, definitions } = services;
    const readSources = async (
      actor: Actor,
      asOf: string | undefined,
      selection: PlaygroundSelection,
    ) =>
      asOf === undefined
        ? { snapshot: await definitions.current() }
        : readPastSources(services, actor, asOf, selection);

    return {
      evaluate: async ({ body: { asOf, ...body } }, { actor, reply }) => {
        const sources = await readSources(actor, asOf, {
          ...body,
          environments: [body.environment],
        });
        return sendPieces(reply, await evaluate(body, { ...sources, actor, clock }));
      },

      evaluateAll: async ({ body: { asOf, ...body } }, { actor, reply }) => {
        const sources = await readSources(actor, asOf, body);
        return sendPieces(reply, await evaluateAll(body, { ...sources, actor, clock }));
      },
    };
  },
});
