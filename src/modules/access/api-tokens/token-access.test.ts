import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, type Person, person } from '../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';

const tokens = '/api/admin/api-tokens';
const projects = '/api/admin/projects';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('shop');
  await make(app.ask).project('secret', { mode: 'private' });
  await make(app.ask).project('vault', { mode: 'protected' });
});

interface Token {
  readonly id: number;
  readonly secret: string;
  readonly tokenName: string;
}

async function newToken(payload: object): Promise<Token> {
  const response = await app.ask(`POST ${tokens}`, { payload });
  expect(response.statusCode, response.body).toBe(201);
  return response.json();
}

const withPermissions = async (...names: string[]): Promise<Person> =>
  person(app, {
    rootRole: await customRole(
      app,
      'root-custom',
      names.map((name) => ({ name })),
    ),
  });

/** A user who may do everything with the tokens of open projects, by a root role. */
const tokenManager = async (roles: Record<string, number> = {}): Promise<Person> => {
  const names = ['CLIENT', 'FRONTEND'].flatMap((type) =>
    ['READ', 'CREATE', 'UPDATE', 'DELETE'].map((action) => `${action}_${type}_API_TOKEN`),
  );
  const permissions = names.map((name) => ({ name }));
  return person(app, { rootRole: await customRole(app, 'root-custom', permissions), roles });
};

const namesSeenBy = async ({ ask }: Pick<Person, 'ask'>, path = tokens): Promise<string[]> => {
  const response = await ask(`GET ${path}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json().tokens.map(({ tokenName }: Token) => tokenName);
};

const input = (payload: object) => ({
  payload: { tokenName: 'wished', type: 'client', project: 'shop', ...payload },
});

describe('the list of API tokens', () => {
  beforeAll(async () => {
    await newToken({ tokenName: 'own client', type: 'client', project: 'shop' });
    await newToken({ tokenName: 'own frontend', type: 'frontend', projects: ['shop', 'default'] });
    await newToken({ tokenName: 'half hidden', type: 'client', projects: ['shop', 'secret'] });
    await newToken({ tokenName: 'for all', type: 'client' });
    await newToken({ tokenName: 'of the vault', type: 'client', projects: ['shop', 'vault'] });
    await newToken({ tokenName: 'boss', type: 'admin' });
  });

  test('shows all tokens to administrators', async () => {
    const admin = await person(app, { rootRole: 1 });
    expect(await namesSeenBy(admin)).toEqual(
      expect.arrayContaining(['own client', 'own frontend', 'half hidden', 'for all', 'boss']),
    );
  });

  test('shows other users the types they may read, if they may read them in all projects of the token', async () => {
    expect(await namesSeenBy(await withPermissions('READ_CLIENT_API_TOKEN'))).toEqual([
      'own client',
    ]);
    expect(await namesSeenBy(await withPermissions('READ_FRONTEND_API_TOKEN'))).toEqual([
      'own frontend',
    ]);
    const both = await withPermissions('READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN');
    expect(await namesSeenBy(both)).toEqual(['own client', 'own frontend']);
    expect(await namesSeenBy(both, `${tokens}/own%20client`)).toEqual(['own client']);
    expect(await namesSeenBy(both, `${tokens}/half%20hidden`)).toEqual([]);
    const insider = await person(app, { rootRole: 2, roles: { secret: 5 } });
    expect(await namesSeenBy(insider)).toEqual(['own client', 'own frontend', 'half hidden']);
    const keeper = await person(app, { rootRole: 2, roles: { vault: 5 } });
    expect(await namesSeenBy(keeper)).toEqual(['own client', 'own frontend', 'of the vault']);
  });

  test('returns 403 naming the missing permissions if the user may read no type', async () => {
    const viewer = await person(app);
    for (const path of [tokens, `${tokens}/boss`]) {
      const response = await viewer.ask(`GET ${path}`);
      expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
      expect(response.json().message).toContain(
        'ADMIN or READ_CLIENT_API_TOKEN or READ_FRONTEND_API_TOKEN',
      );
    }
  });
});

describe('the permission to create an API token', () => {
  test('depends on the type of the token', async () => {
    const maker = await withPermissions('CREATE_CLIENT_API_TOKEN');
    expect((await maker.ask(`POST ${tokens}`, input({}))).statusCode).toBe(201);
    for (const [type, permission] of [
      ['frontend', 'CREATE_FRONTEND_API_TOKEN'],
      ['admin', 'ADMIN'],
    ] as const) {
      const payload = { tokenName: 'wished', type };
      const response = await maker.ask(`POST ${tokens}`, { payload });
      expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
      expect(response.json().message).toContain(`the ${permission} permission`);
    }
  });

  test('is not part of the Editor role, nor is changing or deleting one, although editors see them', async () => {
    const editor = await person(app, { rootRole: 2 });
    const { id } = await newToken({ tokenName: 'to edit', type: 'client', project: 'shop' });
    expect(await namesSeenBy(editor)).toContain('to edit');
    for (const response of [
      await editor.ask(`POST ${tokens}`, input({})),
      await editor.ask(`PUT ${tokens}/${id}`, { payload: { expiresAt: null } }),
      await editor.ask(`DELETE ${tokens}/${id}`),
    ]) {
      expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
    }
    expect((await app.ask(`DELETE ${tokens}/${id}`)).statusCode).toBe(200);
  });

  test('is ADMIN if the token is for all projects', async () => {
    const maker = await tokenManager();
    for (const reach of [{ project: undefined }, { project: '*' }]) {
      const response = await maker.ask(`POST ${tokens}`, input(reach));
      expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
      expect(response.json().message).toContain('the ADMIN permission');
    }
  });

  test('does not reveal projects that the user cannot see: they are reported as unknown', async () => {
    const maker = await tokenManager();
    const reach = { project: undefined, projects: ['secret', 'nosuch', 'shop'] };
    const response = await maker.ask(`POST ${tokens}`, input(reach));
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      { path: '/body/projects/0', message: "/body/projects/0: project 'secret' not found" },
      { path: '/body/projects/1', message: "/body/projects/1: project 'nosuch' not found" },
    ]);
  });

  test('is required in each protected or private project', async () => {
    const createAs = async (roles: Record<string, number>, ...projects: string[]) => {
      const maker = await tokenManager(roles);
      return maker.ask(`POST ${tokens}`, input({ project: undefined, projects }));
    };
    for (const [roles, projects, missing] of [
      [{}, ['vault'], ['vault']],
      [{}, ['shop', 'vault'], ['vault']],
      [{ vault: 5 }, ['vault'], ['vault']],
      [{ secret: 5 }, ['shop', 'secret', 'vault'], ['secret', 'vault']],
      [{ vault: 4, secret: 5 }, ['secret', 'vault'], ['secret']],
    ] as const) {
      const refused = await createAs(roles, ...projects);
      expect([refused.statusCode, refused.json().name]).toEqual([403, 'NoAccessError']);
      expect(refused.json().details.map(({ message }: { message: string }) => message)).toEqual(
        missing.map(
          (project) =>
            `You need the CREATE_PROJECT_API_TOKEN permission in the project '${project}' to do this`,
        ),
      );
      expect(await recordedBy(app.db, refused)).toEqual([]);
    }
    expect((await createAs({ vault: 4 }, 'shop', 'vault')).statusCode).toBe(201);
    expect((await createAs({ secret: 4 }, 'secret')).statusCode).toBe(201);
  });

  test('is checked before the body is validated', async () => {
    const viewer = await person(app);
    const response = await viewer.ask(`POST ${tokens}`, { payload: { type: 7 } });
    expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
  });
});

describe('changing and deleting an API token', () => {
  /** The responses to a change and to a revocation. */
  const asked = async (by: Person, id: number) => [
    await by.ask(`PUT ${tokens}/${id}`, { payload: { expiresAt: '2036-01-01T00:00:00Z' } }),
    await by.ask(`DELETE ${tokens}/${id}`),
  ];

  test('requires the permission for its type', async () => {
    const frontend = await newToken({ tokenName: 'f', type: 'frontend', project: 'shop' });
    const client = await newToken({ tokenName: 'c', type: 'client', project: 'shop' });
    const by = await withPermissions('UPDATE_CLIENT_API_TOKEN', 'DELETE_CLIENT_API_TOKEN');
    for (const [index, response] of (await asked(by, frontend.id)).entries()) {
      expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
      const permission = ['UPDATE_FRONTEND_API_TOKEN', 'DELETE_FRONTEND_API_TOKEN'][index];
      expect(response.json().message).toContain(permission);
    }
    const answers = await asked(by, client.id);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  });

  test('returns 404 for a token with projects that the user cannot see', async () => {
    const keeper = await tokenManager();
    for (const token of [
      await newToken({ tokenName: 'h', type: 'client', projects: ['shop', 'secret'] }),
      await newToken({ tokenName: 'a', type: 'client' }),
      await newToken({ tokenName: 'b', type: 'admin' }),
    ]) {
      for (const response of await asked(keeper, token.id)) {
        expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
      }
      expect((await app.ask(`DELETE ${tokens}/${token.id}`)).statusCode).toBe(200);
    }
  });

  test('requires the project permissions in a protected project', async () => {
    const { id } = await newToken({ tokenName: 'v', type: 'client', projects: ['shop', 'vault'] });
    for (const [roles, permissions] of [
      [{}, ['CREATE_PROJECT_API_TOKEN and DELETE_PROJECT_API_TOKEN', 'DELETE_PROJECT_API_TOKEN']],
      [{ vault: 5 }, ['CREATE_PROJECT_API_TOKEN', 'DELETE_PROJECT_API_TOKEN']],
    ] as const) {
      const keeper = await tokenManager(roles);
      for (const [index, response] of (await asked(keeper, id)).entries()) {
        expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
        expect(response.json().message).toContain(permissions[index]);
        expect(response.json().message).toContain("'vault'");
      }
    }
    const owner = await tokenManager({ vault: 4 });
    const answers = await asked(owner, id);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  });

  test('is not permitted to a project owner without root permissions', async () => {
    const { id } = await newToken({ tokenName: 'kept', type: 'client', project: 'shop' });
    const owner = await person(app, { roles: { shop: 4 } });
    for (const response of await asked(owner, id)) {
      expect(response.json().name).toBe('NoAccessError');
    }
  });
});

describe('the API tokens of a project', () => {
  const own = `${projects}/shop/api-tokens`;

  test('can be created, read and deleted by owners, read by members, and are hidden from others', async () => {
    const owner = await person(app, { roles: { shop: 4 } });
    const payload = { tokenName: 'of the shop', type: 'CLIENT', environment: 'production' };
    const response = await owner.ask(`POST ${own}`, { payload });
    expect(response.statusCode, response.body).toBe(201);
    expect(response.headers.location).toBe(`${tokens}/of%20the%20shop`);
    expect(response.json()).toMatchObject({
      secret: expect.stringMatching(/^shop:production\.[0-9a-f]{56}$/),
      projects: ['shop'],
    });
    expect(await recordedBy(app.db, response)).toMatchObject([
      { type: 'api-token-created', project: 'shop', environment: 'production' },
    ]);
    const { id, secret } = response.json();

    const member = await person(app, { roles: { shop: 5 } });
    expect(await namesSeenBy(member, own)).toContain('of the shop');
    for (const request of [`POST ${own}`, `DELETE ${own}/${id}`] as const) {
      const refused = await member.ask(request, request.startsWith('POST') ? { payload } : {});
      expect(refused.json()).toMatchObject({ name: 'NoAccessError' });
      expect(refused.json().message).toContain('_PROJECT_API_TOKEN');
    }
    const elsewhere = await person(app, { roles: { default: 4 } });
    expect((await elsewhere.ask(`GET ${own}`)).statusCode).toBe(403);

    const removed = await owner.ask(`DELETE ${own}/${encodeURIComponent(secret)}`);
    expect([removed.statusCode, removed.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, removed)).toMatchObject([
      { type: 'api-token-deleted', project: 'shop', preData: { tokenName: 'of the shop' } },
    ]);
    expect(await namesSeenBy(member, own)).not.toContain('of the shop');
  });

  test.each([
    [{ type: 'admin' }, ['/body/type']],
    [{ project: 'default' }, ['/body/project']],
    [{ projects: ['shop', 'default'] }, ['/body/projects']],
    [{ projects: ['*'], tokenName: undefined }, ['/body/tokenName', '/body/projects']],
    [{ environment: 'nosuch' }, ['/body/environment']],
  ])('cannot be created with %j: 400', async (wrong, paths) => {
    const before = await countEvents(app.db);
    const payload = { tokenName: 'faulty', type: 'client', ...wrong };
    const response = await app.ask(`POST ${own}`, { payload });
    expect(response.statusCode).toBe(400);
    expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('can be created with the project repeated in the body', async () => {
    const payload = { tokenName: 'again', type: 'client', project: 'shop', projects: ['shop'] };
    expect((await app.ask(`POST ${own}`, { payload })).statusCode).toBe(201);
  });

  test('include tokens for several projects, without the projects that the user cannot see', async () => {
    const reach = { type: 'frontend', projects: ['secret', 'shop', 'default'] };
    const { id } = await newToken({ tokenName: 'wide', ...reach });
    const owner = await person(app, { roles: { shop: 4 } });
    const listed = (await owner.ask(`GET ${own}`)).json();
    const wide = listed.tokens.find((token: Token) => token.id === id);
    expect(wide).toMatchObject({
      project: 'shop,default',
      projects: ['shop', 'default'],
      secret: '[]:development.*****',
    });
    const response = await owner.ask(`DELETE ${own}/${id}`);
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(await namesSeenBy(owner, own)).toContain('wide');
  });

  test('do not include tokens for all projects or for other projects', async () => {
    const all = await newToken({ tokenName: 'everywhere', type: 'client' });
    const other = await newToken({ tokenName: 'elsewhere', type: 'client', project: 'default' });
    expect(await namesSeenBy(app, own)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/where$/)]),
    );
    for (const { id, secret } of [all, other]) {
      for (const each of [String(id), secret]) {
        const response = await app.ask(`DELETE ${own}/${encodeURIComponent(each)}`);
        expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
      }
    }
  });

  test('are not found (404) by users without access to the private project', async () => {
    const editor = await person(app, { rootRole: 2 });
    for (const request of [
      `GET ${projects}/secret/api-tokens`,
      `POST ${projects}/secret/api-tokens`,
      `DELETE ${projects}/secret/api-tokens/1`,
    ] as const) {
      expect((await editor.ask(request)).statusCode).toBe(404);
    }
  });

  test('can be listed and deleted but not created once the project is archived', async () => {
    await make(app.ask).project('resting');
    const place = `${projects}/resting/api-tokens`;
    const { id } = await newToken({ tokenName: 'resting', type: 'client', project: 'resting' });
    await app.ask(`POST ${projects}/archive/resting`);
    const payload = { tokenName: 'late', type: 'client' };
    expect((await app.ask(`POST ${place}`, { payload })).statusCode).toBe(404);
    expect(await namesSeenBy(app, place)).toEqual(['resting']);
    expect((await app.ask(`DELETE ${place}/${id}`)).statusCode).toBe(200);
    expect(await namesSeenBy(app, place)).toEqual([]);
  });
});
