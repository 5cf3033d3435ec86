import type { Tx } from '../../platform/db/database.ts';
import { hashSecret } from '../../platform/secret.ts';
import { findTokenByHash, listTokens, type NewToken } from './queries.ts';
import { parseScope } from './scope.ts';
import { createToken } from './service/token.ts';

type Type = NewToken['type'];
type KnownToken = NonNullable<Awaited<ReturnType<typeof findTokenByHash>>>;

const freeName = (type: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(type)) return type;
  let number = 2;
  while (taken.has(`${type}-${number}`)) number += 1;
  return `${type}-${number}`;
};

export type InitialTokens = Readonly<Record<Type, readonly string[]>>;

export interface InitialTokensReport {
  /** Once from the environment, no longer in it, and still valid. */
  readonly leftOver: readonly string[];
  /** In the environment, but revoked, expired or of another type than it says. */
  readonly notInForce: readonly string[];
}

/** Makes sure that the tokens of the environment exist, and names those that differ from it. */
export async function ensureTokens(tx: Tx, wished: InitialTokens): Promise<InitialTokensReport> {
  const notInForce = new Set<string>();
  for (const type of ['admin', 'client', 'frontend'] as const) {
    for (const secret of wished[type]) {
      const known = await findTokenByHash(tx.db, hashSecret(secret));
      if (!known) await createInitialToken(tx, type, secret);
      else if (!isInForce(known, type, tx.now)) notInForce.add(known.name);
    }
  }
  return { leftOver: await listLeftOver(tx, wished), notInForce: [...notInForce] };
}

const isInForce = ({ type, revokedAt, expiresAt }: KnownToken, asked: Type, now: Date): boolean =>
  type === asked && revokedAt === null && (expiresAt === null || expiresAt > now);

async function createInitialToken(tx: Tx, type: Type, secret: string): Promise<void> {
  const taken = new Set((await listTokens(tx.db)).map(({ name }) => name));
  const scope = type === 'admin' ? undefined : parseScope(secret);
  await createToken(tx, {
    name: freeName(type, taken),
    type,
    secret,
    scope,
    origin: 'environment',
  });
}

async function listLeftOver(tx: Tx, wished: InitialTokens): Promise<string[]> {
  const named = new Set(
    Object.values(wished)
      .flat()
      .map((secret) => hashSecret(secret).toString('hex')),
  );
  return (await listTokens(tx.db))
    .filter(({ origin, revokedAt }) => origin === 'environment' && revokedAt === null)
    .filter(({ secretHash }) => !named.has(secretHash.toString('hex')))
    .map(({ name }) => name);
}
