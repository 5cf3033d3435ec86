import { expect, test } from 'vitest';
import { readAllPages } from './pages.ts';

const pageSize = 20;
const names = (count: number, prefix = 'f') =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`);

/** A sorted list that `change` changes after each page, given how many have been read. */
function listed(initial: readonly string[], change: (list: string[], pages: number) => void) {
  const list = [...initial];
  let pages = 0;
  const read = readAllPages<string>({
    ...{ what: 'features', mostRows: 1000, keyOf: (row) => row },
    readPage: async (offset) => {
      const rows = list.toSorted().slice(offset, offset + pageSize);
      pages += 1;
      change(list, pages);
      return { rows, isLast: rows.length < pageSize };
    },
  });
  return { read, pages: () => pages };
}

const remove = (list: string[], count: number) => list.splice(0, count);

test('a list that does not change is read completely in one pass', async () => {
  for (const count of [0, 1, 19, 20, 21, 30, 55, 100]) {
    const { read, pages } = listed(names(count), () => undefined);
    expect(await read).toEqual(names(count));
    expect(pages()).toBeLessThanOrEqual(1 + Math.floor(count / 10));
  }
});

test.each([1, 5, 10, 11, 40])(
  'no row is missed if %d rows of the first page are deleted meanwhile',
  async (count) => {
    const { read } = listed(names(100), (list, pages) => {
      if (pages === 1) remove(list, count);
    });
    expect(await read).toEqual(expect.arrayContaining(names(100).slice(count)));
  },
);

test.each([1, 15, 60])('no row is missed if %d rows are inserted meanwhile', async (count) => {
  const { read } = listed(names(100), (list, pages) => {
    if (pages === 2) list.push(...names(count, 'a'));
  });
  expect(await read).toEqual(expect.arrayContaining(names(100)));
});

test('a list that keeps changing by more than the overlap fails after 5 attempts', async () => {
  const { read, pages } = listed(names(900), (list) => {
    remove(list, 15);
  });
  await expect(read).rejects.toThrow(
    "The list of features couldn't be read without gaps in 5 attempts",
  );
  expect(pages()).toBe(10);
});

test('a list that the server lacks is undefined', async () => {
  const list = { what: 'features', mostRows: 1, keyOf: String, readPage: async () => undefined };
  expect(await readAllPages(list)).toBeUndefined();
});
