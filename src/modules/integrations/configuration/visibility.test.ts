import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { pathsOf } from '../../../../test/support/faults.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';
import { recordedBy } from '../../../../test/support/recorded.ts';

const addons = '/api/admin/addons';
const url = 'http://127.0.0.1:9/hook';

let app: TestApp;
let editor: Person;
let insider: Person;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('secret', { mode: 'private' });
  editor = await person(app, { rootRole: 2 });
  insider = await person(app, { rootRole: 2, roles: { secret: 5 } });
});

type Ask = TestApp['ask'];

const payload = (more: object = {}) => ({
  provider: 'webhook',
  enabled: false,
  parameters: { url },
  events: ['feature-created'],
  ...more,
});
const post = (ask: Ask, more: object = {}) => ask(`POST ${addons}`, { payload: payload(more) });
const created = async (ask: Ask, more: object = {}) => (await post(ask, more)).json();
const put = (ask: Ask, id: number, more: object = {}) =>
  ask(`PUT ${addons}/${id}`, { payload: payload({ parameters: { url: '*****' }, ...more }) });

const everyChange = (id: number) =>
  [
    [`PUT ${addons}/${id}`, { payload: payload() }],
    [`POST ${addons}/${id}/signing-secret`, {}],
    [`DELETE ${addons}/${id}`, {}],
  ] as const;

describe('an integration for a private project', () => {
  test('names the project only to users who see it; for others it does not exist', async () => {
    const { id } = await created(app.ask, { projects: ['secret', 'default'] });
    const projectsFor = async ({ ask }: { ask: Ask }) => [
      (await ask(`GET ${addons}/${id}`)).json().projects,
      (await ask(`GET ${addons}`)).json().addons.find((each: { id: number }) => each.id === id)
        .projects,
    ];
    for (const who of [app, insider]) {
      expect(await projectsFor(who)).toEqual([
        ['secret', 'default'],
        ['secret', 'default'],
      ]);
    }
    expect(await projectsFor(editor)).toEqual([['default'], ['default']]);
    const response = await post(editor.ask, { projects: ['secret'] });
    const absent = await post(editor.ask, { projects: ['absent'] });
    expect([response.statusCode, pathsOf(response)]).toEqual([400, ['/body/projects/0']]);
    expect(response.json().message.replace('secret', 'absent')).toBe(absent.json().message);
    expect((await post(insider.ask, { projects: ['secret'] })).statusCode).toBe(201);
  });

  test('cannot be changed by users who do not see all of its projects', async () => {
    const { id } = await created(app.ask, { projects: ['secret', 'default'] });
    for (const [line, options] of everyChange(id)) {
      const response = await editor.ask(line, options);
      expect([line, response.statusCode, response.json().name]).toEqual([
        line,
        403,
        'InvalidOperationError',
      ]);
      expect(response.json().message).toContain("projects that you can't see");
      expect(response.body).not.toContain('secret');
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
    const own = await created(insider.ask, { projects: ['secret', 'default'] });
    expect((await put(insider.ask, own.id, { projects: ['secret'] })).statusCode).toBe(200);
  });

  test('is hidden from users who see none of its projects', async () => {
    const { id } = await created(app.ask, { projects: ['secret'] });
    const { addons: listed } = (await editor.ask(`GET ${addons}`)).json();
    expect(listed.map((each: { id: number }) => each.id)).not.toContain(id);
    for (const [line, options] of [[`GET ${addons}/${id}`, {}], ...everyChange(id)] as const) {
      const response = await editor.ask(line, options);
      expect([line, response.statusCode]).toEqual([line, 404]);
    }
    expect((await insider.ask(`GET ${addons}/${id}`)).json().projects).toEqual(['secret']);
  });
});

const responsibleFor = async (id: number) =>
  (
    await app.db
      .selectFrom('integrations')
      .where('id', '=', id)
      .select(['responsible_kind as kind', 'responsible_id as id'])
      .executeTakeFirstOrThrow()
  ).id;

/** Changes of how events are reported, not of which ones or to whom. */
const neutral = { enabled: true, description: 'another', inOrder: true, retentionDays: 3 };

describe('the account that last changed an integration', () => {
  test('limits what is reported, and the response says what is omitted', async () => {
    expect((await created(app.ask)).notTold).toBeUndefined();
    const { notTold, withheld } = await created(editor.ask);
    expect(withheld).toMatchObject({ eventsOutsideProjects: true, sentIfSaved: false });
    expect(notTold).toBe(
      'Sends events from private projects only if the account that last saved it can see them, and no events outside projects.',
    );
  });

  test('cannot be replaced by one that sees less', async () => {
    const { id } = await created(app.ask);
    for (const change of [
      { events: ['feature-archived'] },
      { projects: ['default'] },
      { environments: ['production'] },
      { tags: [{ type: 'simple', value: 'abc' }] },
      { parameters: { url: `${url}/2` } },
      { parameters: { url: '*****', contentType: 'text/plain' } },
    ]) {
      const response = await put(editor.ask, id, change);
      expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
      expect(response.json().message).toMatch(
        /can't see all events this integration sends.*an admin/,
      );
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
    const ofInsider = await created(insider.ask);
    expect((await put(editor.ask, ofInsider.id, { events: [] })).statusCode).toBe(403);
    expect((await put(app.ask, ofInsider.id, { events: [] })).statusCode).toBe(200);
    expect((await put(insider.ask, ofInsider.id, { events: [] })).statusCode).toBe(200);
    expect((await put(insider.ask, ofInsider.id, { projects: ['default'] })).statusCode).toBe(403);
  });

  test('can be replaced by one that sees as much, which is then responsible', async () => {
    const { id } = await created(editor.ask);
    const other = await person(app, { rootRole: 2 });
    const changed = await put(other.ask, id, { events: ['feature-archived'] });
    expect([changed.statusCode, await responsibleFor(id)]).toEqual([200, other.id]);
    expect(await recordedBy(app.db, changed)).toMatchObject([
      {
        data: { responsible: { kind: 'account', id: other.id } },
        preData: { responsible: { kind: 'account', id: editor.id } },
      },
    ]);
  });

  test('stays responsible when others enable, describe, pause or resume it or rotate its secret', async () => {
    const [mine, theirs] = [await created(app.ask), await created(editor.ask)];
    const [token, account] = [await responsibleFor(mine.id), editor.id];
    for (const { ask, id } of [
      { ask: editor.ask, id: mine.id },
      { ask: app.ask, id: theirs.id },
    ]) {
      expect((await put(ask, id, neutral)).statusCode).toBe(200);
      expect((await ask(`POST ${addons}/${id}/pause`)).statusCode).toBe(200);
      expect((await ask(`POST ${addons}/${id}/resume`)).statusCode).toBe(200);
      expect((await ask(`POST ${addons}/${id}/signing-secret`)).statusCode).toBe(200);
      const parameters = { url: '*****', previousSigningSecret: '' };
      expect((await put(ask, id, { ...neutral, parameters })).statusCode).toBe(200);
    }
    expect([await responsibleFor(mine.id), await responsibleFor(theirs.id)]).toEqual([
      token,
      account,
    ]);
    expect((await app.ask(`GET ${addons}/${mine.id}`)).json().notTold).toBeUndefined();
  });

  test('is replaced when an account that sees more saves it unchanged, and not by others', async () => {
    const { id } = await created(insider.ask);
    const unchanged = await put(editor.ask, id);
    expect([unchanged.statusCode, await recordedBy(app.db, unchanged)]).toEqual([200, []]);
    expect(await responsibleFor(id)).toBe(insider.id);
    const widened = await put(app.ask, id);
    expect(widened.json().notTold).toBeUndefined();
    expect(await recordedBy(app.db, widened)).toMatchObject([
      { data: { responsible: { kind: 'token' } }, preData: { responsible: { id: insider.id } } },
    ]);
  });

  test('limits the reports to what everyone sees once it is deleted', async () => {
    const leaver = await person(app, { rootRole: 1 });
    const { id } = await created(leaver.ask);
    await app.db
      .updateTable('users')
      .set({ deleted_at: new Date() })
      .where('id', '=', leaver.id)
      .execute();
    const { notTold, withheld } = (await app.ask(`GET ${addons}/${id}`)).json();
    expect(withheld).toEqual({
      accountDeleted: true,
      privateProjects: [],
      otherPrivateProjects: true,
      eventsOutsideProjects: true,
      deletedProjects: [],
      sentIfSaved: true,
    });
    expect(notTold).toMatch(/account that last saved this integration no longer exists.*Save it/);
    expect((await put(editor.ask, id, { events: [] })).statusCode).toBe(200);
  });

  test('limits the reports by private projects, which are named only to users who see them', async () => {
    await make(app.ask).project('turned', { mode: 'open' });
    const { id } = await created(editor.ask, { projects: ['turned', 'default'] });
    const settings = { payload: { mode: 'private' } };
    await app.ask('PUT /api/admin/projects/turned/settings', settings);
    const { notTold, withheld } = (await app.ask(`GET ${addons}/${id}`)).json();
    expect(notTold).toContain("That account can't see turned");
    expect(withheld).toEqual({
      accountDeleted: false,
      privateProjects: ['turned'],
      otherPrivateProjects: false,
      eventsOutsideProjects: false,
      deletedProjects: [],
      sentIfSaved: true,
    });
    const forEditor = await editor.ask(`GET ${addons}/${id}`);
    expect(forEditor.json().projects).toEqual(['default']);
    expect(forEditor.json().withheld).toBeUndefined();
    expect(forEditor.body).not.toContain('turned');
  });
});

describe('an integration for a deleted project', () => {
  const remove = (id: string) => app.ask(`DELETE /api/admin/projects/${id}`);

  test('does not apply to a new project with the same id until it is saved again', async () => {
    await make(app.ask).project('used-twice');
    const { id, notTold } = await created(app.ask, { projects: ['used-twice'] });
    expect(notTold).toBeUndefined();
    await remove('used-twice');
    const said = /Deleted since the integration was saved: used-twice\./;
    expect((await app.ask(`GET ${addons}/${id}`)).json().notTold).toMatch(said);
    await make(app.ask).project('used-twice');
    expect((await app.ask(`GET ${addons}/${id}`)).json().notTold).toMatch(said);
    const saved = await put(app.ask, id, { projects: ['used-twice'] });
    expect(saved.json().notTold).toBeUndefined();
    expect(await recordedBy(app.db, saved)).toMatchObject([
      { preData: { deletedProjects: ['used-twice'] } },
    ]);
  });

  test('does not name the project to others if it was private', async () => {
    await make(app.ask).project('was-private', { mode: 'private' });
    const { id } = await created(app.ask, { projects: ['was-private', 'default'] });
    await remove('was-private');
    const response = await editor.ask(`GET ${addons}/${id}`);
    expect(response.json().projects).toEqual(['default']);
    expect(response.body).not.toContain('was-private');
    expect((await app.ask(`GET ${addons}/${id}`)).json().projects).toContain('was-private');
  });
});
