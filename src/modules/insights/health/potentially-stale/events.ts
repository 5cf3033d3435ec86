import { counted } from '../../../../platform/counted.ts';
import { defineEvent } from '../../../events/index.ts';

interface PotentiallyStale {
  type: string;
  lifetimeDays: number;
  /** When its lifetime, or a longer snooze, ended. */
  dueAt: string;
}

export const featurePotentiallyStaleOn = defineEvent<PotentiallyStale>({
  type: 'feature-potentially-stale-on',
  summary: ({ feature, data, text }) =>
    `${feature} is potentially stale: ${text(data.type)} features are expected to live ${counted(Number(data.lifetimeDays), 'day')}`,
});
