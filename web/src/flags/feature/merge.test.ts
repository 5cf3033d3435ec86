import { describe, expect, test } from 'vitest';
import type { Strategy, StrategyContent } from '../strategy/strategy-sentence.ts';
import { authorsText, causeOf, conflictTitle, sideText } from './conflict-words.ts';
import {
  changeDependencies,
  changeStrategy,
  changesOf,
  contentOf,
  type Dependency,
  type Draft,
  emptyDraft,
  type Reviewed,
  removeStrategy,
} from './draft.ts';
import { type Conflict, conflictsOf, keepMine, rebased, takeTheirs } from './merge.ts';

const production = 'production';

const strategy = (part: Partial<StrategyContent> & { rollout?: string } = {}): Strategy => {
  const { rollout = '10', ...rest } = part;
  return {
    id: 'a',
    featureName: 'f',
    name: 'flexibleRollout',
    title: 'Base',
    disabled: false,
    sortOrder: 0,
    parameters: { rollout, stickiness: 'default', groupId: 'f' },
    constraints: [],
    segments: [],
    variants: [],
    ...rest,
  };
};

const feature = (strategies: Strategy[], dependencies: Dependency[] = []): Reviewed => ({
  environments: [{ name: production, enabled: true, strategies, variants: [] }],
  dependencies,
});

const base = strategy();
const edit = (after: Strategy): Draft =>
  changeStrategy(emptyDraft, production, { key: 'a', saved: contentOf(base) }, contentOf(after));
const detailsOf = (draft: Draft, saved: Reviewed) =>
  changesOf(draft, saved, new Map()).flatMap(({ details }) => details.map(({ words }) => words));
const only = (conflicts: readonly Conflict[]): Conflict => {
  expect(conflicts).toHaveLength(1);
  return conflicts[0] as Conflict;
};

describe('a strategy that someone else changed', () => {
  test('is merged without a question if both changed other fields', () => {
    const saved = feature([strategy({ title: 'Title of A' })]);
    const draft = rebased(edit(strategy({ rollout: '77' })), saved);
    expect(conflictsOf(draft, saved)).toEqual([]);
    expect(detailsOf(draft, saved)).toEqual(['rollout 10% → 77%']);
  });

  test('is merged parameter by parameter', () => {
    const parameters = { ...base.parameters, stickiness: 'userId' };
    const saved = feature([{ ...base, parameters }]);
    const draft = rebased(edit(strategy({ rollout: '77' })), saved);
    expect(conflictsOf(draft, saved)).toEqual([]);
    expect(detailsOf(draft, saved)).toEqual(['rollout 10% → 77%']);
  });

  test('is unchanged if both made the same change', () => {
    const saved = feature([strategy({ rollout: '77' })]);
    expect(rebased(edit(strategy({ rollout: '77' })), saved)).toEqual(emptyDraft);
  });

  const theirs = feature([strategy({ title: 'Title of A', rollout: '33' })]);
  const mine = rebased(edit(strategy({ rollout: '77' })), theirs);

  test('asks only about the field that both changed', () => {
    const conflict = only(conflictsOf(mine, theirs));
    expect(conflictTitle(conflict, new Map())).toEqual({
      where: 'production · Title of A',
      field: 'Rollout',
    });
    expect(sideText(conflict, 'theirs', new Map())).toBe('33%');
    expect(sideText(conflict, 'mine', new Map())).toBe('77%');
  });

  test('keeps their other fields with "Keep mine"', () => {
    const draft = keepMine(mine, only(conflictsOf(mine, theirs)));
    expect(conflictsOf(draft, theirs)).toEqual([]);
    expect(detailsOf(draft, theirs)).toEqual(['rollout 33% → 77%']);
    expect(changesOf(draft, theirs, new Map())).toMatchObject([
      { payload: { title: 'Title of A', parameters: { rollout: '77' } } },
    ]);
  });

  test('keeps your other fields with "Use theirs"', () => {
    const both = rebased(edit(strategy({ rollout: '77', disabled: true })), theirs);
    const draft = takeTheirs(both, only(conflictsOf(both, theirs)));
    expect(conflictsOf(draft, theirs)).toEqual([]);
    expect(detailsOf(draft, theirs)).toEqual(['strategy disabled']);
    expect(takeTheirs(mine, only(conflictsOf(mine, theirs)))).toEqual(emptyDraft);
  });

  test('is one question about type and parameters if the type changed', () => {
    const saved = feature([strategy({ rollout: '33' })]);
    const draft = rebased(edit(strategy({ name: 'default', parameters: {} })), saved);
    const conflict = only(conflictsOf(draft, saved));
    expect(conflict).toMatchObject({ kind: 'field', field: 'type' });
    expect(sideText(conflict, 'mine', new Map())).toBe('default: Everyone');
  });

  test('is added again with "Keep mine" if they removed it', () => {
    const conflict = only(conflictsOf(mine, feature([])));
    expect(sideText(conflict, 'theirs', new Map())).toBe('Removed');
    const draft = keepMine(mine, conflict);
    expect(changesOf(draft, feature([]), new Map())).toMatchObject([
      { action: 'addStrategy', payload: { parameters: { rollout: '77' } } },
    ]);
    expect(takeTheirs(mine, conflict)).toEqual(emptyDraft);
  });

  test('is no conflict if both removed it, and one if only one side did', () => {
    const removed = removeStrategy(emptyDraft, production, { key: 'a', saved: contentOf(base) });
    expect(conflictsOf(removed, feature([]))).toEqual([]);
    expect(changesOf(removed, feature([]), new Map())).toEqual([]);
    const conflict = only(conflictsOf(removed, theirs));
    expect(conflictsOf(keepMine(removed, conflict), theirs)).toEqual([]);
  });
});

describe('dependencies that someone else changed', () => {
  const on = (parent: string, enabled = true): Dependency => ({
    feature: parent,
    enabled,
    variants: [],
  });

  test('are merged by parent', () => {
    const draft = changeDependencies(emptyDraft, [on('a')], [on('a'), on('mine')]);
    const saved = feature([], [on('a', false), on('theirs')]);
    const merged = rebased(draft, saved);
    expect(conflictsOf(merged, saved)).toEqual([]);
    expect(changesOf(merged, saved, new Map()).map(({ title }) => title)).toEqual([
      'Add dependency: mine',
    ]);
  });

  test('are a conflict where both changed the same parent', () => {
    const draft = changeDependencies(emptyDraft, [on('a')], []);
    const saved = feature([], [on('a', false)]);
    const conflict = only(conflictsOf(rebased(draft, saved), saved));
    expect(sideText(conflict, 'theirs', new Map())).toBe('a (disabled)');
    const kept = keepMine(draft, conflict);
    expect(conflictsOf(kept, saved)).toEqual([]);
    expect(changesOf(kept, saved, new Map())).toMatchObject([{ action: 'deleteDependency' }]);
    expect(takeTheirs(draft, conflict).dependencies).toBeUndefined();
  });
});

test('the author of a conflict is who changed the same thing, not who changed the feature last', () => {
  const saved = feature([strategy({ rollout: '33' })]);
  const conflict = only(conflictsOf(edit(strategy({ rollout: '77' })), saved));
  const event = (type: string, id: string, environment = production, createdBy = 'Ada') => ({
    type,
    environment,
    data: { id },
    preData: null,
    createdBy,
  });
  const events = [
    event('feature-metadata-updated', 'a', production, 'Bob'),
    event('feature-strategy-update', 'other', production, 'Bob'),
    event('feature-strategy-update', 'a', 'development', 'Bob'),
    event('feature-strategy-update', 'a'),
  ];
  expect(causeOf(conflict, events)?.createdBy).toBe('Ada');
  expect(authorsText(['Ada', 'Bob', 'Ada'])).toBe('Ada and Bob');
  expect(authorsText([])).toBe('Someone else');
});
