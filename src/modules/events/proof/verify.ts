import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { createBookkeeping, faultOfParts, listDays } from './bookkeeping.ts';
import { contentOf, fits, type StoredEvent, walk } from './chain.ts';
import { diagnose, fault, type LogFault, removed } from './diagnose.ts';

export interface Verification {
  readonly ok: boolean;
  /** How many events were found in order. */
  readonly checked: number;
  readonly firstId: number;
  readonly lastId: number;
  /** The hash of the last event that is in order, in hex. */
  readonly hash: string;
  readonly fault?: LogFault;
}

/** Where a log ended, as somebody outside remembers it. */
export interface End {
  readonly lastId: number;
  readonly hash: string;
}

/** So many hashes are remembered, to find out how many events were inserted before a broken link. */
const remembered = 1000;

const lowestId = Number.MIN_SAFE_INTEGER;

/**
 * Walks the kept log from its anchor to its end and names the first event that is not as it was
 * recorded. Reads as long as the log is: call it in a snapshot, so that lawful changes stay outside.
 */
export async function verifyLog(db: Db, end?: End): Promise<Verification> {
  const anchor = await db
    .selectFrom('event_log')
    .select(['anchor_id as id', 'anchor_hash as hash'])
    .executeTakeFirstOrThrow();
  const days = await listDays(db);
  const lastKnownId = Math.max(anchor.id, ...days.map(({ lastId }) => lastId));
  const books = createBookkeeping();
  let lastId = anchor.id;
  let before: Buffer[] = [anchor.hash];

  const result = (found?: LogFault): Verification => ({
    ok: found === undefined,
    checked: lastId - anchor.id,
    firstId: anchor.id + 1,
    lastId,
    hash: (before.at(-1) as Buffer).toString('hex'),
    ...(found ? { fault: found } : {}),
  });

  const faultOf = (event: StoredEvent): LogFault | Promise<LogFault> | undefined => {
    const { id, hash } = event;
    if (id <= anchor.id) {
      return fault(
        'inserted',
        id,
        `Event ${id} was inserted: the kept log begins behind event ${anchor.id}`,
      );
    }
    if (id > lastId + 1) return removed(lastId + 1, id - 1);
    const content = contentOf(event);
    if (!fits(hash, id, before.at(-1) as Buffer, content)) {
      return diagnose(db, { event, content, before, lastKnownId });
    }
    return faultOfEnd(id, hash, end) ?? faultOfParts(event);
  };

  const anchorFault = faultOfEnd(anchor.id, anchor.hash, end);
  if (anchorFault) return result(anchorFault);
  for await (const batch of walk(db, lowestId)) {
    for (const event of batch) {
      const found = faultOf(event);
      if (found) return result(await found);
      books.note(event);
      lastId = event.id;
      before.push(event.hash);
    }
    before = before.slice(-remembered);
  }

  const missing = Math.max(lastKnownId, end?.lastId ?? 0);
  if (missing > lastId) return result(removed(lastId + 1, missing));
  return result(books.close(anchor, days) ?? (await faultOfTexts(db)));
}

const faultOfEnd = (id: number, hash: Buffer, end: End | undefined): LogFault | undefined =>
  end?.lastId === id && end.hash !== hash.toString('hex')
    ? fault(
        'altered',
        id,
        `Event ${id}, or one before it, was altered and the chain made anew: its hash is not the one in the checkpoint`,
      )
    : undefined;

/** Texts of events that do not exist: a removed event, or a trap in the search. */
async function faultOfTexts(db: Db): Promise<LogFault | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select id from event_texts
      union all select id from event_side_texts where part in ('preData', 'tags')
    ) texts
    where not exists (select from events e where e.id = texts.id)
    union all select id from event_side_texts where part not in ('preData', 'tags')
    order by id limit 1`.execute(db);
  const [extra] = rows;
  return (
    extra &&
    fault(
      'search text',
      extra.id,
      `There is a search text for event ${extra.id} that belongs to nothing in the log`,
    )
  );
}
