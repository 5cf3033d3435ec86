import { Type } from 'typebox';

/** The path parameter that names the project in which a permission is needed. */
export const scope = 'projectId';

const names = { projectId: Type.String(), featureName: Type.String() };

export const featurePath = '/api/admin/projects/:projectId/features/:featureName';
export const featureParams = Type.Object(names);

export const featureEnvironmentPath = `${featurePath}/environments/:environment` as const;
export const featureEnvironmentParams = Type.Object({ ...names, environment: Type.String() });

export const strategyPath = `${featureEnvironmentPath}/strategies/:strategyId` as const;
export const strategyParams = Type.Object({
  ...names,
  environment: Type.String(),
  strategyId: Type.String(),
});

/** The address of a feature, as services take it. */
export const addressOf = ({
  projectId,
  featureName,
}: {
  readonly projectId: string;
  readonly featureName: string;
}) => ({ project: projectId, feature: featureName });

/** A feature in an environment of its project, as services take it. */
export interface EnvironmentAddress {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
}

export const environmentAddressOf = ({
  projectId,
  featureName,
  environment,
}: {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
}): EnvironmentAddress => ({ project: projectId, featureName, environment });
