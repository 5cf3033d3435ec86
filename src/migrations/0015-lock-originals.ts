import type { Kysely } from 'kysely';
import { applyFunction } from './functions/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await applyFunction(db, 'lock_originals');
}
