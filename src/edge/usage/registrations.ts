import type { InstanceReport } from '../../modules/sdk/client-metrics/report/buffer.ts';
import { scopeKey } from './bulk.ts';

/** Instances whose registration is remembered. */
const mostRemembered = 5_000;
/** Anyone can invent registrations with a public token. Those of SDKs have less than a kilobyte. */
const mostCharacters = 2_000;

const keyOf = ({ scope, appName, instanceId }: InstanceReport): string =>
  JSON.stringify([scopeKey(scope), appName, instanceId]);

/**
 * The registrations of SDKs. They register once, at their start, and a report of usage says less. Unleash stores what is
 * missing in the last report as unknown, so that each report has to say all.
 */
export function createRegistrations() {
  const known = new Map<string, InstanceReport>();
  return {
    remember(report: InstanceReport): void {
      if (report.sdkVersion === null && report.strategies === null) return;
      if (JSON.stringify(report).length > mostCharacters) return;
      const key = keyOf(report);
      // The one that registered last comes last.
      known.delete(key);
      known.set(key, report);
      if (known.size > mostRemembered) known.delete(known.keys().next().value as string);
    },
    complete: (report: InstanceReport): InstanceReport => known.get(keyOf(report)) ?? report,
    list: (): InstanceReport[] => [...known.values()],
  };
}
