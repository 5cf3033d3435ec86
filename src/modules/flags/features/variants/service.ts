import { isDeepStrictEqual } from 'node:util';
import { explained } from '../../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, notFound } from '../../../../platform/errors.ts';
import { patched } from '../../../../platform/http/json-patch.ts';
import { schemaFaults } from '../../../../platform/http/schema-faults.ts';
import { demand } from '../../../../platform/permission.ts';
import { inPortions } from '../../../../platform/volume.ts';
import { record, recordEach } from '../../../events/index.ts';
import {
  type EnvironmentState,
  type EnvironmentVariants,
  listEnvironmentStates,
  upsertVariants,
} from '../environments/queries.ts';
import { getEnvironmentState } from '../environments/state.ts';
import { findDefaultStickiness, getFeatureIn } from '../find-feature.ts';
import type { LockedFeature } from '../lock.ts';
import { aboutFeature, lockActiveFeature } from '../lock.ts';
import { anyVariantPermission, variantPermission } from './contract.ts';
import { featureEnvironmentVariantsUpdated, featureVariantsUpdated } from './events.ts';
import { completeVariants, variantFaults } from './variant.ts';
import { type SetVariants, SetVariantsSchema, type Variant } from './variant-schema.ts';

interface Address {
  readonly project: string;
  readonly feature: string;
}

type Patch = Parameters<typeof patched>[1];

export async function getEnvironmentVariants(
  db: Db,
  { project, feature: name, environment }: Address & { readonly environment: string },
): Promise<Variant[]> {
  const feature = await getFeatureIn(db, project, name);
  return (await getEnvironmentState(db, feature, environment)).variants;
}

/** The variants of the last environment that has any stand for the feature as a whole. */
export async function getVariants(db: Db, { project, feature }: Address): Promise<Variant[]> {
  const { name } = await getFeatureIn(db, project, feature);
  return variantsOf(await listEnvironmentStates(db, [name]));
}

const variantsOf = (states: readonly EnvironmentState[]): Variant[] =>
  states.findLast(({ variants }) => variants.length > 0)?.variants ?? [];

export async function replaceEnvironmentVariants(
  tx: Tx,
  { project, feature: name, environment }: Address & { readonly environment: string },
  input: SetVariants,
): Promise<Variant[]> {
  const feature = await lockActiveFeature(tx, project, name);
  const variants = completeVariants(input, await findDefaultStickiness(tx.db, project));
  await setVariants(tx, feature, new Map([[environment, variants]]));
  return variants;
}

/** Variants come back as they were stored. */
export async function restoreEnvironmentVariants(
  tx: Tx,
  { project, feature: name, environment }: Address & { readonly environment: string },
  variants: readonly Variant[],
): Promise<void> {
  const feature = await lockActiveFeature(tx, project, name);
  await setVariants(tx, feature, new Map([[environment, [...variants]]]));
}

export async function patchEnvironmentVariants(
  tx: Tx,
  { project, feature: name, environment }: Address & { readonly environment: string },
  patch: Patch,
): Promise<Variant[]> {
  const feature = await lockActiveFeature(tx, project, name);
  const state = await getEnvironmentState(tx.db, feature, environment);
  const stickiness = await findDefaultStickiness(tx.db, project);
  const variants = patchedVariants(state.variants, patch, stickiness);
  await setVariants(tx, feature, new Map([[environment, variants]]));
  return variants;
}

export async function replaceVariantsInBatch(
  tx: Tx,
  { project, feature: name }: Address,
  { variants: input, environments }: { variants: SetVariants; environments: readonly string[] },
): Promise<Variant[]> {
  for (const environment of environments) {
    demand(tx.actor, variantPermission, project, environment);
  }
  const feature = await lockActiveFeature(tx, project, name);
  const states = await listEnvironmentStates(tx.db, [name]);
  const existing = new Set(states.map(({ environment }) => environment));
  const faults = environments.flatMap((environment, index) =>
    existing.has(environment)
      ? []
      : [
          {
            path: `/body/environments/${index}`,
            message: `The project '${project}' has no environment '${environment}'`,
          },
        ],
  );
  if (faults.length > 0) throw badData(faults);
  const variants = completeVariants(input, await findDefaultStickiness(tx.db, project));
  await setVariants(tx, feature, new Map(environments.map((each) => [each, variants])));
  return variants;
}

/** Replaces the variants in all environments of the project, with one event. */
export async function replaceVariants(
  tx: Tx,
  { project, feature: name }: Address,
  input: SetVariants,
): Promise<Variant[]> {
  const feature = await lockActiveFeature(tx, project, name);
  const states = await listEnvironmentStates(tx.db, [name]);
  demandEverywhere(tx, project, states);
  const variants = completeVariants(input, await findDefaultStickiness(tx.db, project));
  const changed = states.filter((state) => !isDeepStrictEqual(state.variants, variants));
  const last = changed.at(-1);
  if (!last) return variants;
  await write(
    tx,
    changed.map((state) => ({ ...state, variants })),
  );
  // Environments with different variants lose them here. The event holds all of them.
  const alike = states.every((state) => isDeepStrictEqual(state.variants, last.variants));
  const preData = {
    variants: last.variants,
    ...(!alike && {
      environments: Object.fromEntries(states.map((state) => [state.environment, state.variants])),
    }),
  };
  record(tx, featureVariantsUpdated({ ...aboutFeature(feature), data: { variants }, preData }));
  return variants;
}

/** Applies the patch to the variants of each environment. */
export async function patchVariants(
  tx: Tx,
  { project, feature: name }: Address,
  patch: Patch,
): Promise<Variant[]> {
  const feature = await lockActiveFeature(tx, project, name);
  const states = await listEnvironmentStates(tx.db, [name]);
  demandEverywhere(tx, project, states);
  const stickiness = await findDefaultStickiness(tx.db, project);
  const after = states.map((state) => ({
    ...state,
    variants: patchedVariants(state.variants, patch, stickiness),
  }));
  await setVariants(
    tx,
    feature,
    new Map(after.map(({ environment, variants }) => [environment, variants])),
  );
  return variantsOf(after);
}

function demandEverywhere(tx: Tx, project: string, states: readonly EnvironmentState[]): void {
  for (const { environment } of states) {
    demand(tx.actor, anyVariantPermission, project, environment);
  }
}

const outcomeFaults = schemaFaults(SetVariantsSchema);

function patchedVariants(before: Variant[], patch: Patch, stickiness: string): Variant[] {
  const path = '/variants';
  const outcome = patched(before, patch);
  const malformed = outcomeFaults(outcome, path);
  if (malformed.length > 0) throw badData(malformed);
  const input = outcome as SetVariants;
  const faults = variantFaults(input, path);
  if (faults.length > 0) throw badData(faults);
  return completeVariants(input, stickiness);
}

/** Replaces the variants in these environments. */
export const setVariants = (
  tx: Tx,
  feature: LockedFeature,
  perEnvironment: ReadonlyMap<string, Variant[]>,
): Promise<void> => setVariantsOf(tx, [{ feature, variants: perEnvironment }]);

/** Takes as many statements for many features as for one, unless the variants are large. */
export async function setVariantsOf(
  tx: Tx,
  replacements: readonly {
    readonly feature: LockedFeature;
    readonly variants: ReadonlyMap<string, Variant[]>;
  }[],
): Promise<void> {
  const all = replacements.flatMap(({ feature, variants: perEnvironment }) =>
    [...perEnvironment].map(([environment, variants]) => ({ feature, environment, variants })),
  );
  for (const portion of await inPortions(all, ({ variants }) => variants)) {
    await writeChanges(tx, portion);
  }
}

interface NewVariants {
  readonly feature: LockedFeature;
  readonly environment: string;
  readonly variants: Variant[];
}

async function writeChanges(tx: Tx, replacements: readonly NewVariants[]): Promise<void> {
  const names = [...new Set(replacements.map(({ feature }) => feature.name))];
  const states = new Map(
    (await listEnvironmentStates(tx.db, names)).map((state) => [
      `${state.featureName} ${state.environment}`,
      state.variants,
    ]),
  );
  const changes = replacements.flatMap(({ feature, environment, variants }) => {
    const before = states.get(`${feature.name} ${environment}`);
    if (!before) throw notFound('environment', environment);
    return isDeepStrictEqual(before, variants) ? [] : [{ feature, environment, variants, before }];
  });
  await write(
    tx,
    changes.map(({ feature, ...change }) => ({ featureName: feature.name, ...change })),
  );
  await recordEach(tx, changes, ({ feature, environment, ...change }) =>
    variantsEvent(feature, environment, change),
  );
}

interface VariantsChange {
  readonly variants: Variant[];
  readonly before: Variant[];
}

export function variantsEvent(
  feature: LockedFeature,
  environment: string,
  { variants, before }: VariantsChange,
) {
  const event = { data: { variants }, preData: { variants: before } };
  return featureEnvironmentVariantsUpdated({ ...aboutFeature(feature), environment, ...event });
}

async function write(tx: Tx, changes: readonly EnvironmentVariants[]): Promise<void> {
  if (changes.length === 0) return;
  const names = [...new Set(changes.map(({ environment }) => environment))];
  await explained(upsertVariants(tx, changes), {
    feature_environments_environment_fkey: () => notFound('environment', names.join("', '")),
  });
}
