import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import { maxLinks } from './link-schema.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).feature('refusing');
});

const projects = '/api/admin/projects';
const features = `${projects}/default/features`;
const ticket = { url: 'https://tickets.example/SHOP-12', title: 'Ticket' };
const board = { url: 'http://board.example/?a=b#c', title: null };

interface Link {
  readonly id: string;
  readonly url: string;
  readonly title: string | null;
}

const linksOf = async (name: string, project = 'default'): Promise<Link[]> =>
  (await app.ask(`GET ${projects}/${project}/features/${name}`)).json().links ?? [];
const contentsOf = async (name: string, project?: string) =>
  (await linksOf(name, project)).map(({ url, title }) => ({ url, title }));
const add = (name: string, payload: object) =>
  app.ask(`POST ${features}/${name}/link`, { payload });
const idOf = async (name: string, place = 0) => (await linksOf(name))[place]?.id;

const summaryOf = async (response: Parameters<typeof recordedBy>[1]) => {
  const { summary } = await app.db
    .selectFrom('events')
    .where('request_id', '=', String(response.headers['x-request-id']))
    .select('summary')
    .executeTakeFirstOrThrow();
  return summary;
};

describe('links of a feature', () => {
  test('are returned in the order in which they were added, and omitted if there are none', async () => {
    await make(app.ask).feature('linked');
    expect((await app.ask(`GET ${features}/linked`)).json()).not.toHaveProperty('links');
    const first = await add('linked', ticket);
    expect([first.statusCode, first.body]).toEqual([204, '']);
    await add('linked', { url: board.url, title: '  ' });
    expect(await contentsOf('linked')).toEqual([ticket, board]);
  });

  test('are recorded as changes of the feature, with the link before and after', async () => {
    await make(app.ask).feature('told');
    const added = await add('told', ticket);
    const id = await idOf('told');
    const [event] = await recordedBy(app.db, added);
    expect(event).toMatchObject({
      type: 'feature-metadata-updated',
      project: 'default',
      data: { name: 'told', link: { id, ...ticket } },
      preData: { name: 'told', link: null },
    });
    expect(await summaryOf(added)).toContain('added link **Ticket** to');

    const changed = await app.ask(`PUT ${features}/told/link/${id}`, { payload: { ...board } });
    expect(changed.statusCode).toBe(204);
    expect(await recordedBy(app.db, changed)).toMatchObject([
      { data: { link: { id, ...board } }, preData: { link: { id, ...ticket } } },
    ]);
    expect(await linksOf('told')).toEqual([{ id, ...board }]);
    const again = await app.ask(`PUT ${features}/told/link/${id}`, { payload: { ...board } });
    expect([again.statusCode, await recordedBy(app.db, again)]).toEqual([204, []]);

    const removed = await app.ask(`DELETE ${features}/told/link/${id}`);
    expect(removed.statusCode).toBe(204);
    expect(await recordedBy(app.db, removed)).toMatchObject([
      { data: { link: null }, preData: { link: { id, ...board } } },
    ]);
    expect(await summaryOf(removed)).toContain('removed link');
    expect(await linksOf('told')).toEqual([]);
  });

  test.each([
    ['a javascript URL', { url: 'javascript:alert(1)' }],
    ['a relative URL', { url: '/tickets/1' }],
    ['a URL with spaces', { url: 'https://a.example/ b' }],
    ['a URL that is too long', { url: `https://a.example/${'x'.repeat(2000)}` }],
    ['a link without a URL', { title: 'Ticket' }],
    ['a title that is too long', { url: 'https://a.example', title: 'x'.repeat(201) }],
  ])('reject %s', async (_, payload) => {
    const response = await add('refusing', payload);
    expect([response.statusCode, response.json().name]).toEqual([400, 'BadDataError']);
    expect(await linksOf('refusing')).toEqual([]);
  });

  test('are limited in number', async () => {
    await make(app.ask).feature('full');
    await app.db
      .insertInto('feature_links')
      .values(
        Array.from({ length: maxLinks - 1 }, (_, nth) => ({
          id: `full-${nth}`,
          feature_name: 'full',
          ...ticket,
          sort_order: nth,
        })),
      )
      .execute();
    expect((await add('full', ticket)).statusCode).toBeLessThan(300);
    const response = await add('full', ticket);
    expect([response.statusCode, response.json().message]).toEqual([
      403,
      `'full' has ${maxLinks} links, which is the limit. Remove one first`,
    ]);
    expect(await linksOf('full')).toHaveLength(maxLinks);
  });

  test('cannot be changed through another feature, and are kept while it is archived', async () => {
    await make(app.ask).feature('owner');
    await make(app.ask).feature('stranger');
    await add('owner', ticket);
    const id = await idOf('owner');
    const foreign = await app.ask(`DELETE ${features}/stranger/link/${id}`);
    expect(foreign.statusCode).toBe(404);
    await app.ask(`DELETE ${features}/owner`);
    const archived = await app.ask(`DELETE ${features}/owner/link/${id}`);
    expect(archived.statusCode).toBe(404);
    await app.ask('POST /api/admin/archive/revive/owner');
    expect(await contentsOf('owner')).toEqual([ticket]);
  });

  test('are copied with the feature, and a dry run shows them', async () => {
    await make(app.ask).feature('copied');
    await make(app.ask).project('abroad');
    await add('copied', ticket);
    await add('copied', board);
    const path = `${projects}/abroad/features/copied/clone` as const;
    const payload = { name: 'copy' };
    const dry = await app.ask(`POST ${path}?dryRun=true`, { payload });
    expect(dry.json().links).toMatchObject([ticket, board]);
    const real = await app.ask(`POST ${path}`, { payload });
    expect(real.json().links).toEqual(await linksOf('copy', 'abroad'));
    expect(await contentsOf('copy', 'abroad')).toEqual([ticket, board]);
    const [created] = await recordedBy(app.db, real);
    expect(created).toMatchObject({ data: { links: [ticket, board] } });
  });

  test('of a new feature are created from the templates of its project', async () => {
    await make(app.ask).project('templated', {
      linkTemplates: [
        { title: 'Ticket', urlTemplate: 'https://tickets.example/{{project}}?q={{feature}}' },
        { urlTemplate: 'https://board.example' },
      ],
    });
    const response = await app.ask(`POST ${projects}/templated/features`, {
      payload: { name: 'from-template' },
    });
    const links = [
      { title: 'Ticket', url: 'https://tickets.example/templated?q=from-template' },
      { title: null, url: 'https://board.example' },
    ];
    expect(response.json().links).toMatchObject(links);
    expect(await contentsOf('from-template', 'templated')).toEqual(links);
  });

  test('created from templates have a limited length', async () => {
    await make(app.ask).project('repeating');
    const urlTemplate = `https://tickets.example/${'{{feature}}'.repeat(20)}`;
    const change = async (...linkTemplates: unknown[]) => {
      const payload = { name: 'Repeating', linkTemplates };
      const { statusCode, body } = await app.ask(`PUT ${projects}/repeating`, { payload });
      return { statusCode, body };
    };
    const short = { urlTemplate: 'https://board.example' };
    expect(await change(short, { urlTemplate })).toEqual({
      statusCode: 400,
      body: expect.stringContaining('/body/linkTemplates/1/urlTemplate could produce a URL'),
    });
    expect((await change({ urlTemplate: 5 }, null)).statusCode).toBe(400);

    const stored = JSON.stringify([
      { title: null, urlTemplate },
      { title: null, ...short },
    ]);
    await sql`update projects set link_templates = ${stored} where id = 'repeating'`.execute(
      app.db,
    );
    const name = 'x'.repeat(100);
    const payload = { name };
    const response = await app.ask(`POST ${projects}/repeating/features`, { payload });
    expect(response.json().links).toMatchObject([{ url: 'https://board.example' }]);
  });
});
