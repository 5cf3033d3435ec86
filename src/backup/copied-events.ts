import pg from 'pg';
import { type Content, contentOf, fits } from '../modules/events/index.ts';
import type { Manifest } from './manifest.ts';

const newline = 0x0a;

/**
 * Splits text in PostgreSQL's COPY format into rows. A newline within a value is written as `\n`. Nothing is read or
 * remembered any more once a row was refused.
 */
function createRowReader(take: (row: string) => 'continue' | 'stop') {
  let rest: Buffer[] = [];
  let isOver = false;
  return (chunk: Buffer): void => {
    if (isOver) return;
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      const part = chunk.subarray(from, at);
      const row = (rest.length === 0 ? part : Buffer.concat([...rest, part])).toString('utf8');
      rest = [];
      if (take(row) === 'stop') {
        isOver = true;
        return;
      }
      from = at + 1;
    }
    if (from < chunk.length) rest.push(Buffer.from(chunk.subarray(from)));
  };
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Reads one value of a row. PostgreSQL writes null as `\N`. */
function fieldOf(text: string): string | null {
  if (text === '\\N') return null;
  if (!text.includes('\\')) return text;
  return text.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter);
}

/** Neither infinity nor years before Christ, which PostgreSQL marks behind the time. */
const instant = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?\+00$/;

/** Writes an instant as JavaScript does: `2026-01-31 09:00:00.5+00` is `2026-01-31T09:00:00.500Z`. */
function instantOf(text: string): string {
  if (!instant.test(text)) throw new Error('not an instant');
  const [date, time = ''] = text.replace(/\+00$/, '').split(' ');
  const [seconds, fraction = ''] = time.split('.');
  return `${date}T${seconds}.${fraction.padEnd(3, '0')}Z`;
}

const textArray = 1009;
const parseTextArray = pg.types.getTypeParser(textArray as number) as (text: string) => string[];

const bytesOf = (text: string) => Buffer.from(text.slice(2), 'hex');

/** Follows the chain of the events in a backup from its anchor to its end. */
export function createChainReader({ tables, log }: Manifest) {
  const columns = tables.events?.columns ?? [];
  let lastId = log.anchorId;
  let hash = Buffer.from(log.anchorHash, 'hex');
  let fault: string | undefined;

  const follow = (row: string): void => {
    // One more than there are columns, to notice a row that has too many.
    const values = row.split('\t', columns.length + 1);
    if (values.length !== columns.length) throw new Error('another number of columns');
    const at = (column: string): string | null => fieldOf(values[columns.indexOf(column)] ?? '\\N');
    const text = (column: string): string => at(column) ?? '';
    const json = (column: string) => JSON.parse(at(column) ?? 'null');
    const id = Number(at('id'));
    const [userId, keys, subjectSeal] = [
      at('created_by_user_id'),
      at('subject_keys'),
      at('subject_seal'),
    ];
    const event: Content = {
      type: text('type'),
      createdAt: instantOf(text('created_at')),
      createdBy: text('created_by'),
      createdByUserId: userId === null ? null : Number(userId),
      ip: at('ip'),
      requestId: at('request_id'),
      project: at('project'),
      environment: at('environment'),
      featureName: at('feature_name'),
      data: json('data'),
      preData: json('pre_data'),
      tags: json('tags'),
      actorSeal: bytesOf(text('actor_seal')),
      subjectKeys: keys === null ? null : parseTextArray(keys),
      subjectSeal: subjectSeal === null ? null : bytesOf(subjectSeal),
    };
    const own = bytesOf(text('hash'));
    if (id !== lastId + 1 || !fits(own, id, hash, contentOf(event))) {
      fault = `Event ${id} was modified after it was recorded, or an event before it is missing`;
      return;
    }
    lastId = id;
    hash = own;
  };

  const take = (row: string): 'continue' | 'stop' => {
    try {
      follow(row);
    } catch {
      // Damaged bytes are unpacked and read here before the hash of the table is known to be wrong.
      fault = `The event after event ${lastId} cannot be read`;
    }
    return fault === undefined ? 'continue' : 'stop';
  };

  return {
    /** Takes the next bytes of the events. */
    read: createRowReader(take),
    /** What is wrong with the chain, if anything. */
    close(): string | undefined {
      if (fault !== undefined) return fault;
      const isWhole = lastId === log.lastId && hash.toString('hex') === log.hash;
      return isWhole ? undefined : `The log ends at event ${lastId}, not at event ${log.lastId}`;
    },
  };
}
