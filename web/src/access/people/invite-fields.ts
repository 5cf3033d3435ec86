/** The built-in root role Admin. */
export const adminRole = '1';

export interface ProjectRole {
  /** Null until one is selected. */
  readonly project: string | null;
  readonly role: string;
}

interface InviteFields {
  readonly email: string;
  readonly username: string;
  readonly withEmail: boolean;
  readonly rootRole: string;
  readonly places: readonly ProjectRole[];
}

/** What to fill in before a user can be invited. */
export function missingInInvite(fields: InviteFields): string | undefined {
  const { email, username, withEmail, rootRole, places } = fields;
  if (withEmail && email.trim() === '') return 'Enter an email';
  if (!withEmail && username.trim() === '') return 'Enter a username';
  const isOpen = rootRole !== adminRole && places.some(({ project }) => project === null);
  return isOpen ? 'Select a project or remove the row' : undefined;
}
