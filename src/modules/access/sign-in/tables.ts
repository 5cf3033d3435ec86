import type { Generated } from 'kysely';

interface SignInAttemptsTable {
  /** A hash, so that the table contains neither addresses nor names. */
  key: string;
  window_start: Date;
  count: number;
}

/** Where a person has signed in before: the hash of an address or of a device cookie. */
interface FamiliarAddressesTable {
  user_id: number;
  /** A hash. */
  address: string;
  seen_at: Date;
}

/** Log-ins and refused attempts. */
interface LoginsTable {
  id: Generated<number>;
  /** Null if the typed name is unknown. The name is not stored, because people type passwords there. */
  user_id: number | null;
  method: string;
  outcome: string;
  ip: string;
  user_agent: string | null;
  /** Refused attempts of one minute share one row. */
  attempts: Generated<number>;
  first_at: Date;
  last_at: Date;
}

interface InviteLinksTable {
  id: Generated<number>;
  secret_hash: Buffer;
  name: string;
  role_id: number;
  enabled: boolean;
  created_at: Date;
  created_by: string;
  created_by_user_id: number;
  expires_at: Date;
}

interface InviteLinkUsersTable {
  link_id: number;
  user_id: number;
  joined_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    sign_in_attempts: SignInAttemptsTable;
    familiar_addresses: FamiliarAddressesTable;
    logins: LoginsTable;
    invite_links: InviteLinksTable;
    invite_link_users: InviteLinkUsersTable;
  }
}
