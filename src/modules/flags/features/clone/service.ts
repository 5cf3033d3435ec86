import type { Tx } from '../../../../platform/db/database.ts';
import { badData, notFound } from '../../../../platform/errors.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { demand, sees } from '../../../../platform/permission.ts';
import { refuseTooMuch } from '../../../../platform/volume.ts';
import { addStrategiesTo } from '../../strategies/index.ts';
import {
  addDependencies,
  createFeatures,
  describeNewFeature,
  type LockedFeature,
  setVariantsOf,
} from '../index.ts';
import type { ClonedFeature } from './contract.ts';
import { type Original, type Plan, planClone, type Receiver } from './plan.ts';
import { lockOriginals, lockSegments, readContents } from './queries.ts';

interface Wish {
  /** The original. */
  readonly feature: string;
  /** The name of the copy. */
  readonly name: string;
}

interface Cloning {
  readonly project: string;
  readonly replaceGroupId: boolean;
  readonly baseUrl: string;
}

/** Copies a feature into a project, in the transaction of the caller: whole or not at all. */
export async function cloneFeature(tx: Tx, cloning: Cloning, wish: Wish): Promise<ClonedFeature> {
  const { originals, receiver } = await readOriginals(tx, cloning.project, [wish.feature]);
  const original = originals.get(wish.feature);
  if (!original) throw notFound('feature', wish.feature);
  const [copy] = await copyAll(tx, cloning, receiver, [{ ...wish, original, place: '/body' }]);
  if (!copy) throw new Error(`the copy '${wish.name}' was made and is not there`);
  return copy;
}

/** Copies several; one that cannot be copied keeps all the others from it. */
export async function cloneFeatures(
  tx: Tx,
  cloning: Cloning,
  wishes: readonly Wish[],
): Promise<ClonedFeature[]> {
  const sources = [...new Set(wishes.map(({ feature }) => feature))];
  const { originals, receiver } = await readOriginals(tx, cloning.project, sources);
  const faults = wishes.flatMap(({ feature }, index) =>
    originals.has(feature)
      ? []
      : [
          {
            path: `/body/features/${index}/feature`,
            message: `There is no feature '${feature}'`,
          },
        ],
  );
  if (faults.length > 0) throw badData(faults);
  const found = wishes.flatMap((wish, index) => {
    const original = originals.get(wish.feature);
    return original ? [{ ...wish, original, place: `/body/features/${index}` }] : [];
  });
  return copyAll(tx, cloning, receiver, found);
}

/** What there is to copy, and what can be received, read after it was locked. */
async function readOriginals(tx: Tx, project: string, names: readonly string[]) {
  const rows = (await lockOriginals(tx, project, names)).filter((row) =>
    sees(tx.actor, row.project),
  );
  refuseTooMuch(rows.reduce((sum, { characters }) => sum + characters, 0));
  const contents = await readContents(
    tx.db,
    rows.map(({ name }) => name),
    project,
  );
  const tags = grouped(contents.tags, ({ feature }) => feature);
  const variants = grouped(contents.variants, ({ feature }) => feature);
  const dependencies = grouped(contents.dependencies, ({ child }) => child);
  const strategies = grouped(contents.strategies, ({ feature }) => feature);
  const originals: ReadonlyMap<string, WholeOriginal> = new Map(
    rows.map((row) => [
      row.name,
      {
        ...row,
        tags: (tags.get(row.name) ?? []).map(({ type, value }) => ({ type, value })),
        strategies: (strategies.get(row.name) ?? []).map(({ environment, title, strategy }) => ({
          ...strategy,
          ...(title !== null && { title }),
          environment,
        })),
        variants: variants.get(row.name) ?? [],
        dependencies: (dependencies.get(row.name) ?? []).map(({ dependency }) => dependency),
      },
    ]),
  );
  const used = contents.strategies.flatMap(({ strategy: { segments } }) => segments);
  const foreignSegments = used.length > 0 ? await listForeign(tx, project, used) : new Map();
  const { environments } = contents;
  const groupSticking: ReadonlySet<string> = new Set(contents.groupSticking);
  return {
    originals,
    receiver: { project, environments, foreignSegments, groupSticking },
  };
}

/** Of segments, those that belong to another project than the receiving one. */
async function listForeign(tx: Tx, project: string, ids: readonly number[]) {
  const segments = await lockSegments(tx, ids);
  return new Map(
    segments.flatMap(({ id, name, project: owner }) =>
      owner === null || owner === project ? [] : [[id, { name, project: owner }] as const],
    ),
  );
}

/** What is known of the receiver before there are copies. */
type CopyTarget = Omit<Receiver, 'environments' | 'copies'> & {
  readonly environments: readonly { name: string; type: string; sortOrder: number }[];
};

type WholeOriginal = Original & {
  readonly type: string;
  readonly description: string | null;
  readonly impressionData: boolean;
  readonly isPrivate: boolean;
  readonly tags: readonly { type: string; value: string }[];
};

/**
 * What the log tells of where a copy comes from. Whoever sees the project of the copy reads it: nothing
 * that only those may know who see the original's, but the name of what was copied on purpose.
 */
const originOf = ({ name, project, isPrivate }: WholeOriginal, plan: Plan, receiver: string) =>
  isPrivate && project !== receiver
    ? { clonedFrom: { feature: name }, notCopied: plan.notCopiedUnnamed }
    : { clonedFrom: { project, feature: name }, notCopied: plan.notCopied };

async function copyAll(
  tx: Tx,
  { project, replaceGroupId, baseUrl }: Cloning,
  known: CopyTarget,
  wishes: readonly (Wish & {
    readonly original: WholeOriginal;
    /** Where the request speaks of it. */
    readonly place: string;
  })[],
): Promise<ClonedFeature[]> {
  const receiver: Receiver = {
    ...known,
    environments: known.environments.map((environment) => environment.name),
    copies: new Map([...wishes].reverse().map(({ feature, name }) => [feature, name])),
  };
  const planned = wishes.map((wish) => ({
    ...wish,
    plan: planClone(wish.original, receiver, { name: wish.name, replaceGroupId }),
  }));
  demandForAll(
    tx,
    receiver,
    planned.map(({ plan }) => plan),
  );

  const features = await createFeatures(
    tx,
    project,
    planned.map(({ name, original, plan }) => ({
      name,
      type: original.type,
      description: original.description,
      impressionData: original.impressionData,
      tags: original.tags,
      origin: originOf(original, plan, project),
    })),
    (index) => planned[index]?.place ?? '/body',
  );
  const byName = new Map(features.map((feature) => [feature.name, feature]));
  const made = planned.map((each) => ({ ...each, copy: byName.get(each.name) as LockedFeature }));
  const added = await addStrategiesTo(
    tx,
    made.flatMap(({ copy, plan }) =>
      plan.strategies.map(({ environment, ...strategy }) => ({
        feature: copy,
        environment,
        strategy,
      })),
    ),
  );
  await setVariantsOf(
    tx,
    made.map(({ copy, plan }) => ({ feature: copy, variants: plan.variants })),
  );
  await addDependencies(
    tx,
    made.flatMap(({ copy, plan }) =>
      plan.dependencies.map((dependency) => ({ child: copy, dependency })),
    ),
  );

  const environmentOf = made.flatMap(({ plan }) => plan.strategies.map((own) => own.environment));
  const placed = added.map((strategy, index) => ({ strategy, environment: environmentOf[index] }));
  const strategiesOf = grouped(placed, ({ strategy }) => strategy.featureName);
  const childrenOf = grouped(
    made.flatMap(({ name, plan }) => plan.dependencies.map(({ feature }) => ({ feature, name }))),
    ({ feature }) => feature,
  );
  return made.map(({ copy, plan: { variants, dependencies, notCopied } }) => {
    const own = grouped(strategiesOf.get(copy.name) ?? [], ({ environment }) => environment ?? '');
    const feature = describeNewFeature({ actor: tx.actor, baseUrl }, copy, known.environments, {
      strategies: new Map(
        [...own].map(([environment, all]) => [environment, all.map(({ strategy }) => strategy)]),
      ),
      variants,
      dependencies,
      children: (childrenOf.get(copy.name) ?? []).map(({ name }) => name),
    });
    const description = feature.description ?? '';
    return { ...feature, description, ...(notCopied.length > 0 && { notCopied: [...notCopied] }) };
  });
}

/** 403 for the first environment, in their order, in which something is received without permission. */
function demandForAll(tx: Tx, { project, environments }: Receiver, plans: readonly Plan[]): void {
  for (const environment of environments) {
    if (plans.some(({ strategies }) => strategies.some((own) => own.environment === environment))) {
      demand(tx.actor, 'CREATE_FEATURE_STRATEGY', project, environment);
    }
    if (plans.some(({ variants }) => variants.has(environment))) {
      demand(tx.actor, 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', project, environment);
    }
  }
}
