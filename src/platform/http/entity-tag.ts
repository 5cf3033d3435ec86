const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether the tag of an answer is among those that If-None-Match names, as weak tags are compared. */
export function isNamed(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((each) => opaque(each) === opaque(tag));
}
