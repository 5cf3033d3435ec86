import { type RawBuilder, sql } from 'kysely';
import type { AccountWithLastSeen } from './accounts/queries.ts';
import type { User, UserBasics } from './user-schema.ts';

/** The address of the avatar of an account or a token. */
export const imageUrlOf = (id: number, baseUrl: string): string => `${baseUrl}/avatars/${id}.svg`;

/** The same in SQL. */
export const imageUrlIn = (id: RawBuilder<unknown>, baseUrl: string): RawBuilder<string> =>
  sql`${baseUrl}::text || '/avatars/' || ${id} || '.svg'`;

type AccountNames = Pick<AccountWithLastSeen, 'id' | 'name' | 'username' | 'email'>;

export const toUserBasics = (
  { id, name, username, email }: AccountNames,
  baseUrl: string,
): UserBasics => ({
  id,
  ...(name !== '' && { name }),
  ...(username !== null && { username }),
  ...(email !== null && { email }),
  imageUrl: imageUrlOf(id, baseUrl),
});

export const accountTypes = { person: 'User', 'service account': 'Service Account' } as const;

/** An account as an administrator sees it. */
export const toUser = (
  account: AccountNames &
    Pick<AccountWithLastSeen, 'kind' | 'rootRole' | 'createdAt'> &
    Partial<Pick<AccountWithLastSeen, 'seenAt'>>,
  baseUrl: string,
): User => ({
  ...toUserBasics(account, baseUrl),
  rootRole: account.rootRole,
  createdAt: account.createdAt.toISOString(),
  ...(account.seenAt && { seenAt: account.seenAt.toISOString() }),
  accountType: accountTypes[account.kind],
  isAPI: false,
});
