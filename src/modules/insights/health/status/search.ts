import type { Fault } from '../../../../platform/errors.ts';
import { maxLimit, parseSearch } from '../../../events/index.ts';
import { defaultDays, maxDays, type ReasonName } from './contract.ts';

/** Filter and order of a search for features with reasons. */
export interface FindingSearch {
  readonly notSeenDays: number;
  readonly fullyOnDays: number;
  readonly includeSnoozed: boolean;
  readonly reason?: ReasonName | undefined;
  readonly sortBy: 'since' | 'feature';
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** The query, validated by the contract. */
interface FindingQuery {
  readonly notSeenDays?: string;
  readonly fullyOnDays?: string;
  readonly includeSnoozed?: 'true' | 'false';
  readonly reason?: ReasonName;
  readonly sortBy?: 'since' | 'feature';
  readonly sortOrder?: 'asc' | 'desc';
  readonly limit?: string;
  readonly offset?: string;
}

/** Parses the query of a search, and finds all its faults. */
export function parseFindings(query: FindingQuery): FindingSearch & { faults: readonly Fault[] } {
  const { limit, offset } = query;
  const { paging, faults } = parseSearch({
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
  });
  const found = [...faults];
  const days = (name: 'notSeenDays' | 'fullyOnDays'): number => {
    const text = query[name];
    if (text === undefined) return defaultDays;
    const value = /^\d+$/.test(text) ? Number(text) : 0;
    if (value >= 1 && value <= maxDays) return value;
    const path = `/query/${name}`;
    const sent = text.slice(0, 40);
    const message = `${path} must be a whole number from 1 to ${maxDays}; you sent '${sent}'`;
    found.push({ path, message });
    return defaultDays;
  };
  return {
    notSeenDays: days('notSeenDays'),
    fullyOnDays: days('fullyOnDays'),
    includeSnoozed: query.includeSnoozed === 'true',
    reason: query.reason,
    sortBy: query.sortBy ?? 'since',
    descending: query.sortOrder === 'desc',
    limit: Math.min(paging.limit, maxLimit),
    offset: paging.offset,
    faults: found,
  };
}
