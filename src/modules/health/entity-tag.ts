/** Whether the tag of an answer is among those that If-None-Match names; weak ones count for a read. */
export const isNamed = (header: string | undefined, tag: string): boolean =>
  (header ?? '')
    .split(',')
    .map((each) => each.trim())
    .some((each) => each === '*' || each === tag || each === `W/${tag}`);
