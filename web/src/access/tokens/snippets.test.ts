import { expect, test } from 'vitest';
import { secretPlaceholder, snippetsFor, visibleSecret } from './snippets.ts';

const connection = { url: 'https://flags.example.com', secret: 'shop:dev.1234', feature: 'dark' };

test.each(['client', 'frontend', 'admin'] as const)(
  'every snippet of a %s token has the URL and the secret',
  (type) => {
    for (const { code } of snippetsFor(type, connection)) {
      expect(code).toContain('https://flags.example.com');
      expect(code).toContain('shop:dev.1234');
    }
  },
);

test('a masked secret is replaced by a placeholder', () => {
  expect(visibleSecret('shop:dev.1234')).toBe('shop:dev.1234');
  expect(visibleSecret('shop:dev.*****')).toBeUndefined();
  const [{ code = '' } = {}] = snippetsFor('client', { ...connection, secret: secretPlaceholder });
  expect(code).toContain("-H 'Authorization: <your token>'");
});
