/** Paths whose next step is a secret, or may be one. */
const beforeSecrets = /(\/(?:api-tokens|invite|invite-link\/tokens)\/)[^/]+/g;
/** Matches our secrets anywhere. */
const secretLike = /[0-9a-f]{40,}/gi;

/** Removes everything that looks like one of our secrets. */
export const withoutSecrets = (text: string): string => text.replace(secretLike, '*****');

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/**
 * Returns a request's path for its response, without query and secrets. It is decoded like in the router, which also
 * ignores doubled slashes.
 */
export const shownPath = ({ url }: { readonly url: string }): string =>
  withoutSecrets(
    decoded(url.split('?', 1)[0] ?? '')
      .replace(/\/{2,}/g, '/')
      .replace(beforeSecrets, '$1*****'),
  );
