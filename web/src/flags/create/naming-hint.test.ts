import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { NamingHint } from './naming-hint.tsx';

const drawn = (naming: Parameters<typeof NamingHint>[0]['naming']) =>
  renderToStaticMarkup(createElement(NamingHint, { naming }));

test('a naming pattern and its example are shown as code', () => {
  expect(
    drawn({
      pattern: 'pay-[a-z0-9-]+',
      example: 'pay-one-click',
      description: 'Begins with pay-, in small letters',
    }),
  ).toBe(
    'Must match <code>pay-[a-z0-9-]+</code> (e.g. <code>pay-one-click</code>)' +
      '<br/><bdi>Begins with pay-, in small letters</bdi>',
  );
  expect(drawn({ pattern: 'pay-.*' })).toBe('Must match <code>pay-.*</code>');
});

test('without a naming pattern, the hint says what the name is for', () => {
  expect(drawn(undefined)).toMatch(/^The name used in your code/);
});
