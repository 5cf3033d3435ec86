import { written } from './query/grammar.ts';

/** The search parameters of a log: the query and the open event. */
export interface LogSearch {
  readonly q?: string;
  readonly event?: number;
}

/** URLs of Unleash have parameters such as `project=IS:web-shop`; they keep working. */
const earlier = {
  type: 'type',
  project: 'project',
  feature: 'feature',
  environment: 'env',
  createdBy: 'actor',
  from: 'after',
  to: 'on',
} as const;

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

function fromEarlier(raw: Record<string, unknown>): string {
  const parts = Object.entries(earlier).flatMap(([parameter, name]) => {
    const [, operator, values = ''] = /^(IS|IS_ANY_OF):(.+)$/.exec(textOf(raw[parameter])) ?? [];
    if (operator === undefined) return [];
    const list = operator.endsWith('_OF') ? values.split(',') : [values];
    return [`${name}:${list.map(written).join(',')}`];
  });
  const text = textOf(raw.query);
  return [...parts, ...(text === '' ? [] : [written(text)])].join(' ');
}

export function readLogSearch(raw: Record<string, unknown>): LogSearch {
  const q = textOf(raw.q) || fromEarlier(raw);
  const event = Number(raw.event);
  return {
    ...(q !== '' && { q }),
    ...(Number.isSafeInteger(event) && event > 0 && { event }),
  };
}
