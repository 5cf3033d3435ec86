import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';
import { recordedBy } from '../../../../test/support/recorded.ts';
import { forgetEverywhere } from '../../../app/installation.ts';

const views = '/api/admin/saved-views';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const save = (who: Pick<Person, 'ask'>, view: object) =>
  who.ask(`POST ${views}`, {
    payload: { page: 'features', name: 'Stale', query: 'state=stale', ...view },
  });

const saved = async (who: Pick<Person, 'ask'>, view: object): Promise<number> => {
  const response = await save(who, view);
  expect(response.statusCode, response.body).toBe(201);
  return response.json().id;
};

const namesFor = async (who: Pick<Person, 'ask'>, query: string): Promise<string[]> =>
  (await who.ask(`GET ${views}?${query}`)).json().views.map(({ name }: { name: string }) => name);

describe('a saved view', () => {
  test('is listed only for its author until it is shared, by page', async () => {
    const [ada, bob] = [await person(app), await person(app)];
    const response = await save(ada, { name: 'Ours', query: 'state=stale&sortBy=name' });
    expect(response.json()).toEqual({
      id: expect.any(Number),
      page: 'features',
      project: null,
      name: 'Ours',
      query: 'state=stale&sortBy=name',
      shared: false,
      userId: ada.id,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await recordedBy(app.db, response)).toMatchObject([
      { type: 'user-preference-updated', project: null, data: { name: 'Ours', userId: ada.id } },
    ]);
    expect(await namesFor(ada, 'page=features')).toEqual(['Ours']);
    expect(await namesFor(ada, 'page=events')).toEqual([]);
    expect(await namesFor(bob, 'page=features')).toEqual([]);
    const { id } = response.json();
    const shared = await ada.ask(`PUT ${views}/${id}`, { payload: { shared: true } });
    expect(shared.json()).toMatchObject({ name: 'Ours', shared: true });
    expect(await recordedBy(app.db, shared)).toMatchObject([
      { type: 'user-preference-updated', data: { shared: true }, preData: { shared: false } },
    ]);
    expect(await namesFor(bob, 'page=features')).toEqual(['Ours']);
    const again = await ada.ask(`PUT ${views}/${id}`, { payload: { shared: true, name: 'Ours' } });
    expect(await recordedBy(app.db, again)).toEqual([]);
    await ada.ask(`DELETE ${views}/${id}`);
    expect(await namesFor(bob, 'page=features')).toEqual([]);
  });

  test('is changed and deleted by its author, and by admins if it is shared', async () => {
    const [ada, bob] = [await person(app), await person(app, { rootRole: 2 })];
    const admin = await person(app, { rootRole: 1 });
    const [own, shared] = [
      await saved(ada, { name: 'Own' }),
      await saved(ada, { name: 'Shared', shared: true }),
    ];
    const rename = (who: Person, id: number | string) =>
      who.ask(`PUT ${views}/${id}`, { payload: { name: 'Renamed' } });
    expect((await rename(bob, own)).statusCode).toBe(404);
    expect((await rename(admin, own)).statusCode).toBe(404);
    expect((await rename(bob, shared)).statusCode).toBe(403);
    expect((await bob.ask(`DELETE ${views}/${shared}`)).statusCode).toBe(403);
    expect((await rename(admin, shared)).json()).toMatchObject({ name: 'Renamed', userId: ada.id });
    expect((await admin.ask(`DELETE ${views}/${shared}`)).statusCode).toBe(200);
    for (const id of [shared, 'x', '99999999999', '2147483648']) {
      expect((await rename(ada, id)).statusCode).toBe(404);
    }
  });

  test('of a project is listed only there, and only for users who can see all of its projects', async () => {
    const [ada, bob] = [await person(app), await person(app)];
    await make(app.ask).project('hidden-here', { mode: 'private' });
    await app.ask(`PUT /api/admin/projects/hidden-here/users/${ada.id}/roles`, {
      payload: { roles: [4] },
    });
    await saved(ada, { name: 'Inside', project: 'hidden-here', shared: true });
    await saved(ada, { name: 'Names it', query: 'project=default,hidden-here', shared: true });
    await saved(ada, { name: 'Log', page: 'events', query: 'q=project:hidden-here', shared: true });
    await saved(ada, { name: 'Anyone', query: 'project=default', shared: true });
    await saved(ada, { name: 'Some', page: 'events', query: 'q=project:def*', shared: true });
    await saved(ada, { name: 'Others', page: 'events', query: 'q=project:hid*', shared: true });
    const inside = 'page=features&project=hidden-here';
    expect(await namesFor(ada, 'page=features')).toEqual(['Anyone', 'Names it']);
    expect(await namesFor(ada, inside)).toEqual(['Anyone', 'Inside', 'Names it']);
    expect(await namesFor(bob, inside)).toEqual(['Anyone']);
    expect(await namesFor(bob, 'page=events')).toEqual(['Some']);
    const refused = await save(bob, { project: 'hidden-here' });
    const absent = await save(bob, { project: 'nosuch' });
    expect([refused.statusCode, absent.statusCode]).toEqual([404, 404]);
  });

  test.each([
    [{ name: '' }],
    [{ name: 'x'.repeat(101) }],
    [{ page: 'segments' }],
    [{ query: 'q=x' }],
    [{ query: `query=${'x'.repeat(4000)}` }],
    [{ page: 'events', query: 'event=1' }],
  ])('is rejected if its name, page, or query is invalid: %j', async (view) => {
    const ada = await person(app);
    expect((await save(ada, view)).statusCode).toBe(400);
  });

  test('has a unique name, also after a change, and a valid query', async () => {
    const ada = await person(app);
    await saved(ada, { name: 'One' });
    const two = await saved(ada, { name: 'Two' });
    expect((await save(ada, { name: 'One' })).statusCode).toBe(409);
    const change = (payload: object) => ada.ask(`PUT ${views}/${two}`, { payload });
    expect((await change({ name: 'One' })).statusCode).toBe(409);
    expect((await change({ query: 'q=x' })).statusCode).toBe(400);
    // The event log and projects have their own names.
    await saved(ada, { name: 'One', page: 'events', query: 'q=x' });
    await saved(ada, { name: 'One', project: 'default' });
  });

  test('is limited to 100 per account, and rejected for an API token', async () => {
    const ada = await person(app);
    await app.db
      .insertInto('saved_views')
      .values(
        Array.from({ length: 100 }, (_, index) => ({
          user_id: ada.id,
          page: 'events' as const,
          project: null,
          name: `view ${index}`,
          query: 'q=x',
          shared: false,
          created_at: new Date(),
          updated_at: new Date(),
        })),
      )
      .execute();
    for (const response of [await save(ada, {}), await save(app, {})]) {
      expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    }
    expect((await app.ask(`GET ${views}?page=events`)).statusCode).toBe(200);
  });

  test('in a project hidden from its author does not count toward the limit and can only be deleted', async () => {
    await make(app.ask).project('lost', { mode: 'private' });
    const ada = await person(app, { roles: { lost: 5 } });
    const hidden = await saved(ada, { name: 'Lost', project: 'lost' });
    const row = { user_id: ada.id, page: 'events' as const, query: 'q=x', shared: false };
    const times = { created_at: new Date(), updated_at: new Date() };
    const rows = Array.from({ length: 99 }, (_, nth) => ({
      ...row,
      ...times,
      project: null,
      name: `view ${nth}`,
    }));
    await app.db.insertInto('saved_views').values(rows).execute();
    expect((await save(ada, {})).statusCode).toBe(403);
    await app.ask(`DELETE /api/admin/projects/lost/users/${ada.id}/roles`);
    await saved(ada, {});
    const change = await ada.ask(`PUT ${views}/${hidden}`, { payload: { name: 'Found' } });
    expect(change.statusCode).toBe(404);
    expect((await ada.ask(`DELETE ${views}/${hidden}`)).statusCode).toBe(200);
  });

  test('is erased with its author, also from the log, unless it is shared', async () => {
    const [ada, bob] = [await person(app), await person(app)];
    const own = await saved(ada, { name: 'Diary', query: 'query=confidential' });
    await ada.ask(`PUT ${views}/${own}`, { payload: { name: 'Journal' } });
    const gone = await saved(ada, { name: 'Notebook', query: 'query=confidential' });
    await ada.ask(`DELETE ${views}/${gone}`);
    await saved(ada, { name: 'For all', query: 'type=release', shared: true });
    await forgetEverywhere(app.transact, testActor, ada.id);
    expect(await namesFor(bob, 'page=features')).toContain('For all');
    for (const text of ['Diary', 'Journal', 'Notebook', 'confidential']) {
      const { events } = (await app.ask(`GET /api/admin/search/events?query=${text}`)).json();
      expect(events).toEqual([]);
    }
    const { events } = (
      await app.ask(`GET /api/admin/search/events?createdBy=IS:${ada.id}`)
    ).json();
    expect(events).toHaveLength(5);
    expect(JSON.stringify(events)).not.toMatch(/Diary|Journal|Notebook|confidential/);
  });
});
