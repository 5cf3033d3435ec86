import { defineEvent } from '../../../events/index.ts';

const numbered = (count: unknown) => `${count} ${count === 1 ? 'feature' : 'features'}`;

/** Counts every kind of change. Each change has an event of its own. */
export const featuresImported = defineEvent<Readonly<Record<string, number>>>({
  type: 'features-imported',
  summary: ({ user, project, environment, data }) =>
    `${user} imported ${numbered(data.features)} into the environment ${environment} of the project ${project}`,
});
