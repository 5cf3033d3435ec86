interface Item {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** The height of the app's header, below which the heading of the day sticks. */
const headerHeight = 56;

/** The height of the heading of a day: a line of 17 px, its padding and its border. */
export const dayHeight = 34;

/**
 * The row whose day the sticky heading shows. A heading in the list replaces it only when both are in the same place, so
 * that a day is never shown twice.
 */
export function indexUnderHeading(
  items: readonly Item[],
  scrollOffset: number,
  beginsDay: (index: number) => boolean,
): number {
  const sticky = scrollOffset + headerHeight;
  const first = items.find(({ end }) => end > sticky + dayHeight);
  if (!first) return 0;
  return beginsDay(first.index) && first.start > sticky ? first.index - 1 : first.index;
}
