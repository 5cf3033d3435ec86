import { describe, expect, test } from 'vitest';
import type { OutgoingAnswer } from '../../../platform/outgoing/outgoing.ts';
import type { OpenIntegration } from '../configuration/open.ts';
import { slackApp } from '../providers/slack-app/slack-app.ts';
import { webhook } from '../providers/webhook/webhook.ts';
import { attemptOnce } from './attempt-once.ts';

const open = (more: Partial<OpenIntegration>): OpenIntegration => ({
  id: 1,
  provider: webhook,
  enabled: true,
  plain: {},
  parameters: { url: 'https://hooks.example.com/services/secret-path' },
  events: [],
  projects: [],
  environments: [],
  tags: [],
  inOrder: false,
  responsible: { kind: 'system' },
  namedAfter: 0,
  ...more,
});

const attempt = (
  integration: OpenIntegration,
  message: Parameters<typeof attemptOnce>[0]['message'],
  answer: () => OutgoingAnswer,
) =>
  attemptOnce({
    integration,
    id: '01890000-0000-7000-8000-000000000000',
    message,
    outgoing: { send: async () => answer(), close: () => undefined },
    timeoutMs: 1_000,
    clock: () => new Date(),
    isOwnedByAdministrator: async () => true,
  });

const plainMessage = { contentType: 'application/json', body: '{}', templated: false };

describe('the stored attempt', () => {
  test('has a limited size, however many headers and however much text the receiver sends', async () => {
    const headers = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, number) => [`x-${number}`, 'v'.repeat(50)]),
    );
    const { attempt: kept } = await attempt(open({}), plainMessage, () => ({
      status: 500,
      headers: { ...headers, 'x-long': 'v'.repeat(10_000) },
      body: 'b'.repeat(64_000),
    }));
    const [exchange] = kept.exchanges;
    expect(JSON.stringify(exchange?.response?.headers).length).toBeLessThan(6_000);
    expect(exchange?.response?.body).toHaveLength(2_000);
  });

  test('has a limited number of exchanges, however many channels there are', async () => {
    const channels = Array.from({ length: 500 }, (_, number) => `#channel-${number}`);
    const integration = open({ provider: slackApp, parameters: { accessToken: 'xoxb-secret' } });
    let sent = 0;
    const { attempt: kept } = await attempt(
      integration,
      { channels, message: 'hello', blocks: [] },
      () => {
        sent += 1;
        return { status: 200, headers: {}, body: JSON.stringify({ ok: true, sent }) };
      },
    );
    expect(sent).toBe(500);
    expect(kept.exchanges).toHaveLength(20);
    expect(kept.exchanges.map(({ response }) => JSON.parse(response?.body ?? '').sent)).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      ...[491, 492, 493, 494, 495, 496, 497, 498, 499, 500],
    ]);
  });

  test('does not contain the path of a webhook, and neither does an unexpected error', async () => {
    const {
      attempt: kept,
      target,
      fault,
    } = await attempt(open({}), plainMessage, () => {
      throw new TypeError('Invalid URL: https://hooks.example.com/services/secret-path');
    });
    expect(target).toBe('https://hooks.example.com/*****');
    expect(kept.exchanges[0]?.request.url).toBe(target);
    expect(fault).toBeInstanceOf(Error);
    const { message, stack } = fault as Error;
    expect(message).toContain('Invalid URL: ');
    expect([JSON.stringify(kept), message, stack].join()).not.toContain('secret-path');
  });
});
