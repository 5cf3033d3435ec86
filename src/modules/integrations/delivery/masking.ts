import { stars } from '../configuration/integration-schema.ts';

/** Shorter secrets would mask half of a response by chance. */
const minLength = 6;

const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

/** The encodings in which a receiver may repeat a secret. */
const listEncodings = (secret: string): string[] => [
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

/** A path segment that is probably not a name. Long words are masked too: better too much than too little. */
const looksSecret = (part: string): boolean => part.length >= 12 || /\d/.test(part);

/** The secret parts of a URL: its credentials, its query, and often its path. */
function piecesOfUrl(secret: string): string[] {
  if (!URL.canParse(secret)) return [];
  const { username, password, pathname, search, searchParams } = new URL(secret);
  const [user, pass] = [decoded(username), decoded(password)];
  return [
    ...[username, password, user, pass, `${user}:${pass}`],
    ...[`${pathname}${search}`, pathname, search.slice(1), ...searchParams.values()],
    // Undecoded values too: a receiver may repeat an escape in lower case.
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

/** Custom headers are a JSON object. Each of its values is a secret. */
function piecesOfJson(secret: string): string[] {
  if (!secret.trimStart().startsWith('{')) return [];
  try {
    const values: unknown[] = Object.values(JSON.parse(secret));
    return values.filter((value) => typeof value === 'string');
  } catch {
    return [];
  }
}

/** `Bearer abc`: a receiver may repeat only the second word. */
const maxWords = 10;
const wordsOf = (secret: string): string[] => secret.split(/\s+/, maxWords);

const piecesOf = (secret: string): string[] =>
  [secret, ...piecesOfUrl(secret), ...piecesOfJson(secret)].flatMap((piece) => [
    piece,
    ...wordsOf(piece),
  ]);

/** How much of a response is searched for secrets. The record stores 2,000 characters. */
const maskedLength = 16_000;

/** Masks secrets in a text and cuts it to a length. A secret that crosses the cut is masked too. */
export type Mask = (text: string, length?: number) => string;

/**
 * Masks secrets, since a receiver may repeat in its response what it was sent. One pass finds all of them by their
 * first characters: searching for each secret in each of many response headers took 0.5 s.
 */
export function createMask(secrets: readonly string[]): Mask {
  const all = new Set(
    secrets
      .flatMap(piecesOf)
      .filter(({ length }) => length >= minLength)
      .flatMap(listEncodings),
  );
  const byBeginning = new Map<string, string[]>();
  for (const secret of [...all].sort((a, b) => b.length - a.length)) {
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
      // A secret that starts inside another one is masked with it.
      if (at >= hiddenUntil) masked += text.slice(writtenUntil, at) + stars;
      hiddenUntil = Math.max(hiddenUntil, at + found.length);
      writtenUntil = hiddenUntil;
    }
    return masked + text.slice(writtenUntil, Math.max(writtenUntil, end));
  };
}
