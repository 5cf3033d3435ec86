import type { Tx } from '../../../../platform/db/database.ts';
import { noAccess } from '../../../../platform/errors.ts';
import { grouped } from '../../../../platform/grouped.ts';
import {
  type ChangeRequestEnvironment,
  changeRequestsPath,
  listChangeRequestEnvironments,
} from '../../../catalogue/projects/index.ts';
import type { LockedFeature } from '../lock.ts';
import type { BulkAction, BulkChange, BulkProposal } from './contract.ts';

type ProposedChange = BulkProposal['body'][number];

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

interface Refused {
  readonly feature: LockedFeature;
  readonly why: string;
  /** Where the change can be proposed. */
  readonly place: ChangeRequestEnvironment;
}

/**
 * The features for which the change needs approval. The guard would refuse the whole transaction because of them; here
 * each feature is refused on its own.
 */
export async function listUnapproved(
  tx: Tx,
  features: readonly LockedFeature[],
  { action, environment, newProjectId }: BulkChange,
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
      (place) => !tx.actor.may('SKIP_CHANGE_REQUEST', place.project, place.environment),
    );
    if (!refused) return [];
    const place = concerned.find(({ project }) => project === refused.project) ?? refused;
    const why = noAccess('SKIP_CHANGE_REQUEST', refused.environment).message;
    return [{ feature, why, place }];
  });
}

/** One request for each project, whose body proposes the change of all its refused features. */
export const proposalsOf = (refused: readonly Refused[], change: BulkChange): BulkProposal[] =>
  [...grouped(refused, ({ place }) => changeRequestsPath(place))].map(([path, own]) => {
    const features = own.map(({ feature }) => feature);
    return { path, body: [...(changes[change.action]?.(features, change) ?? [])] };
  });
