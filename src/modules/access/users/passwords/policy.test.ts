import { describe, expect, test } from 'vitest';
import { passwordFaults } from './policy.ts';

const nobody = {};
const words = (password: string, person: Parameters<typeof passwordFaults>[1] = nobody) =>
  passwordFaults(password, person, '/p').map(({ path, message }) => {
    expect(path).toBe('/p');
    return message.replace('/p ', '');
  });

describe('a password', () => {
  test.each([
    'correct-horse-42-battery',
    'zwölf Brücken',
    'a2b4c6d8e0',
    '😀😁😂🤣😃😄😅😆😉😊',
    `${'x'.repeat(190)} lantern 4`,
  ])('%j is accepted', (password) => {
    expect(words(password)).toEqual([]);
  });

  test('must have 10 to 200 characters, regardless of bytes', () => {
    expect(words('a2b4c6d8e')).toEqual(['must have at least 10 characters']);
    expect(words('😀😁😂🤣😃😄😅😆😉')).toEqual(['must have at least 10 characters']);
    expect(words(`${'x'.repeat(192)} lantern 4`)).toEqual(['must have at most 200 characters']);
  });

  test('must have five different characters; all problems are reported together', () => {
    expect(words('ababababcd')).toEqual(['must have at least 5 different characters']);
    expect(words('aaa')).toEqual([
      'must have at least 10 characters',
      'must have at least 5 different characters',
    ]);
    expect(words('')).toHaveLength(2);
  });

  test.each([
    'password12',
    'Password123!',
    'P@ssw0rd123!',
    '12345678910',
    'qwertyuiop',
    'Qwertyuiop[]',
    'letmein!!!2026',
    '!!!changeme!!!',
    'unleash4all',
    'correct horse battery staple',
    'Pa.ss-wo_rd12',
    'Summer2026!!',
    'admin123456',
  ])('%j is rejected as a common password', (password) => {
    expect(words(password)).toEqual(['is one of the most common passwords']);
  });

  test.each([
    'abcdeabcde',
    'qazwsxedcr',
    '12345qwert',
    'aabbccddeeff',
    'xyzw!xyzw!',
    'mnbvcxz54321',
  ])('%j is rejected as a sequence or repetition', (password) => {
    expect(words(password)).toEqual(['must not consist of sequences and repetitions']);
  });

  test.each([
    ['it-is-ADA.LOVE-1815', { email: 'ada.love@example.com' }, 'email address'],
    ['mr-countess-1815', { username: 'Countess' }, 'username'],
    ['augusta byron king', { name: 'Augusta Byron' }, 'name'],
    ['my-byron-is-here-1', { name: 'Augusta Byron' }, 'name'],
  ] as const)('%j is rejected for containing a name of the user', (password, person, what) => {
    expect(words(password, person)).toEqual([`must not contain the ${what} of the user`]);
  });

  test('may contain short names and the domain of the email', () => {
    const person = { name: 'Al Bo', username: 'bob', email: 'al@example.com' };
    expect(words('example-bob-al-42', person)).toEqual([]);
    expect(words('example-bob-al-42', { name: null, username: undefined, email: '' })).toEqual([]);
  });
});
