import { expect, test } from 'vitest';
import { readChannels, taggedChannels } from './channels.ts';

test('channels are separated by commas and duplicates are removed', () => {
  expect(readChannels(' #releases, ops ,, #Releases,# ,#ops')).toEqual(['#releases', '#ops']);
  expect(readChannels(' , #')).toEqual([]);
});

test('ids and users stay unchanged', () => {
  expect(readChannels('#C024BE91L, C0123ABCDEF, @ada, CHANGELOG')).toEqual([
    'C024BE91L',
    'C0123ABCDEF',
    '@ada',
    '#changelog',
  ]);
});

test('only tags of the type slack name channels', () => {
  expect(
    taggedChannels([
      { type: 'simple', value: 'payments' },
      { type: 'slack', value: 'a, b' },
      { type: 'slack', value: '#b' },
    ]),
  ).toEqual(['#a', '#b']);
});
