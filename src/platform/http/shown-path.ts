/** What follows these in a path is a secret, or may be one. */
const beforeSecrets = /(\/(?:api-tokens|invite|invite-link\/tokens)\/)[^/]+/g;
/** A secret of ours looks like this wherever it stands. */
const secretLike = /[0-9a-f]{40,}/gi;

/** A text without what looks like a secret of ours. */
export const withoutSecrets = (text: string): string => text.replace(secretLike, '*****');

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/**
 * The path of a request as its answer may repeat it: without its query and its secrets. It is read as
 * the router reads it, which decodes it and forgives doubled slashes.
 */
export const shownPath = ({ url }: { readonly url: string }): string =>
  withoutSecrets(
    decoded(url.split('?', 1)[0] ?? '')
      .replace(/\/{2,}/g, '/')
      .replace(beforeSecrets, '$1*****'),
  );
