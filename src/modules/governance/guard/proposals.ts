import type { ActingRequest } from '../../../platform/actor.ts';
import type { Endpoint, Input } from '../../../platform/contract/endpoint.ts';
import {
  type ChangeRequestEnvironment,
  changeRequestsPath,
  projects,
} from '../../catalogue/projects/index.ts';
import { segments } from '../../catalogue/segments/index.ts';
import type { EventDraft } from '../../events/index.ts';
import { features } from '../../flags/features/index.ts';
import { importExport } from '../../flags/import-export/index.ts';
import { revert } from '../revert/index.ts';
import type { Effects } from './effects.ts';

/** A change as a change request has it. Its payload is the body of the operation for the single change. */
interface ProposedChange {
  readonly feature?: string;
  readonly action: string;
  readonly payload?: unknown;
}

/** A request that proposes a refused change instead of making it. */
export interface Proposal {
  readonly path: string;
  readonly body: ProposedChange | readonly ProposedChange[];
}

interface Circumstances {
  /** Where the change request belongs. */
  readonly place: ChangeRequestEnvironment;
  /** What the refused transaction would have recorded. */
  readonly drafts: readonly EventDraft[];
}

/** Returns the body, or why there is none. */
type Propose = (request: never, circumstances: Circumstances) => Proposal['body'] | string;

const proposing = <E extends Endpoint>(
  { id }: E,
  propose: (request: Input<E>, circumstances: Circumstances) => Proposal['body'] | string,
): readonly [string, Propose] => [id, propose as Propose];

/** The bodies of the deprecated operations for variants are patches. The events have what comes out of them. */
const variantsSet = ({ drafts }: Circumstances): ProposedChange[] =>
  drafts.map(({ featureName, environment, data }) => ({
    feature: String(featureName),
    action: 'updateVariants',
    payload: { variants: data?.variants, environments: [environment] },
  }));

/** A patch, or only its segments: the event has the whole strategy. */
const strategiesUpdated = ({ drafts }: Circumstances): ProposedChange[] =>
  drafts
    .filter(({ definition }) => definition.type === 'feature-strategy-update')
    .map(({ featureName, data }) => {
      const { segmentNames: _, ...payload } = data ?? {};
      return { feature: String(featureName), action: 'updateStrategy', payload };
    });

/** A request belongs to one project, and its approvals don't count in others. */
function reverted(conflicts: string, { drafts }: Circumstances): ProposedChange | string {
  const projects = new Set(drafts.map(({ project }) => project));
  if (projects.size > 1) return 'To propose this, revert the events of each project separately';
  const eventIds = [...new Set(drafts.flatMap(({ reverts = [] }) => reverts))].sort(
    (a, b) => a - b,
  );
  return { action: 'revertEvents', payload: { eventIds, conflicts } };
}

const forEach = (names: readonly string[], action: string, payload: object = {}) =>
  names.map((feature): ProposedChange => ({ feature, action, payload }));

/** What each operation does, as changes of a change request. */
const proposals = new Map<string, Propose>([
  proposing(features.contract.addFeatureStrategy, ({ params, body: payload }) => ({
    feature: params.featureName,
    action: 'addStrategy',
    payload,
  })),
  proposing(features.contract.updateFeatureStrategy, ({ params, body }) => ({
    feature: params.featureName,
    action: 'updateStrategy',
    payload: { ...body, id: params.strategyId },
  })),
  proposing(features.contract.patchFeatureStrategy, (_, at) => strategiesUpdated(at)),
  proposing(features.contract.setStrategySegments, (_, at) => strategiesUpdated(at)),
  proposing(features.contract.deleteFeatureStrategy, ({ params }) => ({
    feature: params.featureName,
    action: 'deleteStrategy',
    payload: { id: params.strategyId },
  })),
  proposing(features.contract.setStrategySortOrder, ({ params, body: payload }) => ({
    feature: params.featureName,
    action: 'reorderStrategy',
    payload,
  })),
  proposing(features.contract.switchFeatureOn, ({ params, query }) => ({
    feature: params.featureName,
    action: 'updateEnabled',
    payload: switchedOn(query),
  })),
  proposing(features.contract.switchFeatureOff, ({ params }) => ({
    feature: params.featureName,
    action: 'updateEnabled',
    payload: { enabled: false },
  })),
  proposing(features.contract.switchFeaturesOn, ({ query, body }) =>
    forEach(body.features, 'updateEnabled', switchedOn(query)),
  ),
  proposing(features.contract.switchFeaturesOff, ({ body }) =>
    forEach(body.features, 'updateEnabled', { enabled: false }),
  ),
  proposing(features.contract.replaceEnvironmentVariants, ({ params, body: variants }) => ({
    feature: params.featureName,
    action: 'patchVariant',
    payload: { variants },
  })),
  proposing(features.contract.patchEnvironmentVariants, ({ params }, { drafts }) => ({
    feature: params.featureName,
    action: 'patchVariant',
    payload: { variants: drafts[0]?.data?.variants },
  })),
  proposing(features.contract.replaceVariantsInBatch, ({ params, body: payload }) => ({
    feature: params.featureName,
    action: 'updateVariants',
    payload,
  })),
  proposing(features.contract.replaceVariants, ({ params, body: variants }) => ({
    feature: params.featureName,
    action: 'updateVariants',
    payload: { variants },
  })),
  proposing(features.contract.patchVariants, (_, at) => variantsSet(at)),
  proposing(features.contract.addDependency, ({ params, body: payload }) => ({
    feature: params.featureName,
    action: 'addDependency',
    payload,
  })),
  proposing(features.contract.removeDependency, ({ params }) => ({
    feature: params.featureName,
    action: 'deleteDependency',
    payload: { feature: params.parent },
  })),
  proposing(features.contract.removeDependencies, ({ params }) => ({
    feature: params.featureName,
    action: 'deleteDependency',
    payload: {},
  })),
  proposing(features.contract.createFeature, ({ body: payload }) => ({
    action: 'createFeature',
    payload,
  })),
  proposing(features.contract.updateFeature, ({ params, body: payload }) => ({
    feature: params.featureName,
    action: 'updateFeature',
    payload,
  })),
  proposing(features.contract.archiveFeature, ({ params }) => ({
    feature: params.featureName,
    action: 'archiveFeature',
    payload: {},
  })),
  proposing(features.contract.archiveFeatures, ({ body }) =>
    forEach(body.features, 'archiveFeature'),
  ),
  proposing(features.contract.reviveFeature, ({ params }) => ({
    action: 'reviveFeatures',
    payload: { features: [params.featureName] },
  })),
  proposing(features.contract.reviveFeatures, ({ body: payload }) => ({
    action: 'reviveFeatures',
    payload,
  })),
  proposing(features.contract.deleteFeature, ({ params }) => ({
    action: 'deleteFeatures',
    payload: { features: [params.featureName] },
  })),
  proposing(features.contract.deleteFeatures, ({ body: payload }) => ({
    action: 'deleteFeatures',
    payload,
  })),
  proposing(features.contract.cloneFeature, ({ params, body: { name, replaceGroupId } }) => ({
    action: 'cloneFeatures',
    payload: { features: [{ feature: params.featureName, name }], replaceGroupId },
  })),
  proposing(features.contract.cloneFeatures, ({ body: payload }) => ({
    action: 'cloneFeatures',
    payload,
  })),
  proposing(features.contract.changeProject, ({ params, body: { newProjectId } }) => ({
    action: 'moveFeature',
    payload: { feature: params.featureName, project: params.projectId, newProjectId },
  })),
  proposing(features.contract.saveFeatureChanges, ({ params, body }, { place }) => {
    const feature = params.featureName;
    const isInPlace = (change: object) =>
      !('environment' in change) || change.environment === place.environment;
    // A change request belongs to one environment. Otherwise all changes are made as one.
    return body.changes.every(isInPlace)
      ? body.changes.map(({ action = '', payload = {} }) => ({ feature, action, payload }))
      : { feature, action: 'saveFeatureChanges', payload: { changes: body.changes } };
  }),
  proposing(revert.contract.revertEvent, ({ body }, at) => reverted(body.conflicts, at)),
  proposing(revert.contract.revertEvents, ({ body }, at) => reverted(body.conflicts, at)),
  proposing(importExport.contract.importFeatures, ({ body: payload }) => ({
    action: 'importFeatures',
    payload,
  })),
  proposing(segments.contract.updateSegment, ({ params, body }) => ({
    action: 'updateSegment',
    payload: { id: Number(params.id), ...body },
  })),
  proposing(segments.contract.deleteSegment, ({ params }) => ({
    action: 'deleteSegment',
    payload: { id: Number(params.id) },
  })),
  proposing(projects.contract.setDefaultStrategy, ({ body: payload }) => ({
    action: 'updateDefaultStrategy',
    payload,
  })),
]);

const switchedOn = (query: { readonly shouldActivateDisabledStrategies?: string }) => ({
  enabled: true,
  ...(query.shouldActivateDisabledStrategies === 'true' && {
    shouldActivateDisabledStrategies: true,
  }),
});

/** Operations that change evaluations only sometimes, and concern a project as a whole. */
const ofProjects = new Set<string>(
  [
    ...[features.contract.createFeature, features.contract.cloneFeature],
    ...[features.contract.cloneFeatures],
    ...[segments.contract.updateSegment, segments.contract.deleteSegment],
  ].map(({ id }) => id),
);

/**
 * Where someone without the permission for an operation proposes it, even if it changes no evaluation yet, such as a new
 * feature without strategies: whether it does is not known before.
 */
export function alsoProposedIn(
  request: ActingRequest | undefined,
  drafts: readonly EventDraft[],
): Partial<Effects> {
  if (request?.id === importExport.contract.importFeatures.id) {
    const { project, environment } = request.body as ChangeRequestEnvironment;
    return drafts.length > 0 ? { places: [{ project, environment }] } : {};
  }
  if (!request || !ofProjects.has(request.id)) return {};
  return { projects: [...new Set(drafts.flatMap(({ project }) => project ?? []))] };
}

/** What a request for a change request may have. */
const maxCharacters = 1_000_000;

/** Whether the caller wants to propose the change even if they may skip that: `?propose=true`. */
export const asksToPropose = (request: ActingRequest | undefined): boolean =>
  request !== undefined &&
  proposals.has(request.id) &&
  (request.query as { propose?: string } | undefined)?.propose === 'true';

/** The request that proposes what a refused request would have changed, or why there is none. */
export function proposalOf(
  request: ActingRequest | undefined,
  place: ChangeRequestEnvironment,
  drafts: readonly EventDraft[],
): Proposal | string {
  const propose = request && proposals.get(request.id);
  // A change request would not outlive it.
  if (!propose) return 'It cannot be proposed. Disable change requests in the environment first';
  const path = changeRequestsPath(place);
  const body = propose(request as never, { place, drafts });
  if (typeof body === 'string') return body;
  return JSON.stringify(body).length > maxCharacters
    ? 'It is too large to propose: a change request can have up to 1 MB. Split it'
    : { path, body };
}
