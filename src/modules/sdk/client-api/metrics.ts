import type { Services } from '../../../platform/module.ts';
import type { Definitions } from '../snapshot/index.ts';

interface Sources {
  readonly definitions: Pick<Definitions, 'current' | 'ageSeconds' | 'isStale'>;
  readonly openStreams: () => number;
}

/** Registers metrics of the age of the SDKs' data and of the number of streams. */
export function sdkMetrics(
  { metrics: { gauge } }: Pick<Services, 'metrics'>,
  { definitions, openStreams }: Sources,
): void {
  gauge(
    {
      name: 'burgee_sdk_snapshot_age_seconds',
      help: 'Seconds since the snapshot for SDKs was last known to be current',
    },
    async () => {
      // Without SDK requests, nothing else would refresh the definitions.
      await definitions.current();
      return definitions.ageSeconds();
    },
  );
  gauge(
    {
      name: 'burgee_sdk_snapshot_stale',
      help: '1 while SDKs are served from the last snapshot because the database or the upstream is unavailable',
    },
    () => (definitions.isStale() ? 1 : 0),
  );
  gauge({ name: 'burgee_sdk_streams', help: 'Open streams to SDKs' }, openStreams);
}
