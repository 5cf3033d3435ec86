import { expect, test } from 'vitest';
import { checkSubject, identityOf } from './identity.ts';

const identify = (claims: object) =>
  identityOf({ iss: 'https://id.example.com', sub: 'ada', ...claims }, {}, undefined);

test('an empty, overlong or unstorable subject is rejected', () => {
  for (const subject of ['', 'x'.repeat(256), 'a\0', 'a\ud800']) {
    expect(() => checkSubject(subject), subject).toThrow('not valid');
  }
  checkSubject('x'.repeat(255));
});

test('claims that cannot be stored as text count as missing', () => {
  expect(identify({ email: 'a\0@example.com', preferred_username: 'a\ud800' })).toMatchObject({
    email: undefined,
    username: undefined,
  });
});

test('characters that names may not contain are removed', () => {
  const named = (name: unknown) => identify({ name, given_name: 'Ada' }).name;
  expect(named('Ada\0\r\n\u2028Lovelace\u202e')).toBe('Ada Lovelace');
  expect(named('\u2028')).toBe('Ada');
  expect(named({ a: 1 })).toBe('Ada');
  expect(named(`a${'😀'.repeat(300)}`)).toBe(`a${'😀'.repeat(199)}`);
});
