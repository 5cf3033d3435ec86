import type { Actor, Tx } from '../../../../platform/db/database.ts';
import { together } from '../../../../platform/db/together.ts';
import { badData, type Fault } from '../../../../platform/errors.ts';
import { demand } from '../../../../platform/permission.ts';
import { heldSegmentFaults, holdSegments } from '../../../catalogue/segments/index.ts';
import type { StrategyShape } from '../../../catalogue/strategy-types/index.ts';
import {
  recordAdded,
  refuseLost,
  ruleFaults,
  subjectsOf,
  writeStrategies,
} from '../../strategies/index.ts';
import {
  createInReceiver,
  creationFaults,
  describeNewFeature,
  type Feature,
  getReceiver,
  type LockedFeature,
  type NewFeature,
  recordSwitch,
  recordVariants,
  refuseCreation,
  type Strategy,
} from '../index.ts';
import { type Beginning, beginningsPath } from './contract.ts';
import { needsDefault, planStart, type Start } from './plan.ts';
import { groundInSql, groundOf } from './queries.ts';

interface Creation {
  readonly project: string;
  readonly wish: NewFeature;
  readonly beginnings: readonly Beginning[];
}

/** Creates a feature and describes it: all that a new one has is known, and need not be read. */
export function createWholeFeature(
  tx: Tx,
  baseUrl: string,
  { beginnings, ...bare }: Creation,
): Promise<Feature> {
  const viewer = { actor: tx.actor, baseUrl };
  return beginnings.length > 0
    ? createBegun(tx, viewer, { beginnings, ...bare })
    : createBare(tx, viewer, bare);
}

type Viewer = Parameters<typeof describeNewFeature>[0];

async function createBare(
  tx: Tx,
  viewer: Viewer,
  { project, wish }: Omit<Creation, 'beginnings'>,
): Promise<Feature> {
  const receiver = await getReceiver(tx, project, [wish]);
  refuse(await creationFaults(tx, receiver, [wish]));
  await refuseCreation(tx, receiver, [wish]);
  const [feature] = await createInReceiver(tx, receiver, [wish]);
  return describeNewFeature(viewer, feature as LockedFeature, receiver.environments);
}

/**
 * With a tag, strategies and variants in three trips to the database: what the project says, all that is written,
 * and the events. Four single requests took twenty.
 */
async function createBegun(
  tx: Tx,
  viewer: Viewer,
  { project, wish, beginnings }: Creation,
): Promise<Feature> {
  for (const beginning of beginnings) demandFor(tx.actor, project, beginning);
  const asked = askedOf(beginnings);
  const receiver = await getReceiver(tx, project, [wish], groundInSql(subjectsOf(asked)));
  const ground = await survey(tx, project, beginnings, asked, groundOf(receiver));
  refuse([...(await creationFaults(tx, receiver, [wish])), ...ground.faults]);
  const starts = startsOf(tx, { name: wish.name, project }, beginnings, ground);
  const states = starts.filter(({ enabled, variants }) => enabled || variants.length > 0);
  const whole = { ...wish, states };
  await refuseCreation(tx, receiver, [whole]);
  const additions = starts.flatMap(({ environment, strategies, byDefault }) =>
    [...strategies, ...byDefault].map((strategy) => ({ feature: wish, environment, strategy })),
  );
  const [[created], strategies] = await together(
    createInReceiver(tx, receiver, [whole]),
    writeStrategies(tx, additions, beginningsPath),
  );
  const feature = created as LockedFeature;
  const gifts = tell(tx, feature, starts, strategies);
  return describeNewFeature(viewer, feature, receiver.environments, gifts);
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw badData(faults);
}

/** 403 for the first thing that single requests would not be allowed to do. */
function demandFor(actor: Actor, project: string, beginning: Beginning): void {
  const { name: environment, enabled, strategies = [], variants = [] } = beginning;
  const needed = [
    ...(strategies.length > 0 ? ['CREATE_FEATURE_STRATEGY'] : []),
    ...(variants.length > 0 ? ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS'] : []),
    ...(enabled ? ['UPDATE_FEATURE_ENVIRONMENT'] : []),
    ...(needsDefault(beginning) ? ['CREATE_FEATURE_STRATEGY'] : []),
  ];
  for (const permission of needed) demand(actor, permission, project, environment);
}

/** The strategies of all beginnings, each with its place in the body. */
const askedOf = (beginnings: readonly Beginning[]) =>
  beginnings.flatMap(({ strategies = [] }, index) =>
    strategies.map((wish, nth) => ({ wish, path: `${beginningsPath}/${index}/strategies/${nth}` })),
  );

/** Holds the segments that beginnings use, and finds all that is wrong with these. */
async function survey(
  tx: Tx,
  project: string,
  beginnings: readonly Beginning[],
  asked: ReturnType<typeof askedOf>,
  ground: ReturnType<typeof groundOf>,
) {
  const byDefault = beginnings
    .filter(needsDefault)
    .flatMap(({ name }) => ground.defaultStrategies.get(name)?.segments ?? []);
  const used = asked.flatMap(({ wish: { segments = [] } }) => segments);
  const segments = await holdSegments(tx, [...new Set([...used, ...byDefault])]);
  const unknown = beginnings.flatMap(({ name }, index) =>
    ground.defaultStrategies.has(name)
      ? []
      : [
          {
            path: `${beginningsPath}/${index}/name`,
            message: `The project '${project}' has no environment '${name}'`,
          },
        ],
  );
  const unkept = asked.flatMap((each): Fault[] => {
    const { wish, path } = each;
    const at = `${path}/segments`;
    return [
      ...ruleFaults(ground.rules, each),
      ...heldSegmentFaults(tx.actor, segments, wish.segments ?? [], project, at),
    ];
  });
  return { ...ground, segments, faults: [...unknown, ...unkept] };
}

function startsOf(
  { actor }: Tx,
  feature: { readonly name: string; readonly project: string },
  beginnings: readonly Beginning[],
  { defaultStickiness, defaultStrategies, segments }: Awaited<ReturnType<typeof survey>>,
): Start[] {
  return beginnings.map((beginning) => {
    const { name } = beginning;
    const defaultStrategy = defaultStrategies.get(name) as StrategyShape;
    const start = planStart(feature, beginning, { defaultStickiness, defaultStrategy });
    for (const { segments: ids } of start.byDefault) {
      refuseLost(name, heldSegmentFaults(actor, segments, ids, feature.project, '/segments'));
    }
    return start;
  });
}

/** Records everything environment by environment, in the order of single requests. */
function tell(
  tx: Tx,
  feature: LockedFeature,
  starts: readonly Start[],
  written: readonly Strategy[],
) {
  const rest = [...written];
  const strategiesIn = new Map<string, Strategy[]>();
  for (const { environment, strategies, byDefault, variants, enabled } of starts) {
    const own = rest.splice(0, strategies.length + byDefault.length);
    const tellOf = (strategy: Strategy) => recordAdded(tx, feature, environment, strategy);
    own.slice(0, strategies.length).forEach(tellOf);
    if (variants.length > 0) recordVariants(tx, feature, environment, { variants, before: [] });
    own.slice(strategies.length).forEach(tellOf);
    if (enabled) recordSwitch(tx, feature, environment, true);
    strategiesIn.set(
      environment,
      own.sort((one, other) => one.sortOrder - other.sortOrder),
    );
  }
  return {
    strategies: strategiesIn,
    variants: new Map(starts.map(({ environment, variants }) => [environment, variants])),
    enabled: new Set(starts.filter((each) => each.enabled).map((each) => each.environment)),
  };
}
