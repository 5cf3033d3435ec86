import { Type } from 'typebox';

/** The path parameter that names the project in which a permission is needed. */
export const scope = 'projectId';

const names = { projectId: Type.String(), featureName: Type.String() };

export const featurePath = '/api/admin/projects/:projectId/features/:featureName';
export const featureParams = Type.Object(names);

export const featureEnvironmentPath = `${featurePath}/environments/:environment` as const;
export const featureEnvironmentParams = Type.Object({ ...names, environment: Type.String() });

/** Where a feature is, as services take it. */
export const addressOf = ({
  projectId,
  featureName,
}: {
  readonly projectId: string;
  readonly featureName: string;
}) => ({ project: projectId, feature: featureName });
