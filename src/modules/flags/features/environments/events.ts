import { defineEvent } from '../../../events/index.ts';

export const featureEnvironmentEnabled = defineEvent<null>({
  type: 'feature-environment-enabled',
  summary: ({ user, feature, project, environment }) =>
    `${user} switched the feature ${feature} on in the environment ${environment} of the project ${project}`,
});

export const featureEnvironmentDisabled = defineEvent<null>({
  type: 'feature-environment-disabled',
  summary: ({ user, feature, project, environment }) =>
    `${user} switched the feature ${feature} off in the environment ${environment} of the project ${project}`,
});
