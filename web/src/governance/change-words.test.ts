import { describe, expect, test } from 'vitest';
import { changeSentence } from './change-words.ts';

const names = new Map([[3, 'Nordics']]);
const sentence = (action: string, payload?: unknown) =>
  changeSentence({ action, payload }, 'production', names);

describe('the sentence of a proposed change', () => {
  test.each([
    ['updateEnabled', { enabled: true }, 'Enable in production'],
    ['updateEnabled', { enabled: false }, 'Disable in production'],
    ['deleteStrategy', { id: 'a' }, 'Remove a strategy in production'],
    [
      'patchVariant',
      { variants: [{ name: 'a' }, { name: 'b' }] },
      'Set the variants in production to a and b',
    ],
    ['patchVariant', { variants: [] }, 'Remove all variants in production'],
    ['archiveFeature', undefined, 'Archive the feature'],
    ['addDependency', { feature: 'parent' }, 'Add a dependency on parent'],
    ['deleteDependency', {}, 'Remove all dependencies'],
    [
      'updateTags',
      { addedTags: [{ type: 'simple', value: 'x' }], removedTags: [] },
      'Add tag simple:x',
    ],
    [
      'updateTags',
      {
        addedTags: [],
        removedTags: [
          { type: 'simple', value: 'x' },
          { type: 'simple', value: 'y' },
        ],
      },
      'Remove tags simple:x and simple:y',
    ],
    [
      'updateFeature',
      { name: 'a', type: 'release', impressionData: true },
      'Update the type and impression data',
    ],
    ['startMilestone', {}, 'startMilestone'],
    ['cloneFeatures', { features: [{ feature: 'a', name: 'b' }] }, 'Clone a to b'],
    ['importFeatures', { data: { features: [{ name: 'a' }] } }, 'Import a into production'],
    ['moveFeature', { feature: 'a', newProjectId: 'shop' }, 'Move a to project shop'],
    ['revertEvents', { eventIds: [7, 9] }, 'Revert events 7 and 9'],
    ['deleteFeatures', { features: ['a', 'b'] }, 'Permanently delete a and b'],
    [
      'updateVariants',
      { variants: [{ name: 'a' }], environments: ['development', 'production'] },
      'Set the variants in development and production to a',
    ],
    [
      'saveFeatureChanges',
      {
        changes: [
          { action: 'updateEnabled', environment: 'development', payload: { enabled: true } },
          { action: 'deleteStrategy', environment: 'production', payload: { id: 'a' } },
        ],
      },
      'Enable in development; Remove a strategy in production',
    ],
  ])('of %s with %j is %s', (action, payload, expected) => {
    expect(sentence(action, payload)).toBe(expected);
  });

  test('says whom a strategy is for, even if the request omits most of its properties', () => {
    const strategy = {
      name: 'flexibleRollout',
      parameters: { rollout: '25', stickiness: 'default', groupId: 'x' },
      segments: [3],
    };
    expect(sentence('addStrategy', strategy)).toMatch(
      /^Add a strategy in production: 25% .*Nordics/,
    );
    expect(sentence('updateStrategy', { id: 'a' })).toMatch(
      /^Update a strategy in production to: /,
    );
  });
});
