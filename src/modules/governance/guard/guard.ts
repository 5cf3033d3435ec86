import type { Tx } from '../../../platform/db/database.ts';
import { AppError, noAccess } from '../../../platform/errors.ts';
import { sees } from '../../../platform/permission.ts';
import type { ChangeRequestEnvironment } from '../../catalogue/projects/index.ts';
import { type EventDraft, listRecorded } from '../../events/index.ts';
import { type Effects, effectsOf } from './effects.ts';
import { alsoProposedIn, asksToPropose, type Proposal, proposalOf } from './proposals.ts';
import { lockProtectedPlaces } from './queries.ts';

const permission = 'SKIP_CHANGE_REQUEST';

interface Approval {
  readonly place: ChangeRequestEnvironment;
  /** Whether the approvals are enough for another environment of the project. */
  readonly covers: (environment: string) => Promise<boolean>;
}

/** By connection, because the changes of a request are made with the authority of another actor. */
const approvals = new WeakMap<Tx['db'], Approval>();

/** The transaction applies a change request of this place that has all its approvals. */
export function applyWithApproval(
  tx: Tx,
  { project, environment }: ChangeRequestEnvironment,
  covers: Approval['covers'],
): void {
  approvals.set(tx.db, { place: { project, environment }, covers });
}

const isSame = (a: ChangeRequestEnvironment, b: ChangeRequestEnvironment | undefined): boolean =>
  a.project === b?.project && a.environment === b.environment;

/**
 * Refuses the transaction if it changes what an environment evaluates in which changes need approval, unless the actor
 * may skip that, or it applies an approved request. It runs after everything else, because the events tell what has
 * changed; nothing of it is committed.
 */
export async function guardRecorded(tx: Tx): Promise<void> {
  const drafts = listRecorded(tx);
  const effects = effectsOf(drafts);
  if (effects.places.length + effects.projects.length + effects.segments.length > 0) {
    await guard(tx, effects, drafts);
  }
  if (!tx.actor.onlyProposes) return;
  const { places = [], projects = [] } = alsoProposedIn(tx.actor.request, drafts);
  if (places.length + projects.length > 0) {
    await guard(tx, { places, projects, segments: [] }, drafts);
  }
}

/**
 * Refuses a change of these places before it is made: the settings are about to be deleted, so that the events come too
 * late, or the refusal has to come before others.
 */
export async function guardPlaces(tx: Tx, effects: Partial<Effects>): Promise<void> {
  const { places = [], projects = [] } = effects;
  if (places.length + projects.length > 0) {
    await guard(tx, { segments: [], ...effects, places, projects }, []);
  }
}

async function guard(tx: Tx, effects: Effects, drafts: readonly EventDraft[]): Promise<void> {
  const proposes = asksToPropose(tx.actor.request);
  if (!proposes && tx.actor.may('ADMIN')) return;
  const places = await lockProtectedPlaces(tx, effects);
  const approval = approvals.get(tx.db);
  // A request for changes in several environments of a project belongs to the first of them.
  const firstOf = (project: string) =>
    places.find((each) => each.project === project) as ChangeRequestEnvironment;
  const isApproved = async (place: ChangeRequestEnvironment): Promise<boolean> =>
    isSame(place, approval?.place) ||
    (isSame(firstOf(place.project), approval?.place) &&
      approval !== undefined &&
      (await approval.covers(place.environment)));
  const maySkip = ({ project, environment }: ChangeRequestEnvironment): boolean =>
    !proposes && tx.actor.may(permission, project, environment);
  const refused: ChangeRequestEnvironment[] = [];
  for (const place of places) {
    if (!maySkip(place) && !(await isApproved(place))) refused.push(place);
  }
  const [first] = refused;
  if (!first) return;
  // Where a segment is used that the actor can't see, there is nothing to propose either.
  const visible = refused.find(({ project }) => sees(tx.actor, project));
  const place = visible && firstOf(visible.project);
  const { environment } = visible ?? first;
  if (!place) throw noAccess(permission, environment);
  const proposal = proposalOf(tx.actor.request, place, drafts);
  if (typeof proposal === 'string') throw noAccess(permission, environment, { advice: proposal });
  const refusal = noAccess(permission, environment, { more: { proposal } });
  proposalByRefusal.set(refusal, { place, body: proposal.body });
  throw refusal;
}

interface FoundProposal {
  readonly place: ChangeRequestEnvironment;
  readonly body: Proposal['body'];
}

const proposalByRefusal = new WeakMap<object, FoundProposal>();

/** What can be proposed instead, if the guard refused something. */
export const findProposal = (refusal: unknown): FoundProposal | undefined =>
  refusal instanceof AppError ? proposalByRefusal.get(refusal) : undefined;
