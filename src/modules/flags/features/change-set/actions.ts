import { Type } from 'typebox';
import type { Tx } from '../../../../platform/db/database.ts';
import type { Fault } from '../../../../platform/errors.ts';
import type { ServedEndpoint } from '../../../../platform/http/checked.ts';
import { rulesOf } from '../../../../platform/http/route.ts';
import { schemaFaults } from '../../../../platform/http/schema-faults.ts';
import { type RequestParts, requestFaults } from '../../../../platform/http/validate.ts';
import { changeTags, featureTagUseCase } from '../../../catalogue/tags/index.ts';
import { archiveContract } from '../archive/contract.ts';
import { archiveFeature } from '../archive/service.ts';
import { changeUseCase } from '../change/routes.ts';
import { changeFeature } from '../change/service.ts';
import { dependencyUseCase } from '../dependencies/routes.ts';
import { addDependencyOf, removeDependencies, removeDependency } from '../dependencies/service.ts';
import { contract as environmentContract } from '../environments/contract.ts';
import { switchOne } from '../environments/switch.ts';
import { addStrategyUseCase } from '../strategies/add/routes.ts';
import { addStrategy } from '../strategies/add/service.ts';
import { changeStrategyUseCase } from '../strategies/change/routes.ts';
import { replaceStrategy } from '../strategies/change/service.ts';
import { orderStrategyUseCase } from '../strategies/order/routes.ts';
import { orderStrategies } from '../strategies/order/service.ts';
import { contract as removeContract } from '../strategies/remove/contract.ts';
import { removeStrategy } from '../strategies/remove/service.ts';
import { variantUseCase } from '../variants/routes.ts';
import { replaceEnvironmentVariants } from '../variants/service.ts';
import type { ChangeAction, FeatureSetChange } from './contract.ts';

interface Address {
  readonly project: string;
  readonly feature: string;
}

type Run = (tx: Tx, address: Address) => Promise<unknown>;

/** A change as a request to the endpoint for the single change, which decides its permission, its rules and its events. */
export interface ReadyChange {
  readonly action: ChangeAction;
  readonly environment: string | undefined;
  readonly permission: ServedEndpoint['permission'];
  /** Another feature that the change locks. */
  readonly parent?: string | undefined;
  readonly run: Run;
  /** The path in the request that corresponds to `/body` of the endpoint. */
  readonly bodyPath: string;
}

/** The request that an action derives from a payload of the schema `shape`. */
interface PlannedRequest {
  readonly endpoint: ServedEndpoint;
  readonly body?: unknown;
  /** The path of the body in the payload, if it is a part of it. */
  readonly within?: string;
  readonly parent?: string;
  readonly run: Run;
}

interface Action {
  readonly inEnvironment?: true;
  /** The shape of a payload that is not simply the body of the endpoint. */
  readonly shape?: (payload: unknown, at: string) => Fault[];
  readonly make: (payload: never, environment: string) => PlannedRequest;
}

const idShape = schemaFaults(Type.Object({ id: Type.String() }));

type PayloadOf<Name extends ChangeAction> = NonNullable<
  Extract<FeatureSetChange, { readonly action?: Name }>['payload']
>;

const actionOf = <Name extends ChangeAction>(
  _name: Name,
  action: Omit<Action, 'make'> & {
    readonly make: (payload: PayloadOf<Name>, environment: string) => PlannedRequest;
  },
): Action => action as Action;

const inOne =
  <Rest extends readonly unknown[]>(
    run: (
      tx: Tx,
      address: { project: string; featureName: string; environment: string },
      ...rest: Rest
    ) => Promise<unknown>,
    environment: string,
    ...rest: Rest
  ): Run =>
  (tx, { project, feature }) =>
    run(tx, { project, featureName: feature, environment }, ...rest);

const actions: Readonly<Record<ChangeAction, Action>> = {
  updateFeature: actionOf('updateFeature', {
    make: (body) => ({
      endpoint: changeUseCase.endpoints.updateFeature,
      body,
      run: (tx, address) => changeFeature(tx, address, body),
    }),
  }),

  updateTags: actionOf('updateTags', {
    make: (body) => ({
      endpoint: featureTagUseCase.endpoints.changeFeatureTags,
      body,
      run: (tx, { feature }) => changeTags(tx, feature, body),
    }),
  }),

  addDependency: actionOf('addDependency', {
    make: (body) => ({
      endpoint: dependencyUseCase.endpoints.addDependency,
      body,
      parent: body.feature,
      // Validation has filled in the defaults.
      run: (tx, address) =>
        addDependencyOf(tx, address, body as Parameters<typeof addDependencyOf>[2]),
    }),
  }),

  deleteDependency: actionOf('deleteDependency', {
    shape: schemaFaults(Type.Object({ feature: Type.Optional(Type.String()) })),
    make: ({ feature: parent }) =>
      parent === undefined
        ? { endpoint: dependencyUseCase.endpoints.removeDependencies, run: removeDependencies }
        : {
            endpoint: dependencyUseCase.endpoints.removeDependency,
            run: (tx, address) => removeDependency(tx, address, parent),
          },
  }),

  addStrategy: actionOf('addStrategy', {
    inEnvironment: true,
    make: (body, environment) => ({
      endpoint: addStrategyUseCase.endpoints.addFeatureStrategy,
      body,
      run: inOne(addStrategy, environment, body),
    }),
  }),

  updateStrategy: actionOf('updateStrategy', {
    inEnvironment: true,
    shape: idShape,
    make: ({ id, ...body }, environment) => ({
      endpoint: changeStrategyUseCase.endpoints.updateFeatureStrategy,
      body,
      run: inOne(replaceStrategy, environment, id, body),
    }),
  }),

  deleteStrategy: actionOf('deleteStrategy', {
    inEnvironment: true,
    shape: idShape,
    make: ({ id }, environment) => ({
      endpoint: removeContract.deleteFeatureStrategy,
      run: inOne(removeStrategy, environment, id),
    }),
  }),

  reorderStrategy: actionOf('reorderStrategy', {
    inEnvironment: true,
    make: (body, environment) => ({
      endpoint: orderStrategyUseCase.endpoints.setStrategySortOrder,
      body,
      run: inOne(orderStrategies, environment, body),
    }),
  }),

  patchVariant: actionOf('patchVariant', {
    inEnvironment: true,
    make: ({ variants }, environment) => ({
      endpoint: variantUseCase.endpoints.replaceEnvironmentVariants,
      body: variants,
      within: '/variants',
      run: (tx, address) => replaceEnvironmentVariants(tx, { ...address, environment }, variants),
    }),
  }),

  updateEnabled: actionOf('updateEnabled', {
    inEnvironment: true,
    shape: schemaFaults(
      Type.Object({
        enabled: Type.Boolean(),
        shouldActivateDisabledStrategies: Type.Optional(Type.Boolean()),
      }),
    ),
    make: (
      { enabled, shouldActivateDisabledStrategies: activateDisabled = false },
      environment,
    ) => ({
      endpoint: enabled
        ? environmentContract.switchFeatureOn
        : environmentContract.switchFeatureOff,
      run: inOne(switchOne, environment, { enabled, activateDisabled }),
    }),
  }),

  archiveFeature: actionOf('archiveFeature', {
    make: () => ({
      endpoint: archiveContract.archiveFeature,
      run: (tx, { project, feature }) => archiveFeature(tx, project, feature),
    }),
  }),
};

/** The fault with its path in the whole request: an endpoint knows only its own body. */
export const relocated = ({ message, path }: Fault, bodyPath: string, at: string): Fault => {
  const isInBody = path === '/body' || path?.startsWith('/body/');
  if (path === undefined || !isInBody) return { message, path: at };
  const moved = `${bodyPath}${path.slice('/body'.length)}`;
  return {
    path: moved,
    message: message.startsWith(path) ? `${moved}${message.slice(path.length)}` : message,
  };
};

/** Compiled once, when the first change of this kind arrives. */
const bodyFaults = new Map<ServedEndpoint, (request: RequestParts) => Fault[]>();

/** The faults of a body by the rules of an endpoint, which also fills in the defaults. */
export function faultsOfBody(endpoint: ServedEndpoint, body: unknown): Fault[] {
  if (!endpoint.body) return [];
  const { body: schema, check } = rulesOf(endpoint);
  const find = bodyFaults.get(endpoint) ?? requestFaults({ body: schema, check });
  bodyFaults.set(endpoint, find);
  return find({ params: {}, query: {}, body });
}

/** Parses a change by the rules of the endpoint for the single change. `at` is its path in the request. */
export function readChange(
  { action: name, ...change }: FeatureSetChange,
  at: string,
): { readonly faults: readonly Fault[]; readonly ready?: ReadyChange } {
  const { inEnvironment, shape, make } = actions[name as ChangeAction];
  const environment = 'environment' in change ? change.environment : undefined;
  const payload = change.payload ?? (shape || name === 'archiveFeature' ? {} : undefined);
  const faults: Fault[] = [];
  if (inEnvironment && environment === undefined) {
    faults.push({ path: `${at}/environment`, message: `${at}/environment is missing` });
  }
  if (payload === undefined) {
    faults.push({ path: `${at}/payload`, message: `${at}/payload is missing` });
    return { faults };
  }
  faults.push(...(shape?.(payload, `${at}/payload`) ?? []));
  if (faults.length > 0) return { faults };
  const made = make(payload as never, environment ?? '');
  const bodyPath = `${at}/payload${made.within ?? ''}`;
  const own = faultsOfBody(made.endpoint, made.body);
  if (own.length > 0) return { faults: own.map((fault) => relocated(fault, bodyPath, at)) };
  const { run, parent, endpoint } = made;
  return {
    faults: [],
    ready: {
      action: name as ChangeAction,
      environment: inEnvironment ? environment : undefined,
      permission: endpoint.permission,
      run,
      parent,
      bodyPath,
    },
  };
}
