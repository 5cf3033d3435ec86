import { defineUseCase } from '../../../../platform/module.ts';
import { addressOf } from '../address-schema.ts';
import { checks } from './checks.ts';
import { variantContract } from './contract.ts';
import {
  getEnvironmentVariants,
  getVariants,
  patchEnvironmentVariants,
  patchVariants,
  replaceEnvironmentVariants,
  replaceVariants,
  replaceVariantsInBatch,
} from './service.ts';

/** Clients of the reference expect the version of the answer's format. */
const version = 1;

const inEnvironment = ({
  environment,
  ...named
}: { projectId: string; featureName: string } & { readonly environment: string }) => ({
  ...addressOf(named),
  environment,
});

export const variantUseCase = defineUseCase({
  contract: variantContract,
  checks,
  routes: ({ db, readAt, transact }) => ({
    getEnvironmentVariants: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { version, variants: await getEnvironmentVariants(at.db, inEnvironment(params)) };
    },

    replaceEnvironmentVariants: async ({ params, body }, { actor }) => ({
      version,
      variants: await transact(actor, (tx) =>
        replaceEnvironmentVariants(tx, inEnvironment(params), body),
      ),
    }),

    patchEnvironmentVariants: async ({ params, body }, { actor }) => ({
      version,
      variants: await transact(actor, (tx) =>
        patchEnvironmentVariants(tx, inEnvironment(params), body),
      ),
    }),

    replaceVariantsInBatch: async ({ params, body }, { actor }) => ({
      version,
      variants: await transact(actor, (tx) => replaceVariantsInBatch(tx, addressOf(params), body)),
    }),

    getVariants: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { version, variants: await getVariants(at.db, addressOf(params)) };
    },

    replaceVariants: async ({ params, body }, { actor }) => ({
      version,
      variants: await transact(actor, (tx) => replaceVariants(tx, addressOf(params), body)),
    }),

    patchVariants: async ({ params, body }, { actor }) => ({
      version,
      variants: await transact(actor, (tx) => patchVariants(tx, addressOf(params), body)),
    }),
  }),
});
