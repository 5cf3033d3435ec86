import type { Fault } from '../../../../../platform/errors.ts';
import { grouped } from '../../../../../platform/grouped.ts';
import {
  expressionFault,
  expressionSizeFault,
} from '../../../../../platform/regular-expression.ts';
import { createSlices } from '../../../../../platform/slices.ts';
import { inputFaults, maxStrategies, variantFaults } from '../../../features/index.ts';
import type { ImportDocument } from '../../document-schema.ts';
import { maxTags, tagsByFeature } from './tags.ts';

/** Compiling an expression takes milliseconds. They are counted first, and compiled by `unreadableFaults`. */
const maxExpressions = 1000;

/** Leaves the expressions to `unreadableFaults`. */
const readLater = () => undefined;

/** A name that refers to a feature can have any length. */
const shortened = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}...` : name);

const fault = (path: string, message: string): Fault => ({ path, message: `${path} ${message}` });

/** Items with the name of an earlier item. */
function repeated<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string | number,
  pathOf: (index: number) => string,
): Fault[] {
  const seen = new Set<string | number>();
  return items.flatMap((item, index) => {
    const name = nameOf(item);
    const twice = seen.has(name);
    seen.add(name);
    return twice ? [fault(pathOf(index), `'${shortened(String(name))}' is used twice`)] : [];
  });
}

/** Everything that is wrong with a document, whatever the target is. */
export function documentFaults(document: ImportDocument, path: string): Fault[] {
  const {
    features,
    featureStrategies,
    featureEnvironments = [],
    featureTags = [],
    contextFields = [],
    tagTypes = [],
    segments = [],
    dependencies = [],
  } = document;
  const names = new Set(features.map(({ name }) => name));
  const unknownFeatures = (list: string, items: readonly { readonly featureName: string }[]) =>
    items.flatMap(({ featureName }, index) =>
      names.has(featureName)
        ? []
        : [
            fault(
              `${path}/${list}/${index}/featureName`,
              `'${shortened(featureName)}' is not a feature in the file`,
            ),
          ],
    );
  return [
    ...repeated(
      features,
      ({ name }) => name,
      (index) => `${path}/features/${index}/name`,
    ),
    ...features.flatMap(({ archived }, index) =>
      archived
        ? [
            fault(
              `${path}/features/${index}/archived`,
              'is true, but archived features cannot be imported',
            ),
          ]
        : [],
    ),
    ...unknownFeatures('featureStrategies', featureStrategies),
    ...strategyFaultsOf(document, path),
    ...unknownFeatures('featureEnvironments', featureEnvironments),
    ...repeated(
      featureEnvironments,
      ({ featureName }) => featureName,
      (index) => `${path}/featureEnvironments/${index}/featureName`,
    ),
    ...featureEnvironments.flatMap(({ variants }, index) =>
      variantFaults(variants ?? [], `${path}/featureEnvironments/${index}/variants`),
    ),
    ...unknownFeatures('featureTags', featureTags),
    ...tagFaultsOf(document, path),
    ...repeated(
      contextFields,
      ({ name }) => name,
      (index) => `${path}/contextFields/${index}/name`,
    ),
    ...contextFields.flatMap(({ legalValues }, index) =>
      repeated(
        legalValues ?? [],
        ({ value }) => value,
        (position) => `${path}/contextFields/${index}/legalValues/${position}/value`,
      ),
    ),
    ...repeated(
      tagTypes,
      ({ name }) => name,
      (index) => `${path}/tagTypes/${index}/name`,
    ),
    ...repeated(
      segments,
      ({ id }) => id,
      (index) => `${path}/segments/${index}/id`,
    ),
    ...repeated(
      dependencies,
      (each) => each.feature,
      (index) => `${path}/dependencies/${index}/feature`,
    ),
    ...dependencies.flatMap((each, index) =>
      dependencyFaultsOf(each, `${path}/dependencies/${index}/dependencies`),
    ),
  ];
}

function strategyFaultsOf({ featureStrategies, segments = [] }: ImportDocument, path: string) {
  const ids = new Set(segments.map(({ id }) => id));
  const crowded = [...grouped(featureStrategies, ({ featureName }) => featureName)].flatMap(
    ([featureName, { length }]) =>
      length > maxStrategies
        ? [
            fault(
              `${path}/featureStrategies`,
              `has ${length} strategies of '${shortened(featureName)}': at most ${maxStrategies} are allowed`,
            ),
          ]
        : [],
  );
  const expressions = featureStrategies
    .flatMap(({ constraints = [] }) => constraints)
    .filter(({ operator }) => operator === 'REGEX').length;
  if (expressions > maxExpressions) {
    const message = `has ${expressions} REGEX constraints; at most ${maxExpressions} are allowed`;
    return [...crowded, fault(`${path}/featureStrategies`, message)];
  }
  return [
    ...crowded,
    ...featureStrategies.flatMap((strategy, index) => {
      const at = `${path}/featureStrategies/${index}`;
      const unknown = (strategy.segments ?? []).flatMap((id, position) =>
        ids.has(id)
          ? []
          : [fault(`${at}/segments/${position}`, `${id} is not a segment in the file`)],
      );
      return [...inputFaults(strategy, at, readLater), ...unknown];
    }),
  ];
}

const tagFaultsOf = (document: ImportDocument, path: string): Fault[] =>
  [...tagsByFeature(document)].flatMap(([featureName, { length }]) =>
    length > maxTags
      ? [
          fault(
            `${path}/featureTags`,
            `has ${length} tags of '${shortened(featureName)}': at most ${maxTags} are allowed`,
          ),
        ]
      : [],
  );

type Dependencies = NonNullable<ImportDocument['dependencies']>[number];

const dependencyFaultsOf = ({ feature: child, dependencies }: Dependencies, path: string) => [
  ...repeated(
    dependencies,
    ({ feature }) => feature,
    (index) => `${path}/${index}/feature`,
  ),
  ...dependencies.flatMap(({ feature, enabled, variants }, index) => {
    if (feature === child) return [fault(`${path}/${index}/feature`, 'is the feature itself')];
    return enabled === false && variants && variants.length > 0
      ? [
          fault(
            `${path}/${index}/variants`,
            'must be empty, because a disabled parent has no variant',
          ),
        ]
      : [];
  }),
];

/**
 * Finds expressions that cannot be compiled. Compiling a thousand takes seconds, so that other requests get
 * their turn in between. An expression that is too large is imported unread, because older versions may have
 * exported it; its constraint holds for no one.
 */
export async function unreadableFaults(
  { featureStrategies }: ImportDocument,
  path: string,
): Promise<Fault[]> {
  const slices = createSlices();
  const reasons = new Map<string, string | undefined>();
  const faults: Fault[] = [];
  for (const [index, { constraints = [] }] of featureStrategies.entries()) {
    for (const [nth, { operator, value }] of constraints.entries()) {
      if (operator !== 'REGEX' || !value) continue;
      if (!reasons.has(value)) {
        reasons.set(value, expressionSizeFault(value) ? undefined : expressionFault(value));
        await slices.pause();
      }
      const reason = reasons.get(value);
      if (reason === undefined) continue;
      const at = `${path}/featureStrategies/${index}/constraints/${nth}/value`;
      faults.push({ path: at, message: `${at} must be a valid RE2 expression: ${reason}` });
    }
  }
  return faults;
}
