/**
 * Where somebody wanted to go before they had to sign in: a path of ours, and nothing that a browser
 * would read as the address of another site.
 */
export function returnPath(wish: unknown, fallback: string): string {
  if (typeof wish !== 'string' || wish.length > 2000) return fallback;
  const here = 'https://here.invalid';
  if (!wish.startsWith('/') || /[\\\p{C}]/u.test(wish) || !URL.canParse(wish, here))
    return fallback;
  const url = new URL(wish, here);
  if (url.origin !== here || url.pathname.startsWith('//')) return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}
