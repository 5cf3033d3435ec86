import type { Db } from '../../../platform/db/database.ts';
import {
  type ChangeRequestRules,
  findChangeRequestSettings,
  usualRules,
} from '../../catalogue/projects/index.ts';
import type { StoredRequest } from './queries.ts';
import { isOpen } from './request-schema.ts';

interface EnvironmentProtection {
  /** Whether changes need approval. */
  readonly isProtected: boolean;
  /** 0 if changes need none. */
  readonly requiredApprovals: number;
  readonly rules: ChangeRequestRules;
}

/**
 * Whether changes in an environment of a project need approval, how many, and by which rules. Undefined if the project
 * doesn't have the environment.
 */
export async function settingsOf(
  db: Db,
  project: string,
  environment: string,
): Promise<EnvironmentProtection | undefined> {
  const found = await findChangeRequestSettings(db, { project, environment });
  if (!found) return undefined;
  const { changeRequestsEnabled: isProtected, requiredApprovals, rules } = found;
  return {
    isProtected,
    requiredApprovals: isProtected ? (requiredApprovals ?? 1) : 0,
    rules: rules ?? usualRules,
  };
}

/** The rules as they are now also count for requests that wait already. */
export const rulesOf = async (
  db: Db,
  { project, environment }: Pick<StoredRequest, 'project' | 'environment'>,
): Promise<ChangeRequestRules> => (await settingsOf(db, project, environment))?.rules ?? usualRules;

/** When a request can no longer be applied. A draft doesn't expire, nor what needs no approval. */
export function expiryOf(
  { state, stateTimes, minApprovals }: Pick<StoredRequest, 'state' | 'stateTimes' | 'minApprovals'>,
  { expiresAfterDays }: Pick<ChangeRequestRules, 'expiresAfterDays'>,
): Date | undefined {
  const since = stateTimes['In review'];
  if (expiresAfterDays === null || minApprovals === 0) return undefined;
  if (since === undefined || !isOpen(state)) return undefined;
  return new Date(Date.parse(since) + expiresAfterDays * 86_400_000);
}
