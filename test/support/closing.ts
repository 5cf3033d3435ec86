import { afterAll } from 'vitest';

type Close = () => Promise<unknown>;

/** Shared by all copies of this file: it is loaded anew for every test file, its importers are not. */
const shelf = globalThis as typeof globalThis & { burgeeOpen?: Close[] };
shelf.burgeeOpen ??= [];
const open = shelf.burgeeOpen;

/**
 * Closes something after the test file. A hook that is registered while another one runs is never
 * called: whatever tests open in `beforeAll` is closed by the one hook below.
 */
export const closeLater = (close: Close): void => {
  open.push(close);
};

afterAll(async () => {
  for (let close = open.pop(); close; close = open.pop()) await close();
});
