import { useQuery } from '@tanstack/react-query';
import type { SegmentNames } from '../flags/strategy/strategy-sentence.ts';
import { read } from '../queries.ts';

/** For changes, which know segments by ID only. */
export function useSegmentNames(): SegmentNames {
  const segments = useQuery(read('GET /api/admin/segments', {})).data?.segments ?? [];
  return new Map(segments.map(({ id, name }) => [id, name]));
}
