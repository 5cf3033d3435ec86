import type { Transact } from '../../../platform/db/database.ts';
import { StartError } from '../../../platform/start-error.ts';
import { systemActor } from '../../access/gate/index.ts';
import {
  type EventDefinition,
  type EventDraft,
  type EventType,
  eventLabels,
  findDefinition,
  isEventType,
  type Json,
  type JsonObject,
  recordEach,
  typesOfOthers,
  type Words,
} from '../../events/index.ts';
import { updateHistory } from '../queries.ts';
import type { PastEvent } from './read.ts';
import type { EventSpool } from './spool.ts';

/** Events in one transaction. */
const portion = 500;

/** The nearest type of ours for one that we do not know: a feature's, a project's, or that of a setting. */
const nearest = ({ featureName, project }: PastEvent): EventType => {
  if (featureName !== null) return typesOfOthers.feature;
  return project === null ? typesOfOthers.installation : typesOfOthers.project;
};

/** Keys in events about accounts that identify a person, so that they can be erased. */
const personal = ['name', 'username', 'email', 'user', 'createdBy'];

const isAboutPerson = (type: string): boolean =>
  /^(user|service-account|pat|public-signup)-/.test(type);

const labelOf = (type: string): string => {
  if (isEventType(type)) return eventLabels[type];
  const text = type.replaceAll('-', ' ');
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
};

/** Secrets that old versions recorded. */
const secretKeys = new Set(['secret', 'token', 'password', 'resetPasswordUrl', 'inviteLink']);

const withoutSecrets = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      secretKeys.has(key) && typeof item === 'string' ? '*****' : withoutSecrets(item),
    ]),
  );
};

/** Lists become `items`, because data is an object with us. */
const objectFrom = (value: unknown): JsonObject | null => {
  if (value === null || value === undefined) return null;
  const plain = withoutSecrets(value as Json);
  const isObject = typeof plain === 'object' && plain !== null && !Array.isArray(plain);
  return isObject ? (plain as JsonObject) : { items: plain };
};

interface Origin {
  readonly source: string;
  /** The id there of the last event that is here already. */
  readonly until: number;
  /** Our ids of accounts by theirs. */
  readonly accounts: ReadonlyMap<number, number>;
  /** The project of each feature. */
  readonly projects: ReadonlyMap<string, string>;
}

/** "Ada: Release plan added – new-checkout, production, shop". */
const labelledSentence = (type: string, { user, feature, project, environment, bold }: Words) => {
  const about = [feature, environment, project].filter((name) => name !== '').join(', ');
  return `${user}: ${bold(labelOf(type))}${about && ` – ${about}`}`;
};

const missingName = Symbol('missing name');

/**
 * The sentence of an event that is recorded here. Undefined if there is none, if the event of another version lacks a
 * name that the sentence needs, or if it would name a person: their id in the data is not the one of their account
 * here, so that the name could not be erased.
 */
function ownSentence(type: string, words: Words): string | undefined {
  const definition = isEventType(type) ? findDefinition(type) : undefined;
  if (!definition) return undefined;
  const required = (format: Words['bold']) => (value: Json | undefined) => {
    if (value === undefined || value === null || value === '') throw missingName;
    return format(value);
  };
  try {
    const sentence = definition.summary({
      ...words,
      bold: required(words.bold),
      text: required(words.text),
    });
    // A feature, project or environment that is missing leaves a gap.
    const isWhole = !/ {2}|\s$|undefined|NaN/.test(sentence);
    const people = (definition.personal ?? []).flatMap((key) => [
      words.data[key],
      words.preData[key],
    ]);
    const namesPerson = people.some((name) => name && sentence.includes(words.bold(name)));
    return isWhole && !namesPerson ? sentence : undefined;
  } catch (error) {
    if (error === missingName || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** One event of the other installation as one of ours, with its time, its author and its origin. */
function draftOf(event: PastEvent, { source, accounts, projects }: Origin): EventDraft {
  const { featureName } = event;
  const isKnown = isEventType(event.type);
  const definition: EventDefinition = {
    type: isEventType(event.type) ? event.type : nearest(event),
    label: labelOf(event.type),
    summary: (words) => ownSentence(event.type, words) ?? labelledSentence(event.type, words),
    ...(isAboutPerson(event.type) && { personal }),
  };
  const author = event.createdByUserId;
  return {
    definition,
    // Some events about features do not name their project. Users who do not see it must not see them.
    project: event.project ?? (featureName === null ? null : (projects.get(featureName) ?? null)),
    environment: event.environment,
    featureName,
    data: {
      ...objectFrom(event.data),
      ...(!isKnown && { originalType: event.type }),
      importedFrom: source,
      importedId: event.id,
    },
    preData: objectFrom(event.preData),
    tags: event.tags,
    past: {
      createdAt: new Date(event.createdAt),
      createdBy: event.createdBy,
      createdByUserId: author === null ? null : (accounts.get(author) ?? otherAuthor(author)),
    },
  };
}

/** The system has the same number in both. Numbers of tokens mean other tokens here. */
const otherAuthor = (id: number): number | null => (id === systemActor.id ? id : null);

/**
 * Appends history to the log, oldest first. Each transaction notes how far it has come, so that an interrupted import
 * goes on there.
 */
export async function writeHistory(
  transact: Transact,
  events: EventSpool,
  origin: Origin,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<void> {
  let done = 0;
  let from = origin.until;
  for (const some of events.portions(portion)) {
    const until = Math.max(from, some.at(-1)?.id ?? 0);
    await transact(systemActor, async (tx) => {
      await recordEach(tx, some, (event) => draftOf(event, origin));
      if (await updateHistory(tx, origin.source, { from, until })) return;
      throw new StartError('Another import has already imported these events. Run this one again.');
    });
    from = until;
    done += some.length;
    progress(done, events.size);
  }
}
