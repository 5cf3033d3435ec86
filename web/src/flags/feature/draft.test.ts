import { describe, expect, test } from 'vitest';
import type { Strategy } from '../strategy/strategy-sentence.ts';
import {
  addStrategy,
  changeDependencies,
  changeStrategy,
  changesOf,
  changeVariants,
  contentOf,
  copyStrategies,
  type Draft,
  draftFromJson,
  emptyDraft,
  jsonOf,
  moveStrategy,
  ownChanges,
  type Reviewed,
  removeStrategy,
  restoreStrategy,
  shownStrategies,
} from './draft.ts';
import { readFeatureJson } from './feature-json.ts';

const strategy = (id: string, rollout = '100'): Strategy => ({
  id,
  featureName: 'f',
  name: 'flexibleRollout',
  disabled: false,
  sortOrder: 0,
  parameters: { rollout, stickiness: 'default', groupId: 'f' },
  constraints: [],
  segments: [],
  variants: [],
});

const feature = (...strategies: Strategy[]): Reviewed => ({
  environments: [
    { name: 'development', enabled: true, strategies: [], variants: [] },
    { name: 'production', enabled: false, strategies, variants: [] },
  ],
  dependencies: [],
});

const withRollout = (from: Strategy, rollout: string) => ({
  ...contentOf(from),
  parameters: { ...from.parameters, rollout },
});

const production = 'production';
const changeTo = (draft: Draft, from: Strategy, rollout: string) =>
  changeStrategy(
    draft,
    production,
    { key: from.id, saved: contentOf(from) },
    withRollout(from, rollout),
  );
const actionsOf = (draft: Draft, saved: Reviewed) =>
  changesOf(draft, saved, new Map()).map(({ action, payload }) => [action, payload]);

describe('a draft', () => {
  test('has a change for each modified strategy and is empty once it is reverted', () => {
    const saved = feature(strategy('a'), strategy('b'));
    const draft = changeTo(emptyDraft, strategy('a'), '10');
    expect(changesOf(draft, saved, new Map())).toMatchObject([
      {
        action: 'updateStrategy',
        environment: production,
        details: [{ words: 'rollout 100% → 10%' }],
      },
    ]);
    expect(changeTo(draft, strategy('a'), '100')).toEqual(emptyDraft);
  });

  test('also shows changes by others', () => {
    const draft = changeTo(emptyDraft, strategy('a'), '10');
    const shown = shownStrategies(
      [strategy('c'), strategy('a'), strategy('b', '7')],
      draft.environments[production],
    );
    expect(shown.map(({ key, state }) => [key, state])).toEqual([
      ['c', 'same'],
      ['a', 'changed'],
      ['b', 'same'],
    ]);
  });

  test('removes strategies after adding others, because a feature without strategies is disabled', () => {
    const saved = feature(strategy('a'));
    const added = addStrategy(emptyDraft, production, { key: 'n', content: strategy('', '5') });
    const draft = removeStrategy(added, production, { key: 'a', saved: contentOf(strategy('a')) });
    expect(actionsOf(draft, saved).map(([action]) => action)).toEqual([
      'addStrategy',
      'deleteStrategy',
    ]);
    expect(restoreStrategy(restoreStrategy(draft, production, 'a'), production, 'n')).toEqual(
      emptyDraft,
    );
  });

  test('reorders strategies and back', () => {
    const saved = feature(strategy('a'), strategy('b'), strategy('c'));
    const ids = ['a', 'b', 'c'];
    const draft = moveStrategy(emptyDraft, production, ids, ids, 'c', 0);
    expect(actionsOf(draft, saved)).toEqual([
      [
        'reorderStrategy',
        [
          { id: 'c', sortOrder: 0 },
          { id: 'a', sortOrder: 1 },
          { id: 'b', sortOrder: 2 },
        ],
      ],
    ]);
    expect(moveStrategy(draft, production, ['c', 'a', 'b'], ids, 'c', 2)).toEqual(emptyDraft);
  });

  test('inserts a new strategy between others', () => {
    const saved = feature(strategy('a'), strategy('b'));
    const draft = addStrategy(
      emptyDraft,
      production,
      { key: 'n', content: strategy('', '5') },
      { keys: ['a', 'b'], after: 'a' },
    );
    expect(actionsOf(draft, saved)).toMatchObject([
      ['addStrategy', { sortOrder: 1 }],
      [
        'reorderStrategy',
        [
          { id: 'a', sortOrder: 0 },
          { id: 'b', sortOrder: 2 },
        ],
      ],
    ]);
    // Moving the others is part of adding it, not a change of its own.
    expect(ownChanges(changesOf(draft, saved, new Map())).map(({ title }) => title)).toEqual([
      'Add strategy: 5% of everyone, stickiness default',
    ]);
  });

  test('copies strategies to another environment', () => {
    const saved = feature(strategy('a'));
    const draft = copyStrategies(emptyDraft, 'development', [contentOf(strategy('a'))]);
    expect(changesOf(draft, saved, new Map())).toMatchObject([
      { action: 'addStrategy', environment: 'development', title: 'Add strategy: Everyone' },
    ]);
  });

  test('changes variants and dependencies', () => {
    const variants = [
      {
        name: 'blue',
        weight: 1000,
        weightType: 'variable' as const,
        stickiness: 'default',
        overrides: [],
      },
    ];
    const dependency = { feature: 'parent', enabled: true, variants: [] };
    const draft = changeDependencies(
      changeVariants(emptyDraft, production, [], variants),
      [],
      [dependency],
    );
    expect(actionsOf(draft, feature())).toEqual([
      ['patchVariant', { variants }],
      ['addDependency', dependency],
    ]);
    expect(
      changesOf(
        changeDependencies(emptyDraft, [dependency], [{ ...dependency, enabled: false }]),
        { ...feature(), dependencies: [dependency] },
        new Map(),
      ),
    ).toMatchObject([{ title: 'Update dependency: parent (disabled)' }]);
    expect(
      actionsOf(changeDependencies(emptyDraft, [dependency], []), {
        ...feature(),
        dependencies: [dependency],
      }),
    ).toEqual([['deleteDependency', { feature: 'parent' }]]);
  });
});

describe('a feature as JSON', () => {
  const saved = feature(strategy('a'), strategy('b'));

  test('is unchanged after writing and reading it', () => {
    const read = readFeatureJson(JSON.stringify(jsonOf(saved, emptyDraft)), saved);
    expect('json' in read && draftFromJson(saved, read.json)).toEqual(emptyDraft);
  });

  test('creates a draft from modified, added, removed and reordered strategies', () => {
    const text = JSON.stringify({
      environments: {
        production: {
          enabled: true,
          strategies: [
            { name: 'default' },
            { id: 'b', name: 'flexibleRollout', parameters: { rollout: 10 } },
          ],
        },
      },
    });
    const read = readFeatureJson(text, saved);
    const draft = 'json' in read ? draftFromJson(saved, read.json) : emptyDraft;
    expect(actionsOf(draft, saved).map(([action]) => action)).toEqual([
      'addStrategy',
      'updateStrategy',
      'reorderStrategy',
      'deleteStrategy',
      'updateEnabled',
    ]);
  });

  test.each([
    ['{', /^Invalid JSON/],
    ['{}', /environments must be an object/],
    ['{"environments":{"mars":{}}}', /environments.mars isn't an environment/],
    [
      '{"environments":{"production":{"strategies":[{"id":"z","name":"default"}]}}}',
      /strategies\[0\].id doesn't match a strategy/,
    ],
    [
      '{"environments":{"production":{"strategies":[{"name":"default","constraints":[{"contextName":"a","operator":"LIKE"}]}]}}}',
      /constraints\[0\].operator must be one of IN, /,
    ],
  ])('is rejected with the path of the problem: %s', (text, problem) => {
    const read = readFeatureJson(text, saved);
    expect('problems' in read && read.problems[0]).toMatch(problem);
  });
});
