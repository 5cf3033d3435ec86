import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { documents, root, textOf, withoutCode } from './documents.ts';

/** The anchor of a heading, as on GitHub. */
const anchorOf = (heading: string) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replace(/\s/g, '-');

const anchorsOf = (path: string): string[] =>
  [...textOf(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => anchorOf(heading as string));

const linksOf = (markdown: string): string[] => {
  const text = withoutCode(markdown);
  return [
    ...[...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string),
    ...[...text.matchAll(/(?:src|srcset|href)="([^"]+)"/g)].map(([, target]) => target as string),
  ].filter((target) => !/^[a-z]+:/.test(target));
};

const faultOf = (from: string, link: string): string | undefined => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : normalize(join(dirname(from), path));
  if (!existsSync(join(root, target))) return `${link}: there is no ${target}`;
  if (anchor === undefined || statSync(join(root, target)).isDirectory()) return;
  if (!anchorsOf(target).includes(anchor)) return `${link}: ${target} has no such heading`;
};

const linking = [...documents, 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

test.each(linking)('every link in %s has an existing target', (path) => {
  expect(linksOf(textOf(path)).flatMap((link) => faultOf(path, link) ?? [])).toEqual([]);
});

test('detects a link to a missing file or heading', () => {
  expect(faultOf('README.md', 'docs/missing.md')).toContain('there is no docs/missing.md');
  expect(faultOf('docs/events.md', '#missing')).toContain('docs/events.md has no such heading');
  expect(faultOf('docs/events.md', '../README.md#burgee')).toBeUndefined();
});

test('docs/README.md lists every document', () => {
  const named = linksOf(textOf('docs/README.md')).map((link) => `docs/${link}`);
  const others = documents.filter((path) => path !== 'README.md' && path !== 'docs/README.md');
  expect(others.filter((path) => !named.includes(path))).toEqual([]);
});

test('every picture is used in a document', () => {
  const shown = new Set(
    documents.flatMap((path) =>
      linksOf(textOf(path)).map((link) => normalize(join(dirname(path), link))),
    ),
  );
  const pictures = readdirSync(join(root, 'docs/images')).map((name) => `docs/images/${name}`);
  expect(pictures.filter((path) => !shown.has(path))).toEqual([]);
});
