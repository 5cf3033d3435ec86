import { exceeded, parseJson } from '../../../platform/http/json-body.ts';
import { maxDepth } from '../../../platform/http/storable.ts';
import { StartError } from '../../../platform/start-error.ts';
import type { Installation } from '../document.ts';
import { documentFault } from './check.ts';

/** More than an installation with a hundred thousand features has. */
const bounds = { values: 20_000_000, entries: 1_000_000, depth: maxDepth };

/** The largest document, in bytes. */
export const maxDocumentBytes = 256 * 1024 * 1024;

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Reads a document. Its things are not checked yet. */
export function parseDocument(bytes: Uint8Array, name: string): Installation {
  const refuse = (why: string) => new StartError(`${name} ${why}.`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse("isn't UTF-8 text");
  }
  const beyond = exceeded(text, bounds);
  if (beyond !== undefined) throw refuse(beyond);
  const document = parsed(text);
  if (document === undefined) throw refuse("isn't valid JSON");
  const fault = documentFault(document);
  if (fault !== undefined) throw refuse(fault);
  return document as Installation;
}
