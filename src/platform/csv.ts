/** Formats a cell. A spreadsheet would run a cell that begins like a formula. */
export const csvCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

export const csvType = 'text/csv; charset=utf-8';

/** Renders a header line and one line per row. A list is one cell, with commas between its items. */
export function csvText<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): string {
  const cellOf = (value: unknown) => csvCell(Array.isArray(value) ? value.join(',') : value);
  const lines = rows.map((row) => columns.map((column) => cellOf(row[column])).join(','));
  return [columns.join(','), ...lines].map((line) => `${line}\r\n`).join('');
}

/** Returns whether a request prefers CSV to JSON. */
export const wantsCsv = (accept = ''): boolean =>
  /^\s*text\/csv\b/i.test(accept) && !/application\/json/i.test(accept);
