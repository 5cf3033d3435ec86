import type pg from 'pg';
import { fold } from '../src/modules/events/record/fold.ts';
import type { Figure } from './figure.ts';
import type { Service } from './load.ts';
import type { Needles } from './needles.ts';
import type { Reader } from './readers.ts';

/** The environment of the experiments. */
export interface Bench {
  readonly burgee: Service;
  /** The owner of the token; undefined for an administrator. */
  readonly reader: Reader | undefined;
  readonly pid: number;
  /** A direct connection to Burgee's database, for the raw limit and for the expected totals. */
  readonly pool: pg.Pool;
  readonly reference: Service | undefined;
  readonly needles: Needles;
  /** How long each figure in requests per second is measured. */
  readonly seconds: number;
}

/** One line of the table. */
export interface Result {
  readonly name: string;
  /** The reader, if not an administrator. */
  readonly reader?: string;
  readonly target?: string;
  /** Undefined if there is no target. */
  readonly met?: boolean;
  readonly ours: Figure;
  readonly raw?: Figure;
  readonly reference?: Figure;
}

/** One or more lines that are measured together. */
export interface Experiment {
  readonly name: string;
  readonly run: (bench: Bench) => Promise<readonly Result[]>;
}

export async function countRows(
  pool: pg.Pool,
  from: string,
  values: readonly unknown[] = [],
): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(`select count(*) as count from ${from}`, [
    ...values,
  ]);
  return Number(rows[0]?.count);
}

/** Counts the events with these properties that the bench's reader may see. */
export const countEvents = (
  { pool, reader }: Pick<Bench, 'pool' | 'reader'>,
  where: string,
  values: readonly unknown[] = [],
): Promise<number> =>
  reader
    ? countRows(pool, `events where (${where}) and project = any($${values.length + 1})`, [
        ...values,
        reader.sees,
      ])
    : countRows(pool, `events where ${where}`, values);

/** Counts those that contain a text, in one project or in all that the reader may see. */
export function countTexts(
  { pool, reader }: Pick<Bench, 'pool' | 'reader'>,
  text: string,
  project?: string,
): Promise<number> {
  const folded = fold(text);
  // The index finds candidates if the text has a trigram. The exact comparison decides.
  const found = /[a-z0-9]{3}/.test(folded)
    ? `search like '%' || replace(replace(replace($1, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`
    : 'strpos(search, $1) > 0';
  const projects =
    project === undefined
      ? reader?.sees
      : [project].filter((id) => !reader || reader.sees.includes(id));
  return projects
    ? countRows(pool, `events join event_texts using (id) where ${found} and project = any($2)`, [
        folded,
        projects,
      ])
    : countRows(pool, `event_texts where ${found}`, [folded]);
}
