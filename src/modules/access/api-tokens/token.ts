import { explained } from '../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { invalidOperation, nameExists, notFound } from '../../../platform/errors.ts';
import { hashSecret } from '../../../platform/secret.ts';
import { record } from '../../events/index.ts';
import { tokenDataOf } from './answer.ts';
import { apiTokenCreated, apiTokenDeleted } from './events.ts';
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

/** A token for all projects, or for several, belongs to none: its event is one of the installation. */
export const eventScopeOf = ({ projects: [only, ...others], environment }: Token) => ({
  project: only === undefined || only === everywhere || others.length > 0 ? null : only,
  environment,
});

export interface TokenInput {
  readonly name: string;
  readonly type: NewToken['type'];
  readonly secret: string;
  /** What the token of an SDK reads; an admin token has none. */
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

/** Its secret can be shown again where there is a key to store it under, and it is none of an administrator. */
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

/** Ends a token that is locked. */
export async function revoke(tx: Tx, token: Token): Promise<void> {
  await updateTokenRevoked(tx, token.id);
  record(tx, apiTokenDeleted({ ...eventScopeOf(token), preData: tokenDataOf(token) }));
}

/** Of several tokens with the name none is revoked: somebody has to say which. */
export async function revokeToken(tx: Tx, name: string): Promise<void> {
  const [token, ...others] = await lockTokensNamed(tx, name);
  if (!token) throw notFound('API token', name);
  if (others.length > 0) {
    const ids = [token, ...others].map(({ id }) => id).join(', ');
    throw invalidOperation(`Several API tokens are named '${name}'; their ids are ${ids}`);
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
