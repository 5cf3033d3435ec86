import { afterAll } from 'vitest';

type Close = () => Promise<unknown>;

/** Shared by all copies of this file: it is loaded again for every test file, its importers are not. */
const shelf = globalThis as typeof globalThis & { burgeeOpen?: Close[] };
shelf.burgeeOpen ??= [];
const open = shelf.burgeeOpen;

/**
 * Closes something after the test file. Vitest never calls a hook that is registered while another hook runs, so the
 * one hook below closes everything that tests open in `beforeAll`.
 */
export const closeLater = (close: Close): void => {
  open.push(close);
};

afterAll(async () => {
  for (let close = open.pop(); close; close = open.pop()) await close();
});
