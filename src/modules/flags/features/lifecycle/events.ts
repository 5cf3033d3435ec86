import { defineEvent } from '../../../events/index.ts';

interface Completion {
  status: string;
  statusValue?: string;
  kept: boolean;
}

export const featureCompleted = defineEvent<Completion>({
  type: 'feature-completed',
  summary: ({ user, feature, project, data, bold }) => {
    const value =
      data.statusValue === undefined ? '' : ` with the variant ${bold(data.statusValue)}`;
    return `${user} completed the feature ${feature} in the project ${project}: it is ${bold(data.status)}${value}`;
  },
});

export const featureUncompleted = defineEvent<null>({
  type: 'feature-uncompleted',
  summary: ({ user, feature, project }) =>
    `${user} marked the feature ${feature} in the project ${project} as not completed`,
});
