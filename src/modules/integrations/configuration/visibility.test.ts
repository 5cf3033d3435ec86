import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { pathsOf } from '../../../../test/support/faults.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';
import { recordedBy } from '../../../../test/support/recorded.ts';

const addons = '/api/admin/addons';
const url = 'http://127.0.0.1:9/hook';

let on: TestApp;
let editor: Person;
let insider: Person;
beforeAll(async () => {
  on = await testApp();
  await make(on.ask).project('secret', { mode: 'private' });
  editor = await person(on, { rootRole: 2 });
  insider = await person(on, { rootRole: 2, roles: { secret: 5 } });
});

type Ask = TestApp['ask'];

const wish = (more: object = {}) => ({
  provider: 'webhook',
  enabled: false,
  parameters: { url },
  events: ['feature-created'],
  ...more,
});
const post = (ask: Ask, more: object = {}) => ask(`POST ${addons}`, { payload: wish(more) });
const created = async (ask: Ask, more: object = {}) => (await post(ask, more)).json();
const put = (ask: Ask, id: number, more: object = {}) =>
  ask(`PUT ${addons}/${id}`, { payload: wish({ parameters: { url: '*****' }, ...more }) });

const everyChange = (id: number) =>
  [
    [`PUT ${addons}/${id}`, { payload: wish() }],
    [`POST ${addons}/${id}/signing-secret`, {}],
    [`DELETE ${addons}/${id}`, {}],
  ] as const;

describe('a private project', () => {
  test('is named to those who see it, and to others as if it were not there', async () => {
    const { id } = await created(on.ask, { projects: ['secret', 'default'] });
    const projectsFor = async ({ ask }: { ask: Ask }) => [
      (await ask(`GET ${addons}/${id}`)).json().projects,
      (await ask(`GET ${addons}`)).json().addons.find((each: { id: number }) => each.id === id)
        .projects,
    ];
    for (const who of [on, insider]) {
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

  test('keeps who does not see it from changing an integration that is about it, too', async () => {
    const { id } = await created(on.ask, { projects: ['secret', 'default'] });
    for (const [line, options] of everyChange(id)) {
      const response = await editor.ask(line, options);
      expect([line, response.statusCode, response.json().name]).toEqual([
        line,
        403,
        'InvalidOperationError',
      ]);
      expect(response.json().message).toContain('projects that you may not see');
      expect(response.body).not.toContain('secret');
      expect(await recordedBy(on.db, response)).toEqual([]);
    }
    expect((await put(insider.ask, id, { projects: ['secret'] })).statusCode).toBe(200);
  });

  test('hides an integration that is about nothing else', async () => {
    const { id } = await created(on.ask, { projects: ['secret'] });
    const { addons: listed } = (await editor.ask(`GET ${addons}`)).json();
    expect(listed.map((each: { id: number }) => each.id)).not.toContain(id);
    for (const [line, options] of [[`GET ${addons}/${id}`, {}], ...everyChange(id)] as const) {
      const response = await editor.ask(line, options);
      expect([line, response.statusCode]).toEqual([line, 404]);
    }
    expect((await insider.ask(`GET ${addons}/${id}`)).json().projects).toEqual(['secret']);
  });
});

describe('whether it tells of private projects that it does not name', () => {
  test('is up to who saved it last', async () => {
    expect((await created(editor.ask)).tellsPrivate).toBe(false);
    const { id, tellsPrivate } = await created(on.ask);
    expect(tellsPrivate).toBe(true);
    const narrowed = await put(editor.ask, id, { enabled: true });
    expect(narrowed.json()).toMatchObject({ enabled: true, tellsPrivate: false });
    expect(await recordedBy(on.db, narrowed)).toMatchObject([
      { data: { tellsPrivate: false }, preData: { tellsPrivate: true } },
    ]);
    const restored = await put(on.ask, id, { enabled: true });
    expect(restored.json().tellsPrivate).toBe(true);
    expect(await recordedBy(on.db, restored)).toMatchObject([
      { data: { tellsPrivate: true }, preData: { tellsPrivate: false } },
    ]);
  });

  test('stays when somebody saves it as it is', async () => {
    const { id } = await created(on.ask);
    const response = await put(editor.ask, id);
    expect([response.json().tellsPrivate, await recordedBy(on.db, response)]).toEqual([true, []]);
  });
});
