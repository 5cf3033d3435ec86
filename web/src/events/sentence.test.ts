import { describe, expect, test } from 'vitest';
import { eventTypes } from '../../../src/modules/events/event-types-schema.ts';
import { type EventForSentence, labelOf, sentenceOf, sentenceText } from './sentence.ts';
import { typeWords } from './type-words.ts';

const nothing: EventForSentence = {
  type: 'feature-created',
  createdBy: 'Ann',
  featureName: null,
  project: null,
  environment: null,
  data: null,
  preData: null,
  summary: null,
};

const full: EventForSentence = {
  ...nothing,
  featureName: 'dark-mode',
  project: 'web-shop',
  environment: 'production',
};

/** Whatever a sentence asks for is there. */
const anything = (): Record<string, unknown> =>
  new Proxy({}, { get: (_, key) => (key === 'clonedFrom' ? { feature: 'x' } : 'x') }) as Record<
    string,
    unknown
  >;

describe('every type of event', () => {
  test.each(eventTypes)(
    '%s has a label and a sentence in which everything is filled in',
    (type) => {
      expect(labelOf(type)).toMatch(/^[A-Za-z][A-Za-z ]+$/);
      const event = { ...full, type, data: anything(), preData: anything() };
      const { sentence } = typeWords[type];
      const fields = [...sentence.matchAll(/\{([^}]+)\}/g)].length;
      const pieces = sentenceOf(event);
      expect(pieces.filter(({ kind }) => kind !== 'text')).toHaveLength(fields);
      expect(sentenceText(event)).not.toMatch(/[[\]{}]|undefined|null/);
    },
  );

  test.each(eventTypes)('%s has a sentence even where nothing else is known', (type) => {
    const text = sentenceText({ ...nothing, type });
    expect(text.length).toBeGreaterThan(8);
    expect(text).not.toMatch(/[[\]{}]|undefined|null/);
  });
});

describe('a sentence', () => {
  test.each([
    ['Ann switched dark-mode on in production', { type: 'feature-environment-enabled' }],
    ['Ann switched dark-mode off in production', { type: 'feature-environment-disabled' }],
    ['Ann created dark-mode in web-shop', { type: 'feature-created' }],
    [
      'Ann created dark-mode as a copy of light in web-shop',
      {
        type: 'feature-created',
        data: { clonedFrom: { feature: 'light' } },
      },
    ],
    [
      'Ann added the strategy Beta users to dark-mode in production',
      {
        type: 'feature-strategy-add',
        data: { name: 'flexibleRollout', title: 'Beta users' },
      },
    ],
    [
      'Ann added the strategy flexibleRollout to dark-mode in production',
      {
        type: 'feature-strategy-add',
        data: { name: 'flexibleRollout', title: '' },
      },
    ],
    [
      'Ann removed user 7 from the group Ops',
      {
        type: 'group-user-removed',
        preData: { userId: 7, groupName: 'Ops' },
      },
    ],
    [
      'Ann erased the person with the id 9 from 3 events',
      {
        type: 'user-updated',
        summary: '**Ann** erased the person with the id **9** from **3** events',
      },
    ],
  ] as const)('%s', (text, event) => {
    expect(sentenceText({ ...full, ...event } as EventForSentence)).toBe(text);
  });

  test('links what has a page, and never a place elsewhere', () => {
    expect(sentenceOf({ ...full, type: 'feature-archived' })).toContainEqual({
      kind: 'link',
      text: 'dark-mode',
      to: '/projects/web-shop/features/dark-mode',
    });
    const summary =
      'See [**here**](https://elsewhere.example) and [**there**](//elsewhere.example)';
    expect(sentenceOf({ ...full, type: 'user-updated', summary })).not.toContainEqual(
      expect.objectContaining({ kind: 'link' }),
    );
  });
});
