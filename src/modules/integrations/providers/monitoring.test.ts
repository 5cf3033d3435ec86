import { describe, expect, it } from 'vitest';
import { compose, deliver } from '../../../../test/support/providers/deliver.ts';
import { created, enabled, sentAt } from '../../../../test/support/providers/sent-events.ts';
import { startReceiver } from '../../../../test/support/receiver.ts';
import { datadog } from './datadog/datadog.ts';
import { newRelic } from './new-relic/new-relic.ts';
import { pagerduty } from './pagerduty/pagerduty.ts';
import type { IntegrationEvent, Parameters, Provider } from './provider.ts';

type Body = Readonly<Record<string, unknown>>;

const bodyOf = (provider: Provider, event: IntegrationEvent, parameters: Parameters = {}) =>
  compose(provider, event, parameters).body as Body;

/** The request that arrives if an event is sent this many hours after it was recorded. */
const arrives = async (provider: Provider, parameters: Parameters, hoursLater = 0) => {
  const receiver = await startReceiver({ status: 202 });
  const now = new Date(sentAt.getTime() + hoursLater * 3_600_000);
  const verdict = await deliver(provider, created, { ...parameters, url: receiver.url }, { now });
  const [request] = receiver.received;
  return { verdict, headers: request?.headers, body: JSON.parse(request?.body ?? '') as Body };
};

const faults = (provider: Provider, parameters: Parameters) =>
  (provider.check?.(parameters) ?? []).map(({ parameter }) => parameter);

const huge = {
  ...created,
  summary: `**ada** said **${'\\*'.repeat(5000)}** of [**x**](/projects/shop)`,
  data: { text: 'x'.repeat(200_000) },
};

describe('Datadog', () => {
  const apiKey = 'canary-datadog-key';

  it('gets the time of an event unless Datadog would reject the event because of it', async () => {
    expect((await arrives(datadog, { apiKey }, 16)).body.date_happened).toBe(1772616598);
    const { body } = await arrives(datadog, { apiKey }, 18);
    expect(body).not.toHaveProperty('date_happened');
    expect(body.title).toBe('Feature created: new-checkout');
  });

  it('uses a template for its text', () => {
    const bodyTemplate = '{{event.createdBy}} "{{event.data.name}}"';
    expect(bodyOf(datadog, created, { bodyTemplate }).text).toBe('ada@example.com "new-checkout"');
  });

  it('gets the summary if a template fails, and the record says why', async () => {
    const { body, verdict } = await arrives(datadog, { apiKey, bodyTemplate: '{{#event}}' });
    expect(body.text).toContain('created [**new-checkout**]');
    expect(verdict.state).toBe('successWithErrors');
    expect(verdict.details).toContain('Unclosed section');
  });

  it('gets no more text than it shows', () => {
    const { text } = bodyOf(datadog, huge);
    expect(String(text).length).toBeLessThanOrEqual(4000);
    expect(text).toMatch(/^%%% \n.*…\n %%%$/s);
    const templated = bodyOf(datadog, huge, { bodyTemplate: '{{event.data.text}}' });
    expect(String(templated.text)).toHaveLength(4000);
    const long = { ...created, featureName: 'f'.repeat(100) };
    expect(String(bodyOf(datadog, long).title)).toHaveLength(100);
  });

  it('does not notify users mentioned by a name', () => {
    const event = { ...created, summary: '**ada@example.com** said **@all** and **%%%**' };
    const { text } = bodyOf(datadog, event);
    expect(text).toContain('**ada@example.com**');
    expect(text).not.toContain('@all');
    expect(String(text).split('%%%')).toHaveLength(3);
  });

  it('gets custom headers in addition to its key', async () => {
    const { headers } = await arrives(datadog, { apiKey, customHeaders: '{"X-Team": "blue"}' });
    expect(headers).toMatchObject({ 'dd-api-key': apiKey, 'x-team': 'blue' });
  });

  it('uses the US site by default', () => {
    expect(datadog.target?.({})).toBe('https://api.datadoghq.com/api/v1/events');
    expect(datadog.target?.({ url: 'https://api.datadoghq.eu/api/v1/events?api_key=x' })).toBe(
      'https://api.datadoghq.eu/api/v1/events?api_key=*****',
    );
  });

  it('rejects invalid parameters', () => {
    expect(faults(datadog, { apiKey })).toEqual([]);
    const wrong = { apiKey: 'a b', bodyTemplate: '{{', customHeaders: '1' };
    expect(faults(datadog, wrong)).toEqual(['apiKey', 'bodyTemplate', 'customHeaders']);
  });
});

describe('New Relic', () => {
  const licenseKey = 'canary-license-key';

  it('gets the time of an event unless New Relic would drop the event because of it', async () => {
    expect((await arrives(newRelic, { licenseKey }, 46)).body.timestamp).toBe(1772616598123);
    const { body } = await arrives(newRelic, { licenseKey }, 48);
    expect(body).not.toHaveProperty('timestamp');
    expect(body.eventId).toBe(101);
  });

  it('gets only strings and numbers within its limits', () => {
    const data = {
      ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index])),
    };
    const many = bodyOf(newRelic, { ...created, data });
    expect(Object.keys(many)).toHaveLength(250);
    const odd = bodyOf(newRelic, {
      ...created,
      data: { 'a b"c': true, deep: { x: [1] }, none: null, long: 'x'.repeat(9999) },
    });
    expect(odd).toMatchObject({ 'data.a_b_c': 'true', 'data.deep': '{"x":[1]}' });
    expect(odd).not.toHaveProperty('data.none');
    expect(String(odd['data.long'])).toHaveLength(4096);
    for (const value of Object.values({ ...many, ...odd })) {
      expect(['string', 'number']).toContain(typeof value);
    }
  });

  it('uses a template for its summary', () => {
    const bodyTemplate = '{{event.label}} in {{event.environment}}';
    expect(bodyOf(newRelic, enabled, { bodyTemplate }).summary).toBe(
      'Feature switched on in production',
    );
  });

  it('gets the summary if a template fails, and the record says why', async () => {
    const { body, verdict } = await arrives(newRelic, { licenseKey, bodyTemplate: '{{#event}}' });
    expect(body.summary).toBe('ada@example.com created new-checkout in shop');
    expect(verdict.state).toBe('successWithErrors');
  });

  it('rejects invalid parameters', () => {
    expect(faults(newRelic, { licenseKey })).toEqual([]);
    const wrong = { licenseKey: 'a\n', bodyTemplate: '{{', customHeaders: '1' };
    expect(faults(newRelic, wrong)).toEqual(['licenseKey', 'bodyTemplate', 'customHeaders']);
  });
});

describe('PagerDuty', () => {
  const routingKey = '0123456789abcdef0123456789abcdef';

  it('gets its key, which is not part of the stored message', async () => {
    const message = compose(pagerduty, created, { routingKey });
    expect(JSON.stringify(message)).not.toMatch(/routing|0123456789abcdef/);
    expect((await arrives(pagerduty, { routingKey })).body.routing_key).toBe(routingKey);
  });

  it('gets no more text than it accepts', () => {
    const { payload } = bodyOf(pagerduty, huge) as { payload: Body & { summary: string } };
    expect(payload.summary).toHaveLength(1024);
    expect(payload.custom_details).toMatchObject({
      event: 'feature-created',
      data: 'Too large to send.',
    });
    expect(JSON.stringify(payload).length).toBeLessThan(10_000);
  });

  it('uses the default URL', () => {
    expect(pagerduty.target?.({})).toBe('https://events.pagerduty.com/v2/change/enqueue');
  });

  it('rejects an invalid key', () => {
    expect(faults(pagerduty, { routingKey })).toEqual([]);
    for (const key of [`${routingKey}0`, 'short', ` ${routingKey.slice(1)}`]) {
      expect(faults(pagerduty, { routingKey: key })).toEqual(['routingKey']);
    }
  });
});
