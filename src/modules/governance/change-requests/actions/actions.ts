import { Type } from 'typebox';
import type { Tx } from '../../../../platform/db/database.ts';
import type { Fault } from '../../../../platform/errors.ts';
import type { ServedEndpoint } from '../../../../platform/http/checked.ts';
import { schemaFaults } from '../../../../platform/http/schema-faults.ts';
import { volumeFaults } from '../../../../platform/volume.ts';
import { changeSegment, removeSegment, segmentUseCase } from '../../../catalogue/segments/index.ts';
import {
  type ChangeAction,
  changeActions,
  type FeatureSetChange,
  faultsOfBody,
  readChange,
  relocated,
} from '../../../flags/features/index.ts';
import { type RequestAction, releasePlanActions } from './action-schema.ts';
import { compositeActions } from './composite-actions.ts';

/** A change as someone proposes it. Its payload is the body of the operation for the single change. */
export interface ProposedChange {
  readonly feature?: string | null | undefined;
  readonly action: string;
  readonly payload?: unknown;
}

/** A change whose payload follows the rules of the operation for the single change. */
export interface PlannedChange {
  readonly feature: string | null;
  readonly segmentId: number | null;
  readonly action: RequestAction;
  /** With the defaults filled in. */
  readonly payload: unknown;
  readonly permission: ServedEndpoint['permission'];
  /** Undefined if the permission is needed in the project, or if the service demands it. */
  readonly environment: string | undefined;
  readonly isDemandedByService: boolean;
  /** Other features that the change locks. */
  readonly alsoLocks: readonly string[];
  readonly run: (tx: Tx, project: string) => Promise<unknown>;
  /** The path in the request that corresponds to `/body` of the operation. */
  readonly bodyPath: string;
}

type Reading = { readonly faults: readonly Fault[]; readonly planned?: PlannedChange };

interface ChangePlace {
  readonly environment: string;
  /** The path of the change in the request. */
  readonly at: string;
}

export type Action = (change: ProposedChange, place: ChangePlace) => Reading;

const fault = (path: string, problem: string): Reading => ({
  faults: [{ path, message: `${path} ${problem}` }],
});

const featureAction =
  (action: ChangeAction): Action =>
  ({ feature, payload }, { environment, at }) => {
    if (!feature) return fault(`${at}/feature`, 'is missing');
    const { faults, ready } = readChange({ action, environment, payload } as FeatureSetChange, at);
    if (!ready) return { faults };
    return {
      faults: [],
      planned: {
        feature,
        segmentId: null,
        action,
        payload: payload ?? {},
        permission: ready.permission,
        environment: ready.environment,
        isDemandedByService: false,
        alsoLocks: ready.parent === undefined ? [] : [ready.parent],
        run: (tx, project) => ready.run(tx, { project, feature }),
        bodyPath: ready.bodyPath,
      },
    };
  };

const idFaults = schemaFaults(Type.Object({ id: Type.Integer({ minimum: 0 }) }));

const segmentAction =
  (
    action: 'updateSegment' | 'deleteSegment',
    endpoint: ServedEndpoint,
    run: (tx: Tx, id: string, body: never) => Promise<unknown>,
  ): Action =>
  ({ payload = {} }, { at }) => {
    const bodyPath = `${at}/payload`;
    const faults = idFaults(payload, bodyPath);
    if (faults.length > 0) return { faults };
    const { id, ...body } = payload as { readonly id: number };
    const own = faultsOfBody(endpoint, body);
    if (own.length > 0) return { faults: own.map((each) => relocated(each, bodyPath, at)) };
    return {
      faults: [],
      planned: {
        feature: null,
        segmentId: id,
        action,
        payload: { id, ...body },
        permission: endpoint.permission,
        environment: undefined,
        isDemandedByService: true,
        alsoLocks: [],
        run: (tx) => run(tx, String(id), body as never),
        bodyPath,
      },
    };
  };

const actions: Readonly<Record<RequestAction, Action>> = {
  ...compositeActions,
  ...(Object.fromEntries(
    changeActions.map((action) => [action, featureAction(action)]),
  ) as Readonly<Record<ChangeAction, Action>>),
  updateSegment: segmentAction(
    'updateSegment',
    segmentUseCase.endpoints.updateSegment,
    changeSegment,
  ),
  deleteSegment: segmentAction(
    'deleteSegment',
    segmentUseCase.endpoints.deleteSegment,
    removeSegment,
  ),
};

const isAction = (name: string): name is RequestAction => Object.hasOwn(actions, name);

/** Parses a change by the rules of the operation for the single change. */
export function planChange(change: ProposedChange, place: ChangePlace): Reading {
  const { action, payload } = change;
  const path = `${place.at}/action`;
  if (isAction(action)) {
    const tooLarge = volumeFaults(payload, `${place.at}/payload`);
    return tooLarge.length > 0 ? { faults: tooLarge } : actions[action](change, place);
  }
  const isKnown = (releasePlanActions as readonly string[]).includes(action);
  return fault(path, isKnown ? 'is not supported: Burgee has no release plans' : 'is unknown');
}
