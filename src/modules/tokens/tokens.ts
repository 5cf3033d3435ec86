import { explained } from '../../platform/db/constraint.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { nameExists, notFound } from '../../platform/errors.ts';
import { hashSecret } from '../../platform/secret.ts';
import { record } from '../events/index.ts';
import { apiTokenCreated, apiTokenDeleted, type TokenFacts } from './events.ts';
import {
  findTokenByName,
  insertToken,
  listTokens,
  type NewToken,
  updateTokenRevoked,
} from './queries.ts';
import type { TokenScope } from './scope.ts';

type Token = Awaited<ReturnType<typeof insertToken>>;

const factsOf = (token: Token): TokenFacts => ({
  tokenName: token.name,
  type: token.type,
  environment: token.environment,
  project: token.projects.length === 1 ? (token.projects[0] as string) : '[]',
  projects: token.projects,
  createdAt: token.createdAt.toISOString(),
  expiresAt: token.expiresAt?.toISOString() ?? null,
});

/** A token for all projects belongs to none: its event is one of the installation. */
const placeOf = ({ projects: [only, ...others], environment }: Token) => ({
  project: only === undefined || only === '*' || others.length > 0 ? null : only,
  environment,
});

export interface TokenWish {
  readonly name: string;
  readonly type: NewToken['type'];
  readonly secret: string;
  /** What the token of an SDK reads; an admin token has none. */
  readonly scope?: TokenScope | undefined;
  readonly origin: NewToken['origin'];
  readonly expiresAt?: Date | null;
}

function reachOf({ type, scope }: TokenWish) {
  if (type === 'admin') return { project: '*', environment: null };
  if (!scope) throw new Error(`A ${type} token needs a project and an environment`);
  return scope;
}

export async function createToken(tx: Tx, wish: TokenWish): Promise<Token> {
  const { environment, project } = reachOf(wish);
  const token = await explained(
    insertToken(tx, {
      name: wish.name,
      type: wish.type,
      environment,
      projects: [project],
      secretHash: hashSecret(wish.secret),
      origin: wish.origin,
      expiresAt: wish.expiresAt ?? null,
    }),
    {
      api_tokens_name_key: () => nameExists(`There already is a token named '${wish.name}'`),
      api_tokens_secret_key: () => nameExists('This token already exists under another name'),
    },
  );
  record(tx, apiTokenCreated({ ...placeOf(token), data: factsOf(token) }));
  return token;
}

export async function revokeToken(tx: Tx, name: string): Promise<void> {
  const known = await findTokenByName(tx.db, name);
  const token = known && (await updateTokenRevoked(tx, known.id));
  if (!token) throw notFound('API token', name);
  record(tx, apiTokenDeleted({ ...placeOf(token), preData: factsOf(token) }));
}

export const hasAdminToken = async (db: Db): Promise<boolean> =>
  (await listTokens(db)).some(({ type }) => type === 'admin');
