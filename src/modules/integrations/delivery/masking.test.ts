import { describe, expect, test } from 'vitest';
import { createMask } from './masking.ts';

describe('the response of a receiver', () => {
  const mask = createMask([
    'https://ada:pass-word@hooks.example.com/services/T0/B0/abcdef?token=tok-12345&key=s3cret%2fcanary',
    'Bearer swordfish',
    '{"X-Key": "header-key"}',
    'quote"d-secret',
    'abc',
  ]);

  test.each([
    [
      'an address',
      'POST https://ada:pass-word@hooks.example.com/services/T0/B0/abcdef?token=tok-12345',
    ],
    ['its path', 'no route for /services/T0/B0/abcdef?token=tok-12345&key=s3cret%2fcanary'],
    ['a value of its query', 'bad token tok-12345'],
    ['its password', 'login pass-word failed'],
    ['its credentials as a header', `Basic ${btoa('ada:pass-word')}`],
    ['an escape as it was written', 'bad key s3cret%2fcanary'],
    ['an authorization', '{"authorization":"Bearer swordfish"}'],
    ['the token in it', 'unknown token swordfish'],
    ['a header of the operator', 'x-key: header-key'],
    ['what JSON escapes', '{"secret":"quote\\"d-secret"}'],
    ['what base64 hides', `Basic ${Buffer.from('Bearer swordfish').toString('base64')}`],
  ])('loses %s', (_what, text) => {
    const shown = mask(text);

    expect(shown).toContain('*****');
    expect(shown).not.toMatch(/s3cret|tok-12345|pass-word|swordfish|header-key|d-secret|abcdef/);
  });

  test('keeps everything else, also what a secret of three letters would take out', () => {
    expect(mask('alphabetically abc, 200 OK')).toBe('alphabetically abc, 200 OK');
  });

  test('loses the parts of a path, alone and decoded, since a path may be all of the secret', () => {
    const hide = createMask(['https://hooks.example.com/services/abcdefghijklmn/B0%C3%A40000']);
    for (const text of ['no hook abcdefghijklmn', 'no hook B0%C3%A40000', 'no hook B0ä0000']) {
      expect(hide(text)).toBe('no hook *****');
    }
  });

  test('loses secrets that overlap as one', () => {
    const hide = createMask(['abcdefgh', 'efghijklmnop']);
    expect(hide('<abcdefghijklmnop>')).toBe('<*****>');
  });

  test('is cut where nobody reads on, and never in the middle of a secret', () => {
    expect(createMask([])('x'.repeat(50_000))).toHaveLength(16_000);
    expect(mask(`${'-'.repeat(15_995)}swordfish!`)).toBe(`${'-'.repeat(15_995)}*****`);
    expect(mask('a swordfish', 4)).toBe('a *****');
  });
});
