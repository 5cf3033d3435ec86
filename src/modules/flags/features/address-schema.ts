import { Type } from 'typebox';

/** The path parameter that names the project in which a permission is needed. */
export const scope = 'projectId';

export const projectPath = '/api/admin/projects/:projectId';
export const projectParams = Type.Object({ projectId: Type.String() });

/** Of several features of a project. */
export const FeatureNamesSchema = Type.Array(Type.String(), {
  maxItems: 1000,
  description: 'Names of features; duplicates count once',
});

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
