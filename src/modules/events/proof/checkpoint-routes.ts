import { defineUseCase } from '../../../platform/module.ts';
import { makeCheckpoint } from './checkpoint.ts';
import { checkpointContract as contract } from './checkpoint-contract.ts';
import { listSigningKeys } from './queries.ts';
import { findSigner, prepareSigningKey, type Signer } from './signing.ts';

export const checkpointUseCase = defineUseCase({
  contract,
  routes: ({ db, transact, clock, settings: { signingKeyFile } }) => ({
    getEventCheckpoint: async (_input, { actor }) => {
      let signer = await findSigner(db, signingKeyFile);
      if (!signer) {
        await transact(actor, (tx) => prepareSigningKey(tx, signingKeyFile));
        signer = await findSigner(db, signingKeyFile);
      }
      return makeCheckpoint(db, signer as Signer, clock());
    },

    getEventCheckpointKeys: async () => ({
      keys: (await listSigningKeys(db)).map(({ createdAt, retiredAt, ...key }) => ({
        ...key,
        createdAt: createdAt.toISOString(),
        retiredAt: retiredAt?.toISOString() ?? null,
      })),
    }),
  }),
});
