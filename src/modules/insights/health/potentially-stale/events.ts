import { defineEvent } from '../../../events/index.ts';

interface Due {
  type: string;
  lifetimeDays: number;
  /** Of the lifetime, or of the day until which people put that off. */
  dueAt: string;
}

export const featurePotentiallyStaleOn = defineEvent<Due>({
  type: 'feature-potentially-stale-on',
  label: 'Feature potentially stale',
  summary: ({ feature, project, data, bold }) =>
    `The feature ${feature} in the project ${project} is potentially stale: features of the type ${bold(data.type)} usually live ${bold(data.lifetimeDays)} days`,
});
