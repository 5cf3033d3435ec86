import type { TestApp } from './app.ts';
import { featureEnvironmentPath } from './strategies.ts';

/** A variant of a strategy, which is alone unless told otherwise. */
export const strategyVariant = (name: string, more: object = {}) => ({
  name,
  weight: 1000,
  weightType: 'variable' as const,
  stickiness: 'default',
  ...more,
});

/** A variant of a feature as it is kept: what nobody said has its default. */
export const variant = (name: string, weight = 1000, more: object = {}) => ({
  ...strategyVariant(name),
  weight,
  overrides: [],
  ...more,
});

/** The event that tells of other variants in an environment. */
export const variantsUpdated = (environment: string | null, data: object[], preData: object[]) => ({
  type: 'feature-environment-variants-updated',
  project: 'default',
  environment,
  data: { variants: data },
  preData: { variants: preData },
});

export const variantsPath = (feature: string, environment = 'development') =>
  `${featureEnvironmentPath(feature, { environment })}/variants`;

/** Asks about the variants of features of the default project, in development unless told otherwise. */
export const variantsOn = ({ ask }: Pick<TestApp, 'ask'>) => ({
  kept: async (feature: string, environment?: string) =>
    (await ask(`GET ${variantsPath(feature, environment)}`)).json().variants,

  put: (feature: string, payload: unknown, environment?: string) =>
    ask(`PUT ${variantsPath(feature, environment)}`, { payload: payload as object }),

  patch: (feature: string, payload: unknown, environment?: string) =>
    ask(`PATCH ${variantsPath(feature, environment)}`, { payload: payload as object }),
});
