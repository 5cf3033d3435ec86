import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import type { Role } from './oracle.ts';

/** Endpoints whose service demands the permission: the refusal names the one that the wish needs. */
export const inTheService: ReadonlySet<string> = new Set([
  'createSegment',
  'updateSegment',
  'removeSegment',
  'importToggles',
]);

/** Where one of several permissions is for another case than the scenario's: a segment for all projects. */
export const neededByScenario: Readonly<Record<string, readonly string[]>> = {
  createSegment: ['CREATE_SEGMENT'],
  updateSegment: ['UPDATE_SEGMENT'],
  removeSegment: ['DELETE_SEGMENT'],
};

/** Tags are shared by all projects: whoever may change features in one of them may make them. */
export const anywhere: ReadonlySet<string> = new Set(['createTag', 'deleteTag']);

/** Asked by machines that watch the server, outside the API. */
export const outsideTheApi: readonly string[] = ['getHealth', 'getReady'];

/** Bodies for requests that change nothing, of which no scenario tells. */
export const withoutBody: Readonly<Record<string, object>> = {};

/** Where another rule than the table's comes first, with the reason. */
const otherRules: Readonly<Record<string, readonly Role[]>> = {
  // Each who is served replaces all access, and so takes the roles of those who come after.
  setProjectAccess: ['exactly the permission'],
};

export const refusedForAnotherReason = ({ id }: Endpoint, role: Role): boolean =>
  otherRules[id]?.includes(role) ?? false;
