import { counterOf, type Rule } from '../../src/modules/access/sign-in/attempts/throttle.ts';
import type { TestApp } from './app.ts';

/** Counts attempts without making them: a hundred log-ins take seconds, and their counter is one row. */
export async function countAttempts(
  { db }: Pick<TestApp, 'db'>,
  rule: Rule,
  { subject, count, now }: { subject: string; count: number; now: Date },
): Promise<void> {
  const { key, windowStart } = counterOf(rule, subject, now);
  await db
    .insertInto('sign_in_attempts')
    .values({ key, window_start: windowStart, count })
    .onConflict((conflict) =>
      conflict
        .columns(['key', 'window_start'])
        .doUpdateSet(({ eb, ref }) => ({ count: eb(ref('sign_in_attempts.count'), '+', count) })),
    )
    .execute();
}
