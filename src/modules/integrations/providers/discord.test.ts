import { describe, expect, test } from 'vitest';
import { compose, deliver } from '../../../../test/support/providers/deliver.ts';
import { awkward, created } from '../../../../test/support/providers/sent-events.ts';
import {
  type Receiver,
  type ReceiverAnswer,
  startReceiver,
} from '../../../../test/support/receiver.ts';
import { discord } from './discord/discord.ts';
import type { IntegrationEvent } from './provider.ts';

const parameters = (hook: Receiver) => ({ url: `${hook.url}/api/webhooks/1/canary` });

const refused = (status: number, code: number, message: string): ReceiverAnswer => ({
  status,
  body: { message, code },
});

interface Body {
  readonly username: string;
  readonly avatar_url?: string;
  readonly embeds: readonly [
    {
      readonly url?: string;
      readonly title: string;
      readonly description: string;
      readonly fields: readonly { readonly name: string; readonly value: string }[];
    },
  ];
}

const bodyOf = (event: IntegrationEvent, given = {}) =>
  compose(discord, event, given).body as unknown as Body;

describe('a Discord webhook', () => {
  test('succeeds with status 204', async () => {
    const hook = await startReceiver({ status: 204 });
    const verdict = await deliver(discord, created, parameters(hook));
    expect(verdict.state).toBe('success');
    expect(hook.received.map(({ path }) => path)).toEqual(['/api/webhooks/1/canary']);
    expect(JSON.parse(hook.received[0]?.body ?? '')).toMatchObject({
      allowed_mentions: { parse: [] },
    });
  });

  test.each([
    [404, 10015, 'Unknown Webhook', 'deleted in Discord'],
    [401, 50027, 'Invalid Webhook Token', 'Copy it from Discord again'],
    [
      400,
      220001,
      'Webhooks posted to forum channels must have a thread_name or thread_id',
      '?thread_id=',
    ],
  ])('explains an error and what to do: %d %d', async (status, code, message, advice) => {
    const hook = await startReceiver(refused(status, code, message));
    const verdict = await deliver(discord, created, parameters(hook));
    expect(verdict.state).toBe('failed');
    expect(verdict.details).toContain(`returned ${status}. Response: ${message}`);
    expect(verdict.details).toContain(advice);
  });

  test('waits for the time in the response body', async () => {
    const hook = await startReceiver({
      status: 429,
      headers: { 'retry-after': '1', 'x-ratelimit-scope': 'shared' },
      body: { message: 'You are being rate limited.', retry_after: 0.529, global: false },
    });
    expect(await deliver(discord, created, parameters(hook))).toMatchObject({
      state: 'failed',
      retryAfterMs: 529,
    });
  });

  test('waits for the time in the header if the body has none', async () => {
    const hook = await startReceiver({
      status: 429,
      headers: { 'retry-after': '65' },
      body: 'error code: 1015',
    });
    expect(await deliver(discord, created, parameters(hook))).toMatchObject({
      retryAfterMs: 65_000,
    });
  });

  test.each<[string, ReceiverAnswer]>([
    ['returns 502', { status: 502, body: '<html>' }],
    ['responds with null', { status: 500, body: 'null' }],
    ['rejects an embed', { status: 400, body: { embeds: ['0'] } }],
    ['resets the connection', 'reset'],
    ['never responds', 'hang'],
  ])('fails if the receiver %s', async (_, answer) => {
    const hook = await startReceiver(answer);
    const limits = answer === 'hang' ? { timeoutMs: 300 } : {};
    const verdict = await deliver(discord, created, parameters(hook), limits);
    expect(verdict.state).toBe('failed');
    expect(verdict.details).not.toContain('canary');
  });

  test('gets a name and an avatar if they are configured', () => {
    expect(bodyOf(created).username).toBe('Burgee');
    const own = { username: 'Flags', avatarUrl: 'https://example.com/a.png' };
    expect(bodyOf(created, own)).toMatchObject({
      username: 'Flags',
      avatar_url: 'https://example.com/a.png',
    });
  });

  test('gets no link if the host of the installation has no dot', () => {
    const at = (baseUrl: string) =>
      (discord.compose(created, {}, { baseUrl }).body as unknown as Body).embeds[0].url;
    expect(at('https://flags.example.com/x/')).toBe(
      'https://flags.example.com/x/projects/shop/features/new-checkout',
    );
    expect(at('http://burgee:4242')).toBeUndefined();
    expect(at('http://localhost.')).toBeUndefined();
  });

  test('gets no more text than Discord accepts, even if every character is escaped', () => {
    const long = (summary: string) => ({
      ...created,
      summary,
      createdBy: '*'.repeat(500),
      label: 'x'.repeat(300),
    });
    for (const summary of [
      `**${'\\*'.repeat(6000)}**`,
      `**${'a'.repeat(6000)}**`,
      `[**a**](/projects/${'a'.repeat(6000)})`,
      `**a** ${'[**a**](/projects/a) '.repeat(300)}`,
    ]) {
      const { title, description, fields } = bodyOf(long(summary)).embeds[0];
      expect(title.length).toBeLessThanOrEqual(256);
      expect(description.length).toBeLessThanOrEqual(4096);
      const all = [title, description, ...fields.flatMap(({ name, value }) => [name, value])];
      expect(all.join('').length).toBeLessThanOrEqual(6000);
      expect(description).not.toBe('');
      for (const { value } of fields) expect(value.length).toBeLessThanOrEqual(1024);
    }
  });

  test('gets escaped field values', () => {
    expect(bodyOf(awkward).embeds[0].fields).toContainEqual({
      name: 'Feature',
      value: "it's\\_\\(new\\)\\*",
      inline: true,
    });
  });

  test('names the author once', () => {
    const names = (event: IntegrationEvent) =>
      bodyOf(event).embeds[0].fields.map(({ name }) => name);
    expect(names(created)).not.toContain('By');
    expect(names({ ...created, summary: 'Someone signed up' })).toContain('By');
  });

  test('rejects parameters that Discord would reject', () => {
    const faults = (given: Record<string, string>) =>
      (discord.check?.(given) ?? []).map(({ parameter }) => parameter);
    const url = 'https://discord.com/api/webhooks/1/x';
    expect(faults({ url })).toEqual([]);
    expect(faults({ url: '*****', username: 'Flags' })).toEqual([]);
    expect(faults({ url: `${url}/slack`, username: 'My Discord' })).toEqual(['url', 'username']);
  });

  test('shows its URL without the path, which is the secret', () => {
    expect(discord.target?.({ url: 'https://discord.com/api/webhooks/1/canary' })).toBe(
      'https://discord.com/*****',
    );
  });
});
