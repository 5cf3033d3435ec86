import type { Tx } from '../../../platform/db/database.ts';
import type { StoredRequest } from './queries.ts';

/** Accounts have positive ids. */
const isAccount = (id: number | undefined): id is number => id !== undefined && id > 0;

interface Options {
  readonly byEmail?: boolean;
}

/** Tells these accounts about an event, except the one that caused it. */
export const tell = (
  { actor }: Tx,
  accounts: readonly (number | undefined)[],
  { byEmail = false }: Options = {},
) => ({
  recipients: {
    userIds: [...new Set(accounts.filter(isAccount))].filter((id) => id !== actor.id),
    byEmail,
  },
});

export const tellAuthor = (tx: Tx, { createdByUserId }: StoredRequest, options?: Options) =>
  tell(tx, [createdByUserId], options);
