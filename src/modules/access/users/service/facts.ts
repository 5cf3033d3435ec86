import type { PersonFacts } from '../events.ts';
import type { StoredAccount } from '../queries/accounts.ts';

/** What the log tells of a person. */
export const factsOf = ({ id, name, username, email, rootRole }: StoredAccount): PersonFacts => ({
  id,
  name,
  username,
  email,
  rootRole,
});
