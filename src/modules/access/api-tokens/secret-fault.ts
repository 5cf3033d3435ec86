/** Of the part that cannot be known from a token's projects and environment. Our own have 56. */
const shortest = 16;
/** A request header has room for more, but no product makes longer ones. */
const longest = 500;

/**
 * Why a secret that was made elsewhere cannot be the secret of a token; undefined if it can. It must not be guessed, and it
 * must fit into a header.
 */
export function secretFault(secret: string): string | undefined {
  if (secret.length > longest) return `has more than ${longest} characters`;
  if (!/^[!-+\--~]+$/.test(secret)) {
    return 'must have only visible ASCII characters, without spaces and commas';
  }
  const { length } = secret.slice(secret.indexOf('.') + 1);
  return length < shortest
    ? `can be guessed: it must have at least ${shortest} characters after the environment`
    : undefined;
}
