import { defineEvent } from '../../../events/index.ts';

interface PotentiallyStale {
  type: string;
  lifetimeDays: number;
  /** When its lifetime, or a longer snooze, ended. */
  dueAt: string;
}

export const featurePotentiallyStaleOn = defineEvent<PotentiallyStale>({
  type: 'feature-potentially-stale-on',
  summary: ({ feature, project, data, bold }) =>
    `The feature ${feature} in the project ${project} is potentially stale: the expected lifetime of the type ${bold(data.type)} is ${bold(data.lifetimeDays)} days`,
});
