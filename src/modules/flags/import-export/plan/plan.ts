import { isDeepStrictEqual } from 'node:util';
import { grouped } from '../../../../platform/grouped.ts';
import { createSlices } from '../../../../platform/slices.ts';
import { expressionFaults } from '../../../catalogue/context-fields/index.ts';
import { namingBreach } from '../../../catalogue/projects/index.ts';
import type { Tag } from '../../../catalogue/tags/index.ts';
import { completeVariants, type Dependency } from '../../features/index.ts';
import type { ImportDocument } from '../contract/document.ts';
import type { Current, CurrentFeature } from './current.ts';
import { planDependencies } from './dependencies.ts';
import { type Findings, findings } from './findings.ts';
import { refuseTooManyEvents, refuseTooManyFeatures } from './limits.ts';
import { changesAnything, type FeaturePlan, type Plan } from './planned.ts';
import { planStrategies, type WishedStrategy } from './strategies.ts';
import { findUnknownTagTypes, planTags, tagsByFeature } from './tags.ts';

type DocumentFeature = ImportDocument['features'][number];
type DocumentState = NonNullable<ImportDocument['featureEnvironments']>[number];

interface Sources {
  readonly strategies: ReadonlyMap<string, readonly WishedStrategy[]>;
  readonly states: ReadonlyMap<string, DocumentState>;
  readonly tags: ReadonlyMap<string, readonly Tag[]>;
  readonly dependencies: ReadonlyMap<string, readonly Dependency[]>;
  readonly segmentNames: ReadonlyMap<number, string>;
}

/**
 * Decides what an import does, and whether it may. Touches nothing: `validate` shows what comes out,
 * `import` carries it out. The document is one in which `documentFaults` found nothing.
 */
export async function plan(current: Current, document: ImportDocument): Promise<Plan> {
  const slices = createSlices();
  const errors = findings();
  const warnings = findings();
  const sources: Sources = {
    strategies: grouped(document.featureStrategies, ({ featureName }) => featureName),
    states: new Map((document.featureEnvironments ?? []).map((each) => [each.featureName, each])),
    tags: tagsByFeature(document),
    dependencies: planDependencies(current, document, { errors, warnings }),
    segmentNames: new Map((document.segments ?? []).map(({ id, name }) => [id, name])),
  };
  const features: FeaturePlan[] = [];
  for (const feature of [...document.features].sort(byName)) {
    const before = current.features.get(feature.name);
    if (isInTheWay(current, before, { errors, warnings })) continue;
    features.push(planFeature({ current, sources, errors, warnings }, feature, before));
    if (slices.isOver()) await slices.pause();
  }
  const parts = {
    contextFields: missing(document.contextFields ?? [], current.contextFields),
    tagTypes: missing(document.tagTypes ?? [], current.tagTypes),
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

/** Whoever makes the same things at the same time makes them in this order too. */
const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

const missing = <Item extends { readonly name: string }>(
  items: readonly Item[],
  known: ReadonlySet<string>,
): Item[] => items.filter(({ name }) => !known.has(name)).sort(byName);

/** Names are unique over all projects and the archive. */
function isInTheWay(
  { project, sees }: Current,
  feature: CurrentFeature | undefined,
  { errors, warnings }: { readonly errors: Findings; readonly warnings: Findings },
): boolean {
  if (!feature) return false;
  const { name } = feature;
  if (feature.project !== project.id) {
    const known = sees(feature.project);
    errors.add(
      `These names are taken by features of other projects than '${project.id}'`,
      known ? `${name} (in the project '${feature.project}')` : name,
    );
    return true;
  }
  if (feature.archived) {
    warnings.add('These features are archived and stay so: they are left out', name);
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
  const wishes = sources.strategies.get(name) ?? [];
  const place = { current, feature: name, segmentNames: sources.segmentNames };
  const strategies = planStrategies(place, before?.strategies ?? [], wishes, errors);
  const metadata = before
    ? changeOf(before, feature)
    : { creation: creationOf(feature, current.now) };
  if (feature.type && !current.featureTypes.has(feature.type)) {
    errors.add('There are no such feature types', `${feature.type} (of '${name}')`);
  }

  const variants =
    state?.variants && completeVariants(state.variants, current.project.defaultStickiness);
  const isSet = variants && !isDeepStrictEqual(variants, before?.variants ?? []);
  const enabled = enabledOf(name, state, before, wishes, warnings);
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
    const become = changesAnything(planned)
      ? 'become as the document says'
      : 'are as the document says already';
    warnings.add(`These features exist, and ${become}`, name);
  }
  return planned;
}

/** Whether a feature will be on. What is on needs an enabled strategy. */
function enabledOf(
  name: string,
  state: DocumentState | undefined,
  before: CurrentFeature | undefined,
  wishes: readonly WishedStrategy[],
  warnings: Findings,
): boolean {
  const wish = state?.enabled ?? before?.enabled ?? false;
  if (!wish || wishes.some(({ disabled }) => !disabled)) return wish;
  warnings.add('These features will be off: they have no enabled strategy in the document', name);
  return false;
}

/** A feature is as old as the document says, unless that cannot be. */
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

/** What the document leaves out stays as it is. */
function changeOf(before: CurrentFeature, feature: DocumentFeature): Pick<FeaturePlan, 'change'> {
  const { type, description, stale, impressionData } = feature;
  const change = {
    ...(type && type !== before.type && { type }),
    ...(description !== undefined && description !== before.description && { description }),
    ...(typeof stale === 'boolean' && stale !== before.stale && { stale }),
    ...(typeof impressionData === 'boolean' &&
      impressionData !== before.impressionData && { impressionData }),
  };
  return Object.keys(change).length > 0 ? { change } : {};
}

/** New names that break the rule of the project; the rule itself is told once. */
async function findBreaches(
  { project: { id, featureNaming } }: Current,
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
    ...(example ? [`an example that does is '${example}'`] : []),
    ...(description ? [`it is described as '${description}'`] : []),
  ];
  errors.add(
    [`These names do not match the naming pattern of '${id}', '${pattern}'`, ...help].join('; '),
    ...breaches.map(({ name }) => name),
  );
}

/** Whoever writes them anew is refused; what an older version exported is let in. */
function warnOfExpressions(features: readonly FeaturePlan[], warnings: Findings): void {
  for (const { name, added } of features) {
    if (added.every(({ constraints }) => expressionFaults(constraints, '').length === 0)) continue;
    warnings.add(
      'These features have too many or too large regular expressions: constraints with them may hold for nobody',
      name,
    );
  }
}

/** Nobody can tell whether a custom type means the same in both places. */
function warnOfCustomTypes(
  { strategyTypes }: Current,
  features: readonly FeaturePlan[],
  warnings: Findings,
): void {
  for (const { name } of features.flatMap(({ added }) => added)) {
    if (strategyTypes.get(name)?.builtIn !== false) continue;
    warnings.add(
      'Strategies of these custom types come: see that the types mean the same here',
      name,
    );
  }
}
