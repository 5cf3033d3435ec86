export const requestLists = ['review', 'mine', 'open', 'closed'] as const;
export type RequestList = (typeof requestLists)[number];

/** Which change requests the address asks for. */
export const readRequestsSearch = ({ list }: Record<string, unknown>): { list?: RequestList } => {
  const found = requestLists.find((each) => each === list);
  return found === undefined ? {} : { list: found };
};
