import type { ReasonName } from './contract.ts';

/** In milliseconds on the server, as text in responses. */
type Instant = number | string;

interface Stated {
  readonly reason: ReasonName;
  readonly since?: Instant;
  readonly evidence: {
    readonly markedBy?: string;
    readonly type?: string;
    readonly lifetimeDays?: number;
    readonly createdAt?: Instant;
    readonly environments?: readonly {
      readonly environment: string;
      readonly lastSeenAt?: Instant;
      readonly stickiness?: string;
    }[];
    readonly repositories?: number;
    readonly lastScanAt?: Instant;
  };
}

type DayOf = (at: Instant | undefined) => string;

const isoDay: DayOf = (at = 0) => new Date(at).toISOString().slice(0, 10);

const days = (count: number | undefined): string => (count === 1 ? '1 day' : `${count} days`);

const lastSeen = ({ evidence: { environments = [] } }: Stated): number =>
  Math.max(...environments.map(({ lastSeenAt = 0 }) => new Date(lastSeenAt).getTime()));

/** Each sentence states what is known and what is not. */
const sentences: Readonly<Record<ReasonName, (reason: Stated, dayOf: DayOf) => string>> = {
  markedStale: ({ since, evidence: { markedBy } }, dayOf) =>
    markedBy === undefined
      ? 'Marked as stale (date and author no longer in the event log)'
      : `Marked as stale by ${markedBy} on ${dayOf(since)}`,

  lifetimeOver: ({ since, evidence: { type, lifetimeDays, createdAt } }, dayOf) =>
    `Created ${dayOf(createdAt)}; expected lifetime of ${type} features (${days(lifetimeDays)}) ended ${dayOf(since)}`,

  expired: ({ since }, dayOf) => `Expired on ${dayOf(since)}`,

  notSeen: ({ since, evidence: { environments = [] } }, dayOf) =>
    environments.length === 0
      ? `Created ${dayOf(since)}; never evaluated`
      : `Last evaluated ${dayOf(since)}`,

  fullyOn: ({ since, evidence: { environments = [] } }, dayOf) => {
    const names = environments.map(({ environment }) => environment).join(', ');
    const fields = [...new Set(environments.flatMap(({ stickiness }) => stickiness ?? []))];
    const whom = fields.length === 0 ? 'everyone' : `everyone with ${fields.join(' and ')}`;
    return `Enabled for ${whom} in ${names} since ${dayOf(since)}`;
  },

  completedButCalled: (reason, dayOf) =>
    `Completed ${dayOf(reason.since)}, last evaluated ${dayOf(lastSeen(reason))}`,

  archivedButCalled: (reason, dayOf) =>
    `Archived ${dayOf(reason.since)}, last evaluated ${dayOf(lastSeen(reason))}`,

  notInCode: ({ evidence: { repositories, lastScanAt } }, dayOf) => {
    const scanned =
      repositories === 1 ? '1 scanned repository' : `${repositories} scanned repositories`;
    return `No references in ${scanned} (last scan ${dayOf(lastScanAt)}). Other code and dynamically built names aren't covered`;
  },
};

/** Renders a reason. The UI writes days in its own format. */
export const detailOf = (reason: Stated, dayOf = isoDay): string =>
  sentences[reason.reason](reason, dayOf);
