import { expect, test } from 'vitest';
import { dayHeight, indexUnderHeading } from './sticky-day.ts';

/** Rows of 40 px that begin below the header; the third one begins a day, and is higher by its heading. */
const items = [
  { index: 0, start: 300, end: 340 },
  { index: 1, start: 340, end: 380 },
  { index: 2, start: 380, end: 420 + dayHeight },
  { index: 3, start: 420 + dayHeight, end: 460 + dayHeight },
];
const beginsDay = (index: number) => index === 2;

test.each([
  [0, 0],
  // The second row ends below the sticky heading, and the third one is next.
  [289, 1],
  // The heading of the third row is still visible below the sticky one.
  [291, 1],
  [323, 1],
  // Both headings are in the same place.
  [324, 2],
  [363, 2],
  [364, 3],
])(
  'when the log is scrolled by %i px, the heading shows the day of row %i',
  (scrollOffset, index) => {
    expect(indexUnderHeading(items, scrollOffset, beginsDay)).toBe(index);
  },
);
