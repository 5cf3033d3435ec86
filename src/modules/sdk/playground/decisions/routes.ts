import { defineUseCase } from '../../../../platform/module.ts';
import { readPastSnapshot } from '../past.ts';
import { sendPieces } from '../send-pieces.ts';
import { checks } from './checks.ts';
import { decisionsContract } from './contract.ts';
import { decide } from './service.ts';

export const decisionsUseCase = defineUseCase({
  contract: decisionsContract,
  checks,
  routes: (services) => {
    const { clock, definitions } = services;
    return {
      decide: async ({ body: { asOf, ...body } }, { actor, reply }) => {
        const { snapshot } =
          asOf === undefined
            ? { snapshot: await definitions.current() }
            : await readPastSnapshot(services, actor, asOf, body.environments);
        return sendPieces(reply, await decide(body, { snapshot, actor, clock }));
      },
    };
  },
});
