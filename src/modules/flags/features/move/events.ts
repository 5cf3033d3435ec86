import { defineEvent } from '../../../events/index.ts';

/** Leaves out a private old project: readers of the event see the new project, but maybe not the old one. */
export const featureProjectChange = defineEvent<{ newProject: string; oldProject?: string }>({
  type: 'feature-project-change',
  summary: ({ user, feature, project, data, bold }) => {
    const from = data.oldProject === undefined ? '' : ` from ${bold(data.oldProject)}`;
    return `${user} moved ${feature}${from} to ${project}`;
  },
});
