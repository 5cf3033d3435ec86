/** Set by vitest.proof.config.ts, which prints it. */
export const proofSeed = process.env.PROOF_SEED;

/**
 * The number of random cases for a property. `npm test` runs a few, always the same ones, so that only a code change
 * can make it fail. `npm run test:proof` runs many, different each time.
 */
export const randomCases = (few: number, many: number): { numRuns: number } => ({
  numRuns: proofSeed === undefined ? few : many,
});

/** The cases of a table: `npm test` tries the first few, `npm run test:proof` all of them. */
export const firstCases = <Case>(few: number, all: readonly Case[]): readonly Case[] =>
  proofSeed === undefined ? all.slice(0, few) : all;

/** The cases of a table: `npm test` tries every second, third, …, `npm run test:proof` all of them. */
export const someCases = <Case>(every: number, all: readonly Case[]): readonly Case[] =>
  proofSeed === undefined ? all.filter((_, nth) => nth % every === 0) : all;

/** How often concurrent requests are repeated, each time with another winner perhaps. */
export const raceRounds = proofSeed === undefined ? 1 : 20;
