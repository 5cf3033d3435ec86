import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testActor, testApp } from '../../../../test/support/app.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { appendingRecorded, defineEvent, record, recordEach, verifyLog } from '../index.ts';

const counted = defineEvent<{ nth: number; text: string }>({
  type: 'feature-updated',
  label: 'Told',
  summary: ({ user }) => user,
});

const large = (nth: number) =>
  counted({
    featureName: `f-${nth}`,
    project: 'default',
    data: { nth, text: 'x'.repeat(700_000) },
  });

const transaction = () => ({ actor: testActor, now: new Date() }) as unknown as Tx;

test('large events of one transaction are written by several statements and form one chain', async () => {
  const { db, transact } = await testApp();
  const apart = transaction();
  for (let nth = 0; nth < 4; nth += 1) record(apart, large(nth));
  expect(await appendingRecorded(apart)).toHaveLength(4);

  await transact(testActor, async (tx) => {
    for (let nth = 0; nth < 4; nth += 1) record(tx, large(nth));
  });
  const rows = await db
    .selectFrom('events')
    .where('feature_name', 'like', 'f-%')
    .orderBy('id')
    .select(['id', 'feature_name as feature'])
    .execute();
  const [first] = rows;
  expect(rows).toEqual(
    [0, 1, 2, 3].map((nth) => ({ id: Number(first?.id) + nth, feature: `f-${nth}` })),
  );
  expect((await verifyLog(db)).fault).toBeUndefined();
});

test('other work proceeds while many events are drafted and hashed', async () => {
  const tx = transaction();
  // Every reading of the clock is 6 ms after the previous one, so that any machine appears slow.
  const now = performance.now.bind(performance);
  let aheadMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    aheadMs += 6;
    return now() + aheadMs;
  });
  onTestFinished(() => clock.mockRestore());
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await nextTurn();
      turns += 1;
    }
  })();
  const many = Array.from({ length: 200 }, (_, nth) => nth);
  await recordEach(tx, many, (nth) => counted({ data: { nth, text: 'y"'.repeat(500) } }));
  const whileDrafted = turns;
  await appendingRecorded(tx);
  const whileHashed = turns - whileDrafted;
  isOver = true;
  await others;
  // Without slices there would be none.
  expect(whileDrafted).toBeGreaterThan(20);
  expect(whileHashed).toBeGreaterThan(20);
});
