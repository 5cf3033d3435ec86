import { sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';
import { AppError, noAccess } from '../../../../platform/errors.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { defineHook } from '../../../../platform/hooks.ts';
import {
  type ChangeRequestEnvironment,
  changeRequestsPath,
  listChangeRequestEnvironments,
} from '../../../catalogue/projects/index.ts';
import type { LockedFeature } from '../lock.ts';
import type { BulkAction, BulkChange, BulkProposal } from './contract.ts';

type ProposedChange = BulkProposal['body'][number];

interface ProposingChanges {
  readonly place: ChangeRequestEnvironment;
  readonly changes: readonly ProposedChange[];
  /** Gets the draft that has the changes. */
  readonly onProposed: (id: number) => void;
}

/** Changes that need approval are added to the actor's draft. */
export const proposingChanges = defineHook<ProposingChanges>('proposingChanges', 'lowest first');

export type Propose = (tx: Tx, proposal: ProposingChanges) => Promise<void>;

const eachOf =
  (action: string, payload: object = {}) =>
  (features: readonly LockedFeature[]): ProposedChange[] =>
    features.map(({ name: feature }) => ({ feature, action, payload }));

const allOf = (action: string) => (features: readonly LockedFeature[]) => [
  { action, payload: { features: features.map(({ name }) => name) } },
];

/** The actions that may need approval, as changes of a change request. */
const changes: Readonly<
  Partial<
    Record<
      BulkAction,
      (features: readonly LockedFeature[], change: BulkChange) => readonly ProposedChange[]
    >
  >
> = {
  enable: eachOf('updateEnabled', { enabled: true }),
  disable: eachOf('updateEnabled', { enabled: false }),
  archive: eachOf('archiveFeature'),
  revive: allOf('reviveFeatures'),
  delete: allOf('deleteFeatures'),
  move: (features, { newProjectId }) =>
    features.map(({ name, project }) => ({
      action: 'moveFeature',
      payload: { feature: name, project, newProjectId },
    })),
};

export interface Refused {
  readonly feature: LockedFeature;
  readonly why: string;
  /** Where the change can be proposed. */
  readonly place: ChangeRequestEnvironment;
}

/**
 * The features for which the change needs approval. The guard would refuse the whole transaction because of them; here
 * each feature is refused on its own. Who wants to propose changes does so also where they may skip that.
 */
export async function listUnapproved(
  tx: Tx,
  features: readonly LockedFeature[],
  { action, environment, newProjectId }: BulkChange,
  { proposes }: { readonly proposes: boolean },
): Promise<Refused[]> {
  if (!changes[action] || features.length === 0) return [];
  const projects = new Set(features.map(({ project }) => project));
  if (newProjectId !== undefined) projects.add(newProjectId);
  const places = (await listChangeRequestEnvironments(tx.db, [...projects])).filter(
    (place) => !action.endsWith('able') || place.environment === environment,
  );
  return features.flatMap((feature) => {
    const concerned = places.filter(
      ({ project }) => project === feature.project || project === newProjectId,
    );
    const refused = concerned.find(
      (place) => proposes || !tx.actor.may('SKIP_CHANGE_REQUEST', place.project, place.environment),
    );
    if (!refused) return [];
    const place = concerned.find(({ project }) => project === refused.project) ?? refused;
    const why = noAccess('SKIP_CHANGE_REQUEST', refused.environment).message;
    return [{ feature, why, place }];
  });
}

const changesOf = (refused: readonly Refused[], change: BulkChange): ProposedChange[] => {
  const features = refused.map(({ feature }) => feature);
  return [...(changes[change.action]?.(features, change) ?? [])];
};

const byPlace = (refused: readonly Refused[]) =>
  grouped(refused, ({ place }) => changeRequestsPath(place));

/** One request for each project, whose body proposes the change of all its refused features. */
export const proposalsOf = (refused: readonly Refused[], change: BulkChange): BulkProposal[] =>
  [...byPlace(refused)].map(([path, own]) => ({ path, body: changesOf(own, change) }));

/** Proposes the change in each project, or says why that is impossible there. */
export async function proposeAll(
  tx: Tx,
  refused: readonly Refused[],
  change: BulkChange,
  propose: Propose,
) {
  const drafts: (ChangeRequestEnvironment & { readonly id: number })[] = [];
  const refusals = new Map<string, string>();
  for (const own of byPlace(refused).values()) {
    const [{ place }] = own as [Refused];
    const onProposed = (id: number) => drafts.push({ ...place, id });
    await sql`savepoint proposing`.execute(tx.db);
    try {
      await propose(tx, { place, changes: changesOf(own, change), onProposed });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      await sql`rollback to savepoint proposing`.execute(tx.db);
      for (const { feature } of own) refusals.set(feature.name, error.message);
    }
  }
  return { drafts, refusals };
}
