import type { Tx } from '../../../../platform/db/database.ts';
import { invalidOperation, notFound } from '../../../../platform/errors.ts';
import { actAs, record } from '../../../events/index.ts';
import type { ProposedChange } from '../actions/actions.ts';
import { hashOf } from '../content.ts';
import { requestCreated, sentToReview } from '../events.ts';
import { insertChanges, listChanges, lockDraft, updateState, updateTitle } from '../queries.ts';
import { maxChanges } from '../request-schema.ts';
import { settingsOf } from '../settings.ts';
import { updateSchedule, upsertSchedule } from '../state/queries.ts';
import { planAll, refuseImpossible, withBase } from './service.ts';

export type ImportedChange = ProposedChange;

interface ImportedRequest {
  /** Where it comes from, and its number there. */
  readonly source: string;
  readonly theirId: number;
  readonly place: { readonly project: string; readonly environment: string };
  readonly author: { readonly id: number; readonly name: string };
  readonly title: string | null;
  readonly state:
    | { readonly name: 'Draft' | 'In review' }
    | { readonly name: 'Scheduled'; readonly scheduledAt: Date };
  readonly changes: readonly ImportedChange[];
}

const maxTitle = 255;

/**
 * Stores an open request of another installation in the name of its author, and returns its ID. It has no approvals, and
 * its schedule is suspended until it has been approved here.
 */
export async function importRequest(
  tx: Tx,
  { source, theirId, place, author, title, state, changes }: ImportedRequest,
): Promise<number> {
  const settings = await settingsOf(tx.db, place.project, place.environment);
  if (!settings) throw notFound('environment', place.environment);
  if (changes.length === 0 || changes.length > maxChanges) {
    throw invalidOperation(`A change request has 1 to ${maxChanges} changes`);
  }
  const planned = planAll(
    place.environment,
    changes.map((change, index) => ({ change, at: `/changes/${index}` })),
  );
  const acting = actAs(tx, { ...tx.actor, ...author });
  const { request, isNew } = await lockDraft(
    acting,
    place,
    Math.max(1, settings.requiredApprovals),
  );
  if (!isNew) throw invalidOperation('Its author already has a draft for this environment');
  await refuseImpossible(acting, request, [], planned);
  await insertChanges(acting, request.id, await withBase(acting, request, [], planned));
  if (title !== null) await updateTitle(tx, request.id, title.slice(0, maxTitle).toWellFormed());
  const facts = { changeRequestId: request.id, importedFrom: source, importedAs: `#${theirId}` };
  record(tx, requestCreated({ ...place, data: facts }));
  if (state.name === 'Draft') return request.id;
  await updateState(tx, request, state.name);
  if (state.name === 'Scheduled') {
    await upsertSchedule(tx, request.id, {
      scheduledAt: state.scheduledAt,
      timeZone: null,
      whenOverdue: 'suspend',
      scheduledBy: { kind: 'account', ...author },
    });
    const reason = `Imported from ${source} without its approvals. Approve it, then schedule it again`;
    await updateSchedule(tx, request.id, 'suspended', reason);
  }
  const stored = await listChanges(tx.db, [request.id]);
  record(
    tx,
    sentToReview({
      ...place,
      data: {
        ...facts,
        hash: hashOf(stored).toString('hex'),
        minApprovals: request.minApprovals,
        changes: stored.map(({ feature, action, payload }) => ({ feature, action, payload })),
      },
    }),
  );
  return request.id;
}
