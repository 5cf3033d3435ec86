import type { Step } from './requests/request.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Removes what always differs between two servers from a response. */
export type Tidy = (body: unknown, status?: number) => unknown;

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item);
  else if (value !== null && typeof value === 'object') {
    for (const item of Object.values(value)) yield* textsIn(item);
  }
}

/** Keys whose values are users, which differ by installation. */
const people = new Set(['createdBy', 'collaborators', 'owners']);

/** Keys whose numbers are ids, which each server assigns itself. */
const numbered = new Set(['id', 'segments', 'segmentIds', 'segmentId']);

/**
 * Each server has its own sentences: a text with a space that no request contains becomes `<words>`. An error keeps only
 * its name. Ids and times become placeholders.
 */
export function createTidy(
  steps: readonly Step[],
  kept: ReadonlyMap<string, string | number>,
): Tidy {
  const sent = new Set([...textsIn(steps)]);

  function named(id: string | number): string {
    for (const [name, value] of kept) if (value === id) return `{{${name}}}`;
    return '<id>';
  }

  function text(value: string): string {
    if (sent.has(value)) return value;
    if (uuid.test(value)) return named(value);
    if (instant.test(value)) return '<time>';
    return /\s/.test(value.trim()) ? '<words>' : value;
  }

  function tidied(value: unknown, key: string): unknown {
    if (people.has(key)) return '<people>';
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return numbered.has(key) ? named(value) : value;
    if (Array.isArray(value)) return value.map((item) => tidied(item, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, tidied(item, name)]),
    );
  }

  return (body, status = 200) =>
    status >= 400 ? { name: (body as { name?: unknown } | null)?.name } : tidied(body, '');
}
