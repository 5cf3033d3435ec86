import { expect, test } from 'vitest';
import { readState, sealed, writtenState } from './state.ts';

const url = 'https://edge:hush@burgee.example.com';
const state = { revision: 7, tokens: [], refused: [], sources: [] };

test('a state names its upstream without a password', () => {
  const text = writtenState(state, url);
  expect(text).not.toContain('hush');
  expect(readState(text, url)).toEqual(state);
  expect(() => readState(text, 'https://burgee.example.com')).toThrow('another upstream');
});

test('a state with the URL of its upstream is read', () => {
  expect(readState(sealed({ upstream: url, ...state }), url)).toEqual(state);
});
