interface AccountNames {
  readonly id: number;
  readonly name?: string | undefined;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}

/** How somebody is called on the page. */
export const nameOfAccount = ({ id, name, username, email }: AccountNames): string =>
  name || username || email || `Account ${id}`;

/** What else is known of them: the address, or the name by which they sign in. */
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
