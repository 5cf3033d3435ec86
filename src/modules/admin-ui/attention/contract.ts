import { type Static, Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { named } from '../../../platform/contract/schema.ts';
import { maxUnread } from '../../flags/follows/notifications/contract.ts';

/** The most unknown flags that are counted. */
export const maxUnknownFlags = 100;

const count = (description: string) => Type.Integer({ minimum: 0, description });

const AttentionSchema = named(
  'attentionSchema',
  Type.Object({
    notifications: Type.Integer({
      minimum: 0,
      maximum: maxUnread,
      description: `Your unread notifications; ${maxUnread} means ${maxUnread} or more. 0 for API tokens`,
    }),
    changeRequestsToReview: count(
      'Change requests that you can approve, and have not approved yet',
    ),
    emergenciesToReview: count(
      'Change requests that others applied in an emergency, and that you can review',
    ),
    changeRequestsToApply: count('Your own approved change requests that you can apply'),
    featuresToCleanUp: count(
      'Stale and potentially stale features in projects in which you can archive features',
    ),
    failingIntegrations: count('Enabled integrations whose deliveries fail'),
    unknownFlags: Type.Integer({
      minimum: 0,
      maximum: maxUnknownFlags,
      description: `Flags without a feature that applications requested in the last 7 days; ${maxUnknownFlags} means ${maxUnknownFlags} or more`,
    }),
  }),
);
export type Attention = Static<typeof AttentionSchema>;

export const attentionContract = {
  getAttention: endpoint({
    method: 'GET',
    path: '/api/admin/attention',
    id: 'getAttention',
    tag: 'Admin UI',
    summary: 'Count what needs your attention',
    description: 'Counts only what you can see.',
    permission: 'none',
    response: AttentionSchema,
  }),
};
