import type {
  ConstraintDefinition,
  FeatureDefinition,
} from '../../modules/sdk/evaluation/index.ts';
import type { DefinedFeature, DefinedSegment } from '../../modules/sdk/snapshot/index.ts';

/** A response that is not what SDKs expect. What is served stays as it is. */
const useless = (reason: string): Error => new Error(`the response cannot be used: ${reason}`);

type Json = Readonly<Record<string, unknown>>;

function objectOf(value: unknown, what: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw useless(`${what} is not an object`);
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw useless(`${what} is not an array`);
}

function textOf(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw useless(`${what} is not a string`);
}

function numberOf(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw useless(`${what} is not a number`);
}

const isText = (value: unknown): value is string => typeof value === 'string';

function checkConstraint(given: unknown): ConstraintDefinition {
  const constraint = objectOf(given, 'a constraint');
  textOf(constraint.contextName, 'the contextName of a constraint');
  textOf(constraint.operator, 'the operator of a constraint');
  if (!listOf(constraint.values, 'values').every(isText)) throw useless('a value is not a string');
  const { value } = constraint;
  if (value !== undefined && value !== null && !isText(value))
    throw useless('a value is not a string');
  return constraint as unknown as ConstraintDefinition;
}

function checkVariant(given: unknown) {
  const variant = objectOf(given, 'a variant');
  textOf(variant.name, 'the name of a variant');
  numberOf(variant.weight, 'the weight of a variant');
  for (const override of listOf(variant.overrides, 'overrides')) {
    const { contextName, values } = objectOf(override, 'an override');
    textOf(contextName, 'the contextName of an override');
    listOf(values, 'the values of an override');
  }
  return variant as unknown as NonNullable<FeatureDefinition['variants']>[number];
}

function readStrategy(given: unknown): NonNullable<FeatureDefinition['strategies']>[number] {
  const { name, parameters, constraints, segments, variants, disabled } = objectOf(
    given,
    'a strategy',
  );
  const ids = listOf(segments, 'the segments of a strategy');
  return {
    name: textOf(name, 'the name of a strategy'),
    parameters: parameters ? objectOf(parameters, 'parameters') : {},
    constraints: listOf(constraints, 'constraints').map(checkConstraint),
    variants: listOf(variants, 'the variants of a strategy').map(checkVariant),
    ...(ids.length > 0 && { segments: ids.map((id) => numberOf(id, 'the id of a segment')) }),
    ...(disabled === true && { disabled }),
  };
}

function checkDependency(given: unknown) {
  const dependency = objectOf(given, 'a dependency');
  textOf(dependency.feature, 'the feature of a dependency');
  if (!listOf(dependency.variants, 'variants').every(isText))
    throw useless('a variant is not a string');
  return dependency as unknown as NonNullable<FeatureDefinition['dependencies']>[number];
}

/** Reads a feature as SDKs get it. Throws if it has another form than any known version sends. */
export function readFeature(given: unknown): DefinedFeature {
  const feature = objectOf(given, 'a feature');
  const name = textOf(feature.name, 'the name of a feature');
  if (typeof feature.enabled !== 'boolean') throw useless(`enabled of ${name} is not a boolean`);
  const dependencies = listOf(feature.dependencies, 'dependencies');
  const { project, type, description } = feature;
  return {
    name,
    project: isText(project) && project !== '' ? project : 'default',
    type: isText(type) ? type : 'release',
    description: isText(description) ? description : null,
    stale: feature.stale === true,
    tags: undefined,
    definition: {
      name,
      enabled: feature.enabled,
      impressionData: feature.impressionData === true,
      strategies: listOf(feature.strategies, 'strategies').map(readStrategy),
      variants: listOf(feature.variants, 'variants').map(checkVariant),
      ...(dependencies.length > 0 && { dependencies: dependencies.map(checkDependency) }),
    },
  };
}

export function readSegment(given: unknown): DefinedSegment {
  const segment = objectOf(given, 'a segment');
  const id = numberOf(segment.id, 'the id of a segment');
  return {
    id,
    name: isText(segment.name) ? segment.name : `segment ${id}`,
    constraints: listOf(segment.constraints, 'constraints').map(checkConstraint),
  };
}

/** All features of a token, and the segments that they use. */
export interface WholePayload {
  readonly features: readonly unknown[];
  readonly segments: readonly unknown[];
  /** Undefined if the upstream does not tell. */
  readonly revision: number | undefined;
}

const revisionOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined;

/** Reads a response of /api/client/features. The parts are read one by one. */
export function readWhole(given: unknown): WholePayload {
  const { features, segments, meta } = objectOf(given, 'it');
  if (!Array.isArray(features)) throw useless('it has no features');
  return {
    features,
    segments: listOf(segments, 'segments'),
    revision: revisionOf((meta as Json | undefined)?.revisionId),
  };
}

export type DeltaEvent =
  | ({ readonly type: 'hydration' } & WholePayload)
  | {
      readonly type: 'feature-updated';
      readonly revision: number | undefined;
      readonly feature: DefinedFeature;
    }
  | {
      readonly type: 'feature-removed';
      readonly revision: number | undefined;
      readonly name: string;
    }
  | {
      readonly type: 'segment-updated';
      readonly revision: number | undefined;
      readonly segment: DefinedSegment;
    }
  | {
      readonly type: 'segment-removed';
      readonly revision: number | undefined;
      readonly id: number;
    };

function readDeltaEvent(given: unknown): DeltaEvent {
  const event = objectOf(given, 'an event');
  const revision = revisionOf(event.eventId);
  switch (event.type) {
    case 'hydration':
      return { type: 'hydration', ...readWhole(event), revision };
    case 'feature-updated':
      return { type: 'feature-updated', revision, feature: readFeature(event.feature) };
    case 'feature-removed':
      return {
        type: 'feature-removed',
        revision,
        name: textOf(event.featureName, 'the name of a feature'),
      };
    case 'segment-updated':
      return { type: 'segment-updated', revision, segment: readSegment(event.segment) };
    case 'segment-removed':
      return {
        type: 'segment-removed',
        revision,
        id: numberOf(event.segmentId, 'the id of a segment'),
      };
    default:
      throw useless('it has an event of an unknown type');
  }
}

/** Reads a response of /api/client/delta, or the data of an event of a stream. */
export function readDelta(given: unknown): readonly DeltaEvent[] {
  const { events } = objectOf(given, 'it');
  if (!Array.isArray(events)) throw useless('it has no events');
  return events.map(readDeltaEvent);
}
