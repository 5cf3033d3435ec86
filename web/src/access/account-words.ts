interface AccountNames {
  readonly id: number;
  readonly name?: string | undefined;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}

/** The name of a user or service account in the UI. */
export const nameOfAccount = ({ id, name, username, email }: AccountNames): string =>
  name || username || email || `User ${id}`;

/** Email and username, unless one of them is already shown as the name. */
export const noteOfAccount = (account: AccountNames): string =>
  [account.email, account.username]
    .filter((text) => text !== undefined && text !== nameOfAccount(account))
    .join(' · ');

/** Words that all have to occur in a text. */
export function matches(text: string, query: string | undefined): boolean {
  const words = (query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
