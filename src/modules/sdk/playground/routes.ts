import type { FastifyReply } from 'fastify';
import type { Actor } from '../../../platform/actor.ts';
import { streamJson } from '../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { decisionsChecks, playgroundChecks } from './checks.ts';
import { contract } from './contract.ts';
import { decide } from './decisions/service.ts';
import type { PlaygroundSelection } from './environments.ts';
import { readPastSnapshot, readPastSources } from './past.ts';
import { evaluate, evaluateAll, type Pieces } from './service.ts';
import { checks } from './unsaved/checks.ts';
import { evaluateUnsaved } from './unsaved/service.ts';

export const sendPieces = (reply: FastifyReply, pieces: Pieces) =>
  streamJson(reply.header('cache-control', 'no-store'), pieces);

export const playgroundUseCase = defineUseCase({
  contract,
  checks: { ...playgroundChecks, ...decisionsChecks, ...checks },
  routes: (services) => {
    const { db, clock, definitions } = services;
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

      decide: async ({ body: { asOf, ...body } }, { actor, reply }) => {
        const { snapshot } =
          asOf === undefined
            ? { snapshot: await definitions.current() }
            : await readPastSnapshot(services, actor, asOf, body.environments);
        return sendPieces(reply, await decide(body, { snapshot, actor, clock }));
      },

      evaluateUnsaved: async ({ params, body }, { actor, reply }) => {
        const sources = { snapshot: await definitions.current(), actor, clock };
        const { projectId: project, featureName, environment } = params;
        const address = { project, featureName, environment };
        return sendPieces(reply, await evaluateUnsaved(db, address, body, sources));
      },
    };
  },
});
