export const requestLists = [
  'review',
  'emergencies',
  'mine',
  'open',
  'scheduled',
  'closed',
] as const;
export type RequestList = (typeof requestLists)[number];

export interface RequestsSearch {
  readonly list?: RequestList;
  readonly environment?: string;
}

/** Which change requests the address asks for. */
export const readRequestsSearch = ({
  list,
  environment,
}: Record<string, unknown>): RequestsSearch => {
  const found = requestLists.find((each) => each === list);
  return {
    ...(found !== undefined && { list: found }),
    ...(typeof environment === 'string' && { environment }),
  };
};
