import type { Kysely } from 'kysely';
import type { Database, Transact } from '../../../platform/db/database.ts';
import type { RunHook } from '../../../platform/hooks.ts';

export interface RunContext {
  readonly db: Kysely<Database>;
  readonly transact: Transact;
  readonly encryptionKeys: readonly Buffer[];
  readonly baseUrl: string;
  readonly runHook: RunHook;
  /** Called after each thing. */
  readonly progress: (done: number, total: number) => void;
  /** Called for each new user at once, because a run may be interrupted: a secret to choose a password. */
  readonly link: (login: string, secret: string) => void;
}
