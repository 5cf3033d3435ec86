import { type RawBuilder, sql } from 'kysely';
import type { SeenAccount } from './accounts/queries.ts';
import type { User, UserBasics } from './user-schema.ts';

/** Where the drawing is that stands for an account or a token. */
export const imageUrlOf = (id: number, baseUrl: string): string => `${baseUrl}/avatars/${id}.svg`;

/** The same in a statement, of an id that it reads. */
export const imageUrlIn = (id: RawBuilder<unknown>, baseUrl: string): RawBuilder<string> =>
  sql`${baseUrl}::text || '/avatars/' || ${id} || '.svg'`;

type Named = Pick<SeenAccount, 'id' | 'name' | 'username' | 'email'>;

export const basicsAnswer = (
  { id, name, username, email }: Named,
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
export const userAnswer = (
  account: Named &
    Pick<SeenAccount, 'kind' | 'rootRole' | 'createdAt'> &
    Partial<Pick<SeenAccount, 'seenAt'>>,
  baseUrl: string,
): User => ({
  ...basicsAnswer(account, baseUrl),
  rootRole: account.rootRole,
  createdAt: account.createdAt.toISOString(),
  ...(account.seenAt && { seenAt: account.seenAt.toISOString() }),
  accountType: accountTypes[account.kind],
  isAPI: false,
});
