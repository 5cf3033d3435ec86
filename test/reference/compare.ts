/** A path at which two values differ. List items are `[]`, so that one path names all of them. */
export interface Difference {
  readonly at: string;
  readonly kind: 'other' | 'more' | 'less';
  readonly theirs?: unknown;
  readonly ours?: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** All differences between a response of the reference and ours. */
export function differences(theirs: unknown, ours: unknown, at = ''): Difference[] {
  if (isObject(theirs) && isObject(ours)) {
    const keys = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
    return [...keys].flatMap((key): Difference[] => {
      const place = at === '' ? key : `${at}.${key}`;
      if (!(key in theirs)) return [{ at: place, kind: 'more', ours: ours[key] }];
      if (!(key in ours)) return [{ at: place, kind: 'less', theirs: theirs[key] }];
      return differences(theirs[key], ours[key], place);
    });
  }
  if (Array.isArray(theirs) && Array.isArray(ours) && theirs.length === ours.length) {
    return theirs.flatMap((item, index) => differences(item, ours[index], `${at}[]`));
  }
  return JSON.stringify(theirs) === JSON.stringify(ours)
    ? []
    : [{ at, kind: 'other', theirs, ours }];
}
