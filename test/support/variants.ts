import type { TestApp } from './app.ts';
import { featureEnvironmentPath } from './strategies.ts';

/** A strategy variant, by default the only one. */
export const strategyVariant = (name: string, more: object = {}) => ({
  name,
  weight: 1000,
  weightType: 'variable' as const,
  stickiness: 'default',
  ...more,
});

/** A feature variant as stored, with defaults for everything that is not set. */
export const variant = (name: string, weight = 1000, more: object = {}) => ({
  ...strategyVariant(name),
  weight,
  overrides: [],
  ...more,
});

/** The event of changed variants in an environment. */
export const variantsUpdated = (environment: string | null, data: object[], preData: object[]) => ({
  type: 'feature-environment-variants-updated',
  project: 'default',
  environment,
  data: { variants: data },
  preData: { variants: preData },
});

export const variantsPath = (feature: string, environment = 'development') =>
  `${featureEnvironmentPath(feature, { environment })}/variants`;

/** Requests for the variants of features in the default project, in development unless overridden. */
export const variantsOn = ({ ask }: Pick<TestApp, 'ask'>) => ({
  kept: async (feature: string, environment?: string) =>
    (await ask(`GET ${variantsPath(feature, environment)}`)).json().variants,

  put: (feature: string, payload: unknown, environment?: string) =>
    ask(`PUT ${variantsPath(feature, environment)}`, { payload: payload as object }),

  patch: (feature: string, payload: unknown, environment?: string) =>
    ask(`PATCH ${variantsPath(feature, environment)}`, { payload: payload as object }),
});
