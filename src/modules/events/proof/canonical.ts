import { createHash } from 'node:crypto';

/** A JSON value as it is read back. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/**
 * JSON with exactly one spelling (RFC 8785): keys sorted by UTF-16 code units, no whitespace, numbers and strings as
 * JavaScript writes them. Equal values have equal texts.
 */
export function canonical(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text && ','}${canonical(item)}`;
    return `[${text}]`;
  }
  const object = value as JsonObject;
  for (const key of Object.keys(object).sort()) {
    text += `${text && ','}${JSON.stringify(key)}:${canonical(object[key] as Json)}`;
  }
  return `{${text}}`;
}

export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
