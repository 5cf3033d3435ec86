import { defineEvent } from '../../../events/index.ts';

export const featureEnvironmentEnabled = defineEvent<null>({
  type: 'feature-environment-enabled',
  summary: ({ user, feature, where }) => `${user} enabled ${feature}${where}`,
});

export const featureEnvironmentDisabled = defineEvent<null>({
  type: 'feature-environment-disabled',
  summary: ({ user, feature, where }) => `${user} disabled ${feature}${where}`,
});
