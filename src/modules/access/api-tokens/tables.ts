import type { Generated } from 'kysely';

interface ApiTokensTable {
  id: Generated<number>;
  name: string;
  type: 'admin' | 'client' | 'frontend';
  environment: string | null;
  projects: string[];
  secret_hash: Buffer;
  /** Encrypted, if it can be shown again: never of admin tokens or revoked ones. */
  sealed_secret: Generated<Buffer | null>;
  origin: 'first start' | 'environment' | 'command line' | 'api';
  alias: string | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    api_tokens: ApiTokensTable;
  }
}
