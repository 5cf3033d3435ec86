import { defineEvent } from '../../events/index.ts';
import type { Environment } from './contract.ts';

export const environmentCreated = defineEvent<Environment>({
  type: 'environment-created',
  summary: ({ user, environment, data, bold }) =>
    `${user} created the environment ${environment} of type ${bold(data.type)}`,
});

export const environmentUpdated = defineEvent<Environment>({
  type: 'environment-updated',
  summary: ({ user, environment, data, preData }) => {
    if (data.enabled !== preData.enabled) {
      return `${user} switched the environment ${environment} ${data.enabled ? 'on' : 'off'}`;
    }
    return `${user} changed the environment ${environment}`;
  },
});

export const environmentDeleted = defineEvent<Environment>({
  type: 'environment-deleted',
  summary: ({ user, environment }) => `${user} deleted the environment ${environment}`,
});
