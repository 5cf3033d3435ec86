/** What the address of the event log says: the parameters of `GET /api/admin/search/events` that a person sets. */
export interface EventQuery {
  readonly query?: string;
  readonly type?: string;
  readonly project?: string;
  readonly feature?: string;
  readonly environment?: string;
  readonly createdBy?: string;
  readonly from?: string;
  readonly to?: string;
}

const names = [
  'query',
  'type',
  'project',
  'feature',
  'environment',
  'createdBy',
  'from',
  'to',
] as const;

export function readEventQuery(raw: Record<string, unknown>): EventQuery {
  const entries = names.flatMap((name) => {
    const value = raw[name];
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return text === '' ? [] : [[name, text] as const];
  });
  return Object.fromEntries(entries);
}
