import type { Db } from '../../../platform/db/database.ts';
import { findChangeRequestSettings } from '../../catalogue/projects/index.ts';

interface EnvironmentProtection {
  /** Whether changes need approval. */
  readonly isProtected: boolean;
  /** 0 if changes need none. */
  readonly requiredApprovals: number;
}

/**
 * Whether changes in an environment of a project need approval, and how many. Undefined if the project doesn't have the
 * environment.
 */
export async function settingsOf(
  db: Db,
  project: string,
  environment: string,
): Promise<EnvironmentProtection | undefined> {
  const found = await findChangeRequestSettings(db, { project, environment });
  if (!found) return undefined;
  const { changeRequestsEnabled: isProtected, requiredApprovals } = found;
  return { isProtected, requiredApprovals: isProtected ? (requiredApprovals ?? 1) : 0 };
}
