import { useQuery } from '@tanstack/react-query';
import { read } from '../queries.ts';

/** Deliveries fail and applications report without an event of the log. */
const betweenEventsMs = 5 * 60_000;

/** What needs attention, for the whole frame. Events on the stream refresh it, and so does another device's focus. */
export const useAttention = () =>
  useQuery({
    ...read('GET /api/admin/attention', {}),
    refetchInterval: betweenEventsMs,
    refetchOnWindowFocus: 'always',
  }).data;
