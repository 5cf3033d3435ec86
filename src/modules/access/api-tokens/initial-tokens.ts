import type { Tx } from '../../../platform/db/database.ts';
import { hashSecret } from '../../../platform/secret.ts';
import {
  findTokenByHash,
  listTokens,
  lockEnvironment,
  lockProjects,
  type NewToken,
  updateSealedSecret,
} from './queries.ts';
import { everywhere, parseScope, projectsOf, type TokenScope } from './scope.ts';
import { sealedSecret } from './sealing.ts';
import { createToken } from './token.ts';

type Type = NewToken['type'];
type ExistingToken = NonNullable<Awaited<ReturnType<typeof findTokenByHash>>>;

const freeName = (type: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(type)) return type;
  let number = 2;
  while (taken.has(`${type}-${number}`)) number += 1;
  return `${type}-${number}`;
};

export type InitialTokens = Readonly<Record<Type, readonly string[]>>;

export interface InitialTokensReport {
  /** Created from the environment earlier, no longer in it, and still valid. */
  readonly leftOver: readonly string[];
  /** In the environment, but revoked, expired or of another type. */
  readonly notInForce: readonly string[];
  /** Why some of them were not created, one sentence each. */
  readonly notMade: readonly string[];
}

/**
 * Ensures that the tokens of the environment exist, and reports those that differ from it. Stores the secrets of SDK
 * tokens, so that they can be shown again, even if only their hash was stored before.
 */
export async function ensureTokens(
  tx: Tx,
  requested: InitialTokens,
  keys: readonly Buffer[] = [],
): Promise<InitialTokensReport> {
  const notInForce = new Set<string>();
  const notMade: string[] = [];
  for (const type of ['admin', 'client', 'frontend'] as const) {
    for (const [index, secret] of requested[type].entries()) {
      const existing = await findTokenByHash(tx.db, hashSecret(secret));
      if (!existing) {
        const scope = type === 'admin' ? undefined : parseScope(secret);
        const missing = scope && (await findMissingScope(tx, scope));
        if (missing === undefined) await createInitialToken(tx, { type, secret, keys }, scope);
        // Identifies the token by its position, without its secret.
        else notMade.push(`${variableOf(type)}: token ${index + 1} was not created: ${missing}`);
      } else if (!isValidAs(existing, type, tx.now)) notInForce.add(existing.name);
      else if (existing.sealedSecret === null)
        await sealSecret(tx, existing.id, { type, secret, keys });
    }
  }
  return { leftOver: await listLeftOver(tx, requested), notInForce: [...notInForce], notMade };
}

const variableOf = (type: Type): string => `INIT_${type.toUpperCase()}_API_TOKENS`;

/** Finds a project or environment that does not exist: the token would reach nothing, and the API refuses it, too. */
async function findMissingScope(tx: Tx, scope: TokenScope): Promise<string | undefined> {
  if ((await lockEnvironment(tx, scope.environment)) === undefined) {
    return `environment '${scope.environment}' not found. Create it and start again`;
  }
  const named = projectsOf(scope).filter((id) => id !== everywhere);
  const there = new Set(await lockProjects(tx, named));
  const absent = named.find((id) => !there.has(id));
  return absent === undefined
    ? undefined
    : `project '${absent}' not found. Create it and start again`;
}

const isValidAs = (
  { type, revokedAt, expiresAt }: ExistingToken,
  expectedType: Type,
  now: Date,
): boolean =>
  type === expectedType && revokedAt === null && (expiresAt === null || expiresAt > now);

interface SecretToSeal {
  readonly type: Type;
  readonly secret: string;
  readonly keys: readonly Buffer[];
}

async function sealSecret(tx: Tx, id: number, { type, secret, keys }: SecretToSeal): Promise<void> {
  const sealed = sealedSecret(keys, type, secret);
  if (sealed !== null) await updateSealedSecret(tx, id, sealed);
}

async function createInitialToken(
  tx: Tx,
  { type, secret, keys }: SecretToSeal,
  scope: TokenScope | undefined,
): Promise<void> {
  const taken = new Set((await listTokens(tx.db)).map(({ name }) => name));
  const name = freeName(type, taken);
  await createToken(tx, { name, type, secret, scope, origin: 'environment' }, keys);
}

async function listLeftOver(tx: Tx, requested: InitialTokens): Promise<string[]> {
  const named = new Set(
    Object.values(requested)
      .flat()
      .map((secret) => hashSecret(secret).toString('hex')),
  );
  return (await listTokens(tx.db))
    .filter(({ origin, revokedAt }) => origin === 'environment' && revokedAt === null)
    .filter(({ secretHash }) => !named.has(secretHash.toString('hex')))
    .map(({ name }) => name);
}
