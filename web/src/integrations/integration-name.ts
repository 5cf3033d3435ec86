import type { Integration, Provider } from './words.ts';

/** Its description, else its provider and id: "Slack 3". */
export const nameOf = (
  { description, provider, id }: Pick<Integration, 'description' | 'provider' | 'id'>,
  providers: readonly Provider[] = [],
): string =>
  description ||
  `${providers.find(({ name }) => name === provider)?.displayName ?? provider} ${id}`;
