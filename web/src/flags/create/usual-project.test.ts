import { expect, test } from 'vitest';
import { usualProject } from './usual-project.ts';

const project = (id: string, favorite = false) => ({ id, favorite });

test.each([
  ['the project opened last', [project('a'), project('b')], ['b', 'a'], 'b'],
  ['one that allows it', [project('a'), project('b')], ['c', 'b'], 'b'],
  ['a favorite, if none was opened', [project('a'), project('b', true)], [], 'b'],
  ['the first one otherwise', [project('a'), project('b')], [], 'a'],
  ['none, if none allows it', [], ['a'], undefined],
])('the suggested project for a new feature is %s', (_, allowed, opened, id) => {
  expect(usualProject(allowed, opened)).toBe(id);
});
