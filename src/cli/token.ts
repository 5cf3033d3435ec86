import {
  createApiToken,
  listTokens,
  revokeToken,
  revokeTokenById,
  tokens,
} from '../modules/access/api-tokens/index.ts';
import { systemActor } from '../modules/access/gate/index.ts';
import { maxInteger } from '../platform/contract/schema.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import { printable } from './printable.ts';
import { runEndpoint } from './run-endpoint.ts';
import { withDatabase, withDatabaseToRead } from './with-database.ts';

const optionOf = {
  tokenName: 'name',
  type: 'type',
  project: 'project',
  environment: 'environment',
  expiresAt: 'expires',
} as const;

export const create = command({
  options: {
    name: { type: 'text', value: 'NAME', required: true, does: 'name of the token' },
    type: {
      type: 'text',
      oneOf: ['admin', 'client', 'frontend'],
      does: 'admin (default) for scripts, client for backend SDKs, frontend for browsers',
    },
    project: { type: 'text', value: 'ID', does: 'project of an SDK token; default: all projects' },
    environment: {
      type: 'text',
      value: 'NAME',
      does: 'environment of an SDK token; default: development',
    },
    expires: {
      type: 'text',
      value: 'TIME',
      does: 'expiry such as 2027-01-31T00:00:00Z; default: never',
    },
  },
  async run({ name, type = 'admin', project, environment, expires }) {
    const input = {
      tokenName: name,
      type,
      ...(project !== undefined && { project }),
      ...(environment !== undefined && { environment }),
      ...(expires !== undefined && { expiresAt: expires }),
    };
    const { secret } = await runEndpoint(tokens.contract.createApiToken, input, optionOf, (body) =>
      withDatabase(({ transact, encryptionKeys: keys }) =>
        transact(systemActor, (tx) => createApiToken(tx, body, { keys, origin: 'command line' })),
      ),
    );
    // Standard output contains only the secret, so that scripts can read it.
    process.stdout.write(`${secret}\n`);
  },
});

export const list = command({
  async run() {
    const all = await withDatabaseToRead(({ db }) => listTokens(db));
    process.stdout.write('ID\tNAME\tTYPE\tCREATED\tSTATUS\n');
    for (const { id, name, type, environment, projects, createdAt, expiresAt, revokedAt } of all) {
      const state = revokedAt
        ? 'revoked'
        : expiresAt
          ? `expires ${expiresAt.toISOString()}`
          : 'active';
      const reach = type === 'admin' ? '' : ` ${projects.join(',')}:${environment}`;
      process.stdout.write(
        `${id}\t${printable(name)}\t${type}${printable(reach)}\t${createdAt.toISOString()}\t${state}\n`,
      );
    }
  },
});

export const revoke = command({
  operand: { name: 'NAME' },
  options: {
    id: {
      type: 'integer',
      from: 1,
      to: maxInteger,
      does: 'token ID, if several have the same name',
    },
  },
  async run({ id }, name) {
    if ((name === undefined) === (id === undefined)) {
      throw new StartError("Specify one token by NAME, or by --id from 'burgee token list'.");
    }
    await withDatabase(({ transact }) =>
      transact(systemActor, (tx) =>
        id === undefined ? revokeToken(tx, name as string) : revokeTokenById(tx, id),
      ),
    );
    process.stdout.write(`Revoked ${name === undefined ? id : printable(name)}.\n`);
  },
});
