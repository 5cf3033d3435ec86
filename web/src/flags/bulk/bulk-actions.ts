import { announceProposed, api } from '../../api.ts';
import { queryClient } from '../../queries.ts';
import { impactOf } from '../impact-words.ts';
import type { BulkChange, Outcome } from './bulk-wording.ts';

/** As many as the server takes at once: features, and changes of their tags. */
const maxFeatures = 1000;
const maxTagChanges = 5000;

/** Changes the features, or says what would happen. Long lists are sent in parts, one after the other. */
export async function changeInBulk(
  change: BulkChange,
  names: readonly string[],
  { dryRun = false, signal }: { readonly dryRun?: boolean; readonly signal?: AbortSignal } = {},
): Promise<Outcome[]> {
  const tags = (change.addedTags?.length ?? 0) + (change.removedTags?.length ?? 0);
  const atOnce = Math.min(maxFeatures, Math.floor(maxTagChanges / Math.max(tags, 1)));
  const outcomes: Outcome[] = [];
  for (let from = 0; from < names.length; from += atOnce) {
    const { features, changeRequests } = await api('POST /api/admin/features/bulk', {
      query: { dryRun: dryRun ? 'true' : 'false', propose: 'true' },
      body: { ...change, features: names.slice(from, from + atOnce) },
      signal,
    });
    outcomes.push(...features);
    if (!dryRun) announceProposed(changeRequests ?? []);
  }
  if (!dryRun) {
    await queryClient.invalidateQueries({
      predicate: ({ queryKey: [operation] }) => /feature|project/.test(String(operation)),
    });
  }
  return outcomes;
}

/** As many as the server counts at once. */
const maxCounted = 250;

/** How many evaluations a change of features in an environment affects, by the last 24 hours or else by 7 days. */
export async function impactInBulk(
  names: readonly string[],
  environment: string,
  signal: AbortSignal,
): Promise<string> {
  const countedIn = async (hours: 24 | 168) => {
    const counts: { readonly yes: number; readonly no: number }[] = [];
    for (let from = 0; from < names.length; from += maxCounted) {
      const { features } = await api('POST /api/admin/client-metrics/evaluations', {
        body: { features: names.slice(from, from + maxCounted), environment, hours },
        signal,
      });
      counts.push(...features);
    }
    return counts;
  };
  const lastDay = await countedIn(24);
  return lastDay.length > 0 ? impactOf(lastDay, 1) : impactOf(await countedIn(168), 7);
}
