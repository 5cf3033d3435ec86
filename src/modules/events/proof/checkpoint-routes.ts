import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { makeCheckpoint } from './checkpoint.ts';
import { checkpointContract as contract } from './checkpoint-contract.ts';
import { listSigningKeys } from './queries.ts';
import { findSigner, prepareSigningKey, type Signer } from './signing.ts';

export function checkpointRoutes(
  app: FastifyInstance,
  { db, transact, clock, settings: { signingKeyFile } }: Services,
): void {
  route(app, contract.getEventCheckpoint, async (_input, { actor }) => {
    let signer = await findSigner(db, signingKeyFile);
    if (!signer) {
      await transact(actor, (tx) => prepareSigningKey(tx, signingKeyFile));
      signer = await findSigner(db, signingKeyFile);
    }
    return makeCheckpoint(db, signer as Signer, clock());
  });

  route(app, contract.getEventCheckpointKeys, async () => ({
    keys: (await listSigningKeys(db)).map(({ createdAt, retiredAt, ...key }) => ({
      ...key,
      createdAt: createdAt.toISOString(),
      retiredAt: retiredAt?.toISOString() ?? null,
    })),
  }));
}
