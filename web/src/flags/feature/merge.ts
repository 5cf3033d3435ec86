import { isSame } from '../../ui/is-same.ts';
import type { StrategyContent } from '../strategy/strategy-sentence.ts';
import {
  byParent,
  contentOf,
  type Dependency,
  type Draft,
  type Edit,
  type EnvironmentDraft,
  type EnvironmentVariant,
  newKey,
  type Reviewed,
  restoreStrategy,
  withEnvironment,
  without,
} from './draft.ts';

type Field = 'title' | 'disabled' | 'segments' | 'constraints' | 'variants';

/** A part of a strategy that is merged for itself. Another type has other parameters, so these belong together. */
export type StrategyField = Field | 'type' | `parameter ${string}`;

const fields: readonly Field[] = ['title', 'disabled', 'segments', 'constraints', 'variants'];

/** The fields of versions of one strategy. Where the type changed, its parameters are one field with it. */
function fieldsOf(...versions: readonly StrategyContent[]): StrategyField[] {
  const [first] = versions;
  const isSameType = versions.every(({ name }) => name === first?.name);
  const parameters = new Set(versions.flatMap((version) => Object.keys(version.parameters)));
  return [
    ...(isSameType ? [...parameters].map((key) => `parameter ${key}` as const) : ['type' as const]),
    ...fields,
  ];
}

const parameterOf = (field: `parameter ${string}`): string => field.slice('parameter '.length);

const isParameter = (field: StrategyField): field is `parameter ${string}` =>
  field.startsWith('parameter ');

function settingOf(content: StrategyContent, field: StrategyField): unknown {
  if (field === 'type') return [content.name, content.parameters];
  return isParameter(field) ? content.parameters[parameterOf(field)] : content[field];
}

const isSameField = (one: StrategyContent, other: StrategyContent, field: StrategyField): boolean =>
  isSame(settingOf(one, field), settingOf(other, field));

/** A strategy with a field of another version of it. */
function withField(
  content: StrategyContent,
  field: StrategyField,
  from: StrategyContent,
): StrategyContent {
  if (field === 'type') return { ...content, name: from.name, parameters: from.parameters };
  if (!isParameter(field)) return contentOf({ ...content, [field]: from[field] });
  const key = parameterOf(field);
  const { [key]: _, ...others } = content.parameters;
  const setting = from.parameters[key];
  return { ...content, parameters: setting === undefined ? others : { ...others, [key]: setting } };
}

/** An edit over what others saved meanwhile. Only fields that both changed, and differently, keep their old base. */
const rebaseStrategy = (
  edit: Edit<StrategyContent>,
  theirs: StrategyContent,
): Edit<StrategyContent> =>
  fieldsOf(edit.before, edit.after, theirs).reduce(({ before, after }, field) => {
    const isMine = !isSameField(before, after, field) && !isSameField(after, theirs, field);
    if (isMine && !isSameField(before, theirs, field)) return { before, after };
    return {
      before: withField(before, field, theirs),
      after: isMine ? after : withField(after, field, theirs),
    };
  }, edit);

const byFeature = (dependencies: readonly Dependency[]) =>
  new Map(dependencies.map((dependency) => [dependency.feature, dependency]));

/** A list of dependencies with that of one parent as in another list. */
const withParent = (
  dependencies: readonly Dependency[],
  parent: string,
  from: ReadonlyMap<string, Dependency>,
): Dependency[] => {
  const wanted = from.get(parent);
  return [...dependencies.filter(({ feature }) => feature !== parent), ...(wanted ? [wanted] : [])];
};

const parentsOf = (...lists: readonly (readonly Dependency[])[]): string[] => [
  ...new Set(lists.flat().map(({ feature }) => feature)),
];

const rebaseDependencies = (
  edit: Edit<readonly Dependency[]>,
  theirs: readonly Dependency[],
): Edit<readonly Dependency[]> => {
  if (isSame(byParent(edit.before), byParent(theirs))) return edit;
  const saved = byFeature(theirs);
  return parentsOf(edit.before, edit.after, theirs).reduce<Edit<readonly Dependency[]>>(
    ({ before, after }, parent) => {
      const [was, is] = [byFeature(before).get(parent), byFeature(after).get(parent)];
      const isMine = !isSame(was, is) && !isSame(is, saved.get(parent));
      if (isMine && !isSame(was, saved.get(parent))) return { before, after };
      return {
        before: withParent(before, parent, saved),
        after: isMine ? after : withParent(after, parent, saved),
      };
    },
    edit,
  );
};

const isEdited = <T>({ before, after }: Edit<T>) => !isSame(before, after);

function rebaseEnvironment(
  own: EnvironmentDraft,
  { strategies, variants }: Reviewed['environments'][number],
): EnvironmentDraft {
  const saved = new Map(strategies.map((strategy) => [strategy.id, contentOf(strategy)]));
  const changed = Object.entries(own.changed).flatMap(([key, edit]) => {
    const theirs = saved.get(key);
    const next = theirs ? rebaseStrategy(edit, theirs) : edit;
    return isEdited(next) ? [[key, next] as const] : [];
  });
  return {
    ...own,
    changed: Object.fromEntries(changed),
    ...(own.variants && isSame(own.variants.after, variants) && { variants: undefined }),
  };
}

/**
 * The draft over what is saved now: a three-way merge by field. What only others changed is taken over, so that saving
 * never takes it back; what both changed differently stays a conflict.
 */
export function rebased(draft: Draft, saved: Reviewed): Draft {
  const merged = saved.environments.reduce(
    (each, environment) =>
      each.environments[environment.name]
        ? withEnvironment(each, environment.name, (own) => rebaseEnvironment(own, environment))
        : each,
    draft,
  );
  if (!merged.dependencies) return merged;
  const dependencies = rebaseDependencies(merged.dependencies, saved.dependencies);
  return { ...merged, dependencies: isEdited(dependencies) ? dependencies : undefined };
}

/** Something that both changed, and differently. */
export type Conflict =
  | {
      readonly kind: 'field';
      readonly environment: string;
      readonly key: string;
      readonly field: StrategyField;
      readonly before: StrategyContent;
      readonly theirs: StrategyContent;
      readonly mine: StrategyContent;
    }
  | {
      /** One side removed a strategy that the other one changed. */
      readonly kind: 'strategy';
      readonly environment: string;
      readonly key: string;
      readonly before: StrategyContent;
      readonly theirs: StrategyContent | undefined;
      readonly mine: StrategyContent | undefined;
    }
  | {
      readonly kind: 'variants';
      readonly environment: string;
      readonly before: readonly EnvironmentVariant[];
      readonly theirs: readonly EnvironmentVariant[];
      readonly mine: readonly EnvironmentVariant[];
    }
  | {
      readonly kind: 'dependency';
      readonly parent: string;
      readonly before: Dependency | undefined;
      readonly theirs: Dependency | undefined;
      readonly mine: Dependency | undefined;
    };

function strategyConflicts(
  environment: string,
  own: EnvironmentDraft,
  saved: ReadonlyMap<string, StrategyContent>,
): Conflict[] {
  const ofChanged = Object.entries(own.changed).flatMap(([key, edit]): Conflict[] => {
    const theirs = saved.get(key);
    const common = { environment, key };
    if (!theirs) {
      return [{ kind: 'strategy', ...common, before: edit.before, theirs, mine: edit.after }];
    }
    const { before, after: mine } = rebaseStrategy(edit, theirs);
    return fieldsOf(before, mine, theirs)
      .filter((field) => !isSameField(before, theirs, field) && !isSameField(mine, theirs, field))
      .map((field) => ({ kind: 'field', ...common, field, before, theirs, mine }));
  });
  const ofRemoved = Object.entries(own.removed).flatMap(([key, before]): Conflict[] => {
    const theirs = saved.get(key);
    if (!theirs || isSame(theirs, before)) return [];
    return [{ kind: 'strategy', environment, key, before, theirs, mine: undefined }];
  });
  return [...ofChanged, ...ofRemoved];
}

export function conflictsOf(draft: Draft, saved: Reviewed): Conflict[] {
  const found = saved.environments.flatMap((environment): Conflict[] => {
    const own = draft.environments[environment.name];
    if (!own) return [];
    const strategies = new Map(
      environment.strategies.map((strategy) => [strategy.id, contentOf(strategy)]),
    );
    const { before, after: mine } = own.variants ?? { before: [], after: [] };
    const theirs = environment.variants;
    const isConflict = own.variants && !isSame(theirs, before) && !isSame(theirs, mine);
    return [
      ...strategyConflicts(environment.name, own, strategies),
      ...(isConflict
        ? [{ kind: 'variants' as const, environment: environment.name, before, theirs, mine }]
        : []),
    ];
  });
  if (!draft.dependencies) return found;
  const edit = rebaseDependencies(draft.dependencies, saved.dependencies);
  const [before, mine, theirs] = [edit.before, edit.after, saved.dependencies].map(byFeature);
  const parents = parentsOf(edit.before, edit.after, saved.dependencies).flatMap(
    (parent): Conflict[] => {
      const [was, is, now] = [before, mine, theirs].map((each) => each?.get(parent));
      if (isSame(was, now) || isSame(is, now)) return [];
      return [{ kind: 'dependency', parent, before: was, theirs: now, mine: is }];
    },
  );
  return [...found, ...parents];
}

/** What is saved becomes the base of mine: saving puts mine on top. */
export function keepMine(draft: Draft, conflict: Conflict): Draft {
  if (conflict.kind === 'dependency') {
    const { parent, theirs } = conflict;
    const { dependencies } = draft;
    if (!dependencies) return draft;
    const saved = byFeature(theirs ? [theirs] : []);
    const before = withParent(dependencies.before, parent, saved);
    return { ...draft, dependencies: { ...dependencies, before } };
  }
  return withEnvironment(draft, conflict.environment, (own) => {
    if (conflict.kind === 'variants') {
      return { ...own, variants: { before: conflict.theirs, after: conflict.mine } };
    }
    const { key, theirs, mine } = conflict;
    if (conflict.kind === 'field') {
      const edit = own.changed[key];
      if (!edit) return own;
      const before = withField(edit.before, conflict.field, conflict.theirs);
      return { ...own, changed: { ...own.changed, [key]: { ...edit, before } } };
    }
    if (theirs) return { ...own, removed: { ...own.removed, [key]: theirs } };
    // They removed it: mine is added again as a new one.
    const added = mine ? [...own.added, { key: newKey(), content: mine }] : own.added;
    return { ...own, added, changed: without(own.changed, key) };
  });
}

export function takeTheirs(draft: Draft, conflict: Conflict): Draft {
  if (conflict.kind === 'dependency') {
    const { dependencies } = draft;
    if (!dependencies) return draft;
    const { parent, theirs } = conflict;
    const saved = byFeature(theirs ? [theirs] : []);
    const next = {
      before: withParent(dependencies.before, parent, saved),
      after: withParent(dependencies.after, parent, saved),
    };
    return { ...draft, dependencies: isEdited(next) ? next : undefined };
  }
  const { environment } = conflict;
  if (conflict.kind === 'strategy') return restoreStrategy(draft, environment, conflict.key);
  return withEnvironment(draft, environment, (own) => {
    if (conflict.kind === 'variants') return { ...own, variants: undefined };
    const { key, field, theirs } = conflict;
    const edit = own.changed[key];
    if (!edit) return own;
    const next = {
      before: withField(edit.before, field, theirs),
      after: withField(edit.after, field, theirs),
    };
    return {
      ...own,
      changed: isEdited(next) ? { ...own.changed, [key]: next } : without(own.changed, key),
    };
  });
}
