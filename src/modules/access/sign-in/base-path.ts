/** Where the installation lies on its host: '' or such as '/flags', without a slash at its end. */
export const basePathOf = (baseUrl: string): string =>
  new URL(baseUrl).pathname.replace(/\/+$/, '');
