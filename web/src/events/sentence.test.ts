import { describe, expect, test } from 'vitest';
import { directoryOf, emptyDirectory } from '../directory.ts';
import { type EventForSentence, labelOf, pagePath, sentenceOf, sentenceText } from './sentence.ts';

const event: EventForSentence = {
  type: 'feature-archived',
  createdBy: 'Ann',
  label: 'Feature archived',
  summary: '**Ann** archived [**dark\\_mode**](/projects/web-shop/features/dark_mode)',
};

describe('the sentence of an event', () => {
  test('is the summary of the event, without its Markdown', () => {
    expect(sentenceText(event, emptyDirectory)).toBe('Ann archived dark_mode');
  });

  test('links to pages of this installation', () => {
    expect(sentenceOf(event, emptyDirectory).map(pagePath)).toContain(
      '/projects/web-shop/features/dark_mode',
    );
  });

  test.each(['https://elsewhere.example', '//elsewhere.example'])('does not link to %s', (path) => {
    const spans = sentenceOf({ ...event, summary: `See [**here**](${path})` }, emptyDirectory);
    expect(spans.map(pagePath)).toEqual([undefined, undefined]);
  });

  test.each(['Feature archived', null])(
    'is the author and the label if there is no summary: %s',
    (label) => {
      expect(sentenceText({ ...event, summary: null, label }, emptyDirectory)).toBe(
        'Ann · Feature archived',
      );
    },
  );
});

describe('names in the sentence of an event', () => {
  const directory = directoryOf({
    users: [
      { id: 1, name: 'Ada Holm', email: 'ada@example.com' },
      { id: 17, name: 'Bo Lind', username: 'bo' },
    ],
    groups: [{ id: 4, name: 'Platform' }],
    projects: [
      { id: 'web-shop', name: 'Web shop' },
      { id: 'old', name: 'Old shop' },
    ],
  });
  const by = (summary: string): EventForSentence => ({
    ...event,
    createdBy: 'ada@example.com',
    createdByUserId: 1,
    summary,
  });

  test.each([
    ['**ada@example.com** archived **x**', 'Ada Holm archived x'],
    [
      '**ada@example.com** changed the roles of the user **17**',
      'Ada Holm changed the roles of the user Bo Lind',
    ],
    ['**ada@example.com** removed the group **4**', 'Ada Holm removed the group Platform'],
    ['**ada@example.com** created the user **bo**', 'Ada Holm created the user Bo Lind'],
    ['**ada@example.com** granted **ada@example.com** a role', 'Ada Holm granted Ada Holm a role'],
    ['**ada@example.com** deleted the user **18**', 'Ada Holm deleted the user 18'],
    ['**ada@example.com** ignored **bo** and **17**', 'Ada Holm ignored bo and 17'],
  ])('%s', (summary, text) => {
    expect(sentenceText(by(summary), directory)).toBe(text);
  });

  test.each([
    [
      'a link',
      '**ada@example.com** updated project [**web-shop**](/projects/web-shop)',
      'Ada Holm updated project Web shop',
    ],
    [
      'a project without a link',
      '**ada@example.com** followed project **web-shop**',
      'Ada Holm followed project Web shop',
    ],
    [
      'the project that a feature was moved from',
      '**ada@example.com** moved [**old**](/projects/web-shop/features/old) from **old** to [**web-shop**](/projects/web-shop)',
      'Ada Holm moved old from Old shop to Web shop',
    ],
    [
      'a project that the user does not see',
      '**ada@example.com** updated project [**hr**](/projects/hr)',
      'Ada Holm updated project hr',
    ],
  ])('are those of projects: %s', (_what, summary, text) => {
    expect(sentenceText({ ...by(summary), type: 'feature-project-change' }, directory)).toBe(text);
  });

  test('keep the address and the id for a tooltip', () => {
    const notes = (summary: string) => sentenceOf(by(summary), directory).map(({ note }) => note);
    expect(notes('**ada@example.com** added the user **17** to the group **4**')).toEqual([
      'ada@example.com',
      undefined,
      'bo',
      undefined,
      'Group 4',
    ]);
    expect(notes('**ada@example.com** archived [**web-shop**](/projects/web-shop)').at(-1)).toBe(
      'web-shop',
    );
  });
});

test('an event type without a label is shown in words', () => {
  expect(labelOf('feature-archived')).toBe('Feature archived');
  expect(labelOf('a-later-type')).toBe('A later type');
});
