/** Whether two values of JSON are the same, whatever the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return false;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const present = (value: object) =>
    Object.entries(value).filter(([, each]) => each !== undefined) as [string, unknown][];
  const [mine, theirs] = [present(one), new Map(present(other))];
  return (
    mine.length === theirs.size &&
    mine.every(([key, each]) => theirs.has(key) && isSame(each, theirs.get(key)))
  );
}
