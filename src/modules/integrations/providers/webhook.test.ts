import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { compose, deliver, sendingId } from '../../../../test/support/providers/deliver.ts';
import {
  awkward,
  baseUrl,
  created,
  typicalEvents,
} from '../../../../test/support/providers/sent-events.ts';
import { type Received, startReceiver } from '../../../../test/support/receiver.ts';
import type { Parameters } from './provider.ts';
import { webhook } from './webhook/webhook.ts';

const secretOf = (bytes: number, fill: number) =>
  `whsec_${Buffer.alloc(bytes, fill).toString('base64')}`;
const [current, previous, foreign] = [secretOf(32, 1), secretOf(24, 2), secretOf(64, 3)];

const received = async (parameters: Parameters, event = awkward, now = new Date()) => {
  const receiver = await startReceiver();
  const verdict = await deliver(webhook, event, { url: receiver.url, ...parameters }, { now });
  return { verdict, request: receiver.received[0] as Received };
};

/** Verified with the reference library of Standard Webhooks. */
const believes = (secret: string, { bytes, headers }: Received) => {
  try {
    new Webhook(secret).verify(bytes, headers);
    return true;
  } catch {
    return false;
  }
};

describe('a webhook signature', () => {
  it('is valid with the right secret only', async () => {
    for (const event of typicalEvents) {
      const { request } = await received({ signingSecret: current }, event);
      expect(believes(current, request)).toBe(true);
      expect(believes(foreign, request)).toBe(false);
      expect(request.headers['webhook-signature']).not.toContain(' ');
    }
  });

  it('covers the exact bytes of a templated body', async () => {
    const bodyTemplate = '{"x": "{{event.data.title}}", "y": {{event.data}}}';
    const { request } = await received({ signingSecret: current, bodyTemplate });
    expect(believes(current, request)).toBe(true);
    const changed = { ...request, bytes: Buffer.from(request.body.replace('🚢', '🚣')) };
    expect(believes(current, changed)).toBe(false);
  });

  it('is valid with both secrets during a rotation', async () => {
    const { request } = await received({
      signingSecret: current,
      previousSigningSecret: previous,
    });
    expect(believes(current, request)).toBe(true);
    expect(believes(previous, request)).toBe(true);
    expect(believes(foreign, request)).toBe(false);
    expect(request.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  });

  it('is no longer valid with the previous secret once that is removed', async () => {
    const { request } = await received({ signingSecret: current, previousSigningSecret: '' });
    expect(believes(previous, request)).toBe(false);
  });

  it('changes with each attempt, while the id stays the same for the delivery', async () => {
    const [first, second] = [
      new Date('2026-03-04T09:30:00.900Z'),
      new Date('2026-03-04T14:00:00Z'),
    ];
    const { request: early } = await received({ signingSecret: current }, awkward, first);
    const { request: late } = await received({ signingSecret: current }, awkward, second);
    expect(early.headers['webhook-timestamp']).toBe('1772616600');
    expect(late.headers['webhook-timestamp']).toBe('1772632800');
    expect(early.headers['webhook-signature']).not.toBe(late.headers['webhook-signature']);
    expect([early.headers['webhook-id'], late.headers['webhook-id']]).toEqual([
      sendingId,
      sendingId,
    ]);
    expect(early.bytes.equals(late.bytes)).toBe(true);
  });

  it('is omitted without a secret', async () => {
    const { request, verdict } = await received({});
    expect(verdict.state).toBe('success');
    expect(request.headers).not.toHaveProperty('webhook-signature');
  });
});

describe('the validation of webhook parameters', () => {
  const faults = (parameters: Parameters) =>
    (webhook.check?.(parameters) ?? []).map(({ parameter, message }) => `${parameter}: ${message}`);

  it('accepts only a URL', () => {
    expect(faults({ url: 'https://example.com' })).toEqual([]);
  });

  it.each([24, 32, 64])('accepts secrets of %i bytes', (bytes) => {
    const secret = secretOf(bytes, 9);
    expect(faults({ signingSecret: secret, previousSigningSecret: secret })).toEqual([]);
  });

  it.each([
    [
      'without the prefix',
      Buffer.alloc(32).toString('base64'),
      'The secret must begin with whsec_.',
    ],
    [
      'that is not base64',
      'whsec_not base64!',
      'The part after whsec_ must be base64 with padding.',
    ],
    [
      'without padding',
      secretOf(32, 1).replace(/=+$/, ''),
      'The part after whsec_ must be base64 with padding.',
    ],
    [
      'that is too short',
      secretOf(23, 1),
      'The part after whsec_ must be 24 to 64 bytes; it is 23 bytes.',
    ],
    [
      'that is too long',
      secretOf(65, 1),
      'The part after whsec_ must be 24 to 64 bytes; it is 65 bytes.',
    ],
  ])('rejects a secret %s', (_how, secret, message) => {
    expect(faults({ signingSecret: secret })).toEqual([`signingSecret: ${message}`]);
    expect(faults({ previousSigningSecret: secret })).toEqual([
      `previousSigningSecret: ${message}`,
    ]);
  });

  const headersMessage =
    'The value must be a JSON object with a string for each header, such as {"X-Team": "blue"}.';

  it.each([
    ['{', headersMessage],
    ['[]', headersMessage],
    ['null', headersMessage],
    ['"x"', headersMessage],
    ['{"x y": "1"}', '"x y" is not a valid header name.'],
    ['{"": "1"}', '"" is not a valid header name.'],
    ['{"x": 1}', 'The value of the header "x" must be a string.'],
    [
      '{"x": "a\\r\\nb: c"}',
      'The value of the header "x" must contain only printable ASCII characters.',
    ],
    ['{"x": "é"}', 'The value of the header "x" must contain only printable ASCII characters.'],
    ['{"x": "1", "X": "2"}', 'The header "x" occurs twice.'],
    ['{"Host": "a"}', 'Burgee sets the header "host" itself.'],
    ['{"Content-Length": "1"}', 'Burgee sets the header "content-length" itself.'],
    ['{"Transfer-Encoding": "x"}', 'Burgee sets the header "transfer-encoding" itself.'],
    ['{"Connection": "x"}', 'Burgee sets the header "connection" itself.'],
    ['{"Webhook-Id": "x"}', 'Burgee sets the header "webhook-id" itself.'],
    ['{"webhook-anything": "x"}', 'Burgee sets the header "webhook-anything" itself.'],
  ])('rejects the headers %s', (customHeaders, message) => {
    expect(faults({ customHeaders })).toEqual([`customHeaders: ${message}`]);
  });

  it('accepts other headers or none', () => {
    for (const customHeaders of ['', ' ', '{}', '{"X-A": "b c", "Authorization": "Basic x"}']) {
      expect(faults({ customHeaders })).toEqual([]);
    }
  });

  it('returns all errors together', () => {
    expect(
      faults({
        contentType: 'json',
        authorization: 'Bearer ü',
        bodyTemplate: '{{#event}}',
        customHeaders: '[]',
        format: 'xml',
      }),
    ).toEqual([
      'contentType: The value must be a media type such as application/json.',
      'authorization: The value must contain only printable ASCII characters.',
      'bodyTemplate: The template is invalid at line 1, column 11: Unclosed section "event".',
      `customHeaders: ${headersMessage}`,
      'format: The value must be event or cloudevents.',
    ]);
  });

  it('rejects a template or another content type for CloudEvents', () => {
    expect(faults({ format: 'cloudevents', bodyTemplate: '{}' })).toEqual([
      'bodyTemplate: The format cloudevents does not support a template. Remove it.',
    ]);
    expect(faults({ format: 'cloudevents', contentType: 'text/plain' })).toEqual([
      'contentType: The content type of the format cloudevents is always application/cloudevents+json.',
    ]);
    for (const contentType of ['', 'application/json', 'application/cloudevents+json']) {
      expect(faults({ format: 'cloudevents', bodyTemplate: '', contentType })).toEqual([]);
    }
  });

  it('accepts a charset in the content type', () => {
    expect(faults({ contentType: 'text/plain; charset=utf-8' })).toEqual([]);
    expect(faults({ contentType: 'text/plain\r\nx: y' })).toHaveLength(1);
  });
});

describe('webhook headers', () => {
  it('include the configured ones, which take precedence', async () => {
    const { request, verdict } = await received({
      authorization: 'Bearer ours',
      customHeaders: '{"X-Team": "blue", "Content-Type": "application/vnd.x+json"}',
    });
    expect(verdict.state).toBe('success');
    expect(request.headers).toMatchObject({
      authorization: 'Bearer ours',
      'x-team': 'blue',
      'content-type': 'application/vnd.x+json',
    });
  });

  it('are omitted if they are invalid, and the record says so', async () => {
    const { request, verdict } = await received({ customHeaders: '{"x-team": "canary-value",' });
    expect(verdict).toEqual({
      state: 'successWithErrors',
      details:
        'Invalid custom headers omitted: The value must be a JSON object with a string for each header, such as {"X-Team": "blue"}.\nThe webhook returned 200.',
    });
    expect(request.headers).not.toHaveProperty('x-team');
    expect(JSON.parse(request.body)).toEqual(awkward);
  });

  it('that are invalid do not hide a failure', async () => {
    const receiver = await startReceiver({ status: 404 });
    const verdict = await deliver(webhook, created, { url: receiver.url, customHeaders: '{' });
    expect(verdict.state).toBe('failed');
    expect(verdict.details.split('\n')).toEqual([
      expect.stringContaining('Invalid custom headers omitted'),
      'The webhook returned 404.',
    ]);
  });
});

describe('the record of a webhook delivery', () => {
  const shown = (parameters: Parameters) =>
    webhook.toRecord?.(compose(webhook, created, parameters)) ?? {};

  it('contains the event as an object', () => {
    expect(shown({})).toEqual({ contentType: 'application/json', body: created });
  });

  it('contains the envelope of a CloudEvent as an object', () => {
    expect(shown({ format: 'cloudevents' })).toEqual({
      contentType: 'application/cloudevents+json',
      body: {
        specversion: '1.0',
        id: '101',
        source: baseUrl,
        type: 'io.burgee.feature-created',
        subject: 'new-checkout',
        time: created.createdAt,
        datacontenttype: 'application/json',
        data: created,
      },
    });
  });

  it('contains the result of a template as text', () => {
    expect(shown({ bodyTemplate: '{"a": {{event.id}}}', contentType: 'text/json' })).toEqual({
      contentType: 'text/json',
      body: '{"a": 101}',
    });
  });

  it('ignores a blank template', () => {
    expect(shown({ bodyTemplate: ' \n', contentType: '' })).toEqual(shown({}));
  });

  it('can be created from an empty message', () => {
    expect(webhook.toRecord?.({})).toEqual({ contentType: '', body: '' });
  });

  it('contains the receiver without the secrets in its URL', () => {
    expect(webhook.target?.({ url: 'https://u:canary@example.com/a?key=canary' })).toBe(
      'https://u:*****@example.com/*****',
    );
  });
});

describe('a template with a result that is too large', () => {
  const large = { ...created, data: { name: 'x'.repeat(600_000) } };
  const problem = 'The result of the template has more than 1000000 characters.';

  it('is replaced by a short JSON body with the problem', async () => {
    const bodyTemplate = '{{eventJson}}{{eventJson}}';
    const { request, verdict } = await received({ bodyTemplate, signingSecret: current }, large);
    expect(JSON.parse(request.body)).toEqual({
      problem,
      event: { id: 101, type: 'feature-created' },
    });
    expect(believes(current, request)).toBe(true);
    expect(verdict).toEqual({
      state: 'successWithErrors',
      details: `${problem}\nThe webhook returned 200.`,
    });
  });

  it('is replaced by a sentence if the body is not JSON', async () => {
    const parameters = { bodyTemplate: '{{eventJson}}{{eventJson}}', contentType: 'text/plain' };
    const { request } = await received(parameters, large);
    expect(request.body).toBe(`${problem} The event was 101, feature-created.`);
  });
});
