/** What stands in the place of a secret, wherever one would be shown. */
export const stars = '*****';

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

/** A part of a path that nobody would choose as a name. */
const looksSecret = (part: string): boolean => part.length >= 10 && /\d/.test(part);

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
    ...pathname.split('/').filter(looksSecret),
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
const wordsOf = (secret: string): string[] => secret.split(/\s+/);

const piecesOf = (secret: string): string[] =>
  [secret, ...piecesOfUrl(secret), ...piecesOfJson(secret)].flatMap((piece) => [
    piece,
    ...wordsOf(piece),
  ]);

/** Takes secrets out of any text: a receiver may send back in an answer what it was sent. */
export function createMask(secrets: readonly string[]): (text: string) => string {
  const known = [
    ...new Set(
      secrets
        .flatMap(piecesOf)
        .filter(({ length }) => length >= minLength)
        .flatMap(spellings),
    ),
  ].sort((a, b) => b.length - a.length);
  return (text) => known.reduce((left, secret) => left.replaceAll(secret, stars), text);
}
