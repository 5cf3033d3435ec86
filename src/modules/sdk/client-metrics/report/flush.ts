import type { Services } from '../../../../platform/module.ts';

/** A reader sees what this instance received until now, and what other instances received a second ago. */
export const flushUsage = ({ usage }: Pick<Services, 'usage'>): Promise<void> =>
  usage.flush().catch(() => undefined);
