import type { RequestState } from './change-words.ts';

export const requestLists = [
  'review',
  'emergencies',
  'mine',
  'open',
  'scheduled',
  'closed',
] as const;
export type RequestList = (typeof requestLists)[number];

const open: readonly RequestState[] = ['Draft', 'In review', 'Approved', 'Scheduled'];
const closed: readonly RequestState[] = ['Applied', 'Rejected', 'Cancelled'];
const states = [...open, ...closed];

/** The states that can be selected in a list. */
export const statesOf: Readonly<Partial<Record<RequestList, readonly RequestState[]>>> = {
  mine: states,
  open,
  closed,
};

export interface RequestsSearch {
  readonly list?: RequestList;
  readonly state?: RequestState;
  readonly environment?: string;
}

/** Which change requests the address asks for. */
export const readRequestsSearch = ({
  list,
  state,
  environment,
}: Record<string, unknown>): RequestsSearch => {
  const found = requestLists.find((each) => each === list);
  const known = states.find((each) => each === state);
  return {
    ...(found !== undefined && { list: found }),
    ...(known !== undefined && { state: known }),
    ...(typeof environment === 'string' && { environment }),
  };
};
