import type { Response } from '../../api.ts';
import { joinOr } from '../../ui/format.ts';
import { isSame } from '../../ui/is-same.ts';
import { type Detail, strategyDifferences, variantDetails } from '../strategy/differences.ts';
import {
  type SegmentNames,
  type Strategy,
  type StrategyContent,
  strategyName,
  strategySentence,
} from '../strategy/strategy-sentence.ts';

type Feature = Response<'GET /api/admin/projects/:projectId/features/:featureName'>;
export type EnvironmentVariant = Feature['environments'][number]['variants'][number];
export type Dependency = Feature['dependencies'][number];

/** The parts of a feature that are reviewed before they are saved. */
export interface Reviewed {
  readonly environments: readonly {
    readonly name: string;
    readonly enabled: boolean;
    readonly strategies: readonly Strategy[];
    readonly variants: readonly EnvironmentVariant[];
  }[];
  readonly dependencies: readonly Dependency[];
}

export interface Edit<T> {
  /** As it was saved when the edit began. */
  readonly before: T;
  readonly after: T;
}

interface Added {
  /** Stands for the id that it will get. */
  readonly key: string;
  readonly content: StrategyContent;
}

/** The unsaved changes in one environment. */
export interface EnvironmentDraft {
  readonly changed: Readonly<Record<string, Edit<StrategyContent>>>;
  readonly removed: Readonly<Record<string, StrategyContent>>;
  readonly added: readonly Added[];
  /** Ids and keys, where the user reordered them. */
  readonly order?: readonly string[] | undefined;
  readonly variants?: Edit<readonly EnvironmentVariant[]> | undefined;
  readonly enabled?: Edit<boolean> | undefined;
}

/** The unsaved changes of a feature: only the edits, so that changes by others show through. */
export interface Draft {
  readonly environments: Readonly<Record<string, EnvironmentDraft>>;
  readonly dependencies?: Edit<readonly Dependency[]> | undefined;
}

export const emptyDraft: Draft = { environments: {} };

const emptyEnvironment: EnvironmentDraft = { changed: {}, removed: {}, added: [] };

export const contentOf = (strategy: StrategyContent): StrategyContent => ({
  name: strategy.name,
  ...(strategy.title && { title: strategy.title }),
  disabled: strategy.disabled,
  parameters: strategy.parameters,
  constraints: strategy.constraints,
  segments: strategy.segments,
  variants: strategy.variants,
});

const isEmptyEnvironment = ({
  changed,
  removed,
  added,
  order,
  variants,
  enabled,
}: EnvironmentDraft) =>
  Object.keys(changed).length + Object.keys(removed).length + added.length === 0 &&
  order === undefined &&
  variants === undefined &&
  enabled === undefined;

/** The draft with another draft of one environment. */
export function withEnvironment(
  draft: Draft,
  environment: string,
  change: (before: EnvironmentDraft) => EnvironmentDraft,
): Draft {
  const { [environment]: before = emptyEnvironment, ...others } = draft.environments;
  const after = change(before);
  return {
    ...draft,
    environments: isEmptyEnvironment(after) ? others : { ...others, [environment]: after },
  };
}

export const without = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([each]) => each !== key));

/** A strategy as the page shows it, with what the draft makes of it. */
export interface ShownStrategy {
  /** Its id, or the key of a new one. */
  readonly key: string;
  readonly state: 'same' | 'changed' | 'added' | 'removed';
  readonly content: StrategyContent;
  /** As the server has it; undefined for a new one. */
  readonly saved?: StrategyContent | undefined;
}

const orderOf = ({ order }: EnvironmentDraft, keys: readonly string[]): string[] => {
  if (!order) return [...keys];
  const known = order.filter((key) => keys.includes(key));
  return [...known, ...keys.filter((key) => !known.includes(key))];
};

/** All strategies of an environment in their order, with the draft over them. Removed ones stay until it is saved. */
export function shownStrategies(
  strategies: readonly Strategy[],
  draft: EnvironmentDraft = emptyEnvironment,
): ShownStrategy[] {
  const byKey = new Map<string, ShownStrategy>();
  for (const strategy of strategies) {
    const { id } = strategy;
    const saved = contentOf(strategy);
    const edit = draft.changed[id];
    if (draft.removed[id]) byKey.set(id, { key: id, state: 'removed', content: saved, saved });
    else if (edit) byKey.set(id, { key: id, state: 'changed', content: edit.after, saved });
    else byKey.set(id, { key: id, state: 'same', content: saved, saved });
  }
  for (const { key, content } of draft.added) byKey.set(key, { key, state: 'added', content });
  return orderOf(draft, [...byKey.keys()]).map((key) => byKey.get(key) as ShownStrategy);
}

/** What will be there after saving: without what is removed. */
export const remaining = (shown: readonly ShownStrategy[]): ShownStrategy[] =>
  shown.filter(({ state }) => state !== 'removed');

const isNew = (draft: EnvironmentDraft, key: string) =>
  draft.added.some((each) => each.key === key);

/** The draft with another content of one strategy. What is as before is no change. */
export const changeStrategy = (
  draft: Draft,
  environment: string,
  { key, saved }: Pick<ShownStrategy, 'key' | 'saved'>,
  content: StrategyContent,
): Draft =>
  withEnvironment(draft, environment, (own) => {
    if (isNew(own, key)) {
      return {
        ...own,
        added: own.added.map((each) => (each.key === key ? { key, content } : each)),
      };
    }
    const before = own.changed[key]?.before ?? saved;
    if (!before) return own;
    const after = contentOf(content);
    return {
      ...own,
      changed: isSame(before, after)
        ? without(own.changed, key)
        : { ...own.changed, [key]: { before, after } },
    };
  });

export const newKey = (): string => `new-${crypto.randomUUID()}`;

/** The draft with a new strategy, after another one or at the end. */
export const addStrategy = (
  draft: Draft,
  environment: string,
  added: Added,
  place?: { readonly keys: readonly string[]; readonly after: string },
): Draft =>
  withEnvironment(draft, environment, (own) => ({
    ...own,
    added: [...own.added, { ...added, content: contentOf(added.content) }],
    ...(place && {
      order: place.keys.flatMap((key) => (key === place.after ? [key, added.key] : [key])),
    }),
  }));

export const removeStrategy = (
  draft: Draft,
  environment: string,
  { key, saved }: Pick<ShownStrategy, 'key' | 'saved'>,
): Draft =>
  withEnvironment(draft, environment, (own) => {
    if (isNew(own, key)) {
      const order = own.order?.filter((each) => each !== key);
      const added = own.added.filter((each) => each.key !== key);
      return { ...own, added, order };
    }
    if (!saved) return own;
    const before = own.changed[key]?.before ?? saved;
    return {
      ...own,
      changed: without(own.changed, key),
      removed: { ...own.removed, [key]: before },
    };
  });

/** Takes back what was done to one strategy. */
export const restoreStrategy = (draft: Draft, environment: string, key: string): Draft =>
  withEnvironment(draft, environment, (own) => ({
    ...own,
    changed: without(own.changed, key),
    removed: without(own.removed, key),
    added: own.added.filter((each) => each.key !== key),
  }));

/** Moves a strategy to the place of another. `saved` are the ids in the order of the server. */
export const moveStrategy = (
  draft: Draft,
  environment: string,
  shown: readonly string[],
  saved: readonly string[],
  key: string,
  place: number,
): Draft =>
  withEnvironment(draft, environment, (own) => {
    const rest = shown.filter((each) => each !== key);
    const order = rest.toSpliced(Math.max(0, Math.min(rest.length, place)), 0, key);
    const plain = [...saved, ...own.added.map((each) => each.key)];
    return { ...own, order: isSame(order, plain) ? undefined : order };
  });

export const changeVariants = (
  draft: Draft,
  environment: string,
  saved: readonly EnvironmentVariant[],
  after: readonly EnvironmentVariant[],
): Draft =>
  withEnvironment(draft, environment, (own) => {
    const before = own.variants?.before ?? saved;
    return { ...own, variants: isSame(before, after) ? undefined : { before, after } };
  });

export const changeEnabled = (
  draft: Draft,
  environment: string,
  saved: boolean,
  after: boolean,
): Draft =>
  withEnvironment(draft, environment, (own) => ({
    ...own,
    enabled: saved === after ? undefined : { before: saved, after },
  }));

export const byParent = (dependencies: readonly Dependency[]) =>
  dependencies.toSorted((a, b) => (a.feature < b.feature ? -1 : 1));

export const changeDependencies = (
  draft: Draft,
  saved: readonly Dependency[],
  after: readonly Dependency[],
): Draft => {
  const before = draft.dependencies?.before ?? saved;
  const isBack = isSame(byParent(before), byParent(after));
  return { ...draft, dependencies: isBack ? undefined : { before, after } };
};

/** Copies strategies to another environment, where they are new. */
export const copyStrategies = (
  draft: Draft,
  environment: string,
  contents: readonly StrategyContent[],
): Draft =>
  contents.reduce(
    (changed, content) => addStrategy(changed, environment, { key: newKey(), content }),
    draft,
  );

/** One change as the server takes it, with its words. */
export interface Change {
  readonly action:
    | 'addStrategy'
    | 'updateStrategy'
    | 'deleteStrategy'
    | 'reorderStrategy'
    | 'patchVariant'
    | 'updateEnabled'
    | 'addDependency'
    | 'deleteDependency';
  readonly environment?: string;
  readonly payload: unknown;
  /** What it does, in a few words. */
  readonly title: string;
  /** What exactly differs. */
  readonly details: readonly Detail[];
  readonly before?: unknown;
  readonly after?: unknown;
  /** The strategy, so that it can be opened. */
  readonly key?: string;
  /** Whether it only carries out another change, and is neither counted nor listed. */
  readonly isImplied?: boolean;
}

/** The changes that the user made. */
export const ownChanges = (changes: readonly Change[]): Change[] =>
  changes.filter(({ isImplied = false }) => !isImplied);

/** As a request takes a strategy. */
const payloadOf = (content: StrategyContent) => ({ ...content, title: content.title ?? null });

function strategyChanges(
  environment: string,
  strategies: readonly Strategy[],
  draft: EnvironmentDraft,
  names: SegmentNames,
): Change[] {
  const shown = remaining(shownStrategies(strategies, draft));
  const saved = strategies.filter(({ id }) => !draft.removed[id]).map(({ id }) => id);
  const keys = shown.map(({ key }) => key);
  const isReordered = !isSame(
    keys.filter((key) => saved.includes(key)),
    saved,
  );
  const firstNew = keys.findIndex((key) => !saved.includes(key));
  const hasNewBetween = firstNew !== -1 && keys.slice(firstNew).some((key) => saved.includes(key));
  const changes: Change[] = [];
  for (const [index, { key, state, content, saved: before }] of shown.entries()) {
    if (state === 'changed' && before && !isSame(before, content)) {
      changes.push({
        action: 'updateStrategy',
        environment,
        payload: { id: key, ...payloadOf(content) },
        title: `Update strategy: ${strategyName(before, names)}`,
        details: strategyDifferences(before, content, names),
        before,
        after: content,
        key,
      });
    } else if (state === 'added') {
      changes.push({
        action: 'addStrategy',
        environment,
        payload: { ...payloadOf(content), ...(hasNewBetween && { sortOrder: index }) },
        title: `Add strategy: ${strategySentence(content, names)}`,
        details: variantDetails([], content.variants),
        after: content,
        key,
      });
    }
  }
  if (isReordered || hasNewBetween) {
    const order = shown.flatMap(({ key, state }, sortOrder) =>
      state === 'added' ? [] : [{ id: key, sortOrder }],
    );
    changes.push({
      action: 'reorderStrategy',
      environment,
      payload: order,
      title: 'Reorder strategies',
      details: shown.map(({ content }, place) => ({
        kind: 'changed',
        words: `${place + 1}. ${strategyName(content, names)}`,
      })),
      isImplied: !isReordered,
    });
  }
  // Last: a feature without an enabled strategy is disabled.
  for (const strategy of strategies) {
    const { id } = strategy;
    if (!draft.removed[id]) continue;
    changes.push({
      action: 'deleteStrategy',
      environment,
      payload: { id },
      title: `Remove strategy: ${strategyName(strategy, names)}`,
      details: [],
      before: contentOf(strategy),
      key: id,
    });
  }
  return changes;
}

function environmentChanges(
  environment: Reviewed['environments'][number],
  draft: EnvironmentDraft,
  names: SegmentNames,
): Change[] {
  const { name, strategies, variants, enabled } = environment;
  const changes = strategyChanges(name, strategies, draft, names);
  if (draft.variants && !isSame(variants, draft.variants.after)) {
    changes.push({
      action: 'patchVariant',
      environment: name,
      payload: { variants: draft.variants.after },
      title: 'Update environment variants',
      details: variantDetails(variants, draft.variants.after),
      before: variants,
      after: draft.variants.after,
    });
  }
  if (draft.enabled && draft.enabled.after !== enabled) {
    changes.push({
      action: 'updateEnabled',
      environment: name,
      payload: { enabled: draft.enabled.after },
      title: draft.enabled.after ? 'Enable feature' : 'Disable feature',
      details: [],
    });
  }
  return changes;
}

/** `dark-mode`, `dark-mode (disabled)`, `dark-mode (variant blue or red)` */
export const dependencyWords = ({ feature, enabled, variants }: Dependency): string => {
  const which = variants.length > 0 ? ` (variant ${joinOr(variants)})` : '';
  return `${feature}${enabled ? which : ' (disabled)'}`;
};

function dependencyChanges(saved: readonly Dependency[], after: readonly Dependency[]): Change[] {
  const old = new Map(saved.map((dependency) => [dependency.feature, dependency]));
  const current = new Set(after.map(({ feature }) => feature));
  return [
    ...saved
      .filter(({ feature }) => !current.has(feature))
      .map((dependency) => ({
        action: 'deleteDependency' as const,
        payload: { feature: dependency.feature },
        title: `Remove dependency: ${dependencyWords(dependency)}`,
        details: [],
        before: dependency,
      })),
    ...after
      .filter((dependency) => !isSame(old.get(dependency.feature), dependency))
      .map((dependency) => ({
        action: 'addDependency' as const,
        payload: dependency,
        title: `${old.has(dependency.feature) ? 'Update' : 'Add'} dependency: ${dependencyWords(dependency)}`,
        details: [],
        before: old.get(dependency.feature),
        after: dependency,
      })),
  ];
}

/** What saving the draft does, in the order in which the server does it. */
export const changesOf = (draft: Draft, saved: Reviewed, names: SegmentNames): Change[] => [
  ...saved.environments.flatMap((environment) => {
    const own = draft.environments[environment.name];
    return own ? environmentChanges(environment, own, names) : [];
  }),
  ...(draft.dependencies ? dependencyChanges(saved.dependencies, draft.dependencies.after) : []),
];

/** A strategy in the JSON of a feature: one without an id is new. */
export type JsonStrategy = StrategyContent & { readonly id?: string | undefined };

/** The part of a feature that can be edited as JSON. */
export interface FeatureJson {
  readonly environments: Readonly<
    Record<
      string,
      {
        readonly enabled: boolean;
        readonly strategies: readonly JsonStrategy[];
        readonly variants: readonly EnvironmentVariant[];
      }
    >
  >;
  readonly dependencies: readonly Dependency[];
}

/** The feature as JSON, with the draft over it. */
export const jsonOf = (saved: Reviewed, draft: Draft): FeatureJson => ({
  environments: Object.fromEntries(
    saved.environments.map(({ name, enabled, strategies, variants }) => {
      const own = draft.environments[name];
      return [
        name,
        {
          enabled: own?.enabled?.after ?? enabled,
          strategies: remaining(shownStrategies(strategies, own)).map(({ key, state, content }) =>
            state === 'added' ? content : { id: key, ...content },
          ),
          variants: own?.variants?.after ?? variants,
        },
      ];
    }),
  ),
  dependencies: draft.dependencies?.after ?? saved.dependencies,
});

/** The draft that makes the feature what the JSON says. Environments that it leaves out stay as they are. */
export function draftFromJson(saved: Reviewed, json: FeatureJson): Draft {
  let draft = emptyDraft;
  for (const { name, enabled, strategies, variants } of saved.environments) {
    const wanted = json.environments[name];
    if (!wanted) continue;
    const known = new Map(strategies.map((strategy) => [strategy.id, strategy]));
    const order = wanted.strategies.map((strategy) => {
      const { id, ...content } = strategy;
      const before = id === undefined ? undefined : known.get(id);
      if (id !== undefined && before) {
        draft = changeStrategy(draft, name, { key: id, saved: contentOf(before) }, content);
        return id;
      }
      const key = newKey();
      draft = addStrategy(draft, name, { key, content });
      return key;
    });
    for (const strategy of strategies) {
      if (order.includes(strategy.id)) continue;
      draft = removeStrategy(draft, name, { key: strategy.id, saved: contentOf(strategy) });
    }
    const shown = shownStrategies(strategies, draft.environments[name]).map(({ key }) => key);
    const gone = shown.filter((key) => !order.includes(key));
    if (
      !isSame(shown, [...order, ...gone]) &&
      !isSame(
        shown.filter((key) => order.includes(key)),
        order,
      )
    ) {
      draft = withEnvironment(draft, name, (own) => ({ ...own, order: [...order, ...gone] }));
    }
    draft = changeVariants(draft, name, variants, wanted.variants);
    draft = changeEnabled(draft, name, enabled, wanted.enabled);
  }
  return changeDependencies(draft, saved.dependencies, json.dependencies);
}
