import { defineEvent } from '../../../events/index.ts';

interface Completion {
  status: string;
  statusValue?: string;
  kept: boolean;
}

export const featureCompleted = defineEvent<Completion>({
  type: 'feature-completed',
  summary: ({ user, feature, data, bold, text }) => {
    const value = data.statusValue === undefined ? '' : ` with variant ${bold(data.statusValue)}`;
    return `${user} completed ${feature} as ${text(data.status)}${value}`;
  },
});

export const featureUncompleted = defineEvent<null>({
  type: 'feature-uncompleted',
  summary: ({ user, feature }) => `${user} marked ${feature} as not completed`,
});
