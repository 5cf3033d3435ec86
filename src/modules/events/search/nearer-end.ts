import type { Paging } from './filter.ts';

/** The same page counted from whichever end of the hits it lies nearer to. */
export function fromNearerEnd(paging: Paging, total: number): Paging {
  const { order, offset, limit } = paging;
  const rows = Math.max(0, Math.min(limit, total - offset));
  const behind = total - offset - rows;
  if (rows === 0 || behind >= offset) return { ...paging, limit: rows };
  return { ...paging, order: order === 'asc' ? 'desc' : 'asc', offset: behind, limit: rows };
}
