import type { Generated } from 'kysely';

interface UsersTable {
  id: Generated<number>;
  kind: 'person' | 'service account';
  name: string;
  username: string | null;
  email: string | null;
  password_hash: string | null;
  password_changed_at: Generated<Date | null>;
  /** The issuer and subject of the person at the OpenID Connect provider. */
  external_subject: string | null;
  root_role: number;
  created_at: Date;
  deleted_at: Date | null;
}

interface LoginNamesTable {
  /** A user name or an e-mail address in lower case. */
  name: string;
  user_id: number;
}

interface PasswordLinksTable {
  secret_hash: Buffer;
  user_id: number;
  purpose: 'invitation' | 'reset';
  /** The creator: a person by id, a token or the system by name. */
  created_by_user_id: number | null;
  created_by: string | null;
  created_at: Date;
  expires_at: Date;
}

/** Splashes that a person has seen. */
interface UserSplashesTable {
  user_id: number;
  splash_id: string;
  seen_at: Date;
}

/** Feedback that a person has given. */
interface UserFeedbackTable {
  user_id: number;
  feedback_id: string;
  never_show: boolean;
  given_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    users: UsersTable;
    login_names: LoginNamesTable;
    password_links: PasswordLinksTable;
    user_splashes: UserSplashesTable;
    user_feedback: UserFeedbackTable;
  }
}
