import { useQuery } from '@tanstack/react-query';
import { useFirstView } from '../first-view.ts';
import { read } from '../queries.ts';
import { numberText } from '../ui/format.ts';

/** Deliveries fail and applications report without an event of the log. */
const betweenEventsMs = 5 * 60_000;

/** What needs attention, for the whole frame. Events on the stream refresh it, and so does another device's focus. */
export const useAttention = () =>
  useQuery({
    ...read('GET /api/admin/attention', {}),
    enabled: useFirstView(),
    refetchInterval: betweenEventsMs,
    refetchOnWindowFocus: 'always',
  }).data;

/** Of what the server counts up to 100. */
export const cappedText = (count: number): string => (count > 99 ? '99+' : numberText(count));
