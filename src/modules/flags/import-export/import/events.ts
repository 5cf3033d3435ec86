import { counted } from '../../../../platform/counted.ts';
import { defineEvent } from '../../../events/index.ts';

/** Counts every kind of change. Each change has an event of its own. */
export const featuresImported = defineEvent<Readonly<Record<string, number>>>({
  type: 'features-imported',
  summary: ({ user, project, environment, data }) =>
    `${user} imported ${counted(Number(data.features), 'feature')} to ${environment} in ${project}`,
});
