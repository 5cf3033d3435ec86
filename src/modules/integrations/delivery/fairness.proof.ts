import { expect, test, vi } from 'vitest';
import { testActor, testApp } from '../../../../test/support/app.ts';
import { createProject, makeWebhook } from '../../../../test/support/integrations.ts';
import { startReceiver } from '../../../../test/support/receiver.ts';
import { defineEvent, record } from '../../events/index.ts';

const happened = defineEvent<object>({
  type: 'feature-created',
  label: 'Something happened',
  summary: ({ user, feature }) => `${user} made ${feature}`,
});

const backlog = 70;
const crowd = 3;
/** More than are sent at a time: the rest of the backlogs is pending while these wait for their responses. */
const held = 200;

const patience = { timeout: 60_000, interval: 20 };

test('three backlogs whose receivers are slow do not delay a fourth integration', async () => {
  const { ask, db, transact } = await testApp({ background: 'here' });
  let release = () => {};
  const isOtherTold = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The backlogs cannot end before the other receiver has its event, however slowly that is created.
  const busy = await startReceiver(async (_request, count) => {
    if (count >= crowd * backlog - held) await isOtherTold;
    return { status: 200 };
  });
  const ids: number[] = [];
  for (let number = 0; number < crowd; number += 1) {
    const { id } = await makeWebhook(ask, { url: busy.url, events: ['feature-created'] });
    expect((await ask(`POST /api/admin/addons/${id}/pause`)).statusCode).toBe(200);
    ids.push(id);
  }
  const countPending = async () => {
    const pending = db.selectFrom('deliveries').where('state', '=', 'pending');
    return (await pending.where('integration_id', 'in', ids).select('id').execute()).length;
  };
  await transact(testActor, async (tx) => {
    for (let number = 0; number < backlog; number += 1) {
      record(tx, happened({ project: 'default', featureName: `f-${number}`, data: { n: number } }));
    }
  });
  await vi.waitFor(async () => expect(await countPending()).toBe(crowd * backlog), patience);
  expect(busy.received).toEqual([]);

  let pendingThen = 0;
  const other = await startReceiver(async () => {
    pendingThen = await countPending();
    release();
    return { status: 200 };
  });
  await makeWebhook(ask, { url: other.url });
  for (const id of ids) {
    expect((await ask(`POST /api/admin/addons/${id}/resume`)).statusCode).toBe(200);
  }
  await vi.waitFor(() => expect(busy.received).not.toEqual([]), patience);
  await createProject(ask, 'beside');

  await isOtherTold;
  expect(pendingThen).toBeGreaterThan(0);
  // The other integrations also get their events, each once.
  await vi.waitFor(async () => expect(await countPending()).toBe(0), patience);
  expect(busy.received).toHaveLength(crowd * backlog);
  expect(other.received).toHaveLength(1);
});
