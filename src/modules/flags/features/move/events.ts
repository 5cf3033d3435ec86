import { defineEvent } from '../../../events/index.ts';

/** Without the old project where that is private: who sees the new one may not know it. */
export const featureProjectChange = defineEvent<{ newProject: string; oldProject?: string }>({
  type: 'feature-project-change',
  label: 'Feature moved',
  summary: ({ user, feature, project, data, bold }) => {
    const from = data.oldProject === undefined ? '' : ` from the project ${bold(data.oldProject)}`;
    return `${user} moved the feature ${feature}${from} to the project ${project}`;
  },
});
