import { describe, expect, test } from 'vitest';
import { type EventForSentence, labelOf, pagePath, sentenceOf, sentenceText } from './sentence.ts';

const event: EventForSentence = {
  type: 'feature-archived',
  createdBy: 'Ann',
  label: 'Feature archived',
  summary: '**Ann** archived [**dark\\_mode**](/projects/web-shop/features/dark_mode)',
};

describe('the sentence of an event', () => {
  test('is the summary of the event, without its Markdown', () => {
    expect(sentenceText(event)).toBe('Ann archived dark_mode');
  });

  test('links to pages of this installation', () => {
    expect(sentenceOf(event).map(pagePath)).toContain('/projects/web-shop/features/dark_mode');
  });

  test.each(['https://elsewhere.example', '//elsewhere.example'])('does not link to %s', (path) => {
    const spans = sentenceOf({ ...event, summary: `See [**here**](${path})` });
    expect(spans.map(pagePath)).toEqual([undefined, undefined]);
  });

  test('is the author and label if the event has no summary', () => {
    expect(sentenceText({ ...event, summary: null })).toBe('Ann: Feature archived');
    expect(sentenceText({ ...event, summary: null, label: null })).toBe('Ann: Feature archived');
  });
});

test('a type without a label is shown unchanged', () => {
  expect(labelOf('feature-archived')).toBe('Feature archived');
  expect(labelOf('a-later-type')).toBe('a-later-type');
});
