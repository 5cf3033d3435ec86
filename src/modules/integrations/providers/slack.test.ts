import { describe, expect, test } from 'vitest';
import { compose, deliver } from '../../../../test/support/providers/deliver.ts';
import { created, enabled } from '../../../../test/support/providers/sent-events.ts';
import {
  type Receiver,
  type ReceiverAnswer,
  startReceiver,
} from '../../../../test/support/receiver.ts';
import { slack } from './slack/slack.ts';

const ok = { status: 200, body: 'ok' };

const hookWith = (answers: Readonly<Record<string, ReceiverAnswer>>) =>
  startReceiver(({ body }) => answers[JSON.parse(body).channel] ?? ok);

const parameters = (hook: Receiver, defaultChannel = '#a, #b') => ({
  url: `${hook.url}/services/T0/B0/canary`,
  defaultChannel,
});

const bodiesOf = (hook: Receiver) => hook.received.map(({ body }) => JSON.parse(body));

describe('an incoming Slack webhook', () => {
  test('posts in the default channel if no tag names another', async () => {
    const hook = await startReceiver(ok);
    const verdict = await deliver(slack, created, parameters(hook, '#flags'));
    expect(verdict).toEqual({
      state: 'success',
      details: 'Slack accepted the event for #flags.',
    });
    expect(bodiesOf(hook)).toMatchObject([
      { channel: '#flags', username: 'Burgee', icon_emoji: ':triangular_flag_on_post:' },
    ]);
  });

  test('posts in the channels of the tags instead of the default channel', async () => {
    const hook = await startReceiver(ok);
    await deliver(slack, enabled, { ...parameters(hook), username: 'Flags', emojiIcon: ':wave:' });
    expect(bodiesOf(hook)).toMatchObject([
      { channel: '#shop-releases', username: 'Flags', icon_emoji: ':wave:' },
    ]);
  });

  test('stores channels, name and message in the record', () => {
    expect(slack.toRecord?.(compose(slack, created, { defaultChannel: 'a' }))).toEqual({
      channels: ['#a'],
      username: 'Burgee',
      emojiIcon: ':triangular_flag_on_post:',
      message: expect.stringMatching(/^\*ada@example\.com\* created \*<\S+\|new-checkout>\* in /),
    });
  });

  test('names the failed channel if others got the message', async () => {
    const hook = await hookWith({ '#b': { status: 404, body: 'channel_not_found' } });
    const { state, details } = await deliver(slack, created, parameters(hook));
    expect(state).toBe('successWithErrors');
    expect(details).toMatch(/^Slack accepted the event for #a\.\n#b: .*404.*channel_not_found\. /);
  });

  test.each([
    [404, 'no_service'],
    [404, 'no_team'],
    [403, 'invalid_token'],
    [400, 'invalid_payload'],
    [500, 'rollup_error'],
  ])('reports a problem of the webhook itself once: %d %s', async (status, body) => {
    const hook = await startReceiver({ status, body });
    const verdict = await deliver(slack, created, parameters(hook));
    expect(verdict.state).toBe('failed');
    expect(verdict.details).toMatch(
      new RegExp(`^Slack returned ${status}\\. Slack error: ${body}\\. [A-Z]`),
    );
    expect(verdict.gone).toBeUndefined();
    expect(hook.received).toHaveLength(1);
  });

  test.each([
    [403, 'action_prohibited'],
    [403, 'posting_to_general_channel_denied'],
    [400, 'user_not_found'],
  ])('tries the next channel after a problem of one channel: %d %s', async (status, body) => {
    const hook = await startReceiver({ status, body });
    expect((await deliver(slack, created, parameters(hook))).details.split('\n')).toEqual([
      expect.stringMatching(/^#a: /),
      expect.stringMatching(/^#b: /),
    ]);
  });

  test('is gone if its only channel is archived', async () => {
    const hook = await startReceiver({ status: 410, body: 'channel_is_archived' });
    expect(await deliver(slack, created, parameters(hook, '#a'))).toMatchObject({
      state: 'failed',
      gone: true,
    });
  });

  test('is not gone if one of several channels or a channel of a tag is archived', async () => {
    const hook = await startReceiver({ status: 410, body: 'channel_is_archived' });
    for (const event of [created, enabled]) {
      const verdict = await deliver(slack, event, parameters(hook));
      expect(verdict).toMatchObject({ state: 'failed' });
      expect(verdict.gone).toBeUndefined();
    }
    const tagged = await deliver(slack, enabled, parameters(hook, '#a'));
    expect(tagged.gone).toBeUndefined();
  });

  test('is gone if the server returns 410 for the URL', async () => {
    const hook = await startReceiver({ status: 410, body: '<h1>Gone</h1>' });
    expect(await deliver(slack, created, parameters(hook))).toMatchObject({ gone: true });
  });

  test('waits for the time in Retry-After', async () => {
    const hook = await startReceiver({
      status: 429,
      headers: { 'retry-after': '7' },
      body: 'rate_limited',
    });
    expect(await deliver(slack, created, parameters(hook))).toMatchObject({
      state: 'failed',
      retryAfterMs: 7000,
    });
    expect(hook.received).toHaveLength(1);
  });

  test.each<[string, ReceiverAnswer]>([
    ['resets the connection', 'reset'],
    ['never responds', 'hang'],
    ['returns a login page', { status: 200, body: '<html>canary</html>' }],
    ['reports a failure', { status: 200, body: { success: false } }],
  ])('fails if the receiver %s', async (_, answer) => {
    const hook = await startReceiver(answer);
    const limits = answer === 'hang' ? { timeoutMs: 300 } : {};
    const verdict = await deliver(slack, created, parameters(hook), limits);
    expect(verdict.state).toBe('failed');
    expect(verdict.details).not.toContain('/services/');
  });

  test.each([{ success: true }, { ok: true }, ''])(
    'succeeds with the response %j of servers compatible with Slack',
    async (body) => {
      const hook = await startReceiver({ status: 200, body });
      expect((await deliver(slack, created, parameters(hook))).state).toBe('success');
    },
  );

  test('omits invalid custom headers and says so', async () => {
    const hook = await startReceiver(ok);
    const verdict = await deliver(slack, created, { ...parameters(hook), customHeaders: '{"X' });
    expect(verdict.state).toBe('successWithErrors');
    expect(verdict.details).toMatch(/custom headers/);
  });

  test('rejects invalid parameters', () => {
    const faults = slack.check?.({ url: '*****', defaultChannel: ' ,', customHeaders: '[]' }) ?? [];
    expect(faults.map(({ parameter }) => parameter)).toEqual(['defaultChannel', 'customHeaders']);
  });

  test('shows its URL without the path, which is the secret', () => {
    expect(slack.target?.({ url: 'https://hooks.slack.com/services/T0/B0/canary' })).toBe(
      'https://hooks.slack.com/*****',
    );
  });
});
