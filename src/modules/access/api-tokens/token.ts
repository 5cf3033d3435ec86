import { explained } from '../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { invalidOperation, nameExists, notFound } from '../../../platform/errors.ts';
import { hashSecret } from '../../../platform/secret.ts';
import { record } from '../../events/index.ts';
import { apiTokenCreated, apiTokenDeleted } from './events.ts';
import { tokenDataOf } from './present.ts';
import {
  insertToken,
  listTokens,
  lockTokenById,
  lockTokensNamed,
  type NewToken,
  type Token,
  updateTokenRevoked,
} from './queries.ts';
import { everywhere, projectsOf, type TokenScope } from './scope.ts';
import { sealedSecret } from './sealing.ts';

/** Events of tokens for all or several projects belong to no project. */
export const eventScopeOf = ({ projects: [only, ...others], environment }: Token) => ({
  project: only === undefined || only === everywhere || others.length > 0 ? null : only,
  environment,
});

export interface TokenInput {
  readonly name: string;
  readonly type: NewToken['type'];
  readonly secret: string;
  /** The reach of an SDK token. Admin tokens have none. */
  readonly scope?: TokenScope | undefined;
  readonly origin: NewToken['origin'];
  readonly alias?: string | null;
  readonly expiresAt?: Date | null;
}

function reachOf({ type, scope }: TokenInput): { projects: string[]; environment: string | null } {
  if (type === 'admin') return { projects: [everywhere], environment: null };
  if (!scope) throw new Error(`A ${type} token needs a project and an environment`);
  return { projects: projectsOf(scope), environment: scope.environment };
}

/** Stores the secret of an SDK token if there is a key for it. */
export async function createToken(
  tx: Tx,
  input: TokenInput,
  keys: readonly Buffer[] = [],
): Promise<Token> {
  const token = await explained(
    insertToken(tx, {
      ...reachOf(input),
      name: input.name,
      type: input.type,
      secretHash: hashSecret(input.secret),
      sealedSecret: sealedSecret(keys, input.type, input.secret),
      origin: input.origin,
      alias: input.alias ?? null,
      expiresAt: input.expiresAt ?? null,
    }),
    { api_tokens_secret_key: () => nameExists('This token already exists') },
  );
  record(tx, apiTokenCreated({ ...eventScopeOf(token), data: tokenDataOf(token) }));
  return token;
}

/** The token is locked already. */
export async function revoke(tx: Tx, token: Token): Promise<void> {
  await updateTokenRevoked(tx, token.id);
  record(tx, apiTokenDeleted({ ...eventScopeOf(token), preData: tokenDataOf(token) }));
}

/** Throws if several tokens have the name, because the caller has to choose one. */
export async function revokeToken(tx: Tx, name: string): Promise<void> {
  const [token, ...others] = await lockTokensNamed(tx, name);
  if (!token) throw notFound('API token', name);
  if (others.length > 0) {
    const ids = [token, ...others].map(({ id }) => id).join(', ');
    throw invalidOperation(`Several API tokens are named '${name}'; their IDs are ${ids}`);
  }
  await revoke(tx, token);
}

export async function revokeTokenById(tx: Tx, id: number): Promise<void> {
  const token = await lockTokenById(tx, id);
  if (!token) throw notFound('API token', id);
  await revoke(tx, token);
}

export const hasAdminToken = async (db: Db): Promise<boolean> =>
  (await listTokens(db)).some(({ type }) => type === 'admin');
