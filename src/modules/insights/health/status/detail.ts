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

/** Sentences for people. Each states what is known and what is not. */
const sentences: Readonly<Record<ReasonName, (reason: Stated, dayOf: DayOf) => string>> = {
  markedStale: ({ since, evidence: { markedBy } }, dayOf) =>
    markedBy === undefined
      ? 'Marked as stale; the event log no longer shows when or by whom'
      : `Marked as stale by ${markedBy} on ${dayOf(since)}`,

  lifetimeOver: ({ since, evidence: { type, lifetimeDays, createdAt } }, dayOf) =>
    `Created on ${dayOf(createdAt)}; the lifetime of ${days(lifetimeDays)} for features of the type ${type} ended on ${dayOf(since)}`,

  notSeen: ({ since, evidence: { environments = [] } }, dayOf) =>
    environments.length === 0
      ? `Created on ${dayOf(since)}; never requested by an SDK that reports metrics`
      : `Not requested by an SDK that reports metrics since ${dayOf(since)}`,

  fullyOn: ({ since, evidence: { environments = [] } }, dayOf) => {
    const names = environments.map(({ environment }) => environment).join(', ');
    const fields = [...new Set(environments.flatMap(({ stickiness }) => stickiness ?? []))];
    const whom = fields.length === 0 ? 'everybody' : `everybody with ${fields.join(' and ')}`;
    return `Enabled for ${whom} in ${names}, unchanged since ${dayOf(since)}`;
  },

  completedButCalled: (reason, dayOf) =>
    `Completed on ${dayOf(reason.since)}, but an SDK requested it on ${dayOf(lastSeen(reason))}`,

  archivedButCalled: (reason, dayOf) =>
    `Archived on ${dayOf(reason.since)}, but an SDK requested it on ${dayOf(lastSeen(reason))}`,

  notInCode: ({ evidence: { repositories, lastScanAt } }, dayOf) => {
    const where =
      repositories === 1
        ? 'Not found in the only repository searched since its creation'
        : `Not found in any of the ${repositories} repositories searched since its creation`;
    return `${where}, most recently on ${dayOf(lastScanAt)}; other code and names built at run time are not covered`;
  },
};

/** Renders a reason for people. The page writes days as its reader does. */
export const detailOf = (reason: Stated, dayOf = isoDay): string =>
  sentences[reason.reason](reason, dayOf);
