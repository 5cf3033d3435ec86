import { defineEvent, type Json, type Words } from '../../events/index.ts';

/** What every event of a change request has in its data. */
export interface RequestFacts {
  readonly changeRequestId: number;
  /** Of a request that comes from another installation. */
  readonly importedFrom?: string;
  readonly importedAs?: string;
}

/** What the change is about is absent in a draft, which only its author sees. */
interface ChangeFacts extends RequestFacts {
  readonly changeId?: number;
  readonly action?: string;
  readonly payload?: Json;
  /** How many approvals no longer count, because they were given for other changes. */
  readonly voidedApprovals?: number;
}

/** A link to the request. */
const request = ({ page, data, preData }: Words) => {
  const id = data.changeRequestId ?? preData.changeRequestId;
  return page(`change request #${id}`, `/change-requests/${id}`);
};

const reasonOf = (emergency: Json) => (emergency as { readonly reason?: Json }).reason;

const because = (reason: string) => (reason ? `: ${reason}` : '');

export const requestCreated = defineEvent<RequestFacts>({
  type: 'change-request-created',
  summary: (words) => `${words.user} created ${request(words)}${words.where}`,
});

export const requestDiscarded = defineEvent<RequestFacts>({
  type: 'change-request-discarded',
  summary: (words) => `${words.user} discarded ${request(words)}${words.where}`,
});

type ChangeWords = Parameters<typeof request>[0] & { readonly feature: string };

/** "a change to dark-mode", or "a change" where the log doesn't say more. */
const change = ({ feature }: ChangeWords) => (feature ? `a change to ${feature}` : 'a change');

const voiding = (count: Json | undefined) =>
  typeof count === 'number'
    ? `, which voids ${count === 1 ? '1 approval' : `${count} approvals`}`
    : '';

/** Changes are added to drafts only. The log shows all of them when the draft is sent to review. */
export const changeAdded = defineEvent<RequestFacts>({
  type: 'change-added',
  summary: (words) => `${words.user} added a change to ${request(words)}${words.where}`,
});

export const changeDiscarded = defineEvent<ChangeFacts>({
  type: 'change-discarded',
  summary: (words) =>
    `${words.user} removed ${change(words)} from ${request(words)}${words.where}${voiding(words.preData.voidedApprovals)}`,
});

export const changeEdited = defineEvent<ChangeFacts>({
  type: 'change-edited',
  summary: (words) =>
    `${words.user} updated ${change(words)} in ${request(words)}${words.where}${voiding(words.data.voidedApprovals)}`,
});

interface ReviewFacts extends RequestFacts {
  /** Of the changes, as `hash` of the request. */
  readonly hash: string;
}

export const sentToReview = defineEvent<
  ReviewFacts & {
    readonly minApprovals: number;
    readonly changes: readonly {
      readonly feature: string | null;
      readonly action: string;
      readonly payload: Json;
    }[];
  }
>({
  type: 'change-request-sent-to-review',
  summary: (words) => `${words.user} sent ${request(words)}${words.where} to review`,
});

export const approvalAdded = defineEvent<ReviewFacts>({
  type: 'change-request-approval-added',
  summary: (words) => `${words.user} added an approval to ${request(words)}${words.where}`,
});

export const requestApproved = defineEvent<ReviewFacts>({
  type: 'change-request-approved',
  summary: (words) => `${words.user} approved ${request(words)}${words.where}`,
});

export const requestRejected = defineEvent<ReviewFacts>({
  type: 'change-request-rejected',
  summary: (words) => `${words.user} rejected ${request(words)}${words.where}`,
});

/** With the reason if the system did it. */
export const requestCancelled = defineEvent<RequestFacts & { readonly reason?: string }>({
  type: 'change-request-cancelled',
  summary: (words) =>
    `${words.user} canceled ${request(words)}${words.where}${because(words.text(words.data.reason))}`,
});

export const requestApplied = defineEvent<
  ReviewFacts & {
    readonly approvedBy: readonly number[];
    /** Applied without approval, and why. */
    readonly emergency?: { readonly reason: string };
  }
>({
  type: 'change-request-applied',
  summary: (words) => {
    const { emergency } = words.data;
    const why = emergency ? ` in an emergency: ${words.text(reasonOf(emergency))}` : '';
    return `${words.user} applied ${request(words)}${words.where}${why}`;
  },
});

/** "Nov 23, 2026, 09:00 (Europe/Oslo)". */
function timeText(instant: Json | undefined, zone: Json | undefined): string {
  const timeZone = typeof zone === 'string' ? zone : 'UTC';
  const time = new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(new Date(String(instant)));
  return timeZone === 'UTC' ? `${time} UTC` : `${time} (${timeZone})`;
}

export const requestScheduled = defineEvent<
  RequestFacts & { readonly scheduledDate: string; readonly timeZone?: string }
>({
  type: 'change-request-scheduled',
  summary: (words) => {
    const { scheduledDate, timeZone } = words.data;
    const at = words.text(timeText(scheduledDate, timeZone));
    return `${words.user} scheduled ${request(words)}${words.where} for ${at}`;
  },
});

interface OutcomeFacts extends RequestFacts {
  readonly reason: string;
}

export const scheduleSuspended = defineEvent<OutcomeFacts>({
  type: 'change-request-schedule-suspended',
  summary: (words) =>
    `${words.user} suspended the schedule of ${request(words)}${words.where}: ${words.text(words.data.reason)}`,
});

export const scheduledApplied = defineEvent<RequestFacts>({
  type: 'change-request-scheduled-application-success',
  summary: (words) => `${words.user} applied scheduled ${request(words)}${words.where}`,
});

export const scheduledFailed = defineEvent<OutcomeFacts>({
  type: 'change-request-scheduled-application-failure',
  // Not the failure of the user for whom the scheduler applies it.
  summary: (words) =>
    `${words.user}'s scheduled ${request(words)}${words.where} couldn't be applied: ${words.text(words.data.reason)}`,
});

/** None of the 156 types is about these; `change-edited` is the nearest. */
export const titleSet = defineEvent<RequestFacts & { readonly title?: string | null }>({
  type: 'change-edited',
  label: 'Change request renamed',
  summary: (words) =>
    `${words.user} renamed ${request(words)}${words.where}${words.data.title === undefined ? '' : ` to ${words.bold(words.data.title)}`}`,
});

export const commentAdded = defineEvent<RequestFacts & { readonly commentId: number }>({
  type: 'change-edited',
  label: 'Change request comment added',
  summary: (words) => `${words.user} commented on ${request(words)}${words.where}`,
});

export const emergencyReviewed = defineEvent<RequestFacts & { readonly reviewed: true }>({
  type: 'change-edited',
  label: 'Emergency reviewed',
  summary: (words) =>
    `${words.user} reviewed ${request(words)}${words.where}, which was applied in an emergency`,
});

export const reviewersSet = defineEvent<RequestFacts & { readonly reviewers?: readonly number[] }>({
  type: 'change-edited',
  label: 'Change request reviewers updated',
  summary: (words) => `${words.user} updated the reviewers of ${request(words)}${words.where}`,
});
