import type { Generated } from 'kysely';

interface SignInAttemptsTable {
  /** A hash: the table tells neither addresses nor names. */
  key: string;
  window_start: Date;
  count: number;
}

/** Where a person has signed in from before: the hash of an address, or of what a browser was given. */
interface FamiliarAddressesTable {
  user_id: number;
  /** A hash. */
  address: string;
  seen_at: Date;
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

declare module '../../platform/db/database.ts' {
  interface Database {
    sign_in_attempts: SignInAttemptsTable;
    familiar_addresses: FamiliarAddressesTable;
    invite_links: InviteLinksTable;
    invite_link_users: InviteLinkUsersTable;
  }
}
