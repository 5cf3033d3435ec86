import type pg from 'pg';

/** The part of pg's connection that COPY needs and its types omit. */
interface CopyConnection {
  readonly query: (text: string) => void;
  readonly sendCopyFromChunk: (chunk: Buffer) => void;
  readonly endCopyFrom: () => void;
}

type Cell = string | number | null;

const special = /[\\\n\r\t]/;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

const cellText = (cell: Cell): string => {
  if (cell === null) return '\\N';
  if (typeof cell === 'number' || !special.test(cell)) return String(cell);
  return cell.replace(/[\\\n\r\t]/g, (mark) => escapes[mark] ?? mark);
};

/** Returns a line without its end, so that a last column can be added. */
export const copyLine = (cells: readonly Cell[]): string => cells.map(cellText).join('\t');

/** Runs `copy … from stdin` with these lines: the fastest way to insert, for which pg has no call. */
export const copyInto = (
  client: pg.Client,
  table: string,
  columns: readonly string[],
  lines: Uint8Array,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let failure: Error | undefined;
    const submittable = {
      submit: (connection: unknown) =>
        (connection as CopyConnection).query(`copy ${table} (${columns.join(', ')}) from stdin`),
      handleCopyInResponse: (connection: CopyConnection) => {
        connection.sendCopyFromChunk(Buffer.from(lines.buffer, lines.byteOffset, lines.length));
        connection.endCopyFrom();
      },
      handleCommandComplete: () => undefined,
      handleError: (error: Error) => {
        failure = error;
        reject(error);
      },
      handleReadyForQuery: () => (failure ? undefined : resolve()),
    };
    client.query(submittable);
  });
