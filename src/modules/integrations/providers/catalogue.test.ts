import { expect, it } from 'vitest';
import { eventTypes } from '../../events/index.ts';
import { findProvider, providers } from './catalogue.ts';

const namesOf = (name: string, wanted: 'all' | 'required' | 'sensitive') =>
  (findProvider(name)?.parameters ?? [])
    .filter((parameter) => wanted === 'all' || parameter[wanted])
    .map((parameter) => parameter.name)
    .sort();

it('the catalogue lists all providers in a fixed order', () => {
  expect(providers.map(({ name }) => name)).toEqual([
    'webhook',
    'slack-app',
    'slack',
    'teams',
    'discord',
    'datadog',
    'new-relic',
    'pagerduty',
  ]);
  expect(findProvider('telegram')).toBeUndefined();
});

it.each(providers.map((provider) => [provider.name, provider] as const))(
  'the catalogue describes %s and its parameters completely',
  (_name, provider) => {
    const names = provider.parameters.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { displayName, description } of [provider, ...provider.parameters]) {
      expect(displayName).not.toBe('');
      expect(description).toMatch(/[.)]$/);
    }
    expect(URL.canParse(provider.documentationUrl)).toBe(true);
    expect(provider.events.length).toBeGreaterThan(0);
    for (const type of provider.events) expect(eventTypes).toContain(type);
    if (provider.installation) expect(URL.canParse(provider.installation.url)).toBe(true);
    for (const { text } of provider.alerts ?? []) expect(text).toMatch(/\.$/);
  },
);

it.each([
  [
    'webhook',
    ['url'],
    ['authorization', 'customHeaders', 'previousSigningSecret', 'signingSecret', 'url'],
    ['bodyTemplate', 'contentType', 'format'],
  ],
  ['slack-app', ['accessToken'], ['accessToken'], ['apiUrl', 'defaultChannels']],
  [
    'slack',
    ['defaultChannel', 'url'],
    ['customHeaders', 'url'],
    ['defaultChannel', 'emojiIcon', 'username'],
  ],
  ['teams', ['url'], ['customHeaders', 'url'], []],
  ['discord', ['url'], ['url'], ['avatarUrl', 'username']],
  ['datadog', ['apiKey'], ['apiKey', 'customHeaders'], ['bodyTemplate', 'sourceTypeName', 'url']],
  ['new-relic', ['licenseKey', 'url'], ['customHeaders', 'licenseKey'], ['bodyTemplate', 'url']],
  ['pagerduty', ['routingKey'], ['routingKey'], ['url']],
])('the catalogue marks required and secret parameters of %s', (name, needed, secret, open) => {
  expect(namesOf(name, 'required')).toEqual(needed);
  expect(namesOf(name, 'sensitive')).toEqual(secret);
  expect(namesOf(name, 'all')).toEqual([...secret, ...open].sort());
});
