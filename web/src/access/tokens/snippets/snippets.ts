import { adminSnippets } from './admin-snippets.ts';
import { backendSnippets } from './backend-snippets.ts';
import type { Connection, Snippet } from './connection.ts';
import { frontendSnippets } from './frontend-snippets.ts';

/** Why a token has no secret here. */
export const secretHidden =
  'Secret not available. Viewing it requires permission to create this type of token and an encryption key on the server.';

export const secretShownOnce = "Copy this secret now. You won't be able to see it again.";

/** In snippets, for a secret that can't be shown. */
export const secretPlaceholder = '<your token>';

/** The secret of a token in a list; undefined if the server masks it. */
export const visibleSecret = (secret: string): string | undefined =>
  secret.endsWith('*****') ? undefined : secret;

const byType = { client: backendSnippets, frontend: frontendSnippets, admin: adminSnippets };

/** How an application connects and evaluates a feature, or how the API is called, by language. */
export const snippetsFor = (type: keyof typeof byType, connection: Connection): Snippet[] =>
  byType[type](connection);
