import { explained } from '../../platform/db/constraint.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { badData, invalidOperation, nameExists, notFound } from '../../platform/errors.ts';
import { expiryFaults, expiryOf } from '../../platform/expiry.ts';
import { hashSecret, newSecret } from '../../platform/secret.ts';
import { personalPrefix } from '../access/index.ts';
import { record } from '../events/index.ts';
import type { CreatedPersonalToken, CreatePersonalToken, PersonalToken } from './contract.ts';
import { type PersonalTokenFacts, patCreated, patDeleted } from './events.ts';
import { countTokensOf, deleteTokens, insertToken, listTokensOf, lockOwner } from './queries.ts';

/** For each account, as in the reference product. */
const maxTokens = 10;

const factsOf = ({ seenAt, ...facts }: PersonalToken): PersonalTokenFacts => facts;

export const listPersonalTokens = (db: Db, userId: number): Promise<PersonalToken[]> =>
  listTokensOf(db, [userId]);

export async function createPersonalToken(
  tx: Tx,
  userId: number,
  { description, expiresAt }: CreatePersonalToken,
): Promise<CreatedPersonalToken> {
  const faults = expiryFaults(expiresAt, tx.now, '/body/expiresAt');
  if (faults.length > 0) throw badData(faults);
  // Of several that are made at once, each is counted by the next.
  if (!(await lockOwner(tx, userId))) throw notFound('account', userId);
  if ((await countTokensOf(tx.db, userId)) >= maxTokens) {
    throw invalidOperation(`An account has at most ${maxTokens} tokens: delete one first`);
  }
  const secret = `${personalPrefix}${newSecret()}`;
  const secretHash = hashSecret(secret);
  const token = await explained(
    insertToken(tx, { userId, description, secretHash, expiresAt: expiryOf(expiresAt) }),
    {
      personal_tokens_description_key: () =>
        nameExists(`There already is a token for '${description}'`),
    },
  );
  record(tx, patCreated({ data: factsOf(token) }));
  return { ...token, secret };
}

export async function removePersonalToken(tx: Tx, userId: number, id: number): Promise<void> {
  const [token] = await deleteTokens(tx, userId, id);
  if (!token) throw notFound('personal access token', id);
  record(tx, patDeleted({ data: factsOf(token) }));
}

/** For an account that goes. */
export async function removePersonalTokensOf(tx: Tx, userId: number): Promise<void> {
  for (const token of await deleteTokens(tx, userId)) {
    record(tx, patDeleted({ data: factsOf(token) }));
  }
}

/** For whoever is erased: nothing is left that stood for them. */
export async function forgetPersonalTokens(tx: Tx, userId: number): Promise<void> {
  await deleteTokens(tx, userId);
}
