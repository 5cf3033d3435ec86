import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { clientToken } from '../../../../test/support/tokens.ts';

let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  app = await testApp();
  other = await appOn(app);
  await make(app.ask).project('shop');
});

interface DeltaEvent {
  readonly type: string;
  readonly eventId: number;
  readonly feature?: { readonly name: string };
  readonly featureName?: string;
  readonly segment?: { readonly id: number };
  readonly segmentId?: number;
}

/** A client that applies deltas, as an SDK does. */
function follower(query = '', authorization = clientToken) {
  let etag: string | undefined;
  return {
    forget: () => {
      etag = undefined;
    },
    tag: () => etag,
    /** Polls. Returns each change in a few words, or undefined for 304. */
    async ask(at = app): Promise<string[] | undefined> {
      const headers = { authorization, ...(etag !== undefined && { 'if-none-match': etag }) };
      const response = await at.ask(`GET /api/client/delta${query}`, { headers });
      if (response.statusCode === 304) {
        expect(response.body).toBe('');
        return undefined;
      }
      expect(response.statusCode, response.body).toBe(200);
      etag = response.headers.etag as string;
      const { events } = response.json() as { events: DeltaEvent[] };
      return events.map(({ type, feature, featureName, segment, segmentId }) =>
        [type, feature?.name ?? featureName ?? segment?.id ?? segmentId]
          .filter((word) => word !== undefined)
          .join(' '),
      );
    },
  };
}

/** Waits until an instance has received a change of a feature from another one. */
const received = (at: TestApp, feature: string, expected: object) =>
  expect
    .poll(async () => {
      const headers = { authorization: clientToken };
      return (await at.ask(`GET /api/client/features/${feature}`, { headers })).json();
    })
    .toMatchObject(expected);

const path = (feature: string, project = 'default', environment = 'development') =>
  `/api/admin/projects/${project}/features/${feature}/environments/${environment}`;

describe('a client that polls the delta API', () => {
  test('gets everything first, then each change once', async () => {
    const create = make(app.ask);
    await create.feature('first');
    const response = await app.ask('GET /api/client/delta', {
      headers: { authorization: clientToken },
    });
    const { events } = response.json();
    expect(events).toEqual([
      {
        type: 'hydration',
        eventId: expect.any(Number),
        features: [expect.objectContaining({ name: 'first', enabled: false })],
        segments: [],
      },
    ]);
    expect(response.headers.etag).toContain(`:${events[0].eventId}:`);

    const client = follower();
    expect(await client.ask()).toEqual(['hydration']);
    expect(await client.ask()).toBeUndefined();
    await create.switchedOn('first');
    await create.feature('second');
    expect(await client.ask()).toEqual(['feature-updated first', 'feature-updated second']);
    expect(await client.ask()).toBeUndefined();
    await app.ask('DELETE /api/admin/projects/default/features/second');
    const removed = await app.ask('GET /api/client/delta', {
      headers: { authorization: clientToken, 'if-none-match': client.tag() as string },
    });
    expect(removed.json()).toEqual({
      events: [
        {
          type: 'feature-removed',
          eventId: expect.any(Number),
          featureName: 'second',
          project: 'default',
        },
      ],
    });
  });

  test('gets nothing about other projects and environments, or about changes that do not concern SDKs', async () => {
    const client = follower('?project=default');
    await client.ask();
    const create = make(app.ask);
    await create.feature('elsewhere', { project: 'shop' });
    await create.switchedOn('first', { environment: 'production' });
    await app.ask('POST /api/admin/features/first/tags', {
      payload: { type: 'simple', value: 'untold' },
    });
    expect(await client.ask()).toBeUndefined();
  });

  test('gets segments before the features that need them, and their removal after', async () => {
    const create = make(app.ask);
    await create.feature('segmented');
    const client = follower('?namePrefix=segmented');
    await client.ask();
    const { id } = await create.segment('delta');
    expect(await client.ask()).toBeUndefined();
    const strategy = await create.strategy('segmented', { segments: [id] });
    expect(await client.ask()).toEqual([`segment-updated ${id}`, 'feature-updated segmented']);
    await app.ask(`PUT /api/admin/segments/${id}`, { payload: { name: 'delta', constraints: [] } });
    expect(await client.ask()).toEqual([`segment-updated ${id}`]);
    await app.ask(`DELETE ${path('segmented')}/strategies/${strategy.id}`);
    expect(await client.ask()).toEqual(['feature-updated segmented', `segment-removed ${id}`]);
  });

  test('gets a removal and an update when a feature moves between projects', async () => {
    const create = make(app.ask);
    await create.feature('moving');
    const [here, there] = [follower('?project=default'), follower('?project=shop')];
    await Promise.all([here.ask(), there.ask()]);
    const response = await app.ask(
      'POST /api/admin/projects/default/features/moving/changeProject',
      { payload: { newProjectId: 'shop' } },
    );
    expect(response.statusCode, response.body).toBeLessThan(300);
    expect(await here.ask()).toEqual(['feature-removed moving']);
    expect(await there.ask()).toEqual(['feature-updated moving']);
  });

  test('gets a removal for a feature that loses the requested tag', async () => {
    await make(app.ask).feature('tagged', { tags: [{ type: 'simple', value: 'wanted' }] });
    const client = follower('?tag=simple:wanted&tag=simple:other');
    expect(await client.ask()).toEqual(['hydration']);
    await app.ask('DELETE /api/admin/features/tagged/tags/simple/wanted');
    expect(await client.ask()).toEqual(['feature-removed tagged']);
  });

  test('gets nothing for a change that was reverted', async () => {
    await make(app.ask).feature('restless');
    await make(app.ask).switchedOn('restless');
    const client = follower('?namePrefix=restless');
    await client.ask();
    await app.ask(`POST ${path('restless')}/off`);
    // Another client reads the intermediate state, so it was rendered.
    await follower('?namePrefix=restless').ask();
    await app.ask(`POST ${path('restless')}/on`);
    expect(await client.ask()).toBeUndefined();
  });

  test('gets everything again for an ETag that is unknown or of another query', async () => {
    const [one, two] = [follower(), follower('?project=shop')];
    await Promise.all([one.ask(), two.ask()]);
    const hydrates = async (sent: string, query = '') => {
      const headers = { authorization: clientToken, 'if-none-match': sent };
      const response = await app.ask(`GET /api/client/delta${query}`, { headers });
      return [response.statusCode, response.json().events?.[0]?.type];
    };
    const tag = one.tag() as string;
    for (const sent of [
      '"1"',
      '"x:1:y"',
      tag.replace(/:\d+:/, ':1:').replace(/.{3}"$/, 'xxx"'),
      tag.replace(/:\d+:/, ':999999999999999:').replace(/.{3}"$/, 'xxx"'),
      two.tag() as string,
    ]) {
      expect([sent, await hydrates(sent)]).toEqual([sent, [200, 'hydration']]);
    }
  });

  test('can alternate between instances, even if one is behind', async () => {
    const create = make(app.ask);
    await create.feature('between');
    const client = follower('?namePrefix=between');
    await client.ask();
    await received(other, 'between', { name: 'between' });
    // The second instance never rendered this view and does not have the earlier content.
    expect(await client.ask(other)).toBeUndefined();
    await create.switchedOn('between');
    // It receives the notification a moment later. A client that is ahead gets the current content at once.
    await expect.poll(() => client.ask(other)).toEqual(['feature-updated between']);
    expect(await client.ask()).toBeUndefined();
    await make(other.ask).strategy('between', { parameters: { rollout: '7' } });
    expect(await client.ask(other)).toEqual(['feature-updated between']);
    const added = expect.objectContaining({
      parameters: expect.objectContaining({ rollout: '7' }),
    });
    await received(app, 'between', { strategies: expect.arrayContaining([added]) });
    expect(await client.ask()).toBeUndefined();
  });

  test('gets an update if an instance missed the state that the client has', async () => {
    const create = make(app.ask);
    await create.feature('flickering');
    await create.switchedOn('flickering');
    const client = follower('?namePrefix=flickering');
    await follower('?namePrefix=flickering').ask(other);
    await app.ask(`POST ${path('flickering')}/off`);
    await client.ask();
    await app.ask(`POST ${path('flickering')}/on`);
    // Whether or not the other instance read in between, the client's content is outdated.
    expect(await client.ask(other)).not.toBeUndefined();
    await expect.poll(() => client.ask(other)).toBeUndefined();
  });
});

test('a token that loses a project gets everything again', async () => {
  await make(app.ask).project('leaving');
  await make(app.ask).feature('left', { project: 'leaving' });
  await make(app.ask).feature('staying', { project: 'shop' });
  const { secret } = (
    await app.ask('POST /api/admin/api-tokens', {
      payload: { tokenName: 'two', type: 'client', projects: ['leaving', 'shop'] },
    })
  ).json();
  const client = follower('?namePrefix=', secret);
  await client.ask();
  await app.ask('DELETE /api/admin/projects/leaving/features/left');
  expect(await client.ask()).toEqual(['feature-removed left']);
  await app.ask('DELETE /api/admin/archive/left');
  const response = await app.ask('DELETE /api/admin/projects/leaving');
  expect(response.statusCode, response.body).toBeLessThan(300);
  expect(await client.ask()).toEqual(['hydration']);
});
