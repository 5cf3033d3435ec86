import { spawnSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { eventJson } from '../../src/modules/events/event-json.ts';
import type { LogEnd } from '../../src/modules/events/proof/coverage.ts';
import { type Verification, verifyLog } from '../../src/modules/events/proof/verify.ts';
import { defineEvent } from '../../src/modules/events/record/define.ts';
import { record } from '../../src/modules/events/record/record.ts';
import type { Actor } from '../../src/platform/actor.ts';
import type { Database, Transact } from '../../src/platform/db/database.ts';
import { testActor } from './app.ts';
import { captured } from './command-line.ts';

const flagChanged = defineEvent<{ n: number; note?: string }>({
  type: 'feature-updated',
  label: 'Flag updated',
  summary: ({ user, feature }) => `${user} changed ${feature}`,
});

export const userCreated = defineEvent<{ id: number; username: string; email: string }>({
  type: 'user-created',
  label: 'User created',
  summary: ({ user, data, bold }) => `${user} created the user ${bold(data.username)}`,
  personal: ['username', 'email'],
});

export const person = (id: number, name: string): Actor => ({
  ...testActor,
  id,
  name,
  ip: '203.0.113.9',
  requestId: 'request-1',
});

/** Records this many events, one transaction each, with every property of an event. */
export async function fill(transact: Transact, count: number, actor: Actor = testActor) {
  for (let n = 0; n < count; n += 1) {
    await transact(actor, async (tx) =>
      record(
        tx,
        flagChanged({
          project: 'default',
          environment: 'development',
          featureName: `flag-${n}`,
          data: { n, note: `Über "${n}"` },
          preData: { n: n - 1 },
          tags: [{ type: 'simple', value: `tag-${n}` }],
        }),
      ),
    );
  }
}

class Undo extends Error {}

/** Makes a forbidden change, verifies the log, and undoes the change. */
export async function tampered<Result>(
  db: Kysely<Database>,
  tamper: RawBuilder<unknown> | readonly RawBuilder<unknown>[],
  look: (tx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  let result: Result | undefined;
  try {
    await db.transaction().execute(async (tx) => {
      // Lets a superuser bypass all triggers.
      await sql`set local session_replication_role = replica`.execute(tx);
      for (const statement of [tamper].flat()) await (statement as RawBuilder<unknown>).execute(tx);
      result = await look(tx);
      throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
  return result as Result;
}

export const verifyTampered = (
  db: Kysely<Database>,
  tamper: RawBuilder<unknown> | readonly RawBuilder<unknown>[],
  end?: LogEnd,
): Promise<Verification> => tampered(db, tamper, (tx) => verifyLog(tx, end));

export async function exported(
  db: Kysely<Database>,
  order: 'asc' | 'desc' = 'asc',
): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select ${eventJson({ ip: true, proof: true })} as line
    from events e order by e.id ${sql.raw(order)}`.execute(db);
  return rows.map(({ line }) => `${line}\n`).join('');
}

const verifier = fileURLToPath(new URL('../../tools/verify-events.mjs', import.meta.url));

/** The stand-alone verifier, as an auditor runs it. */
export function startVerifier(args: readonly string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [verifier, ...args], {
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

let verifications = 0;

/** The stand-alone verifier in this process: a hundred processes of its own take ten seconds. */
export async function runVerifier(args: readonly string[], input = '') {
  verifications += 1;
  const { argv } = process;
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
  process.argv = [process.execPath, verifier, ...args];
  Object.defineProperty(process, 'stdin', {
    value: Readable.from([Buffer.from(input)], { objectMode: false }),
    configurable: true,
  });
  try {
    // Each import with another query runs the program again.
    const program = `${verifier}?run=${verifications}`;
    const { code, stdout, stderr } = await captured(() => import(/* @vite-ignore */ program));
    return { status: code, stdout, stderr };
  } finally {
    process.argv = argv;
    Object.defineProperty(process, 'stdin', stdin);
  }
}

export const headOf = async (db: Kysely<Database>) => {
  const { rows } = await sql<{ id: number; hash: string }>`
    select id, encode(hash, 'hex') as hash from events order by id desc limit 1`.execute(db);
  return rows[0] as { id: number; hash: string };
};
