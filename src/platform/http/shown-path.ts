/** What follows these in a path is a secret, or may be one. */
const beforeSecrets = /(\/(?:api-tokens|invite|invite-link\/tokens)\/)[^/]+/g;
/** A secret of ours looks like this wherever it stands. */
const secretLike = /[0-9a-f]{40,}/gi;

/** The path of a request as a log line or an answer may show it: without its query and its secrets. */
export const shownPath = ({ url }: { readonly url: string }): string =>
  (url.split('?', 1)[0] ?? '').replace(beforeSecrets, '$1*****').replace(secretLike, '*****');
