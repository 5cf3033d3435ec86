import type { Provider } from './provider.ts';

/** Every kind of receiver, in the order in which they are offered. */
export const providers: readonly Provider[] = [];

export const findProvider = (name: string): Provider | undefined =>
  providers.find((provider) => provider.name === name);
