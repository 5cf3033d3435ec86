import type { ActingRequest } from '../../../platform/actor.ts';
import type { Endpoint, Input } from '../../../platform/contract/endpoint.ts';
import { environmentContract } from '../../catalogue/projects/environments/contract.ts';
import { contract as segmentContract } from '../../catalogue/segments/contract.ts';
import type { EventDraft } from '../../events/index.ts';
import { featureContract } from '../../flags/features/contract.ts';
import { importExportContract } from '../../flags/import-export/contract.ts';
import type { ProjectEnvironment } from './effects.ts';

/** A change as a change request has it. Its payload is the body of the operation for the single change. */
interface ProposedChange {
  readonly feature?: string;
  readonly action: string;
  readonly payload?: unknown;
}

/** A request that proposes a refused change instead of making it. */
interface Proposal {
  readonly path: string;
  readonly body: ProposedChange | readonly ProposedChange[];
}

interface Circumstances {
  /** Where the change request belongs. */
  readonly place: ProjectEnvironment;
  /** What the refused transaction would have recorded. */
  readonly drafts: readonly EventDraft[];
}

type Propose = (request: never, circumstances: Circumstances) => Proposal['body'];

const proposing = <E extends Endpoint>(
  { id }: E,
  propose: (request: Input<E>, circumstances: Circumstances) => Proposal['body'],
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

const forEach = (names: readonly string[], action: string, payload: object = {}) =>
  names.map((feature): ProposedChange => ({ feature, action, payload }));

const bulkActions: Readonly<
  Record<string, { readonly action: string; readonly payload?: object } | undefined>
> = {
  enable: { action: 'updateEnabled', payload: { enabled: true } },
  disable: { action: 'updateEnabled', payload: { enabled: false } },
  archive: { action: 'archiveFeature' },
  revive: { action: 'reviveFeature' },
  delete: { action: 'deleteFeature' },
};

/** What each operation does, as changes of a change request. */
const proposals = new Map<string, Propose>([
  proposing(featureContract.addFeatureStrategy, ({ params, body: payload }) => ({
    feature: params.featureName,
    action: 'addStrategy',
    payload,
  })),
  proposing(featureContract.updateFeatureStrategy, ({ params, body }) => ({
    feature: params.featureName,
    action: 'updateStrategy',
    payload: { ...body, id: params.strategyId },
  })),
  proposing(featureContract.patchFeatureStrategy, (_, at) => strategiesUpdated(at)),
  proposing(featureContract.setStrategySegments, (_, at) => strategiesUpdated(at)),
  proposing(featureContract.deleteFeatureStrategy, ({ params }) => ({
    feature: params.featureName,
    action: 'deleteStrategy',
    payload: { id: params.strategyId },
  })),
  proposing(featureContract.setStrategySortOrder, ({ params, body: payload }) => ({
    feature: params.featureName,
    action: 'reorderStrategy',
    payload,
  })),
  proposing(featureContract.switchFeatureOn, ({ params, query }) => ({
    feature: params.featureName,
    action: 'updateEnabled',
    payload: switchedOn(query),
  })),
  proposing(featureContract.switchFeatureOff, ({ params }) => ({
    feature: params.featureName,
    action: 'updateEnabled',
    payload: { enabled: false },
  })),
  proposing(featureContract.switchFeaturesOn, ({ query, body }) =>
    forEach(body.features, 'updateEnabled', switchedOn(query)),
  ),
  proposing(featureContract.switchFeaturesOff, ({ body }) =>
    forEach(body.features, 'updateEnabled', { enabled: false }),
  ),
  proposing(featureContract.replaceEnvironmentVariants, ({ params, body: variants }) => ({
    feature: params.featureName,
    action: 'patchVariant',
    payload: { variants },
  })),
  proposing(featureContract.patchEnvironmentVariants, ({ params }, { drafts }) => ({
    feature: params.featureName,
    action: 'patchVariant',
    payload: { variants: drafts[0]?.data?.variants },
  })),
  proposing(featureContract.replaceVariantsInBatch, ({ params, body: payload }) => ({
    feature: params.featureName,
    action: 'updateVariants',
    payload,
  })),
  proposing(featureContract.replaceVariants, ({ params, body: variants }) => ({
    feature: params.featureName,
    action: 'updateVariants',
    payload: { variants },
  })),
  proposing(featureContract.patchVariants, (_, at) => variantsSet(at)),
  proposing(featureContract.addDependency, ({ params, body: payload }) => ({
    feature: params.featureName,
    action: 'addDependency',
    payload,
  })),
  proposing(featureContract.removeDependency, ({ params }) => ({
    feature: params.featureName,
    action: 'deleteDependency',
    payload: { feature: params.parent },
  })),
  proposing(featureContract.removeDependencies, ({ params }) => ({
    feature: params.featureName,
    action: 'deleteDependency',
    payload: {},
  })),
  proposing(featureContract.createFeature, ({ body }) => ({
    feature: body.name,
    action: 'createFeature',
    payload: body,
  })),
  proposing(featureContract.updateFeature, ({ params, body: payload }) => ({
    feature: params.featureName,
    action: 'updateFeature',
    payload,
  })),
  proposing(featureContract.archiveFeature, ({ params }) => ({
    feature: params.featureName,
    action: 'archiveFeature',
    payload: {},
  })),
  proposing(featureContract.archiveFeatures, ({ body }) =>
    forEach(body.features, 'archiveFeature'),
  ),
  proposing(featureContract.reviveFeature, ({ params }) => ({
    feature: params.featureName,
    action: 'reviveFeature',
    payload: {},
  })),
  proposing(featureContract.reviveFeatures, ({ body }) => forEach(body.features, 'reviveFeature')),
  proposing(featureContract.deleteFeature, ({ params }) => ({
    feature: params.featureName,
    action: 'deleteFeature',
    payload: {},
  })),
  proposing(featureContract.deleteFeatures, ({ body }) => forEach(body.features, 'deleteFeature')),
  proposing(featureContract.cloneFeature, ({ params, body }) => ({
    feature: body.name,
    action: 'cloneFeature',
    payload: { ...body, source: params.featureName },
  })),
  proposing(featureContract.cloneFeatures, ({ body: payload }) => ({
    action: 'cloneFeatures',
    payload,
  })),
  proposing(featureContract.changeProject, ({ params, body }) => ({
    feature: params.featureName,
    action: 'moveFeature',
    payload: { ...body, project: params.projectId },
  })),
  proposing(featureContract.saveFeatureChanges, ({ params, body }, { place }) => {
    const feature = params.featureName;
    const isInPlace = (change: object) =>
      !('environment' in change) || change.environment === place.environment;
    // A change request belongs to one environment. Otherwise all changes are made as one.
    return body.changes.every(isInPlace)
      ? body.changes.map(({ action = '', payload = {} }) => ({ feature, action, payload }))
      : { feature, action: 'saveFeatureChanges', payload: { changes: body.changes } };
  }),
  proposing(featureContract.changeFeaturesInBulk, ({ body }, { place, drafts }) => {
    const own = drafts.filter(({ project }) => project === place.project);
    const names = [...new Set(own.map(({ featureName }) => String(featureName)))];
    if (body.action === 'move') {
      return drafts.map(({ featureName, formerProject }) => ({
        feature: String(featureName),
        action: 'moveFeature',
        payload: { newProjectId: body.newProjectId, project: formerProject },
      }));
    }
    const { action = body.action, payload } = bulkActions[body.action] ?? {};
    return forEach(names, action, payload);
  }),
  proposing(importExportContract.importFeatures, ({ body: payload }) => ({
    action: 'importFeatures',
    payload,
  })),
  proposing(segmentContract.updateSegment, ({ params, body }) => ({
    action: 'updateSegment',
    payload: { id: Number(params.id), ...body },
  })),
  proposing(segmentContract.deleteSegment, ({ params }) => ({
    action: 'deleteSegment',
    payload: { id: Number(params.id) },
  })),
  proposing(environmentContract.setDefaultStrategy, ({ body: payload }) => ({
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

/** What a request for a change request may have. */
const maxCharacters = 1_000_000;

/**
 * The request that proposes what a refused request would have changed. Undefined if it can't be proposed: a change
 * request would not outlive it, or it is too large.
 */
export function proposalOf(
  request: ActingRequest | undefined,
  place: ProjectEnvironment,
  drafts: readonly EventDraft[],
): Proposal | undefined {
  const propose = request && proposals.get(request.id);
  if (!propose) return undefined;
  const { project, environment } = place;
  const path = `/api/admin/projects/${encodeURIComponent(project)}/environments/${encodeURIComponent(environment)}/change-requests`;
  const body = propose(request as never, { place, drafts });
  return JSON.stringify(body).length > maxCharacters ? undefined : { path, body };
}
