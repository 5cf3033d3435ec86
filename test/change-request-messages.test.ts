import { describe, expect, test } from 'vitest';
import type { EventType, JsonObject } from '../src/modules/events/index.ts';
import { plainText, readSentence } from '../src/modules/events/index.ts';
import type { EventDraft } from '../src/modules/events/record/define.ts';
import { summarize } from '../src/modules/events/record/summary.ts';
import {
  approvalAdded,
  changeAdded,
  changeDiscarded,
  changeEdited,
  commentAdded,
  requestApplied,
  requestApproved,
  requestCancelled,
  requestCreated,
  requestDiscarded,
  requestRejected,
  requestScheduled,
  reviewersSet,
  scheduledApplied,
  scheduledFailed,
  scheduleSuspended,
  sentToReview,
  titleSet,
} from '../src/modules/governance/change-requests/events.ts';
import { findProvider } from '../src/modules/integrations/providers/catalogue.ts';

const place = { project: 'shop', environment: 'production' };
const facts = { changeRequestId: 3 };
const hash = 'ab';
const reason = 'It was changed';
const change = { ...facts, action: 'updateEnabled' };
const of = { ...place, featureName: 'dark-mode' };

const sentences: readonly (readonly [EventDraft, string])[] = [
  [requestCreated({ ...place, data: facts }), 'Ada created change request #3 in production'],
  [requestDiscarded({ ...place, preData: facts }), 'Ada discarded change request #3 in production'],
  [changeAdded({ ...place, data: facts }), 'Ada added a change to change request #3 in production'],
  [
    changeDiscarded({ ...of, preData: change }),
    'Ada removed a change to dark-mode from change request #3 in production',
  ],
  [
    changeEdited({ ...of, data: change }),
    'Ada updated a change to dark-mode in change request #3 in production',
  ],
  [
    sentToReview({ ...place, data: { ...facts, hash, minApprovals: 1, changes: [] } }),
    'Ada sent change request #3 in production to review',
  ],
  [
    approvalAdded({ ...place, data: { ...facts, hash } }),
    'Ada added an approval to change request #3 in production',
  ],
  [
    requestApproved({ ...place, data: { ...facts, hash } }),
    'Ada approved change request #3 in production',
  ],
  [
    requestRejected({ ...place, data: { ...facts, hash } }),
    'Ada rejected change request #3 in production',
  ],
  [requestCancelled({ ...place, data: facts }), 'Ada canceled change request #3 in production'],
  [
    requestApplied({ ...place, data: { ...facts, hash, approvedBy: [] } }),
    'Ada applied change request #3 in production',
  ],
  [
    requestScheduled({ ...place, data: { ...facts, scheduledDate: '2026-11-23T08:00:00.000Z' } }),
    'Ada scheduled change request #3 in production for Nov 23, 2026, 08:00 UTC',
  ],
  [
    scheduleSuspended({ ...place, data: { ...facts, reason } }),
    'Ada suspended the schedule of change request #3 in production: It was changed',
  ],
  [
    scheduledApplied({ ...place, data: facts }),
    'Ada applied scheduled change request #3 in production',
  ],
  [
    scheduledFailed({ ...place, data: { ...facts, reason } }),
    "Ada's scheduled change request #3 in production couldn't be applied: It was changed",
  ],
  [
    titleSet({ ...place, data: { ...facts, title: 'Launch' } }),
    'Ada renamed change request #3 in production to Launch',
  ],
  [
    commentAdded({ ...place, data: { ...facts, commentId: 1 } }),
    'Ada commented on change request #3 in production',
  ],
  [
    reviewersSet({ ...place, data: { ...facts, reviewers: [1] } }),
    'Ada updated the reviewers of change request #3 in production',
  ],
];

const baseUrl = 'https://flags.example.com';
const page = `${baseUrl}/projects/shop/change-requests/3`;

const parameters: Readonly<Record<string, Record<string, string>>> = {
  webhook: { url: 'https://receiver.example.com' },
  slack: { url: 'https://receiver.example.com', defaultChannel: '#flags' },
  'slack-app': { accessToken: 'x', defaultChannels: '#flags' },
  teams: { url: 'https://receiver.example.com' },
  datadog: { url: 'https://receiver.example.com', apiKey: 'x' },
};

describe.each(sentences)('event %# of a change request', (draft, expected) => {
  const summary = summarize(draft.definition, 'Ada', draft as { data: JsonObject | null });

  test(`the sentence is “${expected}”, with a link to the request`, () => {
    const spans = readSentence(summary);
    expect(plainText(spans)).toBe(expected);
    expect(spans.find(({ text }) => text === 'change request #3')?.path).toBe(
      '/projects/shop/change-requests/3',
    );
  });

  test.each(Object.keys(parameters))('the message of %s links to the request', (name) => {
    const provider = findProvider(name);
    const type = draft.definition.type as EventType;
    expect(provider?.events).toContain(type);
    const message = provider?.compose(
      {
        id: 1,
        createdAt: '2026-11-18T10:00:00.000Z',
        type,
        createdBy: 'Ada',
        createdByUserId: 1,
        environment: 'production',
        project: 'shop',
        featureName: draft.featureName ?? null,
        data: draft.data ?? null,
        preData: draft.preData ?? null,
        tags: [],
        label: draft.definition.label,
        summary,
        ip: null,
      },
      parameters[name] as Record<string, string>,
      { baseUrl },
    );
    const text = JSON.stringify(message);
    expect(text).toContain('change request');
    // A webhook sends the event as it is recorded.
    expect(text).toContain(name === 'webhook' ? '/projects/shop/change-requests/3' : page);
  });
});
