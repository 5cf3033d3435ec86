import { isDeepStrictEqual } from 'node:util';
import { explained } from '../../../../platform/db/constraint.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { badData, type Fault, notFound } from '../../../../platform/errors.ts';
import { patched } from '../../../../platform/http/json-patch.ts';
import { schemaFaults } from '../../../../platform/http/schema-faults.ts';
import { demand, sees } from '../../../../platform/permission.ts';
import {
  type SetStrategy,
  SetStrategySchema,
  type StrategyShape,
} from '../../../catalogue/strategy-types/index.ts';
import { record } from '../../../events/index.ts';
import { placeOf, type Strategy, switchFeatures } from '../../features/index.ts';
import { wishFaults } from '../checks.ts';
import type { ReplaceStrategy, SetSegments } from '../contract/strategies.ts';
import { factsOf, featureStrategyUpdated } from '../events.ts';
import {
  deleteSegments,
  findOwner,
  listStrategiesIn,
  updateStrategy,
} from '../queries/strategies.ts';
import { addSegments } from './add.ts';
import { type Address, getPlace, type Place } from './place.ts';
import { newSegmentFaults, strategyWishFaults, wished } from './wish.ts';

interface Found {
  readonly place: Place;
  readonly strategy: Strategy;
}

/** One strategy of a locked feature. */
export async function getStrategy(tx: Tx, address: Address, id: string): Promise<Found> {
  const place = await getPlace(tx, address);
  const strategies = await listStrategiesIn(tx.db, [place.feature.name], place.environment);
  const strategy = strategies.find((each) => each.id === id);
  if (!strategy) throw notFound('strategy', id);
  return { place, strategy };
}

/** Constraints and variants that are left out are unset; all else stays, parameters with their type. */
export async function replaceStrategy(
  tx: Tx,
  address: Address,
  id: string,
  wish: ReplaceStrategy,
): Promise<Strategy> {
  const found = await getStrategy(tx, address, id);
  const { name, sortOrder, title, disabled, segments, parameters } = found.strategy;
  const isSameType = wish.name === undefined || wish.name === name;
  const whole = {
    ...{ name, sortOrder, segments, ...(isSameType && { parameters }) },
    ...wish,
    title: wish.title ?? title ?? null,
    disabled: wish.disabled ?? disabled,
  };
  refuse(await strategyWishFaults(tx, whole, address.project, '/body', found.strategy));
  return change(tx, found, wished(whole, found.place));
}

const outcomeFaults = schemaFaults(SetStrategySchema);

export async function patchStrategy(
  tx: Tx,
  address: Address,
  id: string,
  patch: Parameters<typeof patched>[1],
): Promise<Strategy> {
  const found = await getStrategy(tx, address, id);
  const { id: _id, featureName: _name, ...original } = found.strategy;
  const outcome = patched(original, patch);
  refuse(outcomeFaults(outcome, '/body'));
  const wish = outcome as SetStrategy;
  refuse([
    ...wishFaults(wish),
    ...(await strategyWishFaults(tx, wish, address.project, '/body', found.strategy)),
  ]);
  return change(tx, found, wished(wish, found.place));
}

/** Sets the segments of a strategy that a body names, with the project that it is in. */
export async function setSegments(tx: Tx, wish: SetSegments): Promise<void> {
  const { projectId: project, environmentId: environment, strategyId: id, segmentIds } = wish;
  const unknown = () =>
    badData([
      {
        path: '/body/strategyId',
        message: `There is no strategy '${id}' in the environment '${environment}' of the project '${project}'`,
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

/** What becomes of a strategy is all settled by now. */
async function change(
  tx: Tx,
  { place, strategy: before }: Found,
  shape: StrategyShape,
): Promise<Strategy> {
  const { feature, environment } = place;
  const after = { ...shape, id: before.id, featureName: before.featureName };
  if (isDeepStrictEqual(before, after)) return before;
  await explained(updateStrategy(tx, after), {
    feature_strategies_name_fkey: () =>
      badData([{ path: '/body/name', message: 'This type of strategy has just been deleted' }]),
  });
  if (!isDeepStrictEqual(before.segments, after.segments)) {
    await deleteSegments(tx, after.id);
    if (after.segments.length > 0) await addSegments(tx, [after]);
  }
  record(
    tx,
    featureStrategyUpdated({
      ...placeOf(feature),
      environment,
      data: factsOf(after),
      preData: factsOf(before),
    }),
  );
  if (after.disabled) await switchOffWithout(tx, place, before);
  return after;
}

/** A feature that is on, and loses its last enabled strategy, is switched off. */
export async function switchOffWithout(
  tx: Tx,
  { feature, environment, state }: Place,
  lost: Strategy,
): Promise<void> {
  if (lost.disabled || !state.enabled || state.enabledStrategies > 1) return;
  await switchFeatures(tx, [feature], environment, false);
}
