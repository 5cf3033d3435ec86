import type pg from 'pg';
import type { Figure } from './figure.ts';
import type { Service } from './load.ts';
import type { Needles } from './needles.ts';

/** What the experiments are made on. */
export interface Bench {
  readonly burgee: Service;
  readonly pid: number;
  /** Straight to Burgee's database, for the raw limit and for counting what a total must be. */
  readonly pool: pg.Pool;
  readonly reference: Service | undefined;
  readonly needles: Needles;
  /** How long each figure in requests per second is measured. */
  readonly seconds: number;
}

/** One line of the table. */
export interface Result {
  readonly name: string;
  readonly target?: string;
  /** Undefined where there is no target. */
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
