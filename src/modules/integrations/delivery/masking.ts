import { stars } from '../configuration/integration-schema.ts';

/** Shorter ones would star out half of an answer by chance. */
const minLength = 6;

const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

/** Every spelling in which a receiver could give a secret back to us. */
const spellings = (secret: string): string[] => [
  secret,
  quoted(secret),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A part of a path that nobody would choose as a name. Long words are hidden too: too much rather than too little. */
const looksSecret = (part: string): boolean => part.length >= 12 || /\d/.test(part);

/** A URL is secret for what it leads with: its credentials, its query, and often its path. */
function piecesOfUrl(secret: string): string[] {
  if (!URL.canParse(secret)) return [];
  const { username, password, pathname, search, searchParams } = new URL(secret);
  const [user, word] = [decoded(username), decoded(password)];
  return [
    ...[username, password, user, word, `${user}:${word}`],
    ...[`${pathname}${search}`, pathname, search.slice(1), ...searchParams.values()],
    // As they are written, too: a receiver may repeat an escape in lower case.
    ...search
      .slice(1)
      .split('&')
      .map((part) => part.slice(part.indexOf('=') + 1)),
    ...pathname
      .split('/')
      .filter(looksSecret)
      .flatMap((part) => [part, decoded(part)]),
  ];
}

/** Headers are set as a JSON object, and each of their values is a secret of its own. */
function piecesOfJson(secret: string): string[] {
  if (!secret.trimStart().startsWith('{')) return [];
  try {
    const values: unknown[] = Object.values(JSON.parse(secret));
    return values.filter((value) => typeof value === 'string');
  } catch {
    return [];
  }
}

/** `Bearer abc`: a receiver may repeat the second word alone. */
const maxWords = 10;
const wordsOf = (secret: string): string[] => secret.split(/\s+/, maxWords);

const piecesOf = (secret: string): string[] =>
  [secret, ...piecesOfUrl(secret), ...piecesOfJson(secret)].flatMap((piece) => [
    piece,
    ...wordsOf(piece),
  ]);

/** Of an answer so much is looked at: the record keeps 2,000 characters. */
const maskedLength = 16_000;

/** Takes secrets out of a text, and cuts it. What is cut off is looked at, so that no half of a secret stays. */
export type Mask = (text: string, length?: number) => string;

/**
 * Hides secrets: a receiver may send back in an answer what it was sent. They are found by how they begin, in one
 * walk through the text: to look for each of them cost 0.5 s where there were many, and a receiver sent many headers.
 */
export function createMask(secrets: readonly string[]): Mask {
  const known = new Set(
    secrets
      .flatMap(piecesOf)
      .filter(({ length }) => length >= minLength)
      .flatMap(spellings),
  );
  const byBeginning = new Map<string, string[]>();
  for (const secret of [...known].sort((a, b) => b.length - a.length)) {
    const beginning = secret.slice(0, minLength);
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), secret]);
  }
  return (text, length = maskedLength) => {
    const end = Math.min(text.length, length);
    let masked = '';
    let hiddenUntil = 0;
    let writtenUntil = 0;
    for (let at = 0; at < end; at += 1) {
      const candidates = byBeginning.get(text.slice(at, at + minLength));
      const found = candidates?.find((secret) => text.startsWith(secret, at));
      if (found === undefined) continue;
      // One that begins within another is hidden with it.
      if (at >= hiddenUntil) masked += text.slice(writtenUntil, at) + stars;
      hiddenUntil = Math.max(hiddenUntil, at + found.length);
      writtenUntil = hiddenUntil;
    }
    return masked + text.slice(writtenUntil, Math.max(writtenUntil, end));
  };
}
