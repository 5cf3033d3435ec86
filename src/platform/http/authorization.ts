/**
 * The token of an Authorization header, with or without `Bearer`. A header without one gives the empty string, which is
 * no token.
 */
export function tokenFromHeader(header: string): string {
  const credential = header
    .trim()
    .replace(/^bearer\s+/i, '')
    .trim();
  return /[\s,]/.test(credential) ? '' : credential;
}
