import { isDeepStrictEqual } from 'node:util';
import { grouped } from '../../../../../platform/grouped.ts';
import { createSlices } from '../../../../../platform/slices.ts';
import { expressionFaults } from '../../../../catalogue/context-fields/index.ts';
import { namingBreach } from '../../../../catalogue/projects/index.ts';
import type { Tag } from '../../../../catalogue/tags/index.ts';
import {
  completeVariants,
  type Dependency,
  expiresAtFaults,
  ownerNameKey,
  type SetOwner,
} from '../../../features/index.ts';
import type { ImportDocument } from '../../document-schema.ts';
import type { Current, CurrentFeature } from './current.ts';
import { planDependencies } from './dependencies.ts';
import { changesAnything, type FeaturePlan, type ImportPlan } from './feature-plan.ts';
import { createFindings, type Findings } from './findings.ts';
import { refuseTooManyEvents, refuseTooManyFeatures } from './limits.ts';
import { type DocumentStrategy, planStrategies } from './strategies.ts';
import { findUnknownTagTypes, planTags, tagsByFeature } from './tags.ts';

type DocumentFeature = ImportDocument['features'][number];
type DocumentState = NonNullable<ImportDocument['featureEnvironments']>[number];

interface Sources {
  readonly strategies: ReadonlyMap<string, readonly DocumentStrategy[]>;
  readonly states: ReadonlyMap<string, DocumentState>;
  readonly tags: ReadonlyMap<string, readonly Tag[]>;
  readonly dependencies: ReadonlyMap<string, readonly Dependency[]>;
  readonly segmentNames: ReadonlyMap<number, string>;
  readonly metadata: ReadonlyMap<string, OwnMetadata>;
}

/**
 * Decides what an import does, and what forbids it. Pure: `validate` shows the plan, `import` carries it
 * out. `documentFaults` has found nothing in the document.
 */
export async function planImport(current: Current, document: ImportDocument): Promise<ImportPlan> {
  const slices = createSlices();
  const errors = createFindings();
  const warnings = createFindings();
  const sources: Sources = {
    strategies: grouped(document.featureStrategies, ({ featureName }) => featureName),
    states: new Map((document.featureEnvironments ?? []).map((each) => [each.featureName, each])),
    tags: tagsByFeature(document),
    dependencies: planDependencies(current, document, { errors, warnings }),
    segmentNames: new Map((document.segments ?? []).map(({ id, name }) => [id, name])),
    metadata: metadataByFeature(current, document),
  };
  const features: FeaturePlan[] = [];
  for (const feature of [...document.features].sort(byName)) {
    const before = current.features.get(feature.name);
    if (isSkipped(current, before, { errors, warnings })) continue;
    features.push(planFeature({ current, sources, errors, warnings }, feature, before));
    if (slices.isOver()) await slices.pause();
  }
  const parts = {
    contextFields: withoutKnown(document.contextFields ?? [], current.contextFields),
    tagTypes: withoutKnown(document.tagTypes ?? [], current.tagTypes),
    features,
  };
  await findBreaches(current, features, errors);
  refuseTooManyFeatures(current, features, errors);
  findUnknownTagTypes(current, document, errors);
  refuseTooManyEvents(parts, errors);
  warnOfCustomTypes(current, features, warnings);
  warnOfExpressions(features, warnings);
  return { errors: errors.list(), warnings: warnings.list(), ...parts };
}

/** Two imports that create the same things create them in the same order, so that they cannot block each other. */
const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

const withoutKnown = <Item extends { readonly name: string }>(
  items: readonly Item[],
  existing: ReadonlySet<string>,
): Item[] => items.filter(({ name }) => !existing.has(name)).sort(byName);

/** Whether the feature is not imported, because its name is taken or it is archived. */
function isSkipped(
  { project, sees }: Current,
  feature: CurrentFeature | undefined,
  { errors, warnings }: { readonly errors: Findings; readonly warnings: Findings },
): boolean {
  if (!feature) return false;
  const { name } = feature;
  if (feature.project !== project.id) {
    const isVisible = sees(feature.project);
    errors.add(
      'Names already used in other projects',
      isVisible ? `${name} (in '${feature.project}')` : name,
    );
    return true;
  }
  if (feature.archived) {
    warnings.add('Archived features are skipped', name);
    return true;
  }
  return false;
}

interface Planning {
  readonly current: Current;
  readonly sources: Sources;
  readonly errors: Findings;
  readonly warnings: Findings;
}

function planFeature(
  { current, sources, errors, warnings }: Planning,
  feature: DocumentFeature,
  before: CurrentFeature | undefined,
): FeaturePlan {
  const { name } = feature;
  const state = sources.states.get(name);
  const documentStrategies = sources.strategies.get(name) ?? [];
  const context = { current, feature: name, segmentNames: sources.segmentNames };
  const strategies = planStrategies(context, before?.strategies ?? [], documentStrategies, errors);
  const metadata = before
    ? changeOf(before, feature, sources.metadata.get(name))
    : { creation: { ...creationOf(feature, current.now), ...sources.metadata.get(name) } };
  if (feature.type && !current.featureTypes.has(feature.type)) {
    errors.add('Unknown feature types', `${feature.type} (of '${name}')`);
  }

  const variants =
    state?.variants &&
    completeVariants(state.variants, current.project.defaultStickiness, { isStored: true });
  const isSet = variants && !isDeepStrictEqual(variants, before?.variants ?? []);
  const enabled = enabledOf(name, state, before, documentStrategies, warnings);
  const planned = {
    name,
    ...metadata,
    tags: planTags(name, before, sources.tags.get(name) ?? [], errors),
    ...(isSet && { variants }),
    ...strategies,
    ...(enabled !== (before?.enabled ?? false) && { enabled }),
    dependencies: sources.dependencies.get(name) ?? [],
  };
  if (before) {
    warnings.add(
      changesAnything(planned) ? 'Existing features are updated' : 'Unchanged features',
      name,
    );
  }
  return planned;
}

/** A feature without an enabled strategy cannot be on. */
function enabledOf(
  name: string,
  state: DocumentState | undefined,
  before: CurrentFeature | undefined,
  strategies: readonly DocumentStrategy[],
  warnings: Findings,
): boolean {
  const enabled = state?.enabled ?? before?.enabled ?? false;
  if (!enabled || strategies.some(({ disabled }) => !disabled)) return enabled;
  warnings.add('These features will be disabled: no enabled strategy in the file', name);
  return false;
}

/** Ignores a date of creation before 1970 or in the future. */
function creationOf(
  { type, description, stale, impressionData, createdAt }: DocumentFeature,
  now: Date,
): NonNullable<FeaturePlan['creation']> {
  const at = createdAt ? Date.parse(createdAt) : Number.NaN;
  return {
    type: type ?? 'release',
    description: description ?? null,
    stale: stale ?? false,
    impressionData: impressionData ?? false,
    ...(createdAt && at >= 0 && at <= now.getTime() && { createdAt }),
  };
}

interface OwnMetadata {
  readonly owner?: SetOwner;
  readonly expiresAt?: string;
}

/** Ignores owners that can't be owners here, and expiry dates that no one can set. */
const metadataByFeature = (
  { owners }: Current,
  { featureMetadata = [] }: ImportDocument,
): ReadonlyMap<string, OwnMetadata> =>
  new Map(
    featureMetadata.map(({ featureName, owner: named, expiresAt }) => {
      const owner = named && owners.get(ownerNameKey(named));
      return [
        featureName,
        {
          ...(owner && { owner }),
          ...(expiresAt !== undefined &&
            expiresAtFaults(expiresAt).length === 0 && {
              expiresAt: new Date(expiresAt).toISOString(),
            }),
        },
      ];
    }),
  );

/** Properties that the document omits stay unchanged. */
function changeOf(
  before: CurrentFeature,
  feature: DocumentFeature,
  { owner, expiresAt }: OwnMetadata = {},
): Pick<FeaturePlan, 'change'> {
  const { type, description, stale, impressionData } = feature;
  const change = {
    ...(type && type !== before.type && { type }),
    ...(description !== undefined && description !== before.description && { description }),
    ...(typeof stale === 'boolean' && stale !== before.stale && { stale }),
    ...(typeof impressionData === 'boolean' &&
      impressionData !== before.impressionData && { impressionData }),
    ...(owner && (owner.type !== before.owner?.type || owner.id !== before.owner.id) && { owner }),
    ...(expiresAt !== undefined && expiresAt !== before.expiresAt && { expiresAt }),
  };
  return Object.keys(change).length > 0 ? { change } : {};
}

/** The message says the naming pattern once for all names. */
async function findBreaches(
  { project: { featureNaming } }: Current,
  features: readonly FeaturePlan[],
  errors: Findings,
): Promise<void> {
  const slices = createSlices();
  const breaches: FeaturePlan[] = [];
  for (const feature of features) {
    const { name, creation } = feature;
    if (creation && namingBreach(featureNaming, name) !== undefined) breaches.push(feature);
    if (slices.isOver()) await slices.pause();
  }
  if (!featureNaming || breaches.length === 0) return;
  const { pattern, example, description } = featureNaming;
  const help = [
    ...(example ? [`example: '${example}'`] : []),
    ...(description ? [`description: '${description}'`] : []),
  ];
  errors.add(
    [`Names don't match the naming pattern '${pattern}'`, ...help].join('; '),
    ...breaches.map(({ name }) => name),
  );
}

/** Other requests are refused with such expressions. Older versions may have exported them. */
function warnOfExpressions(features: readonly FeaturePlan[], warnings: Findings): void {
  for (const { name, added } of features) {
    if (added.every(({ constraints }) => expressionFaults(constraints, '').length === 0)) continue;
    warnings.add(
      'Too many or too complex regular expressions; these constraints may never match',
      name,
    );
  }
}

/** A custom type of the same name may mean something else here. */
function warnOfCustomTypes(
  { strategyTypes }: Current,
  features: readonly FeaturePlan[],
  warnings: Findings,
): void {
  for (const { name } of features.flatMap(({ added }) => added)) {
    if (strategyTypes.get(name)?.builtIn !== false) continue;
    warnings.add("Custom strategy types in the file. Check that they're the same here", name);
  }
}
