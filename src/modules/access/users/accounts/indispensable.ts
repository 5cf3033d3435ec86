import type { Tx } from '../../../../platform/db/database.ts';
import { invalidOperation } from '../../../../platform/errors.ts';
import { mentioned } from '../../../../platform/mention.ts';
import { hasAdministrator } from './administrator-queries.ts';

/**
 * Called behind `lockIndispensable`, after somebody lost the Admin role: throws when no person is left
 * who has it, by themselves or through a group.
 */
export async function keepAnAdministrator(tx: Tx): Promise<void> {
  if (await hasAdministrator(tx.db)) return;
  throw invalidOperation('There must be somebody with the Admin role: this was the last one');
}

/** Called with the projects that a change would leave without an owner: throws when there are any. */
export function refuseOwnerless(tx: Tx, projects: readonly string[], owner: string): void {
  if (projects.length === 0) return;
  const named = mentioned(projects, tx.actor, {
    scopeOf: (project) => project,
    nameOf: (project) => `'${project}'`,
    unseen: 'projects that you may not see',
  });
  throw invalidOperation(
    `Nobody but ${owner} owns ${named.join(', ')}: give each of these projects another owner first`,
  );
}
