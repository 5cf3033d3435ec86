import type { Actor } from '../../../../platform/actor.ts';
import type { Input } from '../../../../platform/contract/endpoint.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { badData, type Fault } from '../../../../platform/errors.ts';
import { demand } from '../../../../platform/permission.ts';
import { lockedSegmentFaults, lockSegmentsForUse } from '../../../catalogue/segments/index.ts';
import type { StrategyShape } from '../../../catalogue/strategy-types/index.ts';
import type { FeaturePart, NewFeature } from '../assemble/feature-spec.ts';
import { assemble, describeAssembled } from '../assemble/service.ts';
import {
  getTargetProject,
  newFeatureFaults,
  type TargetProject,
} from '../assemble/target-project.ts';
import type { Feature } from '../feature-schema.ts';
import { linksFromTemplates } from '../links/from-templates.ts';
import type { LockedFeature } from '../lock.ts';
import { refuseLostSegments } from '../strategies/default-strategy/service.ts';
import { ruleFaults, ruleNamesOf, type StrategyInput } from '../strategies/input.ts';
import { readRules } from '../strategies/rules.ts';
import { type contract, type EnvironmentInput, environmentsPath } from './contract.ts';
import { needsDefaultStrategy, planEnvironment } from './plan.ts';
import { readProjectDefaults } from './queries.ts';

interface CreateFeature {
  readonly project: string;
  readonly feature: NewFeature;
  readonly environments: readonly EnvironmentInput[];
}

/** What a request creates. */
export function creationOf(
  project: string,
  body: Input<typeof contract.createFeature>['body'],
): CreateFeature {
  // Named one by one, because a body may have other properties, which the log must not record.
  const { name, type, description, impressionData, stale, createdAt, tags } = body;
  const { owner, expiresAt } = body;
  const feature = {
    ...{ name, type, description: description ?? null, impressionData, stale },
    ...(createdAt !== undefined && { createdAt }),
    ...(tags && { tags }),
    ...(owner !== undefined && { owner: owner && { type: owner.type, id: owner.id } }),
    ...(expiresAt && { expiresAt }),
  };
  return { project, feature, environments: body.environments ?? [] };
}

/** Creates features without strategies and variants, all of them or none. */
export async function createFeatures(
  tx: Tx,
  project: string,
  features: readonly NewFeature[],
): Promise<LockedFeature[]> {
  const target = await getTargetProject(tx, project, features);
  const specs = features.map((feature) => ({ feature, eventOrder: [] }));
  return (await assemble(tx, target, specs)).map(({ feature }) => feature);
}

/** Creates a feature with what it gets in environments. */
export async function createFeature(
  tx: Tx,
  baseUrl: string,
  { project, feature, environments }: CreateFeature,
): Promise<Feature> {
  for (const input of environments) demandPermissions(tx.actor, project, input);
  const { target, parts } =
    environments.length > 0
      ? await planEnvironments(tx, { project, feature, environments })
      : { target: await getTargetProject(tx, project, [feature]), parts: [] };
  const links = linksFromTemplates(target.linkTemplates, { project, feature: feature.name });
  const spec = { feature: { ...feature, links }, eventOrder: [parts] };
  const assembled = await assemble(tx, target, [spec], environmentsPath);
  const [created] = describeAssembled({ actor: tx.actor, baseUrl }, target, assembled);
  return created as Feature;
}

/** Throws 403 for the first thing that a single request would not be allowed to do. */
function demandPermissions(actor: Actor, project: string, input: EnvironmentInput): void {
  const { name: environment, enabled, strategies = [], variants = [] } = input;
  const needed = [
    ...(strategies.length > 0 ? ['CREATE_FEATURE_STRATEGY'] : []),
    ...(variants.length > 0 ? ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS'] : []),
    ...(enabled ? ['UPDATE_FEATURE_ENVIRONMENT'] : []),
    ...(needsDefaultStrategy(input) ? ['CREATE_FEATURE_STRATEGY'] : []),
  ];
  for (const permission of needed) demand(actor, permission, project, environment);
}

const strategyInputsOf = (environments: readonly EnvironmentInput[]): StrategyInput[] =>
  environments.flatMap(({ strategies = [] }, index) =>
    strategies.map((input, nth) => ({
      input,
      path: `${environmentsPath}/${index}/strategies/${nth}`,
    })),
  );

/**
 * Locks the project and the segments that strategies use, and throws everything that is wrong with the request at
 * once.
 */
async function planEnvironments(
  tx: Tx,
  { project, feature, environments }: CreateFeature,
): Promise<{ target: TargetProject; parts: FeaturePart[] }> {
  const inputs = strategyInputsOf(environments);
  const target = await getTargetProject(tx, project, [feature]);
  const { defaultStickiness, defaultStrategies } = await readProjectDefaults(tx.db, project);
  const rules = await readRules(tx.db, ruleNamesOf(inputs));
  const ofDefaults = environments
    .filter(needsDefaultStrategy)
    .flatMap(({ name }) => defaultStrategies.get(name)?.segments ?? []);
  const ofInputs = inputs.flatMap(({ input: { segments = [] } }) => segments);
  const held = await lockSegmentsForUse(tx, [...new Set([...ofInputs, ...ofDefaults])]);
  const segmentFaults = (ids: readonly number[], path: string) =>
    lockedSegmentFaults(tx.actor, held, ids, project, `${path}/segments`);
  const unknown = environments.flatMap(({ name }, index) =>
    defaultStrategies.has(name)
      ? []
      : [
          {
            path: `${environmentsPath}/${index}/name`,
            message: `The project '${project}' has no environment '${name}'`,
          },
        ],
  );
  const faults: Fault[] = [
    ...(await newFeatureFaults(tx, target, [{ feature, eventOrder: [] }])),
    ...unknown,
    ...inputs.flatMap((strategy) => [
      ...ruleFaults(rules, strategy),
      ...segmentFaults(strategy.input.segments ?? [], strategy.path),
    ]),
  ];
  if (faults.length > 0) throw badData(faults);
  const parts = environments.flatMap((input) => {
    const defaultStrategy = defaultStrategies.get(input.name) as StrategyShape;
    const own = planEnvironment(feature, input, { defaultStickiness, defaultStrategy });
    if (needsDefaultStrategy(input)) {
      refuseLostSegments(input.name, segmentFaults(defaultStrategy.segments, ''));
    }
    return own;
  });
  return { target, parts };
}
