import { describe, expect, test } from 'vitest';
import { createMask } from './masking.ts';

describe('masking the response of a receiver', () => {
  const mask = createMask([
    'https://ada:pass-word@hooks.example.com/services/T0/B0/abcdef?token=tok-12345&key=s3cret%2fcanary',
    'Bearer swordfish',
    '{"X-Key": "header-key"}',
    'quote"d-secret',
    'abc',
  ]);

  test.each([
    ['a URL', 'POST https://ada:pass-word@hooks.example.com/services/T0/B0/abcdef?token=tok-12345'],
    [
      'the path of a URL',
      'no route for /services/T0/B0/abcdef?token=tok-12345&key=s3cret%2fcanary',
    ],
    ['a query value of a URL', 'bad token tok-12345'],
    ['the password in a URL', 'login pass-word failed'],
    ['credentials of a URL as a header', `Basic ${btoa('ada:pass-word')}`],
    ['a percent-encoded value as written', 'bad key s3cret%2fcanary'],
    ['an authorization header', '{"authorization":"Bearer swordfish"}'],
    ['the token of an authorization header', 'unknown token swordfish'],
    ['a custom header', 'x-key: header-key'],
    ['a secret escaped in JSON', '{"secret":"quote\\"d-secret"}'],
    ['a secret encoded in base64', `Basic ${Buffer.from('Bearer swordfish').toString('base64')}`],
  ])('removes %s', (_what, text) => {
    const shown = mask(text);

    expect(shown).toContain('*****');
    expect(shown).not.toMatch(/s3cret|tok-12345|pass-word|swordfish|header-key|d-secret|abcdef/);
  });

  test('keeps all other text, including matches of a secret of three characters', () => {
    expect(mask('alphabetically abc, 200 OK')).toBe('alphabetically abc, 200 OK');
  });

  test('removes segments of a path, alone and decoded, because a path may contain the secret', () => {
    const hide = createMask(['https://hooks.example.com/services/abcdefghijklmn/B0%C3%A40000']);
    for (const text of ['no hook abcdefghijklmn', 'no hook B0%C3%A40000', 'no hook B0ä0000']) {
      expect(hide(text)).toBe('no hook *****');
    }
  });

  test('replaces overlapping secrets once', () => {
    const hide = createMask(['abcdefgh', 'efghijklmnop']);
    expect(hide('<abcdefghijklmnop>')).toBe('<*****>');
  });

  test('truncates long text, but never within a secret', () => {
    expect(createMask([])('x'.repeat(50_000))).toHaveLength(16_000);
    expect(mask(`${'-'.repeat(15_995)}swordfish!`)).toBe(`${'-'.repeat(15_995)}*****`);
    expect(mask('a swordfish', 4)).toBe('a *****');
  });
});
