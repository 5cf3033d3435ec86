/** The path of BASE_URL without a final slash: '' or, behind a prefix, '/burgee'. */
export const basePathOf = (baseUrl: string): string =>
  new URL(baseUrl).pathname.replace(/\/+$/, '');
