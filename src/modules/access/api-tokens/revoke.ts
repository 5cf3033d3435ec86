import type { Tx } from '../../../platform/db/database.ts';
import { record } from '../../events/index.ts';
import { tokenDataOf } from './answer.ts';
import { apiTokenUpdated } from './events.ts';
import { lockTokensOf, type Token, updateToken } from './queries.ts';
import { eventScopeOf, revoke } from './token.ts';

/**
 * Ends what reads a project or an environment that is going, before another one of its name could be
 * read with it. The caller has locked that part: nobody makes a token for it meanwhile.
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

/** Its place in the log is that of a token for several projects: nobody reads there of one that they do not see. */
async function narrow(tx: Tx, before: Token, projects: string[]): Promise<void> {
  const after = { ...before, projects };
  await updateToken(tx, after);
  const eventScope = eventScopeOf(before);
  record(
    tx,
    apiTokenUpdated({ ...eventScope, data: tokenDataOf(after), preData: tokenDataOf(before) }),
  );
}
