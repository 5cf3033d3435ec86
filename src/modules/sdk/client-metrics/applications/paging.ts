import { maxInteger } from '../../../../platform/contract/schema.ts';
import type { Fault } from '../../../../platform/errors.ts';

export interface Paging {
  readonly limit: number;
  readonly offset: number;
}

interface PagingQuery {
  readonly limit?: string;
  readonly offset?: string;
}

const maxLimit = 1_000;

/** Parses the page of a list, with its faults. The default is the first thousand. */
export function parsePaging(query: PagingQuery): Paging & { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const whole = (name: 'limit' | 'offset', least: number, fallback: number) => {
    const text = query[name];
    if (text === undefined) return fallback;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least) return value;
    const path = `/query/${name}`;
    faults.push({ path, message: `${path} must be a whole number, ${least} or more` });
    return fallback;
  };
  return {
    limit: Math.min(whole('limit', 1, maxLimit), maxLimit),
    // There are fewer applications than that, so later pages are empty.
    offset: Math.min(whole('offset', 0, 0), maxInteger),
    faults,
  };
}
