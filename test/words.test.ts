import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Phrases that no reader should meet, with what to write instead. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\b(some|any|every|no)body\b/i, 'someone, anyone, everyone, no one, or name the user'],
  [/\bwhoever\b/i, 'anyone who'],
  [/\banew\b/i, 'again'],
  [/\bfor ever\b/i, 'forever'],
  [/\bforevery/i, 'for every'],
  [/\bany more\b/i, 'no longer'],
  [/\b(is|are) told\b/i, 'gets, sees'],
  [/\bheard of\b/i, 'connected, seen'],
  [/\bwhat became of\b/i, 'result, outcome'],
  [/\bconspicuous\b/i, 'no problems found'],
  [/\b(brings?|brought) (it |them )?over\b/i, 'import'],
  [/(?<!-)\bcut-over\b/i, 'cutover'],
  [/^there (is|are) no\b.*\byet\b/i, 'no segments yet'],
  [/\bstands? (here|in the way)\b/i, 'is here, blocks'],
  [/\bhad (its|their) day\b/i, 'past its expected lifetime'],
  [/\bmust fit\b/i, 'must match'],
  [/\bfavourite|\bcolour|\blicence|\bbehaviour|\bcancelled\b/i, 'American spelling'],
  [/\bmisspelt\b|\blearnt\b|\banalys(e|es|ed|ing)\b|\bpretence\b/i, 'American spelling'],
  [
    /\b(organ|serial|synchron|recogn|author|summar|optim)is(e|ed|er|ers|es|ing|ation)\b/i,
    'American spelling',
  ],
  [/\be-mail/i, 'email'],
  [/\buser names?\b/i, 'username'],
  [/\d %/, '10%'],
  [/\bswitch(ed|es|ing)? (it |them )?(on|off)\b/i, 'enable, disable'],
  [/\b(on|of) the page\b|^# The page/i, 'the UI'],
];

/** Event labels, the built-in strategy type and the fingerprint of triggers: programs compare them. */
const fixed =
  /(marked as|no longer) a favourite|^(Favourite|End of a favourite) imported|^Feature switched (on|off)$|^On for everybody$|tgenabled|change-request-cancelled/;

/** Folders whose messages are checked. */
const messageFolders = [
  'src/app',
  'src/backup',
  'src/cli',
  'src/modules/access',
  'src/modules/admin-ui',
  'src/modules/catalogue',
  'src/modules/events',
  'src/modules/flags',
  'src/modules/instance-admin',
  'src/modules/migration',
  'src/modules/sdk/client-api',
  'src/modules/sdk/client-metrics',
  'src/modules/sdk/frontend-api',
  'src/modules/sdk/ofrep',
  'src/platform/contract',
  'src/platform/db',
  'src/platform/http',
];

/** Folders whose test titles are checked. */
const testFolders = ['src/cli', 'src/modules/access', 'src/modules/events', 'src/modules/flags'];

const documents = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  'bench/README.md',
  ...readdirSync('docs', { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

const literals = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** What a program can show: literals with a space in them. Names in `${…}` are code. */
const textsIn = (code: string): string[] => {
  const withoutComments = code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
  return (withoutComments.match(literals) ?? [])
    .map((literal) => literal.slice(1, -1).replace(/\$\{[^}]*\}/g, '…'))
    .filter((text) => text.includes(' '));
};

const titles =
  /\b(?:test|it|describe)(?:\.\w+)*(?:\([^)]*\)|\(\s*\[[\s\S]*?\]\s*\))?\(\s*(['"`])(.+?)\1/g;
const titlesIn = (code: string): string[] =>
  [...code.matchAll(titles)].map(([, , title = '']) => title);

/** The text of a document, without code and addresses. */
const proseIn = (markdown: string): string[] =>
  markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/(src|srcset)="[^"]*"/g, '')
    .split('\n');

const isTest = (file: string) => /\.(test|proof)\.tsx?$/.test(file);

function findingsIn(
  files: readonly string[],
  textsOf: (content: string) => readonly string[],
): string[] {
  return files.flatMap((file) =>
    textsOf(readFileSync(file, 'utf8')).flatMap((text) =>
      phrases
        .filter(([phrase]) => phrase.test(text) && !fixed.test(text))
        .map(([phrase, instead]) => {
          const at = Math.max(0, text.search(phrase) - 30);
          return `${file}: “${text.slice(at, at + 80).trim()}” (${instead})`;
        }),
    ),
  );
}

const filesIn = (folders: readonly string[]) =>
  folders.flatMap((folder) =>
    readdirSync(folder, { encoding: 'utf8', recursive: true })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );

test('messages are in the words of the glossary', () => {
  const files = filesIn(messageFolders).filter((file) => !isTest(file));
  expect(files.length).toBeGreaterThan(300);
  expect(findingsIn(files, textsIn)).toEqual([]);
});

test('titles of tests are in the words of the glossary', () => {
  expect(findingsIn(filesIn(testFolders).filter(isTest), titlesIn)).toEqual([]);
});

test('documents are in the words of the glossary', () => {
  expect(findingsIn(documents, proseIn)).toEqual([]);
});

test.each([
  ['Somebody signed up', true],
  ["'10 %' of users", true],
  ['10% of everyone', false],
  ['The email address', false],
])('the phrase %j is refused: %s', (text, isRefused) => {
  expect(phrases.some(([phrase]) => phrase.test(text))).toBe(isRefused);
});
