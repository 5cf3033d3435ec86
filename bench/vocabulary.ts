import { type Random, seededRandom } from './random.ts';

const list = (words: string) => words.trim().split(/\s+/);

/** The first part of a feature's name: its area. */
const areas = list(`
  checkout payment invoice basket search catalogue profile login signup password session mobile
  tablet desktop email message push banner report export import upload download gallery editor
  comment review rating coupon discount loyalty referral shipping returns stock warehouse courier
  tax billing ledger onboarding tour help support chat`);

/** The second part: its aim. */
const aims = list(`
  redesign rewrite cache retry limit timeout preview beta pilot fallback shadow mirror split
  rollout guard audit trace metrics shortcut toolbar sidebar header footer dialog wizard summary
  autosave autofill darkmode compact layout sorting paging streaming compression encryption
  rotation throttle batching dedupe`);

const verbs = list(`
  enable disable raise lower move limit widen narrow prepare finish start pause follow observe
  measure compare protect replace remove restore adjust align confirm postpone`);

const rest = list(`
  the new old first second last users customers partners teams staff testers region country europe
  canada norway germany japan brazil north south percent half quarter tenth after before during
  until because incident budget deadline holiday season weekend monday friday morning evening
  traffic latency errors memory database queue worker gateway proxy browser server client version
  stable careful quick gradual complete partial internal external public private hidden visible
  requested approved planned agreed tested measured according plan ticket meeting support feedback`);

export const projects = list(`
  web-shop mobile-app back-office payments search platform identity notifications logistics
  analytics growth content partners support billing inventory experiments infrastructure research
  internal-tools`);

export const environments = ['development', 'staging', 'production'] as const;

const firstNames = list(`
  anna bruno clara david elena felix grace hugo irene jonas karin leon maria nils olga paul rosa
  simon tina ulrich vera werner yara carlos`);
const lastNames = list('berg costa dahl engel ferro');

export interface Author {
  readonly id: number;
  readonly name: string;
}

const authorCount = 50;

export const authors: readonly Author[] = Array.from({ length: authorCount }, (_, index) => ({
  id: index + 1,
  name: `${firstNames[index % firstNames.length]}.${lastNames[index % lastNames.length]}${
    index < firstNames.length ? '' : Math.floor(index / firstNames.length) + 1
  }@example.com`,
}));

const featureCount = 2_000;

/** Every area with every aim, with a number if that is not enough: `checkout-retry-2`. */
export const featureNames: readonly string[] = Array.from({ length: featureCount }, (_, index) => {
  const pairs = areas.length * aims.length;
  const pair = index % pairs;
  const name = `${areas[pair % areas.length]}-${aims[Math.floor(pair / areas.length)]}`;
  return index < pairs ? name : `${name}-${Math.floor(index / pairs) + 1}`;
});

const everyWord = [...areas, ...aims, ...verbs, ...rest];

/** Returns some words in a row, as in a description. */
export function phrase(random: Random, words: number): string {
  let text = random.pick(verbs);
  for (let count = 1; count < words; count += 1) text += ` ${random.pick(everyWord)}`;
  return text;
}

/** All text that descriptions are made of. A planted word must not be a part of it. */
const ordinaryText = [...everyWord, ...projects, ...firstNames, ...lastNames].join(' ');

const onsets = list('b bl br d dr f fl g gl gr h k kr l m n p pl pr r s sk sl st t tr v w');
const vowels = list('a e i o u ai au ea ei ia io oa ou');
const codas = ['', 'l', 'm', 'n', 'r', 's', 'nd', 'rk', 'lt', 'mp'];

/** Generates words that occur in no other text and are no part of each other. */
export function inventWords(count: number, seed: number, taken: ReadonlySet<string>): string[] {
  const random = seededRandom(seed);
  const syllable = () => random.pick(onsets) + random.pick(vowels) + random.pick(codas);
  const words: string[] = [];
  const known = [...taken];
  while (words.length < count) {
    const word = syllable() + syllable() + syllable();
    const clashes =
      word.length < 8 ||
      ordinaryText.includes(word) ||
      known.some((other) => other.includes(word) || word.includes(other));
    if (clashes) continue;
    words.push(word);
    known.push(word);
  }
  return words;
}
