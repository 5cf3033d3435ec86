import type { ReasonName } from './contract.ts';
import type { Reason } from './reasons.ts';

const dayOf = (at = 0): string => new Date(at).toISOString().slice(0, 10);

const days = (count: number | undefined): string => (count === 1 ? '1 day' : `${count} days`);

const lastSeen = ({ evidence: { environments = [] } }: Reason): number =>
  Math.max(...environments.map(({ lastSeenAt = 0 }) => lastSeenAt));

/** Sentences for people. Each states what is known and what is not. */
const sentences: Readonly<Record<ReasonName, (reason: Reason) => string>> = {
  markedStale: ({ since, evidence: { markedBy } }) =>
    markedBy === undefined
      ? 'Marked as stale; the event log no longer shows when or by whom'
      : `Marked as stale by ${markedBy} on ${dayOf(since)}`,

  lifetimeOver: ({ since, evidence: { type, lifetimeDays, createdAt } }) =>
    `Created on ${dayOf(createdAt)}; the lifetime of ${days(lifetimeDays)} for features of the type ${type} ended on ${dayOf(since)}`,

  notSeen: ({ since, evidence: { environments = [] } }) =>
    environments.length === 0
      ? `Created on ${dayOf(since)}; never requested by an SDK that reports metrics`
      : `Not requested by an SDK that reports metrics since ${dayOf(since)}`,

  fullyOn: ({ since, evidence: { environments = [] } }) => {
    const names = environments.map(({ environment }) => environment).join(', ');
    const fields = [...new Set(environments.flatMap(({ stickiness }) => stickiness ?? []))];
    const whom = fields.length === 0 ? 'everybody' : `everybody with ${fields.join(' and ')}`;
    return `Enabled for ${whom} in ${names}, unchanged since ${dayOf(since)}`;
  },

  completedButCalled: (reason) =>
    `Completed on ${dayOf(reason.since)}, but an SDK requested it on ${dayOf(lastSeen(reason))}`,

  archivedButCalled: (reason) =>
    `Archived on ${dayOf(reason.since)}, but an SDK requested it on ${dayOf(lastSeen(reason))}`,

  notInCode: ({ evidence: { repositories, lastScanAt } }) => {
    const where =
      repositories === 1
        ? 'Not found in the only repository searched since its creation'
        : `Not found in any of the ${repositories} repositories searched since its creation`;
    return `${where}, most recently on ${dayOf(lastScanAt)}; other code and names built at run time are not covered`;
  },
};

/** Renders a reason for people. */
export const detailOf = (reason: Reason): string => sentences[reason.reason](reason);
