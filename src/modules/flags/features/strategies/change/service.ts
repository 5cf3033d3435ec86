import { isDeepStrictEqual } from 'node:util';
import { explained } from '../../../../../platform/db/constraint.ts';
import type { Tx } from '../../../../../platform/db/database.ts';
import { badData, type Fault, notFound } from '../../../../../platform/errors.ts';
import { patched } from '../../../../../platform/http/json-patch.ts';
import { schemaFaults } from '../../../../../platform/http/schema-faults.ts';
import { demand, sees } from '../../../../../platform/permission.ts';
import { listSegmentNames } from '../../../../catalogue/segments/index.ts';
import {
  type SetStrategy,
  SetStrategySchema,
  type StrategyShape,
} from '../../../../catalogue/strategy-types/index.ts';
import { record } from '../../../../events/index.ts';
import type { EnvironmentAddress } from '../../address-schema.ts';
import { writeSegments } from '../../assemble/service.ts';
import {
  type FeatureInEnvironment,
  getFeatureInEnvironment,
} from '../../environments/feature-in-environment.ts';
import { switchFeatures } from '../../environments/state.ts';
import type { Strategy } from '../../feature-schema.ts';
import { aboutFeature } from '../../lock.ts';
import { factsOf, featureStrategyUpdated } from '../events.ts';
import { inputFaults, newSegmentFaults, storedInputFaults, strategyFromInput } from '../input.ts';
import { keepOrder } from '../order/service.ts';
import { listStrategiesIn } from '../read/queries.ts';
import type { ReplaceStrategy, SetSegments } from './contract.ts';
import { deleteSegments, findOwner, updateStrategy } from './queries.ts';

interface OwnedStrategy {
  readonly owner: FeatureInEnvironment;
  readonly strategy: Strategy;
  /** Itself and the others of its feature in the environment, in their order. */
  readonly all: readonly Strategy[];
}

/** Locks the feature that has the strategy. */
export async function getStrategy(
  tx: Tx,
  address: EnvironmentAddress,
  id: string,
): Promise<OwnedStrategy> {
  const owner = await getFeatureInEnvironment(tx, address);
  const all = await listStrategiesIn(tx.db, [owner.feature.name], owner.environment);
  const strategy = all.find((each) => each.id === id);
  if (!strategy) throw notFound('strategy', id);
  return { owner, strategy, all };
}

/** Unsets constraints and variants that are left out. All else stays; parameters only with the type. */
export async function replaceStrategy(
  tx: Tx,
  address: EnvironmentAddress,
  id: string,
  input: ReplaceStrategy,
): Promise<Strategy> {
  const found = await getStrategy(tx, address, id);
  const { name, sortOrder, title, disabled, segments, parameters } = found.strategy;
  const isSameType = input.name === undefined || input.name === name;
  const whole = {
    ...{ name, sortOrder, segments, ...(isSameType && { parameters }) },
    ...input,
    title: input.title ?? title ?? null,
    disabled: input.disabled ?? disabled,
  };
  refuse(await storedInputFaults(tx, whole, address.project, '/body', found.strategy));
  return change(tx, found, strategyFromInput(whole, found.owner));
}

/** Makes a strategy what it was, also without a title. */
export async function restoreStrategy(
  tx: Tx,
  address: EnvironmentAddress,
  { id, ...shape }: StrategyShape & { readonly id: string },
): Promise<void> {
  const found = await getStrategy(tx, address, id);
  const input = shape as SetStrategy;
  refuse(await storedInputFaults(tx, input, address.project, '/body', found.strategy));
  await change(tx, found, shape);
}

const outcomeFaults = schemaFaults(SetStrategySchema);

export async function patchStrategy(
  tx: Tx,
  address: EnvironmentAddress,
  id: string,
  patch: Parameters<typeof patched>[1],
): Promise<Strategy> {
  const found = await getStrategy(tx, address, id);
  const { id: _id, featureName: _name, ...original } = found.strategy;
  const outcome = patched(original, patch);
  refuse(outcomeFaults(outcome, '/body'));
  const input = outcome as SetStrategy;
  refuse([
    ...inputFaults(input),
    ...(await storedInputFaults(tx, input, address.project, '/body', found.strategy)),
  ]);
  return change(tx, found, strategyFromInput(input, found.owner));
}

/** The body names the strategy, its environment and its project. */
export async function setSegments(tx: Tx, input: SetSegments): Promise<void> {
  const { projectId: project, environmentId: environment, strategyId: id, segmentIds } = input;
  const unknown = () =>
    badData([
      {
        path: '/body/strategyId',
        message: `Strategy '${id}' not found in environment '${environment}' of project '${project}'`,
      },
    ]);
  if (!sees(tx.actor, project)) throw unknown();
  demand(tx.actor, 'UPDATE_FEATURE_STRATEGY', project, environment);
  const owner = await findOwner(tx.db, { id, project, environment });
  if (!owner) throw unknown();
  const found = await getStrategy(tx, { project, featureName: owner.name, environment }, id);
  const at = '/body/segmentIds';
  refuse(await newSegmentFaults(tx, segmentIds, project, at, found.strategy));
  const segments = [...new Set(segmentIds)].sort((a, b) => a - b);
  await change(tx, found, { ...found.strategy, segments });
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw badData(faults);
}

async function change(
  tx: Tx,
  { owner, strategy: before, all }: OwnedStrategy,
  shape: StrategyShape,
): Promise<Strategy> {
  const { feature, environment } = owner;
  const after = { ...shape, id: before.id, featureName: before.featureName };
  if (isDeepStrictEqual(before, after)) return before;
  await explained(updateStrategy(tx, after), {
    feature_strategies_name_fkey: () =>
      badData([{ path: '/body/name', message: 'This strategy type has just been deleted' }]),
  });
  if (before.sortOrder !== after.sortOrder) {
    await keepOrder(
      tx,
      all.map((each) => (each.id === after.id ? after : each)),
    );
  }
  if (!isDeepStrictEqual(before.segments, after.segments)) {
    await deleteSegments(tx, after.id);
    if (after.segments.length > 0) await writeSegments(tx, [after]);
  }
  const nameSegments = await segmentNamer(tx, before, after);
  record(
    tx,
    featureStrategyUpdated({
      ...aboutFeature(feature),
      environment,
      data: { ...factsOf(after), ...nameSegments(after) },
      preData: { ...factsOf(before), ...nameSegments(before) },
    }),
  );
  if (after.disabled) await switchOffWithout(tx, owner, before);
  return after;
}

/** Names the segments of both states of a strategy, if the change concerns them. */
async function segmentNamer(tx: Tx, before: StrategyShape, after: StrategyShape) {
  if (isDeepStrictEqual(before.segments, after.segments)) return () => ({});
  const ids = [...new Set([...before.segments, ...after.segments])];
  const names = new Map((await listSegmentNames(tx.db, ids)).map(({ id, name }) => [id, name]));
  return ({ segments }: StrategyShape) => ({
    segmentNames: segments.map((id) => names.get(id) ?? String(id)),
  });
}

/** Switches a feature off that has lost its last enabled strategy. */
export async function switchOffWithout(
  tx: Tx,
  { feature, environment, state }: FeatureInEnvironment,
  lost: Strategy,
): Promise<void> {
  if (lost.disabled || !state.enabled || state.enabledStrategies > 1) return;
  await switchFeatures(tx, [feature], environment, false);
}
