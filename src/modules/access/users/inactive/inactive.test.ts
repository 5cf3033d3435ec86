import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { pathsOf } from '../../../../../test/support/faults.ts';
import { person } from '../../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';

const dayMs = 86_400_000;
const now = Date.UTC(2026, 5, 1);
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: () => new Date(now) });
});

const inactive = '/api/admin/user-admin/inactive';
const remove = (ids: readonly unknown[]) =>
  app.ask(`POST ${inactive}/delete`, { payload: { ids } });
const ids = async (): Promise<number[]> =>
  (await app.ask(`GET ${inactive}`)).json().inactiveUsers.map(({ id }: { id: number }) => id);

/** A user created, and optionally last seen, this many days ago. */
async function since(created: number, seen?: number, input: Parameters<typeof person>[1] = {}) {
  const somebody = await person(app, input);
  await app.db
    .updateTable('users')
    .set({ created_at: new Date(now - created * dayMs) })
    .where('id', '=', somebody.id)
    .execute();
  if (seen !== undefined) {
    await app.db
      .insertInto('last_seen')
      .values({ kind: 'account', id: somebody.id, seen_at: new Date(now - seen * dayMs) })
      .execute();
  }
  return somebody;
}

describe('inactive users', () => {
  test('were neither created nor seen for 180 days', async () => {
    const never = await since(181);
    const long = await since(400, 181);
    const lately = await since(400, 179);
    const fresh = await since(179);
    const service = await since(400, 300, { kind: 'service account' });
    const { version, inactiveUsers } = (await app.ask(`GET ${inactive}`)).json();
    expect(version).toBe(1);
    const findUser = (id: number) => inactiveUsers.find((each: { id: number }) => each.id === id);
    expect(findUser(never.id)).toEqual({
      id: never.id,
      name: never.name,
      username: never.name,
      createdAt: new Date(now - 181 * dayMs).toISOString(),
    });
    expect(findUser(long.id)).toMatchObject({ seenAt: new Date(now - 181 * dayMs).toISOString() });
    for (const { id } of [lately, fresh, service]) expect(findUser(id)).toBeUndefined();
  });

  test('can be deleted, with one event for each', async () => {
    const [one, two] = [await since(200), await since(200)];
    const response = await remove([two.id, one.id, two.id]);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, response)).toMatchObject([
      { type: 'user-deleted', preData: { id: one.id, username: one.name } },
      { type: 'user-deleted', preData: { id: two.id } },
    ]);
    expect(await ids()).not.toContain(one.id);
  });

  test('are deleted even if they became active meanwhile, because the request names them', async () => {
    const active = await since(10);
    expect((await remove([active.id])).statusCode).toBe(200);
    expect((await app.ask(`GET /api/admin/user-admin/${active.id}`)).statusCode).toBe(404);
  });

  test('may be given as an empty list, which deletes and records nothing', async () => {
    const before = await countEvents(app.db);
    expect((await remove([])).statusCode).toBe(200);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('are deleted all or none: unknown ids, service accounts and oneself are reported', async () => {
    const dormant = await since(200);
    const service = await since(400, 300, { kind: 'service account' });
    const before = await countEvents(app.db);
    const response = await remove([dormant.id, service.id, 2_000_000_000]);
    expect([response.statusCode, pathsOf(response)]).toEqual([400, ['/body/ids/1', '/body/ids/2']]);
    const boss = await since(400, undefined, { rootRole: 1 });
    const own = await boss.ask(`POST ${inactive}/delete`, { payload: { ids: [boss.id] } });
    expect([own.statusCode, pathsOf(own)]).toEqual([400, ['/body/ids/0']]);
    for (const wrong of [['1'], [0], Array.from({ length: 1001 }, () => dormant.id)]) {
      expect((await remove(wrong)).statusCode).toBe(400);
    }
    expect(await countEvents(app.db)).toBe(before);
    expect(await ids()).toContain(dormant.id);
  });

  test('can be deleted even if one is the only owner of a project', async () => {
    const dormant = await since(200);
    const owner = await since(200, undefined, { roles: { default: 4 } });
    expect((await remove([dormant.id, owner.id])).statusCode).toBe(200);
    expect(await ids()).not.toContain(owner.id);
  });
});
