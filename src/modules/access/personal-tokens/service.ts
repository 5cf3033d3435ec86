import type { Actor } from '../../../platform/actor.ts';
import { explained } from '../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import {
  badData,
  type Fault,
  invalidOperation,
  nameExists,
  notFound,
} from '../../../platform/errors.ts';
import { expiryFaults, expiryOf } from '../../../platform/expiry.ts';
import { hashSecret, newSecret } from '../../../platform/secret.ts';
import { record } from '../../events/index.ts';
import { personalPrefix } from '../gate/index.ts';
import type { CreatedPersonalToken, CreatePersonalToken, PersonalToken } from './contract.ts';
import { type PersonalTokenData, patCreated, patDeleted } from './events.ts';
import { countTokensOf, deleteTokens, insertToken, listTokensOf, lockOwner } from './queries.ts';

/** Per account, as in the reference product. */
const maxTokens = 10;

/** The account that a token belongs to. */
interface Owner {
  readonly id: number;
  /** For the log, if someone else acts. */
  readonly username?: string | null;
}

const factsOf = (
  { actor }: Tx,
  { seenAt, ...facts }: PersonalToken,
  { id, username }: Owner,
): PersonalTokenData => ({ ...facts, ...(username && id !== actor.id && { username }) });

export const listPersonalTokens = (db: Db, userId: number): Promise<PersonalToken[]> =>
  listTokensOf(db, [userId]);

/** A token that expires must not create one that outlives it, because a thief would then have access for ever. */
function expiryBeyondActorFaults({ tokenEndsAt }: Actor, expiresAt: Date | null): Fault[] {
  if (!tokenEndsAt || (expiresAt && expiresAt <= tokenEndsAt)) return [];
  const path = '/body/expiresAt';
  const message = `${path} must not be after ${tokenEndsAt.toISOString()}, when the token of this request expires`;
  return [{ path, message }];
}

export async function createPersonalToken(
  tx: Tx,
  owner: Owner,
  { description, expiresAt }: CreatePersonalToken,
): Promise<CreatedPersonalToken> {
  const userId = owner.id;
  const faults = [
    ...expiryFaults(expiresAt, tx.now, '/body/expiresAt'),
    ...(owner.id === tx.actor.id ? expiryBeyondActorFaults(tx.actor, expiryOf(expiresAt)) : []),
  ];
  if (faults.length > 0) throw badData(faults);
  // The lock makes concurrent requests count each other's tokens.
  if (!(await lockOwner(tx, userId))) throw notFound('user', userId);
  if ((await countTokensOf(tx.db, userId)) >= maxTokens) {
    throw invalidOperation(
      `The limit of ${maxTokens} tokens per account is reached. Revoke a token first`,
    );
  }
  const secret = `${personalPrefix}${newSecret()}`;
  const secretHash = hashSecret(secret);
  const token = await explained(
    insertToken(tx, { userId, description, secretHash, expiresAt: expiryOf(expiresAt) }),
    {
      personal_tokens_description_key: () =>
        nameExists(`A token with the description '${description}' already exists`),
    },
  );
  record(tx, patCreated({ data: factsOf(tx, token, owner) }));
  return { ...token, secret };
}

export async function removePersonalToken(tx: Tx, owner: Owner, id: number): Promise<void> {
  const [token] = await deleteTokens(tx, owner.id, id);
  if (!token) throw notFound('personal access token', id);
  record(tx, patDeleted({ data: factsOf(tx, token, owner) }));
}

/**
 * For an account that is deleted or whose password was reset, because someone who knew the password may have created a
 * token.
 */
export async function removePersonalTokensOf(tx: Tx, owner: Owner): Promise<void> {
  for (const token of await deleteTokens(tx, owner.id)) {
    record(tx, patDeleted({ data: factsOf(tx, token, owner) }));
  }
}

/** For a person who is being erased. */
export async function forgetPersonalTokens(tx: Tx, userId: number): Promise<void> {
  await deleteTokens(tx, userId);
}
