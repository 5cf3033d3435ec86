import type { InstanceReport } from '../../modules/sdk/client-metrics/report/buffer.ts';
import { scopeKey } from './bulk.ts';

/** Instances whose registration is remembered, and the memory for them. */
const mostRemembered = 5_000;
const mostCharacters = 2_000_000;
/** Anyone can invent registrations with a public token: those neither fill the memory nor replace the others. */
const mostPublic = 1_000;
const mostPublicCharacters = 400_000;
/** Registrations of SDKs have less than a kilobyte. */
const mostCharactersOfOne = 2_000;

const keyOf = ({ scope, appName, instanceId }: InstanceReport): string =>
  JSON.stringify([scopeKey(scope), appName, instanceId]);

interface KnownRegistration {
  readonly report: InstanceReport;
  readonly characters: number;
}

/** Keeps those that registered last. */
function createMemory(most: number, mostCharactersOfAll: number) {
  const known = new Map<string, KnownRegistration>();
  let characters = 0;

  function forget(key: string): void {
    characters -= known.get(key)?.characters ?? 0;
    known.delete(key);
  }

  return {
    remember(key: string, remembered: KnownRegistration): void {
      // The one that registered last comes last.
      forget(key);
      known.set(key, remembered);
      characters += remembered.characters;
      for (const oldest of known.keys()) {
        if (known.size <= most && characters <= mostCharactersOfAll) return;
        forget(oldest);
      }
    },
    find: (key: string) => known.get(key)?.report,
    list: () => [...known.values()].map(({ report }) => report),
  };
}

/**
 * The registrations of SDKs. They register once, at their start, and a report of usage says less. Unleash stores what is
 * missing in the last report as unknown, so that each report has to say all.
 */
export function createRegistrations() {
  const [own, open] = [
    createMemory(mostRemembered, mostCharacters),
    createMemory(mostPublic, mostPublicCharacters),
  ];
  const memoryOf = ({ isPublic }: InstanceReport) => (isPublic ? open : own);
  return {
    remember(report: InstanceReport): void {
      if (report.sdkVersion === null && report.strategies === null) return;
      const { length: characters } = JSON.stringify(report);
      if (characters > mostCharactersOfOne) return;
      memoryOf(report).remember(keyOf(report), { report, characters });
    },
    complete: (report: InstanceReport): InstanceReport =>
      memoryOf(report).find(keyOf(report)) ?? report,
    list: (): InstanceReport[] => [...own.list(), ...open.list()],
  };
}
