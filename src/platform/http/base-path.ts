/** Returns the path of BASE_URL without a trailing slash: '' or, for example, '/burgee'. */
export const basePathOf = (baseUrl: string): string =>
  new URL(baseUrl).pathname.replace(/\/+$/, '');
