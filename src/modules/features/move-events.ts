import { defineEvent } from '../events/index.ts';

export const featureProjectChange = defineEvent<{ newProject: string; oldProject: string }>({
  type: 'feature-project-change',
  label: 'Feature moved',
  summary: ({ user, feature, project, data, bold }) =>
    `${user} moved the feature ${feature} from the project ${bold(data.oldProject)} to the project ${project}`,
});
