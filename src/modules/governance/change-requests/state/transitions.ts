import type { StoredRequest } from '../queries.ts';
import { isOpen, type RequestState } from '../request-schema.ts';

/** The states from which a request can reach each state. */
const origins: Readonly<Record<Exclude<RequestState, 'Draft'>, readonly RequestState[]>> = {
  'In review': ['Draft'],
  // More approvals than needed make up for approvers who lose their role.
  Approved: ['In review', 'Approved', 'Scheduled'],
  Rejected: ['In review', 'Approved', 'Scheduled'],
  Cancelled: ['In review', 'Approved', 'Scheduled'],
  Scheduled: ['Approved', 'Scheduled'],
  Applied: ['Approved', 'Scheduled'],
};

/** A request that needs no approvals is scheduled and applied without a review, and in an emergency every one is. */
export const isPossible = (
  { state, minApprovals }: Pick<StoredRequest, 'state' | 'minApprovals'>,
  wanted: Exclude<RequestState, 'Draft'>,
  isEmergency: boolean,
): boolean =>
  origins[wanted].includes(state) ||
  (isEmergency && isOpen(state)) ||
  (minApprovals === 0 && state === 'Draft' && (wanted === 'Scheduled' || wanted === 'Applied'));
