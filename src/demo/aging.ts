import { recordSomeDue } from '../modules/insights/health/index.ts';
import type { Chapter } from './chapter.ts';

const days = 185;

/**
 * Every night the installation told of features that had passed the lifetime of their type. Otherwise the first start
 * would tell of all of them at once, as the newest that happened.
 */
export const aging: readonly Chapter[] = Array.from({ length: days }, (_, index) => ({
  daysAgo: days - index - 0.99,
  requests: [],
  run: recordSomeDue,
}));
