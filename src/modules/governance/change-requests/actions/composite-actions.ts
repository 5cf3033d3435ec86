import { type Static, Type } from 'typebox';
import { withDefault } from '../../../../platform/contract/endpoint.ts';
import { oneOf } from '../../../../platform/contract/schema.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { badData, type Fault, notFound } from '../../../../platform/errors.ts';
import type { ServedEndpoint } from '../../../../platform/http/checked.ts';
import { schemaFaults } from '../../../../platform/http/schema-faults.ts';
import { demand, sees } from '../../../../platform/permission.ts';
import { projects, setDefaultStrategy } from '../../../catalogue/projects/index.ts';
import {
  changeProjectOf,
  cloneFeatures,
  createFeature,
  creationOf,
  deleteFeaturesInBulk,
  type FeatureSetChange,
  faultsOfBody,
  features,
  type ReadyChange,
  readChange,
  relocated,
  replaceVariants,
  replaceVariantsInBatch,
  reviveFeatures,
  type SetVariants,
  saveChanges,
} from '../../../flags/features/index.ts';
import {
  importExport,
  importFeatures,
  refuseUnreadable,
} from '../../../flags/import-export/index.ts';
import { maxRevertedEvents, revert, revertSelected } from '../../revert/index.ts';
import type { CompositeAction } from './action-schema.ts';
import type { Action, PlannedChange } from './actions.ts';

interface Target {
  readonly project: string;
  readonly environment: string;
}

type Plan = Pick<PlannedChange, 'permission' | 'isDemandedByService' | 'run'> & {
  readonly faults: readonly Fault[];
};

/** An action that concerns the project as a whole, or a feature in several environments. */
const compositeAction =
  (
    action: CompositeAction,
    of: 'project' | 'feature',
    plan: (payload: never, target: { environment: string; feature: string }) => Plan,
  ): Action =>
  ({ feature, payload = {} }, { environment, at }) => {
    if (of === 'feature' && !feature) {
      const path = `${at}/feature`;
      return { faults: [{ path, message: `${path} is missing` }] };
    }
    const bodyPath = `${at}/payload`;
    if (payload === null)
      return { faults: [{ path: bodyPath, message: `${bodyPath} is missing` }] };
    const { faults, ...planned } = plan(payload as never, { environment, feature: feature ?? '' });
    if (faults.length > 0) {
      return { faults: faults.map((fault) => relocated(fault, bodyPath, at)) };
    }
    return {
      faults: [],
      planned: {
        feature: of === 'feature' ? (feature ?? null) : null,
        segmentId: null,
        action,
        payload,
        environment: undefined,
        alsoLocks: [],
        ...planned,
        bodyPath,
      },
    };
  };

/** An action whose payload is the body of an operation on the project. */
const projectAction = <Payload>(
  action: CompositeAction,
  endpoint: ServedEndpoint,
  run: (tx: Tx, target: Target, payload: Payload) => Promise<unknown>,
  bodyFaults: (payload: unknown, at: string) => readonly Fault[] = (payload) =>
    faultsOfBody(endpoint, payload),
): Action =>
  compositeAction(action, 'project', (payload, { environment }) => ({
    faults: bodyFaults(payload, '/body'),
    permission: endpoint.permission,
    isDemandedByService: endpoint.demandedByService ?? false,
    run: (tx, project) => run(tx, { project, environment }, payload as Payload),
  }));

const RevertSchema = Type.Object({
  eventIds: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
    minItems: 1,
    maxItems: maxRevertedEvents,
  }),
  conflicts: withDefault(oneOf(['refuse', 'keepCurrent']), 'refuse'),
});

const MoveSchema = Type.Object({
  feature: Type.String(),
  project: Type.String({ description: 'The project that it leaves' }),
  newProjectId: Type.String(),
});

/** An import names its target itself, which must be that of the change request. */
function refuseOtherTarget(
  { project, environment }: Target,
  payload: { readonly project: string; readonly environment: string },
): void {
  if (payload.project === project && payload.environment === environment) return;
  const path = '/body/environment';
  throw badData([
    { path, message: `${path} and /body/project must be those of the change request` },
  ]);
}

type BodyOf<F extends (...args: never[]) => unknown, N extends number> = Parameters<F>[N];

/**
 * Changes that Unleash doesn't have: it refuses the operations where changes need approval. Nothing of them exists until
 * they are applied.
 */
export const compositeActions: Readonly<Record<CompositeAction, Action>> = {
  createFeature: projectAction<BodyOf<typeof creationOf, 1>>(
    'createFeature',
    features.contract.createFeature,
    (tx, { project }, body) => createFeature(tx, '', creationOf(project, body)),
  ),
  cloneFeatures: projectAction<{
    readonly features: BodyOf<typeof cloneFeatures, 2>;
    readonly replaceGroupId: boolean;
  }>('cloneFeatures', features.contract.cloneFeatures, (tx, { project }, body) =>
    cloneFeatures(tx, { project, replaceGroupId: body.replaceGroupId, baseUrl: '' }, body.features),
  ),
  importFeatures: projectAction<BodyOf<typeof importFeatures, 1>>(
    'importFeatures',
    importExport.contract.importFeatures,
    async (tx, target, body) => {
      refuseOtherTarget(target, body);
      await refuseUnreadable(body);
      return importFeatures(tx, body);
    },
  ),
  moveFeature: projectAction<Static<typeof MoveSchema>>(
    'moveFeature',
    features.contract.changeProject,
    async (tx, target, { feature, project, newProjectId }) => {
      if (target.project !== project && target.project !== newProjectId) {
        const path = '/body/project';
        throw badData([{ path, message: `${path} must be that of the change request` }]);
      }
      // The request is about one of the projects. The other one needs the permission, as in a direct move.
      if (!sees(tx.actor, project)) throw notFound('project', project);
      demand(tx.actor, 'MOVE_FEATURE_TOGGLE', project);
      return changeProjectOf(tx, { project, feature }, newProjectId);
    },
    schemaFaults(MoveSchema),
  ),
  reviveFeatures: projectAction<{ readonly features: readonly string[] }>(
    'reviveFeatures',
    features.contract.reviveFeatures,
    (tx, { project }, body) => reviveFeatures(tx, project, body.features),
  ),
  deleteFeatures: projectAction<{ readonly features: readonly string[] }>(
    'deleteFeatures',
    features.contract.deleteFeatures,
    (tx, { project }, body) => deleteFeaturesInBulk(tx, project, body.features),
  ),
  updateDefaultStrategy: projectAction<BodyOf<typeof setDefaultStrategy, 2>>(
    'updateDefaultStrategy',
    projects.contract.setDefaultStrategy,
    (tx, target, body) => setDefaultStrategy(tx, target, body),
  ),
  revertEvents: projectAction<Static<typeof RevertSchema>>(
    'revertEvents',
    revert.contract.revertEvents,
    (tx, { project: onlyProject }, { eventIds, conflicts }) =>
      revertSelected(tx, { eventIds }, { conflicts, onlyProject }),
    schemaFaults(RevertSchema),
  ),
  updateVariants: compositeAction(
    'updateVariants',
    'feature',
    (
      payload: { readonly variants: SetVariants; readonly environments?: string[] },
      { feature },
    ) => {
      const { variants, environments } = payload;
      const endpoint = environments
        ? features.contract.replaceVariantsInBatch
        : features.contract.replaceVariants;
      return {
        faults: faultsOfBody(endpoint, environments ? payload : variants),
        permission: endpoint.permission,
        isDemandedByService: true,
        run: (tx, project) =>
          environments
            ? replaceVariantsInBatch(tx, { project, feature }, { variants, environments })
            : replaceVariants(tx, { project, feature }, variants),
      };
    },
  ),
  saveFeatureChanges: compositeAction(
    'saveFeatureChanges',
    'feature',
    (payload: { readonly changes: FeatureSetChange[] }, { feature }) => {
      const endpoint = features.contract.saveFeatureChanges;
      return {
        faults: faultsOfBody(endpoint, payload),
        permission: endpoint.permission,
        isDemandedByService: true,
        run: (tx, project) => {
          const changes = payload.changes.map(
            (change, index) => readChange(change, `/body/changes/${index}`).ready as ReadyChange,
          );
          const set = { changes, comment: undefined, lastEventId: undefined };
          return saveChanges(tx, { project, feature }, set);
        },
      };
    },
  ),
};
