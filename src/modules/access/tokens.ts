import { explained } from '../../platform/db/constraint.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { nameExists, notFound } from '../../platform/errors.ts';
import { record } from '../events/index.ts';
import { apiTokenCreated, apiTokenDeleted, type TokenFacts } from './events.ts';
import {
  findTokenByHash,
  findTokenByName,
  insertToken,
  listTokens,
  type NewToken,
  updateTokenRevoked,
} from './queries.ts';
import { hashSecret, parseScope } from './secrets.ts';

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
  readonly origin: NewToken['origin'];
  readonly expiresAt?: Date | null;
}

export async function createToken(tx: Tx, wish: TokenWish): Promise<Token> {
  const scope = wish.type === 'admin' ? undefined : parseScope(wish.secret);
  const token = await explained(
    insertToken(tx, {
      name: wish.name,
      type: wish.type,
      environment: scope?.environment ?? null,
      projects: [scope?.project ?? '*'],
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

const freeName = (type: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(type)) return type;
  let number = 2;
  while (taken.has(`${type}-${number}`)) number += 1;
  return `${type}-${number}`;
};

export type InitialTokens = Readonly<Record<NewToken['type'], readonly string[]>>;

/** Makes sure that the tokens of the environment exist, and names those that no longer stand in it. */
export async function ensureTokens(
  tx: Tx,
  wished: InitialTokens,
): Promise<{ leftOver: readonly string[] }> {
  for (const type of ['admin', 'client', 'frontend'] as const) {
    for (const secret of wished[type]) {
      if (await findTokenByHash(tx.db, hashSecret(secret))) continue;
      const taken = new Set((await listTokens(tx.db)).map(({ name }) => name));
      await createToken(tx, { name: freeName(type, taken), type, secret, origin: 'environment' });
    }
  }
  const named = new Set(
    Object.values(wished)
      .flat()
      .map((secret) => hashSecret(secret).toString('hex')),
  );
  const leftOver = (await listTokens(tx.db))
    .filter(({ origin, revokedAt }) => origin === 'environment' && revokedAt === null)
    .filter(({ secretHash }) => !named.has(secretHash.toString('hex')))
    .map(({ name }) => name);
  return { leftOver };
}

export const hasAdminToken = async (db: Db): Promise<boolean> =>
  (await listTokens(db)).some(({ type }) => type === 'admin');
