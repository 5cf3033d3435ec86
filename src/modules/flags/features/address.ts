/** Where a feature is, as services take it. */
export const addressOf = ({
  projectId,
  featureName,
}: {
  readonly projectId: string;
  readonly featureName: string;
}) => ({ project: projectId, feature: featureName });
