import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { compose, deliver } from '../../../../test/support/providers/deliver.ts';
import { created, enabled } from '../../../../test/support/providers/sent-events.ts';
import {
  type Receiver,
  type ReceiverAnswer,
  startReceiver,
} from '../../../../test/support/receiver.ts';
import { createOutgoing } from '../../../platform/outgoing/send.ts';
import type { IntegrationEvent } from './provider.ts';
import { slackApp } from './slack-app/slack-app.ts';

const posted = { status: 200, body: { ok: true, channel: 'C123ABC456', ts: '1503435956.000247' } };
const refused = (error: string, more: object = {}): ReceiverAnswer => ({
  status: 200,
  body: { ok: false, error, ...more },
});

/** Responds for each channel as configured. */
const slackWith = (answers: Readonly<Record<string, ReceiverAnswer>>) =>
  startReceiver(({ body }) => answers[JSON.parse(body).channel] ?? posted);

const parameters = (slack: Receiver, defaultChannels = '#a, #b, #c') => ({
  accessToken: 'xoxb-canary',
  apiUrl: `${slack.url}/api/chat.postMessage`,
  defaultChannels,
});

const channelsOf = (slack: Receiver) => slack.received.map(({ body }) => JSON.parse(body).channel);

describe('the Slack app', () => {
  test('posts once in each channel of the tags and of the defaults', async () => {
    const slack = await startReceiver(posted);
    const verdict = await deliver(slackApp, enabled, parameters(slack, 'ops, #shop-releases'));
    expect(verdict).toEqual({
      state: 'success',
      details: 'Slack accepted the event for #shop-releases and #ops.',
    });
    expect(channelsOf(slack)).toEqual(['#shop-releases', '#ops']);
    expect(slack.received[0]?.headers.authorization).toBe('Bearer xoxb-canary');
  });

  test('stores message and channels in the record', () => {
    expect(slackApp.toRecord?.(compose(slackApp, enabled, { defaultChannels: '#ops' }))).toEqual({
      channels: ['#shop-releases', '#ops'],
      message: expect.stringContaining('*production*'),
    });
  });

  test('names each failed channel and what to do if others got the message', async () => {
    const slack = await slackWith({
      '#b': refused('channel_not_found'),
      '#c': refused('not_in_channel'),
    });
    const { state, details } = await deliver(slackApp, created, parameters(slack));
    expect(state).toBe('successWithErrors');
    expect(details.split('\n')).toEqual([
      'Slack accepted the event for #a.',
      expect.stringMatching(/^#b: Slack error: channel_not_found\. .*invite the app/),
      expect.stringMatching(/^#c: Slack error: not_in_channel\. .*chat:write\.public/),
    ]);
  });

  test('fails if no channel got the message', async () => {
    const slack = await slackWith({
      '#a': refused('is_archived'),
      '#b': refused('a_new_word'),
      '#c': refused('restricted_action'),
    });
    const { state, details } = await deliver(slackApp, created, parameters(slack));
    expect(state).toBe('failed');
    expect(details.split('\n')).toEqual([
      expect.stringMatching(/^#a: Slack error: is_archived\. /),
      '#b: Slack error: a_new_word.',
      expect.stringMatching(/^#c: Slack error: restricted_action\. /),
    ]);
  });

  test.each(['invalid_auth', 'token_revoked', 'account_inactive', 'missing_scope'])(
    'stops at the first channel if the token is the problem: %s',
    async (word) => {
      const slack = await startReceiver(refused(word, { needed: 'chat:write', provided: '' }));
      const verdict = await deliver(slackApp, created, parameters(slack));
      expect(verdict.state).toBe('failed');
      expect(verdict.details).toMatch(new RegExp(`^Slack error: ${word}\\. [A-Z][^\\n]+$`));
      expect(slack.received).toHaveLength(1);
    },
  );

  test('waits for the time in Retry-After', async () => {
    const slack = await startReceiver({
      status: 429,
      headers: { 'retry-after': '30' },
      body: { ok: false, error: 'ratelimited' },
    });
    const verdict = await deliver(slackApp, created, parameters(slack));
    expect(verdict).toMatchObject({ state: 'failed', retryAfterMs: 30_000 });
    expect(verdict.details).toContain('returned 429');
    expect(verdict.details).toContain('ratelimited');
    expect(slack.received).toHaveLength(1);
  });

  test('tries the other channels if one is rate limited', async () => {
    const slack = await slackWith({
      '#b': { status: 429, headers: { 'retry-after': '1' }, body: 'x' },
    });
    const verdict = await deliver(slackApp, created, parameters(slack));
    expect(verdict).toMatchObject({ state: 'successWithErrors', retryAfterMs: 1000 });
    expect(channelsOf(slack)).toEqual(['#a', '#b', '#c']);
  });

  test.each<[string, ReceiverAnswer, RegExp]>([
    ['returns 503', { status: 503, body: 'upstream' }, /returned 503/],
    ['resets the connection', 'reset', /Couldn't reach Slack/],
    ['returns a login page', { status: 200, body: '<html>' }, /isn't from Slack/],
    ['returns null', { status: 200, body: 'null' }, /isn't from Slack/],
    ['redirects', { status: 302, headers: { location: 'https://x.example' } }, /redirect/],
  ])('fails at the first channel if the receiver %s', async (_, answer, words) => {
    const slack = await startReceiver(answer);
    const verdict = await deliver(slackApp, created, parameters(slack));
    expect(verdict.state).toBe('failed');
    expect(verdict.details).toMatch(words);
    expect(verdict.details).not.toContain('canary');
    expect(new Set(channelsOf(slack))).toEqual(new Set(['#a']));
  });

  test('fails at the first channel if the receiver never responds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    // The timeout expires when the request has arrived, however long that takes.
    const slack = await startReceiver(() => {
      vi.advanceTimersByTime(300);
      return 'hang';
    });
    const { state, details } = await deliver(slackApp, created, parameters(slack), {
      timeoutMs: 300,
    });
    expect(state).toBe('failed');
    expect(details).toMatch(/Couldn't reach Slack.*didn't respond within 300 ms/);
    expect(details).not.toContain('canary');
    expect(channelsOf(slack)).toEqual(['#a']);
  });

  test('fails without any channel and works once default channels are configured', async () => {
    const slack = await startReceiver(posted);
    const nowhere = await deliver(slackApp, created, parameters(slack, ' , '));
    expect(nowhere).toMatchObject({
      state: 'failed',
      details: expect.stringMatching(/^No channel to post to\./),
    });
    expect(slack.received).toHaveLength(0);

    const message = compose(slackApp, created, {});
    const sending = {
      id: 'x',
      now: new Date(),
      send: async () => ({ status: 200, headers: {}, body: '{"ok":true}' }),
    };
    const later = await slackApp.deliver(message, parameters(slack, 'ops'), sending);
    expect(later).toEqual({ state: 'success', details: 'Slack accepted the event for #ops.' });
  });

  test('fails if it is aborted halfway, so that the retry includes every channel', async () => {
    const stopping = new AbortController();
    const slack = await startReceiver(({ body }) => {
      if (JSON.parse(body).channel !== '#b') return posted;
      stopping.abort();
      return 'hang';
    });
    const outgoing = createOutgoing({ privateTargets: ['127.0.0.1'], loopback: false });
    const message = compose(slackApp, created, parameters(slack));
    const verdict = await slackApp.deliver(message, parameters(slack), {
      id: 'x',
      now: new Date(),
      send: (request) => outgoing.send(request, { timeoutMs: 60_000, signal: stopping.signal }),
    });
    outgoing.close();
    expect(verdict.state).toBe('failed');
    expect(channelsOf(slack)).toEqual(['#a', '#b']);
  });

  test('trims a message that is too long for Slack and says so', async () => {
    const slack = await startReceiver(posted);
    const long: IntegrationEvent = {
      ...created,
      summary: `**ada** said ${'🚢'.repeat(2000)} **x**`,
    };
    const { state, details } = await deliver(slackApp, long, parameters(slack, '#a'));
    expect(state).toBe('success');
    expect(details).toContain('The message has 4011 characters (trimmed to 3000 characters).');
    const { text, blocks } = JSON.parse(slack.received[0]?.body ?? '');
    expect(text).toMatch(/^\*ada\* said 🚢+…$/u);
    expect(JSON.stringify(blocks[0]).length).toBeLessThan(4000);
  });

  test('rejects a token that is not valid in a header', () => {
    const faults = slackApp.check?.({ accessToken: 'xoxb-1\n' }) ?? [];
    expect(faults.map(({ parameter }) => parameter)).toEqual(['accessToken']);
    expect(slackApp.check?.({ accessToken: '*****' })).toEqual([]);
  });

  test('shows its URL without secrets', () => {
    expect(slackApp.target?.({})).toBe('https://slack.com/api/chat.postMessage');
    expect(slackApp.target?.({ apiUrl: 'https://u:p@gate.example/slack?key=canary' })).not.toMatch(
      /canary|:p@/,
    );
  });
});
