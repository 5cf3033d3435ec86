import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { addressOf } from '../address-schema.ts';
import { variantEndpoints as contract } from './checks.ts';
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

export function variantRoutes(app: FastifyInstance, { db, transact }: Services): void {
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
