import pg from 'pg';
import { isOutage } from '../platform/db/outage.ts';
import { AppError } from '../platform/errors.ts';
import { StartError } from '../platform/start-error.ts';

/** A value of the backup can be part of a message. */
const maxReasonLength = 300;

const firstLineOf = (text: string): string => {
  const [line = ''] = text.split('\n');
  return line.length > maxReasonLength ? `${line.slice(0, maxReasonLength)}…` : line;
};

/** While rows are loaded, PostgreSQL names the row by its number: `COPY users, line 3, column id: "x"`. */
const copyContext = /^COPY (\w+), line (\d+)/;

/** Says which row or table was refused, if PostgreSQL says it. */
function placeOf({ table, where }: pg.DatabaseError): string {
  const [, copied, line] = copyContext.exec(where ?? '') ?? [];
  if (copied !== undefined) return `row ${line} of the table ${copied}`;
  return table === undefined ? 'the rows' : `the table ${table}`;
}

/** The rehearsal of a start refuses what a request would refuse. */
const explainOther = (error: Error): Error =>
  error instanceof AppError
    ? new StartError(
        `The restored data doesn't work: ${firstLineOf(error.message)}. Nothing was changed.`,
        { cause: error },
      )
    : error;

/** Explains errors that an operator can remove, and what PostgreSQL refused of the backup. */
export function explainRestoreError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  // A migration that failed has the error of the database as its cause.
  const refused = error.cause ?? error;
  if (!(refused instanceof pg.DatabaseError)) return explainOther(error);
  switch (refused.code) {
    case '2BP01':
      return new StartError(
        `Something that Burgee didn't create depends on its tables (${firstLineOf(refused.detail ?? '')}). Drop it, restore, and create it again. Nothing was changed.`,
      );
    case '55P03':
      return new StartError(
        "Another session is using the tables, so they can't be replaced. End it first. Nothing was changed.",
      );
    case '53100':
      return new StartError(
        'The database disk is full. A restore needs space for the old and the new data. Nothing was changed.',
      );
  }
  if (error instanceof StartError || isOutage(error)) return error;
  return new StartError(
    `PostgreSQL rejected ${placeOf(refused)} (${refused.code}): ${firstLineOf(refused.message)}. Nothing was changed.`,
    { cause: error },
  );
}
