import type { Transact } from '../../../platform/db/database.ts';
import { StartError } from '../../../platform/start-error.ts';
import { systemActor } from '../../access/gate/index.ts';
import {
  type EventDefinition,
  type EventDraft,
  type EventType,
  eventLabels,
  isEventType,
  type Json,
  type JsonObject,
  recordEach,
  typesOfOthers,
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

/** One event of the other installation as one of ours, with its time, its author and its origin. */
function draftOf(event: PastEvent, { source, accounts, projects }: Origin): EventDraft {
  const { featureName } = event;
  const isKnown = isEventType(event.type);
  const definition: EventDefinition = {
    type: isEventType(event.type) ? event.type : nearest(event),
    label: labelOf(event.type),
    summary: ({ user, feature, project, environment, bold }) =>
      [
        `${user}: ${bold(labelOf(event.type))}`,
        ...(feature ? [`of ${feature}`] : []),
        ...(environment ? [`in ${environment}`] : []),
        ...(project ? [`in the project ${project}`] : []),
      ].join(' '),
    ...(isAboutPerson(event.type) && { personal }),
  };
  const author = event.createdByUserId;
  return {
    definition,
    // Some events about features do not name their project. Whoever does not see it must not see them.
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
      throw new StartError(
        'Another import has brought these events meanwhile. Start this one again.',
      );
    });
    from = until;
    done += some.length;
    progress(done, events.size);
  }
}
