import type { Tx } from '../../../platform/db/database.ts';
import { record } from '../../events/index.ts';
import { apiTokenUpdated } from './events.ts';
import { tokenDataOf } from './present.ts';
import { lockTokensOf, type Token, updateToken } from './queries.ts';
import { eventScopeOf, revoke } from './token.ts';

/**
 * Revokes the tokens of a project or environment that is being deleted, before another one of its name could be read
 * with them. The caller has locked it, so that no one creates new tokens for it.
 */
export async function revokeTokensOf(
  tx: Tx,
  part: { readonly project: string } | { readonly environment: string },
): Promise<void> {
  for (const token of await lockTokensOf(tx, part)) {
    const others = 'project' in part ? token.projects.filter((id) => id !== part.project) : [];
    if (others.length === 0) await revoke(tx, token);
    else await narrow(tx, token, others);
  }
}

/** The event has the scope of a token for several projects, so that no one reads of a project that they do not see. */
async function narrow(tx: Tx, before: Token, projects: string[]): Promise<void> {
  const after = { ...before, projects };
  await updateToken(tx, after);
  const eventScope = eventScopeOf(before);
  record(
    tx,
    apiTokenUpdated({ ...eventScope, data: tokenDataOf(after), preData: tokenDataOf(before) }),
  );
}
