import type { Fault } from '../../../../platform/errors.ts';
import { wellKnownWords } from './well-known.ts';

const minLength = 10;
const maxLength = 200;
const minDifferent = 5;
/** Shorter names occur in words by chance. */
const minNameLength = 4;

/** Data about a person that an attacker may know. */
export interface PersonNames {
  readonly name?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly email?: string | null | undefined;
}

const lettersMeant: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const withoutDecoration = (text: string): string =>
  text.replace(/^[\d\p{P}\p{S}\s]+/u, '').replace(/[\d\p{P}\p{S}\s]+$/u, '');

/** Forms of a password that reveal a well-known word. */
function normalisedForms(password: string): string[] {
  const plain = password.toLowerCase();
  const meant = (text: string) => text.replace(/[013457@$!]/g, (sign) => lettersMeant[sign] ?? '');
  const bare = withoutDecoration(plain);
  const trailing = plain.replace(/[\d\p{P}\p{S}\s]+$/u, '');
  return [plain, trailing, bare, meant(plain), meant(trailing), meant(bare)].flatMap((text) => [
    text,
    text.replace(/[\p{P}\p{S}\s]/gu, ''),
  ]);
}

/** Typed sequences: the alphabet, digits, and the rows and columns of keyboards. */
const sequences = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
];

const neighbours: ReadonlySet<string> = new Set(
  sequences.flatMap((sequence) =>
    [...sequence].slice(1).flatMap((letter, index) => {
      const before = sequence[index] as string;
      return [before + letter, letter + before];
    }),
  ),
);

/** Reduces repetitions: `abcabcabc` becomes `abc`. */
function withoutRepetition(text: string): string {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const chunk = text.slice(0, length);
    if (chunk.repeat(Math.ceil(text.length / length)).startsWith(text)) return chunk;
  }
  return text;
}

/** How many characters do not follow from the one before. */
function countUnpredictable(password: string): number {
  const letters = [...withoutRepetition(password.toLowerCase())];
  return letters.filter((letter, index) => {
    const before = letters[index - 1];
    return before === undefined || (letter !== before && !neighbours.has(before + letter));
  }).length;
}

const isWellKnown = (password: string): boolean =>
  normalisedForms(password).some((reading) => wellKnownWords.has(reading));

const partsOf = ({ name, username, email }: PersonNames): [what: string, text: string][] => {
  const whole: [string, string | null | undefined][] = [
    ['name', name],
    ['username', username],
    ['email address', email?.split('@', 1)[0]],
  ];
  const words: [string, string][] = (name ?? '')
    .split(/\s+/)
    .map((word): [string, string] => ['name', word]);
  return [...whole, ...words].flatMap(([what, text]): [string, string][] =>
    text && text.length >= minNameLength ? [[what, text.toLowerCase()]] : [],
  );
};

/** All faults of a new password for this person. They do not repeat the password. */
export function passwordFaults(password: string, person: PersonNames, path: string): Fault[] {
  const characters = [...password];
  const words: string[] = [];
  if (characters.length < minLength) words.push(`must have at least ${minLength} characters`);
  if (characters.length > maxLength) {
    words.push(`must have at most ${maxLength} characters`);
  }
  const isMonotonous = new Set(characters).size < minDifferent;
  if (isMonotonous) words.push(`must have at least ${minDifferent} different characters`);
  const lower = password.toLowerCase();
  const contained = partsOf(person).filter(([, text]) => lower.includes(text));
  for (const what of new Set(contained.map(([each]) => each))) {
    words.push(`must not contain the ${what} of the user`);
  }
  if (characters.length <= maxLength && !isMonotonous) {
    if (isWellKnown(password)) words.push('is one of the most common passwords');
    else if (countUnpredictable(password) < minDifferent) {
      words.push('must not consist of sequences and repetitions');
    }
  }
  return words.map((each) => ({ path, message: `${path} ${each}` }));
}
