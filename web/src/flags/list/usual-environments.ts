/** The first environments, and production in any case: it is what most people look for. */
export function usualOf(
  environments: readonly { readonly name: string; readonly type: string }[],
  /** More would leave no room for the name; the others can be chosen. */
  most: number,
): string[] {
  const production = environments.filter(({ type }) => type === 'production');
  const others = environments.filter(({ type }) => type !== 'production');
  const kept = production.slice(0, Math.max(1, most - others.length));
  const chosen = new Set([...kept, ...others.slice(0, most - kept.length)]);
  return environments.filter((environment) => chosen.has(environment)).map(({ name }) => name);
}
