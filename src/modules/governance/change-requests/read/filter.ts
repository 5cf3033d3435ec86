import type { Fault } from '../../../../platform/errors.ts';
import { maxLimit, parseSearch } from '../../../events/index.ts';
import { openStates, type RequestState, requestStates } from '../request-schema.ts';

interface SearchQuery {
  readonly createdBy?: string;
  readonly requestedApproverId?: string;
  readonly state?: string;
  readonly waitingFor?: 'review' | 'apply' | 'emergency-review';
  readonly emergency?: string;
  readonly project?: string;
  readonly environment?: string;
  readonly offset?: string;
  readonly limit?: string;
}

const statesByName: ReadonlyMap<string, readonly RequestState[]> = new Map<
  string,
  readonly RequestState[]
>([
  ...requestStates.map((state) => [`IS:${state}`, [state]] as const),
  ['IS:open', openStates],
  ['IS:scheduled', ['Scheduled']],
  ['IS:closed', ['Applied', 'Cancelled', 'Rejected']],
]);

/** Reads the filter of a search, with its faults. */
export function readFilter(query: SearchQuery) {
  const { createdBy, requestedApproverId, state, waitingFor, emergency, offset } = query;
  const { limit = '50' } = query;
  const faults: Fault[] = [];
  const complain = (name: string, wanted: string) =>
    faults.push({ path: `/query/${name}`, message: `/query/${name} must be ${wanted}` });
  const idIn = (name: string, value: string | undefined): number | undefined => {
    if (value === undefined) return undefined;
    const id = /^IS:(-?\d{1,9})$/.exec(value)?.[1];
    if (id === undefined) complain(name, 'IS: followed by an ID');
    return Number(id);
  };
  const nameIn = (name: string, value: string | undefined): string | undefined => {
    if (value !== undefined && !value.startsWith('IS:')) complain(name, 'IS: followed by a name');
    return value?.slice('IS:'.length);
  };
  const states = state === undefined ? undefined : statesByName.get(state);
  if (state !== undefined && !states)
    complain('state', 'IS:open, IS:scheduled, IS:closed, or IS: followed by a state');
  const isUnreviewed = emergency === 'IS:unreviewed';
  if (emergency !== undefined && !isUnreviewed) complain('emergency', 'IS:unreviewed');
  const { paging, faults: ofPage } = parseSearch({
    limit,
    ...(offset !== undefined && { offset }),
  });
  const author = idIn('createdBy', createdBy);
  const reviewer = idIn('requestedApproverId', requestedApproverId);
  const project = nameIn('project', query.project);
  const environment = nameIn('environment', query.environment);
  return {
    faults: [...faults, ...ofPage],
    createdBy: author,
    reviewer,
    states,
    project,
    environment,
    waitingFor,
    isUnreviewed,
    limit: Math.min(paging.limit, maxLimit),
    offset: paging.offset,
  };
}
