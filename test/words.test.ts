import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';
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
  [/[\d…] %/, '10%'],
  [/\bswitch(ed|es|ing)? (it |them )?(on|off)\b/i, 'enable, disable'],
  [/\b(on|of) the page\b|^# The page/i, 'the UI'],
  [/\bas it was recorded\b/i, 'unchanged, modified after it was recorded'],
  [/\bday of the calendar\b/i, 'valid date'],
  [/\bthe person\b/i, 'the user'],
  [/\basked for\b/i, 'evaluated, requested'],
  [/\bmust say\b/i, 'must not be empty'],
  [/\bof all kinds\b/i, 'any'],
  [/\blets one\b/i, 'lets you'],
  [/\b(is|are) there now\b/i, 'was added'],
  [/\b(is|are|was|were) given up\b/i, 'failed permanently'],
  [/\bshould go\b/i, 'needs cleanup'],
  [/\bpast (its|their) lifetime\b/i, 'past its expected lifetime'],
  [/\bsticky by\b/i, 'stickiness'],
  [/\bfor good\b/i, 'permanently'],
  [/\bin vain\b/i, 'without success'],
  [/\bholds again\b/i, 'is in effect again'],
  [/\blog-ins?\b/i, 'sign-in'],
  [
    /\banswers? (\d{3}|%|the same \d)|\bit answered\b|\b(does|did) not answer\b/i,
    'returns, responds',
  ],
  [/\b(is|are) (no|not a) text\b/i, 'is not a string'],
  [/\b(half|\d+ of \d+) are faster\b/i, 'p50, p95'],
  [/\bnever asked\b|\bwas heard\b/i, 'never evaluated, last seen'],
];

/**
 * Event labels, a state of change requests, and the fingerprint of triggers: programs compare them. A value that a
 * migration stored, and the purpose of an encrypted cookie. Search words of the command palette, in both spellings.
 */
const fixed =
  /(marked as|no longer) a favourite|^(Favourite|End of a favourite) imported|^Feature switched (on|off)$|tgenabled|change-request-cancelled|\bCancelled\b|'nobody'|^oidc log-in$|^appearance color colour/;

/** Folders whose messages are checked. */
const messageFolders = ['bin', 'src', 'web/src'];

/** Folders whose test titles are checked. */
const testFolders = ['src', 'test', 'web/src'];

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

type JsxElement = ESTree.JSXElement | ESTree.JSXFragment;

/** The text of an element as a reader sees it, with … for what is computed. */
const textOf = ({ children }: JsxElement): string =>
  children
    .map((child) => {
      if (child.type === 'JSXText') return child.value;
      if (child.type === 'JSXElement' || child.type === 'JSXFragment') return textOf(child);
      if (child.type !== 'JSXExpressionContainer') return '…';
      const { expression } = child;
      return expression.type === 'Literal' ? String(expression.value) : '…';
    })
    .join('');

/** What the UI can show: literals, except names of things in code, and the text of elements. */
function textsInUi(code: string, file: string): string[] {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const texts: string[] = [];
  const addElement = (element: JsxElement) => {
    const hasText = element.children.some(
      (child) => child.type === 'JSXText' && child.value.trim() !== '',
    );
    if (hasText) texts.push(textOf(element).replace(/\s+/g, ' ').trim());
  };
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string' && /[A-Z]|\w\s/.test(value)) texts.push(value);
    },
    TemplateLiteral: ({ quasis }) => {
      texts.push(quasis.map(({ value }) => value.cooked).join('…'));
    },
    JSXElement: addElement,
    JSXFragment: addElement,
  }).visit(program);
  return texts;
}

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
  textsOf: (content: string, file: string) => readonly string[],
): string[] {
  return files.flatMap((file) =>
    textsOf(readFileSync(file, 'utf8'), file).flatMap((text) =>
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
      .filter((name) => /\.(tsx?|js)$/.test(name))
      .map((name) => join(folder, name)),
  );

test('messages use the words of the glossary', () => {
  const files = filesIn(messageFolders).filter((file) => !isTest(file));
  expect(files.length).toBeGreaterThan(300);
  expect(findingsIn(files, textsIn)).toEqual([]);
});

test('texts of the UI use the words of the glossary', () => {
  const files = filesIn(['web/src']).filter((file) => !isTest(file));
  expect(files.length).toBeGreaterThan(250);
  expect(findingsIn(files, textsInUi)).toEqual([]);
});

test('titles of tests use the words of the glossary', () => {
  expect(findingsIn(filesIn(testFolders).filter(isTest), titlesIn)).toEqual([]);
});

test('documents use the words of the glossary', () => {
  expect(findingsIn(documents, proseIn)).toEqual([]);
});

test.each([
  ['Somebody signed up', true],
  ["'10 %' of users", true],
  ['10% of everyone', false],
  ['answers 404 for an unknown role', true],
  ['Answer an audit question', false],
  ['The email address', false],
])('the phrase %j is refused: %s', (text, isRefused) => {
  expect(phrases.some(([phrase]) => phrase.test(text))).toBe(isRefused);
});

test('the checked texts of the UI are those that users see', () => {
  const code = `
    // a comment
    const label = 'Not saved';
    const view = (
      <p title={\`Copy \${name}\`} className="quiet">
        Keep it{' '}
        <b>for {ever}</b>
      </p>
    );`;
  expect(textsInUi(code, 'view.tsx').sort()).toEqual([
    'Copy …',
    'Keep it for …',
    'Not saved',
    'for …',
  ]);
});
