import { expect, test } from 'vitest';
import { detailChanges } from './segment-words.ts';

const nordics = { name: 'Nordics', description: '', project: '', constraints: [] };
const nameOf = (id: string) => (id === 'shop' ? 'Web shop' : id);

test.each([
  [{}, []],
  [{ name: 'North' }, ['Name: Nordics → North']],
  [{ description: 'Up there' }, ['Description: “Up there”']],
  [{ project: 'shop' }, ['Available in: all projects → Web shop only']],
])('a review lists the change %j', (change, lines) => {
  expect(detailChanges(nordics, { ...nordics, ...change }, nameOf)).toEqual(lines);
});

test('a description that was removed is not quoted', () => {
  const described = { ...nordics, description: 'Up there' };
  expect(detailChanges(described, nordics, nameOf)).toEqual(['Description: none']);
});
