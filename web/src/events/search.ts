import { written } from './query/grammar.ts';

/** The search parameters of a log: the query, the saved view that was opened, and the open event. */
export interface LogSearch {
  readonly q?: string;
  readonly view?: number;
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

const idOf = (value: unknown): number | undefined => {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

export function readLogSearch(raw: Record<string, unknown>): LogSearch {
  const q = textOf(raw.q) || fromEarlier(raw);
  const event = idOf(raw.event);
  const view = idOf(raw.view);
  return {
    ...(q !== '' && { q }),
    ...(view !== undefined && { view }),
    ...(event !== undefined && { event }),
  };
}
