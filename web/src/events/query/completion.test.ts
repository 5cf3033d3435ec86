import { describe, expect, test } from 'vitest';
import { applyOption, type Choices, complete } from './completion.ts';

const choices: Choices = {
  types: ['feature-created', 'feature-archived', 'feature-tagged', 'user-created'].map((name) => ({
    name,
    label: name.replace('-', ' '),
  })),
  projects: [{ id: 'web-shop', name: 'Web shop' }],
  environments: ['development', 'production'],
  actors: [
    { name: 'ann', note: '' },
    { name: 'Bob Lee', note: 'lee@example.com' },
  ],
  features: [{ name: 'dark-mode', project: 'web-shop' }],
};

/** `|` marks the caret. */
const offered = (marked: string, most = 20): string[] => {
  const caret = marked.indexOf('|');
  return complete(marked.replace('|', ''), caret, choices)
    .options.map(({ text }) => text)
    .slice(0, most);
};

describe('suggestions', () => {
  test.each([
    ['|', ['type:', 'project:', 'feature:', 'env:']],
    ['env:production |', ['type:', 'project:', 'feature:', 'env:']],
    ['ty|', ['type:']],
    ['-ac|', ['-actor:']],
    ['-|', ['-type:', '-project:', '-feature:', '-env:']],
    ['env:|', ['development', 'production']],
    ['env:prod| type:x', ['production']],
    ['type:feat|', ['feature-*', 'feature-created', 'feature-archived', 'feature-tagged']],
    ['type:user-created,arch|', ['feature-archived']],
    ['actor:b|', ['"Bob Lee"']],
    ['actor:lee@|', ['"Bob Lee"']],
    ['feature:da|', ['dark-mode']],
    ['after:tue|', ['tuesday']],
    ['id:1|', []],
    ['dark|', ['feature:dark-mode']],
  ])('for %s match what was typed', (marked, options) => {
    expect(offered(marked, 4)).toEqual(options);
  });
});

test('a chosen suggestion replaces what was typed', () => {
  const source = 'env:pro type:x';
  const completion = complete(source, 7, choices);
  expect(applyOption(source, completion, 'production')).toEqual({
    text: 'env:production type:x',
    caret: 15,
    isComplete: true,
  });
  expect(applyOption('ty', complete('ty', 2, choices), 'type:')).toEqual({
    text: 'type:',
    caret: 5,
    isComplete: false,
  });
});
