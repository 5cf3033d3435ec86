import type { ReasonName } from './contract.ts';
import type { Reason } from './reasons.ts';

const dayOf = (at = 0): string => new Date(at).toISOString().slice(0, 10);

const days = (count: number | undefined): string => (count === 1 ? '1 day' : `${count} days`);

const lastSeen = ({ evidence: { environments = [] } }: Reason): number =>
  Math.max(...environments.map(({ lastSeenAt = 0 }) => lastSeenAt));

/** Sentences for people. Each says what is known, and what is not. */
const sentences: Readonly<Record<ReasonName, (reason: Reason) => string>> = {
  markedStale: ({ since, evidence: { markedBy } }) =>
    markedBy === undefined
      ? 'Marked as stale; the log no longer tells when, nor by whom'
      : `Marked as stale by ${markedBy} on ${dayOf(since)}`,

  lifetimeOver: ({ since, evidence: { type, lifetimeDays, createdAt } }) =>
    `Made on ${dayOf(createdAt)}; the ${days(lifetimeDays)} that features of the type ${type} usually live were over on ${dayOf(since)}`,

  notSeen: ({ since, evidence: { environments = [] } }) =>
    environments.length === 0
      ? `No SDK that reports metrics has ever asked for it; it was made on ${dayOf(since)}`
      : `No SDK that reports metrics has asked for it since ${dayOf(since)}`,

  fullyOn: ({ since, evidence: { environments = [] } }) => {
    const names = environments.map(({ environment }) => environment).join(', ');
    const fields = [...new Set(environments.flatMap(({ stickiness }) => stickiness ?? []))];
    const whom = fields.length === 0 ? 'everybody' : `everybody who has ${fields.join(' and ')}`;
    return `On for ${whom} in ${names}; nothing has changed that since ${dayOf(since)}`;
  },

  completedButCalled: (reason) =>
    `Completed on ${dayOf(reason.since)}, but an SDK asked for it on ${dayOf(lastSeen(reason))}`,

  archivedButCalled: (reason) =>
    `Archived on ${dayOf(reason.since)}, but an SDK asked for it on ${dayOf(lastSeen(reason))}`,

  notInCode: ({ evidence: { repositories, lastScanAt } }) => {
    const where =
      repositories === 1
        ? 'The one repository that was searched since it was made does not name it'
        : `None of the ${repositories} repositories that were searched since it was made names it`;
    return `${where}, the last one on ${dayOf(lastScanAt)}; of other code, and of names that programs put together, nothing is known`;
  },
};

/** Renders a reason for people. */
export const detailOf = (reason: Reason): string => sentences[reason.reason](reason);
