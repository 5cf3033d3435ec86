/**
 * The page to return to after signing in. Only paths of this installation, and nothing that a browser would read as the
 * address of another site.
 */
export function returnPath(input: unknown, fallback: string): string {
  if (typeof input !== 'string' || input.length > 2000) return fallback;
  const here = 'https://here.invalid';
  if (!input.startsWith('/') || /[\\\p{C}]/u.test(input) || !URL.canParse(input, here))
    return fallback;
  const url = new URL(input, here);
  if (url.origin !== here || url.pathname.startsWith('//')) return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}
