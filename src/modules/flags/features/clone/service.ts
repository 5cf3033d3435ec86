import type { Tx } from '../../../../platform/db/database.ts';
import { badData, notFound } from '../../../../platform/errors.ts';
import { defineHook } from '../../../../platform/hooks.ts';
import { demand, sees } from '../../../../platform/permission.ts';
import { refuseLargeTransaction } from '../../../../platform/volume.ts';
import { lockSegmentsForUse } from '../../../catalogue/segments/index.ts';
import type { FeatureSpec } from '../assemble/feature-spec.ts';
import { assemble, describeAssembled } from '../assemble/service.ts';
import { findTargetProject, type TargetProject } from '../assemble/target-project.ts';
import { readFeatures } from '../read/queries.ts';
import type { ClonedFeature } from './contract.ts';
import { type CloneTarget, type Original, planClone } from './plan.ts';
import { listTypesWithGroupId, lockOriginals } from './queries.ts';

interface CopyInput {
  /** The original. */
  readonly feature: string;
  /** The name of the copy. */
  readonly name: string;
}

interface CloneOptions {
  readonly project: string;
  readonly replaceGroupId: boolean;
  readonly baseUrl: string;
  /** Called before names and limits are checked, so that a refusal for lack of approval comes first. */
  readonly beforeCreating?: (tx: Tx, receiving: CloneDestination) => Promise<void>;
}

/** The environments of a project in which copies get strategies or variants. */
export interface CloneDestination {
  readonly project: string;
  readonly environments: readonly string[];
}

/** Features are about to be cloned into a project. */
export const cloningFeatures = defineHook<CloneDestination>('cloningFeatures', 'highest first');

/** Copies a feature into a project, whole or not at all. */
export async function cloneFeature(
  tx: Tx,
  options: CloneOptions,
  input: CopyInput,
): Promise<ClonedFeature> {
  const source = await readSource(tx, options.project, [input]);
  const original = source.originals.get(input.feature);
  if (!original) throw notFound('feature', input.feature);
  const [copy] = await copyAll(tx, options, source, [{ ...input, original, path: '/body' }]);
  return copy as ClonedFeature;
}

/** Copies all of them or none. */
export async function cloneFeatures(
  tx: Tx,
  options: CloneOptions,
  inputs: readonly CopyInput[],
): Promise<ClonedFeature[]> {
  const source = await readSource(tx, options.project, inputs);
  const faults = inputs.flatMap(({ feature }, index) =>
    source.originals.has(feature)
      ? []
      : [
          {
            path: `/body/features/${index}/feature`,
            message: `Feature '${feature}' not found`,
          },
        ],
  );
  if (faults.length > 0) throw badData(faults);
  return copyAll(
    tx,
    options,
    source,
    inputs.map((input, index) => ({
      ...input,
      original: source.originals.get(input.feature) as Original,
      path: `/body/features/${index}`,
    })),
  );
}

interface Source {
  readonly originals: ReadonlyMap<string, Original>;
  readonly target: TargetProject | undefined;
  readonly foreignSegments: CloneTarget['foreignSegments'];
  readonly typesWithGroupId: ReadonlySet<string>;
}

/** Locks the originals and the target project, and reads them afterwards. */
async function readSource(tx: Tx, project: string, inputs: readonly CopyInput[]): Promise<Source> {
  const names = [...new Set(inputs.map(({ feature }) => feature))];
  const locked = await lockOriginals(tx, project, names);
  const rows = new Map(
    locked.filter((row) => sees(tx.actor, row.project)).map((row) => [row.name, row]),
  );
  refuseLargeTransaction([...rows.values()].reduce((sum, { characters }) => sum + characters, 0));
  const originals = new Map(
    (await readFeatures(tx.db, { names: [...rows.keys()] })).map((feature) => [
      feature.name,
      { ...feature, isPrivate: rows.get(feature.name)?.isPrivate ?? true },
    ]),
  );
  const copies = inputs.flatMap(({ feature, name }) => {
    const original = originals.get(feature);
    return original ? [{ ...original, name }] : [];
  });
  const target = await findTargetProject(tx, project, copies);
  const segments = [...originals.values()].flatMap(({ environments }) =>
    environments.flatMap(({ strategies }) => strategies.flatMap((each) => each.segments)),
  );
  return {
    originals,
    target,
    foreignSegments: await holdForeignSegments(tx, project, [...new Set(segments)]),
    typesWithGroupId: new Set(await listTypesWithGroupId(tx.db)),
  };
}

/** Locks segments, and says which of them belong to another project than the target. */
async function holdForeignSegments(
  tx: Tx,
  project: string,
  ids: readonly number[],
): Promise<CloneTarget['foreignSegments']> {
  const segments = await lockSegmentsForUse(tx, ids);
  return new Map(
    [...segments].flatMap(([id, { name, project: owner }]) =>
      owner === null || owner === project ? [] : [[id, { name, project: owner }] as const],
    ),
  );
}

async function copyAll(
  tx: Tx,
  { project, replaceGroupId, baseUrl, beforeCreating }: CloneOptions,
  { target, foreignSegments, typesWithGroupId }: Source,
  copies: readonly (CopyInput & { readonly original: Original; readonly path: string })[],
): Promise<ClonedFeature[]> {
  const environments = (target?.environments ?? []).map(({ name }) => name);
  const cloneTarget = {
    project,
    environments,
    foreignSegments,
    typesWithGroupId,
    // Of several copies of one original, the first counts.
    copies: new Map([...copies].reverse().map(({ feature, name }) => [feature, name])),
  };
  const plans = copies.map(({ original, name, path }) =>
    planClone(original, cloneTarget, { name, replaceGroupId, path }),
  );
  const specs = plans.map(({ spec }) => spec);
  const receiving = demandPermissions(tx, project, environments, specs);
  if (!target || target.archived) throw notFound('project', project);
  await beforeCreating?.(tx, { project, environments: receiving });
  const assembled = await assemble(tx, target, specs);
  const features = describeAssembled({ actor: tx.actor, baseUrl }, target, assembled);
  return features.map((feature, index) => {
    const notCopied = plans[index]?.notCopied ?? [];
    const description = feature.description ?? '';
    return { ...feature, description, ...(notCopied.length > 0 && { notCopied: [...notCopied] }) };
  });
}

/**
 * Throws 403 for the first environment, in their order, that gets something without permission. Returns the
 * environments that get something.
 */
function demandPermissions(
  tx: Tx,
  project: string,
  environments: readonly string[],
  specs: readonly FeatureSpec[],
): string[] {
  const parts = specs.flatMap(({ eventOrder }) => eventOrder.flat());
  const withStrategies = new Set<string>();
  const withVariants = new Set<string>();
  for (const part of parts) {
    ('strategy' in part ? withStrategies : withVariants).add(part.environment);
  }
  for (const environment of environments) {
    if (withStrategies.has(environment)) {
      demand(tx.actor, 'CREATE_FEATURE_STRATEGY', project, environment);
    }
    if (withVariants.has(environment)) {
      demand(tx.actor, 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', project, environment);
    }
  }
  return [...new Set([...withStrategies, ...withVariants])];
}
