import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** README and all documents in docs/, by their path from the root. */
export const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `docs/${file}`),
];

export const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** A fenced block of a document. */
export interface Block {
  readonly language: string;
  /** The name of the file in which the reader saves it, after the language. */
  readonly file: string | undefined;
  /** From the comment `<!-- not run: … -->` before it. */
  readonly notRun: string | undefined;
  /** The line where it starts. */
  readonly line: number;
  readonly text: string;
}

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  let before = '';
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as string;
    const fence = /^```(\S*) ?(\S*)$/.exec(line);
    if (!fence) {
      if (line.trim() !== '') before = line;
      continue;
    }
    const end = lines.indexOf('```', index + 1);
    if (end === -1) throw new Error(`The block at line ${index + 1} does not end`);
    blocks.push({
      language: fence[1] as string,
      file: fence[2] || undefined,
      notRun: /^<!-- not run: (.+) -->$/.exec(before)?.[1],
      line: index + 1,
      text: lines.slice(index + 1, end).join('\n'),
    });
    before = '';
    index = end;
  }
  return blocks;
}

/** A document without its code, which contains no links. */
export const withoutCode = (markdown: string) =>
  markdown.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]+`/g, 'code');
