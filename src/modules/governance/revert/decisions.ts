import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { listRecorded } from '../../events/index.ts';
import { previewDecisions, visibleState } from '../../sdk/preview/index.ts';
import { readWithin, type Snapshot } from '../../sdk/snapshot/index.ts';

/**
 * Reads the definitions in a transaction that is going to be rolled back. Returns how to compare the decisions
 * afterwards.
 */
export async function previewOf(tx: Tx, before: Snapshot) {
  const recorded = listRecorded(tx);
  const names = [...new Set(recorded.flatMap(({ featureName }) => featureName ?? []))];
  const segments = recorded.some(({ definition }) => definition.type.startsWith('segment-'));
  const after = await readWithin(tx.db, before, { names, segments });
  const { actor } = tx;
  const isOther = (environment: string) =>
    before.segments !== after.segments ||
    before.environments.get(environment)?.features !==
      after.environments.get(environment)?.features;
  const changed = await tx.db
    .selectFrom('environments')
    .select(['name', 'type'])
    .orderBy('sort_order')
    .orderBy('name')
    .execute();
  const affected = changed.filter(({ name }) => isOther(name));
  const environment = (affected.find(({ type }) => type === 'production') ?? affected[0])?.name;
  return async (now: Clock) => {
    if (environment === undefined) return null;
    const states = {
      before: visibleState(before, environment, actor),
      after: visibleState(after, environment, actor),
    };
    const found = await previewDecisions(states, { environment, now, tried: [] });
    const { isTruncated, ...preview } = found;
    const isAffected = [...preview.features, ...preview.unchanged, ...preview.uncertain].length > 0;
    return isAffected ? { environment, ...preview, truncated: isTruncated } : null;
  };
}
