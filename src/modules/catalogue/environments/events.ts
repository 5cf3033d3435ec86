import { defineEvent } from '../../events/index.ts';
import type { Environment } from './contract.ts';

export const environmentCreated = defineEvent<Environment>({
  type: 'environment-created',
  summary: ({ user, environment, data, text }) =>
    `${user} created ${text(data.type)} environment ${environment}`,
});

export const environmentUpdated = defineEvent<Environment>({
  type: 'environment-updated',
  summary: ({ user, environment, data, preData }) => {
    if (data.enabled !== preData.enabled) {
      // It is about new projects only: features of existing ones stay enabled.
      return data.enabled
        ? `${user} added environment ${environment} to new projects`
        : `${user} excluded environment ${environment} from new projects`;
    }
    return `${user} updated environment ${environment}`;
  },
});

export const environmentDeleted = defineEvent<Environment>({
  type: 'environment-deleted',
  summary: ({ user, environment }) => `${user} deleted environment ${environment}`,
});
