import type { Generated } from 'kysely';

interface ApiTokensTable {
  id: Generated<number>;
  name: string;
  type: 'admin' | 'client' | 'frontend';
  environment: string | null;
  projects: string[];
  secret_hash: Buffer;
  /** Under a key of the installation, where it can be shown again: never of an admin token, nor of a revoked one. */
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
