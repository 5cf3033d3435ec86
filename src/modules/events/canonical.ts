import { createHash } from 'node:crypto';

/** A value that JSON can hold, as it will be read back. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/**
 * JSON with one spelling (RFC 8785): keys in the order of their UTF-16 code units, no blanks,
 * numbers and strings as JavaScript writes them. Two equal values always have equal texts.
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

export const sha256 = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
