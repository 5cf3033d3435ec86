import type { Generated } from 'kysely';

interface PersonalTokensTable {
  id: Generated<number>;
  user_id: number;
  description: string;
  secret_hash: Buffer;
  created_at: Date;
  expires_at: Date | null;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    personal_tokens: PersonalTokensTable;
  }
}
