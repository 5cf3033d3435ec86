import { explained } from '../../../../platform/db/constraint.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { invalidOperation, notFound } from '../../../../platform/errors.ts';
import { sees } from '../../../../platform/permission.ts';
import { hashSecret, newSecret } from '../../../../platform/secret.ts';
import { requireAccount } from '../../../access/users/index.ts';
import { absoluteUrl, record } from '../../../events/index.ts';
import type { CalendarScope } from '../calendar-schema.ts';
import { readContract } from '../read/contract.ts';
import { type CalendarToken, maxTokens } from './contract.ts';
import { calendarTokenCreated, calendarTokenRevoked } from './events.ts';
import { deleteTokens, findProjectOf, insertToken, listTokensOf, lockOwner } from './queries.ts';

async function refuseUnknown(tx: Tx, { project, feature }: CalendarScope): Promise<void> {
  if (project !== undefined && !sees(tx.actor, project)) throw notFound('project', project);
  if (feature === undefined) return;
  const place = await findProjectOf(tx.db, feature);
  if (place === undefined || !sees(tx.actor, place)) throw notFound('feature', feature);
}

const factsOf = (userId: number, { createdAt: _createdAt, ...token }: CalendarToken) => ({
  userId,
  ...token,
});

export async function createCalendarToken(tx: Tx, scope: CalendarScope, baseUrl: string) {
  const userId = requireAccount(tx.actor);
  // Otherwise someone who stole a token that expires could read the calendar for ever.
  if (tx.actor.tokenEndsAt) {
    throw invalidOperation("A token that expires can't create calendar tokens. Sign in instead");
  }
  await refuseUnknown(tx, scope);
  await lockOwner(tx, userId);
  if ((await listTokensOf(tx.db, userId)).length >= maxTokens) {
    throw invalidOperation(
      `The limit of ${maxTokens} calendar tokens per account is reached. Revoke a token first`,
    );
  }
  const secret = `calendar:${newSecret()}`;
  const { project, feature } = scope;
  const token = await explained(
    insertToken(tx, { userId, project, feature, secretHash: hashSecret(secret) }),
    { calendar_tokens_project_fkey: () => notFound('project', project ?? '') },
  );
  record(tx, calendarTokenCreated({ data: factsOf(userId, token) }));
  const url = absoluteUrl(baseUrl, `${readContract.getCalendarFile.path}?token=${secret}`);
  return { ...token, secret, url };
}

async function revoke(tx: Tx, userId: number, id?: number): Promise<number> {
  const revoked = await deleteTokens(tx, userId, id);
  for (const token of revoked) {
    record(tx, calendarTokenRevoked({ preData: factsOf(userId, token) }));
  }
  return revoked.length;
}

export async function removeCalendarToken(tx: Tx, id: number): Promise<void> {
  const count = await revoke(tx, requireAccount(tx.actor), id);
  if (count === 0) throw notFound('calendar token', id);
}

/** Someone who knew the password may have created a token. */
export async function removeCalendarTokensOf(tx: Tx, { id }: { readonly id: number }) {
  await revoke(tx, id);
}
