import { expect, test } from 'vitest';
import { withAuthor } from './conflict-authors.ts';

const by = (createdBy: string, createdByUserId: number) => ({ createdBy, createdByUserId });

test('a conflict names everyone else who changed the same thing, each once', () => {
  const me = 1;
  const events = [by('ada', 2), by('me', me), by('bob', 3), by('ada', 2)];
  expect(
    events
      .reduce<ReturnType<typeof by>[]>((authors, event) => [...withAuthor(authors, event, me)], [])
      .map(({ createdBy }) => createdBy),
  ).toEqual(['ada', 'bob']);
});
