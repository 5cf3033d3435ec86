import { type Constraint, completeConstraint } from '../../catalogue/context-fields/index.ts';
import type {
  CreatorDocument,
  DependencyDocument,
  FeatureDocument,
  StateDocument,
  StrategyDocument,
  VariantDocument,
} from '../document.ts';
import {
  givenText,
  type Json,
  listOf,
  numberOf,
  objectOf,
  textOf,
  textOrNull,
  textsOf,
} from './plain.ts';

export const constraintsOf = (value: unknown): Constraint[] =>
  listOf(value).map(({ contextName, operator, caseInsensitive, inverted, values, value: one }) =>
    completeConstraint({
      contextName: textOf(contextName),
      operator: textOf(operator) as Constraint['operator'],
      caseInsensitive: caseInsensitive === true,
      inverted: inverted === true,
      values: Array.isArray(values) ? values.map(String) : [],
      ...(one !== undefined && one !== null && { value: String(one) }),
    }),
  );

/** As stored there: weights, order and stickiness decide which variant a user gets, so nothing is computed anew. */
const variantsOf = (value: unknown, withOverrides: boolean): VariantDocument[] =>
  listOf(value).map(({ name, weight, weightType, stickiness, payload, overrides }) => {
    const { type, value: content } = objectOf(payload);
    return {
      name: textOf(name),
      weight: numberOf(weight, 0),
      weightType: weightType === 'fix' ? 'fix' : 'variable',
      stickiness: textOrNull(stickiness) ?? 'default',
      ...(typeof content === 'string' && {
        payload: { type: textOrNull(type) ?? 'string', value: content },
      }),
      ...(withOverrides && {
        overrides: listOf(overrides).map((each) => ({
          contextName: textOf(each.contextName),
          values: textsOf(each.values),
        })),
      }),
    };
  });

const parametersOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(objectOf(value)).flatMap(([name, given]) =>
      given === null || given === undefined ? [] : [[name, String(given)]],
    ),
  );

export function strategyOf(
  strategy: Json,
  segmentNames: ReadonlyMap<number, string>,
): StrategyDocument {
  return {
    name: textOf(strategy.name),
    title: textOrNull(strategy.title),
    disabled: strategy.disabled === true,
    sortOrder: numberOf(strategy.sortOrder, 0),
    parameters: parametersOf(strategy.parameters),
    constraints: constraintsOf(strategy.constraints),
    variants: variantsOf(strategy.variants, false),
    segments: (Array.isArray(strategy.segments) ? strategy.segments : [])
      // One that was created since the list was read has no name yet. Without it, more users would get the feature.
      .map((id) => segmentNames.get(Number(id)) ?? `#${id}`)
      .sort(),
  };
}

/** Strategies in the order in which SDKs get them. Equal sort orders keep the order of the response. */
const strategiesOf = (value: unknown, segmentNames: ReadonlyMap<number, string>) =>
  listOf(value)
    .map((strategy) => strategyOf(strategy, segmentNames))
    .sort((a, b) => a.sortOrder - b.sortOrder);

function stateOf(environment: Json, segmentNames: ReadonlyMap<number, string>): StateDocument {
  return {
    name: textOf(environment.name),
    enabled: environment.enabled === true,
    strategies: strategiesOf(environment.strategies, segmentNames),
    variants: variantsOf(environment.variants, true),
  };
}

const hasContent = ({ enabled, strategies, variants }: StateDocument) =>
  enabled || strategies.length > 0 || variants.length > 0;

const dependenciesOf = (value: unknown): DependencyDocument[] =>
  listOf(value)
    .map(({ feature, enabled, variants }) => ({
      feature: textOf(feature),
      enabled: enabled !== false,
      variants: textsOf(variants).sort(),
    }))
    .sort((a, b) => (a.feature < b.feature ? -1 : 1));

const tagsOf = (value: unknown) =>
  listOf(value)
    .map(({ type, value: content }) => ({ type: textOf(type), value: textOf(content) }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const lifecycleOf = (value: unknown): Pick<FeatureDocument, 'lifecycle'> => {
  const { stage, enteredStageAt, status } = objectOf(value);
  const enteredAt = textOrNull(enteredStageAt);
  if (stage === 'initial') return { lifecycle: null };
  if (enteredAt === null) return {};
  if (stage !== 'pre-live' && stage !== 'live' && stage !== 'completed') return {};
  const isCompleted = stage === 'completed';
  const outcome = status === 'discarded' ? 'discarded' : 'kept';
  return { lifecycle: { stage, enteredAt, status: isCompleted ? outcome : null } };
};

/** What responses about features give by id. */
export interface FeatureNames {
  readonly segmentNames: ReadonlyMap<number, string>;
  /** Logins of accounts. */
  readonly logins: ReadonlyMap<number, string>;
}

/** A token, or an account that was deleted, has only a name. */
function creatorOf(value: unknown, logins: FeatureNames['logins']): CreatorDocument | undefined {
  const { id, name } = objectOf(value);
  const account = logins.get(Number(id));
  if (account) return { name: account, account };
  return textOrNull(name) === null ? undefined : { name: textOf(name) };
}

/** Only another Burgee has owners. */
function ownerOf(value: unknown, logins: FeatureNames['logins']): Pick<FeatureDocument, 'owner'> {
  const { type, id, name } = objectOf(value);
  if (type === 'group') return { owner: { type, name: textOf(name) } };
  const login = type === 'user' ? logins.get(Number(id)) : undefined;
  return login === undefined ? {} : { owner: { type: 'user', name: login } };
}

/** From the response about one feature, and the tags, which it may not have. */
export function featureOf(
  feature: Json,
  tags: unknown,
  { segmentNames, logins }: FeatureNames,
): FeatureDocument {
  const createdBy = creatorOf(feature.createdBy, logins);
  const archived = feature.archived === true || textOrNull(feature.archivedAt) !== null;
  return {
    name: textOf(feature.name),
    project: textOrNull(feature.project) ?? 'default',
    type: textOrNull(feature.type) ?? 'release',
    description: givenText(feature.description),
    stale: feature.stale === true,
    impressionData: feature.impressionData === true,
    archived,
    createdAt: textOrNull(feature.createdAt),
    ...(createdBy && { createdBy }),
    archivedAt: textOrNull(feature.archivedAt),
    ...(!archived && lifecycleOf(feature.lifecycle)),
    tags: tagsOf(tags),
    ...(Array.isArray(feature.links) && {
      links: listOf(feature.links).map(({ url, title }) => ({
        url: textOf(url),
        title: textOrNull(title),
      })),
    }),
    ...ownerOf(feature.owner, logins),
    ...(textOrNull(feature.expiresAt) !== null && { expiresAt: textOf(feature.expiresAt) }),
    dependencies: dependenciesOf(feature.dependencies),
    environments: listOf(feature.environments)
      .map((environment) => stateOf(environment, segmentNames))
      .filter(hasContent)
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
