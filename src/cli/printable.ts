import { unprintable } from '../platform/unprintable.ts';

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (character: string): string =>
  shortEscapes[character] ??
  `\\u{${(character.codePointAt(0) as number).toString(16).padStart(2, '0')}}`;

/** Makes stored or foreign text safe to print on one line: whatever a terminal would obey becomes visible. */
export const printable = (text: string): string => text.replace(unprintable, escaped);

/** Like `printable`, for text of several lines: keeps its line breaks. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
